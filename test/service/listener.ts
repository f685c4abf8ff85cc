/** A listening socket that can close and open again on the same port. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../lib/free-port.ts';

export interface Listener {
  readonly port: number;
  onRequest(listener: RequestListener): void;
  up(): Promise<void>;
  /** Ends every connection as well. */
  down(): Promise<void>;
}

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly keepAliveTimeoutMs: number;
  /** `Date` of the response to a malformed request. */
  readonly date: () => string;
}

export async function startListener({ host, port: wanted, keepAliveTimeoutMs, date }: ListenerOptions): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs });
  server.on('clientError', (_, socket) => {
    socket.end(`HTTP/1.1 400 Bad Request\r\nDate: ${date()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  // Another process could take an ephemeral port while the listener is down.
  await listen(wanted === 0 && host === '127.0.0.1' ? await freePort() : wanted);
  const { port } = server.address() as AddressInfo;
  return { port, onRequest: (listener) => void server.on('request', listener), up: () => listen(port), down };

  async function listen(at: number): Promise<void> {
    if (server.listening) return;
    server.listen(at, host);
    await once(server, 'listening');
  }

  async function down(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
