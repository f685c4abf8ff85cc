/**
 * What the reader has done with comments of the page, by account: likes for good, edits and removals until the list shows them.
 * An act lies over a comment until that is read again, late enough for the caches of lists: one beyond the first list is not
 * read again in a visit. An edit that waits for approval is shown as a post that waits, until the list has another text. Both
 * for a week at most.
 */

import { writeRecord } from '../storage/readers.ts';
import { read } from '../storage/storage.ts';
import type { Comment } from './comment-tree.ts';

/** What was done with one comment. */
export interface Act {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message?: string | undefined;
  readonly editedAt?: string | undefined;
  /** The new text waits for approval. */
  readonly pending?: PendingEdit | undefined;
  readonly isRemoved?: true | undefined;
  readonly likes?: number | undefined;
}

interface PendingEdit {
  /** With the new text: the list may leave it out meanwhile. */
  readonly comment: Comment;
  /** Text of the list when it was edited. */
  readonly before: string;
}

export interface Acts {
  /** Ids of comments. */
  readonly liked: readonly string[];
  /** By the ids of comments. */
  readonly done: Readonly<Record<string, Act>>;
  /** When the record was written, in milliseconds since the epoch. */
  readonly at?: number | undefined;
}

const KEPT_MS = 7 * 24 * 60 * 60_000;

/** @param shown before the edit @param edited what the edit changes */
export function pendingEdit(shown: Comment, edited: Partial<Comment>, { done }: Acts): PendingEdit {
  const earlier = shown.mark === 'pending' ? done[String(shown.key)]?.pending : undefined;
  return { comment: { ...shown, ...edited, mark: 'pending' }, before: earlier?.before ?? shown.message };
}

export function readActs(storageKey: string): Acts {
  const { liked, done } = read<Acts>(storageKey) ?? {};
  return { liked: Array.isArray(liked) ? liked : [], done: Object(done) as Acts['done'] };
}

export function writeActs(storageKey: string, { liked, done }: Acts): void {
  // A removed comment of the reader may still be among those that were just posted.
  const living = Object.entries(done).filter(([, { at, isRemoved }]) => isRemoved || Date.now() - at < KEPT_MS);
  writeRecord(storageKey, { liked, done: Object.fromEntries(living), at: Date.now() } satisfies Acts);
}

/** The list that acts lie over. */
interface Under {
  /** It is there, not the page's own content alone. */
  readonly isRead: boolean;
  /** When each comment was requested last, by ids, in milliseconds since the epoch. */
  readonly readAt: ReadonlyMap<unknown, number>;
  /** How old a response may be. */
  readonly maxAgeMs: number;
  /** Ids of comments that leave a line in their place. */
  readonly deleted: ReadonlySet<string>;
}

/** The comments as the reader has left them. A removed one stays, without its text, while there are replies to it. */
export function withActs(
  comments: readonly Comment[], { liked, done }: Acts, { isRead, readAt, maxAgeMs, deleted }: Under,
): readonly Comment[] {
  const likes = new Set(liked);
  const ids = new Set(comments.map(({ key }) => key));
  const parents = new Set(comments.map(({ parentId }) => parentId));
  const unlisted = Object.values(done).flatMap(({ at, isRemoved, pending }) => (
    pending && !isRemoved && isRead && Date.now() - at < KEPT_MS && !ids.has(pending.comment.key) ? [pending.comment] : []
  ));
  return [...unlisted, ...comments.flatMap((comment) => {
    const id = String(comment.key);
    const any = Object.hasOwn(done, id) ? done[id] : undefined;
    // An entry may be in no list.
    const isNewer = any && any.at + maxAgeMs > (readAt.get(id) ?? 0);
    const isWaiting = any?.pending?.before === comment.message;
    const act = isNewer || (isWaiting && Date.now() - any.at < KEPT_MS) ? any : undefined;
    if (act?.isRemoved || deleted.has(id)) {
      return parents.has(id) || deleted.has(id) ? { ...comment, isRemoved: true, username: '', message: '' } : [];
    }
    const { message = comment.message, editedAt = comment.editedAt, pending } = act ?? {};
    return {
      ...comment, message, editedAt, likes: isNewer ? any.likes ?? comment.likes : comment.likes, isLiked: likes.has(id),
      mark: pending ? 'pending' as const : comment.mark,
    };
  })];
}
