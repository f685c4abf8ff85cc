/** A client connection without an HTTP client: sends any bytes, counts the responses, ends in any way. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Entrance } from './_entrance.ts';

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

/** Of the longest status line that `STATUS_LINE` matches, less one: carried over to the next chunk. */
const OVERLAP = 12;

export class RawConnection {
  /** Of the responses so far, informational ones left out. */
  readonly statuses: number[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  readonly #tcp: Socket;
  readonly #stream: Socket;
  #tail = '';
  #isReadingOnce = false;
  #onChange: () => void = () => undefined;

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
      this.#onChange();
      resolve();
    });
  }

  /** Settles when the connection stands or has failed; a failed one is closed. */
  static async open({ port, certificate }: Entrance, localAddress: string): Promise<RawConnection> {
    const tcp = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const stream = certificate === undefined ? tcp : connectTls({ socket: tcp, ca: certificate, servername: 'localhost' });
    const connection = new RawConnection(tcp, stream);
    await Promise.race([connection.closed, once(stream, certificate === undefined ? 'connect' : 'secureConnect').catch(() => undefined)]);
    return connection;
  }

  /** @returns whether the bytes were handed to the system; `false` if they wait or the connection is closed */
  write(bytes: string | Buffer): boolean {
    if (this.isClosed || !this.#stream.writable) return false;
    return typeof bytes === 'string' ? this.#stream.write(bytes, 'latin1') : this.#stream.write(bytes);
  }

  /** Settles when earlier writes are handed to the system, with `false` if that takes longer than `withinMs`. */
  async drained(withinMs: number): Promise<boolean> {
    if (!this.#stream.writableNeedDrain) return !this.isClosed;
    const signal = AbortSignal.timeout(withinMs);
    return await Promise.race([
      once(this.#stream, 'drain', { signal }).then(() => true, () => false),
      this.closed.then(() => false),
    ]);
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

  /** Sends FIN and goes on reading. */
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
    this.#onChange();
  }

  async #until(isReached: () => boolean, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const earlier = this.#onChange;
    this.#onChange = () => {
      earlier();
      if (this.isClosed || isReached()) resolve();
    };
    this.#onChange();
    await promise;
    clearTimeout(timer);
    this.#onChange = earlier;
  }
}
