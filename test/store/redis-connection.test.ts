/** Connections to one real Redis: directly, by a Sentinel, and as the only node of a cluster. */

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ClientOfflineError, ErrorReply } from '@redis/client';
import { parseRedisAddress } from '../../packages/bff/src/store/redis-address.ts';
import { connectRedis, type RedisConnection, type RedisReply } from '../../packages/bff/src/store/redis-connection.ts';
import { freePort } from '../lib/free-port.ts';
import { startNetwork, type Network } from './_network.ts';
import { withConnection } from './_redis-cluster.ts';
import { startRedis } from './_redis-server.ts';

const USER = ['--user', 'vestibule', 'on', '>secret', '~*', '+@all'];

await using stack = new AsyncDisposableStack();
const redis = stack.use(await startRedis({ settings: USER }));
const network = stack.use(await startNetwork(redis.port));
const masterNetwork = stack.use(await startNetwork(redis.port));
const sentinel = stack.use(await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } }));
const sentinelNetwork = stack.use(await startNetwork(sentinel.port));
const node = stack.use(await startRedis({ settings: USER, cluster: true }));
const nodeNetwork = stack.use(await startNetwork(node.port));
await withConnection(node, {}, async ({ send }) => {
  await send(['CONFIG', 'SET', 'cluster-announce-ip', '127.0.0.1', 'cluster-announce-port', String(nodeNetwork.port)]);
  await send(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  while (!String(await send(['CLUSTER', 'INFO'])).includes('cluster_state:ok')) await setTimeout(20);
});
const resources = stack.move();
after(() => resources.disposeAsync());

const connect = (address: string, lines: string[] = []) => connectRedis(parseRedisAddress(address), {
  onDisconnected: (name) => { lines.push(`lost ${name}`); },
  onReconnected: (name) => { lines.push(`found ${name}`); },
});

const idOf = (connection: RedisConnection) => connection.send('', ['CLIENT', 'ID']);

/** Sends it until it has a reply. */
async function resultOf(connection: RedisConnection, command: string[]): Promise<RedisReply> {
  for (;;) {
    try {
      return await connection.send('', command);
    } catch {
      await setTimeout(10);
    }
  }
}

interface Case {
  readonly address: string;
  readonly network: Network;
  readonly database: number;
}

const cases: Readonly<Record<string, Case>> = {
  'one server': { address: `redis://vestibule:secret@127.0.0.1:${network.port}/2`, network, database: 2 },
  'the master that a Sentinel names': {
    address: `redis+sentinel://vestibule:secret@127.0.0.1:${sentinelNetwork.port}/main/2`, network: masterNetwork, database: 2,
  },
  'a cluster': { address: `redis+cluster://vestibule:secret@127.0.0.1:${nodeNetwork.port}`, network: nodeNetwork, database: 0 },
};

for (const [what, { address, network, database }] of Object.entries(cases)) {
  const name = `127.0.0.1:${network.port}`;

  describe(`a connection to ${what}`, () => {
    beforeEach(untilMasterIsSeen);
    afterEach(() => { replaceConnections(network); });

    it('signs in, selects the database, and names the server', async () => {
      const lines: string[] = [];
      await using connection = await connect(address, lines);
      assert.equal(await connection.send('key', ['ACL', 'WHOAMI']), 'vestibule');
      assert.match(String(await connection.send('key', ['CLIENT', 'INFO'])), new RegExp(` db=${database} `));
      const [master, ...others] = await connection.masters();
      assert.deepEqual([master?.name, others], [name, []]);
      assert.equal(await master?.send(['PING']), 'PONG');
      assert.equal(await connection.nodeOf('one'), await connection.nodeOf('two'));
      assert.deepEqual(lines, []);
    });

    it('sends commands together, with no other between them', async () => {
      await using connection = await connect(address);
      const sets = Array.from({ length: 20 }, (_, i) => connection.sendTogether('', [['SET', 'last', String(i)], ['GET', 'last']]));
      assert.deepEqual(await Promise.all(sets), Array.from({ length: 20 }, (_, i) => ['OK', String(i)]));
    });

    it('stays open after an error reply, which is a value among commands that are sent together', async () => {
      await using connection = await connect(address);
      const id = await idOf(connection);
      await connection.send('', ['SET', 'text', 'value']);
      await assert.rejects(connection.send('', ['LPUSH', 'text', '1']), /^\S*Error: WRONGTYPE/);
      const [first, error, last] = await connection.sendTogether('', [['PING'], ['LPUSH', 'text', '1'], ['GET', 'text']]);
      assert.ok(error instanceof ErrorReply);
      assert.match(error.message, /^WRONGTYPE/);
      assert.deepEqual([first, last], ['PONG', 'value']);
      assert.equal(await idOf(connection), id);
    });

    it('stays open after a timeout shorter than usual', async () => {
      await using connection = await connect(address);
      const id = await idOf(connection);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '0.1'], 20), { name: 'RedisTimeoutError' });
      assert.equal(await idOf(connection), id);
    });

    it('stays open if a command has no reply but others have', async () => {
      await using connection = await connect(address);
      const id = await idOf(connection);
      const slow = connection.send('', ['EVAL', 'for i = 1, 1000000 do local x = i end return 1', '0']);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '1.5']), { name: 'RedisTimeoutError' });
      assert.equal(await slow, 1);
      assert.equal(await idOf(connection), id);
    });

    for (const [call, block] of Object.entries({
      'a command': (connection: RedisConnection) => connection.send('', ['BLPOP', 'nothing', '3']),
      'commands sent together': (connection: RedisConnection) => connection.sendTogether('', [['BLPOP', 'nothing', '3'], ['PING']]),
    })) {
      it(`is replaced once if ${call} and others have no reply`, async () => {
        const lines: string[] = [];
        await using connection = await connect(address, lines);
        const id = await idOf(connection);
        const before = network.connections;
        await Promise.all([assert.rejects(block(connection), { name: 'RedisTimeoutError' }), assert.rejects(block(connection))]);
        while (await resultOf(connection, ['CLIENT', 'ID']) === id) await setTimeout(10);
        assert.equal(network.connections, before + 1);
      });
    }

    it('fails at once while the server is away, reports the loss and the return once, and sends nothing late', async () => {
      const lines: string[] = [];
      await using connection = await connect(address, lines);
      await connection.send('', ['SET', 'count', '0']);
      network.cut();
      const attempts = network.connections;
      while (network.connections < attempts + 3) {
        const startedAt = performance.now();
        await connection.send('', ['INCR', 'count']).catch(() => undefined);
        assert.ok(performance.now() - startedAt < 500);
        await setTimeout(10);
      }
      assert.deepEqual(lines, [`lost ${name}`]);
      network.restore();
      assert.equal(await resultOf(connection, ['GET', 'count']), '0');
      assert.deepEqual(lines, [`lost ${name}`, `found ${name}`]);
    });

    it('leaves no socket when it is closed, even while the server is away', async () => {
      const before = openSockets();
      const connection = await connect(address);
      await connection[Symbol.asyncDispose]();
      await assert.rejects(connection.send('', ['PING']));
      await untilClosed(before);
      const other = await connect(address);
      network.cut();
      await assert.rejects(other.send('', ['PING']));
      await other[Symbol.asyncDispose]();
      await untilClosed(before);
    });
  });
}

