/** Schemas of texts. Their messages complete a sentence that begins with the name of the member. */

import * as z from 'zod';
import { countCodePoints } from '@vestibule/shared';

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
