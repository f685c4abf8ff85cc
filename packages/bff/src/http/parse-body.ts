/** Parses JSON bodies and query strings with zod schemas. Failures name the member and the rule, never the value. */

import * as z from 'zod';
import { ProblemError } from './problem-error.ts';

/** A string of well-formed Unicode: no lone surrogates. */
export const text = z.string().refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** A JSON object with any members. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/**
 * @param schema a `z.strictObject`; its own messages complete a sentence: `must hold 1 to 255 characters`
 * @throws {ProblemError} `invalid-request`
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body, { error: ruleOf });
  if (result.success) return result.data;
  throw new ProblemError('invalid-request', { detail: detailOf(result.error.issues[0]) });
}

function detailOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return 'The body holds an unknown member.';
  const member = issue?.path[0];
  return member === undefined ? 'The body must be a JSON object.' : `${String(member)} ${issue?.message}.`;
}

const nouns: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object', array: 'a list' };

/** The message of an issue whose schema sets none. */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  const noun = issue.code === 'invalid_type' ? nouns[issue.expected] : undefined;
  return noun === undefined ? 'is invalid' : `must be ${noun}`;
}
