/** The hint that a reader is signed in, in localStorage. Does nothing in a browser that refuses storage. */

import { hintKey } from './session-hint.ts';

export interface SessionHint {
  /** `user_id`; absent while a sign-in is in progress in another window. */
  readonly account?: string | undefined;
  /** When the account was first seen signed in, in milliseconds since the epoch. */
  readonly since: number;
}

/** Whether a reader was signed in to `bff` from pages of this origin. */
export function needsSession(bff: URL): boolean {
  try {
    return hintKey(bff) in localStorage;
  } catch {
    return false;
  }
}

/** The hint of the account that was signed in last and has not signed out; `undefined`: none, or the account is unknown. */
export function readSessionHint(bff: URL): SessionHint | undefined {
  try {
    const hint = JSON.parse(localStorage.getItem(hintKey(bff))!) as SessionHint;
    return hint.account && hint.since ? hint : undefined;
  } catch {}
}

/** Stores or removes the hint that a reader is signed in to `bff`; keeps that of the same account. */
export function writeSessionHint(bff: URL, isSignedIn: boolean, account?: string): void {
  if (needsSession(bff) === isSignedIn && (!account || readSessionHint(bff)?.account === account)) return;
  try {
    if (isSignedIn) localStorage.setItem(hintKey(bff), JSON.stringify({ account, since: Date.now() } satisfies SessionHint));
    else localStorage.removeItem(hintKey(bff));
  } catch {}
}
