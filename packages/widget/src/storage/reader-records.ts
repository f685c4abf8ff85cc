/**
 * What the browser keeps of its readers beside the text of a box and the session hint: the sign-out, and the box they left to
 * sign in.
 *
 * A text that was written before the session was known is stored without an account. It belongs to the account of the session
 * hint at the time if it was written by another page, and otherwise to the account that signs in, at every article.
 *
 * An explicit sign-out removes everything of the BFF. A tab may miss its message, because it was
 * suspended or is in the back/forward cache: it compares the stored time with the start of its session. The record of the
 * sign-out names the session: no box adopts that one again, whatever a cache or a late response says.
 */

import type { DraftKey } from './draft-key.ts';
import { Draft, readDraft, type DraftRecord } from './draft.ts';
import { addressOfArticle } from './page-identity.ts';
import { readSessionHint } from './session-hint.ts';
import { hintKey, list, read, remove, RETURN_MARKER, signOutKey, write, type ReturnMarker, type SessionHint } from './storage.ts';

const DAY_MS = 24 * 60 * 60_000;
/** What the reader did with comments: `thread/reader-acts.ts`. */
const LIKES_MS = 180 * DAY_MS;
/** The reader's own texts that were sent. */
const OWN_MS = 7 * DAY_MS;
const MARKER_MS = 30 * 60_000;
/** Moves the texts without an account to those that they belong to. To be called before the hint is written or removed.
 *  @param account that is signed in; empty: nobody is */
export function claimUnownedDrafts(bff: URL, account = ''): void {
  const hint = readSessionHint(bff);
  for (const { key, storageKey } of recordsOf(bff).filter(isUnowned)) {
    const isOfHint = hint && !Draft.written.has(storageKey) && isOfVisit(storageKey, hint);
    const owner = isOfHint ? hint.account : account;
    const draft = new Draft(key);
    if (owner && draft.text) draft.moveTo(new Draft({ ...key, account: owner }));
  }
}

/** A sign-out that the reader has confirmed. */
export interface SignOut {
  /** Random. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `session` of `GET /session`; `undefined`: it was not known. */
  readonly session?: string | undefined;
  /** Whose it was; empty: not known. */
  readonly account: string;
  /** The BFF has not ended the session yet. */
  readonly isOpen?: boolean | undefined;
}

/** Removes what `bff` has stored of any account. */
export function forgetReaders(bff: URL, signOut: SignOut): void {
  const record = { ...signOut, account: signOut.account || (readSessionHint(bff)?.account ?? '') };
  // First: another tab stores its text again if the record disappears without a sign-out.
  const isStored = write(signOutKey(bff.href), record);
  remove(hintKey(bff.href));
  // It may have the text of a press.
  remove(RETURN_MARKER, 'sessionStorage');
  for (const key of list()) if (/^vestibule:(?:draft|likes|entry) /.test(key) && key.split(' ')[1] === bff.href) remove(key);
  // The removal has made room in storage that was full.
  if (!isStored) write(signOutKey(bff.href), record);
}

export function writeSignOut(bff: string, record: SignOut): void {
  write(signOutKey(bff), record);
}

/** The last one of this browser. */
export function readSignOut(bff: string): SignOut | undefined {
  const record = read<SignOut>(signOutKey(bff));
  return record?.at === undefined ? undefined : { id: '', account: '', ...record, at: record.at };
}

/** When a reader last signed out explicitly, in milliseconds since the epoch; `undefined`: never, or storage cannot be read. */
export function signedOutAt(bff: string): number | undefined {
  return readSignOut(bff)?.at;
}

/** Whether drafts with a text are stored, of any account. */
export function hasStoredDrafts(bff: string): boolean {
  return storedRecords().some(({ kind, key, storageKey }) => kind !== 'likes' && key.bff === bff && Boolean(readDraft(storageKey)?.text));
}

/** Removes the drafts and likes that are invalid or older than their lifetime. */
export function removeExpiredRecords(): void {
  for (const { kind, storageKey } of storedRecords()) {
    if (kind === 'likes') {
      const acts = read<{ at: number; done: object }>(storageKey);
      const age = Date.now() - (acts?.at ?? 0);
      if (!(age < LIKES_MS)) remove(storageKey);
      // Edited texts are among them.
      else if (age > OWN_MS) write(storageKey, { ...acts, done: {} });
      continue;
    }
    if (!readDraft(storageKey)) remove(storageKey);
  }
}

/** The marker, if the reader has come back to the box within 30 minutes. Removes it, and any that has expired. */
export function takeReturnMarker(bff: URL, forum: string, page: string): Partial<ReturnMarker> | undefined {
  const marker = read<ReturnMarker>(RETURN_MARKER, 'sessionStorage');
  const isLiving = Date.now() - (marker?.at ?? 0) < MARKER_MS;
  const { address = '' } = marker ?? {};
  const isAddress = URL.canParse(address) && addressOfArticle(address) === addressOfArticle(location.href);
  const isArticle = marker?.page === undefined ? isAddress : marker.page === page;
  const isHere = marker?.bff === bff.href && marker.forum === forum && isArticle;
  if (isHere || !isLiving) remove(RETURN_MARKER, 'sessionStorage');
  return isHere && isLiving ? marker : undefined;
}

interface StoredRecord {
  readonly kind: 'draft' | 'likes';
  readonly key: DraftKey;
  readonly storageKey: string;
}

function isUnowned({ kind, key }: StoredRecord): boolean {
  return kind === 'draft' && !key.account;
}

/** The text was written while the hint was that of `visit`. */
function isOfVisit(storageKey: string, { visit }: Pick<SessionHint, 'visit'>): boolean {
  return read<DraftRecord>(storageKey)?.visit === visit;
}

function recordsOf({ href }: URL): StoredRecord[] {
  return storedRecords().filter(({ key }) => key.bff === href);
}

function storedRecords(): StoredRecord[] {
  return list().flatMap(parseStorageKey);
}

function parseStorageKey(storageKey: string): StoredRecord[] {
  const [, kind] = /^vestibule:(draft|likes) /.exec(storageKey) ?? [];
  if (!kind) return [];
  const [, bff = '', account = '', forum = '', page = '', parent = ''] = storageKey.split(' ');
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(decodeURIComponent);
  return [{ kind: kind as StoredRecord['kind'], storageKey, key: { bff, account: ofAccount!, forum: ofForum!, page, parent: ofParent! } }];
}
