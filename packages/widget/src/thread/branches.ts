/** The comments as readers see them: top-level comments, each with a flat list of all replies below it. */

import type { Comment } from './comment-tree.ts';

export interface Branch {
  readonly comment: Comment;
  /** Of a reply that does not stand directly below its parent. `name`: of the parent's author, if the parent is loaded. */
  readonly replyTo?: { readonly id: string; readonly name: string | undefined } | undefined;
  readonly replies: readonly Branch[];
}

/** Top-level comments and replies in the order of `comments`. An entry stands where its composer was: directly below its parent.
 *  @param roots ids of the top-level comments below which posts stand, by their ids */
export function toBranches(comments: readonly Comment[], roots: ReadonlyMap<string, string>): Branch[] {
  const byKey = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const rootOf = (comment: Comment): Comment => {
    const { key, parentId, entry } = comment;
    const root = byKey.get(entry ? roots.get(parentId!) ?? parentId : roots.get(String(key))) ?? comment;
    return root === comment ? root : rootOf(root);
  };
  const byRoot = Map.groupBy(comments, rootOf);
  const branchOf = (comment: Comment, root?: Comment): Branch => {
    const { key, parentId, entry } = comment;
    const isApart = parentId !== undefined && parentId !== key && parentId !== root?.key;
    return {
      comment,
      replyTo: isApart ? { id: parentId, name: byKey.get(parentId)?.username ?? entry?.entry.inReplyTo } : undefined,
      replies: root ? [] : repliesTo(comment).map((reply) => branchOf(reply, comment)),
    };
  };
  const repliesTo = (root: Comment): Comment[] => {
    const all = byRoot.get(root)!.filter((one) => one !== root);
    const replies = all.filter(({ entry }) => !entry);
    // The newest press first.
    for (const entry of all.filter((one) => one.entry).toReversed()) {
      replies.splice(replies.findIndex(({ key }) => key === entry.parentId) + 1, 0, entry);
    }
    return replies;
  };
  return comments.filter((comment) => rootOf(comment) === comment).map((comment) => branchOf(comment));
}
