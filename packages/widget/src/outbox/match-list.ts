/** Which listed comments are entries of the outbox. Pure. */

import type { ListedPost } from '@vestibule/shared';
import { isHeld, type OutboxEntry } from './outbox-entry.ts';
import { idsOf } from './press.ts';

/** A list that is so much younger than a post has it, in ms. */
const OUTLIVED_MS = 10 * 60_000;

/**
 * The posted entries that the list has something to say of, by id: the id of their comment; `undefined`: the list is so young
 * that it has the comment, wherever that is, or it was removed.
 * @param readAt when the list was read, by this browser's clock
 */
export function matchList(
  entries: readonly OutboxEntry[], posts: readonly ListedPost[], readAt: number,
): ReadonlyMap<string, string | undefined> {
  const matches = new Map<string, string | undefined>();
  for (const entry of entries) {
    const ids = idsOf(entry);
    const post = posts.find(({ id }) => ids.includes(id));
    if (post || isOutlived(entry, readAt)) matches.set(entry.id, post?.id);
  }
  return matches;
}

function isOutlived(entry: OutboxEntry, readAt: number): boolean {
  return entry.state === 'posted' && !isHeld(entry) && readAt - entry.postedAt >= OUTLIVED_MS;
}
