/** Opens the store that the setting `store` names. */

import { MemoryStore } from './memory-store.ts';
import { isRedisAddress } from './redis-address.ts';
import type { WaitReplicas } from './redis-checks.ts';
import type { StoreLog } from './redis-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

/** @param waitReplicas for a Redis @throws {Error} for the operator, without credentials */
export async function openStore(address: string, log: StoreLog, waitReplicas?: WaitReplicas): Promise<Store> {
  if (address === 'memory:') return new MemoryStore();
  if (address.startsWith('sqlite:')) return openSqliteStore(address.slice('sqlite:'.length));
  if (isRedisAddress(address)) {
    const { openRedisStore } = await import('./redis-store.ts'); // the client takes half of the start
    return openRedisStore(address, log, waitReplicas);
  }
  throw new Error('The store address has an unknown scheme.');
}
