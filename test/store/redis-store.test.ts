/** The store of a fleet before a real Redis, alone and as a cluster: the contract, the ways in, and what happens when the
 *  server is away. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describeStoreContract } from '../../packages/bff/src/store/_store-contract.ts';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { StoreUnavailableError } from '../../packages/bff/src/store/store.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';
import { startNetwork } from './_network.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedis, type RedisServer, type RedisServerOptions } from './_redis-server.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'a-secret-of-the-operator';
const CLUSTER_PASSWORD = 'p@ss word:/';

const redis = await startRedis();
const cluster = await startRedisCluster({ password: CLUSTER_PASSWORD });
after(async () => {
  await redis[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

const outlive = async (lifetimeMs: number): Promise<void> => { await setTimeout(lifetimeMs + 5); };

describeStoreContract('RedisStore', async () => ({ store: await open(`redis://${redis.host}/3`), briefMs: 1_000, outlive }));

describeStoreContract('RedisStore on a cluster', async () => ({
  store: await open(`redis+cluster://:${encodeURIComponent(CLUSTER_PASSWORD)}@${cluster.hosts}`), briefMs: 1_000, outlive,
}));

describe('openRedisStore', () => {
  it('keeps the databases of one server apart', async () => {
    await using four = await open(`redis://${redis.host}/4`);
    await using five = await open(`redis://${redis.host}/5`);
    await four.set('session:1', 'four', HOUR_MS);
    assert.equal(await five.get('session:1'), undefined);
  });

  it('takes the password of the server, and the name of a user', async () => {
    await using guarded = await startRedis({
      password: SECRET, settings: ['--user', 'vestibule', 'on', `>${SECRET}`, '~vestibule:*', '+@all', '-@dangerous', '+info'],
    });
    await usable(await open(`redis://:${SECRET}@${guarded.host}`));
    await usable(await open(`redis://vestibule:${SECRET}@${guarded.host}`));
  });

  it('speaks TLS to a server whose certificate is trusted', async () => {
    const selfSigned = makeSelfSigned();
    await using guarded = await startRedis({ tls: selfSigned });
    const untrusted = /The Redis server has a certificate that is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/;
    await assert.rejects(open(`rediss://${guarded.host}`), untrusted);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, selfSigned.certificate]);
    try {
      await usable(await open(`rediss://${guarded.host}`));
    } finally {
      setDefaultCACertificates(trusted);
    }
    await assert.rejects(open(`redis://${guarded.host}`), /The Redis server ends the connection\.$/);
  });

  describe('says in words why it cannot, within five seconds, without a secret,', () => {
    type Prepare = (stack: AsyncDisposableStack) => Promise<string>;
    const cases: Readonly<Record<string, readonly [reason: RegExp, prepare: Prepare]>> = {
      'where nobody listens': [/cannot be reached: the connection is refused\.$/, async (stack) => {
        const gone = stack.use(await startRedis());
        await gone.kill();
        return `redis://user:${SECRET}@${gone.host}`;
      }],
      'where the name is not known': [/cannot be reached: its name /, async () => `redis://user:${SECRET}@redis.invalid`],
      'where the password is wrong': [/refuses the user name or the password\.$/, async (stack) => {
        const guarded = stack.use(await startRedis({ password: 'another' }));
        return `redis://:${SECRET}@${guarded.host}`;
      }],
      'where a password is missing': [/asks for a password\.$/, async (stack) => {
        const guarded = stack.use(await startRedis({ password: 'another' }));
        return `redis://${guarded.host}`;
      }],
      'where the user may not use the keys': [/does not let this user /, async (stack) => {
        const guarded = stack.use(await startRedis({ settings: ['--user', 'other', 'on', `>${SECRET}`, '~other:*', '+@all'] }));
        return `redis://other:${SECRET}@${guarded.host}`;
      }],
      'where it is a replica': [/is a replica, which takes no writes\.$/, async (stack) => {
        const replica = stack.use(await startRedis({ settings: ['--replicaof', '127.0.0.1', String(redis.port)] }));
        return `redis://${replica.host}`;
      }],
      'where the server answers nothing': [/does not answer in time\.$/, async (stack) => {
        const server = stack.use(await startRedis());
        server.suspend();
        return `redis://:${SECRET}@${server.host}`;
      }],
      'where something else listens': [/ends the connection\.$|does not answer /, async (stack) => {
        const server = createServer((_req, res) => { res.end('Welcome'); }).listen(0, '127.0.0.1');
        stack.defer(() => { server.close(); server.closeAllConnections(); });
        await once(server, 'listening');
        return `redis://:${SECRET}@127.0.0.1:${(server.address() as AddressInfo).port}`;
      }],
      'where the server does not speak TLS': [/does not speak TLS|ends the connection|does not answer/, async () => `rediss://:${SECRET}@${redis.host}`],
      'where a node of a cluster is taken for a server': [/belongs to a cluster: the address must begin with redis\+cluster:\/\/\.$/, async () => (
        `redis://:${encodeURIComponent(CLUSTER_PASSWORD)}@${cluster.masters[0]?.host}`
      )],
      'where a server is taken for a cluster': [/is not part of a cluster\.$/, async () => `redis+cluster://${redis.host}`],
      'where the password of a cluster is wrong': [/refuses the user name or the password\.$/, async () => `redis+cluster://:${SECRET}@${cluster.hosts}`],
      'where no node of a cluster listens': [/cannot be reached: the connection is refused\.$/, async (stack) => {
        const gone = stack.use(await startRedis());
        await gone.kill();
        return `redis+cluster://:${SECRET}@${gone.host}`;
      }],
      'where the address has several hosts and no cluster': [/^several hosts stand in a redis\+cluster:\/\/ address only$/, async () => `redis://:${SECRET}@one:1,two:2`],
    };
    for (const [where, [reason, prepare]] of Object.entries(cases)) {
      it(where, async () => {
        await using stack = new AsyncDisposableStack();
        const address = await prepare(stack);
        const startedAt = performance.now();
        await assert.rejects(open(address), (error: Error) => {
          assert.match(error.message, reason);
          assert.ok(!error.message.includes(SECRET));
          return true;
        });
        assert.ok(performance.now() - startedAt < 5_000);
      });
    }
  });

  describe('warns', () => {
    const warningsOf = async (settings: RedisServerOptions, user = ''): Promise<readonly string[]> => {
      await using server = await startRedis(settings);
      const warnings: string[] = [];
      await using _store = await openRedisStore(`redis://${user}${server.host}`, { ...silent, warn: (line) => { warnings.push(line); } });
      return warnings;
    };

    it('of nothing where the server keeps what it acknowledges', async () => {
      assert.deepEqual(await warningsOf({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction'] }), []);
    });

    it('of a server without an append-only file', async () => {
      const [warning, ...others] = await warningsOf({ appendOnly: false });
      assert.match(warning ?? '', /has no append-only file \(appendonly no\): a restart loses/);
      assert.deepEqual(others, []);
    });

    it('of a server that drops entries when its memory is full', async () => {
      const [warning, ...others] = await warningsOf({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'] });
      assert.match(warning ?? '', /drops entries when its memory is full/);
      assert.deepEqual(others, []);
    });

    it('where the server does not say', async () => {
      const user = ['--user', 'vestibule', 'on', `>${SECRET}`, '~vestibule:*', '+@all', '-@dangerous'];
      const [warning] = await warningsOf({ settings: user }, `vestibule:${SECRET}@`);
      assert.match(warning ?? '', /does not let this user run INFO/);
      assert.ok(!warning?.includes(SECRET));
    });

    it('of each master of a cluster', async () => {
      await using careless = await startRedisCluster({ appendOnly: false });
      const warnings: string[] = [];
      await using _store = await openRedisStore(`redis+cluster://${careless.masters[1]?.host}`, { ...silent, warn: (line) => { warnings.push(line); } });
      const ports = warnings.map((line) => Number(/127\.0\.0\.1:(\d+) has no append-only file/.exec(line)?.[1]));
      assert.deepEqual(ports.sort(), careless.masters.map(({ port }) => port).sort());
    });
  });
});

describe('RedisStore, its server away,', () => {
  it('fails each call within two seconds and a ping within one, and is back with everything by itself', async () => {
    await using server = await startRedis();
    const told: string[] = [];
    await using store = await openRedisStore(`redis://${server.host}`, {
      info: (line) => { told.push(line); }, warn: (line) => { told.push(line); },
    });
    await store.set('session:1', 'value', HOUR_MS);
    await server.kill();
    await eachCallFails(store);
    await setTimeout(300);
    await eachCallFails(store);
    await server.start();
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.deepEqual(told, [`The Redis server ${server.host} is away.`, `The Redis server ${server.host} is back.`]);
  });

  it('carries out nothing later that was refused meanwhile', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await server.kill();
    await Promise.allSettled(Array.from({ length: 50 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS)));
    await server.start();
    await until(() => isUp(store));
    for (let i = 0; i < 50; i += 1) assert.equal(await store.get(`session:${i}`), undefined);
  });

  it('fails in time where the server holds its connections and is silent, then at once, and is back by itself', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await store.set('session:1', 'value', HOUR_MS);
    server.suspend();
    await failsWithin(2_000, () => store.get('session:1'));
    await failsWithin(500, () => store.get('session:1'));
    await failsWithin(1_000, () => store.ping());
    server.resume();
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
  });

  it('makes a new connection where the network lost the old one and did not say', async () => {
    await using server = await startRedis();
    await using network = await startNetwork(server.port);
    await using store = await open(`redis://127.0.0.1:${network.port}`);
    await store.set('session:1', 'value', HOUR_MS);
    network.loseConnections();
    await failsWithin(2_000, () => store.get('session:1'));
    await until(() => isUp(store));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.equal(network.connections, 2);
  });

  it('makes a new connection where the network lost the old one and nobody asked', async () => {
    await using server = await startRedis();
    await using network = await startNetwork(server.port);
    await using store = await open(`redis://127.0.0.1:${network.port}`);
    network.loseConnections();
    await until(() => network.connections === 2);
    await until(() => isUp(store));
  });

  it('takes nothing for absent while the server is loading what it kept, and is back when it has', async () => {
    await using server = await startRedis({ settings: ['--key-load-delay', '400', '--loading-process-events-interval-bytes', '1024'] });
    await using store = await open(`redis://${server.host}`);
    for (let begun = 0; begun < 10_000; begun += 1_000) {
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${begun + i}`, 'value', undefined)));
    }
    await server.kill();
    const started = server.start();
    const warnings: string[] = [];
    const log = { ...silent, warn: (line: string) => { warnings.push(line); } };
    await using early = await until(() => openRedisStore(`redis://${server.host}`, log).catch(() => false as const));
    assert.deepEqual(warnings, ['The Redis server is still loading its data.']);
    for (const one of [early, store]) {
      const entry = await until(() => one.get('session:9999').catch((error: unknown) => {
        assert.ok(error instanceof StoreUnavailableError);
        return false as const;
      }));
      assert.equal(entry?.value, 'value');
    }
    await started;
  });

  it('of a cluster, loses the keys of one master and no others', async () => {
    await using own = await startRedisCluster({ settings: ['--cluster-require-full-coverage', 'no'] });
    await using store = await open(`redis+cluster://${own.hosts}`);
    const keys = Array.from({ length: 60 }, (_, i) => `session:${i}`);
    await Promise.all(keys.map((key) => store.set(key, 'value', HOUR_MS)));
    const readable = async () => (await Promise.allSettled(keys.map((key) => store.get(key))))
      .filter((outcome) => outcome.status === 'fulfilled' && outcome.value?.value === 'value').length;
    assert.equal(await readable(), 60);
    const [lost] = own.masters as [RedisServer];
    await lost.kill();
    const startedAt = performance.now();
    const left = await readable();
    assert.ok(performance.now() - startedAt < 2_000);
    assert.ok(left > 20 && left < 60, `${left} of 60`);
    await lost.start();
    await until(async () => await readable() === 60);
  });

  it('of a cluster, fails in time where one master is silent, and is back by itself', async () => {
    await using own = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] });
    await using store = await open(`redis+cluster://${own.hosts}`);
    const keys = Array.from({ length: 30 }, (_, i) => `session:${i}`);
    await Promise.all(keys.map((key) => store.set(key, 'value', HOUR_MS)));
    own.masters[2]?.suspend();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled(keys.map((key) => store.get(key)));
    assert.ok(performance.now() - startedAt < 2_000);
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled') && outcomes.some(({ status }) => status === 'rejected'));
    own.masters[2]?.resume();
    await until(async () => (await Promise.allSettled(keys.map((key) => store.get(key)))).every(({ status }) => status === 'fulfilled'));
  });
});

async function usable(store: RedisStore): Promise<void> {
  await using opened = store;
  await opened.set('session:1', 'value', HOUR_MS);
  assert.equal(await opened.take('session:1'), 'value');
  assert.equal(await opened.touch('session:1', HOUR_MS), false);
}

async function eachCallFails(store: RedisStore): Promise<void> {
  await failsWithin(1_000, () => store.ping());
  const calls = [
    () => store.get('session:1'),
    () => store.set('session:2', 'value', HOUR_MS),
    () => store.setIfAbsent('session:2', 'value', HOUR_MS),
    () => store.replace('session:1', 'value', HOUR_MS),
    () => store.touch('session:1', HOUR_MS),
    () => store.take('session:1'),
    () => store.delete('session:1'),
    () => store.entries('session:')[Symbol.asyncIterator]().next(),
  ];
  await Promise.all(calls.map((call) => failsWithin(2_000, call)));
}

async function failsWithin(ms: number, call: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await assert.rejects(call, StoreUnavailableError);
  const took = performance.now() - startedAt;
  assert.ok(took < ms, `${took} ms`);
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
