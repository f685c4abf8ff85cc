/** The publisher's `posts.prepare` hook: adds signed parameters to a post, or refuses it. */

import * as z from 'zod';
import type { NewPost } from '@vestibule/shared';
import type { AcceptedUser, HookContext, PostHooks } from '../config/hooks.ts';
import { runHook } from '../config/run-hook.ts';
import { ProblemError } from '../http/problem-error.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Param } from '../signing/normalize-params.ts';

const MAX_PARAMS = 32;
const MAX_VALUE_LENGTH = 4_096;

/** Parameters of the request itself and attributes of its signature (interface 4.1, 5.2). */
const RESERVED: ReadonlySet<string> = new Set([
  'forum', 'message', 'id', 'nonce', 'body-hash', 'mac', 'access_token', 'client_id', 'client_secret', 'api_key', 'api_secret',
]);

const paramName = z.string().regex(/^[A-Za-z][\w.-]{0,63}$/).refine((name) => !RESERVED.has(name.toLowerCase()));

const prepareResult = z.union([
  z.strictObject({
    ok: z.literal(true),
    params: z.record(paramName, z.string().max(MAX_VALUE_LENGTH).refine((value) => value.isWellFormed()))
      .refine((params) => Object.keys(params).length <= MAX_PARAMS).optional(),
  }),
  z.strictObject({ ok: z.literal(false), reason: z.string().max(1_000).optional() }),
]);

export interface PreparePostDeps {
  readonly prepare: NonNullable<PostHooks['prepare']>;
  readonly service: HookContext['service'];
  readonly timeoutMs: number;
}

/** @returns the additional parameters @throws {ProblemError} `post-rejected`, `internal-error` */
export async function preparePost(deps: PreparePostDeps, post: NewPost, user: AcceptedUser): Promise<Param[]> {
  const { prepare, service, timeoutMs } = deps;
  const result = await runHook({
    name: 'posts.prepare',
    hook: prepare,
    context: { ...post, user },
    service,
    partition: sha256('user', user.user_id),
    result: prepareResult,
    expected: '{ ok: true, params? } with texts as values and no reserved names, or { ok: false, reason? }',
    timeoutMs,
    detail: 'This site could not check your comment just now. Your text is kept: please try again.',
  });
  if (!result.ok) throw new ProblemError('post-rejected', result.reason ? { detail: result.reason } : {});
  return Object.entries(result.params ?? {});
}
