/** A TCP proxy that can turn into a black hole: it accepts connections, takes bytes, and nothing ever comes back. */

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on nothing gets through, on old connections and on new ones. */
  silence(): void;
  /** New connections get through again; those that fell silent stay so. */
  restore(): void;
}

export async function startSilentProxy(targetPort: () => number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    keep(client);
    if (isSilent) {
      client.resume();
      return;
    }
    const upstream = connect(targetPort(), '127.0.0.1');
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => { upstream.destroy(); });
    upstream.once('close', () => { client.destroy(); });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.resume();
      }
    },
    restore() { isSilent = false; },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }
}
