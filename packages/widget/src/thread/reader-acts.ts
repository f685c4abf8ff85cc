/**
 * What the reader has done with comments of the page, by account: likes until the sign-out, edits and removals until the list
 * shows them. An act lies over a comment until that is read again, late enough for the caches of lists: one beyond the first list
 * is not read again in a visit. An edit that waits for approval lies over it until the list has another text. All but likes end
 * after a week (`expired-records.ts`), as comments do that wait for approval and are in no list.
 */

import { LIST_AGE_MS } from '../client/client.ts';
import { read } from '../storage/storage.ts';
import type { Comment } from './comment-tree.ts';

/** What was done with one comment. */
export interface Act {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message?: string | undefined;
  readonly editedAt?: string | undefined;
  /** Of an edit that waits for approval: the text of the list when it was edited. */
  readonly before?: string | undefined;
  readonly isRemoved?: true | undefined;
  readonly likes?: number | undefined;
}

export interface Acts {
  /** Ids of comments. */
  readonly liked: readonly string[];
  /** By the ids of comments. */
  readonly done: Readonly<Record<string, Act>>;
}

export function readActs(storageKey: string): Acts {
  const { liked, done } = read<Acts>(storageKey) ?? {};
  return { liked: Array.isArray(liked) ? liked : [], done: Object(done) as Acts['done'] };
}

/** The comments as the reader has left them: those with no act over them are the same objects. A removed one stays, without its
 *  text, while there are replies to it.
 *  @param readAt when each comment was requested last, by ids, in milliseconds since the epoch
 *  @param deleted ids of comments that leave a line in their place */
export function withActs(
  comments: readonly Comment[], { liked, done }: Acts, readAt: ReadonlyMap<unknown, number>, deleted: ReadonlySet<string>,
): readonly Comment[] {
  const likes = new Set(liked);
  const parents = new Set(comments.map(({ parentId }) => parentId));
  return comments.flatMap((comment) => {
    const id = String(comment.key);
    const any = Object.hasOwn(done, id) ? done[id] : undefined;
    // An entry may be in no list.
    const isNewer = any && any.at + LIST_AGE_MS > (readAt.get(id) ?? 0);
    const act = isNewer || any?.before === comment.message ? any : undefined;
    if (act?.isRemoved || deleted.has(id)) {
      return parents.has(id) || deleted.has(id) ? { ...comment, isRemoved: true, username: '', message: '' } : [];
    }
    if (!act && !likes.has(id)) return comment;
    const { message = comment.message, editedAt = comment.editedAt, before } = act ?? {};
    return {
      ...comment, message, editedAt, likes: isNewer ? any.likes ?? comment.likes : comment.likes, isLiked: likes.has(id),
      mark: before === undefined ? comment.mark : 'pending' as const,
    };
  });
}
