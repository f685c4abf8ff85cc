/**
 * What the browser keeps of its readers beside the text of a box: the session hint, the sign-out, the reader's own posts, and the
 * box they left to sign in.
 *
 * A text that was written before the session was known is stored without an account. It belongs to the account of the session
 * hint at the time if it was written by another page, and to the account that the session shows if this page wrote it.
 *
 * An explicit sign-out removes the drafts and own posts of the account. A tab may miss its message, because it was suspended or
 * is in the back/forward cache: it compares the stored time with the start of its session.
 */

import type { PostCreated, User } from '@vestibule/shared';
import { randomKey } from '../lib/random-key.ts';
import { Draft, draftStorageKey, readDraft, type DraftKey, type DraftRecord } from './draft.ts';
import { hintKey, list, read, remove, RETURN_MARKER, type SessionHint, write } from './storage.ts';

const DAY_MS = 24 * 60 * 60_000;
const MARKER_MS = 30 * 60_000;
/** How long a sign-in in another window takes at most: the default of `VESTIBULE_SYNC_SECONDS`. */
export const SIGN_IN_MS = 15 * 60_000;

/** The hint of the account that was signed in last and has not signed out; `undefined`: none, or the account is unknown. */
export function readSessionHint(bff: URL): Pick<SessionHint, 'account' | 'visit'> | undefined {
  const { account, visit } = read<SessionHint>(hintKey(bff.href)) ?? {};
  return account && visit ? { account, visit } : undefined;
}

/** Stores or removes the hint that a reader is signed in to `bff`; keeps that of the same account.
 *  @param account without it a sign-in is in progress: the hint expires with it */
export function writeSessionHint(bff: URL, isSignedIn: boolean, account?: string): void {
  const key = hintKey(bff.href);
  const known = readSessionHint(bff)?.account;
  if (!isSignedIn) remove(key);
  else if (account && account !== known) write(key, { account, visit: randomKey() } satisfies Partial<SessionHint>);
  else if (!known) write(key, { until: Date.now() + SIGN_IN_MS } satisfies Partial<SessionHint>);
}

/** Removes the hint of a sign-in that has ended without a session. */
export function removeSignInHint(bff: URL): void {
  if (!readSessionHint(bff)) writeSessionHint(bff, false);
}

/** Moves the texts to the account of the hint. To be called before the hint is written or removed. */
export function claimUnownedDrafts(bff: URL): void {
  const hint = readSessionHint(bff);
  if (!hint) return;
  for (const { key, storageKey } of unownedDrafts(bff, hint)) {
    const draft = new Draft(key);
    const isOfThisPage = Draft.written.has(storageKey);
    if (!isOfThisPage && (draft.text || draft.other)) draft.moveTo(new Draft({ ...key, account: hint.account }));
  }
}

/** Removes what `bff` stores for `account`.
 *  @param account empty: that of the session hint; without a hint, every account, because any of them may have signed out */
export function forgetAccount(bff: URL, account: string): void {
  const hint = readSessionHint(bff);
  const owner = account || hint?.account;
  // First: another tab stores its text again if the record disappears without a sign-out.
  const isTimeStored = storeSignOut(bff);
  unstoredPosts.clear();
  remove(hintKey(bff.href));
  const own = recordsOf(bff).filter(({ key }) => owner ? key.account === owner : key.account);
  const unowned = hint && hint.account === owner ? unownedDrafts(bff, hint) : [];
  for (const { storageKey } of [...own, ...unowned]) remove(storageKey);
  // The removal has made room in storage that was full.
  if (!isTimeStored) storeSignOut(bff);
}

const signOutKey = (bff: string): string => `vestibule:signed-out ${bff}`;

function storeSignOut(bff: URL): boolean {
  return write(signOutKey(bff.href), { at: Date.now() });
}

/** When a reader last signed out explicitly, in milliseconds since the epoch; `undefined`: never, or storage cannot be read. */
export function signedOutAt(bff: string): number | undefined {
  return read<{ at: number }>(signOutKey(bff))?.at;
}

/** Whether drafts of `account` with a text are stored. */
export function hasStoredDrafts(bff: string, account: string): boolean {
  return storedRecords().some(({ kind, key, storageKey }) => {
    const draft = kind === 'draft' && key.bff === bff && key.account === account ? readDraft(storageKey) : undefined;
    return Boolean(draft?.text || draft?.other);
  });
}

