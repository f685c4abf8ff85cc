/** First stage of the script tag. */

import { VestibuleComments } from './elements/comments/vestibule-comments.ts';

/** Registers the comment box, and the validation form if the page has one. A second copy of the script does nothing. */
export async function start(): Promise<void> {
  if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
  if (document.querySelector('vestibule-sync:not(:defined)')) await (await import('./form.ts')).defineForm();
}
