/**
 * Records of release 0.3, read once: a draft with a request, and the reader's own posts. Tabs that still run 0.3 lose nothing: a
 * draft is read under their lock of it, and not while its request may be at work.
 */

import type { PostCreated, SessionUser, User } from '@vestibule/shared';
import { readDraft as readAnyDraft, type DraftRecord } from '../storage/draft.ts';
import { remove, write } from '../storage/storage.ts';
import { entryStorageKey, readSignOutMark, writeEntry, type EntryStore, type OutboxEntry, type Place } from './outbox-entry.ts';
import { PRESS_MS } from './outbox-state.ts';
import type { Environment } from './environment.ts';

/** A press of which 0.3 knew no outcome. Times are milliseconds since the epoch. */
interface Submission {
  /** `Idempotency-Key`; empty: the BFF carries out no other request with the last one. */
  readonly key: string;
  readonly text: string;
  readonly pressedAt: number;
  readonly sentAt?: number | undefined;
  readonly unsureSince?: number | undefined;
}

interface Draft03 extends DraftRecord {
  readonly submission?: Submission | undefined;
  readonly isNotPosted?: boolean | undefined;
}

interface OwnPost {
  readonly key?: string | undefined;
  readonly id?: string | undefined;
  readonly user: User;
  readonly message: string;
  readonly at: number;
  readonly parent?: string | undefined;
  readonly listed?: PostCreated['listed'];
}

const readDraft = (storageKey: string): Draft03 | undefined => readAnyDraft(storageKey);

interface Record03 {
  readonly kind: string;
  readonly storageKey: string;
  readonly place: Place;
  readonly parent: string;
}

/** Makes entries of what 0.3 has stored for the user. To be called when their session is known, before the drafts are shown.
 *  @returns whether there was anything */
export async function adoptRecords(
  bff: string, user: SessionUser, { store, now, ifFree }: Pick<Environment, 'store' | 'now' | 'ifFree'>,
): Promise<boolean> {
  let isAny = false;
  const signOut = readSignOutMark(store, bff)?.id ?? '';
  const records = store.list().flatMap(parse).filter(({ place }) => place.bff === bff && place.account === user.user_id);
  const rest = { user, signOut };
  for (const { kind, storageKey, place, parent } of records) {
    if (kind === 'posts') {
      const posts = store.read<{ posts: readonly OwnPost[] }>(storageKey)?.posts ?? [];
      const isKept = posts.every((post) => writeOnce(store, postedOf(post, place, rest)));
      isAny = true;
      if (isKept) remove(storageKey);
    } else if (isOver(readDraft(storageKey)?.submission, now())) {
      await ifFree(storageKey, async () => {
        const draft = readDraft(storageKey);
        const { submission } = draft ?? {};
        if (!draft || !submission || !isOver(submission, now())) return;
        if (!writeOnce(store, unsureOf(submission, place, parent, rest))) return;
        isAny = true;
        const { submission: _, isNotPosted: __, text, other, ...record } = draft;
        const isSent = text === submission.text || !text.trim();
        const left = isSent ? other ?? '' : text;
        // Also an empty one: a field keeps the text of a record that is gone.
        const updatedAt = Math.max(now(), draft.updatedAt + 1);
        write(storageKey, { ...record, text: left, ...(other && !isSent && { other }), updatedAt });
      });
    }
  }
  return isAny;
}

function parse(storageKey: string): Record03[] {
  const [, kind] = /^vestibule:(draft|posts) /.exec(storageKey) ?? [];
  if (!kind) return [];
  const [, bff = '', account = '', forum = '', article = '', parent = ''] = storageKey.split(' ');
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(decodeURIComponent);
  return [{ kind, storageKey, place: { bff, account: ofAccount!, forum: ofForum!, article }, parent: ofParent! }];
}

/** No tab of 0.3 sends it any more, if its lock is free. */
function isOver(submission: Submission | undefined, now: number): boolean {
  return submission !== undefined && !(submission.sentAt !== undefined && Math.abs(now - submission.sentAt) < PRESS_MS);
}

/** 0.3 left a submission where a request may have been carried out. */
function unsureOf(
  { key, text, pressedAt, sentAt, unsureSince }: Submission, place: Place, parent: string, rest: Pick<OutboxEntry, 'user' | 'signOut'>,
): OutboxEntry {
  const since = unsureSince ?? sentAt ?? pressedAt;
  return {
    ...place, ...rest, id: key || `${pressedAt}`, key, text, pressedAt, firstSentAt: since, unsureSince: since, state: 'unsure', address: place.article,
    ...(parent && { parent }),
  };
}

function postedOf({ key, id, message, at, parent, listed }: OwnPost, place: Place, rest: Pick<OutboxEntry, 'user' | 'signOut'>): OutboxEntry {
  return {
    ...place, ...rest, id: key ?? `${at}`, key: key ?? '', text: message, pressedAt: at, postedAt: at, state: 'posted', address: place.article,
    parent, postId: id, listed,
  };
}

/** Another tab may have done so, and more has become of the entry since. */
function writeOnce(store: EntryStore, entry: OutboxEntry): boolean {
  return store.read(entryStorageKey(entry)) !== undefined || writeEntry(store, entry);
}
