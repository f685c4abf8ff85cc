/** Whether templates may become elements in this page. */

import { html, render } from 'lit';

/** False where `require-trusted-types-for 'script'` holds and the page's `trusted-types` list let Lit have no policy. */
export function canRender(): boolean {
  try {
    render(html`<p></p>`, document.createDocumentFragment());
    return true;
  } catch {
    return false;
  }
}
