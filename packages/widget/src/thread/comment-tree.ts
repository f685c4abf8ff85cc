/** The comments as readers see them: top-level comments, each with a flat list of all replies below it. */

import type { ListedPost } from '@vestibule/shared';
import type { OwnPost } from '../storage/reader-records.ts';
import { entryOf } from './own-comments.ts';

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

/** Top-level comments in the order of `comments`. A reply whose parent is not loaded is one of them, and one comment of a
 *  circle of replies. */
export function toBranches(comments: readonly Comment[]): Branch[] {
  const byId = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const parentOf = ({ parentId }: Comment): Comment | undefined => byId.get(parentId);
  const roots = new Map<Comment, Comment>();
  for (const comment of comments) {
    const path = new Set<Comment>();
    let root = comment;
    let next: Comment | undefined = comment;
    while (next && !path.has(next) && !roots.has(next)) {
      path.add(root = next);
      next = parentOf(next);
    }
    root = (next && roots.get(next)) ?? root;
    for (const one of path) roots.set(one, root);
  }
  const families = Map.groupBy(comments, (comment) => roots.get(comment)!);
  const branchOf = (comment: Comment, root?: Comment): Branch => {
    const { parentId } = comment;
    const parent = parentOf(comment);
    const replyTo = parentId !== undefined && (!root || parent !== root) ? { id: parentId, name: parent?.username } : undefined;
    const replies = root ? [] : families.get(comment)!.filter((one) => one !== comment).sort((a, b) => a.at - b.at);
    return { comment, replyTo, replies: replies.map((reply) => branchOf(reply, comment)) };
  };
  return comments.filter((comment) => roots.get(comment) === comment).map((comment) => branchOf(comment));
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
