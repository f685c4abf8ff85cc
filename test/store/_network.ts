/** A TCP proxy between the store and its server that closes connections, or loses them silently: they stay open and carry
 *  nothing. */

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Network extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Silences the connections that exist now. */
  loseConnections(): void;
  /** Closes every connection, now and later, until `restore`. */
  cut(): void;
  restore(): void;
}

export async function startNetwork(serverPort: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let isCut = false;
  const server = createServer((inner) => {
    connections += 1;
    if (isCut) {
      inner.destroy();
      return;
    }
    const outer = connect(serverPort, '127.0.0.1');
    for (const [socket, other] of [[inner, outer], [outer, inner]] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => { sockets.delete(socket); other.destroy(); });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() { return connections; },
    loseConnections() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.resume();
      }
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() { isCut = false; },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
