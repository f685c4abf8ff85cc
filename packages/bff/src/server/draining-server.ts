/**
 * The HTTP server of the process. It limits what one connection can hold, and it drains: requests in flight get their
 * responses, and each connection closes with its response.
 */

import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { ipKeyGenerator } from 'express-rate-limit';
import { ClientAddress, Connection } from './connection.ts';

export interface ServerLimits {
  /** For a complete request, in ms. */
  readonly requestTimeoutMs: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** For one client address (IPv6: one /64 network), twice: open connections, beyond which a new one is closed at once, and new
   *  connections a second, beyond which a new one waits for the next second. Default: no limit. */
  readonly maxConnectionsPerAddress?: number;
  /** For the client to read some of a response, in ms. Default: 15000. */
  readonly stallTimeoutMs?: number;
}

/** Of new connections: all open ones, those of one address, and new ones of an address in a second. */
export type ConnectionLimit = 'all' | 'address' | 'address-second';

export interface ServerReports {
  /** Called with the status of each response to what is no complete HTTP request. */
  readonly refused?: (status: number) => void;
  /** Called for each new connection beyond a limit. */
  readonly limited?: (limit: ConnectionLimit) => void;
}

/** For the head of a request, in ms. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Bytes of a request's head. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Proxies keep idle connections for 60 s; the side that closes first must not be the one that receives requests. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Then the connection closes with its response. Node.js's own limit, `maxRequestsPerSocket`, leaves closing to the client. */
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/** Requests of one connection without a complete response. Proxies and browsers do not pipeline. */
const MAX_PIPELINED_REQUESTS = 10;

const STALL_TIMEOUT_MS = 15_000;

/** How often time limits are checked, in ms. */
const CHECK_INTERVAL_MS = 1_000;

/** After draining begins: for the first request of a connection that is open already, in ms. */
const FIRST_REQUEST_TIMEOUT_MS = 500;

/** A turn of the event loop is short below the first, in ms. A drain waits for one no longer than the second, in ms. */
const SHORT_TURN_MS = 0.5;
const SHORT_TURN_WITHIN_MS = 100;

/** Statuses by the code of an error of Node.js. Other codes of its parser, `HPE_…`, are 400. */
const refusals: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

export class DrainingServer {
  readonly http: Server;
  readonly #connections = new Set<Connection>();
  readonly #addresses = new Map<string, ClientAddress>();
  readonly #reports: ServerReports;
  readonly #parse: (connection: Connection) => void;
  #requestsInFlight = 0;
  /** Whether each connection closes with its response. */
  #isEnding = false;
  #isDraining = false;

