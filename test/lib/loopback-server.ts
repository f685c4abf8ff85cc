/** Starts and stops servers on loopback. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
}

/** @returns the server's origin, once it listens */
export async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ListenOptions = {}): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Stops listening and ends every connection. Idempotent. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
