/** Connections to one real Redis, directly and by a Sentinel. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parseRedisAddress } from '../../packages/bff/src/store/redis-address.ts';
import { connectRedis, type RedisConnection } from '../../packages/bff/src/store/redis-connection.ts';
import { freePort } from '../lib/free-port.ts';
import { startRedis } from './_redis-server.ts';

const USER = ['--user', 'vestibule', 'on', '>secret', '~*', '+@all'];

const redis = await startRedis({ settings: USER });
const sentinel = await startRedis({ sentinel: { master: 'main', port: redis.port, quorum: 1 } });
after(async () => {
  await sentinel[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

const connect = (address: string, lines: string[] = []) => connectRedis(parseRedisAddress(address), {
  onDisconnected: (node) => { lines.push(`lost ${node}`); },
  onReconnected: (node) => { lines.push(`found ${node}`); },
});

const idOf = (connection: RedisConnection) => connection.send('', ['CLIENT', 'ID']);

const addresses = {
  'one server': () => `redis://vestibule:secret@${redis.host}/2`,
  'the master that a Sentinel names': () => `redis+sentinel://vestibule:secret@${sentinel.host}/main/2`,
};

for (const [name, address] of Object.entries(addresses)) {
  describe(`a connection to ${name}`, () => {
    it('signs in, selects the database, and names the server', async () => {
      const lines: string[] = [];
      await using connection = await connect(address(), lines);
      assert.equal(await connection.send('key', ['ACL', 'WHOAMI']), 'vestibule');
      assert.match(String(await connection.send('key', ['CLIENT', 'INFO'])), / db=2 /);
      const [master, ...others] = await connection.masters();
      assert.deepEqual([master?.name, others], [redis.host, []]);
      assert.equal(await master?.send(['PING']), 'PONG');
      assert.equal(await connection.nodeOf('one'), await connection.nodeOf('two'));
      assert.deepEqual(lines, []);
    });

    it('sends commands together, with no other between them', async () => {
      await using connection = await connect(address());
      const sets = Array.from({ length: 20 }, (_, i) => connection.sendTogether('', [['SET', 'last', String(i)], ['GET', 'last']]));
      assert.deepEqual(await Promise.all(sets), Array.from({ length: 20 }, (_, i) => ['OK', String(i)]));
    });

    it('stays open after a timeout shorter than usual', async () => {
      await using connection = await connect(address());
      const id = await idOf(connection);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '0.1'], 20), { name: 'RedisTimeoutError' });
      assert.equal(await idOf(connection), id);
    });

    it('stays open if a command has no reply but others have', async () => {
      await using connection = await connect(address());
      const id = await idOf(connection);
      const slow = connection.send('', ['EVAL', 'for i = 1, 1000000 do local x = i end return 1', '0']);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '1.5']), { name: 'RedisTimeoutError' });
      assert.equal(await slow, 1);
      assert.equal(await idOf(connection), id);
    });

    it('is replaced if a command has no reply', async () => {
      await using connection = await connect(address());
      const id = await idOf(connection);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '3']), { name: 'RedisTimeoutError' });
      while (await idOf(connection).catch(() => id) === id) await setTimeout(10);
    });

    it('leaves no socket when it is closed', async () => {
      const connection = await connect(address());
      await connection[Symbol.asyncDispose]();
      await assert.rejects(connection.send('', ['PING']));
      await untilWithoutSockets();
    });
  });
}

describe('connectRedis', () => {
  for (const scheme of ['redis://HOST', 'redis+sentinel://HOST/main', 'redis+cluster://HOST']) {
    it(`fails at once, with the reason, if nothing listens: ${scheme}`, async () => {
      const startedAt = performance.now();
      await assert.rejects(connect(scheme.replace('HOST', `127.0.0.1:${await freePort()}`)), { code: 'ECONNREFUSED' });
      assert.ok(performance.now() - startedAt < 1_000);
      await untilWithoutSockets();
    });
  }

  it('fails with the reply of a server that rejects the password', async () => {
    await assert.rejects(connect(`redis://vestibule:wrong@${redis.host}`), /^\S*Error: WRONGPASS/);
    await untilWithoutSockets();
  });
});

async function untilWithoutSockets(): Promise<void> {
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) await setTimeout(5);
}
