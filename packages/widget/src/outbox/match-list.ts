/** Which listed comments are entries of the outbox. Pure. */

import type { ListedPost } from '@vestibule/shared';
import { isHeld, type OutboxEntry } from './outbox-entry.ts';
import { idsOf } from './press.ts';

/** A list that is so much younger than a post has it, in ms. */
const OUTLIVED_MS = 10 * 60_000;

/**
 * The entries that the list has something to say of, by id: the id of their comment; `undefined`: the list is so young that it
 * has the comment, wherever that is, or it was removed.
 *
 * An entry without an id takes that of a comment of its reader with its text and parent that no other entry has, and that is
 * not older than its press, by the BFF's clock (whole seconds: `Date` and many lists have no other). Without that measure it
 * takes none. One comment is for one entry, the first press first.
 * @param entries of one account at one article, in the order of their presses
 * @param readAt when the list was read, by this browser's clock
 */
export function matchList(
  entries: readonly OutboxEntry[], posts: readonly ListedPost[], readAt: number,
): ReadonlyMap<string, string | undefined> {
  const matches = new Map<string, string | undefined>();
  const byTime = posts.toSorted((one, other) => timeOf(one) - timeOf(other));
  const taken = new Set(entries.flatMap(idsOf));
  for (const entry of entries) {
    const ids = idsOf(entry);
    const isFound = ids.length > 0
      ? ({ id }: ListedPost): boolean => ids.includes(id)
      : (one: ListedPost): boolean => !taken.has(one.id) && isOf(one, entry);
    const post = byTime.find(isFound);
    if (post) taken.add(post.id);
    if (post || isOutlived(entry, readAt)) matches.set(entry.id, post?.id);
  }
  return matches;
}

function isOf(post: ListedPost, { user, text, parent, notBefore, state }: OutboxEntry): boolean {
  const { author, message, parent_id } = post;
  if (state === 'failed' || notBefore === undefined || user.key === undefined || author.key !== user.key) return false;
  return normalize(message) === normalize(text) && parent_id === parent && secondOf(timeOf(post)) >= secondOf(notBefore);
}

const timeOf = ({ created_at }: ListedPost): number => Date.parse(created_at);
const secondOf = (ms: number): number => Math.floor(ms / 1000);

function isOutlived(entry: OutboxEntry, readAt: number): boolean {
  return entry.state === 'posted' && !isHeld(entry) && readAt - entry.postedAt >= OUTLIVED_MS;
}

/** A service may store other line ends and fewer spaces. */
function normalize(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}
