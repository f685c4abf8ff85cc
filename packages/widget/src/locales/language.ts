/** The languages of the elements. English is built in, a part with each stage; each other one is a file by itself, loaded
 *  where a page needs it. Plain modules and a lookup of 30 lines instead of `@lit/localize`: its runtime would put 750 bytes
 *  (brotli) before a reader's first letter, and it knows neither plural forms nor a page's own words. */

import type { CoreStrings } from './en.ts';
import type { EngineStrings } from './en-engine.ts';
import type { NoticeStrings } from './en-notice.ts';
import type { ProblemStrings } from './en-problems.ts';
import type { SyncStrings } from './en-sync.ts';

/** Forms of a phrase by the plural category of its number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The English strings `S` in another language: the same keys, plural forms as the language has them. */
type Translated<S> = S extends string ? string
  : S extends { readonly other: string } ? Plural
    : { readonly [Key in keyof S]: Translated<S[Key]> };

/** What the file of a language exports. */
export interface Language {
  readonly direction?: 'rtl';
  readonly core: Translated<CoreStrings>;
  readonly engine: Translated<EngineStrings>;
  readonly problems: Translated<ProblemStrings>;
  /** Of what stands where the page's policy keeps the elements from being drawn. */
  readonly notice: Translated<NoticeStrings>;
  /** Of `<vestibule-sync>`. */
  readonly sync: Translated<SyncStrings>;
}

/** Loaders by ISO 639 code, as `Intl` writes it. English is not among them. */
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
  no: () => import('./no.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  sv: () => import('./sv.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  zh: () => import('./zh.ts'),
};
