/**
 * The posts of an article, from the publisher's `posts.list` hook. Identical reads share one call of the hook and its result
 * for 15 s, or until this process creates a post on the page. If the hook fails, the last good result is served for ten
 * minutes, marked stale.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { PostList } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { HookContext, ListResult, PostHooks } from '../config/hooks.ts';
import { runHook } from '../config/run-hook.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { Clock } from '../lib/time.ts';

export interface PostListQuery {
  readonly forum: string;
  /** Normalized URL of the article. */
  readonly page: string;
  readonly cursor?: string | undefined;
}

export interface CachedPostList {
  readonly list: PostList;
  /** The list as JSON. */
  readonly body: Buffer;
  /** Strong entity tag of `body`. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** Number of expirations in this process when the hook was called. */
  readonly expirations: number;
}

/** How long a result is fresh, in seconds. */
export const FRESH_SECONDS = 15;

/** Maximum age of a stale result, in ms. */
const MAX_STALE_MS = 10 * 60_000;

const MAX_POSTS = 100;
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_EXPIRED_PAGES = 10_000;

const plainText = (maxLength: number) => z.string().max(maxLength).refine((text) => text.isWellFormed());

const listResult = z.strictObject({
  posts: z.array(z.strictObject({
    id: plainText(256).min(1),
    author: z.strictObject({ username: plainText(255) }),
    message: z.string().refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES),
    created_at: z.iso.datetime({ offset: true }),
  })).max(MAX_POSTS),
  nextCursor: plainText(512).min(1).optional(),
}).refine((result) => Buffer.byteLength(JSON.stringify(result)) <= MAX_LIST_BYTES);

export interface PostListsDeps {
  readonly config: Pick<Config, 'hookTimeoutMs'>;
  readonly list: NonNullable<PostHooks['list']>;
  readonly service: HookContext['service'];
  readonly now: Clock;
  /** Of failures that no response shows. */
  readonly log: Pick<Logger, 'warn'>;
}

interface FetchContext extends PostListQuery {
  /** An earlier result answers if the hook fails. */
  readonly hasStale: boolean;
}

export class PostLists {
  readonly #cache: LRUCache<string, CachedPostList, FetchContext>;
  /** By page: the number of its last expiration. Kept until each result from before it is 15 s old. */
  readonly #expired: LRUCache<string, number>;
  readonly #now: Clock;
  #expirations = 0;

  constructor({ config, list, service, now, log }: PostListsDeps) {
    this.#now = now;
    this.#expired = new LRUCache({ max: MAX_EXPIRED_PAGES, ttl: FRESH_SECONDS * 1000 + config.hookTimeoutMs, perf: { now } });
    this.#cache = new LRUCache<string, CachedPostList, FetchContext>({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ body }, key) => body.length + key.length,
      ttl: FRESH_SECONDS * 1000,
      ttlResolution: 0,
      perf: { now },
      // Otherwise a call whose place in the cache another list takes meanwhile fails, although the hook returns.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context: { forum, page, cursor, hasStale } }) => {
        const expirations = this.#expirations;
        const result: ListResult = await runHook({
          name: 'posts.list',
          hook: list,
          context: { forum, page, ...(cursor !== undefined && { cursor }) },
          service,
          partition: 'posts.list',
          result: listResult,
          expected: `{ posts: [{ id, author: { username }, message, created_at }], nextCursor? }: at most ${MAX_POSTS} posts, `
            + '64 KiB each, 1 MiB in all, created_at in ISO 8601',
          timeoutMs: config.hookTimeoutMs,
          detail: 'The comments cannot be loaded just now.',
        }).catch((error: unknown) => {
          if (hasStale) log.warn({ err: error, ...(error instanceof ProblemError && error.diagnosis) }, 'posts.list failed; readers get an earlier list');
          throw error;
        });
        return cached(result, { fetchedAt: now(), expirations });
      },
    });
  }

  /** @throws {ProblemError} `internal-error` if the hook fails and no result of the last ten minutes is there */
  async find(query: PostListQuery): Promise<CachedPostList & { readonly ageMs: number }> {
    const key = JSON.stringify([query.forum, query.page, query.cursor ?? null]);
    const isExpired = ({ expirations }: CachedPostList) => expirations < (this.#expired.get(pageKey(query)) ?? 0);
    const read = (earlier: CachedPostList | undefined) => {
      const hasStale = earlier !== undefined && this.#now() - earlier.fetchedAt <= MAX_STALE_MS;
      const forceRefresh = earlier !== undefined && isExpired(earlier);
      return this.#cache.forceFetch(key, { context: { ...query, hasStale }, forceRefresh, allowStaleOnFetchRejection: hasStale });
    };
    const earlier = this.#cache.peek(key, { allowStale: true });
    let found = await read(earlier);
    // A call that was in flight when the post was created.
    if (found !== earlier && isExpired(found)) found = await read(found);
    return { ...found, ageMs: this.#now() - found.fetchedAt };
  }

  /** The next read of the page calls the hook: it has a new post. */
  expire(post: Pick<PostListQuery, 'forum' | 'page'>): void {
    this.#expirations += 1;
    this.#expired.set(pageKey(post), this.#expirations);
  }
}

function pageKey({ forum, page }: Pick<PostListQuery, 'forum' | 'page'>): string {
  return `${forum} ${page}`;
}

function cached({ posts, nextCursor }: ListResult, fetched: Pick<CachedPostList, 'fetchedAt' | 'expirations'>): CachedPostList {
  const list: PostList = { posts, ...(nextCursor !== undefined && { next_cursor: nextCursor }) };
  const body = Buffer.from(JSON.stringify(list));
  return { list, body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, ...fetched };
}
