/**
 * Connection to a Redis server, to the master that Sentinels name, or to a cluster, on `@redis/client`. Every command has a
 * timeout, nothing is queued while a server is away, and connections are restored without end. A connection that carries no
 * reply is replaced: TCP may not report its loss for minutes.
 */

import { ClientOfflineError, createClient, createCluster, createSentinel, ErrorReply } from '@redis/client';
import { pause } from '../lib/time.ts';
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
const CONNECT_TIMEOUT_MS = 3_000;

/** Leaves room within the two seconds that a reader waits at most. */
const COMMAND_TIMEOUT_MS = 1_250;

const MAX_RECONNECT_DELAY_MS = 1_000;

/** Sentinels are asked one after the other, and commands wait meanwhile: a silent one is left earlier than a server. */
const SENTINEL_CONNECTION = { connectTimeout: 1_000, socketTimeout: 1_500 };
const SENTINEL_PING_INTERVAL_MS = 500;

/** How often Sentinels are asked for the master while it is away, in ms at least. */
const FIND_MASTER_EVERY_MS = 200;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** Commands without a reply, per connection. More fail at once: the server is too slow for them. */
const MAX_PENDING_COMMANDS = 20_000;

/** The server did not reply in time. */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';

  constructor() {
    super('The Redis server did not reply in time.');
  }
}

/** @throws the reason why the first connection failed; nothing stays open then */
export function connectRedis(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  return { single: connectSingle, sentinel: connectSentinel, cluster: connectCluster }[address.kind](address, events);
}

async function connectSingle(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const [node] = address.nodes;
  const name = `${node?.host}:${node?.port}`;
  const reconnects = { areEnabled: false };
  const options = clientOptions(address, reconnects);
  const client = createClient({ ...options, socket: { ...options.socket, ...node }, database: address.database });
  const { onDisconnected, onReconnected } = eachChangeOnce(events);
  client.on('ready', () => { onReconnected(name); });
  client.on('error', () => { if (reconnects.areEnabled && !client.isReady) onDisconnected(name); });
  try {
    await withTimeout(client.connect(), CONNECT_TIMEOUT_MS);
  } catch (error) {
    client.destroy();
    throw error;
  }
  reconnects.areEnabled = true;
  let lastReplyAt = 0;
  const send = (command: string[], timeoutMs?: number) => run(() => client.sendCommand<RedisReply>(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(client, commands)),
    nodeOf: async () => client,
    masters: async () => [{ name, send }],
    [Symbol.asyncDispose]: async () => { client.destroy(); },
  };

  async function run<T>(work: () => Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    const sentAt = performance.now();
    try {
      const reply = await withTimeout(work(), timeoutMs);
      lastReplyAt = performance.now();
      return reply;
    } catch (error) {
      if (isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt) reconnect(client);
      throw error;
    }
  }
}

/**
 * Follows the master by the Sentinels' announcements, and asks them when the connection to it breaks.
 *
 * `maxCommandRediscovers: 0`: by default a command whose reply was lost is sent again. `reserveClient`: without it, one of two
 * commands that begin together waits until the client is idle.
 */
async function connectSentinel(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const reconnects = { areEnabled: false };
  const { commandOptions, ...nodeOptions } = clientOptions(address, reconnects);
  const { username: _, password: __, ...sentinelOptions } = nodeOptions;
  const sentinel = createSentinel({
    name: address.master ?? '',
    sentinelRootNodes: [...address.nodes],
    commandOptions,
    maxCommandRediscovers: 0,
    reserveClient: true,
    nodeClientOptions: { ...nodeOptions, database: address.database },
    sentinelClientOptions: {
      ...sentinelOptions,
      pingInterval: SENTINEL_PING_INTERVAL_MS,
      socket: { ...sentinelOptions.socket, ...SENTINEL_CONNECTION },
    },
  });
  let sentinelError: unknown;
  let master = '';
  let isLost = false;
  let triedAt = -Infinity;
  // `isReady` of the client tells that a master is known; this, that the connection to it stands.
  const isConnected = () => sentinel.getMasterNode() !== undefined;
  sentinel.on('error', (error) => { sentinelError = error; });
  sentinel.on('reconnecting', reportLoss);
  sentinel.on('ready', reportReturn);
  try {
    await withTimeout(sentinel.connect(), CONNECT_TIMEOUT_MS);
  } catch (error) {
    sentinel.destroy().catch(() => undefined);
    throw sentinelError ?? error;
  }
  reconnects.areEnabled = true;
  let lastReplyAt = 0;
  let isReconnecting = false;
  let isClosed = false;
  const node = { sendCommand: (command: string[]) => sentinel.sendCommand<RedisReply>(false, command) };
  const send = (command: string[], timeoutMs?: number) => run(() => node.sendCommand(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(node, commands)),
    nodeOf: async () => node,
    masters: async () => [{ name: master, send }],
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await sentinel.destroy();
    },
  };

  function reportLoss(): void {
    if (!isLost) events.onDisconnected(master);
    isLost = true;
  }

  function reportReturn(): void {
    const found = sentinel.getMasterNode();
    if (!found) return;
    master = `${found.host}:${found.port}`;
    if (isLost) events.onReconnected(master);
    isLost = false;
  }

  /** The client has no event for the loss and the return of the same master: commands notice both.
   *
   *  A command that finds no master makes the client ask the Sentinels; the others fail at once meanwhile. A command that
   *  waited for Sentinels, in vain, is sent now if the connection to the master still stands. */
  async function run<T>(work: () => Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    const sentAt = performance.now();
    if (isReconnecting) throw new ClientOfflineError();
    if (!isConnected()) {
      if (sentAt - triedAt < FIND_MASTER_EVERY_MS) throw new ClientOfflineError();
      triedAt = sentAt;
    }
    try {
      const reply = await withTimeout(work().catch((error: unknown) => {
        if (isWithoutSentinels(error) && isConnected()) return work();
        throw error;
      }), timeoutMs);
      lastReplyAt = performance.now();
      if (isLost) reportReturn();
      return reply;
    } catch (error) {
      if (!isClosed && !isConnected()) reportLoss();
      if (isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt && !isReconnecting) void reconnectSentinel();
      throw error;
    }
  }

  async function reconnectSentinel(): Promise<void> {
    isReconnecting = true;
    reportLoss();
    await sentinel.destroy();
    while (!isClosed && !sentinel.isReady) await sentinel.connect().catch(() => pause(FIND_MASTER_EVERY_MS));
    isReconnecting = false;
    if (isClosed) await sentinel.destroy();
  }
}

