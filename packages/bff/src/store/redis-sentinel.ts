/** Connection to the master that Sentinels name. */

import { ClientOfflineError, ConnectionTimeoutError, createSentinel, ErrorReply, SocketTimeoutError } from '@redis/client';
import { pause } from '../lib/time.ts';
import type { RedisAddress } from './redis-address.ts';
import {
  clientOptions, COMMAND_TIMEOUT_MS, CONNECT_TIMEOUT_MS, ConnectionReports, isFullTimeout, PING_INTERVAL_MS, sendAll, withTimeout,
  type ConnectionEvents, type RedisConnection, type RedisReply,
} from './redis-connection.ts';

/** Sentinels are asked one after the other, and commands wait meanwhile: a command outlasts one that is silent. */
const SENTINEL_CONNECTION = { connectTimeout: 400, socketTimeout: 700 };
const SENTINEL_PING_INTERVAL_MS = 300;

/** How often Sentinels are asked for the master while it is away, in ms at least. */
const FIND_MASTER_EVERY_MS = 200;

/** How often a master that refuses writes is left, in ms at least: the Sentinels may still name it, and it serves reads. */
const LEAVE_DEMOTED_EVERY_MS = 10_000;

/**
 * Follows the master by the Sentinels' announcements, and asks them when the connection to it breaks.
 *
 * `maxCommandRediscovers: 0`: by default a command whose reply was lost is sent again. `reserveClient`: without it, one of two
 * commands that begin together waits until the client is idle.
 */
export async function connectSentinel(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const reports = new ConnectionReports(events);
  const { commandOptions, pingInterval: _, ...nodeOptions } = clientOptions(address, reports);
  const { username: __, password: ___, ...sentinelOptions } = nodeOptions;
  let sentinel = createClient();
  let sentinelError: unknown;
  let sentinelFailedAt = -Infinity;
  let master = '';
  let triedAt = -Infinity;
  // `sentinel.isReady` means that a master is known, this that its connection is open.
  const isConnected = () => sentinel.getMasterNode() !== undefined;
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
  reports.isOpen = true;
  let lastReplyAt = 0;
  let isReconnecting = false;
  let reconnectedAt = -Infinity;
  const send = (command: string[], timeoutMs?: number) => run(() => node.sendCommand(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(node, commands)),
    nodeOf: async () => node,
    masters: async () => [{ name: master, send }],
    [Symbol.asyncDispose]: close,
  };

  /** A client that failed to connect is not used again: it no longer asks the Sentinel whose connection broke. */
  function createClient() {
    const client = createSentinel({
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
    client.on('error', (error) => {
      // A Sentinel that did not reply in time may do so in the next attempt, whatever the others reply.
      if (!isSocketTimeout(sentinelError)) sentinelError = error;
      sentinelFailedAt = performance.now();
    });
    client.on('reconnecting', () => { reports.lost(master); });
    client.on('ready', reportReturn);
    return client;
  }

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
        sentinel = createClient();
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
    reports.isOpen = false;
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
      if (!isReconnecting) reportReturn();
      if (Array.isArray(reply) && reply.some(isReadOnly)) replaceDemoted(sentAt);
      return reply;
    } catch (error) {
      if (!isConnected()) reports.lost(master);
      const isSilent = isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt && sentinelFailedAt < sentAt;
      if (isSilent && !isReconnecting) void reconnectSentinel();
      if (isReadOnly(error)) replaceDemoted(sentAt);
      throw error;
    }
  }

  /** Connects again: the master became a replica, and no Sentinel announced it. */
  function replaceDemoted(sentAt: number): void {
    if (!isReconnecting && sentAt - reconnectedAt > LEAVE_DEMOTED_EVERY_MS) void reconnectSentinel();
  }

  async function reconnectSentinel(): Promise<void> {
    isReconnecting = true;
    reports.lost(master);
    await sentinel.destroy();
    while (reports.isOpen && !sentinel.isReady) {
      sentinel = createClient();
      await sentinel.connect().catch(() => pause(FIND_MASTER_EVERY_MS));
    }
    isReconnecting = false;
    reconnectedAt = performance.now();
  }
}

/** The reply of a replica to a command that writes. */
function isReadOnly(reply: unknown): boolean {
  return reply instanceof ErrorReply && reply.message.startsWith('READONLY');
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
