/** The BFF's HTTP server, which can be drained: what is under way is answered, and each connection ends with its answer. */

import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limitBodyPace } from './body-pace.ts';

/** How often limits on slow requests are checked; they bite this much late at the most. */
const CONNECTIONS_CHECKING_INTERVAL_MS = 1_000;

const HEADERS_TIMEOUT_MS = 10_000;

/** Longer than proxies keep idle connections to us (60 s is common): who closes first must not be the one that is asked. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

export class DrainingServer {
  readonly http: Server;
  readonly #answers = new Set<ServerResponse>();
  /** Connections that have not asked anything yet. */
  readonly #silent = new Set<Socket>();
  #isDraining = false;

  constructor(listener: RequestListener, { requestTimeoutMs }: { readonly requestTimeoutMs: number }) {
    this.http = createServer({
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, HEADERS_TIMEOUT_MS),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
    }, listener);
    limitBodyPace(this.http);
    this.http.on('connection', (socket) => {
      this.#silent.add(socket);
      socket.once('close', () => this.#silent.delete(socket));
    });
    this.http.prependListener('request', (req, res) => {
      this.#silent.delete(req.socket);
      this.#follow(res);
    });
  }

  /** Takes no more connections and settles when the last answer is sent, or cut off when `timeoutMs` are over.
   *  @returns how many requests were cut off */
  async drain(timeoutMs: number): Promise<number> {
    this.#isDraining = true;
    for (const res of this.#answers) endConnectionWith(res);
    const closed = once(this.http, 'close');
    this.http.close();
    this.http.closeIdleConnections();
    for (const socket of this.#silent) if (socket.bytesRead === 0) socket.destroy();
    let cutOff = 0;
    const timer = setTimeout(() => {
      cutOff = this.#answers.size;
      this.http.closeAllConnections();
    }, timeoutMs);
    await closed;
    clearTimeout(timer);
    return cutOff;
  }

  #follow(res: ServerResponse): void {
    this.#answers.add(res);
    if (this.#isDraining) endConnectionWith(res);
    res.once('close', () => {
      this.#answers.delete(res);
      if (this.#isDraining) setImmediate(() => { this.http.closeIdleConnections(); });
    });
  }
}

function endConnectionWith(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
