/**
 * Entry of the outbox: a text that a press has taken out of its field. One record in localStorage each; BFF, account, forum,
 * article and id are in its name, so that tabs add entries without overwriting any.
 *
 * | state | meaning |
 * | --- | --- |
 * | `out` | a request is out, or its document was left meanwhile |
 * | `waiting` | for the time of the next attempt, or for the network |
 * | `failed` | every attempt certainly did nothing |
 * | `unsure` | an attempt may have been carried out: its reader decides, or a list shows it |
 * | `posted` | final |
 *
 * A posted entry expires after 7 days, any other one after 30. An entry remembers the last sign-out that its press knew: the
 * entries of an account that remember another one than the last are deleted at a load. No clock decides.
 */

import type { PostCreated, SessionUser } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { list, read, remove, signOutKey, write } from '../storage/storage.ts';

const DAY_MS = 24 * 60 * 60_000;
const POSTED_MS = 7 * DAY_MS;
const LIFETIME_MS = 30 * DAY_MS;

/** An article, as one account sees it. */
export interface Place {
  /** Public URL of the BFF. */
  readonly bff: string;
  /** `user_id`. */
  readonly account: string;
  readonly forum: string;
  /** `articleKey` of the page. */
  readonly article: string;
}

export interface EntryKey extends Place {
  /** Random; names the entry through all its states. */
  readonly id: string;
}

/** Times are milliseconds since the epoch, of this browser's clock where nothing else is said. */
export interface Pressed extends EntryKey {
  readonly text: string;
  /** Id of the comment that it replies to. */
  readonly parent?: string | undefined;
  /** Name of the reader whom it answers. */
  readonly inReplyTo?: string | undefined;
  /** Page of its requests, as the press knew it. */
  readonly address: string;
  /** Whose entry it is; `key` stands for them in lists. */
  readonly user: SessionUser;
  /** Opaque id of the session of the press. */
  readonly session?: string | undefined;
  /** The draft, and its revision, that the press took: tabs that show the same text take it once. */
  readonly taken?: string | undefined;
  /** `Idempotency-Key`; empty: the BFF carries out no other request with the last one. */
  readonly key: string;
  /** An earlier key is in doubt: what becomes of this one does not end the doubt. */
  readonly hasEarlierKey?: boolean | undefined;
  /** The last press that posts. */
  readonly pressedAt: number;
  /** The first request with `key`. */
  readonly firstSentAt?: number | undefined;
  /** Id of the last sign-out of this browser that the press knew; empty: there was none. */
  readonly signOut: string;
  /** Text of the editor that is open in the entry. */
  readonly edited?: string | undefined;
}

/** Counts the requests of a press; the waits grow with it. */
interface Attempt {
  readonly attempt: number;
  /** The first request that may have been carried out. */
  readonly unsureSince?: number | undefined;
  /** A request that was out when its document was left has been repeated. */
  readonly isRepeated?: boolean | undefined;
}

export interface OutEntry extends Pressed, Attempt {
  readonly state: 'out';
  /** Id of the document that sends. */
  readonly sender: string;
  /** Absent: no request of this attempt has left. */
  readonly sentAt?: number | undefined;
}

export interface WaitingEntry extends Pressed, Attempt {
  readonly state: 'waiting';
  /** The next attempt; absent: when the browser is online. */
  readonly until?: number | undefined;
  /** Id of the document of the last attempt. */
  readonly sender: string;
  readonly problem?: WidgetProblem | undefined;
}

export interface FailedEntry extends Pressed {
  readonly state: 'failed';
  readonly problem?: WidgetProblem | undefined;
}

export interface UnsureEntry extends Pressed {
  readonly state: 'unsure';
  readonly unsureSince: number;
  readonly problem?: WidgetProblem | undefined;
}

export interface PostedEntry extends Pressed {
  readonly state: 'posted';
  readonly postedAt: number;
  /** Of the service's record of the post, or of the listed comment that stands for it. */
  readonly postId?: string | undefined;
  /** The BFF's entry of the post. */
  readonly listed?: PostCreated['listed'];
  /** A list has had it, or was so young that it should: it stands where the lists have it after its visit. */
  readonly isListed?: boolean | undefined;
}

export type OutboxEntry = OutEntry | WaitingEntry | FailedEntry | UnsureEntry | PostedEntry;

/** Only its reader sees it until it is approved. */
export function isHeld(entry: OutboxEntry): boolean {
  return entry.state === 'posted' && !entry.isListed && entry.listed?.state === 'pending';
}

/** What the entries need of `storage/storage.ts`. */
export interface EntryStore {
  read<Kept extends object>(key: string): Partial<Kept> | undefined;
  /** Returns whether the record is kept. */
  write(key: string, record: object): boolean;
  remove(key: string): void;
  list(): string[];
}

