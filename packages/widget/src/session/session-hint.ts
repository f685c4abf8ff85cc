/** Hints, in this browser's storage and the page's address, that a sign-in is or was there. They prove nothing. */

/** Whether a box goes on before its reader turns to it: after a callback, a return from signing in, or with a session. */
export function needsSecondStage(bff: URL): boolean {
  return /[?&]audiencesync_uri=/.test(location.search) || test(() => RETURN_MARKER in sessionStorage || hintKey(bff) in localStorage);
}

/** Whether a reader was signed in to `bff` from pages of this origin. */
export function needsSession(bff: URL): boolean {
  return test(() => hintKey(bff) in localStorage);
}

export function hintKey(bff: URL): string {
  return `vestibule:session ${bff.href}`;
}

/** Name of the record of `return-marker.ts` in sessionStorage. */
export const RETURN_MARKER = 'vestibule:return';

/** A browser that refuses storage has no hint. */
function test(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
