/**
 * The languages of the elements. English is built in, a part with each stage. Each other language is two modules: the phrases of
 * the first stage, which load when a page needs them, and the rest, which loads with a later stage. Plain modules and a lookup
 * instead of `@lit/localize`, which has no plural forms and no phrases of a page.
 */

import type { FirstLanguage, Language, Registration } from './language.ts';
import { candidates } from './negotiation.ts';

/** Loaders by BCP 47 tag, as `Intl` writes it. */
export const languages: Readonly<Record<string, () => Promise<FirstLanguage>>> = {
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
  readonly language: FirstLanguage | Language | undefined;
}

/** Whether the phrases of the later stages are still to be loaded. */
export function isFirst(language: FoundLanguage['language']): language is FirstLanguage {
  return language !== undefined && 'later' in language;
}

/** The first of the tags `wanted` that is registered or exists here; `undefined`: none.
 *  Rejects if a module of the language cannot be loaded.
 *  @param isWhole with the phrases of the later stages */
export async function loadLanguage(
  wanted: readonly string[], registered: readonly Registration[], isWhole: boolean,
): Promise<FoundLanguage | undefined> {
  for (const tag of wanted.flatMap(candidates)) {
    const language = registered.findLast(([name]) => name === tag)?.[1] ?? await languages[tag]?.();
    if (isWhole && isFirst(language)) {
      const { later, ...first } = language;
      return { tag, language: { ...first, ...await later() } };
    }
    if (language || tag === 'en') return { tag, language };
  }
  return undefined;
}
