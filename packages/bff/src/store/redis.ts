/** The store of a fleet: one Redis or a cluster. Each operation is one command or script on one key, so it is atomic and stays
 *  within one slot. Every command has a time limit, and nothing is queued while a server is away. */

import { createClient, createCluster, ErrorReply, type RedisClientType, type RedisClusterType } from '@redis/client';
import type { Store as LimiterStore } from 'express-rate-limit';
import { RedisStore as RedisCounts, type RedisReply as CountReply } from 'rate-limit-redis';
import { withDeadline } from '../lib/time.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Separates our keys from others in the same database. */
const PREFIX = 'vestibule:';
const PING_KEY = `${PREFIX}ping`;

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 1_250;
/** With a command of the store it stays below the two seconds that a reader waits. */
const LIMIT_TIMEOUT_MS = 400;
const PING_TIMEOUT_MS = 750;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

const GET = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

/** ARGV: the expected value, the new one, options of SET. */
const COMPARE_AND_SET = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3))
return 1`;

const COMPARE_AND_DELETE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/** @param address `redis://[user:password@]host[:port][/database]` or `redis+cluster://…host:port,…`; `rediss` is TLS
 *  @throws {Error} for the operator, without credentials */
export async function openRedisStore(address: string): Promise<RedisStore> {
  const isCluster = address.includes('+cluster:');
  const urls = urlsOf(address, isCluster);
  try {
    await using resources = new AsyncDisposableStack();
    const connection = await (isCluster ? openCluster : openSingle)(urls);
    const store = resources.use(createStore(connection));
    for (const { send } of connection.masters()) checkServer(String(await send(['INFO'])), isCluster);
    await store.ping();
    resources.move();
    return store;
  } catch (error) {
    throw explained(error instanceof StoreUnavailableError ? error.cause : error);
  }
}

type RedisStore = Store & {
  /** Request counts that a fleet shares, for `express-rate-limit`. While the server is away requests pass. */
  rateLimits(kind: string): LimiterStore;
};

