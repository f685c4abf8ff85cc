/** The numbers of posts of articles, from the hook `posts.count`, cached for 60 s. Concurrent reads share a call of the hook. */

import { LRUCache } from 'lru-cache';
import type { Hooks } from '../hooks/hooks.ts';
import { sha256 } from '../lib/identifiers.ts';
import { isWithin, type Clock } from '../lib/time.ts';

export const COUNT_MS = 60_000;

/** Each takes some 300 bytes, its hashed key included. */
const MAX_COUNTS = 50_000;

interface CachedCount {
  /** When the call of the hook began, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly count: Promise<number | null>;
}

export type CountPosts = ReturnType<typeof createCounts>;

export interface CountsDeps {
  readonly hooks: Hooks;
  readonly now: Clock;
}

/** @returns `undefined` without the hook `posts.count` */
export function createCounts({ hooks, now }: CountsDeps, cache = new LRUCache<string, CachedCount>({ max: MAX_COUNTS })) {
  if (!hooks.has('posts.count')) return undefined;
  /** @param pages URLs of `pageOf` @param admit runs before the hook is called; may throw
   *  @throws {ProblemError} `internal-error` */
  return async (forum: string, pages: readonly string[], admit: () => Promise<void>): Promise<readonly (number | null)[]> => {
    // By the spelling that was sent, as in the cache of lists.
    const keyOf = (page: string): string => sha256(forum, page);
    const findMissing = () => [...new Set(pages)].filter((page) => {
      const known = cache.get(keyOf(page));
      return !known || !isWithin(now() - known.readAt, COUNT_MS);
    });
    if (findMissing().length > 0) await admit();
    // Another request may have begun to read them.
    const missing = findMissing();
    if (missing.length > 0) {
      const readAt = now();
      const reading = hooks.run('posts.count', { forum, pages: missing });
      for (const [i, page] of missing.entries()) {
        const one = reading.then((counts) => counts[i] ?? null);
        cache.set(keyOf(page), { readAt, count: one });
        one.catch(() => { cache.delete(keyOf(page)); });
      }
    }
    return Promise.all(pages.map(async (page) => cache.get(keyOf(page))?.count ?? null));
  };
}
