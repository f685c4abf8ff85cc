/** A publisher's own words (`strings` of the elements): part of the phrases, before those of any language. */

import type { Language } from './language.ts';

/** `core`, `comments`, `entries`, `thread`, `actions` and `problems` are the comment box's; `sync` and `problems` the validation
 *  form's. */
export type OwnStrings = { readonly [Stage in Exclude<keyof Language, 'direction'>]?: Own<Language[Stage]> };

/** Partial, except that a phrase with plural forms is replaced as a whole. */
type Own<S> = S extends string | { readonly other: string } ? S : { readonly [Key in keyof S]?: Own<S[Key]> };

type Strings = { readonly [key: string]: Strings } | string;

const merged = new WeakMap<object, WeakMap<object, object>>();

/** `strings` with the phrases of `own` in place of theirs: the same object for the same two. Ignores unknown keys and values of
 *  another kind. */
export function withOwn<S extends object>(strings: S, own: object | undefined): S {
  if (typeof own !== 'object' || own === null) return strings;
  let ofStrings = merged.get(strings);
  if (!ofStrings) merged.set(strings, ofStrings = new WeakMap());
  let both = ofStrings.get(own);
  if (!both) ofStrings.set(own, both = Object(merge(strings as Strings, own as Strings)) as object);
  return both as S;
}

function merge(strings: Strings, own: Strings | null | undefined): Strings {
  if (!own || typeof own !== typeof strings) return strings;
  if (typeof strings === 'string' || typeof own === 'string') return own;
  if (strings['other']) return own['other'] ? own : strings;
  return Object.fromEntries(Object.entries(strings).map(([key, phrase]) => [key, merge(phrase, own[key])]));
}

const parsed = new Map<string, OwnStrings | undefined>();

/** `strings` as an object, from JSON or as it is: no phrases, and a message in the console, once, if it is not JSON. */
export function parseStrings(strings: OwnStrings | string | null | undefined): OwnStrings | undefined {
  if (typeof strings !== 'string') return strings ?? undefined;
  if (!parsed.has(strings)) parsed.set(strings, parse(strings));
  return parsed.get(strings);
}

function parse(json: string): OwnStrings | undefined {
  if (!json) return undefined;
  try {
    return Object(JSON.parse(json)) as OwnStrings;
  } catch (error) {
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error('Vestibule: the attribute `strings` is not JSON.', error);
    return undefined;
  }
}
