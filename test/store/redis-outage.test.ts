/** The Redis store while its server, one master of a cluster, or the network between them is away. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { StoreUnavailableError } from '../../packages/bff/src/store/store.ts';
import { startNetwork } from './_network.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedis, type RedisServer } from './_redis-server.ts';

const HOUR_MS = 3_600_000;

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

describe('RedisStore whose server ended', () => {
  it('fails each call within two seconds and a ping within one, and reconnects by itself', async () => {
    await using server = await startRedis();
    const lines: string[] = [];
    const log = { info: (line: string) => { lines.push(line); }, warn: (line: string) => { lines.push(line); } };
    await using store = await openRedisStore(`redis://${server.host}`, log);
    await store.set('session:1', 'value', HOUR_MS);
    await server.kill();
    await assertEachCallFails(store);
    await until(() => lines.length === 1);
    await assertEachCallFails(store);
    await server.start();
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.deepEqual(lines, [`Lost the connection to the Redis server ${server.host}.`, `Reconnected to the Redis server ${server.host}.`]);
  });

  it('says that writes were not carried out, and carries none out later', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await server.kill();
    await until(() => store.ping().then(() => false, (error: unknown) => isRefusal(error)));
    const writes = Array.from({ length: 50 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS));
    for (const outcome of await Promise.allSettled(writes)) assert.ok(outcome.status === 'rejected' && isRefusal(outcome.reason));
    await server.start();
    await until(() => isUp(store));
    for (let i = 0; i < 50; i += 1) assert.equal(await store.get(`session:${i}`), undefined);
  });
});

describe('RedisStore whose server is silent', () => {
  it('fails in time, then at once, and reconnects by itself', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await store.set('session:1', 'value', HOUR_MS);
    server.suspend();
    await assertFailsWithin(2_000, () => store.get('session:1'));
    await assertFailsWithin(500, () => store.get('session:1'));
    await assertFailsWithin(1_000, () => store.ping());
    server.resume();
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
  });

  it('says that a write may have been carried out, which it is when the server continues', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    server.suspend();
    await assert.rejects(store.set('session:1', 'value', HOUR_MS), { name: 'StoreUnavailableError', mayHaveApplied: true });
    server.resume();
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
  });

  it('fails at once when 20,000 commands wait for a reply', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    server.suspend();
    const waiting = Array.from({ length: 20_000 }, () => store.get('session:1').catch(() => 'late'));
    const first = await Promise.race([...waiting, store.get('session:1').catch(() => 'at once')]);
    assert.equal(first, 'at once');
    server.resume();
    await Promise.all(waiting);
  });
});

describe('RedisStore whose network loses a connection silently', () => {
  it('opens a new connection after a command without a reply', async () => {
    await using server = await startRedis();
    await using network = await startNetwork(server.port);
    await using store = await openRedisStore(`redis://127.0.0.1:${network.port}`, silent, 0);
    await store.set('session:1', 'value', HOUR_MS);
    network.loseConnections();
    await assertFailsWithin(2_000, () => store.get('session:1'));
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.equal(network.connections, 2);
  });

  it('opens a new connection even without a command', async () => {
    await using server = await startRedis();
    await using network = await startNetwork(server.port);
    await using store = await openRedisStore(`redis://127.0.0.1:${network.port}`, silent, 0);
    network.loseConnections();
    await until(() => network.connections === 2);
    await until(() => isUp(store));
  });
});

describe('RedisStore on a cluster', () => {
  it('loses only the keys of a master that ended', async () => {
    await using cluster = await startRedisCluster({ settings: ['--cluster-require-full-coverage', 'no'] });
    await using store = await open(`redis+cluster://${cluster.hosts}`);
    const keys = Array.from({ length: 60 }, (_, i) => `session:${i}`);
    await Promise.all(keys.map((key) => store.set(key, 'value', HOUR_MS)));
    const countReadable = async () => (await Promise.allSettled(keys.map((key) => store.get(key))))
      .filter((outcome) => outcome.status === 'fulfilled' && outcome.value?.value === 'value').length;
    assert.equal(await countReadable(), 60);
    const [lost] = cluster.masters as [RedisServer];
    await lost.kill();
    const startedAt = performance.now();
    const left = await countReadable();
    assert.ok(performance.now() - startedAt < 2_000);
    assert.ok(left > 20 && left < 60, `${left} of 60`);
    await lost.start();
    await until(async () => await countReadable() === 60);
  });

  it('fails in time for the keys of a silent master, and reconnects by itself', async () => {
    await using cluster = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] });
    await using store = await open(`redis+cluster://${cluster.hosts}`);
    const keys = Array.from({ length: 30 }, (_, i) => `session:${i}`);
    await Promise.all(keys.map((key) => store.set(key, 'value', HOUR_MS)));
    cluster.masters[2]?.suspend();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled(keys.map((key) => store.get(key)));
    assert.ok(performance.now() - startedAt < 2_000);
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled') && outcomes.some(({ status }) => status === 'rejected'));
    cluster.masters[2]?.resume();
    await until(async () => (await Promise.allSettled(keys.map((key) => store.get(key)))).every(({ status }) => status === 'fulfilled'));
  });
});

async function assertEachCallFails(store: RedisStore): Promise<void> {
  await assertFailsWithin(1_000, () => store.ping());
  const calls = [
    () => store.get('session:1'),
    () => store.set('session:2', 'value', HOUR_MS),
    () => store.setIfAbsent('session:2', 'value', HOUR_MS),
    () => store.compareAndSet('session:1', 'value', 'new', HOUR_MS),
    () => store.touch('session:1', HOUR_MS),
    () => store.take('session:1'),
    () => store.delete('session:1'),
    () => store.entries('session:')[Symbol.asyncIterator]().next(),
  ];
  await Promise.all(calls.map((call) => assertFailsWithin(2_000, call)));
}

async function assertFailsWithin(ms: number, call: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await assert.rejects(call, StoreUnavailableError);
  const took = performance.now() - startedAt;
  assert.ok(took < ms, `${took} ms`);
}

function isRefusal(error: unknown): boolean {
  return error instanceof StoreUnavailableError && !error.mayHaveApplied;
}

function isUp(store: RedisStore): Promise<boolean> {
  return store.ping().then(() => true, () => false);
}

async function until<T>(condition: () => T | Promise<T>): Promise<Exclude<T, false>> {
  for (;;) {
    const result = await condition();
    if (result !== false) return result as Exclude<T, false>;
    await setTimeout(20);
  }
}
