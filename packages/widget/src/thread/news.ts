/** New posts in the list of the newest ones. */

import type { ListedPost, PostList } from '@vestibule/shared';
import { idsOfPosts, withArticle, withNewest, type Listed } from './thread-state.ts';

/**
 * The state after the response `next`, with the news in it. A post that is not known is new if it stands before one that is known
 * or answers one: what stands behind is an older one, which has moved up because another one was removed. In another order than
 * the newest first, the first look only tells what there was before, unless the thread is loaded as a whole.
 * @param own ids of other posts that are shown: they are no news, but what the list says of them is kept with these
 */
export function withNews(state: Listed, own: ReadonlySet<string>, next: PostList): Listed {
  const shown = idsOfPosts(state.posts);
  const isKnown = ({ id }: { readonly id: string }): boolean => shown.has(id) || state.news.listed?.has(id) === true;
  const isWhole = state.nextCursor === undefined;
  const hasBase = isWhole || state.news.listed !== undefined || state.order === 'newest';
  const waiting = idsOfPosts(state.news.posts);
  const last = next.posts.findLastIndex((post) => isKnown(post) || waiting.has(post.id));
  const isNew = ({ parent_id }: ListedPost, index: number): boolean => (
    isWhole || last < 0 || index < last || (parent_id !== undefined && shown.has(parent_id))
  );
  const newer = withNewest(withArticle(state, next), next.posts);
  const added = hasBase ? next.posts.filter((post, index) => (
    !isKnown(post) && !waiting.has(post.id) && !post.removed && isNew(post, index)
  )) : [];
  const hasMore = newer.news.hasMore || (added.some(({ id }) => !own.has(id)) && last < 0 && next.next_cursor !== undefined);
  return { ...newer, news: { posts: [...added, ...newer.news.posts], hasMore, listed: idsOfPosts(next.posts) } };
}
