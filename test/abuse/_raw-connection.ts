/** A client connection that sends any bytes, counts complete responses, and closes with FIN or RST. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { HTTPParser } from 'http-parser-js';
import type { Entrance } from './_entrance.ts';
import { unreadBytesOf } from './_process-usage.ts';

const TRICKLE_MS = 1_000;
const HEAD = Buffer.from('HEAD ');
const NODE_REFUSALS = [400, 408, 413, 431];

export class RawConnection {
  /** Final statuses of the complete responses so far. */
  readonly statuses: number[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  readonly #tcp: Socket;
  readonly #stream: Socket;
  readonly #parser = new HTTPParser('RESPONSE');
  /** Whether the last request is `HEAD`, whose response has no body. */
  #isHead = false;
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
    stream.on('end', () => {
      // Completes a response whose body ends with the connection.
      this.#parser.finish();
      this.#report();
      stream.end();
    });
    this.#followResponses();
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
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    this.#isHead = buffer.subarray(0, 5).equals(HEAD);
    return this.#stream.write(buffer);
  }

  /** Settles when the write buffer is empty or the connection is closed. @returns whether it is open */
  async drained(): Promise<boolean> {
    if (!this.#stream.writableNeedDrain) return !this.isClosed;
    const drained = once(this.#stream, 'drain').then(() => true, () => false);
    return await Promise.race([drained, this.closed.then(() => false)]);
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

  /** Bytes from the server in the system's buffers of both sides; 0 after a reset. */
  unreadBytes(): Promise<number> {
    const { localAddress = '', localPort = 0, remotePort = 0 } = this.#tcp;
    return unreadBytesOf({ localAddress, localPort, remotePort });
  }

  /** Settles when `count` responses are complete, the connection is closed, or `withinMs` are over. @returns their number */
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
    this.#parser.execute(chunk);
    this.#report();
  }

  #followResponses(): void {
    let status = 0;
    this.#parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
      status = statusCode;
      const isFramed = headers.some((name, i) => i % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name));
      // Node.js refuses malformed requests with a head alone.
      const isRefusal = !isFramed && NODE_REFUSALS.includes(status);
      return Number(this.#isHead || status < 200 || status === 204 || status === 304 || isRefusal);
    };
    this.#parser[HTTPParser.kOnMessageComplete] = () => { if (status >= 200) this.statuses.push(status); };
    this.#parser[HTTPParser.kOnBody] = () => undefined;
    this.#parser[HTTPParser.kOnHeaders] = () => undefined;
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
