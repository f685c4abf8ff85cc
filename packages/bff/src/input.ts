/** Checks of what others send: schemas, and the problems for whoever sent a request. */

import * as z from 'zod';
import { countCodePoints } from '@vestibule/shared';
import { plainText } from './lib/text.ts';
import { ProblemError, type Diagnosis } from './problem.ts';

// Schemas of texts. Their messages complete a sentence that begins with the name of the member.

export const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** Text of at most `limit` code points. */
export function boundedText(limit: number) {
  return text.refine((value) => countCodePoints(value) <= limit, `must hold at most ${limit} characters`);
}

/** Text of 1 to `limit` code points. */
export function nonEmptyText(limit: number) {
  return text.refine((value) => value !== '' && countCodePoints(value) <= limit, `must hold 1 to ${limit} characters`);
}

/** Id of a comment. Hooks may put it into a path: it has no character with a meaning there, and is no dot segment (RFC 3986,
 *  5.2.4). */
export const commentId = nonEmptyText(255).refine(
  (id) => /^[^/\\?#%\p{Cc}]*$/u.test(id) && id !== '.' && id !== '..', 'must hold none of / \\ ? # % and no controls, and must not be . or ..',
);

export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object');

/** Narrows parsed JSON to an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text of the publisher for readers, as a hook returns it; at most 1,000 characters each. */
export const localizedText = z.union([boundedText(1_000), z.record(z.string(), boundedText(1_000))]);

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
