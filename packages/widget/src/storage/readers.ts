/**
 * Records of the readers of a BFF: who was signed in last, and the sign-out of this browser.
 *
 * A sign-out is a random id, and removes every record of the BFF. A document that finds another id than at its start writes
 * nothing (`writeRecord`) until it has emptied itself (`SessionStore.follow`). No id is no sign-out: the storage was cleared.
 */

import type { SessionUser } from '@vestibule/shared';
import { randomKey } from '../lib/random-key.ts';
import { isKept, list, read, remove, write } from './storage.ts';

/** The last sign-out of this browser. */
export interface SignOut {
  /** Random. */
  readonly id: string;
  /** `session` of `GET /session`; `undefined`: it was not known. */
  readonly session?: string | undefined;
  /** Whose it was; empty: not known. */
  readonly account: string;
  /** The BFF has not ended the session yet. */
  readonly isOpen: boolean;
}

/** Names start with the kind of a record and the BFF's public URL. Only the forum and the ids may contain spaces. The mark of the
 *  entries stays: without it another tab, which sees one removal after the other, would store its entries again. */
const READER_RECORD = /^vestibule:(?:draft|likes|entry|session) /;

/** The ids that this document has followed, by BFF. */
const followed = new Map<string, string | undefined>();

/** Another document has signed the reader out. */
export function isSignedOut(bff: string): boolean {
  const id = readSignOut(bff)?.id;
  if (!followed.has(bff)) followed.set(bff, id);
  return id !== undefined && id !== followed.get(bff);
}

/** This document shows nothing of the reader any more, and its tab keeps no press and no answers of a form. */
export function followSignOut(bff: string): void {
  followed.set(bff, readSignOut(bff)?.id);
  for (const key of [RETURN_MARKER, answersKey(bff)]) remove(key, 'sessionStorage');
  // Of the reader who has left. What storage has is that of the next one.
  for (const key of recordsOf(bff)) if (!isKept(key)) remove(key);
}

function recordsOf(bff: string): string[] {
  return list().filter((key) => READER_RECORD.test(key) && key.split(' ')[1] === bff);
}

/** Of the box from which the reader has left the page to sign in: `return-marker.ts`. */
export const RETURN_MARKER = 'vestibule:return';

/** Of the answers that a sign-in waits for: `form/answers.ts`. */
export function answersKey(bff: string): string {
  return `vestibule:answers:${bff}`;
}

/** Writes a record of a reader, unless they have signed out. Returns whether the browser has kept it. */
export function writeRecord(key: string, record: object): boolean {
  return !isSignedOut(key.split(' ')[1]!) && write(key, record);
}

/** Removes what `bff` has stored of any account. Returns the record of the sign-out. */
export function signOut(bff: string, session: string | undefined, account: string): void {
  const record: SignOut = { id: randomKey(), session, account: account || (hintedUser(bff)?.user_id ?? ''), isOpen: true };
  // First: another tab stores its text again if the record disappears without a sign-out.
  const isStored = writeSignOut(bff, record);
  for (const key of recordsOf(bff)) remove(key);
  // The removal has made room in storage that was full.
  if (!isStored) writeSignOut(bff, record);
  followSignOut(bff);
}

export function readSignOut(bff: string): SignOut | undefined {
  const { id, session, account = '', isOpen = false } = read<SignOut>(signOutKey(bff)) ?? {};
  return id === undefined ? undefined : { id, session, account, isOpen };
}

export function writeSignOut(bff: string, record: SignOut): boolean {
  return write(signOutKey(bff), record);
}

/** The reader who was signed in last, and has not signed out. Proves nothing. */
export function hintedUser(bff: string): SessionUser | undefined {
  const { user } = read<{ user: SessionUser }>(hintKey(bff)) ?? {};
  return user?.user_id ? user : undefined;
}

/** @param user `undefined`: nobody is signed in */
export function writeHint(bff: string, user: SessionUser | undefined): void {
  if (!user) remove(hintKey(bff));
  else if (JSON.stringify(user) !== JSON.stringify(hintedUser(bff))) writeRecord(hintKey(bff), { user });
}

/** Whether a reader was signed in to `bff` from pages of this origin, or a sign-out has not reached it. */
export function needsSession(bff: string): boolean {
  return hintedUser(bff) !== undefined || readSignOut(bff)?.isOpen === true;
}

function hintKey(bff: string): string {
  return `vestibule:session ${bff}`;
}

function signOutKey(bff: string): string {
  return `vestibule:signed-out ${bff}`;
}
