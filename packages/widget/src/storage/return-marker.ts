/** Marks, for this tab, the box from which the reader leaves the page to sign in. */

import { readSignOut, RETURN_MARKER } from './readers.ts';
import { read, remove, write } from './storage.ts';

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
  /** Id of the last sign-out at that time. */
  readonly signOut?: string | undefined;
  readonly press?: PressRecord | undefined;
}

/** Returns whether the browser has kept it. */
export function setReturnMarker(marker: Omit<ReturnMarker, 'address' | 'signOut'>): boolean {
  return write(RETURN_MARKER, { ...marker, address: location.href, signOut: readSignOut(marker.bff)?.id }, 'sessionStorage');
}

/** The marker, if the reader has come back to the box. Removes it, also that of any box before a sign-out. */
export function takeReturnMarker({ bff, forum, page }: Pick<ReturnMarker, 'bff' | 'forum' | 'page'>): Partial<ReturnMarker> | undefined {
  const marker = read<ReturnMarker>(RETURN_MARKER, 'sessionStorage');
  const isSignedOut = readSignOut(marker?.bff ?? '')?.id !== marker?.signOut;
  const isHere = marker?.bff === bff && marker.forum === forum && marker.page === page;
  if (isHere || isSignedOut) remove(RETURN_MARKER, 'sessionStorage');
  return isHere && !isSignedOut ? marker : undefined;
}