/** A post of the reader, kept until the thread lists it: for 7 days if it waits for approval, else for one. */
export interface OwnPost {
  /** Of the service's record of the post, if it has one. */
  readonly id?: string | undefined;
  readonly user: User;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the comment that it replies to. */
  readonly parent?: string | undefined;
  /** The BFF's entry of the post. */
  readonly listed?: PostCreated['listed'];
}

interface OwnPosts {
  readonly posts: readonly OwnPost[];
}

/** Those that the browser has refused to store, by their keys: for this page only. */
const unstoredPosts = new Map<string, readonly OwnPost[]>();

/** Those of a page, forum, BFF and account, replies included; oldest first. */
export function readOwnPosts(draft: Draft): readonly OwnPost[] {
  return readPosts(postsKey(draft));
}

/** Adds a post and returns all of the page. */
export function addOwnPost(draft: Draft, post: OwnPost): readonly OwnPost[] {
  const posts = [...readOwnPosts(draft), post];
  if (!write(postsKey(draft), { posts } satisfies OwnPosts)) unstoredPosts.set(postsKey(draft), posts);
  return posts;
}

const postsKey = ({ key }: Draft): string => draftStorageKey({ ...key, parent: '' }).replace('draft', 'posts');

function readPosts(storageKey: string): readonly OwnPost[] {
  return (unstoredPosts.get(storageKey) ?? read<OwnPosts>(storageKey)?.posts ?? []).filter(({ message, at, user, listed }) => (
    typeof message === 'string' && user.username && Date.now() - at < (listed?.state === 'pending' ? 7 : 1) * DAY_MS
  ));
}

/** Removes the drafts and own posts that are invalid or older than their lifetime. */
export function removeExpiredRecords(): void {
  for (const { kind, storageKey } of storedRecords()) {
    const posts = kind === 'posts' ? readPosts(storageKey) : [];
    if (posts.length > 0) write(storageKey, { posts } satisfies OwnPosts);
    else if (kind === 'posts' || !readDraft(storageKey)) remove(storageKey);
  }
}

/** A box of a page. */
type Box = Pick<DraftKey, 'bff' | 'forum' | 'page'>;

/** Marks, for this tab, the box from which the reader leaves the page to sign in. */
export function setReturnMarker({ bff, forum, page }: Box): void {
  write(RETURN_MARKER, { bff, forum, page, at: Date.now() }, 'sessionStorage');
}

/** Whether the reader has come back to the box within 30 minutes. Removes its marker, and any that has expired. */
export function takeReturnMarker({ bff, forum, page }: Box): boolean {
  const marker = read<Box & { at: number }>(RETURN_MARKER, 'sessionStorage');
  const isLiving = Date.now() - (marker?.at ?? 0) < MARKER_MS;
  const isHere = marker?.bff === bff && marker.forum === forum && marker.page === page;
  if (isHere || !isLiving) remove(RETURN_MARKER, 'sessionStorage');
  return isHere && isLiving;
}

interface StoredRecord {
  readonly kind: 'draft' | 'posts';
  readonly key: DraftKey;
  readonly storageKey: string;
}

function unownedDrafts(bff: URL, { visit }: Pick<SessionHint, 'visit'>): StoredRecord[] {
  return recordsOf(bff).filter(({ kind, key, storageKey }) => (
    kind === 'draft' && !key.account && read<DraftRecord>(storageKey)?.visit === visit
  ));
}

function recordsOf({ href }: URL): StoredRecord[] {
  return storedRecords().filter(({ key }) => key.bff === href);
}

function storedRecords(): StoredRecord[] {
  return list().flatMap(parseStorageKey);
}

function parseStorageKey(storageKey: string): StoredRecord[] {
  const [, kind] = /^vestibule:(draft|posts) /.exec(storageKey) ?? [];
  if (!kind) return [];
  const [, bff = '', account = '', forum = '', page = '', parent = ''] = storageKey.split(' ');
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(decodeURIComponent);
  return [{ kind: kind as 'draft' | 'posts', storageKey, key: { bff, account: ofAccount!, forum: ofForum!, page, parent: ofParent! } }];
}
