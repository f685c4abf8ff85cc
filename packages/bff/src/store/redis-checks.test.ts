/** Old servers, which a test cannot start. The other checks run on real servers (`test/store/redis-open.test.ts`). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkServer, reasonOf, UnsuitableServerError } from './redis-checks.ts';

const serverOf = (info: string) => ({ name: 'cache:6379', send: async () => info.replaceAll('\n', '\r\n') });

const SUITABLE = 'redis_version:7.0.15\nloading:0\naof_enabled:1\nmaxmemory:0\nmaxmemory_policy:noeviction\ncluster_enabled:0\n';

describe('checkServer', () => {
  it('warns of nothing on a suitable server', async () => {
    assert.deepEqual(await checkServer(serverOf(SUITABLE), 'single'), []);
    assert.deepEqual(await checkServer(serverOf(SUITABLE.replace('7.0.15', '12.1.0')), 'single'), []);
  });

  for (const version of ['6.2.14', '2.8.0', '']) {
    it(`rejects the version "${version}"`, async () => {
      const old = serverOf(SUITABLE.replace('7.0.15', version));
      await assert.rejects(checkServer(old, 'single'), new UnsuitableServerError('is too old: Redis 7.0 or newer is required'));
    });
  }
});

describe('reasonOf', () => {
  it('recognizes a server that is too old for the handshake', () => {
    assert.equal(reasonOf(new Error('ERR unknown command `HELLO`, with args beginning with: `3`')), 'is too old: Redis 7.0 or newer is required');
  });

  it('quotes nothing of an unknown reply', () => {
    assert.equal(reasonOf(new Error('ERR a secret of the server')), 'does not answer as expected');
    assert.equal(reasonOf(Object.assign(new Error('a secret'), { code: 'EWHATEVER' })), 'does not answer as expected (EWHATEVER)');
    assert.equal(reasonOf('a secret'), 'does not answer');
  });
});
