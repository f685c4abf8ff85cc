/** A TCP server on loopback, and a relay in front of one: an address that follows a failover, or a NAT that forgets its
 *  connections. */

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpServer extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly host: string;
}

export interface TcpRelay extends TcpServer {
  /** New connections go to this port from now on. */
  target(port: number): void;
  /** The connections that exist get nothing more, and learn nothing about it. */
  swallow(): void;
}

export async function startTcpServer(serve: (socket: Socket) => void): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket.on('error', () => undefined).once('close', () => { sockets.delete(socket); }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export async function startRelay(port: number): Promise<TcpRelay> {
  let present = port;
  const clients = new Set<Socket>();
  const server = await startTcpServer((client) => {
    clients.add(client);
    const upstream = connect(present, '127.0.0.1').on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    client.once('close', () => { clients.delete(client); upstream.destroy(); });
    upstream.once('close', () => { client.destroy(); });
  });
  return {
    ...server,
    target(next) { present = next; },
    swallow() { for (const client of clients) client.unpipe().resume(); },
  };
}
