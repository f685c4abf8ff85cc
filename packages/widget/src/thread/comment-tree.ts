/** The comments as readers see them: top-level comments, each with a flat list of all replies below it; and the reader's own that
 *  the list does not have yet. */

import type { ListedPost, PostList } from '@vestibule/shared';
import type { OwnPost } from '../storage/reader-records.ts';
import { append, refresh, REFRESH_AFTER_MS, toListed, type Listed, type RenderedPost } from './thread-state.ts';

export interface Comment {
  /** Id of a comment, once the list or the `created` hook has named it; of another own one, its time. */
  readonly key: string | number;
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
  /** Why only the reader sees it: `pending` waits for approval. */
  readonly mark?: 'unlisted' | 'pending' | undefined;
}

export interface Branch {
  readonly comment: Comment;
  /** Of a reply that does not stand directly below its parent. `name`: of the parent's author, if the parent is loaded. */
  readonly replyTo?: { readonly id: string; readonly name: string | undefined } | undefined;
  /** Oldest first. */
  readonly replies: readonly Branch[];
}

/** Top-level comments in the order of `comments`. A reply whose parent is not loaded is one of them. */
export function toBranches(comments: readonly Comment[]): Branch[] {
  const byId = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const parentOf = ({ key, parentId }: Comment): Comment | undefined => parentId === key ? undefined : byId.get(parentId);
  const children = Map.groupBy(comments, parentOf);
  const repliesTo = (root: Comment): Comment[] => {
    const replies = [...children.get(root) ?? []];
    for (const reply of replies) replies.push(...children.get(reply) ?? []);
    return replies.sort((a, b) => a.at - b.at);
  };
  const branchOf = (comment: Comment, root?: Comment): Branch => {
    const { key, parentId } = comment;
    const parent = parentOf(comment);
    const isApart = parentId !== undefined && parentId !== key && (!root || parent !== root);
    return {
      comment,
      replyTo: isApart ? { id: parentId, name: parent?.username } : undefined,
      replies: root ? [] : repliesTo(comment).map((reply) => branchOf(reply, comment)),
    };
  };
  return (children.get(undefined) ?? []).map((comment) => branchOf(comment));
}

/** @param userKey stands for the reader in the list; `undefined`: unknown */
export function fromListed(post: ListedPost, userKey?: string): Comment {
  const { id, parent_id, author, message, created_at, edited_at, likes, removed } = post;
  const { username, badge, key } = author;
  return {
    key: id, parentId: parent_id, username, badge, message, createdAt: created_at, at: Date.parse(created_at),
    editedAt: edited_at, likes, isRemoved: removed, isOwn: key !== undefined && key === userKey,
  };
}

/** A published post whose entry is known is shown as the list will show it, under its id.
 *  @param isMarked the list does not have it */
export function fromOwn(post: OwnPost, isMarked: boolean): Comment {
  const { user, message, at, parent, listed } = post;
  const entry = entryOf(post);
  const isPending = listed?.state === 'pending';
  const mark = isMarked ? isPending ? 'pending' : 'unlisted' : undefined;
  if (entry && !isPending) return { ...fromListed(entry), isOwn: true, mark };
  return {
    key: at, at, parentId: parent ?? entry?.parent_id, username: user.username, badge: entry?.author.badge, message,
    createdAt: new Date(at).toISOString(), mark,
  };
}

/** How far the clocks of this device and of the service may be apart, in ms. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** The entry of the post in the list, once it is there. */
function entryOf({ listed }: OwnPost): ListedPost | undefined {
  return listed && 'id' in listed ? listed : undefined;
}

/** The reader's own posts that are not in the list yet, newest first. */
export function unlistedPosts(
  own: readonly OwnPost[], listed: readonly ListedPost[], rendered: readonly RenderedPost[],
): readonly OwnPost[] {
  const found = findOwn(own, listed, rendered);
  return own.filter((post) => !found.has(post)).toReversed();
}

/** How many of the posts that a list does not have are published, and younger than it may be. @param removed keys of comments */
export function countAdded(missing: readonly OwnPost[], readAt: number, removed: ReadonlySet<unknown>): number {
  return missing.filter((post) => (
    post.listed?.state !== 'pending' && post.at > readAt - REFRESH_AFTER_MS && !removed.has(fromOwn(post, true).key)
  )).length;
}

/**
 * Own posts, each with the id of the listed post that stands for it: the one with its id (a publisher's list may have ids of its
 * own), otherwise, without an entry, one by the same author with the same text that is not younger.
 */
function findOwn(
  own: readonly OwnPost[], listed: readonly ListedPost[], rendered: readonly RenderedPost[],
): Map<OwnPost, string> {
  const ids = new Set([...listed, ...rendered].map(({ id }) => id));
  const idsOf = (post: OwnPost): string[] => [post.id, entryOf(post)?.id].filter((id) => id !== undefined);
  const ownIds = new Set(own.flatMap(idsOf));
  const found = new Map<OwnPost, string>();
  for (const post of own) {
    const id = idsOf(post).find((one) => ids.has(one));
    if (id !== undefined) found.set(post, id);
  }
  const find = (id: string, isListed: (post: OwnPost) => boolean): void => {
    const post = ownIds.has(id) ? undefined : own.find((one) => !found.has(one) && !entryOf(one) && isListed(one));
    if (post) found.set(post, id);
  };
  for (const { id, author, message, created_at } of listed) {
    find(id, (post) => author.username === post.user.username && normalize(message) === normalize(post.message)
      && post.at <= Date.parse(created_at) + CLOCK_TOLERANCE_MS);
  }
  for (const { id, text } of rendered) {
    const shown = normalize(text);
    find(id, ({ user, message }) => shown.includes(normalize(user.username)) && shown.includes(normalize(message)));
  }
  return found;
}

/** What the page shows, and what the reader has posted. */
export interface Shown {
  readonly state: Listed;
  readonly rendered: readonly RenderedPost[];
  readonly own: readonly OwnPost[];
}

/**
 * The list after the response `next`: to the request for the first list, or for the last one again (`isLast`).
 * `added`: how many comments of others it has that are new. A comment that has moved up into the first list because another one
 * was removed is not: it stands behind the ones that are shown.
 */
export function reconcile({ state, rendered, own }: Shown, next: PostList, isLast: boolean): { list: Listed; added: number } {
  const list = rendered.length > 0 ? toListed(next) : isLast ? append(state, next, []) : refresh(state, next);
  const shown = new Set([...state.posts, ...rendered].map(({ id }) => id));
  const mine = new Set(findOwn(own, list.posts, rendered).values());
  const end = state.nextCursor === undefined ? Infinity : list.posts.findLastIndex(({ id }) => shown.has(id));
  const latest = Math.max(...state.posts.map(timeOf));
  const isNew = (post: ListedPost, index: number): boolean => index < end || (end < 0 && timeOf(post) >= latest);
  const added = list.posts.filter((post, index) => !shown.has(post.id) && !mine.has(post.id) && isNew(post, index));
  return { list, added: added.length };
}

const timeOf = ({ created_at }: ListedPost): number => Date.parse(created_at);

/** A service may store other line ends and fewer spaces. */
function normalize(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}
