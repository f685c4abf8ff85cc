/** The members of a JSON body: exactly those that are named, each of its type. */

import { isObject } from '../lib/is-object.ts';
import { ProblemError } from './problem-error.ts';

/** `text`: a string of well-formed Unicode; `text?`: the same, or absent; `object`: members of its own. */
type MemberKind = 'text' | 'text?' | 'object';

type MembersOf<S extends Readonly<Record<string, MemberKind>>> = {
  readonly [N in keyof S]: S[N] extends 'text' ? string : S[N] extends 'text?' ? string | undefined : Readonly<Record<string, unknown>>;
};

/** @throws {ProblemError} `invalid-request`, which names the member and the rule */
export function parseMembers<const S extends Readonly<Record<string, MemberKind>>>(body: unknown, shape: S): MembersOf<S> {
  if (!isObject(body)) throw invalid('The body must be a JSON object.');
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(shape, name)) throw invalid('The body holds a member that is not known here.');
  }
  const members: Record<string, unknown> = {};
  for (const name in shape) members[name] = memberOf(body, name, shape[name] as MemberKind);
  return members as MembersOf<S>;
}

function memberOf(body: Readonly<Record<string, unknown>>, name: string, kind: MemberKind): unknown {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (kind === 'object') {
    if (!isObject(value)) throw invalid(`${name} must be an object.`);
    return value;
  }
  if (value === undefined && kind === 'text?') return undefined;
  if (typeof value !== 'string') throw invalid(`${name} must be a text.`);
  if (!value.isWellFormed()) throw invalid(`${name} must be well-formed Unicode.`);
  return value;
}

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid-request', { detail });
}
