/** The store contract on a real Redis, on a master with Sentinels, and on a cluster. */

import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { describeStoreContract } from '../../packages/bff/src/store/_store-contract.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { StoreMetrics } from '../../packages/bff/src/metrics/metrics.ts';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedisSentinels } from './_redis-sentinels.ts';
import { startRedis } from './_redis-server.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'p@ss word:/';

const redis = await startRedis();
const cluster = await startRedisCluster({ password: PASSWORD });
const sentinels = await startRedisSentinels();
const replicatedCluster = await startRedisCluster({ replicas: true });
after(async () => {
  await sentinels[Symbol.asyncDispose]();
  await replicatedCluster[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

const subjectOf = (store: RedisStore) => (
  { store, briefMs: 60_000, outlive: (lifetimeMs: number) => advance(store, lifetimeMs) }
);

describeStoreContract('RedisStore', async () => subjectOf(await open(`redis://${redis.host}/3`)));

describeStoreContract('RedisStore on a cluster', async () => (
  subjectOf(await open(`redis+cluster://:${encodeURIComponent(PASSWORD)}@${cluster.hosts}`))
));

describeStoreContract('RedisStore with Sentinels', async () => subjectOf(await open(`${sentinels.address}/3`)));

describeStoreContract('RedisStore.replicated on a cluster', async () => {
  const store = await open(`redis+cluster://${replicatedCluster.hosts}`);
  const replicated = new StoreMetrics(new Registry()).measure(store.replicated as Store);
  return { ...subjectOf(store), store: { ...replicated, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() } };
});

describe('RedisStore', () => {
  it('separates the databases of one server', async () => {
    await using four = await open(`redis://${redis.host}/4`);
    await using five = await open(`redis://${redis.host}/5`);
    await four.set('session:1', 'four', HOUR_MS);
    assert.equal(await five.get('session:1'), undefined);
  });

  it('expires an entry when its time is over', async () => {
    await using store = await open(`redis://${redis.host}/6`);
    await store.set('session:1', 'value', 30);
    while (await store.get('session:1')) await setTimeout(10);
  });

  it('counts lifetimes by the server\'s clock, whatever the clock of the process that writes', async () => {
    await using store = await open(`redis://${redis.host}/7`);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 });
    try {
      await store.set('session:1', 'value', HOUR_MS);
      await store.set('session:2', 'value', 1_000);
      await store.compareAndSet('session:2', 'value', 'new', HOUR_MS);
      await store.set('session:3', 'value', 1_000);
      await store.touch('session:3', HOUR_MS);
    } finally {
      mock.timers.reset();
    }
    for (const key of ['session:1', 'session:2', 'session:3']) {
      const remainingMs = ((await store.get(key))?.expiresAt ?? NaN) - Date.now();
      assert.ok(Math.abs(remainingMs - HOUR_MS) < 60_000, `${key} expires in ${remainingMs} ms`);
    }
  });
});

/** Lets time pass on the server: shortens what each key has left. */
async function advance({ connection }: RedisStore, ms: number): Promise<void> {
  for (const { send } of await connection.masters()) {
    const keys = await send(['KEYS', '*']) as readonly string[];
    await Promise.all(keys.map(async (key) => {
      const remainingMs = Number(await send(['PTTL', key]));
      if (remainingMs >= 0) await send(['PEXPIRE', key, String(remainingMs - ms)]);
    }));
  }
}
