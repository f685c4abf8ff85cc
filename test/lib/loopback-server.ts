/** A server of a test's own on loopback: where it listens, and its end. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenWish {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
}

/** Resolves with the server's origin once it listens. */
export async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ListenWish = {}): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Whatever is under way is cut off. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
