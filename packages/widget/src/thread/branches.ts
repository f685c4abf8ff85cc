/** The comments as readers see them: top-level comments, each with a flat list of all replies below it. */

import { nodeOf, type Comment, type CommentNode } from './comment-tree.ts';

export interface Branch {
  readonly comment: Comment;
  /** Of a reply that does not stand directly below its parent. `name`: of the parent's author, if the parent is loaded. */
  readonly replyTo?: { readonly id: string; readonly name: string | undefined } | undefined;
  readonly replies: readonly Branch[];
}

/** Where a comment stands once it was shown. */
interface Place {
  /** The top-level comment that it stands below, or itself. */
  readonly root: CommentNode;
  /** Comments that come later stand behind. */
  readonly rank: number;
}

export type Places = ReadonlyMap<CommentNode, Place>;

/**
 * Top-level comments in the order of `comments`. A reply whose parent is not there is one of them, and stays one when the parent
 * comes: nothing that was shown moves. Replies that come together stand in the order of their times, behind earlier ones.
 * @param before `places` of the comments that are shown
 */
export function toBranches(comments: readonly Comment[], before: Places = new Map()): { branches: Branch[]; places: Places } {
  const byKey = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const nodes = new Set(comments.map(nodeOf));
  let rank = 0;
  for (const place of before.values()) rank = Math.max(rank, place.rank + 1);
  const places = new Map([...before].filter(([node, { root }]) => nodes.has(node) && nodes.has(root)));
  const parentOf = ({ key, parentId }: Comment): Comment | undefined => parentId === key ? undefined : byKey.get(parentId);
  const placeOf = (comment: Comment): Place => {
    const node = nodeOf(comment);
    const known = places.get(node);
    if (known) return known;
    // A circle of replies ends here.
    places.set(node, { root: node, rank });
    const parent = parentOf(comment);
    const place = { root: parent ? placeOf(parent).root : node, rank };
    places.set(node, place);
    return place;
  };
  const byRoot = Map.groupBy(comments, (comment) => placeOf(comment).root);
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
  const repliesTo = (root: Comment): Comment[] => {
    const all = byRoot.get(nodeOf(root))!.filter((reply) => reply !== root);
    const replies = all.filter(({ entry }) => !entry).sort((a, b) => placeOf(a).rank - placeOf(b).rank || a.at - b.at);
    // An entry stands where its composer was: directly below its parent, the newest press first.
    for (const entry of all.filter((comment) => comment.entry).sort((a, b) => pressedAt(a) - pressedAt(b))) {
      replies.splice(replies.findIndex(({ key }) => key === entry.parentId) + 1, 0, entry);
    }
    return replies;
  };
  const roots = comments.filter((comment) => placeOf(comment).root === nodeOf(comment));
  return { branches: roots.map((comment) => branchOf(comment)), places };
}

const pressedAt = ({ entry, at }: Comment): number => entry?.entry.pressedAt ?? at;
