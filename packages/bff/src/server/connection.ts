/**
 * A client's connection as the HTTP server sees it. Node.js reads up to 64 KiB at once and parses them to their end, which
 * may be 2,400 requests: 6 MiB of objects, and an event loop that is blocked for 20 ms. Here the parser receives small
 * chunks, and none once the connection is destroyed. Reads of one client address take turns of the event loop.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Holds the head of an ordinary request, in bytes. */
const CHUNK_BYTES = 1_024;

/** Progress of a client that reads, in bytes; less of it in the time limit is a stall. */
const MIN_PROGRESS_BYTES = 4_096;

/** Of an address, between reads: a multiple of the time that its last read took. */
const REST_PER_READ = 3;

type WriteCallback = (error?: Error | null) => void;

/** Connections of one client address. While other addresses are connected, its reads take at most a quarter of the time: Node.js
 *  accepts one connection per turn of the event loop, and a turn without a read is short. */
export class ClientAddress {
  connections = 0;
  /** New connections in this second. */
  opened = 0;
  /** Connections that wait for the next second. */
  readonly delayed: Socket[] = [];
  readonly #isAlone: () => boolean;
  /** Reads in their order. */
  readonly #waiting = new Map<Connection, () => void>();
  #isReading = false;
  #restsUntil = 0;

  constructor(isAlone: () => boolean) {
    this.#isAlone = isAlone;
  }

  /** Calls `read` in a turn of the event loop of its own, unless the connection is destroyed before. */
  takeTurn(connection: Connection, read: () => void): void {
    const earlier = this.#waiting.get(connection);
    this.#waiting.set(connection, () => { earlier?.(); read(); });
    if (!this.#isReading) void this.#readInTurn();
  }

  /** Drops the waiting read of a destroyed connection. */
  giveUpTurn(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  async #readInTurn(): Promise<void> {
    this.#isReading = true;
    for (const connection of this.#waiting.keys()) {
      while (!this.#isAlone() && performance.now() < this.#restsUntil) await nextTurn();
      const read = this.#waiting.get(connection);
      if (!read) continue;
      this.#waiting.delete(connection);
      const beganAt = performance.now();
      read();
      await nextTurn();
      const endedAt = performance.now();
      this.#restsUntil = endedAt + REST_PER_READ * (endedAt - beganAt);
    }
    this.#isReading = false;
  }
}

export class Connection extends Duplex {
  readonly tcp: Socket;
  /** `undefined` before the first request. */
  latest: ServerResponse | undefined;
  requests = 0;
  /** Requests without a complete response. */
  open = 0;
  /** Bytes that left the buffer of the socket, and since when there are no more, in ms. */
  #sent = 0;
  #sentAt = 0;
  readonly #address: ClientAddress;

  constructor(tcp: Socket, address: ClientAddress) {
    super({ decodeStrings: false });
    this.tcp = tcp;
    this.#address = address;
    tcp.on('data', (data: Buffer) => {
      tcp.pause();
      address.takeTurn(this, () => {
        tcp.resume();
        for (let at = 0; at < data.length; at += CHUNK_BYTES) if (!this.push(data.subarray(at, at + CHUNK_BYTES))) tcp.pause();
      });
    });
    tcp.on('end', () => { address.takeTurn(this, () => { this.push(null); }); });
    tcp.on('timeout', () => { this.emit('timeout'); });
    tcp.on('error', (error) => { this.destroy(error); });
    tcp.on('close', () => { this.destroy(); });
  }

  get remoteAddress(): string | undefined {
    return this.tcp.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.tcp.remotePort;
  }

  setTimeout(timeoutMs: number): this {
    this.tcp.setTimeout(timeoutMs);
    return this;
  }

  destroySoon(): void {
    this.end(() => { this.destroy(); });
  }

  /** @returns whether the client has read next to nothing of what waits for it for `timeoutMs` */
  isStalled(now: number, timeoutMs: number): boolean {
    const { bytesWritten, writableLength } = this.tcp;
    const sent = bytesWritten - writableLength;
    if (writableLength > 0 && sent - this.#sent < MIN_PROGRESS_BYTES) return now - this.#sentAt >= timeoutMs;
    this.#sent = sent;
    this.#sentAt = now;
    return false;
  }

  override _read(): void {
    this.tcp.resume();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, callback: WriteCallback): void {
    this.tcp.write(chunk, encoding, callback);
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], callback: WriteCallback): void {
    this.tcp.cork();
    for (const [i, { chunk, encoding }] of chunks.entries()) {
      this.tcp.write(chunk, encoding, i === chunks.length - 1 ? callback : undefined);
    }
    this.tcp.uncork();
  }

  override _final(callback: WriteCallback): void {
    this.tcp.end(callback);
  }

  /** With a reset if bytes wait: the system would keep up to 4 MiB until the client reads them. */
  override _destroy(error: Error | null, callback: WriteCallback): void {
    this.#address.giveUpTurn(this);
    if (this.tcp.writableLength > 0) this.tcp.resetAndDestroy();
    else this.tcp.destroy();
    callback(error);
  }
}
