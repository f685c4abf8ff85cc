/** Connection to the master that Sentinels name. */

import { ClientOfflineError, ConnectionTimeoutError, createSentinel, ErrorReply, SocketTimeoutError } from '@redis/client';
import { pause } from '../lib/time.ts';
import type { RedisAddress } from './redis-address.ts';
import {
  clientOptions, COMMAND_TIMEOUT_MS, ConnectionReports, isFullTimeout, PING_INTERVAL_MS, sendAll, withTimeout,
  type ConnectionEvents, type RedisConnection, type RedisMaster, type RedisReply,
} from './redis-connection.ts';

/** Sentinels are asked one after the other, and commands wait meanwhile: a command outlasts one that is silent. */
const SENTINEL_CONNECTION = { connectTimeout: 400, socketTimeout: 700 };
const SENTINEL_PING_INTERVAL_MS = 300;

/** For the first connection, in ms. After the master fails, Sentinels need some seconds to promote a replica. */
const FIRST_MASTER_TIMEOUT_MS = 8_000;

/** How often Sentinels are asked for the master while it is away, in ms at least. */
const FIND_MASTER_EVERY_MS = 200;

/** How often a master that refuses writes is left, in ms at least: the Sentinels may still name it, and it serves reads. */
const LEAVE_DEMOTED_EVERY_MS = 10_000;

/** @throws the reason why there is no first connection; nothing stays open for more than some seconds then */
export async function connectSentinel(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const connection = new SentinelConnection(address, events);
  await connection.open();
  return connection;
}

/** Follows the master by the Sentinels' announcements, and asks them when the connection to it breaks. */
class SentinelConnection implements RedisConnection {
  readonly #address: RedisAddress;
  readonly #reports: ConnectionReports;
  readonly #node = { sendCommand: (command: string[]) => this.#client.sendCommand<RedisReply>(false, command) };
  readonly #pings: NodeJS.Timeout;
  #client: SentinelClient;
  /** Of the attempt to connect that is under way. */
  #sentinelError: unknown;
  #sentinelFailedAt = -Infinity;
  /** `host:port` */
  #master = '';
  #triedAt = -Infinity;
  #lastReplyAt = 0;
  #reconnectedAt = -Infinity;
  #isReconnecting = false;
  #isPinging = false;
  #isClosed = false;

  constructor(address: RedisAddress, events: ConnectionEvents) {
    this.#address = address;
    this.#reports = new ConnectionReports(events);
    this.#client = this.#createClient();
    this.#pings = setInterval(() => { void this.#ping(); }, PING_INTERVAL_MS).unref();
  }

