/** Texts of the interface on a page that a browser or a service translates: it replaces text nodes. */

import { html, type TemplateResult } from 'lit';

/** A text of the interface. Another text replaces all of the element's content, also what a translation has put there. */
export function words(text: string): TemplateResult {
  return html`<span .textContent=${text}></span>`;
}
