/** Callback parameters that left the page's address before the element that they are for was defined. */

import { takeCallback, type SyncCallback } from './callback-params.ts';

let captured: SyncCallback | undefined;

/** Removes the parameters from the address now, for `takeCapturedCallback`. */
export function captureCallback(): void {
  captured ??= takeCallback(location, history);
}

/** The captured callback, else the one in the address; each only once. */
export function takeCapturedCallback(): SyncCallback | undefined {
  const callback = captured ?? takeCallback(location, history);
  captured = undefined;
  return callback;
}
