/** Marks, for this tab, the page that the reader leaves to sign in. Its box resumes when they come back within 30 minutes. */

import { RETURN_MARKER } from './session-hint.ts';

const LIFETIME_MS = 30 * 60_000;

interface ReturnMarker {
  readonly page: string;
  readonly at: number;
}

export function setReturnMarker(page: string): void {
  try {
    sessionStorage.setItem(RETURN_MARKER, JSON.stringify({ page, at: Date.now() } satisfies ReturnMarker));
  } catch {}
}

/** Whether the reader has come back to `page`. Removes the marker of that page, and any that has expired. */
export function takeReturnMarker(page: string): boolean {
  try {
    const marker = JSON.parse(sessionStorage.getItem(RETURN_MARKER)!) as ReturnMarker;
    const isLiving = Date.now() - marker.at < LIFETIME_MS;
    const isHere = marker.page === page;
    if (isHere || !isLiving) sessionStorage.removeItem(RETURN_MARKER);
    return isHere && isLiving;
  } catch {
    return false;
  }
}