function createStore(connection: Connection): RedisStore {
  const dispose = async (): Promise<void> => { connection.close(); };
  return { kind: 'redis', get, set, setIfAbsent, compareAndSet, touch, delete: remove, entries, ping, rateLimits, [Symbol.asyncDispose]: dispose };

  async function get(key: string): Promise<StoredEntry | undefined> {
    const [value, restMs] = await evaluate(GET, key) as readonly [value: string | null, restMs: number];
    return value === null ? undefined : { value, expiresAt: restMs < 0 ? undefined : Date.now() + restMs };
  }

  async function set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await send(key, 'SET', value, ...expiry(lifetimeMs));
  }

  async function setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await send(key, 'SET', value, 'NX', ...expiry(lifetimeMs)) === 'OK';
  }

  async function compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await evaluate(COMPARE_AND_SET, key, expected, value, ...expiry(lifetimeMs)) === 1;
  }

  async function touch(key: string, lifetimeMs: number): Promise<boolean> {
    return await send(key, 'PEXPIRE', String(Math.ceil(lifetimeMs))) === 1;
  }

  async function remove(key: string, expected?: string): Promise<boolean> {
    return await (expected === undefined ? send(key, 'DEL') : evaluate(COMPARE_AND_DELETE, key, expected)) === 1;
  }

  async function* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    const pattern = `${PREFIX}${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    for (const master of connection.masters()) {
      for (let cursor = '0', names: readonly string[]; ;) {
        [cursor, names] = await inTime(master.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '500'])) as [string, readonly string[]];
        const keys = [...new Set(names)].map((name) => name.slice(PREFIX.length));
        const found = await Promise.all(keys.map(async (key) => [key, (await get(key))?.value] as const));
        for (const [key, value] of found) if (value !== undefined) yield [key, value];
        if (cursor === '0') break;
      }
    }
  }

  /** A write that the server must accept and that changes nothing. */
  async function ping(): Promise<void> {
    await inTime(connection.send(PING_KEY, ['SET', PING_KEY, '', 'XX']), PING_TIMEOUT_MS);
  }

  function rateLimits(kind: string): LimiterStore {
    // A script in place of its hash: a server that has restarted, and other nodes of a cluster, have not loaded it.
    const sendCommandCluster = async ({ key = '', command }: { readonly key?: string; readonly command: string[] }) => {
      const [name = '', ...rest] = command;
      if (name === 'SCRIPT') return rest[1] ?? '';
      return await inTime(connection.send(key, [name === 'EVALSHA' ? 'EVAL' : name, ...rest]), LIMIT_TIMEOUT_MS) as CountReply;
    };
    return new RedisCounts({ prefix: `${PREFIX}limit:${kind}:`, sendCommandCluster });
  }

  function send(key: string, command: string, ...args: string[]): Promise<unknown> {
    return inTime(connection.send(PREFIX + key, [command, PREFIX + key, ...args]));
  }

  function evaluate(script: string, key: string, ...args: string[]): Promise<unknown> {
    return inTime(connection.send(PREFIX + key, ['EVAL', script, '1', PREFIX + key, ...args]));
  }
}

interface Connection {
  /** @param key decides on the node of a cluster */
  send(key: string, command: string[]): Promise<unknown>;
  masters(): readonly { send(command: string[]): Promise<unknown> }[];
  close(): void;
}

/** @param isOpen while it is `false`, a failure ends the attempt to connect */
function clientOptions({ username, password, protocol }: URL, isOpen: () => boolean) {
  return {
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    disableOfflineQueue: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_INTERVAL_MS,
    socket: {
      ...(protocol === 'rediss:' && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (retries: number) => isOpen() && Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  };
}

async function openSingle([url]: readonly [URL, ...URL[]]): Promise<Connection> {
  let isOpen = false;
  const { socket, ...options } = clientOptions(url, () => isOpen);
  const database = Number(url.pathname.slice(1));
  const client = createClient({ ...options, socket: { ...socket, ...addressOf(url) }, database }) as unknown as RedisClientType;
  client.on('error', () => undefined);
  await client.connect();
  isOpen = true;
  return {
    send: (_key, command) => client.sendCommand(command),
    masters: () => [{ send: (command) => client.sendCommand(command) }],
    close: () => { client.destroy(); },
  };
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
async function openCluster(urls: readonly [URL, ...URL[]]): Promise<Connection> {
  let isOpen = false;
  let failure: unknown;
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ socket: addressOf(url) })),
    defaults: clientOptions(urls[0], () => isOpen),
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  }) as unknown as RedisClusterType;
  cluster.on('error', (error) => { failure = error; });
  await cluster.connect().catch(() => { throw failure; });
  isOpen = true;
  return {
    send: (key, command) => cluster.sendCommand(key, false, command),
    masters: () => cluster.masters.map((master) => ({
      send: async (command) => (await cluster.nodeClient(master)).sendCommand(command),
    })),
    close: () => { cluster.destroy(); },
  };
}

/** The client's own timeout ends when the command is sent: this one covers the reply. @throws {StoreUnavailableError} */
async function inTime(reply: Promise<unknown>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<unknown> {
  try {
    return await withDeadline(timeoutMs, () => reply, () => new Error('it does not answer in time'));
  } catch (error) {
    throw new StoreUnavailableError(error);
  }
}

/** @param info reply to `INFO` @throws {Error} if the server is unsuitable */
function checkServer(info: string, isCluster: boolean): void {
  if (!isCluster && /^cluster_enabled:1/m.test(info)) {
    throw new Error('it belongs to a cluster: the address must begin with redis+cluster:// or rediss+cluster://');
  }
  if (/^maxmemory_policy:(?!noeviction)/m.test(info)) {
    throw new Error('it drops entries when its memory is full: set its maxmemory-policy to noeviction');
  }
}

function expiry(lifetimeMs: Lifetime): string[] {
  return lifetimeMs === undefined ? [] : ['PX', String(Math.max(Math.ceil(lifetimeMs), 1))];
}

/** Of an error reply only its first word, such as `WRONGPASS`: the others might quote a secret. */
function explained(error: unknown): Error {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = error instanceof ErrorReply ? message.split(' ')[0] : message || code;
  return new Error(`The Redis server cannot be used: ${reason}.`, { cause: error });
}

/** Addresses of servers, as providers write them. @throws {Error} that quotes nothing of the address */
function urlsOf(address: string, isCluster: boolean): [URL, ...URL[]] {
  if (/[?#]/.test(address.replace(/^.*@/, ''))) throw new Error('The Redis address has a query: remove it. TLS is rediss://.');
  if (/\.sock$/.test(address)) throw new Error('The Redis address is a socket: use the host and the port of the server.');
  const pattern = /^(rediss?)(?:\+cluster)?:\/\/(.*@)?([^/@?#]+)(?:\/(\d*)\/?)?$/;
  const [, scheme, user = '', hosts = '', database = ''] = pattern.exec(address) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(`${scheme}://${user}${host}/${database}`));
  if (urls.some((url) => !url?.hostname) || (isCluster ? Number(database) > 0 : urls.length > 1)) {
    throw new Error('The Redis address must be redis://[user:password@]host[:port][/database] or '
      + 'redis+cluster://[user:password@]host:port,…; with TLS rediss instead of redis; the password must be percent-encoded.');
  }
  return urls as [URL, ...URL[]];
}

function addressOf({ hostname, port }: URL) {
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || 6379) };
}
