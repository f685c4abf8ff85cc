/** Stands in place of an element that could not be loaded: a sentence, and a link to the BFF's page for the same purpose.
 *  Made of elements and text only, which no policy forbids. Imports nothing of the first stage, which may be what failed. */

import type { endpoints } from '@vestibule/shared';
import { captureCallback, hasCallback, type SyncCallback } from './session/callback.ts';
import { fallbackStrings } from './locales/en-fallback.ts';
import { loadLanguage } from './locales/negotiation.ts';

const paths = {
  syncReturn: '/sync/return', syncForm: '/sync/form', comments: '/comments',
} as const satisfies { [Name in keyof typeof endpoints]?: (typeof endpoints)[Name]['path'] };

/** An element that is not defined yet keeps the property for later. */
interface FallbackTarget {
  callback?: SyncCallback;
}

/** A script with `async` may run before the page's elements are there. */
export const documentParsed = document.readyState === 'loading'
  ? new Promise((resolve) => { document.addEventListener('DOMContentLoaded', resolve, { once: true }); })
  : undefined;

/**
 * Shows the fallback in the shadow tree of `element`, in English until the language of the page has loaded.
 *
 * @param bff its base URL, ending in `/`
 * @param error why the element could not be loaded
 */
export function showFallback(element: HTMLElement & FallbackTarget, bff: URL, error: unknown): void {
  if (isPolicyRefused(error)) {
    import('./client/hints.ts').then(({ reportMistake }) => reportMistake('trusted-types', { bff: bff.href }), reportError);
  }
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  if (root.firstChild) return;
  const isForm = element.localName === 'vestibule-sync';
  const paragraph = document.createElement('p');
  const link = document.createElement('a');
  paragraph.part.add('fallback');
  link.part.add('link');
  link.href = linkAddress(element, bff, isForm);
  link.rel = 'noreferrer';
  link.target = '_top';
  root.append(paragraph);
  // Not removed: Lit takes the first child of an existing shadow root for the end of its template.
  void customElements.whenDefined(element.localName).then(() => { paragraph.hidden = true; });

  const show = (strings: typeof fallbackStrings, lang: string, direction: string): void => {
    paragraph.lang = lang;
    paragraph.dir = direction;
    link.textContent = strings[isForm ? 'openSync' : 'openComments'];
    paragraph.replaceChildren(strings[isForm ? 'sync' : 'comments'], ' ', link);
  };
  show(fallbackStrings, 'en', 'ltr');
  void loadLanguage([element.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang, ...navigator.languages]).then((found) => {
    if (found?.language) show(found.language.fallback, found.tag, found.language.direction ?? 'ltr');
  }, () => {});
}

/** The page's list of Trusted Types policies has no room for Lit's. */
function isPolicyRefused(error: unknown): boolean {
  return error instanceof TypeError && /lit-html|createPolicy/.test(error.message);
}

/** A callback leaves the page's address and goes along with the link, and to the element if a later attempt loads it. */
function linkAddress(element: HTMLElement & FallbackTarget, bff: URL, isForm: boolean): string {
  const { search } = location;
  const captured = isForm || hasCallback(location) ? captureCallback() : undefined;
  if (captured) {
    // The page's form takes it itself.
    if (!isForm && !document.querySelector('vestibule-sync')) element.callback = captured;
    return new URL(paths.syncReturn.slice(1) + search, bff).href;
  }
  const query = new URLSearchParams();
  for (const name of ['forum', 'lang']) {
    const value = element.getAttribute(name);
    if (value) query.set(name, value);
  }
  return new URL(isForm ? paths.syncForm.slice(1) : `${paths.comments.slice(1)}?${query}`, bff).href;
}
