/** What hooks return of an article: pages of its posts (`posts.list`), and what stands around one (`posts.conversation`). */

import type { Logger } from 'pino';
import type { PostConversation, PostList, PostOrder } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { createKeyedHashes, type KeyedHashes } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';
import { parseEntries } from './entry.ts';
import { createReads, type CachedRead } from './reads.ts';

export interface PostListQuery {
  readonly forum: string;
  /** URL of the article, of `parsePage`. */
  readonly page: string;
  /** One that is not offered is read as `newest`. */
  readonly order: PostOrder;
  /** As `GET /posts` issued it; it keeps its order. */
  readonly cursor?: string | undefined;
}

const MAX_LISTS = 5_000;

const DEFAULT_ORDERS: readonly PostOrder[] = ['newest', 'oldest'];

export interface PostListsDeps {
  readonly config: Pick<Config, 'cookieSecrets' | 'posts'>;
  readonly hooks: Hooks;
  readonly userKeys: KeyedHashes;
  readonly now: Clock;
  /** Of failures that no response shows. */
  readonly log: Pick<Logger, 'warn'>;
}

export type FindPosts = ReturnType<typeof createPostLists>;

/** @returns `undefined` without a `posts.list` hook */
export function createPostLists({ config, hooks, userKeys, now, log }: PostListsDeps) {
  const { replies, orders: offered = DEFAULT_ORDERS } = config.posts;
  const actions = (['edit', 'remove', 'like'] as const).filter((action) => hooks.has(`posts.${action}`));
  const { keyOf, isKeyOf } = createKeyedHashes(config, 'cursor');
  const isDefault = offered.length === DEFAULT_ORDERS.length && DEFAULT_ORDERS.every((order) => offered.includes(order));
  const read = createReads({ config, maxEntries: MAX_LISTS, hook: 'posts.list', read: call, now, log });
  return hooks.has('posts.list') ? find : undefined;

  /** @param admit runs before a list is read that is not cached; may throw
   *  @throws {ProblemError} `invalid-request` for a cursor of others; `internal-error` if the hook fails without a result */
  async function find({ cursor, ...query }: PostListQuery, admit?: () => Promise<void>): Promise<CachedRead> {
    const order = offered.includes(query.order) ? query.order : 'newest';
    const found: PostListQuery = cursor === undefined ? { ...query, order } : verified(cursor, query);
    return read(found, [found.forum, found.page, found.order, found.cursor ?? ''], admit);
  }

  async function call(query: PostListQuery): Promise<{ value: PostList; faults: string }> {
    const { posts: entries, total, closed, nextCursor } = await hooks.run('posts.list', query);
    const { posts, faults } = parseEntries(entries, userKeys.keyOf);
    const value: PostList = {
      posts,
      order: query.order,
      ...(!isDefault && { orders: offered }),
      ...(hooks.has('posts.conversation') && { conversation: true }),
      ...(replies && { replies }),
      ...(actions.length > 0 && { actions }),
      ...(total != null && { total }),
      ...(closed != null && { closed }),
      ...(nextCursor != null && { next_cursor: `${nextCursor}.${keyOf(signedText(query, nextCursor))}` }),
    };
    return { value, faults };
  }

  /** The cursor of the hook, with its order. A hook gets its own cursors only: each is signed with what it belongs to. */
  function verified(given: string, query: Omit<PostListQuery, 'cursor'>): PostListQuery {
    const dot = given.lastIndexOf('.');
    const cursor = given.slice(0, Math.max(dot, 0));
    const order = offered.find((one) => isKeyOf(given.slice(dot + 1), signedText({ ...query, order: one }, cursor)));
    if (order === undefined || cursor === '') throw new ProblemError('invalid-request', { detail: 'cursor is not one of this list.' });
    return { ...query, order, cursor };
  }
}

function signedText({ forum, page, order }: PostListQuery, cursor: string): string {
  return JSON.stringify([forum, page, order, cursor]);
}

const MAX_CONVERSATIONS = 1_000;

export interface ConversationQuery {
  readonly id: string;
  readonly forum: string;
  /** URL of the article, of `parsePage`. */
  readonly page: string;
}

export type FindConversation = ReturnType<typeof createPostConversations>;

/** @returns `undefined` without the hook */
export function createPostConversations({ config, hooks, userKeys, now, log }: PostListsDeps) {
  const read = createReads({ config, maxEntries: MAX_CONVERSATIONS, hook: 'posts.conversation', read: call, now, log });
  return hooks.has('posts.conversation') ? find : undefined;

  /** @param admit runs before a conversation is read that is not cached; may throw
   *  @throws {ProblemError} `internal-error` if the hook fails without a result */
  function find(query: ConversationQuery, admit?: () => Promise<void>): Promise<CachedRead> {
    return read(query, [query.forum, query.page, query.id], admit);
  }

  async function call(query: ConversationQuery): Promise<{ value: PostConversation; faults: string }> {
    const { posts: entries } = await hooks.run('posts.conversation', query);
    const { posts, faults } = parseEntries(entries, userKeys.keyOf);
    // A comment that is held is not there: a link to it must not lead to its neighbours.
    return { value: { posts: posts.some(({ id }) => id === query.id) ? posts : [] }, faults };
  }
}
