/** New posts in a list in which they are looked for: that of the latest publications, or that of the newest posts. */

import type { ListedPost, PostList } from '@vestibule/shared';
import { idsOfPosts, withArticle, withNewest, type Listed, type RenderedPost } from './thread-state.ts';

/** What the page shows. */
export interface Shown {
  readonly state: Listed;
  readonly rendered: readonly RenderedPost[];
  /** Ids of other posts that are shown: they are no news, but what the list says of them is kept with these. */
  readonly own: ReadonlySet<string>;
}

/**
 * The state after the response `next`, with the news in it. A post that is not known is new if it was written after the first
 * list was read, or stands before one that is known: a post that an editor has approved late stands there too. What stands behind
 * is an older one, which has moved up because another one was removed. Where no list tells what there was before, only the time
 * counts.
 */
export function withNews({ state, rendered, own }: Shown, next: PostList): Listed {
  const shown = [...state.first, ...state.posts];
  const known = idsOfPosts([...shown, ...rendered]);
  const isKnown = ({ id }: ListedPost): boolean => known.has(id) || state.news.listed?.has(id) === true;
  const hasBase = state.news.listed !== undefined || (state.order === 'newest' && next.order !== 'latest');
  const waiting = idsOfPosts(state.news.posts);
  const last = next.posts.findLastIndex((post) => isKnown(post) || waiting.has(post.id));
  const isAllKnown = hasBase && next.order !== 'latest' && state.nextCursor === undefined && !state.article.conversation;
  const newestAt = Math.max(...shown.map(timeOf));
  const isNew = (post: ListedPost, index: number): boolean => isAllKnown || timeOf(post) > state.load.at
    || (hasBase && (last < 0 ? timeOf(post) >= newestAt : index < last));
  const newer = withNewest(withArticle(state, next), next.posts);
  const added = next.posts.filter((post, index) => (
    !isKnown(post) && !waiting.has(post.id) && !post.removed && isNew(post, index)
  ));
  const hasMore = newer.news.hasMore || (added.some(({ id }) => !own.has(id)) && last < 0 && next.next_cursor !== undefined);
  return { ...newer, news: { posts: [...added, ...newer.news.posts], hasMore, listed: idsOfPosts(next.posts) } };
}

const timeOf = ({ created_at }: ListedPost): number => Date.parse(created_at);
