/** Rate limits that a fleet shares through its Redis. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parseRedisAddress } from '../../packages/bff/src/store/redis-address.ts';
import { connectRedis } from '../../packages/bff/src/store/connect-redis.ts';
import type { Reader as Person } from '../service/index.ts';
import { FleetReader, readiness, startFleet, type Fleet, type Member } from './_fleet.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedisSentinels } from './_redis-sentinels.ts';
import { startRedis, type RedisServer } from './_redis-server.ts';

const person: Person = { user_id: '1', username: 'Ada Quill' };
const settings = { VESTIBULE_RATE_LIMITS: 'posts=4,sync=100,other=1000' };

const redis = await startRedis();
after(() => redis[Symbol.asyncDispose]());

describe('the rate limits of a fleet', () => {
  it('count the requests of a user to every process', async () => {
    await using fleet = await startFleet({ store: `redis://${redis.host}/1`, people: [person], settings });
    await countsTogether(fleet);
  });

  it('count together on a cluster', async () => {
    await using cluster = await startRedisCluster();
    await using fleet = await startFleet({ store: `redis+cluster://${cluster.hosts}`, people: [person], settings });
    await countsTogether(fleet);
  });

  it('count together on the master that Sentinels name', async () => {
    await using group = await startRedisSentinels();
    await using fleet = await startFleet({ store: group.address, people: [person], settings });
    await countsTogether(fleet);
  });

  it('store no key without expiry and no client address', async () => {
    await using fleet = await startFleet({ store: `redis://${redis.host}/2`, people: [person], settings });
    const [one] = fleet.members as [Member];
    const reader = await signedIn(fleet);
    await reader.post(one, 'first');
    await reader.session(one);
    await new FleetReader().session(one);
    const counts = await countsIn(redis, 2);
    assert.ok(counts.size >= 3, `${counts.size} counts`);
    for (const [key, expiresInMs] of counts) {
      assert.ok(expiresInMs > 0 && expiresInMs <= 60_000, `${key} expires in ${expiresInMs} ms`);
      assert.ok(!key.includes('127.0.0.1'));
    }
  });

  it('let requests pass without delay while the Redis is away, and count again afterwards', async () => {
    await using server = await startRedis();
    await using fleet = await startFleet({ store: `redis://${server.host}`, people: [person], settings });
    const [one] = fleet.members as [Member];
    const reader = await signedIn(fleet);
    await server.kill();
    for (let i = 0; i < 10; i += 1) {
      const { problem, ms } = await reader.post(one, 'meanwhile');
      assert.equal(problem, 'service-unavailable');
      assert.ok(ms < 500, `${ms} ms`);
    }
    await server.start();
    for (const member of fleet.members) while (await readiness(member) !== 200) await setTimeout(20);
    await countsTogether(fleet, reader);
  });

  it('do not fill the log while the Redis is away', async () => {
    await using server = await startRedis();
    await using fleet = await startFleet({ store: `redis://${server.host}`, people: [person], size: 1, settings });
    const [one] = fleet.members as [Member];
    await server.kill();
    for (let i = 0; i < 5; i += 1) await new FleetReader().session(one);
    const { stderr } = await one.process.kill();
    assert.equal(stderr, '');
  });
});

async function signedIn(fleet: Fleet): Promise<FleetReader> {
  const [one] = fleet.members as [Member];
  const reader = new FleetReader();
  await reader.signIn(fleet.service, person, [one, one]);
  return reader;
}

async function countsTogether(fleet: Fleet, known?: FleetReader): Promise<void> {
  const reader = known ?? await signedIn(fleet);
  const [one, two] = fleet.members as [Member, Member];
  const statuses: number[] = [];
  for (const member of [one, two, one, two]) statuses.push((await reader.post(member, 'text')).status);
  assert.deepEqual(statuses, [201, 201, 201, 201]);
  for (const member of [one, two]) {
    const refused = await reader.post(member, 'one too many');
    assert.deepEqual([refused.status, refused.problem], [429, 'too-many-requests']);
    const seconds = Number(refused.headers.get('Retry-After'));
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.match(refused.headers.get('RateLimit') ?? '', /r=0/);
  }
  assert.equal((await reader.session(two)).status, 200);
}

/** Remaining lifetime of each count, in ms. */
async function countsIn({ host }: RedisServer, database: number): Promise<ReadonlyMap<string, number>> {
  const events = { onDisconnected: () => undefined, onReconnected: () => undefined };
  await using connection = await connectRedis(parseRedisAddress(`redis://${host}/${database}`), events);
  const keys = await connection.send('', ['KEYS', '*limit:*']) as readonly string[];
  return new Map(await Promise.all(keys.map(async (key) => [key, Number(await connection.send(key, ['PTTL', key]))] as const)));
}
