/**
 * The languages of the elements. English is built in, a part with each stage. Each other language is a module. Plain
 * modules and a lookup instead of `@lit/localize`, which has no plural forms and no phrases of a page.
 */

import type { Language } from './language.ts';
import { candidates } from './negotiation.ts';

/** Loaders by BCP 47 tag, as `Intl` writes it. */
export const languages: Readonly<Record<string, () => Promise<Language>>> = {
  ar: () => import('./ar.ts'),
  cs: () => import('./cs.ts'),
  da: () => import('./da.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fi: () => import('./fi.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nb: () => import('./nb.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  'pt-PT': () => import('./pt-PT.ts'),
  sv: () => import('./sv.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  zh: () => import('./zh.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
};

export interface FoundLanguage {
  /** BCP 47 tag. */
  readonly tag: string;
  /** `undefined`: English, which is built in. */
  readonly language: Language | undefined;
}

/** The first of the tags `wanted` that exists here, else English. Rejects if the module of the language cannot be loaded. */
export async function loadLanguage(wanted: readonly string[]): Promise<FoundLanguage> {
  for (const tag of wanted.flatMap(candidates)) {
    const language = await languages[tag]?.();
    if (language || tag === 'en') return { tag, language };
  }
  return { tag: 'en', language: undefined };
}
