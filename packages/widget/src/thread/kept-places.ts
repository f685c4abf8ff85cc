/** Comments that keep their place, whatever the list has. */

import type { Comment } from './comment-tree.ts';

/** What the reader does with a comment. */
interface Uses {
  /** They reply to it or edit it. */
  readonly isUsed: (key: Comment['key']) => boolean;
  /** They have deleted it in this visit: a line stands in its place. */
  readonly isDeleted: (key: Comment['key']) => boolean;
}

/** The comments `next`, with those of `before` that keep their place: one that is used stays as it is, also if it was removed
 *  meanwhile. Where another order lacks it, it stands first. */
export function keepPlaces(
  next: readonly Comment[], before: readonly Comment[], { isUsed, isDeleted }: Uses,
): readonly Comment[] {
  const list = [...next];
  const indexOf = (key: Comment['key']): number => list.findIndex((comment) => comment.key === key);
  for (const [place, comment] of before.entries()) {
    const { key, isRemoved } = comment;
    const isLine = isDeleted(key);
    if (!isLine && (isRemoved || !isUsed(key))) continue;
    const index = indexOf(key);
    if (index < 0 && !isLine) list.unshift(comment);
    else if (index < 0) {
      const follower = before.slice(place + 1).find((one) => indexOf(one.key) >= 0);
      list.splice(follower ? indexOf(follower.key) : list.length, 0, { ...comment, isRemoved: true, username: '', message: '' });
    } else if (!isLine && list[index]!.isRemoved) list[index] = comment;
  }
  return list;
}
