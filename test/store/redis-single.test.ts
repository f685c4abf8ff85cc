/** The store on one real Redis. */

import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { describeStoreContract } from '../../packages/bff/src/store/_store-contract.ts';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { StoreUnavailableError } from '../../packages/bff/src/store/store.ts';
import { advance, startRedis } from './_redis-server.ts';

const HOUR_MS = 3_600_000;

const redis = await startRedis();
after(() => redis[Symbol.asyncDispose]());

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

describeStoreContract('RedisStore', async () => {
  const store = await open(`redis://${redis.host}/3`);
  return { store, briefMs: 60_000, outlive: (lifetimeMs) => advance(store, lifetimeMs) };
});

describe('RedisStore', () => {
  it('separates the databases of one server', async () => {
    await using four = await open(`redis://${redis.host}/4`);
    await using five = await open(`redis://${redis.host}/5`);
    await four.set('session:1', 'four', HOUR_MS);
    assert.equal(await five.get('session:1'), undefined);
  });

  it('waits for no replica by default where there is none', async () => {
    await using store = await open(`redis://${redis.host}/4`);
    assert.ok(store.replicated);
    await store.replicated.set('session:1', 'value', HOUR_MS);
    assert.equal((await store.get('session:1'))?.value, 'value');
  });

  it('expires an entry when its time is over', async () => {
    await using store = await open(`redis://${redis.host}/6`);
    await store.set('session:1', 'value', 30);
    while (await store.get('session:1')) await setTimeout(10);
  });

  it('counts lifetimes by the clock of the server, not of the process that writes', async () => {
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

describe('openRedisStore', () => {
  const openWithLog = async (host: string) => {
    const lines: string[] = [];
    const log = { info: (line: string) => { lines.push(line); }, warn: (line: string) => { lines.push(line); } };
    return { lines, store: await openRedisStore(`redis://${host}`, log) };
  };

  it('reports once that the server is away, and that it is back', async () => {
    await using server = await startRedis();
    const { lines, store } = await openWithLog(server.host);
    await using _store = store;
    await server.kill();
    while (lines.length < 1) await setTimeout(5);
    await server.start();
    while (lines.length < 2) await setTimeout(5);
    await store.set('session:1', 'value', HOUR_MS);
    assert.deepEqual(lines, [`Lost the connection to the Redis server ${server.host}.`, `Reconnected to the Redis server ${server.host}.`]);
  });

  it('does not report entries as absent while the server loads its file', async () => {
    await using server = await startRedis({ settings: ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'] });
    await using store = await open(`redis://${server.host}`);
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${i}`, 'value', undefined)));
    // A server that loads a snapshot replies every kilobyte; one that loads commands does so every 1,024 commands.
    await store.connection.send('', ['BGREWRITEAOF']);
    const persistence = async () => String(await store.connection.send('', ['INFO', 'persistence']));
    while (!/aof_rewrite_in_progress:0[^]*aof_rewrites:1/.test(await persistence())) await setTimeout(5);
    await server.kill();
    const started = server.start();
    const warnings: string[] = [];
    const log = { ...silent, warn: (line: string) => { warnings.push(line); } };
    await using early = await until(() => openRedisStore(`redis://${server.host}`, log).catch(() => false as const));
    assert.deepEqual(warnings, ['The Redis server is still loading its data.']);
    for (const one of [early, store]) {
      const entry = await until(() => one.get('session:999').catch((error: unknown) => {
        assert.ok(error instanceof StoreUnavailableError);
        return false as const;
      }));
      assert.equal(entry?.value, 'value');
    }
    await started;
  });

  it('logs what an operator should change about the server', async () => {
    await using careless = await startRedis({ appendOnly: false });
    const { lines, store } = await openWithLog(careless.host);
    await using _store = store;
    assert.match(lines.join(), /has no append-only file/);
  });

  it('waits for replicas unless their number is 0', async () => {
    for (const [waitReplicas, isReplicated] of [['auto', true], [1, true], [0, false]] as const) {
      await using store = await openRedisStore(`redis://${redis.host}`, silent, waitReplicas);
      assert.equal(store.replicated !== undefined, isReplicated);
    }
  });

  it('closes its connections if the server cannot be used', async () => {
    await using replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(redis.port)] });
    await assert.rejects(open(`redis://${replica.host}`), ({ message, cause }: Error) => {
      assert.equal(message, 'The Redis server is a replica, which rejects writes.');
      return cause instanceof StoreUnavailableError;
    });
    while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) await setTimeout(5);
  });
});

/** Resolves to the first result of `attempt` that is not false. */
async function until<T>(attempt: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== false) return result;
    await setTimeout(5);
  }
}
