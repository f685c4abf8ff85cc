/** The hint of a session in this browser's storage, as far as the first stage needs it. It proves nothing. */

import { read } from './storage.ts';

export interface SessionHint {
  /** `user_id` of the reader who was signed in last; absent while a sign-in is in progress in another window. */
  readonly account: string;
  /** Random: marks the texts that are written before the session is known as those of `account`. */
  readonly visit: string;
  /** When a sign-in in progress ends at the latest, in milliseconds since the epoch. */
  readonly until: number;
}

/** Marks in sessionStorage the box from which the reader left the page to sign in. */
export const RETURN_MARKER = 'vestibule:return';

export function hintKey(bff: string): string {
  return `vestibule:session ${bff}`;
}

/** Whether a reader was signed in to `bff` from pages of this origin, or is signing in. */
export function needsSession(bff: URL): boolean {
  const hint = read<SessionHint>(hintKey(bff.href));
  return hint !== undefined && !(hint.until! < Date.now());
}

/** Whether a box loads its second stage without interaction: after a callback, a return from signing in, or with a session. */
export function needsSecondStage(bff: URL): boolean {
  return window.name === 'vestibule-sync' || /[?&](?:audiencesync_uri=|error=access_denied|success=1)/.test(location.search) || read(RETURN_MARKER, 'sessionStorage') !== undefined || needsSession(bff);
}
