/** Phrases with something put into them. */

import { fill } from '../lib/fill.ts';
import { words } from '../lib/words.ts';
import { byLanguage } from './by-language.ts';
import type { Plural } from './language.ts';

const rulesOf = byLanguage((tag) => new Intl.PluralRules(tag));
const numbersOf = byLanguage((tag) => new Intl.NumberFormat(tag));

/** The form of `phrase` for `count`. */
export function pluralForm(tag: string, phrase: Plural, count: number): string {
  return phrase[rulesOf(tag).select(count)] ?? phrase.other;
}

/** The number as the language writes it. */
export function formatNumber(tag: string, value: number): string {
  return numbersOf(tag).format(value);
}

/** The form of `phrase` for `count`, with the number as the language writes it in the place of `{count}`. */
export function plural(tag: string, phrase: Plural, count: number): string {
  return fill(pluralForm(tag, phrase, count), { count: formatNumber(tag, count) }).join('');
}

/** A phrase with its values, such as templates, in the places of their names. */
export function phraseWith(phrase: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  return fill(phrase, values).map((part) => typeof part === 'string' && part ? words(part) : part);
}
