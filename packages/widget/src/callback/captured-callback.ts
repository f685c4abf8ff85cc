/** Callback parameters that were removed from the page's address before their element was defined. */

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
