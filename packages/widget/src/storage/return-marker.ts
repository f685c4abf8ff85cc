/** Marks, for this tab, the box from which the reader leaves the page to sign in. It resumes when they come back within 30
 *  minutes. */

import type { DraftKey } from './draft.ts';
import { RETURN_MARKER } from './session-hint.ts';

/** A box of a page. */
type Box = Pick<DraftKey, 'bff' | 'forum' | 'page'>;

const LIFETIME_MS = 30 * 60_000;

interface ReturnMarker extends Box {
  readonly at: number;
}

export function setReturnMarker({ bff, forum, page }: Box): void {
  try {
    sessionStorage.setItem(RETURN_MARKER, JSON.stringify({ bff, forum, page, at: Date.now() } satisfies ReturnMarker));
  } catch {}
}

/** Whether the reader has come back to the box. Removes its marker, and any that has expired. */
export function takeReturnMarker({ bff, forum, page }: Box): boolean {
  try {
    const marker = JSON.parse(sessionStorage.getItem(RETURN_MARKER)!) as ReturnMarker;
    const isLiving = Date.now() - marker.at < LIFETIME_MS;
    const isHere = marker.bff === bff && marker.forum === forum && marker.page === page;
    if (isHere || !isLiving) sessionStorage.removeItem(RETURN_MARKER);
    return isHere && isLiving;
  } catch {
    return false;
  }
}
