/** A free port of 127.0.0.1, for a program that does not report its port. */

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports: an outgoing connection could take one of those, or connect to itself. */
const PORTS = { min: 15_000, max: 32_000 };

/** No other process gets the port from here while this one runs, also while the program that listens on it restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    if (await reserve(port) && await isFree(port)) return port;
  }
}

/** Takes the UDP port of the same number, which the system releases at the end of the process. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  return settled(once(socket, 'listening'));
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!await settled(once(server, 'listening'))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

function settled(listening: Promise<unknown>): Promise<boolean> {
  return listening.then(() => true, () => false);
}
