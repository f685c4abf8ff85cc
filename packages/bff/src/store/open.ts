/** Opens the store that the setting `store` names. */

import type { Clock } from '../lib/time.ts';
import type { StoreLog } from './redis.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  readonly log: StoreLog;
  /** Of `memory:` and SQLite; Redis has a clock of its own. */
  readonly now?: Clock;
}

/** @param address setting `store` @throws {Error} for the operator, without credentials */
export async function openStore(address: string, { log, now = Date.now }: OpenStoreOptions): Promise<Store> {
  if (address === 'memory:') return openSqliteStore(':memory:', now);
  if (address.startsWith('sqlite:')) return openSqliteStore(address.slice('sqlite:'.length), now);
  const { openRedisStore } = await import('./redis.ts'); // the client takes half of the start
  return openRedisStore(address, log);
}
