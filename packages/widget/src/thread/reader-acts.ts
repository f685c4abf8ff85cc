/**
 * What the reader has done with comments of the page, by account: likes for good, edits and removals until the list shows them.
 * The public list is up to 15 s old, and the browser may keep it as long: what the reader did lies over it for a minute at most.
 * An edit that waits for approval is shown as a post that waits: for a week, or until the list has another text.
 */

import { read, write } from '../storage/storage.ts';
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

/** How long an act lies over the list. */
const OVERLAY_MS = 60_000;
const PENDING_MS = 7 * 24 * 60 * 60_000;

/** @param shown before the edit @param edited what the edit changes */
export function pendingEdit(shown: Comment, edited: Partial<Comment>, { done }: Acts): PendingEdit {
  const earlier = shown.mark === 'pending' ? done[String(shown.key)]?.pending : undefined;
  return { comment: { ...shown, ...edited, mark: 'pending' }, before: earlier?.before ?? shown.message };
}

export function readActs(storageKey: string): Acts {
  const { liked, done } = read<Acts>(storageKey) ?? {};
  return { liked: Array.isArray(liked) ? liked : [], done: Object(done) as Acts['done'] };
}

export function writeActs(storageKey: string, { liked, done }: Acts): boolean {
  // A removed comment of the reader may still be among those that were just posted.
  const living = Object.entries(done).filter(([, { at, isRemoved, pending }]) => (
    isRemoved || Date.now() - at < (pending ? PENDING_MS : OVERLAY_MS)
  ));
  return write(storageKey, { liked, done: Object.fromEntries(living), at: Date.now() } satisfies Acts);
}

/** The list that acts lie over. */
interface Under {
  /** When it was read last and first, in milliseconds since the epoch. What was removed since the first may still be there. */
  readonly readAt: number;
  readonly loadedAt: number;
  /** How old it may have been then. */
  readonly maxAgeMs: number;
  /** Ids of comments that leave a line in their place. */
  readonly deleted: ReadonlySet<string>;
}

/** The comments as the reader has left them. A removed one stays, without its text, while there are replies to it. */
export function withActs(
  comments: readonly Comment[], { liked, done }: Acts, { readAt, loadedAt, maxAgeMs, deleted }: Under,
): readonly Comment[] {
  const likes = new Set(liked);
  const ids = new Set(comments.map(({ key }) => key));
  const parents = new Set(comments.map(({ parentId }) => parentId));
  const unlisted = Object.values(done).flatMap(({ at, isRemoved, pending }) => (
    pending && !isRemoved && readAt > 0 && Date.now() - at < PENDING_MS && !ids.has(pending.comment.key) ? [pending.comment] : []
  ));
  return [...unlisted, ...comments.flatMap((comment) => {
    const id = String(comment.key);
    const any = Object.hasOwn(done, id) ? done[id] : undefined;
    const isWaiting = any?.pending?.before === comment.message && Date.now() - any.at < PENDING_MS;
    const isLeft = any?.isRemoved && any.at + maxAgeMs > loadedAt;
    const act = any && (isWaiting || isLeft || comment.entry !== undefined || Date.now() - any.at < OVERLAY_MS) ? any : undefined;
    if (act?.isRemoved) return parents.has(id) || deleted.has(id) ? { ...comment, isRemoved: true, username: '', message: '' } : [];
    const { message = comment.message, editedAt = comment.editedAt, pending } = act ?? {};
    const isCounted = act?.likes === undefined || readAt > act.at + maxAgeMs;
    return {
      ...comment, message, editedAt, likes: isCounted ? comment.likes : act.likes, isLiked: likes.has(id),
      mark: pending ? 'pending' as const : comment.mark,
    };
  })];
}
