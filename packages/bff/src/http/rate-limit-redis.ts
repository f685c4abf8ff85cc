/** Counts of requests that a whole fleet shares, in the Redis that is the fleet's store. A Redis that is away lets requests
 *  through, soon: it is the store that says whether they can be answered. */

import { hash } from 'node:crypto';
import { RedisStore as RedisCounts, type SendCommandClusterFn } from 'rate-limit-redis';
import { Deadlines } from '../lib/deadlines.ts';
import type { RedisConnection } from '../store/redis-connection.ts';
import { RedisStore } from '../store/redis-store.ts';
import type { Store } from '../store/store.ts';
import type { RateLimitDeps, RateLimitKind } from './rate-limit.ts';

/** What a count may cost; together with a command of the store it stays below what a reader waits. */
const countDeadlines = new Deadlines(400);

/** Counts in `store` where that is shared by a fleet; `undefined` where it is not, and each process counts for itself. */
export function sharedCounts(store: Store): RateLimitDeps['storeFor'] {
  if (!(store instanceof RedisStore)) return undefined;
  const sendCommandCluster = sender(store.connection);
  return (kind: RateLimitKind) => new RedisCounts({ prefix: `vestibule:limit:${kind}:`, sendCommandCluster });
}

/** Scripts are kept here and sent whole where the server does not have them: it forgets them when it restarts, and a script
 *  that could not be loaded at that moment would be missing for good. */
function sender({ send }: RedisConnection): SendCommandClusterFn {
  const scripts = new Map<string, string>();
  return async ({ key = '', command }) => {
    const [name, ...args] = command;
    if (name === 'SCRIPT') return remember(args[1] ?? '');
    return send(key, command, countDeadlines).catch((error: unknown) => {
      const script = scripts.get(args[0] ?? '');
      if (name !== 'EVALSHA' || script === undefined || !isUnknownScript(error)) throw error;
      return send(key, ['EVAL', script, ...args.slice(1)], countDeadlines);
    }) as ReturnType<SendCommandClusterFn>;
  };

  function remember(script: string): string {
    const digest = hash('sha1', script);
    scripts.set(digest, script);
    return digest;
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
