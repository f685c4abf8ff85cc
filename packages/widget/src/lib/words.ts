/** Texts of the interface on a page that a browser or a service translates: it replaces text nodes. */

import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/** A text of the interface. Another text is another element, so that the page's translation does not keep the old one. */
export function words(text: string): unknown {
  return keyed(text, html`<span>${text}</span>`);
}
