/** What the connections to one Redis server, by Sentinels and to a cluster share: shapes, options, time limits and reports. */

import { ErrorReply } from '@redis/client';
import type { RedisAddress } from './redis-address.ts';

export type RedisReply = string | number | null | readonly RedisReply[];

export interface RedisConnection extends AsyncDisposable {
  /** Sends a command to the node that holds `key`. */
  send(key: string, command: string[], timeoutMs?: number): Promise<RedisReply>;
  /** Sends commands to the node that holds `key` over one connection, with no other command between them. Error
   *  replies, `MOVED` included, are returned as values. @throws if a reply is missing, or came in another order */
  sendTogether(key: string, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]>;
  /** Identifies the node that holds `key`. */
  nodeOf(key: string): Promise<object>;
  masters(): Promise<readonly RedisMaster[]>;
}

export interface RedisMaster {
  /** `host:port` */
  readonly name: string;
  send(command: string[]): Promise<RedisReply>;
}

/** Each loss and each return of a node is reported once. */
export interface ConnectionEvents {
  readonly onDisconnected: (node: string) => void;
  readonly onReconnected: (node: string) => void;
}

/** For the first connection; for a cluster including its topology. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** Leaves room within the two seconds that a reader waits at most. */
export const COMMAND_TIMEOUT_MS = 1_250;

export const MAX_RECONNECT_DELAY_MS = 1_000;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
export const PING_INTERVAL_MS = 2_000;

/** Commands without a reply, per connection. More fail at once: the server is too slow for them. */
const MAX_PENDING_COMMANDS = 20_000;

/** The server did not reply in time. */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';

  constructor() {
    super('The Redis server did not reply in time.');
  }
}

/** A client does not reconnect before `reports` are open, so that a wrong address ends the start. */
export function clientOptions({ username, password, tls }: RedisAddress, reports: ConnectionReports) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    // The client's own timeout ends when the command is sent: `withTimeout` covers the reply.
    commandOptions: { timeout: 0 },
    commandsQueueMaxLength: MAX_PENDING_COMMANDS,
    disableOfflineQueue: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_INTERVAL_MS,
    socket: {
      ...(tls && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (retries: number) => reports.isOpen && reconnectDelay(retries),
    },
  };
}

/** @returns ms before the next attempt, after this number of attempts in vain */
export function reconnectDelay(retries: number): number {
  return Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS);
}

/** Clients emit an error for each failed attempt to connect, and when they are closed. */
export class ConnectionReports {
  /** From the first connection until the client is closed. */
  isOpen = false;
  readonly #events: ConnectionEvents;
  readonly #lost = new Set<string>();

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  lost(node: string): void {
    if (!this.isOpen || this.#lost.has(node)) return;
    this.#lost.add(node);
    this.#events.onDisconnected(node);
  }

  /** @param previous its name when it was lost */
  returned(node: string, previous = node): void {
    if (this.isOpen && this.#lost.delete(previous)) this.#events.onReconnected(node);
  }
}

/** Commands that are sent in one turn of the event loop share a connection and follow each other. */
export async function sendAll(client: Commandable, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]> {
  let replies = 0;
  return Promise.all(commands.map(async (command, i) => {
    const reply = await client.sendCommand(command).catch((error: unknown) => {
      if (error instanceof ErrorReply) return error;
      throw error;
    });
    // The client of Sentinels may change the order when it has just connected again. Replies come in the order of the commands.
    if (replies !== i) throw new Error('The Redis client sent commands in another order.');
    replies += 1;
    return reply;
  }));
}

interface Commandable {
  sendCommand(command: string[]): Promise<RedisReply>;
}

/** @throws {RedisTimeoutError} */
export function withTimeout<T>(work: Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read: a reply that arrived while the event loop was blocked still counts.
    const timer = setTimeout(() => { setImmediate(() => { reject(new RedisTimeoutError()); }); }, timeoutMs);
    work.then(resolve, reject).finally(() => { clearTimeout(timer); });
  });
}

/** A shorter timeout than usual is no sign of a broken connection. */
export function isFullTimeout(error: unknown, timeoutMs: number): boolean {
  return error instanceof RedisTimeoutError && timeoutMs >= COMMAND_TIMEOUT_MS;
}

interface NodeClient {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'connect', listener: () => void): unknown;
}

export function reconnect(client: NodeClient): void {
  client.destroy();
  client.connect().catch(() => undefined);
}

/** Also when it is about to connect: the client itself would keep that connection. */
export function close(client: NodeClient): void {
  client.on('connect', () => { client.destroy(); });
  client.destroy();
}
