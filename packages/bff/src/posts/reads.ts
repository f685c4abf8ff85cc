/** What hooks return to every reader alike: identical reads share one call of the hook and its result for 15 s. A result that is
 *  up to a minute old is served while a new one is read, and one of up to ten minutes while the hook fails: of a minute if posts
 *  can be removed. A change of a post does not call the hook: its author has the entry from the response. */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { hookFailure } from '../hooks/hooks.ts';
import { ENTRY } from '../hooks/post-entry.ts';
import { isWithin, type Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';

/** Bytes only, by which the cache is bounded. */
export interface CachedRead {
  /** JSON. */
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

export const FRESH_MS = 15_000;

/** Age up to which a result is served while it is read anew. */
const MAX_STALE_MS = 60_000;

/** The same while the hook fails. */
const MAX_FALLBACK_MS = 10 * 60_000;

const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
const ENTRY_BYTES = 1024;

/** A call of the hook. */
type Read = (earlier: CachedRead | undefined) => Promise<CachedRead>;

export interface ReadsDeps<Query> {
  readonly config: Pick<Config, 'posts'>;
  readonly maxEntries: number;
  readonly hook: 'posts.list' | 'posts.conversation';
  /** Runs the hook. `faults`: as of `parseEntries`. */
  readonly read: (query: Query) => Promise<{ readonly value: object; readonly faults: string }>;
  readonly now: Clock;
  /** Of failures that no response shows. */
  readonly log: Pick<Logger, 'warn'>;
}

export function createReads<Query extends { readonly forum: string }>({
  config, maxEntries, hook, read, now, log,
}: ReadsDeps<Query>) {
  const cache = new LRUCache<string, CachedRead, Read>({
    max: maxEntries,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length + body.length,
    // A read whose entry gives way to others still answers those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (_key, earlier, { context: read }) => read(earlier),
  });
  // What an author removed must not come back.
  const fallbackMs = config.posts.remove ? MAX_STALE_MS : MAX_FALLBACK_MS;
  return find;

  /** @param parts of the key: the page in the spelling that was sent, as the hook gets it, so that a request for one spelling
   *  never fills another one's cache @param admit runs before something is read that is not cached; may throw
   *  @throws {ProblemError} `internal-error` if the hook fails without a result */
  async function find(query: Query, parts: readonly string[], admit?: () => Promise<void>): Promise<CachedRead> {
    const key = JSON.stringify(parts);
    const known = cache.peek(key);
    const [checkedMs, ageMs] = known ? [now() - known.checkedAt, now() - known.readAt] : [Infinity, Infinity];
    return await cache.fetch(key, {
      // Readers who wait for one call count once.
      context: async (earlier) => { if (!earlier) await admit?.(); return readAnew(query, earlier); },
      forceRefresh: !isWithin(checkedMs, FRESH_MS) || !isWithin(ageMs, fallbackMs),
      allowStale: isWithin(ageMs, MAX_STALE_MS),
    }) as CachedRead;
  }

  /** @param earlier the cached result: it lasts if the hook fails, and the hook rests for 15 s */
  async function readAnew(query: Query, earlier: CachedRead | undefined): Promise<CachedRead> {
    const readAt = now();
    try {
      const { value, faults } = await read(query);
      if (faults !== '' && faults !== earlier?.faults) {
        log.warn({ hook, forum: query.forum, entries: faults, expected: ENTRY, setting: 'VESTIBULE_CONFIG' },
          `${hook} returned entries that are not valid: they are left out`);
      }
      return { ...encoded(value), faults, readAt, checkedAt: now() };
    } catch (error) {
      if (!earlier || !isWithin(now() - earlier.readAt, fallbackMs)) throw error;
      log.warn({ err: error, ...(error instanceof ProblemError && error.diagnosis) }, `${hook} failed; readers get an earlier result`);
      return { ...earlier, checkedAt: now() };
    }
  }

  /** @throws {ProblemError} `internal-error` for more than 1 MiB */
  function encoded(value: object) {
    const body = Buffer.from(JSON.stringify(value));
    if (body.length > MAX_BODY_BYTES) throw hookFailure(hook, 'returned more than 1 MiB');
    return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
  }
}
