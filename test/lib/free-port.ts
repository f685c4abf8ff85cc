/** A free port of 127.0.0.1, for a program that does not report its port. */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** They and their locks are below the ephemeral ports: an outgoing connection could take one of those, or connect to itself. */
const PORTS = { min: 15_000, max: 23_500 };
const LOCK_OFFSET = 8_500;

/** No other process gets the port from here while this one runs, also while the program that listens on it restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    // The lock is a port too: the system releases it at the end of the process.
    const lock = await listenOn(port + LOCK_OFFSET);
    if (!lock) continue;
    lock.unref();
    const server = await listenOn(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** `undefined` if the port is taken. */
function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(() => server, () => undefined);
}