function isWithoutSentinels(error: unknown): boolean {
  return error instanceof Error && error.message === 'None of the sentinels are available';
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
async function connectCluster(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const reconnects = { areEnabled: false };
  const defaults = clientOptions(address, reconnects);
  const cluster = createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults,
    commandOptions: defaults.commandOptions,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  });
  const { onDisconnected, onReconnected } = eachChangeOnce(events);
  let connectError: unknown;
  cluster.on('error', (error) => { connectError = error; });
  cluster.on('node-ready', ({ host, port }) => { onReconnected(`${host}:${port}`); });
  cluster.on('node-error', (_error, { host, port }) => { if (reconnects.areEnabled) onDisconnected(`${host}:${port}`); });
  try {
    await withTimeout(cluster.connect(), CONNECT_TIMEOUT_MS);
    for (const master of await masters()) await master.send(['PING']);
  } catch (error) {
    cluster.destroy();
    throw connectError ?? error;
  }
  reconnects.areEnabled = true;
  return { send, sendTogether, nodeOf, masters, [Symbol.asyncDispose]: async () => { cluster.destroy(); } };

  async function send(key: string, command: string[], timeoutMs = COMMAND_TIMEOUT_MS): Promise<RedisReply> {
    try {
      return await withTimeout(cluster.sendCommand<RedisReply>(key, false, command), timeoutMs);
    } catch (error) {
      if (isFullTimeout(error, timeoutMs)) void reconnectIfSilent(key);
      throw error;
    }
  }

  async function sendTogether(key: string, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]> {
    try {
      return await withTimeout(nodeOf(key).then((node) => sendAll(node, commands)));
    } catch (error) {
      if (isFullTimeout(error, COMMAND_TIMEOUT_MS)) void reconnectIfSilent(key);
      throw error;
    }
  }

  async function nodeOf(key: string) {
    return cluster.getNodeClientForKey(key, false);
  }

  async function masters(): Promise<readonly RedisMaster[]> {
    if (!cluster.isReady) throw new Error('The cluster is not connected.');
    return cluster.masters.map((master) => ({
      name: master.address,
      send: async (command) => {
        const client = await withTimeout(Promise.resolve(cluster.nodeClient(master)));
        return withTimeout(client.sendCommand<RedisReply>(command));
      },
    }));
  }

  /** Replaces the connection to the master of `key` if a ping confirms that it carries no reply. */
  async function reconnectIfSilent(key: string): Promise<void> {
    try {
      const client = await withTimeout(nodeOf(key));
      await withTimeout(client.sendCommand(['PING'])).catch((error: unknown) => {
        if (error instanceof RedisTimeoutError) reconnect(client);
      });
    } catch {}
  }
}

/** @param reconnects disabled until the first connection stands, so that a wrong address ends the start */
function clientOptions({ username, password, tls }: RedisAddress, reconnects: { readonly areEnabled: boolean }) {
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
      reconnectStrategy: (retries: number) => reconnects.areEnabled && reconnectDelay(retries),
    },
  };
}

/** @returns ms before the next attempt, after this number of attempts in vain */
export function reconnectDelay(retries: number): number {
  return Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS);
}

/** Clients report each failed attempt to connect, and the first connection too. */
function eachChangeOnce({ onDisconnected, onReconnected }: ConnectionEvents): ConnectionEvents {
  const disconnected = new Set<string>();
  return {
    onDisconnected(node) {
      if (!disconnected.has(node)) onDisconnected(node);
      disconnected.add(node);
    },
    onReconnected(node) {
      if (disconnected.delete(node)) onReconnected(node);
    },
  };
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
function isFullTimeout(error: unknown, timeoutMs: number): boolean {
  return error instanceof RedisTimeoutError && timeoutMs >= COMMAND_TIMEOUT_MS;
}

interface Reconnectable {
  connect(): Promise<unknown>;
  destroy(): void;
}

function reconnect(client: Reconnectable): void {
  client.destroy();
  client.connect().catch(() => undefined);
}
