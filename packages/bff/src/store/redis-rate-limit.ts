/**
 * Request counts that a fleet shares in its Redis, for `express-rate-limit`. While the server is away requests pass, after a
 * short timeout: the store decides whether they can be answered.
 */

import { hash } from 'node:crypto';
import type { Store as RateLimitStore } from 'express-rate-limit';
import { RedisStore as RedisCounts, type SendCommandClusterFn } from 'rate-limit-redis';
import type { RedisConnection } from './redis-connection.ts';
import { RedisStore } from './redis-store.ts';
import type { Store } from './store.ts';

/** Together with a command of the store it stays below the two seconds that a reader waits. */
const TIMEOUT_MS = 400;

/** A store of counts per kind of request; `undefined` if `store` is not shared by a fleet. */
export function sharedRateLimits(store: Store): ((kind: string) => RateLimitStore) | undefined {
  if (!(store instanceof RedisStore)) return undefined;
  const sendCommandCluster = createSender(store.connection);
  return (kind) => new RedisCounts({ prefix: `vestibule:limit:${kind}:`, sendCommandCluster });
}

/** Answers SCRIPT LOAD itself and sends the script with EVAL when the server does not know it: a server forgets its scripts
 *  when it restarts, and rate-limit-redis loads them only once. */
function createSender(connection: RedisConnection): SendCommandClusterFn {
  const scripts = new Map<string, string>();
  return async ({ key = '', command }) => {
    const [name, ...args] = command;
    if (name === 'SCRIPT') return remember(args[1] ?? '');
    return connection.send(key, command, TIMEOUT_MS).catch((error: unknown) => {
      const script = scripts.get(args[0] ?? '');
      const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
      if (name !== 'EVALSHA' || script === undefined || !isUnknown) throw error;
      return connection.send(key, ['EVAL', script, ...args.slice(1)], TIMEOUT_MS);
    }) as ReturnType<SendCommandClusterFn>;
  };

  function remember(script: string): string {
    const digest = hash('sha1', script);
    scripts.set(digest, script);
    return digest;
  }
}
