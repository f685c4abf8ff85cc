import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ClientAddress, Connection } from './connection.ts';

/** A connection whose socket has taken 100,000 bytes, of which `read` have left it. */
function connectionWith(): { connection: Connection; setRead(read: number): void } {
  const tcp = new Socket();
  let writableLength = 100_000;
  Object.defineProperties(tcp, { bytesWritten: { value: 100_000 }, writableLength: { get: () => writableLength } });
  return { connection: new Connection(tcp, new ClientAddress(() => true)), setRead(read) { writableLength = 100_000 - read; } };
}

describe('Connection.isStalled', () => {
  it('is true for a client that reads less than 4 KiB within the limit, however often', () => {
    const { connection, setRead } = connectionWith();
    setRead(10_000);
    assert.equal(connection.isStalled(0, 15_000), false);
    for (let second = 1; second < 15; second += 1) {
      setRead(10_000 + second * 100);
      assert.equal(connection.isStalled(second * 1_000, 15_000), false);
    }
    assert.equal(connection.isStalled(15_000, 15_000), true);
  });

  it('is false for a client that reads 4 KiB within the limit, or everything', () => {
    const { connection, setRead } = connectionWith();
    for (let i = 1; i < 20; i += 1) {
      setRead(i * 4_096);
      assert.equal(connection.isStalled(i * 14_000, 15_000), false);
    }
    setRead(100_000);
    assert.equal(connection.isStalled(1_000_000, 15_000), false);
    assert.equal(connection.isStalled(2_000_000, 15_000), false);
  });
});

/** A connection that adds `name` to `reads` for each chunk that it passes on. */
function connect(address: ClientAddress, name = '', reads: string[] = []): { tcp: Socket; connection: Connection } {
  const tcp = new Socket();
  const connection = new Connection(tcp, address).on('data', () => { reads.push(name); });
  return { tcp, connection };
}

describe('ClientAddress.takeTurn', () => {
  const READ_MS = 100;
  const read = () => { for (const endsAt = performance.now() + READ_MS; performance.now() < endsAt;); };

  for (const [isAlone, when] of [[false, 'after a rest three times as long as the read before, while other addresses are connected'], [true, 'at once for the only address']] as const) {
    it(`calls the next read ${when}`, async () => {
      const address = new ClientAddress(() => isAlone);
      const { promise, resolve } = Promise.withResolvers<number>();
      let endedAt = 0;
      const [first, second] = [connect(address), connect(address)];
      first.connection.on('data', () => { read(); endedAt = performance.now(); });
      second.connection.on('data', () => { resolve(performance.now()); });
      for (const { tcp } of [first, second]) tcp.push('a');
      assert.equal(await promise - endedAt >= 3 * READ_MS - 20, !isAlone);
    });
  }

  it('does not keep the event loop busy while nothing waits', async () => {
    const address = new ClientAddress(() => false);
    const { tcp, connection } = connect(address);
    tcp.push('a');
    await once(connection.on('data', read), 'data');
    const { active } = performance.eventLoopUtilization();
    await new Promise((resolve) => { setTimeout(resolve, READ_MS); });
    assert.ok(performance.eventLoopUtilization().active - active < 0.8 * READ_MS);
  });
});

describe('Connection', () => {
  it('passes on one read of each client address per turn of the event loop', async () => {
    const reads: string[] = [];
    const [busy, other] = [new ClientAddress(() => true), new ClientAddress(() => true)];
    const connections = [...Array.from({ length: 50 }, () => connect(busy, 'busy', reads)), connect(other, 'other', reads)];
    for (const { tcp } of connections) tcp.push('a');
    while (!reads.includes('other')) await nextTurn();
    assert.ok(reads.indexOf('other') <= 2, `after ${reads.indexOf('other')} reads`);
    while (reads.length < 51) await nextTurn();
    for (const { connection } of connections) connection.destroy();
  });

  for (const isAlone of [true, false]) {
    it(`keeps every read, in order, ${isAlone ? 'alone' : 'beside others'}`, async () => {
      const address = new ClientAddress(() => isAlone);
      const received: Buffer[] = [];
      const [tcp, client] = duplexPair();
      const connection = new Connection(tcp as Socket, address).on('data', (chunk: Buffer) => { received.push(chunk); });
      const sent = Array.from({ length: 20 }, (_, i) => Buffer.alloc(3_000, i));
      for (const data of sent) client.write(data);
      client.end();
      await once(connection, 'end');
      assert.ok(Buffer.concat(received).equals(Buffer.concat(sent)));
      connection.destroy();
    });
  }

  it('passes nothing on that waits for its turn when the connection is destroyed', async () => {
    const reads: string[] = [];
    const address = new ClientAddress(() => true);
    const connections = Array.from({ length: 5 }, () => connect(address, 'read', reads));
    for (const { tcp } of connections) tcp.push('a');
    for (const { connection } of connections.slice(1)) connection.destroy();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(reads.length, 1);
    connections[0]?.connection.destroy();
  });

  it('takes no turn of its address when it is destroyed before', async () => {
    const reads: string[] = [];
    const address = new ClientAddress(() => true);
    const connections = Array.from({ length: 200 }, () => connect(address, 'destroyed', reads));
    for (const { tcp } of connections) tcp.push('a');
    const { tcp, connection } = connect(address, 'next', reads);
    tcp.push('a');
    await nextTurn();
    for (const one of connections) one.connection.destroy();
    let turns = 0;
    while (!reads.includes('next')) {
      await nextTurn();
      turns += 1;
    }
    assert.ok(turns < 10, `${turns} turns`);
    connection.destroy();
  });
});
