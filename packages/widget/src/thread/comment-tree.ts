/** The comments as readers see them: top-level comments, each with a flat list of all replies below it; and the entries of the
 *  outbox, which stand for those that the reader has sent. */

import type { ListedPost, PostList } from '@vestibule/shared';
import { idsOf } from '../outbox/outbox-entry.ts';
import type { ShownEntry } from '../outbox/press.ts';
import { append, refresh, REFRESH_AFTER_MS, toListed, type Listed, type RenderedPost } from './thread-state.ts';

export interface Comment {
  /** Id of a comment, once the list or the `created` hook has named it; of another entry, its time. */
  readonly key: string | number;
  /** The entry that stands for it. */
  readonly entry?: ShownEntry | undefined;
  readonly parentId: string | undefined;
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

export interface Branch {
  readonly comment: Comment;
  /** Of a reply that does not stand directly below its parent. `name`: of the parent's author, if the parent is loaded. */
  readonly replyTo?: { readonly id: string; readonly name: string | undefined } | undefined;
  /** Oldest first. */
  readonly replies: readonly Branch[];
}

/** Names the comment as long as it is shown, also while its entry gets an id. */
export const nodeOf = ({ key, entry }: Comment): string | number => entry?.entry.id ?? key;

/** Top-level comments in the order of `comments`. A reply whose parent is not loaded is one of them. */
export function toBranches(comments: readonly Comment[]): Branch[] {
  const byId = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const parentOf = ({ key, parentId }: Comment): Comment | undefined => parentId === key ? undefined : byId.get(parentId);
  const children = Map.groupBy(comments, parentOf);
  const repliesTo = (root: Comment): Comment[] => {
    const all = [...children.get(root) ?? []];
    for (const reply of all) all.push(...children.get(reply) ?? []);
    const replies = all.filter(({ entry }) => !entry).sort((a, b) => a.at - b.at);
    // An entry stands where its composer was: directly below its parent, the newest press first.
    for (const entry of all.filter((comment) => comment.entry).sort((a, b) => pressedAt(a) - pressedAt(b))) {
      replies.splice(replies.findIndex(({ key }) => key === entry.parentId) + 1, 0, entry);
    }
    return replies;
  };
  const branchOf = (comment: Comment, root?: Comment): Branch => {
    const { key, parentId } = comment;
    const parent = parentOf(comment);
    const isApart = parentId !== undefined && parentId !== key && (!root || parent !== root);
    return {
      comment,
      replyTo: isApart ? { id: parentId, name: parent?.username ?? comment.entry?.entry.inReplyTo } : undefined,
      replies: root ? [] : repliesTo(comment).map((reply) => branchOf(reply, comment)),
    };
  };
  return (children.get(undefined) ?? []).map((comment) => branchOf(comment));
}

const pressedAt = ({ entry, at }: Comment): number => entry?.entry.pressedAt ?? at;

/** @param userKey stands for the reader in the list; `undefined`: unknown */
export function fromListed(post: ListedPost, userKey?: string): Comment {
  const { id, parent_id, author, message, created_at, edited_at, likes, removed } = post;
  const { username, badge, key } = author;
  return {
    key: id, parentId: parent_id, username, badge, message, createdAt: created_at, at: Date.parse(created_at),
    editedAt: edited_at, likes, isRemoved: removed, isOwn: key !== undefined && key === userKey,
  };
}

/** A post is shown as the list shows it or will show it, under its id, once that is known.
 *  @param posts of the list */
export function fromEntry(shown: ShownEntry, posts: readonly ListedPost[]): Comment {
  const { entry, row } = shown;
  const { user, text, pressedAt, parent } = entry;
  const ids = idsOf(entry);
  const listed = posts.find(({ id }) => ids.includes(id)) ?? listedOf(shown);
  if (listed && (row === 'posted' || row === 'held')) return { ...fromListed(listed), isOwn: true, entry: shown };
  return {
    key: pressedAt, at: pressedAt, parentId: parent, username: user.username, badge: listed?.author.badge, message: text,
    createdAt: new Date(pressedAt).toISOString(), entry: shown,
  };
}

/** The BFF's entry of its post. */
function listedOf({ entry }: ShownEntry): ListedPost | undefined {
  return entry.state === 'posted' && entry.listed && 'id' in entry.listed ? entry.listed : undefined;
}

/** Ids of comments that entries stand for. */
export function idsOfEntries(entries: readonly ShownEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ entry }) => idsOf(entry)));
}

