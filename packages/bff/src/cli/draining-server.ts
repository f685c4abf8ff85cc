/** The BFF's HTTP server, which can be drained: what is under way is answered, and each connection ends with its answer. */

import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitBodyPace } from './body-pace.ts';

/** How often limits on slow requests are checked; they bite this much late at the most. */
const CONNECTIONS_CHECKING_INTERVAL_MS = 1_000;

const HEADERS_TIMEOUT_MS = 10_000;

/** Longer than proxies keep idle connections to us (60 s is common): who closes first must not be the one that is asked. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** What a connection has that is there and has not asked yet when no more are taken: its request may be on the way. */
const FIRST_REQUEST_WITHIN_MS = 500;

export class DrainingServer {
  readonly http: Server;
  /** The newest answer of each connection; none where it has not asked yet. Kept by connection, because a set that many
   *  answers pass through leaves traces by which the garbage collector takes the dead ones for old and alive. */
  readonly #connections = new Map<Socket, ServerResponse | undefined>();
  /** Answers that are not sent yet. */
  #underWay = 0;
  /** Whether each connection ends with its answer. */
  #isEnding = false;
  #isDraining = false;

  constructor(listener: RequestListener, { requestTimeoutMs }: { readonly requestTimeoutMs: number }) {
    this.http = createServer({
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, HEADERS_TIMEOUT_MS),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
    }, limitBodyPace((req, res) => {
      this.#follow(req.socket, res);
      listener(req, res);
    }));
    this.http.on('connection', (socket) => {
      this.#connections.set(socket, undefined);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** From now on each connection ends with its answer, so that a proxy holds few idle ones to a server that is about to
   *  close them: a request that crosses with that is lost. */
  endConnections(): void {
    this.#isEnding = true;
    for (const res of this.#connections.values()) if (res) endConnectionWith(res);
  }

  /** Takes no more connections and settles when the last answer is sent, or cut off when `timeoutMs` are over.
   *  @returns how many requests were cut off */
  async drain(timeoutMs: number): Promise<number> {
    this.#isDraining = true;
    this.endConnections();
    // Connections that wait to be accepted are reset when the server closes. Now there are none: they were just looked for.
    await nextTurn();
    const closed = once(this.http, 'close');
    this.http.close();
    this.http.closeIdleConnections();
    const patience = setTimeout(() => {
      for (const [socket, res] of this.#connections) if (!res && socket.bytesRead === 0) socket.destroy();
    }, FIRST_REQUEST_WITHIN_MS);
    let cutOff = 0;
    const timer = setTimeout(() => {
      cutOff = this.#underWay;
      this.http.closeAllConnections();
    }, timeoutMs);
    await closed;
    clearTimeout(timer);
    clearTimeout(patience);
    return cutOff;
  }

  #follow(socket: Socket, res: ServerResponse): void {
    if (!socket.destroyed) this.#connections.set(socket, res);
    this.#underWay += 1;
    if (this.#isEnding) endConnectionWith(res);
    res.on('close', () => {
      this.#underWay -= 1;
      if (this.#isDraining) setImmediate(() => { this.http.closeIdleConnections(); });
    });
  }
}

function endConnectionWith(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
