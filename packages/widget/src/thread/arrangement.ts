/** The comments that a thread shows, as the reader has left them: in branches, each comment where it was drawn before. */

import { idsOf } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { ThreadActions } from './actions.ts';
import { fromEntry, fromListed, type Comment } from './comment-tree.ts';
import { NO_NEWS, type ThreadState } from './thread-state.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

export interface Branch {
  readonly comment: Comment;
  /** Of a reply that does not stand directly below its parent: id of that, name of its author, if it is known, and whether it is
   *  in the thread. */
  readonly parent: string | undefined;
  readonly parentName: string | undefined;
  readonly isParentHere: boolean;
  readonly replies: readonly Branch[];
}

/** The comments of a thread. Each is there once: the page's own, else an entry, else that of the list. */
export function arrange(host: VestibuleThread, state: ThreadState, actions: ThreadActions | undefined): readonly Branch[] {
  const { posts = [], roots = new Map<string, string>(), news = NO_NEWS } = state.name === 'listed' ? state : {};
  const { own, entries, userKey, account, rendered } = host;
  const isRendered = ({ entry }: ShownEntry): boolean => idsOf(entry).some((id) => rendered.has(id));
  const comments = [
    ...entries.filter((shown) => !isRendered(shown)).map((shown) => fromEntry(shown, [...posts, ...news.posts], account)),
    ...posts.filter(({ id }) => !own.has(id)).map((post) => fromListed(post, userKey)),
  ];
  return toBranches(actions?.arrange(comments) ?? comments, roots);
}

/** Top-level comments and replies in the order of `comments`. An entry stands where its composer was: directly below its parent.
 *  @param roots ids of the top-level comments below which posts stand, by their ids */
function toBranches(comments: readonly Comment[], roots: ReadonlyMap<string, string>): Branch[] {
  const byKey = new Map<unknown, Comment>(comments.map((comment) => [comment.key, comment]));
  const rootOf = (comment: Comment): Comment => {
    const { key, parentId, entry } = comment;
    const root = byKey.get(entry ? roots.get(parentId!) ?? parentId : roots.get(String(key))) ?? comment;
    return root === comment ? root : rootOf(root);
  };
  const byRoot = new Map<Comment, Comment[]>();
  for (const comment of comments) {
    const root = rootOf(comment);
    const others = byRoot.get(root);
    if (others) others.push(comment);
    else byRoot.set(root, [comment]);
  }
  const branchOf = (comment: Comment, root?: Comment): Branch => {
    const { key, parentId } = comment;
    const parent = parentId === key || parentId === root?.key ? undefined : parentId;
    return {
      comment, parent, parentName: parent === undefined ? undefined : byKey.get(parent)?.username ?? comment.inReplyTo,
      isParentHere: byKey.has(parent),
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
