/** The numbers of posts of articles, from the hook `posts.count`, cached for 60 s. Concurrent reads share a call of the hook. */

import { LRUCache } from 'lru-cache';
import { articleKey } from '@vestibule/shared';
import type { Hooks } from '../hooks/hooks.ts';
import type { Clock } from '../lib/time.ts';

export const COUNT_MS = 60_000;
const MAX_COUNTS = 50_000;

type CountCache = ReturnType<typeof createCountCache>;

export function createCountCache(now: Clock) {
  return new LRUCache<string, Promise<number | null>>({ max: MAX_COUNTS, ttl: COUNT_MS, ttlResolution: 0, perf: { now } });
}

/** @returns `undefined` without the hook `posts.count` */
export function createCounts(hooks: Hooks, cache: CountCache, siteKey: string) {
  if (!hooks.has('posts.count')) return undefined;
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
      const reading = hooks.run('posts.count', { forum, pages: missing });
      for (const [i, page] of missing.entries()) {
        const one = reading.then((counts) => counts[i] ?? null);
        cache.set(keyOf(page), one);
        one.catch(() => { cache.delete(keyOf(page)); });
      }
    }
    return Promise.all(pages.map(async (page) => cache.get(keyOf(page)) ?? null));
  };
}
