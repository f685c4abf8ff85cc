/** A connection to one Redis or to a cluster, by the client and its options. It comes back by itself; nothing is queued while a
 *  server is away. Where a server is silent or turned into a replica, a new client takes the place of the one in use: the address
 *  may lead to another server by now. */

import { createClient, createCluster, ErrorReply, type RedisClientType, type RedisClusterType } from '@redis/client';
import { withDeadline } from '../lib/time.ts';
import { StoreUnavailableError } from './store.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 1_250;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** How long a client that was replaced waits for its replies, and the next replacement for its turn. */
const REPLACEMENT_MS = 2_000;

type Command = readonly string[];

export interface Connection {
  /** @param key decides on the node of a cluster @throws {StoreUnavailableError} */
  send(key: string, command: Command, timeoutMs?: number): Promise<unknown>;
  /** One server, or the masters of the cluster. */
  masters(): readonly { send(command: Command): Promise<unknown> }[];
  close(): void;
}

/** What a server and a cluster have in common. */
interface Client {
  connect(): Promise<unknown>;
  send(key: string, command: Command): Promise<unknown>;
  masters(): readonly ((command: Command) => Promise<unknown>)[];
  destroy(): void;
  /** The last failure of its connection: while there is none, errors of commands do not have the reason. */
  failure(): unknown;
}

type Urls = readonly [URL, ...URL[]];

/** @param urls of the servers @throws {StoreUnavailableError} */
export async function connect(urls: Urls, isCluster: boolean): Promise<Connection> {
  let isOpen = false;
  let isClosed = false;
  // A failure of the first connection ends the start.
  const reconnectStrategy = (retries: number) => isOpen && Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS);
  const create = () => (isCluster ? clusterOf(urls, reconnectStrategy) : serverOf(urls, reconnectStrategy));
  let client = create();
  /** The one that connects in the place of `client`, and then the one that leaves. */
  let beside: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  await client.connect().catch((error: unknown) => { throw unavailable(error, client); });
  isOpen = true;
  return {
    send: (key, command, timeoutMs) => attempt(() => client.send(key, command), command, timeoutMs),
    masters: () => client.masters().map((send) => ({ send: (command) => attempt(() => send(command), command) })),
    close() {
      isClosed = true;
      clearTimeout(timer);
      client.destroy();
      beside?.destroy();
    },
  };

  async function attempt(run: () => Promise<unknown>, command: Command, timeoutMs = COMMAND_TIMEOUT_MS): Promise<unknown> {
    const used = client;
    try {
      return await withDeadline(timeoutMs, run, () => new NoReply());
    } catch (error) {
      if (error instanceof NoReply || isOfReplica(error)) replace(used);
      throw unavailable(error, used, command);
    }
  }

  function replace(used: Client): void {
    if (isClosed || used !== client || beside) return;
    const next = beside = create();
    const finish = (): void => {
      if (isClosed) return;
      timer = setTimeout(() => {
        beside?.destroy();
        beside = undefined;
      }, REPLACEMENT_MS).unref();
    };
    next.connect().then(() => { [client, beside] = [next, used]; }).then(finish, finish);
  }
}

class NoReply extends Error {}

function unavailable(error: unknown, client: Client, command?: Command): StoreUnavailableError {
  const cause = error instanceof ErrorReply ? error : client.failure() ?? error;
  return new StoreUnavailableError(cause, reasonOf(cause, command));
}

type ReconnectStrategy = (retries: number) => number | false;

function serverOf([url]: Urls, reconnectStrategy: ReconnectStrategy): Client {
  const { socket, ...options } = optionsOf(url, reconnectStrategy);
  const client = createClient({
    ...options, socket: { ...socket, ...addressOf(url) }, database: Number(url.pathname.slice(1)),
  }) as unknown as RedisClientType;
  const send = (command: Command) => client.sendCommand([...command]);
  return {
    ...watched(client),
    connect: () => client.connect(),
    send: (_key, command) => send(command),
    masters: () => [send],
  };
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
function clusterOf(urls: Urls, reconnectStrategy: ReconnectStrategy): Client {
  const { commandOptions, ...defaults } = optionsOf(urls[0], reconnectStrategy);
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ socket: addressOf(url) })),
    defaults,
    commandOptions,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  }) as unknown as RedisClusterType;
  return {
    ...watched(cluster),
    connect: () => cluster.connect(),
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    masters: () => cluster.masters.map((master) => async (command) => {
      const node = await cluster.nodeClient(master);
      return node.sendCommand([...command]);
    }),
  };
}

function optionsOf({ username, password, protocol }: URL, reconnectStrategy: ReconnectStrategy) {
  return {
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    disableOfflineQueue: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_INTERVAL_MS,
    // `attempt` limits the whole command; the client's own limit ends when it is sent, and costs a timer for each.
    commandOptions: { timeout: 0 },
    socket: {
      ...(protocol === 'rediss:' && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy,
    },
  };
}

function addressOf({ hostname, port }: URL) {
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || 6379) };
}

interface Emitter {
  on(event: string, listener: (error: unknown) => void): unknown;
  destroy(): void;
}

function watched(client: Emitter) {
  let failure: unknown;
  for (const event of ['error', 'node-error']) client.on(event, (error) => { failure = error; });
  for (const event of ['ready', 'node-ready']) client.on(event, () => { failure = undefined; });
  return {
    failure: () => failure,
    destroy(): void {
      try {
        client.destroy();
      } catch {} // It is closed already.
    },
  };
}

function isOfReplica(error: unknown): boolean {
  return error instanceof ErrorReply && /^(?:READONLY|MASTERDOWN)\b/.test(error.message);
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
function reasonOf(error: unknown, [name = '', script = '']: Command = []): string {
  if (error instanceof NoReply) return 'Redis does not answer in time';
  const { message = '', code } = error as NodeJS.ErrnoException;
  if (!(error instanceof ErrorReply)) return `Redis cannot be reached: ${code ?? message}`;
  const word = /^[A-Z]{2,32}\b/.exec(message)?.[0] ?? 'an error';
  if (word !== 'NOPERM' && !/executing the script can't|ACL failure/.test(message)) return `Redis answers ${word}`;
  if (/\bkeys?\b/.test(message)) return 'Redis refuses its user the keys vestibule:* (NOPERM)';
  const inScript = [...script.matchAll(/redis\.call\(["'](\w+)/g)].map(([, called]) => called);
  const named = /'([a-z|]+)' command/.exec(message)?.[1]?.toUpperCase() ?? name;
  return `Redis refuses its user ${word === 'NOPERM' ? named : `a command of a script: ${inScript.join(', ')}`} (NOPERM)`;
}
