/**
 * The languages of the elements. English is built in, a part with each stage; each other language is a module that loads
 * when a page needs it. Plain modules and a lookup instead of `@lit/localize`, which has no plural forms and no phrases of
 * a page.
 */

import type { Language } from './language.ts';

type Loader = () => Promise<Language>;

/** Loaders by BCP 47 tag, as `Intl` writes it. */
export const languages: Readonly<Record<string, Loader>> = {
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
  no: () => import('./nb.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  'pt-PT': () => import('./pt-PT.ts'),
  sv: () => import('./sv.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  zh: () => import('./zh.ts'),
  'zh-HK': () => import('./zh-Hant.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
  'zh-MO': () => import('./zh-Hant.ts'),
  'zh-TW': () => import('./zh-Hant.ts'),
};
