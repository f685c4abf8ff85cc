/**
 * Connection to a Redis server, to the master that Sentinels name, or to a cluster, on `@redis/client`. Every command has a
 * timeout, nothing is queued while a server is away, and connections are restored without end. A connection that carries no
 * reply is replaced: TCP may not report its loss for minutes.
 */

import {
  ClientOfflineError, ConnectionTimeoutError, createClient, createCluster, createSentinel, ErrorReply, RootNodesUnavailableError,
  SocketTimeoutError,
} from '@redis/client';
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

/** Each loss and each return of a node is reported once; with Sentinels, when a command notices it. */
export interface ConnectionEvents {
  readonly onDisconnected: (node: string) => void;
  readonly onReconnected: (node: string) => void;
}

/** For the first connection; for a cluster including its topology. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Leaves room within the two seconds that a reader waits at most. */
const COMMAND_TIMEOUT_MS = 1_250;

const MAX_RECONNECT_DELAY_MS = 1_000;

/** Sentinels are asked one after the other, and commands wait meanwhile: a silent one is left before a command is. */
const SENTINEL_CONNECTION = { connectTimeout: 400, socketTimeout: 700 };
const SENTINEL_PING_INTERVAL_MS = 300;

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
  const name = `${node.host}:${node.port}`;
  const reports = new ConnectionReports(events);
  const options = clientOptions(address, reports);
  const client = createClient({ ...options, socket: { ...options.socket, ...node }, database: address.database });
  client.on('ready', () => { reports.returned(name); });
  client.on('error', () => { if (!client.isReady) reports.lost(name); });
  try {
    await withTimeout(client.connect(), CONNECT_TIMEOUT_MS);
  } catch (error) {
    close(client);
    throw error;
  }
  reports.areEnabled = true;
  let lastReplyAt = 0;
  const send = (command: string[], timeoutMs?: number) => run(() => client.sendCommand<RedisReply>(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(client, commands)),
    nodeOf: async () => client,
    masters: async () => [{ name, send }],
    async [Symbol.asyncDispose]() {
      reports.areEnabled = false;
      close(client);
    },
  };

  async function run<T>(work: () => Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    const sentAt = performance.now();
    try {
      const reply = await withTimeout(work(), timeoutMs);
      lastReplyAt = performance.now();
      return reply;
    } catch (error) {
      if (isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt && client.isReady) {
        reports.lost(name);
        reconnect(client);
      }
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
  const reports = new ConnectionReports(events);
  const { commandOptions, pingInterval: _, ...nodeOptions } = clientOptions(address, reports);
  const { username: __, password: ___, ...sentinelOptions } = nodeOptions;
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
  let sentinelFailedAt = -Infinity;
  let master = '';
  let triedAt = -Infinity;
  // `sentinel.isReady` means that a master is known, this that its connection is open.
  const isConnected = () => sentinel.getMasterNode() !== undefined;
  sentinel.on('error', (error) => {
    // A Sentinel that did not reply in time may do so in the next attempt, whatever the others reply.
    if (!isSocketTimeout(sentinelError)) sentinelError = error;
    sentinelFailedAt = performance.now();
  });
  sentinel.on('reconnecting', () => { reports.lost(master); });
  sentinel.on('ready', reportReturn);
  const node = { sendCommand: (command: string[]) => sentinel.sendCommand<RedisReply>(false, command) };
  const pings = setInterval(() => { void ping(); }, PING_INTERVAL_MS).unref();
  let isPinging = false;
  let isClosed = false;
  try {
    await withTimeout(connectFirst(), CONNECT_TIMEOUT_MS);
  } catch (error) {
    close().catch(() => undefined);
    throw error;
  }
  reports.areEnabled = true;
  let lastReplyAt = 0;
  let isReconnecting = false;
  const send = (command: string[], timeoutMs?: number) => run(() => node.sendCommand(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(node, commands)),
    nodeOf: async () => node,
    masters: async () => [{ name: master, send }],
    [Symbol.asyncDispose]: close,
  };

  /** Repeats while the Sentinels name no master, and after a timeout: a process on a busy machine exceeds their short ones. */
  async function connectFirst(): Promise<void> {
    while (!isClosed) {
      sentinelError = undefined;
      try {
        await sentinel.connect();
        return;
      } catch (error) {
        const reason = isWithoutSentinels(error) ? sentinelError : error;
        if (!isSocketTimeout(reason) && !isWithoutMaster(reason)) throw reason;
        await pause(FIND_MASTER_EVERY_MS);
      }
    }
  }

  /** Instead of `pingInterval`: a client that the Sentinel client drops while it connects pings forever, without a socket.
   *  Sends none while one has no reply: each one sent delays the socket's timeout. */
  async function ping(): Promise<void> {
    if (isPinging || !isConnected()) return;
    isPinging = true;
    await node.sendCommand(['PING']).catch(() => undefined);
    isPinging = false;
  }

  async function close(): Promise<void> {
    isClosed = true;
    reports.areEnabled = false;
    clearInterval(pings);
    await sentinel.destroy();
  }

  function reportReturn(): void {
    const found = sentinel.getMasterNode();
    if (!found) return;
    const previous = master;
    master = `${found.host}:${found.port}`;
    reports.returned(master, previous);
  }

  /** The client emits no event when the same master is lost and returns. Each command checks the connection.
   *
   *  A command that finds no master makes the client ask the Sentinels; the others fail at once meanwhile. A command that
   *  waited for Sentinels, in vain, is sent now if the connection to the master is still open. If it had no reply, that says
   *  nothing about the master. */
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
      reportReturn();
      return reply;
    } catch (error) {
      if (!isConnected()) reports.lost(master);
      const isSilent = isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt && sentinelFailedAt < sentAt;
      if (isSilent && !isReconnecting) void reconnectSentinel();
      throw error;
    }
  }

  async function reconnectSentinel(): Promise<void> {
    isReconnecting = true;
    reports.lost(master);
    await sentinel.destroy();
    while (reports.areEnabled && !sentinel.isReady) await sentinel.connect().catch(() => pause(FIND_MASTER_EVERY_MS));
    isReconnecting = false;
  }
}

