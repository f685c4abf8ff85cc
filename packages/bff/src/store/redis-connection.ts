/** A connection to one Redis or a cluster: every command has a deadline, nothing is queued while the server is away, and the
 *  connection comes back by itself. */

import type { Deadlines } from '../lib/deadlines.ts';
import type { RedisAddress } from './redis-address.ts';
import { connectCluster } from './redis-cluster.ts';
import { connectSingle } from './redis-single.ts';

export type RedisReply = string | number | null | readonly RedisReply[];

export interface RedisConnection extends AsyncDisposable {
  /** Sends one command to the node that has `key`. Rejects with what went wrong, at its deadline at the latest. */
  send(key: string, command: string[], deadlines?: Deadlines): Promise<RedisReply>;
  /** Whether one node has every key, so that a command may name several. */
  readonly isWhole: boolean;
  /** A way to every master. */
  masters(): Promise<readonly RedisMaster[]>;
}

export interface RedisMaster {
  /** Host and port. */
  readonly name: string;
  send(command: string[], deadlines?: Deadlines): Promise<RedisReply>;
}

export interface ConnectionEvents {
  /** A node that answered is away. Told once until it is back. */
  readonly onLost: (node: string) => void;
  readonly onBack: (node: string) => void;
}

/** @throws what kept the first connection from standing; nothing is left open then */
export function connectRedis(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  return address.kind === 'cluster' ? connectCluster(address, events) : connectSingle(address, events);
}