describe('a connection by Sentinels', () => {
  const { address } = cases['the master that a Sentinel names'] as Case;
  const master = `127.0.0.1:${masterNetwork.port}`;
  beforeEach(untilMasterIsSeen);
  afterEach(() => { [sentinelNetwork, masterNetwork].forEach(replaceConnections); });

  it('is made by the second Sentinel if the first one is silent', async () => {
    await using silent = await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
    silent.suspend();
    await using connection = await connect(address.replace('@', `@${silent.host},`));
    assert.equal(await connection.send('', ['PING']), 'PONG');
  });

  it('serves while no Sentinel can be reached', async () => {
    const lines: string[] = [];
    await using connection = await connect(address, lines);
    sentinelNetwork.cut();
    for (const endsAt = performance.now() + 500; performance.now() < endsAt; await setTimeout(5)) {
      assert.equal(await connection.send('', ['PING']), 'PONG');
      assert.deepEqual(await connection.sendTogether('', [['ECHO', '1'], ['ECHO', '2']]), ['1', '2']);
    }
    assert.deepEqual(lines, []);
  });

  it('asks for the master every 200 ms while it is away; other commands fail at once meanwhile', async () => {
    await using connection = await connect(address);
    masterNetwork.cut();
    await assert.rejects(connection.send('', ['PING']));
    const startedAt = performance.now();
    let asked = 0;
    while (performance.now() < startedAt + 1_000) {
      await connection.send('', ['PING']).catch((error: unknown) => { if (!(error instanceof ClientOfflineError)) asked += 1; });
      await setTimeout(5);
    }
    assert.ok(asked >= 2 && asked <= 5, String(asked));
  });

  it('asks at once when the master is lost', async () => {
    await using connection = await connect(address);
    assert.equal(await connection.send('', ['PING']), 'PONG');
    masterNetwork.cut();
    await assert.rejects(connection.send('', ['PING']));
    await assert.rejects(connection.send('', ['PING']), (error) => !(error instanceof ClientOfflineError));
  });

  it('is made anew if the master and the Sentinel are silent, with one report of the loss; commands fail at once meanwhile', async () => {
    const lines: string[] = [];
    await using connection = await connect(address, lines);
    sentinel.suspend();
    masterNetwork.loseConnections();
    await assert.rejects(connection.send('', ['PING']), { name: 'RedisTimeoutError' });
    const startedAt = performance.now();
    await assert.rejects(connection.send('', ['PING']), ClientOfflineError);
    assert.ok(performance.now() - startedAt < 500);
    assert.deepEqual(lines, [`lost ${master}`]);
    sentinel.resume();
    assert.equal(await resultOf(connection, ['PING']), 'PONG');
    assert.deepEqual(lines, [`lost ${master}`, `found ${master}`]);
  });

  it('leaves no socket if it is closed while it is made anew', async () => {
    const before = openSockets();
    const connection = await connect(address);
    masterNetwork.loseConnections();
    sentinel.suspend();
    await assert.rejects(connection.send('', ['PING']), { name: 'RedisTimeoutError' });
    await setTimeout(50);
    const closed = connection[Symbol.asyncDispose]();
    sentinel.resume();
    await closed;
    replaceConnections(masterNetwork);
    await untilMasterIsSeen();
    await untilClosed(before);
  });
});

