/** Phrases of the thread in the languages of `languages.ts`, each in a chunk of its own: they cost nothing on a page without a
 *  thread. English is built in. */

import type { ThreadStrings } from '../en-thread.ts';

type Loader = () => Promise<{ readonly thread: ThreadStrings }>;

/** By BCP 47 tag, as `Intl` writes it. */
const loaders: Readonly<Record<string, Loader>> = {
  ar: () => import('./thread-ar.ts'),
  cs: () => import('./thread-cs.ts'),
  da: () => import('./thread-da.ts'),
  de: () => import('./thread-de.ts'),
  es: () => import('./thread-es.ts'),
  fi: () => import('./thread-fi.ts'),
  fr: () => import('./thread-fr.ts'),
  he: () => import('./thread-he.ts'),
  it: () => import('./thread-it.ts'),
  ja: () => import('./thread-ja.ts'),
  ko: () => import('./thread-ko.ts'),
  nb: () => import('./thread-nb.ts'),
  nl: () => import('./thread-nl.ts'),
  pl: () => import('./thread-pl.ts'),
  pt: () => import('./thread-pt.ts'),
  'pt-PT': () => import('./thread-pt-PT.ts'),
  sv: () => import('./thread-sv.ts'),
  tr: () => import('./thread-tr.ts'),
  uk: () => import('./thread-uk.ts'),
  zh: () => import('./thread-zh.ts'),
  'zh-Hant': () => import('./thread-zh-Hant.ts'),
};

/** Tags of `languages.ts` that share the phrases of another. */
const aliases: Readonly<Record<string, string>> = { no: 'nb', 'zh-HK': 'zh-Hant', 'zh-MO': 'zh-Hant', 'zh-TW': 'zh-Hant' };

/** `undefined`: there are none, as for English. Rejects if they cannot be loaded. */
export async function loadThreadStrings(tag: string): Promise<ThreadStrings | undefined> {
  const name = aliases[tag] ?? tag;
  return Object.hasOwn(loaders, name) ? (await loaders[name]!()).thread : undefined;
}
