/**
 * Failures of the script tag's start. The elements stay undefined, so that a page shows their content instead, and fire
 * `vestibule-error`.
 *
 * The entry imports this module first. Its own imports do nothing that could throw.
 */

import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';

/** Aborted at the end of the entry's evaluation. */
export const evaluation = new AbortController();

/** A script with `async` may run before the page's elements are there. */
export const documentParsed = new Promise<unknown>((resolve) => {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', resolve, { once: true });
  else resolve(undefined);
});

// The window reports what an evaluation throws, such as Lit's under a list of Trusted Types policies without `lit-html`.
addEventListener('error', ({ error }) => void reportFailure(error, 'vestibule-comments', 'vestibule-sync'), {
  once: true, signal: evaluation.signal,
});

/** Defines the form if the page has one. After a failure its place says so, after its own content, and it is tried again at the
 *  reader's press and when the browser is online. */
export async function defineForm(define: () => Promise<void>, isSecond = false): Promise<void> {
  const form = document.querySelector('vestibule-sync:not(:defined)');
  if (!form) return;
  try {
    await define();
  } catch (error) {
    // Browsers may keep the failure of an import as long as the page: Chrome before 151, older Firefox and Safari.
    if (isSecond && navigator.onLine) return location.reload();
    if (!isSecond) void reportFailure(error, 'vestibule-sync');
    const note = Object.assign(document.createElement('p'), { role: 'alert', lang: 'en', textContent: 'The sign-in form could not be loaded. ' });
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Try again' });
    button.onclick = () => {
      note.remove();
      void defineForm(define, true);
    };
    note.append(button);
    form.append(note);
    addEventListener('online', () => setTimeout(() => button.click(), 1_000), { once: true });
  }
}

async function reportFailure(error: unknown, ...names: readonly string[]): Promise<void> {
  await documentParsed;
  for (const element of document.querySelectorAll(`:is(${names.join()}):not(:defined)`)) {
    element.dispatchEvent(new VestibuleErrorEvent({ ...networkProblem, detail: String(error) }));
  }
}
