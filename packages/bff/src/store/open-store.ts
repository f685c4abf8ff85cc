/** Opens the store that the setting `store` names. */

import type { Clock } from '../lib/time.ts';
import { MemoryStore } from './memory-store.ts';
import { isRedisAddress } from './redis-address.ts';
import type { WaitReplicas } from './redis-checks.ts';
import type { StoreLog } from './redis-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  readonly log: StoreLog;
  /** Of `memory:`; the other stores have their own. */
  readonly now?: Clock;
  readonly waitReplicas?: WaitReplicas | undefined;
}

/** @param address setting `store` @throws {Error} for the operator, without credentials */
export async function openStore(address: string, { log, now, waitReplicas }: OpenStoreOptions): Promise<Store> {
  if (address === 'memory:') return new MemoryStore(now && { now });
  if (address.startsWith('sqlite:')) return openSqliteStore(address.slice('sqlite:'.length));
  if (isRedisAddress(address)) {
    const { openRedisStore } = await import('./redis-store.ts'); // the client takes half of the start
    return openRedisStore(address, log, waitReplicas);
  }
  throw new Error('The store address has an unknown scheme.');
}
