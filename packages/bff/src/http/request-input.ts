/** Parses what a request brings: body, query, languages, forum, `Idempotency-Key`. Failures name the member and the rule,
 *  never the value. */

import * as z from 'zod';
import { IDEMPOTENCY_KEY_HEADER } from '@vestibule/shared';
import type { Request } from 'express';
import { isObject } from '../lib/json.ts';
import { ProblemError } from './problem-error.ts';

/** A string of well-formed Unicode: no lone surrogates. */
export const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** A JSON object with any members. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object');

/**
 * @param schema a `z.strictObject` of `text` and of members with messages that complete a sentence: `must be an object`
 * @throws {ProblemError} `invalid-request`
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: () => 'must be a text' });
  if (result.success) return result.data;
  throw new ProblemError('invalid-request', { detail: detailOf(result.error.issues as [z.core.$ZodIssue]) });
}

/** Of the first issue. */
function detailOf([{ code, path: [member], message }]: readonly [z.core.$ZodIssue]): string {
  if (code === 'unrecognized_keys') return 'The body holds an unknown member.';
  return member === undefined ? 'The body must be a JSON object.' : `${String(member)} ${message}.`;
}

/** The query string as it was sent. Express's parsers merge or nest repeated parameters. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?') + 1) : '');
}

/** @throws {ProblemError} `invalid-request` for a repeated parameter */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new ProblemError('invalid-request', { detail: `${name} is repeated.` });
  return values[0];
}

/** BCP 47 tags of `Accept-Language`, best first, at most ten. */
export function languagesOf(req: Request): string[] {
  return req.acceptsLanguages().filter((tag) => /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/.test(tag)).slice(0, 10);
}

/** Returns `forum`, or the default forum. @throws {ProblemError} `forum-not-allowed` */
export function requireForum(forums: readonly string[], forum: string | undefined): string {
  const name = forum === undefined ? forums[0] : forums.find((one) => one === forum);
  if (name === undefined) throw new ProblemError('forum-not-allowed');
  return name;
}

const BARE = /^[\x21-\x7e]{8,128}$/;

/** Of a quoted key, RFC 9651, 4.2.5: a backslash escapes a quote or itself.
 *  @throws {ProblemError} `invalid-request` where it is missing, not 8 to 128 visible ASCII characters, or sent twice: two
 *  are joined by a comma and a space, and no key holds a space */
export function parseIdempotencyKey(req: Request): string {
  const header = req.get(IDEMPOTENCY_KEY_HEADER);
  const key = header?.replace(/^"(.*)"$/, (_, quoted: string) => quoted.replace(/\\(["\\])/g, '$1'));
  if (key === undefined || !BARE.test(key)) {
    throw new ProblemError('invalid-request', { detail: `${IDEMPOTENCY_KEY_HEADER} must hold 8 to 128 visible ASCII characters.` });
  }
  return key;
}