/** How many of the entries are published, and may be younger than a list that does not have them.
 *  @param listed ids in the list @param removed keys of comments */
export function countAdded(entries: readonly ShownEntry[], listed: ReadonlySet<string>, readAt: number, removed: ReadonlySet<unknown>): number {
  return entries.filter(({ entry, row, isDeleted }) => (
    row === 'posted' && !isDeleted && entry.state === 'posted' && entry.postedAt > readAt - REFRESH_AFTER_MS
    && !idsOf(entry).some((id) => listed.has(id) || removed.has(id))
  )).length;
}

/** Its place, without its text. */
export function removedOf(comment: Comment): Comment {
  return { ...comment, isRemoved: true, username: '', message: '' };
}

/** What the reader does with a comment. */
interface Uses {
  /** They reply to it or edit it. */
  readonly isUsed: (key: Comment['key']) => boolean;
  /** They have deleted it in this visit: a line stands in its place. */
  readonly isDeleted: (key: Comment['key']) => boolean;
}

/** The comments `next`, with those of `before` that keep their place: one that is used stays as it is, also if it was removed
 *  meanwhile. */
export function keepPlaces(
  next: readonly Comment[], before: readonly Comment[], { isUsed, isDeleted }: Uses,
): readonly Comment[] {
  const list = [...next];
  const indexOf = (key: Comment['key']): number => list.findIndex((comment) => comment.key === key);
  for (const [place, comment] of before.entries()) {
    const { key, isRemoved } = comment;
    const isLine = isDeleted(key);
    if (!isLine && (isRemoved || !isUsed(key))) continue;
    const index = indexOf(key);
    if (index < 0) {
      const follower = before.slice(place + 1).find((one) => indexOf(one.key) >= 0);
      list.splice(follower ? indexOf(follower.key) : list.length, 0, isLine ? removedOf(comment) : comment);
    } else if (!isLine && list[index]!.isRemoved) list[index] = comment;
  }
  return list;
}

/** What the page shows. */
export interface Shown {
  readonly state: Listed;
  readonly rendered: readonly RenderedPost[];
  /** Ids of comments that entries stand for. */
  readonly own: ReadonlySet<string>;
  /** Stands for the reader in lists. */
  readonly userKey: string | undefined;
}

/**
 * The list after the response `next`: to the request for the first list, or for the last one again (`isLast`).
 * `added`: how many comments of others it has that are new. A comment that has moved up into the first list because another one
 * was removed is not: it stands behind the ones that are shown.
 */
export function reconcile({ state, rendered, own, userKey }: Shown, next: PostList, isLast: boolean): { list: Listed; added: number } {
  const list = rendered.length > 0 ? toListed(next) : isLast ? append(state, next, []) : refresh(state, next);
  const shown = new Set([...state.posts, ...rendered].map(({ id }) => id));
  const isMine = ({ id, author }: ListedPost): boolean => own.has(id) || (userKey !== undefined && author.key === userKey);
  const end = state.nextCursor === undefined ? Infinity : list.posts.findLastIndex(({ id }) => shown.has(id));
  const latest = Math.max(...state.posts.map(timeOf));
  const isNew = (post: ListedPost, index: number): boolean => index < end || (end < 0 && timeOf(post) >= latest);
  const added = list.posts.filter((post, index) => !shown.has(post.id) && !isMine(post) && isNew(post, index));
  return { list, added: added.length };
}

const timeOf = ({ created_at }: ListedPost): number => Date.parse(created_at);
