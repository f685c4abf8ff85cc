/**
 * Catches failures of the script tag's start: an evaluation that throws (a policy of the page, a polyfill), a chunk that does
 * not load. Shows a fallback in place of the elements, fires `vestibule-error`, and tries again when the browser is online or
 * a reader turns to an element.
 *
 * The entry imports this module first. Its own imports do nothing that could throw.
 */

import { bffAddress } from './client/address.ts';
import { networkProblem } from './client/network-problem.ts';
import { VestibuleErrorEvent } from './events.ts';

/** Calls `start` now, and again after a failure. */
export async function attempt(start: () => Promise<unknown>): Promise<void> {
  try {
    await start();
  } catch (error) {
    reportError(error);
    await recover(error, start);
  }
}

/** To be aborted at the end of the entry's evaluation. */
export const evaluation = new AbortController();

// The window reports what the tag's evaluation throws; for another attempt, `import` rejects.
if (!import.meta.url.includes('#')) {
  addEventListener('error', ({ error }) => void recover(error, evaluateAgain), { once: true, signal: evaluation.signal });
}

/** A browser evaluates an address once. A fragment makes another address of the same file. */
function evaluateAgain(): Promise<unknown> {
  return import(/* @vite-ignore */ `${import.meta.url}#${Date.now()}`);
}

async function recover(error: unknown, start: () => Promise<unknown>): Promise<void> {
  const retry = new AbortController();
  const options = { signal: retry.signal };
  const again = (): void => {
    retry.abort();
    void attempt(start);
  };
  addEventListener('online', again, options);
  const fallback = await import('./load-fallback.ts').catch(() => undefined);
  await fallback?.documentParsed;
  for (const element of document.querySelectorAll<HTMLElement>(':is(vestibule-comments,vestibule-sync):not(:defined)')) {
    fallback?.showFallback(element, bffAddress(element.getAttribute('bff')), error);
    element.addEventListener('pointerenter', again, options);
    element.addEventListener('focusin', again, options);
    element.dispatchEvent(new VestibuleErrorEvent({ ...networkProblem, detail: String(error) }));
  }
}
