/** The comments as readers see them: top-level comments, each with a flat list of all replies below it; and the reader's own that
 *  the list does not have yet. */

import type { ListedPost } from '@vestibule/shared';
import type { OwnPost } from '../storage/reader-records.ts';
import type { Listed, RenderedPost } from './thread-state.ts';

export interface Comment {
  /** Id of a listed comment; of an own one that is not listed, its time. */
  readonly key: string | number;
  readonly parentId: string | undefined;
  readonly username: string;
  readonly badge: string | undefined;
  readonly message: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
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

export function fromListed({ id, parent_id, author: { username, badge }, message, created_at }: ListedPost): Comment {
  return { key: id, parentId: parent_id, username, badge, message, createdAt: created_at, at: Date.parse(created_at) };
}

/** @param isMarked the list does not have it */
export function fromOwn(post: OwnPost, isMarked: boolean): Comment {
  const { user, message, at, parent, listed } = post;
  const entry = entryOf(post);
  return {
    key: at, at, parentId: parent ?? entry?.parent_id, username: user.username, badge: entry?.author.badge, message,
    createdAt: new Date(at).toISOString(), mark: isMarked ? (listed?.state === 'pending' ? 'pending' : 'unlisted') : undefined,
  };
}

/** How far the clocks of this device and of the service may be apart, in ms. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** The entry of the post in the list, once it is there. */
function entryOf({ listed }: OwnPost): ListedPost | undefined {
  return listed && 'id' in listed ? listed : undefined;
}

/**
 * The reader's own posts that are not in the list yet, newest first. A listed post stands for one own post: for the one with its
 * id (a publisher's list may have ids of its own), otherwise for one by the same author with the same text that is not younger.
 */
export function unlistedPosts(
  own: readonly OwnPost[], listed: readonly ListedPost[], rendered: readonly RenderedPost[],
): readonly OwnPost[] {
  const ids = new Set([...listed, ...rendered].map(({ id }) => id));
  const idsOf = (post: OwnPost): (string | undefined)[] => [post.id, entryOf(post)?.id];
  const ownIds = new Set(own.flatMap(idsOf));
  const left = own.filter((post) => !idsOf(post).some((id) => id !== undefined && ids.has(id)));
  const remove = (id: string, isListed: (post: OwnPost) => boolean): void => {
    const index = ownIds.has(id) ? -1 : left.findIndex(isListed);
    if (index >= 0) left.splice(index, 1);
  };
  for (const { id, author, message, created_at } of listed) {
    remove(id, (post) => author.username === post.user.username && normalize(message) === normalize(post.message)
      && post.at <= Date.parse(created_at) + CLOCK_TOLERANCE_MS);
  }
  for (const { id, text } of rendered) {
    const shown = normalize(text);
    remove(id, ({ user, message }) => shown.includes(normalize(user.username)) && shown.includes(normalize(message)));
  }
  return left.toReversed();
}

/** How many posts of others the newer list has that are not shown. */
export function countNew({ posts, newer }: Listed, own: readonly OwnPost[], rendered: readonly RenderedPost[]): number {
  if (!newer) return 0;
  const known = new Set([...posts, ...rendered].map(({ id }) => id));
  const [now, then] = [posts, newer.posts].map((list) => unlistedPosts(own, list, rendered).length);
  return newer.posts.filter(({ id }) => !known.has(id)).length - (now! - then!);
}

/** A service may store other line ends and fewer spaces. */
function normalize(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}
