/** A replica takes over: what `RedisStore.replicated` wrote is there, and the store finds the new master by itself. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { countReplicas, parseInfo } from '../../packages/bff/src/store/redis-checks.ts';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { StoreUnavailableError, type Store } from '../../packages/bff/src/store/store.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import type { Reader as Person } from '../service/index.ts';
import { FleetReader, startFleet, type Member } from './_fleet.ts';
import { startRedisCluster, withConnection } from './_redis-cluster.ts';
import { startRedisSentinels } from './_redis-sentinels.ts';
import { startRedis, type RedisServer } from './_redis-server.ts';

const HOUR_MS = 3_600_000;
const person: Person = { user_id: '1', username: 'Ada Quill' };

const silent = { info: () => undefined, warn: () => undefined };

describe('RedisStore.replicated', () => {
  const master = suiteResource(() => startRedis());
  const replica = suiteResource(() => startReplica(master()));

  it('settles a write when the replica has it', async () => {
    await using store = await openRedisStore(`redis://${master().host}`, silent);
    for (let i = 0; i < 50; i += 1) {
      const key = `session:${randomUUID()}`;
      await replicatedOf(store).set(key, 'value', HOUR_MS);
      await withConnection(replica(), {}, async ({ send }) => { assert.equal(await send(['GET', `vestibule:${key}`]), 'value'); });
    }
  });

  it('rejects a write that the replica does not acknowledge in time, without delaying others', async () => {
    await using store = await openRedisStore(`redis://${master().host}`, silent);
    replica().suspend();
    try {
      const writes = Array.from({ length: 10 }, (_, i) => replicatedOf(store).setIfAbsent(`post:silent-${i}`, 'value', HOUR_MS));
      let isOver = false;
      const outcomes = Promise.allSettled(writes).finally(() => { isOver = true; });
      const startedAt = performance.now();
      let reads = 0;
      for (; !isOver; reads += 1) await store.get('post:1');
      assert.ok(reads > 10, `${reads} reads`);
      for (const outcome of await outcomes) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailableError && outcome.reason.mayHaveApplied);
      }
      assert.ok(performance.now() - startedAt < 2_000);
    } finally {
      replica().resume();
    }
    await until(() => replicatedOf(store).set('post:later', 'value', HOUR_MS).then(() => true, () => false));
  });

  it('makes a post fail as service-unavailable, and sends nothing', async () => {
    await using fleet = await startFleet({ store: `redis://${master().host}/1`, people: [person], size: 1 });
    const [member] = fleet.members as [Member];
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [member, member]);
    const key = randomUUID();
    replica().suspend();
    const refused = await reader.post(member, 'once', key);
    assert.deepEqual([refused.status, refused.problem, refused.body.retryable], [503, 'service-unavailable', true]);
    assert.deepEqual(fleet.service.posts, []);
    replica().resume();
    await until(async () => (await reader.post(member, 'once', key)).status === 201);
    assert.equal(fleet.service.posts.length, 1);
  });

  it('waits for no replica where there is none, or where the setting is 0', async () => {
    await using alone = await startRedis();
    await using store = await openRedisStore(`redis://${alone.host}`, silent);
    await replicatedOf(store).set('post:1', 'value', HOUR_MS);
    await using careless = await openRedisStore(`redis://${master().host}`, silent, 0);
    assert.equal(careless.replicated, undefined);
  });

  it('waits for a replica that connects later', async () => {
    await using alone = await startRedis();
    await using store = await openRedisStore(`redis://${alone.host}`, silent);
    await replicatedOf(store).set('post:1', 'value', HOUR_MS);
    await using late = await startReplica(alone);
    late.suspend();
    await until(() => replicatedOf(store).set('post:1', 'value', HOUR_MS).then(() => false, (error: Error) => error instanceof StoreUnavailableError));
  });

  it('requires the number of replicas that is set, and warns at the start if there are fewer', async () => {
    const warnings: string[] = [];
    await using store = await openRedisStore(`redis://${master().host}`, { ...silent, warn: (line) => { warnings.push(line); } }, 2);
    assert.deepEqual(warnings, [
      `The Redis server ${master().host} has 1 connected replicas, fewer than writes wait for: posts and sign-ins fail.`,
    ]);
    await assert.rejects(replicatedOf(store).set('post:1', 'value', HOUR_MS), StoreUnavailableError);
    await store.set('post:1', 'value', HOUR_MS);
  });

  it('waits for no replica if the user may not run INFO', async () => {
    await using guarded = await startRedis({ settings: ['--user', 'vestibule', 'on', '>secret', '~vestibule:*', '+@all', '-@dangerous'] });
    await using store = await openRedisStore(`redis://vestibule:secret@${guarded.host}`, silent);
    await replicatedOf(store).set('post:1', 'value', HOUR_MS);
  });
});

describe('RedisStore with Sentinels', () => {
  const started = suiteResource(() => startRedisSentinels());

  it('explains that they do not know the name of the master', async () => {
    const address = started().address.replace(/main$/, 'other');
    const reason = /is not known to the Sentinels: the address must end with the name of the master\.$/;
    await assert.rejects(openRedisStore(address, silent), reason);
  });

  it('follows the master that they promote, reports both, and finds what replicas acknowledged', async () => {
    const group = started();
    const lines: string[] = [];
    const log = { info: (line: string) => { lines.push(line); }, warn: (line: string) => { lines.push(line); } };
    await using store = await openRedisStore(group.address, log);
    const keys = Array.from({ length: 50 }, (_, i) => `post:${i}`);
    await Promise.all(keys.map((key) => replicatedOf(store).set(key, key, HOUR_MS)));
    await group.master.kill();
    const startedAt = performance.now();
    await assertFailsWithin(2_000, () => store.get('post:1'));
    await until(() => store.ping().then(() => true, () => false));
    assert.ok(performance.now() - startedAt < 15_000);
    assert.deepEqual((await Promise.all(keys.map((key) => store.get(key)))).map((entry) => entry?.value), keys);
    await until(() => replicatedOf(store).set('post:after', 'value', HOUR_MS).then(() => true, () => false));
    assert.deepEqual(lines, [
      `Lost the connection to the Redis server ${group.master.host}.`, `Reconnected to the Redis server ${group.replica.host}.`,
    ]);
  });

  it('keeps the connection to the master while they end; another process cannot start', async () => {
    const group = started();
    await group.agree();
    await using store = await openRedisStore(group.address, silent);
    await group.sentinels[0]?.kill();
    await using other = await openRedisStore(group.address, silent);
    for (const sentinel of group.sentinels) await sentinel.kill();
    const startedAt = performance.now();
    for (const one of [store, other]) {
      for (let i = 0; i < 50; i += 1) await replicatedOf(one).set(`post:${i}`, 'value', HOUR_MS);
    }
    assert.ok(performance.now() - startedAt < 5_000);
    await assert.rejects(openRedisStore(group.address, silent), /cannot be reached: connection refused\.$/);
  });
});

describe('RedisStore on a cluster whose replica takes over', () => {
  it('finds what replicas acknowledged, at the server that a redirection names', async () => {
    await using cluster = await startRedisCluster({ replicas: true });
    await using store = await openRedisStore(`redis+cluster://${cluster.hosts}`, silent);
    const keys = Array.from({ length: 60 }, (_, i) => `post:${i}`);
    await Promise.all(keys.map((key) => replicatedOf(store).set(key, key, HOUR_MS)));
    const [promoted] = cluster.replicas as [RedisServer];
    await withConnection(promoted, {}, ({ send }) => send(['CLUSTER', 'FAILOVER', 'TAKEOVER']));
    await withConnection(cluster.masters[0] as RedisServer, {}, async ({ send }) => {
      while (!String(await send(['INFO', 'replication'])).includes('master_link_status:up')) await setTimeout(20);
    });
    const moves = await Promise.all(keys.map((key) => replicatedOf(store).compareAndSet(key, key, `${key} again`, 'keep')));
    assert.ok(moves.every((isWritten) => isWritten));
    await cluster.masters[1]?.kill();
    const outcomes = await until(async () => {
      const read = await Promise.allSettled(keys.map((key) => store.get(key)));
      return read.every(({ status }) => status === 'fulfilled') && read;
    });
    assert.deepEqual(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value?.value), keys.map((key) => `${key} again`));
  });
});

async function startReplica(master: RedisServer): Promise<RedisServer> {
  const replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(master.port)] });
  await withConnection(master, {}, async ({ send }) => {
    while (countReplicas(parseInfo(String(await send(['INFO', 'replication'])))) === 0) await setTimeout(20);
  });
  return replica;
}

function replicatedOf({ replicated }: RedisStore): Store {
  assert.ok(replicated);
  return replicated;
}

async function assertFailsWithin(ms: number, call: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await assert.rejects(call, StoreUnavailableError);
  assert.ok(performance.now() - startedAt < ms);
}

async function until<T>(condition: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const result = await condition();
    if (result !== false) return result;
    await setTimeout(20);
  }
}
