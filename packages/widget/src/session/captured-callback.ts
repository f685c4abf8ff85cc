/** Callback of the page's address, taken before its element was defined: for the element, and for the link that stands in its
 *  place if it cannot be loaded. */

import { takeCallback, type SyncCallback } from './callback.ts';

export interface CapturedCallback {
  readonly callback: SyncCallback;
  /** Query of the address that carried it. */
  readonly search: string;
}

let captured: CapturedCallback | undefined;

/** Removes the parameters from the address now, for `takeCapturedCallback`; returns what is captured. */
export function captureCallback(): CapturedCallback | undefined {
  const { search } = location;
  const callback = captured ? undefined : takeCallback(location, history);
  if (callback) captured = { callback, search };
  return captured;
}

/** The captured callback, else the one in the address; each only once. */
export function takeCapturedCallback(): SyncCallback | undefined {
  const callback = captureCallback()?.callback;
  captured = undefined;
  return callback;
}
