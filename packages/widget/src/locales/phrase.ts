/** Phrases with something put into them. */

import { fill } from '../lib/fill.ts';
import { words } from '../lib/words.ts';
import { byLanguage } from './by-language.ts';
import type { Plural } from './language.ts';

const rulesOf = byLanguage((tag) => new Intl.PluralRules(tag));
const numbersOf = byLanguage((tag) => new Intl.NumberFormat(tag));

/** The form of `phrase` for `count`, and the number as the language writes it. */
export function pluralOf(tag: string, phrase: Plural, count: number): { readonly form: string; readonly number: string } {
  return { form: phrase[rulesOf(tag).select(count)] ?? phrase.other, number: numbersOf(tag).format(count) };
}

/** The form of `phrase` for `count`, with the number in the place of `{count}`. */
export function plural(tag: string, phrase: Plural, count: number): string {
  const { form, number } = pluralOf(tag, phrase, count);
  return fill(form, { count: number }).join('');
}

/** A phrase with its values, such as templates, in the places of their names. */
export function phraseWith(phrase: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  return fill(phrase, values).map((part) => typeof part === 'string' && part ? words(part) : part);
}
