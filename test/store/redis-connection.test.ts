/** Connections to one real Redis: directly, by a Sentinel, and as the only node of a cluster. */

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import type { Socket } from 'node:net';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ClientOfflineError, ErrorReply } from '@redis/client';
import { connectRedis } from '../../packages/bff/src/store/connect-redis.ts';
import { parseRedisAddress } from '../../packages/bff/src/store/redis-address.ts';
import { PING_INTERVAL_MS, RedisTimeoutError, type RedisConnection, type RedisReply } from '../../packages/bff/src/store/redis-connection.ts';
import { freePort } from '../lib/free-port.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';
import { startNetwork, type Network } from './_network.ts';
import { startRedisCluster, withConnection } from './_redis-cluster.ts';
import { startRedis, type RedisServer } from './_redis-server.ts';

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
  readonly server: RedisServer;
  readonly network: Network;
  readonly database: number;
}

const cases: Readonly<Record<string, Case>> = {
  'one server': { address: `redis://vestibule:secret@127.0.0.1:${network.port}/2`, server: redis, network, database: 2 },
  'the master that a Sentinel names': {
    address: `redis+sentinel://vestibule:secret@127.0.0.1:${sentinelNetwork.port}/main/2`,
    server: redis,
    network: masterNetwork,
    database: 2,
  },
  'a cluster': {
    address: `redis+cluster://vestibule:secret@127.0.0.1:${nodeNetwork.port}`, server: node, network: nodeNetwork, database: 0,
  },
};

for (const [what, { address, server, network, database }] of Object.entries(cases)) {
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
      const node = await connection.nodeOf('one');
      assert.equal(typeof node, 'object');
      assert.equal(await connection.nodeOf('two'), node);
      assert.deepEqual(lines, []);
    });

    it('sends commands together, with no other between them', async () => {
      await using connection = await connect(address);
      const sets = Array.from({ length: 20 }, (_, i) => connection.sendTogether('', [['SET', 'last', String(i)], ['GET', 'last']]));
      assert.deepEqual(await Promise.all(sets), Array.from({ length: 20 }, (_, i) => ['OK', String(i)]));
    });

    it('stays open after an error reply, which is a value among commands that are sent together', async () => {
      const lines: string[] = [];
      await using connection = await connect(address, lines);
      const id = await idOf(connection);
      await connection.send('', ['SET', 'text', 'value']);
      await assert.rejects(connection.send('', ['LPUSH', 'text', '1']), /^\S*Error: WRONGTYPE/);
      const [first, error, last] = await connection.sendTogether('', [['PING'], ['LPUSH', 'text', '1'], ['GET', 'text']]);
      assert.ok(error instanceof ErrorReply);
      assert.match(error.message, /^WRONGTYPE/);
      assert.deepEqual([first, last], ['PONG', 'value']);
      assert.equal(await idOf(connection), id);
      assert.deepEqual(lines, []);
    });

    it('sends a command once, also if its reply is an error', async () => {
      await using connection = await connect(address);
      await connection.send('', ['SET', 'count', '0']);
      await assert.rejects(connection.send('', ['EVAL', `redis.call('INCR', 'count') return redis.error_reply('NO')`, '0']));
      assert.equal(await connection.send('', ['GET', 'count']), '1');
    });

    it('stays open after a timeout shorter than usual', async () => {
      await using connection = await connect(address);
      const id = await idOf(connection);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '0.3'], 20), { name: 'RedisTimeoutError' });
      assert.equal(await idOf(connection), id);
    });

    it('stays open if a command has no reply but others have', async () => {
      await using connection = await connect(address);
      const id = await idOf(connection);
      const slow = connection.send('', ['EVAL', 'for i = 1, 1000000 do local x = i end return 1', '0']);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '10']), { name: 'RedisTimeoutError' });
      await unblock(server, id);
      assert.equal(await slow, 1);
      assert.equal(await idOf(connection), id);
    });

    for (const [call, block] of Object.entries({
      'a command': (connection: RedisConnection) => connection.send('', ['BLPOP', 'nothing', '10']),
      'commands sent together': (connection: RedisConnection) => connection.sendTogether('', [['BLPOP', 'nothing', '10'], ['PING']]),
    })) {
      it(`is replaced once if ${call} and others have no reply`, async () => {
        const lines: string[] = [];
        await using connection = await connect(address, lines);
        const id = await idOf(connection);
        const before = network.connections;
        const startedAt = performance.now();
        await Promise.all([assert.rejects(block(connection), { name: 'RedisTimeoutError' }), assert.rejects(block(connection))]);
        while (await resultOf(connection, ['CLIENT', 'ID']) === id) await setTimeout(10);
        assert.ok(performance.now() - startedAt < 3_500);
        assert.deepEqual(lines, [`lost ${name}`, `found ${name}`]);
        // The Sentinel itself connects to the master too, and again if it had no reply in time.
        if (network === masterNetwork) return;
        assert.equal(network.connections, before + 1);
      });
    }

    it('fails at once while the server is away, reports the loss and the return once, and sends nothing late', async () => {
      const lines: string[] = [];
      await using connection = await connect(address, lines);
      await connection.send('', ['SET', 'count', '0']);
      network.cut();
      for (const endsAt = performance.now() + 500; performance.now() < endsAt;) {
        await assert.rejects(connection.send('', ['INCR', 'count']), (error) => !(error instanceof RedisTimeoutError));
        await setTimeout(10);
      }
      assert.deepEqual(lines, [`lost ${name}`]);
      network.restore();
      assert.equal(await resultOf(connection, ['GET', 'count']), '0');
      assert.deepEqual(lines, [`lost ${name}`, `found ${name}`]);
    });

    it('reports nothing when it is closed while a command has no reply', async () => {
      const lines: string[] = [];
      const connection = await connect(address, lines);
      const failed = assert.rejects(connection.send('', ['BLPOP', 'nothing', '1']));
      await connection[Symbol.asyncDispose]();
      await failed;
      assert.deepEqual(lines, []);
    });

    it('leaves no socket when it is closed', async () => {
      const before = openSockets();
      const connection = await connect(address);
      await connection[Symbol.asyncDispose]();
      await assert.rejects(connection.send('', ['PING']));
      await untilClosed(before);
    });
  });
}

