/** The store on one Redis: its contract, the limits that processes share, and the server that it refuses. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError, type Store } from '@vestibule/bff';
import { openStore } from '../../packages/bff/src/store/open.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { startRedis } from '../lib/redis-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { runVestibule } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import { describeStoreContract } from '../store/_store-contract.ts';

const HOUR_MS = 3_600_000;

/** Shortens what each key has left. */
const PASS_TIME = `for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = redis.call('PTTL', key)
  if left >= 0 then redis.call('PEXPIRE', key, left - tonumber(ARGV[1])) end
end`;

const open = (address: string): Promise<Store> => openStore(address);

describe('one Redis', () => {
  const redis = suiteResource(() => startRedis());

  describeStoreContract('redis:', async () => ({
    store: await open(`redis://${redis().host}/3`),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { await redis().command('-n', '3', 'EVAL', PASS_TIME, '0', String(lifetimeMs)); },
  }));

  it('separates its databases', async () => {
    await using four = await open(`redis://${redis().host}/4`);
    await using five = await open(`redis://${redis().host}/5`);
    await four.set('session:1', 'four', HOUR_MS);
    assert.equal(await five.get('session:1'), undefined);
  });

  it('counts the requests of a user to every process, without a key that stays and without a client address', async () => {
    await using service = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] });
    const env = bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: `redis://${redis().host}/6`, VESTIBULE_RATE_LIMITS: 'posts=4,sync=100,other=1000',
      VESTIBULE_PROFILES: 'discard',
    });
    await using one = await startProcess(env);
    await using two = await startProcess(env);
    const [first, second] = [one.browser(service), two.browser(service)];
    second.agent.jar = first.agent.jar;
    await first.signIn();
    for (const client of [first, second, first, second]) expectStatus(await client.createPost('Within the limit'), 201);
    // As after a restart of the server.
    await redis().command('SCRIPT', 'FLUSH');
    for (const client of [first, second]) {
      const refused = await client.createPost('One too many');
      expectProblem(refused, 'too-many-requests');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    }
    for (const key of (await redis().command('-n', '6', 'KEYS', '*')).split('\n')) {
      assert.ok(!key.includes('127.0.0.1'), key);
      assert.ok(Number(await redis().command('-n', '6', 'PTTL', key)) > 0, `${key} never expires`);
    }
  });
});

describe('a Redis that is killed', () => {
  it('is reported as unavailable, never as empty, and used again as soon as it is back', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await store.set('session:1', 'value', HOUR_MS);
    await server.kill();
    await assert.rejects(store.get('session:1'), StoreUnavailableError);
    await assert.rejects(store.ping(), StoreUnavailableError);
    await server.start();
    assert.equal((await until('the store is back', () => store.get('session:1')))?.value, 'value');
  });
});

describe('a Redis that drops entries when its memory is full', () => {
  const check = async (policy: string) => {
    await using redis = await startRedis({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', policy] });
    await using service = await startEmulatedService();
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `redis://${redis.host}` });
    return (await runVestibule({ args: ['check'], env })).stdout;
  };

  it('is refused, with the setting to change', async () => {
    for (const policy of ['allkeys-lru', 'volatile-ttl']) assert.match(await check(policy), /fail +store .*maxmemory-policy/);
  });

  it('is used with noeviction', async () => {
    assert.match(await check('noeviction'), /ok +store/);
  });
});
