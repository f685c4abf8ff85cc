/** A publisher's own words (property `strings` of both elements): part of the phrases, before those of any language. */

import type { Language } from './language.ts';

/** `core`, `comments`, `thread`, `fallback` and `problems` are the comment box's, `sync` and `problems` the validation form's. */
export type OwnStrings = { readonly [Stage in 'core' | 'comments' | 'problems' | 'fallback' | 'sync' | 'thread']?: Own<NonNullable<Language[Stage]>> };

/** Partial, except that a phrase with plural forms is replaced as a whole. */
type Own<S> = S extends string | { readonly other: string } ? S : { readonly [Key in keyof S]?: Own<S[Key]> };

type Strings = { readonly [key: string]: Strings } | string;

/** `strings` with the publisher's phrases in place of their own. Keys that `strings` does not have are ignored. */
export function withOwn<S extends object>(strings: S, own: object | undefined): S {
  return merge(strings as Strings, own as Strings | undefined) as S;
}

function merge(strings: Strings, own: Strings | undefined): Strings {
  if (!own || typeof strings === 'string' || typeof own === 'string' || strings['other']) return own ?? strings;
  return Object.fromEntries(Object.entries(strings).map(([key, phrase]) => [key, merge(phrase, own[key])]));
}
