/** The hint that a reader is signed in, in localStorage. Does nothing in a browser that refuses storage. */

import { hintKey } from './session-hint.ts';

/** Whether a reader was signed in to `bff` from pages of this origin. */
export function needsSession(bff: URL): boolean {
  try {
    return hintKey(bff) in localStorage;
  } catch {
    return false;
  }
}

/** Stores or removes the hint that a reader is signed in to `bff`. */
export function writeSessionHint(bff: URL, isSignedIn: boolean): void {
  if (needsSession(bff) === isSignedIn) return;
  try {
    if (isSignedIn) localStorage.setItem(hintKey(bff), '1');
    else localStorage.removeItem(hintKey(bff));
  } catch {}
}
