/** Hints of a sign-in or a session, in this browser's storage and the page's address. They prove nothing. */

/** Whether a box loads its second stage without interaction: after a callback, a return from signing in, or with a session.
 *  `false` if the browser refuses storage. */
export function needsSecondStage(bff: URL): boolean {
  if (/[?&](?:audiencesync_uri=|error=access_denied|success=1)/.test(location.search)) return true;
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
