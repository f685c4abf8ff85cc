/** What `<vestibule-count>` shows: the number in a phrase of the page's own, else of the language around it, else its content. */

import { bffAddress } from '../client/address.ts';
import type { Plural } from '../locales/language.ts';
import { languageAround } from '../locales/localizer.ts';
import { candidates } from '../locales/negotiation.ts';
import { parseStrings } from '../locales/own-strings.ts';
import { plural } from '../locales/phrase.ts';
import { requestCount } from './request-count.ts';

export const english = { one: '{count} comment', other: '{count} comments' };

export async function countView(element: HTMLElement): Promise<Node> {
  const [count, { tag, phrase, lang = tag }] = await Promise.all([countOf(element), phraseOf(element)]);
  if (count === null) return document.createElement('slot');
  const text = Object.assign(document.createElement('bdi'), { lang, textContent: plural(tag, phrase, count) });
  text.part.add('text');
  return text;
}

async function countOf(element: HTMLElement): Promise<number | null> {
  const [forum, page] = ['forum', 'page'].map((name) => element.getAttribute(name));
  if (!forum || !page || !URL.canParse(page, document.baseURI)) return null;
  const url = new URL(page, document.baseURI);
  url.hash = '';
  return requestCount(bffAddress(element.getAttribute('bff')), forum, url.href);
}

interface CountPhrase {
  /** Of the plural forms and of the digits. */
  readonly tag: string;
  readonly phrase: Plural;
  /** Of the words; default: `tag`. */
  readonly lang?: string;
}

/** English if the phrases cannot be loaded. */
async function phraseOf(element: HTMLElement): Promise<CountPhrase> {
  const around = languageAround(element);
  const wanted = [around || [], navigator.languages].flat().flatMap(candidates);
  const own = parseStrings(element.getAttribute('strings')) as Partial<Plural> | undefined;
  if (own?.other) return { tag: candidates(around).at(-1) ?? 'en', phrase: own as Plural, lang: around };
  const phrases = wanted[1] === 'en' ? {} : await import('./phrases.ts').then((module) => module.phrases, () => ({}));
  const table: Readonly<Record<string, Plural>> = { en: english, ...phrases };
  const tag = wanted.find((name) => table[name]) ?? 'en';
  return { tag, phrase: table[tag]! };
}