describe('a connection to a cluster', () => {
  const { address } = cases['a cluster'] as Case;

  it('names no master after it is closed', async () => {
    const connection = await connect(address);
    await connection[Symbol.asyncDispose]();
    await assert.rejects(connection.masters(), { message: 'The cluster is not connected.' });
  });

  it('stays open if a command has no reply and a ping is refused', async () => {
    await using connection = await connect(address);
    const id = await idOf(connection);
    try {
      await withConnection(node, {}, ({ send }) => send(['ACL', 'SETUSER', 'vestibule', '-ping']));
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '1.3']), { name: 'RedisTimeoutError' });
      await setTimeout(100);
      assert.equal(await idOf(connection), id);
    } finally {
      await withConnection(node, {}, ({ send }) => send(['ACL', 'SETUSER', 'vestibule', '+ping']));
    }
  });
});

describe('connectRedis', () => {
  for (const scheme of ['redis://HOST', 'redis+sentinel://HOST/main', 'redis+cluster://HOST']) {
    it(`fails at once, with the reason, if nothing listens: ${scheme}`, async () => {
      const before = openSockets();
      const startedAt = performance.now();
      await assert.rejects(connect(scheme.replace('HOST', `127.0.0.1:${await freePort()}`)), { code: 'ECONNREFUSED' });
      assert.ok(performance.now() - startedAt < 1_000);
      await untilClosed(before);
    });
  }

  it('fails with the reply of a server that rejects the password', async () => {
    const before = openSockets();
    await assert.rejects(connect(`redis://vestibule:wrong@${redis.host}`), /^\S*Error: WRONGPASS/);
    await untilClosed(before);
  });
});

/** The Sentinel notices the loss of its own ones at once, and their silence late. */
function replaceConnections(network: Network): void {
  network.cut();
  network.restore();
}

/** The Sentinel looks for it once a second, and has two connections to it. */
async function untilMasterIsSeen(): Promise<void> {
  await withConnection(sentinel, {}, async ({ send }) => {
    while (!/"flags"[:,]"master"/.test(JSON.stringify(await send(['SENTINEL', 'MASTER', 'main'])))) await setTimeout(10);
  });
  await withConnection(redis, {}, async ({ send }) => {
    while (String(await send(['CLIENT', 'LIST'])).match(/name=sentinel-/g)?.length !== 2) await setTimeout(10);
  });
}

/** Sockets of the proxies included. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
}

async function untilClosed(left: number): Promise<void> {
  while (openSockets() > left) await setTimeout(5);
}
