/** State of a thread, and how a response changes it. */

import type { ListedPost, PostList, PostOrder } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';

/**
 * | state | entered when | left when |
 * | --- | --- | --- |
 * | `waiting` | initially, and when forum, page or BFF change | the thread comes near the viewport, or a link names a comment |
 * | `loading` | it is near, or the reader tries again | the BFF responds |
 * | `failed` | the first request failed | the reader tries again, or the browser is online again |
 * | `listed` | the list is there | forum, page or BFF change |
 */
export type ThreadState =
  | { readonly name: 'waiting' }
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly problem: WidgetProblem }
  | Listed;

/** What a response says about the article. */
export interface Article extends Pick<PostList, 'replies' | 'actions' | 'total' | 'closed' | 'orders' | 'conversation'> {
  /** When the response came, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** A post that is listed stays where it is until the next load of the thread, also where later lists have it elsewhere or not at
 *  all. */
export interface Listed {
  readonly name: 'listed';
  /** In the order of their lists; before them those that the reader has asked for, of the last press first. */
  readonly posts: readonly ListedPost[];
  /** Ids of the top-level comments below which posts stand, by their ids. A reply whose parent was not there when it came is one
   *  of them, and stays one: nothing that was shown moves. */
  readonly roots: ReadonlyMap<string, string>;
  /** Of the list. */
  readonly order: PostOrder;
  /** `undefined`: there are no more. */
  readonly nextCursor: string | undefined;
  /** The request for more posts, or for another order. */
  readonly more: 'idle' | 'loading' | { readonly problem: WidgetProblem; readonly order?: PostOrder };
  readonly article: Article;
  readonly news: News;
}

/** New posts that the reader has not asked for yet. */
interface News {
  readonly posts: readonly ListedPost[];
  /** There may be more of them than these. */
  readonly hasMore: boolean;
  /** Ids in the list in which news were looked for last; `undefined` before. */
  readonly listed: ReadonlySet<string> | undefined;
}

export const NO_NEWS: News = { posts: [], hasMore: false, listed: undefined };

/** @param order that was asked for */
export function toListed({ posts, ...list }: PostList, order: PostOrder): Listed {
  const { roots, top, replies } = placed(posts);
  return {
    name: 'listed', posts: [...top, ...replies], roots, order: list.order ?? order, nextCursor: list.next_cursor,
    more: 'idle', article: { ...list, readAt: Date.now() }, news: NO_NEWS,
  };
}

/** Adds the posts of the next list. Those that are there already stay in their places. */
export function append(state: Listed, next: PostList): Listed {
  const known = idsOfPosts(state.posts);
  const { roots, top, replies } = placed(next.posts.filter(({ id }) => !known.has(id)), state.roots);
  const newer = withNewest({ ...state, posts: [...state.posts, ...top, ...replies], roots }, next.posts);
  return { ...withArticle(newer, next), nextCursor: next.next_cursor, more: 'idle' };
}

/** Adds the conversation of a link: in its place where its root is listed, otherwise first. */
export function withConversation(state: Listed, posts: readonly ListedPost[]): Listed {
  const { nextCursor, article, posts: listed } = state;
  const ids = idsOfPosts(posts);
  const root = posts.find(({ parent_id }) => parent_id === undefined || !ids.has(parent_id))?.id;
  if (listed.some(({ id }) => id === root)) return { ...append(state, { posts }), nextCursor, article };
  // A reply that stood alone joins its conversation.
  const roots = new Map([...state.roots].filter(([id]) => !ids.has(id)));
  return addFirst({ ...state, posts: listed.filter(({ id }) => !ids.has(id)), roots }, posts);
}

/** What the list says of the article now. */
export function withArticle(state: Listed, { posts: _posts, next_cursor: _cursor, order: _order, ...article }: PostList): Listed {
  return { ...state, article: { ...article, readAt: Date.now() } };
}

/** The posts that are there as a newer response has them: what they say, not where they stand. News that are there are none. */
export function withNewest(state: Listed, newest: readonly ListedPost[]): Listed {
  const byId = new Map(newest.map((post) => [post.id, post]));
  const newer = (post: ListedPost): ListedPost => {
    const { in_reply_to = post.in_reply_to, ...rest } = byId.get(post.id) ?? post;
    return { ...rest, in_reply_to };
  };
  const posts = state.posts.map(newer);
  const known = idsOfPosts(posts);
  const news = state.news.posts.filter(({ id }) => !known.has(id)).map(newer);
  return { ...state, posts, news: { ...state.news, posts: news } };
}

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

/** The reader has asked for the news. */
export function showNews(state: Listed): Listed {
  const { posts, listed } = state.news;
  return { ...addFirst(state, posts), news: { posts: [], hasMore: false, listed } };
}

/** Adds posts before the others, and a reply to one that is there behind its replies. */
export function addFirst(state: Listed, posts: readonly ListedPost[]): Listed {
  const known = idsOfPosts(state.posts);
  const { roots, top, replies } = placed(posts.filter(({ id }) => !known.has(id)), state.roots);
  return withNewest({ ...state, roots, posts: [...top, ...state.posts, ...replies] }, posts);
}

/** Where posts stand that come together, each once: at the top level in their order, below another one in the order of their
 *  times. @param before of posts that are there */
function placed(posts: readonly ListedPost[], before: Listed['roots'] = new Map()): {
  roots: Listed['roots']; top: readonly ListedPost[]; replies: readonly ListedPost[];
} {
  const roots = new Map(before);
  const byId = new Map(posts.map((post) => [post.id, post]));
  const rootOf = ({ id, parent_id }: ListedPost): string => {
    const known = roots.get(id);
    if (known !== undefined) return known;
    // A circle of replies ends here.
    roots.set(id, id);
    const parent = byId.get(parent_id!);
    const root = parent ? rootOf(parent) : roots.get(parent_id!) ?? id;
    roots.set(id, root);
    return root;
  };
  const all = [...byId.values()];
  const top = all.filter((post) => rootOf(post) === post.id);
  const replies = all.filter(({ id }) => roots.get(id) !== id).toSorted((one, other) => timeOf(one) - timeOf(other));
  return { roots, top, replies };
}

const timeOf = ({ created_at }: ListedPost): number => Date.parse(created_at);

export function idsOfPosts(posts: readonly { readonly id: string }[]): Set<string> {
  return new Set(posts.map(({ id }) => id));
}

/** Number of all posts of the article, where it is known. @param removed ids of posts that are not counted any more */
export function totalOf(
  { posts, nextCursor, article }: Listed, removed: ReadonlySet<unknown>,
): number | undefined {
  const shown = posts.filter((post) => !post.removed);
  const total = article.total ?? (nextCursor === undefined ? shown.length : undefined);
  return total === undefined ? undefined : total - shown.filter(({ id }) => removed.has(id)).length;
}

/** Why the list says that the article takes no comments, in a language; empty: without a reason. `undefined`: it takes them. */
export function closedReason(state: ThreadState, tag: string): string | undefined {
  const closed = state.name === 'listed' ? state.article.closed : undefined;
  if (typeof closed !== 'object') return closed;
  return closed[tag] ?? closed[tag.split('-')[0]!] ?? closed['en'] ?? Object.values(closed)[0] ?? '';
}

/** What the thread knows of the article, for the box. */
export interface ThreadChange {
  /** Number of all comments. */
  readonly total?: number | undefined;
  /** The number with its noun, for screen readers. */
  readonly label?: string | undefined;
  /** The article takes no comments: the reason, empty if there is none. */
  readonly closed?: string | undefined;
}