  async open(): Promise<void> {
    let reason: unknown;
    // A process on a busy machine exceeds the short timeouts of Sentinels, and they name no master before they promote a replica.
    const isTransient = (error: unknown) => {
      reason = error;
      return isSocketTimeout(error) || isWithoutMaster(error);
    };
    try {
      await withTimeout(this.#connect(isTransient), FIRST_MASTER_TIMEOUT_MS);
    } catch (error) {
      this[Symbol.asyncDispose]().catch(() => undefined);
      throw isWithoutMaster(reason) ? reason : error;
    }
    this.#reports.isOpen = true;
  }

  send(_key: string, command: string[], timeoutMs?: number): Promise<RedisReply> {
    return this.#run(() => this.#node.sendCommand(command), timeoutMs);
  }

  sendTogether(_key: string, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]> {
    return this.#run(() => sendAll(this.#node, commands));
  }

  async nodeOf(): Promise<object> {
    return this.#node;
  }

  async masters(): Promise<readonly RedisMaster[]> {
    return [{ name: this.#master, send: (command) => this.send('', command) }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#reports.isOpen = false;
    clearInterval(this.#pings);
    await this.#client.destroy();
  }

  /** `#client.isReady` means that a master is known, this that its connection is open. */
  get #isConnected(): boolean {
    return this.#client.getMasterNode() !== undefined;
  }

  #createClient(): SentinelClient {
    const client = createClient(this.#address, this.#reports);
    client.on('error', (error) => {
      // A Sentinel that did not reply in time may do so in the next attempt, whatever the others reply.
      if (!isSocketTimeout(this.#sentinelError)) this.#sentinelError = error;
      this.#sentinelFailedAt = performance.now();
    });
    client.on('reconnecting', () => { this.#reports.lost(this.#master); });
    client.on('ready', () => { this.#reportReturn(); });
    return client;
  }

  /** Repeats after a transient failure, with a new client: one that failed no longer asks the Sentinel whose connection broke. */
  async #connect(isTransient: (reason: unknown) => boolean): Promise<void> {
    while (!this.#isClosed) {
      this.#sentinelError = undefined;
      try {
        await this.#client.connect();
        return;
      } catch (error) {
        const reason = isWithoutSentinels(error) ? this.#sentinelError : error;
        if (!isTransient(reason)) throw reason;
        await pause(FIND_MASTER_EVERY_MS);
        this.#client = this.#createClient();
      }
    }
  }

  /** Instead of `pingInterval`: a client that the Sentinel client drops while it connects pings forever, without a socket.
   *  Sends none while one has no reply: each one sent delays the socket's timeout. */
  async #ping(): Promise<void> {
    if (this.#isPinging || !this.#isConnected) return;
    this.#isPinging = true;
    await this.#node.sendCommand(['PING']).catch(() => undefined);
    this.#isPinging = false;
  }

  #reportReturn(): void {
    const found = this.#client.getMasterNode();
    if (!found) return;
    const previous = this.#master;
    this.#master = `${found.host}:${found.port}`;
    this.#reports.returned(this.#master, previous);
  }

  /** The client emits no event when the same master is lost and returns. Each command checks the connection.
   *
   *  A command that finds no master makes the client ask the Sentinels; the others fail at once meanwhile. A command that
   *  waited for Sentinels, in vain, is sent now if the connection to the master is still open. If it had no reply, that says
   *  nothing about the master. */
  async #run<T>(work: () => Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    const sentAt = performance.now();
    if (this.#isClosed || this.#isReconnecting) throw new ClientOfflineError();
    if (!this.#isConnected) {
      if (sentAt - this.#triedAt < FIND_MASTER_EVERY_MS) throw new ClientOfflineError();
      this.#triedAt = sentAt;
    }
    try {
      const reply = await withTimeout(work().catch((error: unknown) => {
        if (isWithoutSentinels(error) && this.#isConnected) return work();
        throw error;
      }), timeoutMs);
      this.#lastReplyAt = performance.now();
      if (!this.#isReconnecting) this.#reportReturn();
      if (Array.isArray(reply) && reply.some(isReadOnly)) this.#replaceDemoted(sentAt);
      return reply;
    } catch (error) {
      if (!this.#isConnected) this.#reports.lost(this.#master);
      const isSilent = isFullTimeout(error, timeoutMs) && this.#lastReplyAt < sentAt && this.#sentinelFailedAt < sentAt;
      if (isSilent && !this.#isReconnecting) void this.#reconnect();
      if (isReadOnly(error)) this.#replaceDemoted(sentAt);
      throw error;
    }
  }

  /** Connects again: the master became a replica, and no Sentinel announced it. */
  #replaceDemoted(sentAt: number): void {
    if (!this.#isReconnecting && sentAt - this.#reconnectedAt > LEAVE_DEMOTED_EVERY_MS) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    this.#isReconnecting = true;
    this.#reports.lost(this.#master);
    await this.#client.destroy();
    this.#client = this.#createClient();
    await this.#connect(() => true);
    this.#isReconnecting = false;
    this.#reconnectedAt = performance.now();
  }
}

type SentinelClient = ReturnType<typeof createClient>;

/** `maxCommandRediscovers: 0`: by default a command whose reply was lost is sent again. `reserveClient`: without it, one of
 *  two commands that begin together waits until the client is idle. */
function createClient(address: RedisAddress, reports: ConnectionReports) {
  const { commandOptions, pingInterval: _, ...nodeOptions } = clientOptions(address, reports);
  const { username: __, password: ___, ...sentinelOptions } = nodeOptions;
  return createSentinel({
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
}

/** The reply of a replica to a command that writes. */
function isReadOnly(reply: unknown): boolean {
  return reply instanceof ErrorReply && reply.message.startsWith('READONLY');
}

function isSocketTimeout(error: unknown): boolean {
  return error instanceof ConnectionTimeoutError || error instanceof SocketTimeoutError;
}

/** The Sentinels miss the master, and have promoted no replica yet. The client has no class for this error, nor for the next. */
function isWithoutMaster(error: unknown): boolean {
  return error instanceof Error && error.message === 'no valid master node';
}

function isWithoutSentinels(error: unknown): boolean {
  return error instanceof Error && error.message === 'None of the sentinels are available';
}