for (const what of ['one server', 'a cluster']) {
  const { address, network } = cases[what] as Case;

  it(`a connection to ${what} opens and reports nothing after it is closed while it reconnects`, async (t) => {
    const announce = (host: string) => withConnection(node, {}, ({ send }) => send(['CONFIG', 'SET', 'cluster-announce-ip', host]));
    const lookups: (() => void)[] = [];
    let isHeld = false;
    t.mock.method(dns, 'lookup', (_host: string, _options: unknown, callback: (error: null, found: dns.LookupAddress[]) => void) => {
      const reply = () => { callback(null, [{ address: '127.0.0.1', family: 4 }]); };
      if (isHeld) lookups.push(reply);
      else reply();
    });
    await announce('redis.example');
    try {
      const lines: string[] = [];
      const connection = await connect(address.replace('127.0.0.1', 'redis.example'), lines);
      isHeld = true;
      network.cut();
      while (lookups.length === 0) await setTimeout(5);
      network.restore();
      await connection[Symbol.asyncDispose]();
      for (const reply of lookups) reply();
      await setTimeout(200);
      assert.equal(await signedInClients(what === 'a cluster' ? node : redis), 0);
      assert.deepEqual(lines, [`lost redis.example:${network.port}`]);
    } finally {
      await announce('127.0.0.1');
    }
  });
}

