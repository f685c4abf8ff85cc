/** Opens the store that the setting `store` names. */

import { resolve } from 'node:path';
import type { Clock } from '../lib/time.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

const FILE = 'sqlite:';

/** The file of a store `sqlite:PATH`; `undefined` for another one. */
export function sqlitePathOf(address: string): string | undefined {
  return address.startsWith(FILE) ? resolve(address.slice(FILE.length)) : undefined;
}

/** @param address setting `store` @param now by which entries of SQLite expire; Redis has a clock of its own
 *  @throws {Error} for the operator, without credentials */
export async function openStore(address: string, now: Clock = Date.now): Promise<Store> {
  if (address === 'memory:') return openSqliteStore(':memory:', now);
  if (address.startsWith(FILE)) return openSqliteStore(address.slice(FILE.length), now);
  const { openRedisStore } = await import('./redis.ts'); // the client takes half of the start
  return openRedisStore(address, now);
}
