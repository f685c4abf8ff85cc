/** Connections to one Redis or a cluster. They come back by themselves; nothing is queued while a server is away. */

import { createClient, createCluster, ErrorReply, type RedisClientType, type RedisClusterType } from '@redis/client';
import { withDeadline } from '../lib/time.ts';
import { StoreUnavailableError } from './store.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 1_250;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** Pause between connections that replace one to a replica. */
const REPLICA_RETRY_MS = 2_000;

export interface Connection {
  /** @param key decides on the node of a cluster @throws {StoreUnavailableError} */
  send(key: string, command: readonly string[], timeoutMs?: number): Promise<unknown>;
  /** Identifies the node that has a key. @throws {StoreUnavailableError} */
  nodeOf(key: string): Promise<object>;
  masters(): readonly { send(command: readonly string[]): Promise<unknown> }[];
  /** Number of a cluster's slots that no master serves. */
  missingSlots(): number;
  close(): void;
}

/** @param urls of the servers @throws {StoreUnavailableError} */
export async function connect(urls: readonly [URL, ...URL[]], isCluster: boolean): Promise<Connection> {
  return (isCluster ? connectToCluster : connectToServer)(urls).catch((error: unknown) => {
    throw new StoreUnavailableError(error, reasonOf(error));
  });
}

async function connectToServer([url]: readonly [URL, ...URL[]]): Promise<Connection> {
  const { options, opened, failed, recovered, send } = createGuard(url);
  const { socket, ...rest } = options;
  const create = () => {
    const created = createClient({ ...rest, socket: { ...socket, ...addressOf(url) }, database: Number(url.pathname.slice(1)) });
    return created.on('error', failed).on('ready', recovered) as unknown as RedisClientType;
  };
  let client = create();
  /** Connects next to a server that turned into a replica. */
  let next: RedisClientType | undefined;
  await client.connect();
  opened();
  const sendToServer = (command: readonly string[], timeoutMs?: number) => {
    const used = client;
    return send(used, command, () => used.sendCommand([...command]), timeoutMs).catch((error: unknown) => {
      if (used === client && isOfReplica(error)) void reconnect();
      throw error;
    });
  };
  return {
    send: (_key, command, timeoutMs) => sendToServer(command, timeoutMs),
    nodeOf: async () => client,
    masters: () => [{ send: (command) => sendToServer(command) }],
    missingSlots: () => 0,
    close() {
      client.destroy();
      next?.destroy();
    },
  };

  /** The address may lead to another server by now. The present connection serves reads until then. */
  async function reconnect(): Promise<void> {
    if (next) return;
    next = create();
    try {
      await next.connect();
      const former = client;
      client = next;
      setTimeout(() => { next = undefined; }, REPLICA_RETRY_MS).unref();
      await former.close();
    } catch {} // The instance was closed.
  }
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
async function connectToCluster(urls: readonly [URL, ...URL[]]): Promise<Connection> {
  const { options, opened, failed, recovered, send, inTime, failure } = createGuard(urls[0]);
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ socket: addressOf(url) })),
    defaults: options,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  }) as unknown as RedisClusterType;
  cluster.on('error', failed).on('node-error', failed).on('node-ready', recovered);
  await cluster.connect().catch((error: unknown) => { throw failure() ?? error; });
  opened();
  return {
    send: async (key, command, timeoutMs) => (
      send(await nodeOf(key), command, () => cluster.sendCommand(key, false, [...command]), timeoutMs)
    ),
    nodeOf,
    masters: () => cluster.masters.map((master) => ({
      send: async (command) => {
        const client = await inTime(cluster.nodeClient(master));
        return send(client, command, () => client.sendCommand([...command]));
      },
    })),
    missingSlots: () => SLOTS - cluster.slots.reduce((count, slot) => count + (slot ? 1 : 0), 0),
    close: () => { cluster.destroy(); },
  };

  function nodeOf(key: string): Promise<RedisClientType> {
    return inTime(cluster.getNodeClientForKey(key, false)) as Promise<RedisClientType>;
  }
}

const SLOTS = 16_384;

