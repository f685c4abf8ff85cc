/** The posts of an article, from the publisher's `posts.list` hook. Identical reads share one call and its result for 15 s. A
 *  result that is up to a minute old is served while a new one is read, and one of up to ten minutes while the hook fails: of a
 *  minute if posts can be removed. A change of a post does not call the hook: its author has the entry from the response. */

import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { PostList, PostOrder } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { HookResult, Hooks } from '../hooks/hooks.ts';
import { ENTRY } from '../hooks/post-entry.ts';
import { createUserKeys } from '../lib/identifiers.ts';
import { isWithin, type Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';
import { createCountCache } from './counts.ts';
import { actionsOf, parseEntries } from './entry.ts';

export interface PostListQuery {
  readonly forum: string;
  /** URL of the article, of `parsePage`. */
  readonly page: string;
  readonly order: PostOrder;
  /** As `GET /posts` issued it; it keeps its order. */
  readonly cursor?: string | undefined;
}

export interface CachedPostList {
  readonly list: PostList;
  /** `list` as JSON. */
  readonly body: Buffer;
  /** Strong entity tag of `body`. */
  readonly etag: string;
  /** When the call of the hook began, in milliseconds since the epoch. */
  readonly readAt: number;
  /** When the last call ended, also one that failed. */
  readonly checkedAt: number;
  /** Of entries that were left out, for the log; `''` without any. */
  readonly faults: string;
}

export const orders: readonly PostOrder[] = ['newest', 'oldest'];

export const FRESH_MS = 15_000;

/** Age up to which a list is served while it is read anew. */
const MAX_STALE_MS = 60_000;

/** The same while the hook fails. */
const MAX_FALLBACK_MS = 10 * 60_000;

const MAX_LIST_BYTES = 1024 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_ENTRIES = 5_000;

const ENTRY_BYTES = 1024;

const FAILED = 'The comments cannot be loaded just now.';

export interface PostListsDeps {
  readonly config: Pick<Config, 'cookieSecrets' | 'posts' | 'siteKey'>;
  readonly caches: PostCaches;
  readonly hooks: Hooks;
  readonly now: Clock;
  /** Of failures that no response shows. */
  readonly log: Pick<Logger, 'warn'>;
}

/** A call of the hook of one site. */
type Read = (earlier: CachedPostList | undefined) => Promise<CachedPostList>;

export type PostCaches = ReturnType<typeof createPostCaches>;

/** Caches that the sites of a process share: their keys begin with that of the site. */
export function createPostCaches() {
  return {
    lists: new LRUCache<string, CachedPostList, Read>({
      max: MAX_ENTRIES,
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length + body.length,
      // A read whose entry gives way to others still answers those who wait for it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, earlier, { context: read }) => read(earlier),
    }),
    counts: createCountCache(),
  };
}

type Ordered = Omit<PostListQuery, 'cursor'>;

export type PostLists = ReturnType<typeof createPostLists>;

/** @returns `undefined` without a `posts.list` hook */
export function createPostLists({ config, caches, hooks, now, log }: PostListsDeps) {
  const { posts: { replies, remove }, siteKey } = config;
  const actions = actionsOf(config.posts);
  const { keyOf } = createUserKeys(config);
  const { lists: cache } = caches;
  // What an author removed must not come back.
  const fallbackMs = remove ? MAX_STALE_MS : MAX_FALLBACK_MS;
  return hooks.has('posts.list') ? { find } : undefined;

  /** @param admit runs before a list is read that is not cached; may throw
   *  @throws {ProblemError} `invalid-request` for a cursor of others; `internal-error` if the hook fails without a result */
  async function find({ cursor, ...query }: PostListQuery, admit?: () => Promise<void>): Promise<CachedPostList> {
    const found: PostListQuery = cursor === undefined ? query : verified(cursor, query);
    // By the spelling of the page that was sent, as the hook gets it: a request for one spelling never fills another one's cache.
    const key = [siteKey, found.forum, found.page, found.order, found.cursor ?? ''].join(' ');
    const known = cache.peek(key);
    const [checkedMs, ageMs] = known ? [now() - known.checkedAt, now() - known.readAt] : [Infinity, Infinity];
    return await cache.fetch(key, {
      // Readers who wait for one call count once.
      context: async (earlier) => { if (!earlier) await admit?.(); return read(found, earlier); },
      forceRefresh: !isWithin(checkedMs, FRESH_MS) || !isWithin(ageMs, fallbackMs),
      allowStale: isWithin(ageMs, MAX_STALE_MS),
    }) as CachedPostList;
  }

  /** @param earlier the cached list: it lasts if the hook fails, and the hook rests for 15 s */
  async function read(query: PostListQuery, earlier: CachedPostList | undefined): Promise<CachedPostList> {
    const readAt = now();
    try {
      const result = await hooks.run('posts.list', query);
      const cached = { ...cachedOf(result, query), readAt, checkedAt: now() };
      if (cached.faults !== '' && cached.faults !== earlier?.faults) {
        log.warn({ hook: 'posts.list', forum: query.forum, entries: cached.faults, expected: ENTRY, setting: 'VESTIBULE_CONFIG' },
          'posts.list returned entries that are not valid: they are left out');
      }
      return cached;
    } catch (error) {
      if (!earlier || !isWithin(now() - earlier.readAt, fallbackMs)) throw error;
      log.warn({ err: error, ...(error instanceof ProblemError && error.diagnosis) }, 'posts.list failed; readers get an earlier list');
      return { ...earlier, checkedAt: now() };
    }
  }

  /** @throws {ProblemError} `internal-error` for more than 1 MiB */
  function cachedOf({ posts: entries, total, closed, nextCursor }: HookResult<'posts.list'>, query: Ordered) {
    const { posts, faults } = parseEntries(entries, keyOf);
    const postList: PostList = {
      posts,
      ...(replies && { replies }),
      ...(actions.length > 0 && { actions }),
      ...(total != null && { total }),
      ...(closed != null && { closed }),
      ...(nextCursor != null && { next_cursor: `${nextCursor}.${macsOf(nextCursor, query)[0]}` }),
    };
    const body = Buffer.from(JSON.stringify(postList));
    if (body.length > MAX_LIST_BYTES) {
      const diagnosis = { reason: 'The hook posts.list returned more than 1 MiB.', setting: 'VESTIBULE_CONFIG' };
      throw new ProblemError('internal-error', { detail: FAILED, diagnosis });
    }
    return { list: postList, body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, faults };
  }

  /** The cursor of the hook, with its order. */
  function verified(signed: string, query: Ordered): PostListQuery {
    const dot = signed.lastIndexOf('.');
    const cursor = signed.slice(0, Math.max(dot, 0));
    const mac = Buffer.from(signed.slice(dot + 1));
    const isMac = (one: string): boolean => mac.length === one.length && timingSafeEqual(mac, Buffer.from(one));
    const order = orders.find((one) => macsOf(cursor, { ...query, order: one }).some(isMac));
    if (cursor === '' || !order) throw new ProblemError('invalid-request', { detail: 'cursor is not one of this list.' });
    return { ...query, order, cursor };
  }

  /** By secret, the newest first. */
  function macsOf(cursor: string, { forum, page, order }: Ordered): readonly string[] {
    const signed = JSON.stringify(['cursor', forum, page, order, cursor, ...(siteKey === '' ? [] : [siteKey])]);
    return config.cookieSecrets.map((secret) => createHmac('sha256', secret).update(signed).digest('base64url').slice(0, 22));
  }
}
