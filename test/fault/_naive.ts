/** Control of the crash test, loaded before the BFF with `--import`: removes the idempotency records, so that the BFF sends
 *  every post again. */

import { SqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';

const { setIfAbsent } = SqliteStore.prototype;

SqliteStore.prototype.setIfAbsent = function (key, value, lifetimeMs) {
  return key.startsWith('post:') ? Promise.resolve(true) : setIfAbsent.call(this, key, value, lifetimeMs);
};