describe('a connection by Sentinels', () => {
  const { address } = cases['the master that a Sentinel names'] as Case;
  const master = `127.0.0.1:${masterNetwork.port}`;
  beforeEach(untilMasterIsSeen);
  afterEach(() => { [sentinelNetwork, masterNetwork].forEach(replaceConnections); });

  it('replaces an idle connection that carries no reply, without a command', async () => {
    await using _connection = await connect(address);
    const before = new Set(await signedInIds(redis));
    masterNetwork.loseConnections();
    const startedAt = performance.now();
    while ((await signedInIds(redis)).every((id) => before.has(id))) {
      assert.ok(performance.now() - startedAt < 10_000);
      await setTimeout(20);
    }
  });

  it('pings an idle master every two seconds: without traffic the connection is replaced', async () => {
    await using _connection = await connect(address);
    const pinged = async () => /^id=(\d+) .* idle=(\d+) .* cmd=ping .*user=vestibule /m.exec(await clientsOf(redis)) ?? [];
    // Redis counts whole seconds, and a ping may come between two: a drop of the count is a ping.
    const pings: number[] = [];
    let before: readonly string[] = [];
    for (const startedAt = performance.now(); pings.length < 3;) {
      assert.ok(performance.now() - startedAt < 15_000, `pings at ${pings.join(', ')} ms`);
      const now = await pinged();
      if (now[1] === before[1] && Number(now[2]) < Number(before[2])) pings.push(performance.now() - startedAt);
      before = now;
      await setTimeout(20);
    }
    const [first = 0, second = 0, third = 0] = pings;
    for (const ms of [second - first, third - second]) assert.ok(ms > 1_500 && ms < 2_700, `pings at ${pings.join(', ')} ms`);
  });

  it('leaves no pings when it is closed', async (t) => {
    const begin = t.mock.method(globalThis, 'setInterval');
    const end = t.mock.method(globalThis, 'clearInterval');
    const connection = await connect(address);
    await connection[Symbol.asyncDispose]();
    const pings = begin.mock.calls.filter(({ arguments: [, ms] }) => ms === PING_INTERVAL_MS).map(({ result }) => result);
    assert.ok(pings.length > 0);
    assert.deepEqual(pings.filter((timer) => !end.mock.calls.some(({ arguments: [ended] }) => ended === timer)), []);
  });

  it('sends a command that begins together with another one without a pause', async () => {
    const sockets: Socket[] = [];
    const remember = (message: unknown) => { sockets.push((message as { socket: Socket }).socket); };
    subscribe('net.client.socket', remember);
    await using connection = await connect(address).finally(() => { unsubscribe('net.client.socket', remember); });
    const ownSockets = sockets.filter(({ remotePort }) => remotePort === masterNetwork.port);
    const sent = () => ownSockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    redis.suspend();
    try {
      const before = sent();
      const replies = ['a', 'b'].map((letter) => connection.send('', ['ECHO', letter.repeat(10_000)]));
      const endsAt = performance.now() + 1_000;
      while (sent() - before <= 20_000) {
        assert.ok(performance.now() < endsAt, 'the second command waits for the reply to the first');
        await setTimeout(5);
      }
      redis.resume();
      await Promise.all(replies);
    } finally {
      redis.resume();
    }
  });

  for (const state of ['silent', 'away']) {
    it(`serves while the Sentinel is ${state}`, async () => {
      // One that was silent for two seconds reports no outage for the next thirty.
      await using own = await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
      await using ownNetwork = await startNetwork(own.port);
      const lines: string[] = [];
      await using connection = await connect(address.replace(/@[^/]+/, `@127.0.0.1:${ownNetwork.port}`), lines);
      const { connections } = masterNetwork;
      if (state === 'silent') own.suspend();
      else ownNetwork.cut();
      for (const endsAt = performance.now() + 2_000; performance.now() < endsAt; await setTimeout(5)) {
        assert.equal(await connection.send('', ['PING']), 'PONG');
        assert.deepEqual(await connection.sendTogether('', [['ECHO', '1'], ['ECHO', '2']]), ['1', '2']);
      }
      assert.deepEqual(lines, []);
      assert.equal(masterNetwork.connections, connections);
    });
  }

  it('keeps the master while several Sentinels are silent', async () => {
    await using others = new AsyncDisposableStack();
    const start = () => startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
    const sentinels = (await Promise.all([start(), start(), start()])).map((server) => others.use(server));
    const lines: string[] = [];
    await using connection = await connect(address.replace(/@[^/]+/, `@${sentinels.map(({ host }) => host).join()}`), lines);
    for (const server of sentinels) server.suspend();
    const id = await idOf(connection);
    const results = [];
    for (const endsAt = performance.now() + 3_500; performance.now() < endsAt; await setTimeout(5)) {
      results.push(await connection.send('', ['PING']).catch(String));
    }
    assert.equal(results.at(-1), 'PONG');
    assert.equal(await idOf(connection), id);
    assert.deepEqual(lines, []);
  });

  it('returns to the master while no Sentinel can be reached', async () => {
    await using connection = await connect(address);
    sentinelNetwork.cut();
    replaceConnections(masterNetwork);
    assert.equal(await resultOf(connection, ['PING']), 'PONG');
  });

  it('follows the master to another address, and reports that without a command', async () => {
    await using moved = await startNetwork(redis.port);
    await using first = await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
    const lines: string[] = [];
    await using _ = await connect(address.replace(/@[^/]+/, `@${first.host}`), lines);
    await withConnection(first, {}, async ({ send }) => {
      await send(['SENTINEL', 'REMOVE', 'main']);
      await send(['SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(moved.port), '1']);
    });
    // The first one announces that it found the second one.
    await using _second = await startRedis({ sentinel: { master: 'main', port: moved.port, quorum: 1 } });
    while (lines.length < 2) await setTimeout(10);
    assert.deepEqual(lines, [`lost ${master}`, `found 127.0.0.1:${moved.port}`]);
  });

  for (const [what, write] of [
    ['a command', (connection: RedisConnection) => connection.send('', ['SET', 'key', 'value'])],
    ['one of several', async (connection: RedisConnection) => {
      const error = (await connection.sendTogether('', [['PING'], ['SET', 'key', 'value']])).at(-1);
      return error instanceof ErrorReply ? Promise.reject(error) : error;
    }],
  ] as const) {
    it(`leaves a master that became a replica unannounced, when it refuses ${what}`, async () => {
      await using promoted = await startRedis();
      await using demotion = await demote();
      await demotion.nameMaster(promoted.port);
      while (await write(demotion.connection).catch(() => setTimeout(10)) !== 'OK');
      await withConnection(promoted, {}, async ({ send }) => { assert.equal(await send(['GET', 'key']), 'value'); });
      assert.deepEqual(demotion.lines, [`lost ${demotion.master}`, `found 127.0.0.1:${promoted.port}`]);
    });

    it(`stays with a master that became a replica, if the Sentinels still name it after it refused ${what}`, async () => {
      await using demotion = await demote();
      const { connection, lines, master } = demotion;
      while (lines.length < 2) await write(connection).catch(() => setTimeout(10));
      const id = await idOf(connection);
      await assert.rejects(write(connection), /READONLY/);
      assert.equal(await idOf(connection), id);
      assert.deepEqual(lines, [`lost ${master}`, `found ${master}`]);
    });
  }

  it('reports no return of a master that it leaves when a reply arrives together with the refusal', async () => {
    await using demotion = await demote();
    const { connection, lines, master, demoted, announcer, announcerNetwork } = demotion;
    demoted.suspend();
    const replies = Promise.allSettled([connection.send('', ['SET', 'key', 'value']), connection.send('', ['PING'])]);
    // The client waits for its Sentinel, and closes its connection to the master only then.
    const { connections } = announcerNetwork;
    announcer.suspend();
    replaceConnections(announcerNetwork);
    while (announcerNetwork.connections === connections) await setTimeout(5);
    demoted.resume();
    const [, pong] = await replies;
    assert.deepEqual(pong, { status: 'fulfilled', value: 'PONG' });
    assert.deepEqual(lines, [`lost ${master}`]);
  });

  /** A connection to a master that became a replica. Its Sentinel names it until `nameMaster`, which no Sentinel announces. */
  async function demote() {
    await using servers = new AsyncDisposableStack();
    const demoted = servers.use(await startRedis());
    const announcer = servers.use(await startRedis({ sentinel: { master: 'main', port: demoted.port, quorum: 1 } }));
    const announcerNetwork = servers.use(await startNetwork(announcer.port));
    const lines: string[] = [];
    const connection = servers.use(await connect(`redis+sentinel://127.0.0.1:${announcerNetwork.port}/main`, lines));
    await withConnection(demoted, {}, async ({ send }) => send(['REPLICAOF', '127.0.0.1', String(await freePort())]));
    const resources = servers.move();
    return {
      connection, lines, demoted, announcer, announcerNetwork, master: `127.0.0.1:${demoted.port}`,
      nameMaster: (port: number) => withConnection(announcer, {}, async ({ send }) => {
        await send(['SENTINEL', 'REMOVE', 'main']);
        await send(['SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(port), '1']);
      }),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }

  it('is made by the second Sentinel if the first one is silent', async () => {
    await using silent = await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
    silent.suspend();
    const startedAt = performance.now();
    await using connection = await connect(address.replace('@', `@${silent.host},`));
    assert.ok(performance.now() - startedAt < 4_000);
    assert.equal(await connection.send('', ['PING']), 'PONG');
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

  it('is replaced if the master and the Sentinel are silent, with one report of the loss; commands fail at once meanwhile', async () => {
    const lines: string[] = [];
    await using connection = await connect(address, lines);
    sentinel.suspend();
    try {
      masterNetwork.loseConnections();
      while (lines.length === 0) await assert.rejects(connection.send('', ['PING']));
      await assert.rejects(connection.send('', ['PING']), ClientOfflineError);
      assert.deepEqual(lines, [`lost ${master}`]);
    } finally {
      sentinel.resume();
    }
    assert.equal(await resultOf(connection, ['PING']), 'PONG');
    assert.deepEqual(lines, [`lost ${master}`, `found ${master}`]);
  });

  it('asks again, 200 ms later at the earliest, while it is replaced, until a Sentinel replies', async () => {
    await using connection = await connect(address);
    masterNetwork.loseConnections();
    await assert.rejects(connection.send('', ['PING']), { name: 'RedisTimeoutError' });
    sentinelNetwork.cut();
    const { connections } = sentinelNetwork;
    const startedAt = performance.now();
    while (sentinelNetwork.connections < connections + 3) await setTimeout(10);
    assert.ok(performance.now() - startedAt > 350, 'three times within two pauses');
    sentinelNetwork.restore();
    assert.equal(await resultOf(connection, ['PING']), 'PONG');
  });

  it('refuses a command as not sent after it is closed', async () => {
    const connection = await connect(address);
    await connection[Symbol.asyncDispose]();
    await assert.rejects(connection.send('', ['PING']), ClientOfflineError);
  });

  it('leaves no socket if it is closed while it is replaced', async () => {
    const before = openSockets();
    const connection = await connect(address);
    masterNetwork.loseConnections();
    await assert.rejects(connection.send('', ['PING']), { name: 'RedisTimeoutError' });
    sentinel.suspend();
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

  it('reports the loss of each master', async () => {
    await using cluster = await startRedisCluster();
    const lines: string[] = [];
    await using connection = await connect(`redis+cluster://${cluster.hosts}`, lines);
    const losses: string[] = [];
    for (const { name } of (await connection.masters()).toReversed()) {
      const server = cluster.masters.find(({ host }) => host === name) ?? assert.fail(`no server ${name}`);
      await server.kill();
      losses.push(`lost ${name}`);
      const endsAt = performance.now() + 5_000;
      while (lines.length < losses.length && performance.now() < endsAt) await setTimeout(10);
      assert.deepEqual(lines, losses);
    }
  });

  it('names no master after it is closed', async () => {
    const connection = await connect(address);
    await connection[Symbol.asyncDispose]();
    await assert.rejects(connection.masters(), { message: 'The cluster is not connected.' });
  });

  it('sends no ping after an error reply', async () => {
    await using connection = await connect(address);
    await connection.send('', ['SET', 'text', 'value']);
    const before = await pings(node);
    await assert.rejects(connection.send('', ['LPUSH', 'text', '1']));
    await connection.send('', ['GET', 'text']);
    assert.equal(await pings(node), before);
  });

  it('leaves no connection if its first ping is refused', async () => {
    try {
      await allowPing(node, false);
      await assert.rejects(connect(address), /^\S*Error: NOPERM/);
      while (await signedInClients(node) > 0) await setTimeout(10);
    } finally {
      await allowPing(node, true);
    }
  });

  it('stays open if a command has no reply and a ping is refused', async () => {
    await using connection = await connect(address);
    const id = await idOf(connection);
    try {
      const refused = await allowPing(node, false);
      await assert.rejects(connection.send('', ['BLPOP', 'nothing', '10']), { name: 'RedisTimeoutError' });
      await unblock(node, id);
      await refused();
      assert.equal(await idOf(connection), id);
    } finally {
      await allowPing(node, true);
    }
  });
});

it('reports nothing when it is closed while a ping has no reply', async () => {
  await untilMasterIsSeen();
  const lines: string[] = [];
  const connections = await Promise.all(Object.values(cases).map(({ address }) => connect(address, lines)));
  [network, masterNetwork, nodeNetwork].forEach((each) => { each.loseConnections(); });
  await setTimeout(2_200);
  await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
  await setTimeout(20);
  assert.deepEqual(lines, []);
  [network, masterNetwork, nodeNetwork].forEach(replaceConnections);
});

it('a refused ping is no loss', async () => {
  await untilMasterIsSeen();
  const lines: string[] = [];
  await using connections = new AsyncDisposableStack();
  for (const { address } of Object.values(cases)) connections.use(await connect(address, lines));
  try {
    const refused = await Promise.all([redis, redis, node].map((server) => allowPing(server, false)));
    await Promise.all(refused.map((untilRefused) => untilRefused()));
    assert.deepEqual(lines, []);
  } finally {
    await Promise.all([redis, node].map((server) => allowPing(server, true)));
  }
});

describe('connectRedis', () => {
  beforeEach(untilMasterIsSeen);

  for (const [what, { address }] of Object.entries(cases)) {
    it(`fails at once, with the reason, if nothing listens: ${what}`, async () => {
      const before = openSockets();
      const lines: string[] = [];
      const startedAt = performance.now();
      await assert.rejects(connect(address.replace(/:\d+/, `:${await freePort()}`), lines), { code: 'ECONNREFUSED' });
      assert.ok(performance.now() - startedAt < 2_500, 'after the time limit');
      await untilClosed(before);
      assert.deepEqual(lines, []);
    });

    it(`fails with the reply of a server that rejects the password: ${what}`, async () => {
      const before = openSockets();
      await assert.rejects(connect(address.replace('secret', 'wrong')), /^\S*Error: WRONGPASS/);
      await untilClosed(before);
    });
  }

  for (const also of ['', ', also if the server closed it', ', also if another Sentinel is away']) {
    it(`repeats an attempt that a busy process made too slow for a Sentinel, and leaves no socket and no timer of it when it is closed${also}`, async () => {
      const before = openSockets();
      const timers = activeTimers();
      const away = also.endsWith('away') ? `,127.0.0.1:${await freePort()}` : '';
      let sockets = 0;
      // Two sockets to the Sentinel come first, then one to the master.
      const block = () => { if (++sockets === 3) blockFor(500); };
      subscribe('net.client.socket', block);
      try {
        const connection = await connect(`redis+sentinel://vestibule:secret@127.0.0.1:${sentinel.port}${away}/main`);
        assert.equal(await connection.send('', ['PING']), 'PONG');
        if (also.includes('server')) replaceConnections(masterNetwork);
        await connection[Symbol.asyncDispose]();
      } finally {
        unsubscribe('net.client.socket', block);
      }
      const closedAt = performance.now();
      await untilClosed(before);
      while (activeTimers() > timers && performance.now() - closedAt < 3_000) await setTimeout(20);
      assert.ok(activeTimers() <= timers);
      assert.ok(performance.now() - closedAt < 7_000);
    });
  }

  it('fails if the certificate is not trusted', async () => {
    await using guarded = await startRedis({ tls: makeSelfSigned() });
    await assert.rejects(connect(`rediss://${guarded.host}`), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  for (const what of ['the master that a Sentinel names', 'a cluster']) {
    it(`names the rejected password although another host is away: ${what}`, async () => {
      const { address } = cases[what] as Case;
      const away = `127.0.0.1:${await freePort()}`;
      const wrong = address.replace('secret', 'wrong');
      // A cluster is asked from a random host on.
      for (const hosts of [`@${away},$1`, `@$1,${away}`]) {
        for (let i = 0; i < 4; i += 1) {
          await assert.rejects(connect(wrong.replace(/@([^/]+)/, hosts)), /^\S*Error: WRONGPASS/);
        }
      }
    });
  }

  it('fails with the reason if a master of the cluster cannot be reached', async () => {
    const announce = (port: number) => withConnection(node, {}, ({ send }) => send(['CONFIG', 'SET', 'cluster-announce-port', String(port)]));
    const before = openSockets();
    const lines: string[] = [];
    await announce(await freePort());
    try {
      await assert.rejects(connect((cases['a cluster'] as Case).address, lines), { code: 'ECONNREFUSED' });
    } finally {
      await announce(nodeNetwork.port);
    }
    await untilClosed(before);
    assert.deepEqual(lines, []);
  });

  it('fails after its time limit, with the reason, and leaves no socket, if the server is silent', async () => {
    const reasons: Readonly<Record<string, object>> = {
      'the master that a Sentinel names': { message: 'no valid master node' },
    };
    redis.suspend();
    node.suspend();
    try {
      await Promise.all(Object.entries(cases).map(([what, { address }]) => (
        assert.rejects(connect(address), reasons[what] ?? { name: 'RedisTimeoutError' })
      )));
    } finally {
      redis.resume();
      node.resume();
    }
    await setTimeout(200);
    assert.deepEqual(await Promise.all([redis, node].map(signedInClients)), [0, 0]);
  });

  it('waits for a silent Sentinel although another one is away', async () => {
    const away = `127.0.0.1:${await freePort()}`;
    await using silent = await startRedis({ sentinel: { master: 'main', port: masterNetwork.port, quorum: 1 } });
    silent.suspend();
    const connecting = connect(`redis+sentinel://vestibule:secret@${silent.host},${away}/main`);
    await setTimeout(1_500);
    silent.resume();
    await using connection = await connecting;
    assert.equal(await connection.send('', ['PING']), 'PONG');
  });

  it('waits while the Sentinels miss the master', async () => {
    redis.suspend();
    try {
      await untilFlagged(/s_down/);
      const connecting = connect((cases['the master that a Sentinel names'] as Case).address);
      await setTimeout(500);
      redis.resume();
      await using connection = await connecting;
      assert.equal(await connection.send('', ['PING']), 'PONG');
    } finally {
      redis.resume();
    }
  });
});

async function signedInClients(server: RedisServer): Promise<number> {
  return (await signedInIds(server)).length;
}

/** Of connections that have signed in, also silent ones. */
async function signedInIds(server: RedisServer): Promise<readonly string[]> {
  return Array.from((await clientsOf(server)).matchAll(/^id=(\d+) .* user=vestibule /gm), ([, id = '']) => id);
}

function clientsOf(server: RedisServer): Promise<string> {
  return withConnection(server, {}, async ({ send }) => String(await send(['CLIENT', 'LIST'])));
}

/** Ends the blocking command of a connection. */
async function unblock(server: RedisServer, id: RedisReply): Promise<void> {
  await withConnection(server, {}, ({ send }) => send(['CLIENT', 'UNBLOCK', String(id)]));
}

/** @returns settles when a ping was refused */
async function allowPing(server: RedisServer, isAllowed: boolean): Promise<() => Promise<void>> {
  return withConnection(server, {}, async ({ send }) => {
    await send(['ACL', 'SETUSER', 'vestibule', isAllowed ? '+ping' : '-ping']);
    const before = await refusedPings(server);
    return async () => {
      while (await refusedPings(server) === before) await setTimeout(20);
    };
  });
}

async function refusedPings(server: RedisServer): Promise<string | undefined> {
  return /rejected_calls=(\d+)/.exec(await pings(server))?.[1];
}

async function pings(server: RedisServer): Promise<string> {
  return withConnection(server, {}, async ({ send }) => /cmdstat_ping:.*/.exec(String(await send(['INFO', 'commandstats'])))?.[0] ?? '');
}

/** The Sentinel notices the loss of its own ones at once, and their silence late. */
function replaceConnections(network: Network): void {
  network.cut();
  network.restore();
}

/** The Sentinel looks for it once a second, and has two connections to it. */
async function untilMasterIsSeen(): Promise<void> {
  await untilFlagged(/"flags"[:,]"master"/);
  await withConnection(redis, {}, async ({ send }) => {
    while (String(await send(['CLIENT', 'LIST'])).match(/name=sentinel-/g)?.length !== 2) await setTimeout(10);
  });
}

/** @param flags in what the Sentinel says about the master */
async function untilFlagged(flags: RegExp): Promise<void> {
  await withConnection(sentinel, {}, async ({ send }) => {
    while (!flags.test(JSON.stringify(await send(['SENTINEL', 'MASTER', 'main'])))) await setTimeout(10);
  });
}

/** Keeps the event loop from running. */
function blockFor(ms: number): void {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms);
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
}

/** Sockets of the proxies included. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
}

async function untilClosed(left: number): Promise<void> {
  while (openSockets() > left) await setTimeout(5);
}
