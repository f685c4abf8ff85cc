/** The store contract on a master with Sentinels and on a cluster. */

import { after } from 'node:test';
import { Registry } from 'prom-client';
import { describeStoreContract } from '../../packages/bff/src/store/_store-contract.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { StoreMetrics } from '../../packages/bff/src/metrics/metrics.ts';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedisSentinels } from './_redis-sentinels.ts';
import { advance } from './_redis-server.ts';

const PASSWORD = 'p@ss word:/';

const cluster = await startRedisCluster({ password: PASSWORD });
const sentinels = await startRedisSentinels();
const replicatedCluster = await startRedisCluster({ replicas: true });
after(async () => {
  await sentinels[Symbol.asyncDispose]();
  await replicatedCluster[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

const subjectOf = (store: RedisStore) => (
  { store, briefMs: 60_000, outlive: (lifetimeMs: number) => advance(store, lifetimeMs) }
);

describeStoreContract('RedisStore on a cluster', async () => (
  subjectOf(await open(`redis+cluster://:${encodeURIComponent(PASSWORD)}@${cluster.hosts}`))
));

describeStoreContract('RedisStore with Sentinels', async () => subjectOf(await open(`${sentinels.address}/3`)));

describeStoreContract('RedisStore.replicated on a cluster', async () => {
  const store = await open(`redis+cluster://${replicatedCluster.hosts}`);
  const replicated = new StoreMetrics(new Registry()).measure(store.replicated as Store);
  return { ...subjectOf(store), store: { ...replicated, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() } };
});
