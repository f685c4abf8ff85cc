/** Texts of the interface on a page that a browser or a service translates: it replaces text nodes. And texts of live regions. */

import { html, type TemplateResult } from 'lit';

/** A text of the interface. Another text replaces all of the element's content, also what a translation has put there. */
export function words(text: string): TemplateResult {
  return html`<span .textContent=${text}></span>`;
}

/** Firefox reports a change within a text in pieces, each of which Orca speaks: the old text goes first, for this long, in ms. */
const GONE_MS = 150;

const texts = new WeakMap<Element, string>();

/** Changes the text of a live region, in the text node that it has. */
export function setText(region: Element, text: string): void {
  const before = texts.get(region) ?? '';
  if (text === before) return;
  texts.set(region, text);
  write(region, before ? '' : text);
  if (before && text) setTimeout(() => write(region, texts.get(region)!), GONE_MS);
}

function write(region: Element, text: string): void {
  const [first, second] = region.childNodes;
  if (first?.nodeType !== Node.TEXT_NODE || second) region.textContent = text;
  else first.nodeValue = text;
}

/** Takes the description from a focused element until the focus leaves it: a live region says what changes in it, and Orca with
 *  Chromium would speak the new description as well. */
export function muteDescription(focused: Element | null | undefined): void {
  const ids = focused?.getAttribute('aria-describedby');
  if (!focused || !ids) return;
  focused.removeAttribute('aria-describedby');
  focused.addEventListener('blur', () => focused.setAttribute('aria-describedby', ids), { once: true });
}
