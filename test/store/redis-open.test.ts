/** Opening a Redis store: addresses, credentials, TLS, and what an operator reads when it fails. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openRedisStore, type RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { makeSelfSigned, type SelfSigned } from '../tls/self-signed.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedis, type RedisServerOptions } from './_redis-server.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'a-secret-of-the-operator';

const redis = await startRedis();
const cluster = await startRedisCluster({ password: 'another' });
after(async () => {
  await redis[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const silent = { info: () => undefined, warn: () => undefined };
const open = (address: string): Promise<RedisStore> => openRedisStore(address, silent);

describe('openRedisStore', () => {
  it('signs in with a password, and with a user name', async () => {
    await using guarded = await startRedis({
      password: SECRET, settings: ['--user', 'vestibule', 'on', `>${SECRET}`, '~vestibule:*', '+@all', '-@dangerous', '+info'],
    });
    await assertUsable(await open(`redis://:${SECRET}@${guarded.host}`));
    await assertUsable(await open(`redis://vestibule:${SECRET}@${guarded.host}`));
  });

  it('connects by TLS to a server with a trusted certificate', async () => {
    const selfSigned = makeSelfSigned();
    await using guarded = await startRedis({ tls: selfSigned });
    const untrusted = /The Redis server has an untrusted certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/;
    await assert.rejects(open(`rediss://${guarded.host}`), untrusted);
    await trusting(selfSigned, async () => { await assertUsable(await open(`rediss://${guarded.host}`)); });
    await assert.rejects(open(`redis://${guarded.host}`), /The Redis server closes the connection\.$/);
  });

  it('connects by TLS to every node of a cluster', async () => {
    const selfSigned = makeSelfSigned();
    await trusting(selfSigned, async () => {
      await using guarded = await startRedisCluster({ tls: selfSigned, password: SECRET });
      await using store = await open(`rediss+cluster://:${SECRET}@${guarded.masters[0]?.host}`);
      const keys = Array.from({ length: 30 }, (_, i) => `session:${i}`);
      await Promise.all(keys.map((key) => store.set(key, key, HOUR_MS)));
      assert.deepEqual((await Promise.all(keys.map((key) => store.get(key)))).map((entry) => entry?.value), keys);
      await assert.rejects(open(`redis+cluster://:${SECRET}@${guarded.hosts}`), /The Redis server closes the connection\.$/);
    });
  });

  describe('explains within five seconds and without a secret why it fails', () => {
    type Prepare = (stack: AsyncDisposableStack) => Promise<string>;
    const cases: Readonly<Record<string, readonly [reason: RegExp, prepare: Prepare]>> = {
      'nothing listens': [/cannot be reached: connection refused\.$/, async (stack) => {
        const gone = stack.use(await startRedis());
        await gone.kill();
        return `redis://user:${SECRET}@${gone.host}`;
      }],
      'unknown host name': [/cannot be reached: (unknown host name|the host name )/, async () => `redis://user:${SECRET}@redis.invalid`],
      'wrong password': [/rejects the user name or the password\.$/, async (stack) => {
        const guarded = stack.use(await startRedis({ password: 'another' }));
        return `redis://:${SECRET}@${guarded.host}`;
      }],
      'missing password': [/requires a password\.$/, async (stack) => {
        const guarded = stack.use(await startRedis({ password: 'another' }));
        return `redis://${guarded.host}`;
      }],
      'user without access to the keys': [/denies this user /, async (stack) => {
        const guarded = stack.use(await startRedis({ settings: ['--user', 'other', 'on', `>${SECRET}`, '~other:*', '+@all'] }));
        return `redis://other:${SECRET}@${guarded.host}`;
      }],
      replica: [/is a replica, which rejects writes\.$/, async (stack) => {
        const replica = stack.use(await startRedis({ settings: ['--replicaof', '127.0.0.1', String(redis.port)] }));
        return `redis://${replica.host}`;
      }],
      'silent server': [/does not answer in time\.$/, async (stack) => {
        const server = stack.use(await startRedis());
        server.suspend();
        return `redis://:${SECRET}@${server.host}`;
      }],
      'server of another protocol': [/closes the connection\.$|does not answer /, async (stack) => {
        const server = createServer((_req, res) => { res.end('Welcome'); }).listen(0, '127.0.0.1');
        stack.defer(() => { server.close(); server.closeAllConnections(); });
        await once(server, 'listening');
        return `redis://:${SECRET}@127.0.0.1:${(server.address() as AddressInfo).port}`;
      }],
      'server without TLS': [/does not speak TLS|closes the connection|does not answer/, async () => `rediss://:${SECRET}@${redis.host}`],
      'address of a server, node of a cluster': [/belongs to a cluster: the address must begin with redis\+cluster:\/\/ /, async () => (
        `redis://:another@${cluster.masters[0]?.host}`
      )],
      'address of a cluster, single server': [/is not part of a cluster\.$/, async () => `redis+cluster://${redis.host}`],
      'wrong password of a cluster': [/rejects the user name or the password\.$/, async () => `redis+cluster://:${SECRET}@${cluster.hosts}`],
      'no node of a cluster listens': [/cannot be reached: connection refused\.$/, async (stack) => {
        const gone = stack.use(await startRedis());
        await gone.kill();
        return `redis+cluster://:${SECRET}@${gone.host}`;
      }],
      'several hosts without a cluster': [/^only redis\+cluster:\/\/ and redis\+sentinel:\/\/ addresses have several hosts$/, async () => `redis://:${SECRET}@one:1,two:2`],
    };
    for (const [what, [reason, prepare]] of Object.entries(cases)) {
      it(what, async () => {
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

    it('about nothing if the server keeps acknowledged writes', async () => {
      assert.deepEqual(await warningsOf({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction'] }), []);
    });

    it('about a server without an append-only file', async () => {
      const [warning, ...others] = await warningsOf({ appendOnly: false });
      assert.match(warning ?? '', /has no append-only file \(appendonly no\): a restart loses/);
      assert.deepEqual(others, []);
    });

    it('about a server that evicts entries', async () => {
      const [warning, ...others] = await warningsOf({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'] });
      assert.match(warning ?? '', /drops entries when its memory is full/);
      assert.deepEqual(others, []);
    });

    it('if the user may not run INFO', async () => {
      const user = ['--user', 'vestibule', 'on', `>${SECRET}`, '~vestibule:*', '+@all', '-@dangerous'];
      const [warning] = await warningsOf({ settings: user }, `vestibule:${SECRET}@`);
      assert.match(warning ?? '', /denies this user INFO/);
      assert.ok(!warning?.includes(SECRET));
    });

    it('about each master of a cluster', async () => {
      await using careless = await startRedisCluster({ appendOnly: false });
      const warnings: string[] = [];
      await using _store = await openRedisStore(`redis+cluster://${careless.masters[1]?.host}`, { ...silent, warn: (line) => { warnings.push(line); } });
      const ports = warnings.map((line) => Number(/127\.0\.0\.1:(\d+) has no append-only file/.exec(line)?.[1]));
      assert.deepEqual(ports.sort(), careless.masters.map(({ port }) => port).sort());
    });
  });
});

async function assertUsable(store: RedisStore): Promise<void> {
  await using opened = store;
  await opened.set('session:1', 'value', HOUR_MS);
  assert.equal(await opened.take('session:1'), 'value');
  assert.equal(await opened.touch('session:1', HOUR_MS), false);
}

async function trusting({ certificate }: SelfSigned, work: () => Promise<void>): Promise<void> {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate]);
  try {
    await work();
  } finally {
    setDefaultCACertificates(trusted);
  }
}
