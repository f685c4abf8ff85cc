/** A client connection that sends any bytes, counts the responses, and closes with FIN or RST. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Entrance } from './_entrance.ts';

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

/** Length of a match of `STATUS_LINE` minus one: kept for a match across two chunks. */
const OVERLAP = 12;

const TRICKLE_MS = 1_000;

export class RawConnection {
  /** Final statuses of the responses so far. */
  readonly statuses: number[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  readonly #tcp: Socket;
  readonly #stream: Socket;
  #tail = '';
  #isReadingOnce = false;
  readonly #waiting = new Set<() => void>();

  private constructor(tcp: Socket, stream: Socket) {
    this.#tcp = tcp;
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    tcp.on('error', () => undefined);
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => { this.#read(chunk); });
    stream.on('end', () => { stream.end(); });
    tcp.once('close', () => {
      this.isClosed = true;
      stream.destroy();
      this.#report();
      resolve();
    });
  }

  /** Settles when the connection is established or has failed; a failed one is closed. */
  static async open({ port, certificate }: Entrance, localAddress: string): Promise<RawConnection> {
    const tcp = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const stream = certificate === undefined ? tcp : connectTls({ socket: tcp, ca: certificate, servername: 'localhost' });
    const connection = new RawConnection(tcp, stream);
    await Promise.race([connection.closed, once(stream, certificate === undefined ? 'connect' : 'secureConnect').catch(() => undefined)]);
    return connection;
  }

  /** @returns `false` if the bytes are buffered or the connection is closed */
  write(bytes: string | Buffer): boolean {
    if (this.isClosed || !this.#stream.writable) return false;
    return typeof bytes === 'string' ? this.#stream.write(bytes, 'latin1') : this.#stream.write(bytes);
  }

  /** Settles when the write buffer is empty, with `false` if that takes longer than `withinMs`. */
  async drained(withinMs: number): Promise<boolean> {
    if (!this.#stream.writableNeedDrain) return !this.isClosed;
    const signal = AbortSignal.timeout(withinMs);
    return await Promise.race([
      once(this.#stream, 'drain', { signal }).then(() => true, () => false),
      this.closed.then(() => false),
    ]);
  }

  /** Sends `first` at once, then one piece a second, until the connection is closed. */
  async trickle(first: string | Buffer, pieces: Iterable<string | Buffer>): Promise<void> {
    this.write(first);
    for (const piece of pieces) {
      if (await this.closes(TRICKLE_MS)) return;
      this.write(piece);
    }
    await this.closed;
  }

  pause(): void {
    this.#stream.pause();
  }

  /** Reads one chunk, then pauses again. */
  readOnce(): void {
    this.#isReadingOnce = true;
    this.#stream.resume();
  }

  /** Settles when `count` responses have begun, the connection is closed, or `withinMs` are over. @returns how many have begun */
  async responses(count: number, withinMs: number): Promise<number> {
    await this.#until(() => this.statuses.length >= count, withinMs);
    return this.statuses.length;
  }

  /** @returns whether the server closed within `withinMs` */
  async closes(withinMs: number): Promise<boolean> {
    await this.#until(() => false, withinMs);
    return this.isClosed;
  }

  /** Sends FIN and continues to read. */
  end(): void {
    this.#stream.end();
  }

  /** Closes both directions at once. */
  abort(): void {
    this.#tcp.destroy();
  }

  /** Sends RST. */
  reset(): void {
    if (!this.#tcp.destroyed) this.#tcp.resetAndDestroy();
  }

  #read(chunk: Buffer): void {
    if (this.#isReadingOnce) this.#stream.pause();
    const text = this.#tail + chunk.toString('latin1');
    for (const [, status] of text.matchAll(STATUS_LINE)) if (Number(status) >= 200) this.statuses.push(Number(status));
    this.#tail = text.slice(-OVERLAP);
    this.#report();
  }

  async #until(isReached: () => boolean, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const check = (): void => { if (this.isClosed || isReached()) resolve(); };
    this.#waiting.add(check);
    check();
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(check);
  }

  #report(): void {
    for (const check of this.#waiting) check();
  }
}
