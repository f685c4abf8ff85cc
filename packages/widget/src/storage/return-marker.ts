/** Marks, for this tab, the box from which the reader leaves the page to sign in. */

import { read, remove, write } from './storage.ts';

export const RETURN_MARKER = 'vestibule:return';

/** A press that posts a text once its reader has signed in. Times are milliseconds since the epoch. */
export interface PressRecord {
  readonly text: string;
  readonly at: number;
  /** Whose text it is; absent or empty: the first who signs in. */
  readonly account?: string;
  /** Name of the account. */
  readonly name?: string;
  /** It is that of the composer of a reply. */
  readonly reply?: { readonly parent: string; readonly replyTo: string } | undefined;
}

interface ReturnMarker {
  readonly bff: string;
  readonly forum: string;
  /** Identity of the article. */
  readonly page: string;
  /** Of the document. */
  readonly address: string;
  readonly press?: PressRecord | undefined;
}

/** Returns whether the browser has kept it. */
export function setReturnMarker(marker: Omit<ReturnMarker, 'address'>): boolean {
  return write(RETURN_MARKER, { ...marker, address: location.href }, 'sessionStorage');
}

/** The marker, if the reader has come back to the box. Removes it. */
export function takeReturnMarker({ bff, forum, page }: Pick<ReturnMarker, 'bff' | 'forum' | 'page'>): Partial<ReturnMarker> | undefined {
  const marker = read<ReturnMarker>(RETURN_MARKER, 'sessionStorage');
  if (marker?.bff !== bff || marker.forum !== forum || marker.page !== page) return undefined;
  remove(RETURN_MARKER, 'sessionStorage');
  return marker;
}
