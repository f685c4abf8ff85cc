/** A free port of 127.0.0.1, for a program that does not report its port. */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports: an outgoing connection could take one of those, or connect to itself. */
const PORTS = { min: 15_000, max: 32_000 };

/** Another program may take the port before the caller does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(() => true, () => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
