/** The comments that a thread shows: those of the list, and the entries of the outbox, which stand for those that the reader has
 *  sent. */

import { isBlank, type ListedPost } from '@vestibule/shared';
import { LIST_AGE_MS } from '../client/client.ts';
import { idsOf } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';

export interface Comment {
  /** Id of a comment, once the list or the `created` hook has named it; of another entry, its time. */
  readonly key: string | number;
  /** The entry that stands for it. */
  readonly entry?: ShownEntry | undefined;
  readonly parentId: string | undefined;
  /** Name of whom it answers, as the list says it. */
  readonly inReplyTo?: string | undefined;
  readonly isPick?: boolean | undefined;
  readonly username: string;
  readonly badge: string | undefined;
  readonly message: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When its author changed it last; ISO 8601. */
  readonly editedAt?: string | undefined;
  readonly likes?: number | undefined;
  readonly isLiked?: boolean | undefined;
  /** It was removed, and its replies stay. */
  readonly isRemoved?: boolean | undefined;
  /** The reader has written it. */
  readonly isOwn?: boolean | undefined;
  /** An edit of it waits for approval: only the reader sees it. */
  readonly mark?: 'pending' | undefined;
}

/** Names a comment as long as it is shown, also while its entry gets an id. */
export type CommentNode = string | number;

export const nodeOf = ({ key, entry }: Comment): CommentNode => entry?.entry.id ?? key;

/** The name, or a dash for a blank one. */
export const shownName = (username: string): string => (isBlank(username) ? '–' : username);

/** @param userKey stands for the reader in the list; `undefined`: unknown */
export function fromListed(post: ListedPost, userKey?: string): Comment {
  const { id, parent_id, in_reply_to, author, message, created_at, edited_at, likes, pick, removed } = post;
  const { username, badge, key } = author;
  return {
    key: id, parentId: parent_id, inReplyTo: in_reply_to?.username, username, badge, isPick: pick, message,
    createdAt: created_at, at: Date.parse(created_at), editedAt: edited_at, likes, isRemoved: removed,
    isOwn: key !== undefined && key === userKey,
  };
}

/** A post is shown as the list shows it or will show it, under its id, once that is known.
 *  @param posts of the list @param account that is signed in: a public comment stays as anybody's after a sign-out */
export function fromEntry(shown: ShownEntry, posts: readonly ListedPost[], account: string): Comment {
  const { entry, row } = shown;
  const { user, text, pressedAt, parent, inReplyTo } = entry;
  const ids = idsOf(entry);
  const listed = posts.find(({ id }) => ids.includes(id)) ?? listedOf(shown);
  if (listed && (row === 'posted' || row === 'held')) return { ...fromListed(listed), isOwn: entry.account === account, entry: shown };
  return {
    key: pressedAt, at: pressedAt, parentId: parent, username: user.username, badge: listed?.author.badge, message: text,
    inReplyTo, createdAt: new Date(pressedAt).toISOString(), entry: shown,
  };
}

/** The BFF's entry of its post. */
function listedOf({ entry }: ShownEntry): ListedPost | undefined {
  return entry.state === 'posted' && entry.listed && 'id' in entry.listed ? entry.listed : undefined;
}

/** How many of the entries are published, and may be younger than a list that does not have them.
 *  @param listed ids in the list @param removed keys of comments */
export function countAdded(
  entries: readonly ShownEntry[], listed: ReadonlySet<string>, readAt: number, removed: ReadonlySet<unknown>,
): number {
  return entries.filter(({ entry, row }) => (
    row === 'posted' && entry.postedAt! > readAt - LIST_AGE_MS
    && !idsOf(entry).some((id) => listed.has(id) || removed.has(id))
  )).length;
}
