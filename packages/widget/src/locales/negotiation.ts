/** Chooses the language of an element by the languages of its page and the browser. Loaded unless the page is in English. */

import type { Language, Registration } from './language.ts';
import { languages } from './languages.ts';

export interface FoundLanguage {
  /** BCP 47 tag. */
  readonly tag: string;
  /** `undefined`: English, which is built in. */
  readonly language: Language | undefined;
}

/** The first of `wanted` that exists here or is `registered`: with its script, else with its region, else by itself.
 *  `undefined`: none does. Rejects if the module of the language cannot be loaded. */
export async function loadLanguage(
  wanted: readonly string[], registered: readonly Registration[] = [],
): Promise<FoundLanguage | undefined> {
  for (const tag of wanted.flatMap(candidates)) {
    const load = Object.hasOwn(languages, tag) ? languages[tag] : undefined;
    const language = registered.findLast(([name]) => name === tag)?.[1] ?? await load?.();
    if (language || tag === 'en') return { tag, language };
  }
  return undefined;
}

/** As `Intl` writes them today; none if `tag` is no language tag. (`maximize()` takes a slow phone 15 ms.) */
function candidates(tag: string): string[] {
  try {
    const { language, script, region } = new Intl.Locale(tag);
    return [`${language}-${script ?? region}`, language];
  } catch {
    return [];
  }
}
