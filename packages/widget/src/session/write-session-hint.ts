import { hintKey, needsSession } from './session-hint.ts';

/** Stores or removes the hint that a reader is signed in to `bff`. */
export function writeSessionHint(bff: URL, isSignedIn: boolean): void {
  try {
    if (needsSession(bff) === isSignedIn) return;
    if (isSignedIn) localStorage.setItem(hintKey(bff), '1');
    else localStorage.removeItem(hintKey(bff));
  } catch {}
}
