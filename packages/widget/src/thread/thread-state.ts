/** State of a thread, and what it shows of the reader's own posts. */

import type { ListedPost, PostList } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { OwnPost } from '../storage/reader-records.ts';

/**
 * | state | entered when | left when |
 * | --- | --- | --- |
 * | `waiting` | initially, and when forum, page or BFF change | the thread comes near the viewport |
 * | `loading` | it is near, or the reader tries again | the BFF responds |
 * | `failed` | the first request failed | the reader tries again, or the browser is online again |
 * | `listed` | there are posts, or the page has brought its own | forum, page or BFF change |
 */
export type ThreadState =
  | { readonly name: 'waiting' }
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly problem: WidgetProblem }
  | {
    readonly name: 'listed';
    /** Without those in the page's own content. */
    readonly posts: readonly ListedPost[];
    /** `undefined`: there are no more. */
    readonly nextCursor: string | undefined;
    /** The request for more posts. */
    readonly more: 'idle' | 'loading' | { readonly problem: WidgetProblem };
  };

export type Listed = Extract<ThreadState, { name: 'listed' }>;

export function toListed({ posts, next_cursor }: PostList): Listed {
  return { name: 'listed', posts, nextCursor: next_cursor, more: 'idle' };
}

/** Adds the posts of the next list. One that has moved there from an earlier list, because of new posts, is left out. */
export function append({ posts }: Listed, next: PostList, isKnown: (id: string) => boolean): Listed {
  const known = new Set(posts.map(({ id }) => id));
  return toListed({ ...next, posts: [...posts, ...next.posts.filter(({ id }) => !known.has(id) && !isKnown(id))] });
}

/** Replaces the first list by a newer one and keeps what follows it. If nothing connects the two, only the newer one is left. */
export function refresh(listed: Listed, first: PostList): Listed {
  const last = listed.posts.findIndex(({ id }) => id === first.posts.at(-1)?.id);
  const rest = first.next_cursor === undefined || last < 0 ? [] : listed.posts.slice(last + 1);
  if (rest.length === 0) return toListed(first);
  const fresh = new Set(first.posts.map(({ id }) => id));
  return { ...listed, posts: [...first.posts, ...rest.filter(({ id }) => !fresh.has(id))] };
}

/** A post that the page has rendered itself. */
export interface RenderedPost {
  readonly id: string;
  /** Everything that it shows. */
  readonly text: string;
}

/** How far the clocks of this device and of the service may be apart, in ms. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * The reader's own posts that are not in the list yet, newest first. A listed post stands for one own post: for the one with its
 * id (a publisher's list may have ids of its own), otherwise for one by the same author with the same text that is not younger.
 */
export function unlistedPosts(
  own: readonly OwnPost[], listed: readonly ListedPost[], rendered: readonly RenderedPost[],
): readonly OwnPost[] {
  const ids = new Set([...listed, ...rendered].map(({ id }) => id));
  const ownIds = new Set(own.map(({ id }) => id));
  const left = own.filter(({ id }) => id === undefined || !ids.has(id));
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

/** A service may store other line ends and fewer spaces. */
function normalize(text: string): string {
  return text.normalize().replace(/\s+/g, ' ').trim();
}
