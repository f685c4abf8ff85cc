/** What a server that cannot be had for a test is told: an old one. The others are asked in earnest, with the store. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkServer } from './redis-checks.ts';
import { reasonOf, UnfitServerError } from './redis-reasons.ts';

const serverOf = (info: string) => ({ name: 'cache:6379', send: async () => info.replaceAll('\n', '\r\n') });

const NEW_ENOUGH = 'redis_version:7.0.15\nloading:0\naof_enabled:1\nmaxmemory:0\nmaxmemory_policy:noeviction\ncluster_enabled:0\n';

describe('checkServer', () => {
  it('has nothing to say of a server that is as it should be', async () => {
    assert.deepEqual(await checkServer(serverOf(NEW_ENOUGH), 'single'), []);
    assert.deepEqual(await checkServer(serverOf(NEW_ENOUGH.replace('7.0.15', '12.1.0')), 'single'), []);
  });

  for (const version of ['6.2.14', '2.8.0', '']) {
    it(`refuses the version "${version}"`, async () => {
      const old = serverOf(NEW_ENOUGH.replace('7.0.15', version));
      await assert.rejects(checkServer(old, 'single'), new UnfitServerError('is too old: Redis 7.0 or newer is needed'));
    });
  }
});

describe('reasonOf', () => {
  it('says what a server that is too old for the handshake means', () => {
    assert.equal(reasonOf(new Error('ERR unknown command `HELLO`, with args beginning with: `3`')), 'is too old: Redis 7.0 or newer is needed');
  });

  it('repeats nothing of an answer that it does not know', () => {
    assert.equal(reasonOf(new Error('ERR a secret of the server')), 'does not answer as it should');
    assert.equal(reasonOf(Object.assign(new Error('a secret'), { code: 'EWHATEVER' })), 'does not answer as it should (EWHATEVER)');
    assert.equal(reasonOf('a secret'), 'does not answer');
  });
});
