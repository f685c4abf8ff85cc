/** The reader's own posts beside the list: those that it does not have yet. */

import type { ListedPost } from '@vestibule/shared';
import type { OwnPost } from '../storage/reader-records.ts';
import type { Listed, RenderedPost } from './thread-state.ts';

/** How far the clocks of this device and of the service may be apart, in ms. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** The entry of the post in the list, once it is there. */
export function entryOf({ listed }: OwnPost): ListedPost | undefined {
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
  const remove = (isListed: (post: OwnPost) => boolean): void => {
    const index = left.findIndex(isListed);
    if (index >= 0) left.splice(index, 1);
  };
  for (const { id, author, message, created_at } of listed) {
    if (ownIds.has(id)) continue;
    remove((post) => author.username === post.user.username && normalize(message) === normalize(post.message)
      && post.at <= Date.parse(created_at) + CLOCK_TOLERANCE_MS);
  }
  for (const { id, text } of rendered) {
    const shown = normalize(text);
    if (ownIds.has(id)) continue;
    remove(({ user, message }) => shown.includes(normalize(user.username)) && shown.includes(normalize(message)));
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
