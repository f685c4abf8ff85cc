/** What a connection to one Redis and those to the nodes of a cluster have in common: how patient the client of `redis` is,
 *  and what is done about a server that falls silent without closing the connection. */

import { Deadlines } from '../lib/deadlines.ts';
import type { RedisAddress } from './redis-address.ts';
import type { ConnectionEvents } from './redis-connection.ts';

/** Until the connection stands, and until the first node of a cluster has named the others. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** Within this a command is answered or has failed: two seconds are what a reader waits at most, for all of a request. */
export const commandDeadlines = new Deadlines(1_250);

export const MAX_BACKOFF_MS = 1_000;

/** A connection on which nothing happens for this long is closed and made anew; pings keep a sound one busy. */
const SILENCE_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** Commands without an answer, per connection: more than a machine sends within a deadline. */
const MAX_COMMANDS_UNDER_WAY = 20_000;

/** None before the first connection stands, so that a wrong address ends the start; endless afterwards. */
export class Patience {
  isEndless = false;
}

/** The client's own deadline ends with the sending and costs an `AbortSignal` a command: 0 turns it off. */
export const NO_CLIENT_TIMEOUT = { timeout: 0 };

export function clientOptions({ username, password }: RedisAddress) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    commandOptions: NO_CLIENT_TIMEOUT,
    commandsQueueMaxLength: MAX_COMMANDS_UNDER_WAY,
    disableOfflineQueue: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_INTERVAL_MS,
  };
}

export function socketOptions(patience: Patience) {
  return {
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    reconnectStrategy: (retries: number) => patience.isEndless && Math.min(50 * 2 ** retries, MAX_BACKOFF_MS),
  };
}

/** Tells each loss and each return once. */
export class NodeState {
  readonly #node: string;
  readonly #events: ConnectionEvents;
  #isAway = false;

  constructor(node: string, events: ConnectionEvents) {
    this.#node = node;
    this.#events = events;
  }

  lost(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#events.onLost(this.#node);
  }

  back(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#events.onBack(this.#node);
  }
}

/** The server did not answer in time. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor() {
    super('The Redis server did not answer in time.');
  }
}

/** What `work` comes to, or a `SilenceError` at the deadline. What arrived while this process was busy counts. */
export function answered<T>(work: Promise<T>, deadlines: Deadlines = commandDeadlines): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = deadlines.begin(() => { setImmediate(() => { reject(new SilenceError()); }); });
    work.then((value) => {
      deadline.end();
      resolve(value);
    }, (error: unknown) => {
      deadline.end();
      reject(error);
    });
  });
}

interface Reconnectable {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** Only a client that believes its connection sound: any other is connecting already. */
export function reconnect(client: Reconnectable): void {
  if (!client.isReady) return;
  client.destroy();
  client.connect().catch(() => undefined);
}
