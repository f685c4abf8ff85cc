/** Texts of the interface on a page that a browser or a service translates: it replaces text nodes. And texts of live regions. */

import { html, type TemplateResult } from 'lit';

/** A text of the interface. Another text replaces all of the element's content, also what a translation has put there. */
export function words(text: string): TemplateResult {
  return html`<span .textContent=${text}></span>`;
}

/** Changes the text of a live region within its text node. Orca with Chromium speaks a node that replaces another one twice. */
export function setText(region: Element, text: string): void {
  const [first, second] = region.childNodes;
  if (first?.nodeType !== Node.TEXT_NODE || second) region.textContent = text;
  else if (first.nodeValue !== text) first.nodeValue = text;
}