/** What the connections of a store share: options, the last failure, and the time limit of a command. */
function createGuard({ username, password, protocol }: URL) {
  let isOpen = false;
  let failure: unknown;
  /** By client: commands without a reply, and since when no reply has arrived. */
  const waiting = new WeakMap<object, { commands: number; since: number }>();
  return {
    opened() { isOpen = true; },
    failed(error: unknown) { failure = error; },
    recovered() { failure = undefined; },
    failure: () => failure,
    options: {
      username: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
      disableOfflineQueue: true,
      maintNotifications: 'disabled' as const,
      pingInterval: PING_INTERVAL_MS,
      socket: {
        ...(protocol === 'rediss:' && { tls: true as const }),
        connectTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SOCKET_TIMEOUT_MS,
        // A failure of the first connection ends the start.
        reconnectStrategy: (retries: number) => isOpen && Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
      },
    },
    send,
    inTime,
  };

  /** Sends nothing more to a server whose replies do not arrive: Node.js counts a write as traffic, and only a silent socket is
   *  replaced. @throws {StoreUnavailableError} */
  async function send(
    client: object, command: readonly string[], write: () => Promise<unknown>, timeoutMs?: number,
  ): Promise<unknown> {
    const state = waiting.get(client) ?? { commands: 0, since: 0 };
    waiting.set(client, state);
    if (state.commands === 0) state.since = performance.now();
    else if (performance.now() - state.since > COMMAND_TIMEOUT_MS) throw noReply();
    state.commands += 1;
    const reply = write().finally(() => {
      state.commands -= 1;
      state.since = performance.now();
    });
    return inTime(reply, command, timeoutMs);
  }

  /** The client's own timeout ends when the command is sent: this one covers the reply. @throws {StoreUnavailableError} */
  async function inTime<T>(reply: Promise<T>, command?: readonly string[], timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    try {
      return await withDeadline(timeoutMs, () => reply, noReply);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      // While there is no connection, the client's error does not have the reason.
      const cause = error instanceof ErrorReply ? error : failure ?? error;
      throw new StoreUnavailableError(cause, reasonOf(cause, command));
    }
  }

  function noReply(): StoreUnavailableError {
    return new StoreUnavailableError(failure, failure === undefined ? 'Redis does not answer in time' : reasonOf(failure));
  }
}

function isOfReplica(error: unknown): boolean {
  const { cause } = error as StoreUnavailableError;
  return cause instanceof ErrorReply && /^(?:READONLY|MASTERDOWN)\b/.test(cause.message);
}

/** First words of replies of a server that is not ready, full or failing, and may be used later. */
const passingReplies = /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS)\b/;

/** Whether a failure at the start may pass by itself. */
export function isPassing({ cause }: StoreUnavailableError): boolean {
  if (cause instanceof ErrorReply) return passingReplies.test(cause.message);
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  // The others are about certificates and TLS.
  return code === undefined || /^E(?!RR_|PROTO)[A-Z_]+$/.test(code);
}

/** What happened, for the log and the operator. Of an error reply only its first word, such as `WRONGPASS`: the others might
 *  quote a secret. Names the command or the keys that a user of Redis may not use. */
function reasonOf(error: unknown, command: readonly string[] = []): string {
  const { message = '', code } = error as NodeJS.ErrnoException;
  if (!(error instanceof ErrorReply)) return `Redis cannot be reached: ${code ?? message}`;
  const word = /^[A-Z]{2,32}\b/.exec(message)?.[0] ?? 'an error';
  if (word !== 'NOPERM' && !/executing the script can't|ACL failure/.test(message)) return `Redis answers ${word}`;
  if (/\bkeys?\b/.test(message)) return 'Redis refuses its user the keys vestibule:* (NOPERM)';
  const [name = '', script = ''] = command;
  const inScript = [...script.matchAll(/redis\.call\(["'](\w+)/g)].map(([, called]) => called);
  const named = /'([a-z|]+)' command/.exec(message)?.[1]?.toUpperCase() ?? name;
  return `Redis refuses its user ${word === 'NOPERM' ? named : `a command of a script: ${inScript.join(', ')}`} (NOPERM)`;
}

function addressOf({ hostname, port }: URL) {
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || 6379) };
}
