/** State of a thread, and how a response changes it. */

import type { ListedPost, PostList, PostOrder } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';

/**
 * | state | entered when | left when |
 * | --- | --- | --- |
 * | `waiting` | initially, and when forum, page or BFF change | the thread comes near the viewport, or a link names a comment |
 * | `loading` | it is near, or the reader tries again | the BFF responds |
 * | `failed` | the first request failed | the reader tries again, or the browser is online again |
 * | `listed` | there are posts, or the page has brought its own | forum, page or BFF change |
 */
export type ThreadState =
  | { readonly name: 'waiting' }
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly problem: WidgetProblem }
  | Listed;

/** What a response says about the article. */
export interface Article extends Pick<PostList, 'replies' | 'actions' | 'total' | 'closed'> {
  /** When the response came, in milliseconds since the epoch. */
  readonly readAt: number;
}

export interface Listed {
  readonly name: 'listed';
  /** Without those in the page's own content. */
  readonly posts: readonly ListedPost[];
  /** `undefined`: there are no more. */
  readonly nextCursor: string | undefined;
  /** The request for more posts, or for another order. */
  readonly more: 'idle' | 'loading' | { readonly problem: WidgetProblem; readonly order?: PostOrder };
  readonly article: Article;
  /** What the list is now, with `added` posts that the reader has not asked for yet. */
  readonly newer?: { readonly list: Listed; readonly added: number } | undefined;
}

export function toListed({ posts, next_cursor, ...article }: PostList): Listed {
  const seen = new Set<string>();
  const unique = posts.filter(({ id }) => !seen.has(id) && seen.add(id));
  return { name: 'listed', posts: unique, nextCursor: next_cursor, more: 'idle', article: { ...article, readAt: Date.now() } };
}

/** Adds the posts of the next list. One that has moved there from an earlier list, because of new posts, is left out. */
export function append({ posts, newer }: Listed, next: PostList, rendered: readonly RenderedPost[]): Listed {
  const known = new Set(rendered.map(({ id }) => id));
  return {
    ...toListed({ ...next, posts: [...posts, ...next.posts.filter(({ id }) => !known.has(id))] }),
    newer: newer && { ...newer, list: append(newer.list, next, rendered) },
  };
}

/** Replaces the first list by a newer one and keeps what follows it. If nothing connects the two, only the newer one is left. */
export function refresh({ posts, nextCursor }: Listed, first: PostList): Listed {
  const last = posts.findIndex(({ id }) => id === first.posts.at(-1)?.id);
  const rest = first.next_cursor === undefined || last < 0 ? [] : posts.slice(last + 1);
  return rest.length === 0 ? toListed(first) : { ...toListed({ ...first, posts: [...first.posts, ...rest] }), nextCursor };
}

/** A post that the page has rendered itself. */
export interface RenderedPost {
  readonly id: string;
}

/** The BFF and the browser's cache serve a list for 15 s. */
export const REFRESH_AFTER_MS = 16_000;

/** Number of all posts of the article, where it is known. @param removed ids of posts that are not counted any more */
export function totalOf(
  { posts, nextCursor, article }: Listed, rendered: readonly RenderedPost[], removed: ReadonlySet<unknown>,
): number | undefined {
  const shown = [...posts, ...rendered];
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
