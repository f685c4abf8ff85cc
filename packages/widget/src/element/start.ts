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

/** Defines an element if the page has one. After a failure, tries again when the browser is online. */
export async function defineIfPresent(name: string, define: () => Promise<void>, attempt = 1): Promise<void> {
  if (!document.querySelector(`${name}:not(:defined)`)) return;
  try {
    await define();
  } catch (error) {
    if (attempt === 1) void reportFailure(error, name);
    addEventListener('online', () => setTimeout(() => void defineIfPresent(name, define, attempt + 1), attempt * 1000), { once: true });
  }
}

async function reportFailure(error: unknown, ...names: readonly string[]): Promise<void> {
  await documentParsed;
  for (const element of document.querySelectorAll(`:is(${names.join()}):not(:defined)`)) {
    element.dispatchEvent(new VestibuleErrorEvent({ ...networkProblem, detail: String(error) }));
  }
}