function isSocketTimeout(error: unknown): boolean {
  return error instanceof ConnectionTimeoutError || error instanceof SocketTimeoutError;
}

/** The Sentinels miss the master, and have promoted no replica yet. */
function isWithoutMaster(error: unknown): boolean {
  return error instanceof Error && error.message === 'no valid master node';
}

function isWithoutSentinels(error: unknown): boolean {
  return error instanceof Error && error.message === 'None of the sentinels are available';
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
async function connectCluster(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const reports = new ConnectionReports(events);
  const defaults = clientOptions(address, reports);
  const cluster = createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults,
    commandOptions: defaults.commandOptions,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  });
  const clientAt = (name: string) => cluster.masters.find((master) => master.address === name)?.client;
  let connectError: unknown;
  // The reply of a server says more than a node that cannot be reached.
  cluster.on('error', (error) => { if (!(connectError instanceof ErrorReply)) connectError = error; });
  cluster.on('node-ready', ({ host, port }) => { reports.returned(`${host}:${port}`); });
  cluster.on('node-error', (_error, { host, port }) => {
    const name = `${host}:${port}`;
    if (!clientAt(name)?.isReady) reports.lost(name);
  });
  try {
    await withTimeout(cluster.connect(), CONNECT_TIMEOUT_MS);
    for (const master of await masters()) await master.send(['PING']);
  } catch (error) {
    closeCluster();
    throw error instanceof RootNodesUnavailableError ? connectError : error;
  }
  reports.areEnabled = true;
  return {
    send, sendTogether, nodeOf, masters,
    async [Symbol.asyncDispose]() {
      reports.areEnabled = false;
      closeCluster();
    },
  };

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

  /** Replaces the connection to the master of `key` if a ping confirms that it carries no reply. The regular ping, which had
   *  none either, fails with an event then. */
  async function reconnectIfSilent(key: string): Promise<void> {
    try {
      const client = await withTimeout(nodeOf(key));
      await withTimeout(client.sendCommand(['PING'])).catch((error: unknown) => {
        if (error instanceof RedisTimeoutError && client.isReady) reconnect(client);
      });
    } catch {}
  }

  function closeCluster(): void {
    for (const { client } of cluster.masters) if (client) close(client);
    cluster.destroy();
  }
}

/** A client does not reconnect before `reports` are enabled, so that a wrong address ends the start. */
function clientOptions({ username, password, tls }: RedisAddress, reports: ConnectionReports) {
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
      reconnectStrategy: (retries: number) => reports.areEnabled && reconnectDelay(retries),
    },
  };
}

/** @returns ms before the next attempt, after this number of attempts in vain */
export function reconnectDelay(retries: number): number {
  return Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS);
}

/** Clients emit an error for each failed attempt to connect, and when they are closed. */
class ConnectionReports {
  /** From the first connection until the client is closed. */
  areEnabled = false;
  readonly #events: ConnectionEvents;
  readonly #lost = new Set<string>();

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  lost(node: string): void {
    if (!this.areEnabled || this.#lost.has(node)) return;
    this.#lost.add(node);
    this.#events.onDisconnected(node);
  }

  /** @param previous its name when it was lost */
  returned(node: string, previous = node): void {
    if (this.areEnabled && this.#lost.delete(previous)) this.#events.onReconnected(node);
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
function isFullTimeout(error: unknown, timeoutMs: number): boolean {
  return error instanceof RedisTimeoutError && timeoutMs >= COMMAND_TIMEOUT_MS;
}

interface NodeClient {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'connect', listener: () => void): unknown;
}

function reconnect(client: NodeClient): void {
  client.destroy();
  client.connect().catch(() => undefined);
}

/** Also when it is about to connect: the client itself would keep that connection. */
function close(client: NodeClient): void {
  client.on('connect', () => { client.destroy(); });
  client.destroy();
}
