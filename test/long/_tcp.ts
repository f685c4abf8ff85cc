/** Starts and stops TCP servers on loopback. */

import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** @returns the port */
export async function listenTcp(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export async function closeTcp(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