export const browserStore: EntryStore = { read, write, remove, list };

/** Where an entry was shown last, and how high: `findDrafts` of `storage/typed.ts`. A record of its own, because a document that
 *  is left writes it while another one may send the entry. */
export interface EntryRoom {
  /** Of the document, without fragment. */
  readonly address: string;
  /** With its margins, in pixels of the box. */
  readonly height: number;
}

type Kind = 'entry' | 'room';

/** Only the forum and the ids may contain spaces: the others are URLs. */
export function entryStorageKey({ bff, account, forum, article, id }: EntryKey, kind: Kind = 'entry'): string {
  return [`vestibule:${kind}`, bff, encodeURIComponent(account), encodeURIComponent(forum), article, id].join(' ');
}

/** Keys of `bff`; of all that the page has stored, few may be. */
function listKeys(store: EntryStore, bff: string, account?: string, kind: Kind = 'entry'): EntryKey[] {
  const prefix = [`vestibule:${kind}`, bff, ...(account === undefined ? [] : [encodeURIComponent(account)]), ''].join(' ');
  return store.list().flatMap((storageKey) => (storageKey.startsWith(prefix) ? parseEntryKey(storageKey) ?? [] : []));
}

function parseEntryKey(storageKey: string): EntryKey | undefined {
  const [, bff = '', account = '', forum = '', article = '', id] = storageKey.split(' ');
  return id ? { bff, account: decodeURIComponent(account), forum: decodeURIComponent(forum), article, id } : undefined;
}

/** The record, unless it has expired or is invalid. */
export function readEntry(store: EntryStore, key: EntryKey, now: number): OutboxEntry | undefined {
  const { bff, account, forum, article, id } = key;
  const entry = store.read<OutboxEntry>(entryStorageKey(key));
  if (typeof entry?.text !== 'string' || !entry.state || !entry.user) return undefined;
  const found = { ...entry, bff, account, forum, article, id } as OutboxEntry;
  const isPosted = found.state === 'posted';
  return now - (isPosted ? found.postedAt : found.pressedAt) < (isPosted ? POSTED_MS : LIFETIME_MS) ? found : undefined;
}

/** Returns whether the browser has kept the record. */
export function writeEntry(store: EntryStore, entry: OutboxEntry): boolean {
  const { bff: _, account: __, forum: ___, article: ____, id: _____, ...record } = entry;
  return store.write(entryStorageKey(entry), record);
}

export function removeEntry(store: EntryStore, key: EntryKey): void {
  store.remove(entryStorageKey(key));
  store.remove(entryStorageKey(key, 'room'));
}

/** The entries of an account at all articles, the first press first. */
export function listEntries(store: EntryStore, { bff, account }: Pick<Place, 'bff' | 'account'>, now: number): OutboxEntry[] {
  return listKeys(store, bff, account).flatMap((key) => readEntry(store, key, now) ?? [])
    .toSorted((one, other) => one.pressedAt - other.pressedAt);
}

export function isAt(entry: Place, { bff, account, forum, article }: Place): boolean {
  return entry.bff === bff && entry.account === account && entry.forum === forum && entry.article === article;
}

type Taken = Pick<Pressed, 'taken' | 'text' | 'parent'>;

/** Both have taken the same text of the same draft. */
export function isTwin(one: Taken, other: Taken): boolean {
  return one.taken !== undefined && one.taken === other.taken && one.text === other.text && one.parent === other.parent;
}

/** The last explicit sign-out of this browser. */
export interface SignOutMark {
  readonly id: string;
  /** Empty: not known whose. */
  readonly account: string;
}

/** Release 0.3 gave its sign-outs no id: their time is it. */
export function readSignOutMark(store: EntryStore, bff: string): SignOutMark | undefined {
  const { id, at, account = '' } = store.read<{ id: string; at: number; account: string }>(signOutKey(bff)) ?? {};
  return id === undefined && at === undefined ? undefined : { id: id ?? String(at), account };
}

/** The account of the entry has signed out since its press. */
export function isSignedOut({ account, signOut }: Pick<Pressed, 'account' | 'signOut'>, mark: SignOutMark | undefined): boolean {
  return mark !== undefined && mark.id !== signOut && [account, ''].includes(mark.account);
}

/** Removes what `bff` has stored and no reader sees any more: entries that are invalid or expired, or whose account has
 *  signed out. */
export function removeOverEntries(store: EntryStore, bff: string, mark: SignOutMark | undefined, now: number): void {
  for (const key of [...listKeys(store, bff), ...listKeys(store, bff, undefined, 'room')]) {
    const entry = readEntry(store, key, now);
    if (!entry || isSignedOut(entry, mark)) removeEntry(store, key);
  }
}
