/** The script tag's entry: registers the comment box, and the validation form if the page has one. */

import { attempt, evaluation } from './start-recovery.ts';
import { VestibuleComments } from './comments/vestibule-comments.ts';
import { firstStage } from './first-stage.ts';

/** Defined by the build. */
declare const FIRST_STAGE: string;

evaluation.abort();
(globalThis as Record<symbol, unknown>)[Symbol.for(FIRST_STAGE)] ??= firstStage;

// A script with `async` may run before the page's elements are there.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void attempt(start));
else void attempt(start);

/** A second copy of the script does nothing. */
async function start(): Promise<void> {
  if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
  if (document.querySelector('vestibule-sync:not(:defined)')) await (await import('./form.ts')).defineForm();
}
