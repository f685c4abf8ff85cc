/** Checks of what a request brings, with messages for whoever sent it. */

import type * as z from 'zod';
import { plainText } from './lib/text.ts';
import { ProblemError, type Diagnosis } from './problem.ts';

/**
 * @param schema a `z.strictObject` of `text` and of members with messages that complete a sentence: `must be an object`
 * @throws {ProblemError} `invalid-request`; names the member and the rule, never the value
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: () => 'must be a text' });
  if (result.success) return result.data;
  const { code, path: [member], message } = result.error.issues[0] as z.core.$ZodIssue;
  if (code === 'unrecognized_keys') throw new ProblemError('invalid-request', { detail: 'The body holds an unknown member.' });
  throw new ProblemError('invalid-request', { detail: member === undefined ? 'The body must be a JSON object.' : `${String(member)} ${message}.` });
}

/** Returns `forum`, or the default forum. @throws {ProblemError} `forum-not-allowed` */
export function requireForum(forums: readonly string[], forum: string | undefined): string {
  const name = forum === undefined ? forums[0] : forums.find((one) => one === forum);
  if (name === undefined) throw new ProblemError('forum-not-allowed');
  return name;
}

/** Log fields about an origin that is not in `allowed`. */
export function refusedOrigin(url: URL | null, allowed: readonly string[]): Diagnosis {
  return {
    reason: `the origin is none of ${allowed.join(', ')}`,
    origin: plainText(url?.origin ?? 'malformed', 100),
    setting: 'VESTIBULE_ALLOWED_ORIGINS, VESTIBULE_PUBLIC_URL',
  };
}
