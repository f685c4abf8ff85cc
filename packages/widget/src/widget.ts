/**
 * The script tag's entry: defines the comment box and the count, and the form if the page has one.
 *
 * Later chunks import `widget.js`: in a page with `widget.js?v=2`, the browser evaluates this module twice. The copies work side
 * by side, as two releases in one page do.
 */

import { defineForm, documentParsed, evaluation } from './element/start.ts';
import { VestibuleComments } from './element/vestibule-comments.ts';
import { CountElement } from './count/count-element.ts';
import { captureParameters } from './session/callback-address.ts';
import { loadSync } from './box/load-form.ts';

class LazyCount extends CountElement {
  override async text(): Promise<HTMLElement | undefined> {
    return (await import('./count/count-text.ts')).countText(this);
  }
}

evaluation.abort();
void documentParsed.then(() => {
  // The newest of the features that the elements need. A browser without them shows their content.
  if (!CSS.supports('selector(:state(busy))') || !CSS.supports('content-visibility', 'auto')) return;
  if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
  if (!customElements.get('vestibule-count')) customElements.define('vestibule-count', LazyCount);
  void defineForm(() => {
    // Takes the parameters of a return out of the address before the form has loaded.
    captureParameters();
    return loadSync();
  });
});
