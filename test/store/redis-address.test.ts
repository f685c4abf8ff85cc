/** Addresses of Redis providers: taken, or refused with the part at fault (contract, section 4: `VESTIBULE_STORE`). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/bff/src/store/open.ts';

/** Of a server that nothing listens at. */
const NO_SERVER = /cannot be reached/;

describe('a Redis address', () => {
  for (const [address, words] of Object.entries({
    'redis://127.0.0.1:1/0/': NO_SERVER,
    'rediss://default:can%40ary@127.0.0.1:1': NO_SERVER,
    'rediss://default:can%40ary@127.0.0.1:1?family=0': /has a query: remove it/,
    'redis://127.0.0.1:1/0?ssl_cert_reqs=none': /has a query: remove it/,
    'redis://:can/ary@127.0.0.1:1': /must be percent-encoded/,
    'redis:///var/run/redis.sock': /is a socket: use the host/,
    'redis://127.0.0.1:1,127.0.0.1:2': /must be redis:/,
    'redis+cluster://127.0.0.1:1/2': /must be redis:/,
  })) {
    it(`is explained without its password: ${address}`, async () => {
      await assert.rejects(openStore(address), ({ message }: Error) => {
        assert.match(message, words);
        assert.doesNotMatch(message, /ary/);
        return true;
      });
    });
  }
});
