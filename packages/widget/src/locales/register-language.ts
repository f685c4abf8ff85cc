import type { LitElement } from 'lit';
import type { Language } from './language.ts';
import { Localizer } from './localizer.ts';

/**
 * Adds a language, or replaces one, for both elements; those on the page turn to it at once.
 * @param tag BCP 47: a language, or a language with a script or a region
 * @throws RangeError if `tag` is no language tag
 */
export function registerLanguage(tag: string, language: Language): void {
  Localizer.registered.push([Intl.getCanonicalLocales(tag)[0]!, language]);
  for (const element of document.querySelectorAll<LitElement>(':is(vestibule-comments, vestibule-sync):defined')) element.requestUpdate();
}