  constructor(listener: RequestListener, limits: ServerLimits, reports: ServerReports = {}) {
    const { requestTimeoutMs, maxConnections, maxConnectionsPerAddress = Infinity, stallTimeoutMs = STALL_TIMEOUT_MS } = limits;
    this.#reports = reports;
    this.http = createServer({
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, HEADERS_TIMEOUT_MS),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    }, (req, res) => {
      if (this.#follow(req, res)) listener(req, res);
    });
    this.http.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
      if (this.#follow(req, res)) res.writeHead(417).end();
    });
    this.http.on('clientError', ({ code }: NodeJS.ErrnoException, connection) => {
      const status = refusals[code ?? ''] ?? (code?.startsWith('HPE_') ? 400 : undefined);
      if (status !== undefined) reports.refused?.(status);
      refuse(connection as unknown as Connection, status);
    });
    this.http.maxConnections = maxConnections;
    // An option of `net.Server` that HTTP's `createServer` does not pass on: nothing is read from a delayed connection.
    Object.assign(this.http, { pauseOnConnect: true });
    this.http.on('drop', () => reports.limited?.('all'));
    // An HTTP server takes any Duplex for its event `connection`.
    const [parse] = this.http.listeners('connection') as [(this: Server, connection: Connection) => void];
    this.#parse = parse.bind(this.http);
    this.http.off('connection', parse).on('connection', (socket) => { this.#accept(socket, maxConnectionsPerAddress); });
    const timer = setInterval(() => {
      for (const [key, address] of this.#addresses) {
        if (address.connections === 0) this.#addresses.delete(key);
        address.opened = 0;
      }
      void this.#openDelayed();
      for (const one of this.#connections) if (one.isStalled(performance.now(), stallTimeoutMs)) one.destroy();
    }, Math.min(CHECK_INTERVAL_MS, stallTimeoutMs)).unref();
    this.http.on('close', () => { clearInterval(timer); });
  }

  /** From now on each connection closes with its response, so that a proxy keeps few idle connections to this server: a
   *  request that arrives on a closing connection is lost. */
  endConnections(): void {
    this.#isEnding = true;
    for (const { latest } of this.#connections) if (latest) closeWith(latest);
  }

  /** Accepts no more connections. Resolves when the last response is sent, or after `timeoutMs` cuts it off.
   *  @returns how many requests were cut off */
  async drain(timeoutMs: number): Promise<number> {
    this.#isDraining = true;
    this.endConnections();
    // Its turn also reads the requests that have arrived: `close()` closes idle connections.
    await shortTurn();
    const closed = once(this.http, 'close');
    this.http.close();
    let cutOff = 0;
    const timer = setTimeout(() => {
      cutOff = this.#requestsInFlight;
      this.http.closeAllConnections();
    }, timeoutMs);
    await this.#openDelayed();
    // Timers run before sockets are read: a request that arrived while the event loop was blocked is served.
    const firstRequestTimer = setTimeout(() => setImmediate(() => { this.#closeSilent(); }), FIRST_REQUEST_TIMEOUT_MS);
    await closed;
    clearTimeout(timer);
    clearTimeout(firstRequestTimer);
    return cutOff;
  }

  /** Closes the connections without a first request. */
  #closeSilent(): void {
    for (const { latest, tcp } of this.#connections) if (!latest && tcp.bytesRead === 0) tcp.destroy();
  }

  /** Closes a connection beyond the limit of open ones; delays one beyond the limit of a second. */
  #accept(socket: Socket, maxPerAddress: number): void {
    const key = ipKeyGenerator(socket.remoteAddress ?? '', 64);
    const address = this.#addresses.get(key) ?? new ClientAddress(() => this.#addresses.size === 1 || maxPerAddress === Infinity);
    this.#addresses.set(key, address);
    if (address.connections >= maxPerAddress) {
      this.#reports.limited?.('address');
      socket.destroy();
      return;
    }
    address.connections += 1;
    socket.on('error', () => undefined).once('close', () => { address.connections -= 1; });
    if (address.opened < maxPerAddress) {
      this.#open(socket, address);
    } else {
      this.#reports.limited?.('address-second');
      address.delayed.push(socket);
    }
  }

  /** Those of each address in a turn of the event loop of its own. */
  async #openDelayed(): Promise<void> {
    for (const address of this.#addresses.values()) {
      if (address.delayed.length === 0) continue;
      for (const socket of address.delayed.splice(0)) {
        if (!socket.destroyed) this.#open(socket, address);
      }
      await nextTurn();
    }
  }

  #open(socket: Socket, address: ClientAddress): void {
    address.opened += 1;
    const connection = new Connection(socket, address);
    this.#connections.add(connection);
    connection.once('close', () => { this.#connections.delete(connection); });
    this.#parse(connection);
  }

  /** @returns whether the request is handled */
  #follow({ socket: connection }: { readonly socket: unknown }, res: ServerResponse): boolean {
    if (!(connection instanceof Connection)) return false;
    if (connection.open >= MAX_PIPELINED_REQUESTS) connection.destroy();
    if (connection.destroyed || connection.requests >= MAX_REQUESTS_PER_CONNECTION) return false;
    connection.latest = res;
    connection.requests += 1;
    connection.open += 1;
    this.#requestsInFlight += 1;
    if (this.#isEnding || connection.requests === MAX_REQUESTS_PER_CONNECTION) closeWith(res);
    res.on('close', () => {
      this.#requestsInFlight -= 1;
      connection.open -= 1;
      if (this.#isDraining) setImmediate(() => { this.http.closeIdleConnections(); });
    });
    return true;
  }
}

/** A connection that arrives between the last accept and `close()` is reset; a short turn of the event loop keeps that window
 *  small. The scheduler rarely preempts a process that has just slept. */
async function shortTurn(): Promise<void> {
  const endsAt = performance.now() + SHORT_TURN_WITHIN_MS;
  let startedAt: number;
  do {
    await pause(1);
    startedAt = performance.now();
    await nextTurn();
  } while (performance.now() - startedAt >= SHORT_TURN_MS && performance.now() < endsAt);
}

function closeWith(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

/** Responds and closes, as Node.js does without a listener. @param status `undefined`: the connection itself failed */
function refuse(connection: Connection, status: number | undefined): void {
  const { latest, writable } = connection;
  const isResponding = latest?.headersSent === true && !latest.writableFinished;
  if (status !== undefined && writable && !isResponding) connection.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  connection.destroy();
}
