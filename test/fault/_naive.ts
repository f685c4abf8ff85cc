/** Control, loaded before the BFF with `--import`: the same build without its idempotency records. It sends every post, also
 *  one that was sent before. */

import { SqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';

const { setIfAbsent } = SqliteStore.prototype;

SqliteStore.prototype.setIfAbsent = function (key, value, lifetimeMs) {
  return key.startsWith('post:') ? Promise.resolve(true) : setIfAbsent.call(this, key, value, lifetimeMs);
};
