/** Protections to remove one at a time, by area. */

import { connectionMutations } from './connections.ts';
import { logMutations } from './logs.ts';
import { proxyMutations } from './proxy.ts';
import { requestMutations } from './requests.ts';
import { serviceMutations } from './service.ts';
import { sessionMutations } from './sessions.ts';
import { signInMutations } from './sign-in.ts';
import { storeMutations } from './store.ts';
import type { Mutation } from './mutation.ts';

export const mutations: readonly Mutation[] = [
  ...requestMutations,
  ...signInMutations,
  ...sessionMutations,
  ...serviceMutations,
  ...storeMutations,
  ...logMutations,
  ...connectionMutations,
  ...proxyMutations,
];
