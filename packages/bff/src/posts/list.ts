/** The posts of an article, from the publisher's `posts.list` hook. Identical reads share one call and its result for 15 s, or
 *  until this process creates a post on the page. A stale result is refreshed once in 15 s, and lasts ten minutes. */

import { createHmac, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { PostList, PostOrder } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { ListResult } from '../config/types.ts';
import type { RunHook } from '../hooks.ts';
import { ProblemError } from '../problem.ts';
import type { Clock } from '../lib/time.ts';

export interface PostListQuery {
  readonly forum: string;
  /** Normalized URL of the article. */
  readonly page: string;
  readonly order: PostOrder;
  /** As `GET /posts` issued it; it keeps its order. */
  readonly cursor?: string | undefined;
}

export interface CachedPostList {
  readonly list: PostList;
  readonly body: Buffer;
  readonly etag: string;
  readonly fetchedAt: number;
}

export const orders: readonly PostOrder[] = ['newest', 'oldest'];

export const FRESH_MS = 15_000;

/** Maximum age of a stale result. */
const MAX_STALE_MS = 10 * 60_000;

const MAX_POSTS = 100;
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 5_000;

const ENTRY_BYTES = 1024;

const plainText = (maxLength: number) => z.string().max(maxLength).refine((text) => text.isWellFormed());
const id = plainText(256).min(1);
const reason = plainText(1_000);

/** A post as the publisher's hooks describe it. `created_at` is ISO 8601; without an offset it is UTC. */
export const postEntry = z.strictObject({
  id,
  parent_id: id.optional(),
  author: z.strictObject({ username: plainText(255), badge: plainText(64).min(1).optional() }),
  message: z.string().refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES),
  created_at: z.iso.datetime({ offset: true, local: true }).transform((text) => /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`),
  state: z.enum(['published', 'pending']).optional(),
});

/** For the log. */
export const ENTRY = '{ id, parent_id?, author: { username, badge? }, message, created_at, state? }';

const listResult = z.strictObject({
  posts: z.array(postEntry).max(MAX_POSTS),
  total: z.number().int().nonnegative().optional(),
  closed: z.union([reason, z.record(z.string(), reason)]).optional(),
  nextCursor: plainText(512).min(1).optional(),
}).refine((result) => Buffer.byteLength(JSON.stringify(result)) <= MAX_LIST_BYTES);

export interface PostListsDeps {
  readonly config: Pick<Config, 'cookieSecrets' | 'posts'>;
  readonly runHook: RunHook;
  readonly now: Clock;
  /** Of failures that no response shows. */
  readonly log: Pick<Logger, 'warn'>;
}

interface Entry {
  cached?: CachedPostList;
  fetching?: Promise<CachedPostList> | undefined;
  calledAt: number;
  /** A post was created after the last call began. */
  isExpired: boolean;
}

type Article = Pick<PostListQuery, 'forum' | 'page'>;
type Ordered = Omit<PostListQuery, 'cursor'>;

export type PostLists = ReturnType<typeof createPostLists>;

/** @returns `undefined` without a `posts.list` hook */
export function createPostLists({ config, runHook, now, log }: PostListsDeps) {
  const { list, replies } = config.posts;
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ cached }, key) => ENTRY_BYTES + key.length + (cached?.body.length ?? 0),
  });
  return list && { find, expire };

  /** @param admit runs before a list is read that is not cached; may throw
   *  @throws {ProblemError} `invalid-request` for a cursor of others; `internal-error` if the hook fails without a result */
  async function find({ cursor, ...query }: PostListQuery, admit?: () => Promise<void>): Promise<CachedPostList> {
    const found: PostListQuery = cursor === undefined ? query : verified(cursor, query);
    const key = `${keyOf(query)} ${found.order} ${found.cursor ?? ''}`;
    const entry: Entry = entries.get(key) ?? { calledAt: -Infinity, isExpired: false };
    const fetch = () => entry.fetching ?? read(key, found, entry);
    const { cached } = entry;
    if (!cached || now() - cached.fetchedAt > MAX_STALE_MS) {
      if (!entry.fetching) await admit?.();
      return fetch();
    }
    const isDue = now() - cached.fetchedAt >= FRESH_MS && (entry.fetching || now() - entry.calledAt >= FRESH_MS);
    const { isExpired } = entry;
    if (!isExpired && !isDue) return cached;
    const refreshed = fetch().catch((error: unknown) => {
      log.warn({ err: error, ...(error instanceof ProblemError && error.diagnosis) }, 'posts.list failed; readers get an earlier list');
      return cached;
    });
    // Who has just posted waits for the list with the post.
    return isExpired ? refreshed : cached;
  }

  /** The next read of the article calls the hook: it has a new post. */
  function expire(article: Article): void {
    for (const [key, entry] of entries.entries()) {
      // A call that is in progress may lack the post.
      if (key.startsWith(`${keyOf(article)} `)) Object.assign(entry, { isExpired: true, fetching: undefined });
    }
  }

  function read(key: string, query: PostListQuery, entry: Entry): Promise<CachedPostList> {
    const fetching = runHook({
      name: 'posts.list',
      hook: list as NonNullable<typeof list>,
      context: query,
      result: listResult as z.ZodType<ListResult>,
      expected: `{ posts: [${ENTRY}], total?, closed?, nextCursor? }: at most ${MAX_POSTS} posts, `
        + '64 KiB each, 1 MiB in all, created_at in ISO 8601',
      detail: 'The comments cannot be loaded just now.',
    }).then((result) => {
      const cached = cachedOf(result, query);
      if (entry.fetching === fetching) entry.cached = cached;
      return cached;
    }).finally(() => {
      if (entry.fetching === fetching) entry.fetching = undefined;
      entries.set(key, entry);
    });
    Object.assign(entry, { fetching, calledAt: now(), isExpired: false });
    entries.set(key, entry);
    return fetching;
  }

  function cachedOf({ posts, total, closed, nextCursor }: ListResult, query: Ordered): CachedPostList {
    const postList: PostList = {
      posts: posts.filter(({ state }) => state !== 'pending').map(({ state: _, ...post }) => post),
      ...(replies && { replies }),
      ...(total !== undefined && { total }),
      ...(closed !== undefined && { closed }),
      ...(nextCursor !== undefined && { next_cursor: `${nextCursor}.${macsOf(nextCursor, query)[0]}` }),
    };
    const body = Buffer.from(JSON.stringify(postList));
    return { list: postList, body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, fetchedAt: now() };
  }

  /** The cursor of the hook, with its order. */
  function verified(signed: string, query: Ordered): PostListQuery {
    const dot = signed.lastIndexOf('.');
    const cursor = signed.slice(0, Math.max(dot, 0));
    const order = orders.find((one) => macsOf(cursor, { ...query, order: one }).includes(signed.slice(dot + 1)));
    if (cursor === '' || !order) throw new ProblemError('invalid-request', { detail: 'cursor is not one of this list.' });
    return { ...query, order, cursor };
  }

  /** By secret, the newest first. */
  function macsOf(cursor: string, { forum, page, order }: Ordered): readonly string[] {
    const signed = JSON.stringify(['cursor', forum, page, order, cursor]);
    return config.cookieSecrets.map((secret) => createHmac('sha256', secret).update(signed).digest('base64url').slice(0, 22));
  }
}

/** Neither part has a space. */
function keyOf({ forum, page }: Article): string {
  return `${forum} ${page}`;
}
