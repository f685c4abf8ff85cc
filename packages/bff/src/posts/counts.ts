/** The numbers of posts of articles, from the hook `posts.count`, cached for 60 s. Concurrent reads share a call of the hook. */

import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { articleKey } from '@vestibule/shared';
import type { PostHooks } from '../config/types.ts';
import type { RunHook } from '../hooks.ts';
import type { Clock } from '../lib/time.ts';

export const COUNT_MS = 60_000;
const MAX_COUNTS = 50_000;

type CountCache = ReturnType<typeof createCountCache>;

export function createCountCache(now: Clock) {
  return new LRUCache<string, Promise<number | null>>({ max: MAX_COUNTS, ttl: COUNT_MS, ttlResolution: 0, perf: { now } });
}

export function createCounts(count: NonNullable<PostHooks['count']>, runHook: RunHook, cache: CountCache, siteKey: string) {
  /** @param pages normalized URLs @param admit runs before the hook is called; may throw
   *  @throws {ProblemError} `internal-error` */
  return async (forum: string, pages: readonly string[], admit: () => Promise<void>): Promise<readonly (number | null)[]> => {
    const keyOf = (page: string): string => `${siteKey} ${forum} ${articleKey(page)}`;
    const findMissing = () => [...new Map(pages.map((page) => [keyOf(page), page]))]
      .filter(([key]) => !cache.has(key)).map(([, page]) => page);
    if (findMissing().length > 0) await admit();
    // Another request may have begun to read them.
    const missing = findMissing();
    if (missing.length > 0) {
      const reading = runHook({
        name: 'posts.count',
        hook: count,
        context: { forum, pages: missing },
        result: z.array(z.number().int().nonnegative().nullable()).length(missing.length),
        expected: 'a list with a whole number, or null, for each page',
        detail: 'The comments cannot be counted just now.',
      });
      for (const [i, page] of missing.entries()) {
        const one = reading.then((counts) => counts[i] ?? null);
        cache.set(keyOf(page), one);
        one.catch(() => { cache.delete(keyOf(page)); });
      }
    }
    return Promise.all(pages.map(async (page) => cache.get(keyOf(page)) ?? null));
  };
}
