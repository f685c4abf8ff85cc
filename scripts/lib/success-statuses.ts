/** Statuses of a success by endpoint, the usual one first: for the reference and for the test of every endpoint. */

import type { endpoints } from '@vestibule/shared';

export const successStatuses: Readonly<Record<keyof typeof endpoints, readonly [number, ...number[]]>> = {
  session: [200], signOut: [204], syncAuthorize: [302], syncReturn: [200, 303], syncForm: [200], syncStart: [201],
  syncValidation: [200], syncCancel: [200], posts: [201], postList: [200], comments: [200], health: [200], readiness: [200],
};
