/** The focus in a step of the form, and what a screen reader hears of it. */

import type { LitElement } from 'lit';

/** After the page has loaded, until the focus moves to its form. Chromium reports a page that loads to a screen reader with a
 *  delay, and a list in it after the focus: the list would be spoken, and the heading would not. */
const LOADED_MS = 500;

/** Leaves the focus in a field of the page, where the reader may be writing, and in one of the form that the reader has reached
 *  while the page loaded. */
export async function focusStep(host: LitElement, selector: string, isLoading = false): Promise<void> {
  await host.updateComplete;
  if (isLoading) {
    if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve, LOADED_MS));
    if (host.matches(':focus-within')) return;
  }
  if ((host.getRootNode() as Document | ShadowRoot).activeElement?.matches('input, textarea')) return;
  host.renderRoot.querySelector<HTMLElement>(selector)?.focus();
}

/** Texts of elements as sentences.
 *  @param before what was said last: the same text again is another one, as only a change is spoken */
export function spoken(elements: readonly (Element | null | false)[], before: string | undefined): string {
  const texts = elements.map((element) => (element || undefined)?.textContent.trim() ?? '').filter(Boolean);
  const text = texts.map((part) => /\p{P}$/u.test(part) ? part : `${part}.`).join(' ');
  return text && text === before ? `${text}\u00a0` : text;
}
