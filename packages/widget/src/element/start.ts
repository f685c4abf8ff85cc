/**
 * Failures of the script tag's start. The elements stay undefined, so that a page shows their content instead, and fire
 * `vestibule-error`.
 *
 * The entry imports this module first. Its own imports do nothing that could throw.
 */

import { scriptAddress } from '../client/address.ts';
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
addEventListener('error', ({ error }) => {
  void reportFailure(error, 'vestibule-comments', 'vestibule-sync');
  if (!/createPolicy/.test(String(error))) return;
  import('../client/hints.ts').then(({ reportMistake }) => reportMistake('trusted-types', { bff: scriptAddress().href }), () => {});
}, { once: true, signal: evaluation.signal });

/** Defines the form if the page has one. After a failure its place says so, and it is tried again at the reader's press and when
 *  the browser is online. */
export async function defineForm(define: () => Promise<void>, attempt = 1, isPressed = false): Promise<void> {
  const forms = document.querySelectorAll('vestibule-sync:not(:defined)');
  if (forms.length === 0) return;
  try {
    await define();
  } catch (error) {
    // Browsers may keep the failure of an import as long as the page: Chrome before 151, older Firefox and Safari.
    if (isPressed && navigator.onLine) return location.reload();
    if (attempt === 1) void reportFailure(error, 'vestibule-sync');
    const life = new AbortController();
    const { signal } = life;
    const tryAgain = (isPressed: boolean): void => {
      life.abort();
      void defineForm(define, attempt + 1, isPressed);
    };
    for (const form of forms) showFailure(form, () => tryAgain(true), signal);
    addEventListener('online', () => setTimeout(() => signal.aborted || tryAgain(false), attempt * 1000), { signal });
  }
}

/** After the form's own content; until `signal` aborts. No language has loaded. */
function showFailure(form: Element, tryAgain: () => void, signal: AbortSignal): void {
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.lang = 'en';
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Try again', onclick: tryAgain });
  note.append('The sign-in form could not be loaded. ', button);
  form.append(note);
  signal.addEventListener('abort', () => note.remove());
}

async function reportFailure(error: unknown, ...names: readonly string[]): Promise<void> {
  await documentParsed;
  for (const element of document.querySelectorAll(`:is(${names.join()}):not(:defined)`)) {
    element.dispatchEvent(new VestibuleErrorEvent({ ...networkProblem, detail: String(error) }));
  }
}
