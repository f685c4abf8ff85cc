/** Hints, in this browser's storage and the page's address, that a sign-in is or was there. They prove nothing. */

/** Whether a box goes on before its reader turns to it: after a callback, a return from signing in, or with a session. A
 *  browser that refuses storage has no hint. */
export function needsSecondStage(bff: URL): boolean {
  if (/[?&]audiencesync_uri=/.test(location.search)) return true;
  try {
    return RETURN_MARKER in sessionStorage || hintKey(bff) in localStorage;
  } catch {
    return false;
  }
}

export function hintKey(bff: URL): string {
  return `vestibule:session ${bff.href}`;
}

/** Name of the record of `return-marker.ts` in sessionStorage. */
export const RETURN_MARKER = 'vestibule:return';
