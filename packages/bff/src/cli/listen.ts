/** Starts a server, or explains why its address cannot be used. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, exitStatus } from './command.ts';

/** Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`). With Node.js's default of 511, one
 *  client that opens many connections delays everybody's by seconds. */
const BACKLOG = 4096;

/** @throws {CommandError} */
export async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening').catch((error: unknown) => { throw listenError(error, `${host}:${port}`); });
  return server.address() as AddressInfo;
}

/** @param address where the server should have listened */
export function listenError(error: unknown, address: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(`${address} is taken by another process. End that one, or set another PORT.`, exitStatus.unavailable);
    case 'EACCES':
      return new CommandError(`${address} may not be used by this user. Set a PORT above 1023, and a proxy before it.`, exitStatus.config);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`HOST: this machine has no address ${address.replace(/:\d+$/, '')}.`, exitStatus.config);
    default:
      return error;
  }
}
