import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Connection } from './connection.ts';

/** A connection whose socket has taken 100,000 bytes, of which `read` have left it. */
function connectionWith(): { connection: Connection; setRead(read: number): void } {
  const tcp = new Socket();
  let writableLength = 100_000;
  Object.defineProperties(tcp, { bytesWritten: { value: 100_000 }, writableLength: { get: () => writableLength } });
  return { connection: new Connection(tcp), setRead(read) { writableLength = 100_000 - read; } };
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
