/**
 * The store of a fleet: one Redis or a cluster, on `@redis/client`. Each operation is one command or script on one key, so it is
 * atomic and stays within one slot. The server's clock counts lifetimes, and its configuration decides on durability. Every
 * command has a time limit, nothing is queued while a server is away, and connections are restored without end.
 */

import { createClient, createCluster, type RedisClientType, type RedisClusterType } from '@redis/client';
import type { Store as LimiterStore } from 'express-rate-limit';
import { RedisStore as RedisCounts, type RedisReply as CountReply } from 'rate-limit-redis';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Receives what an operator should know; no line contains credentials. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

type Reply = string | number | null | readonly Reply[];
/** @param key decides on the node of a cluster */
type Send = (key: string, command: string[], timeoutMs?: number) => Promise<Reply>;

/** Separates our keys from others in the same database. */
const PREFIX = 'vestibule:';

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 1_250;
/** With a command of the store it stays below the two seconds that a reader waits. */
const LIMIT_TIMEOUT_MS = 400;
const PING_TIMEOUT_MS = 750;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** A connection without traffic for this long is replaced; pings keep a working one busy. */
const SOCKET_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** Commands without a reply, per connection. More fail at once: the server is too slow for them. */
const MAX_PENDING_COMMANDS = 20_000;

/** Value and remaining lifetime. */
const GET = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

/** ARGV: the expected value, the new one, options of SET. */
const COMPARE_AND_SET = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3))
return 1`;

const COMPARE_AND_DELETE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

export function isRedisAddress(address: string): boolean {
  return /^rediss?(?:\+cluster)?:/.test(address);
}

/** @param address `redis://[user:password@]host[:port][/database]` or `redis+cluster://…host:port,…`; `rediss` is TLS
 *  @throws {Error} for the operator, without credentials */
export async function openRedisStore(address: string, log: StoreLog): Promise<RedisStore> {
  const isCluster = address.includes('+cluster:');
  const urls = urlsOf(address, isCluster);
  const open = isCluster ? openCluster : openSingle;
  const connection = await open(urls as [URL, ...URL[]], log).catch((error: unknown) => { throw explained(error); });
  const store = new RedisStore(connection);
  try {
    for (const { name, send } of await connection.masters()) await checkServer(name, send, isCluster, log);
    await store.ping().catch((error: StoreUnavailableError) => {
      if (!(error.cause instanceof Error && error.cause.message.startsWith('LOADING'))) throw error.cause;
      log.warn('The Redis server is still loading its data.');
    });
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw explained(error);
  }
}

export class RedisStore implements Store {
  readonly kind = 'redis';
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const [value, restMs] = await this.#evaluate(GET, key) as readonly [value: string | null, restMs: number];
    return value === null ? undefined : { value, expiresAt: restMs < 0 ? undefined : Date.now() + restMs };
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await this.#send(key, 'SET', value, ...expiry(lifetimeMs));
  }

  async setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#send(key, 'SET', value, 'NX', ...expiry(lifetimeMs)) === 'OK';
  }

  async compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#evaluate(COMPARE_AND_SET, key, expected, value, ...expiry(lifetimeMs)) === 1;
  }

  async touch(key: string, lifetimeMs: number): Promise<boolean> {
    return await this.#send(key, 'PEXPIRE', String(Math.ceil(lifetimeMs))) === 1;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    return await (expected === undefined ? this.#send(key, 'DEL') : this.#evaluate(COMPARE_AND_DELETE, key, expected)) === 1;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    const pattern = `${PREFIX}${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    const masters = await this.#connection.masters().catch((error: unknown) => { throw new StoreUnavailableError(error); });
    for (const { send } of masters) {
      for (let cursor = '0', names: readonly string[]; ;) {
        [cursor, names] = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '500'])
          .catch((error: unknown) => { throw new StoreUnavailableError(error); }) as [string, readonly string[]];
        const keys = [...new Set(names)].map((name) => name.slice(PREFIX.length));
        const found = await Promise.all(keys.map(async (key) => [key, (await this.get(key))?.value] as const));
        for (const [key, value] of found) if (value !== undefined) yield [key, value];
        if (cursor === '0') break;
      }
    }
  }

  /** A write that the server must accept and that changes nothing. */
  async ping(): Promise<void> {
    const name = `${PREFIX}ping`;
    await this.#guarded(this.#connection.send(name, ['SET', name, '', 'XX'], PING_TIMEOUT_MS));
  }

  /** Request counts that a fleet shares, for `express-rate-limit`. While the server is away requests pass. */
  rateLimits(kind: string): LimiterStore {
    const sendCommandCluster = async ({ key = '', command }: { readonly key?: string; readonly command: string[] }) => (
      await this.#connection.send(key, command, LIMIT_TIMEOUT_MS) as CountReply
    );
    return new RedisCounts({ prefix: `${PREFIX}limit:${kind}:`, sendCommandCluster });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close();
  }

  #send(key: string, command: string, ...args: string[]): Promise<Reply> {
    const name = PREFIX + key;
    return this.#guarded(this.#connection.send(name, [command, name, ...args]));
  }

  #evaluate(script: string, key: string, ...args: string[]): Promise<Reply> {
    const name = PREFIX + key;
    return this.#guarded(this.#connection.send(name, ['EVAL', script, '1', name, ...args]));
  }

  async #guarded(reply: Promise<Reply>): Promise<Reply> {
    try {
      return await reply;
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }
}

interface Connection {
  readonly send: Send;
  masters(): Promise<readonly { readonly name: string; readonly send: (command: string[]) => Promise<Reply> }[]>;
  close(): void;
}

function clientOptions({ username, password, protocol }: URL) {
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    commandsQueueMaxLength: MAX_PENDING_COMMANDS,
    disableOfflineQueue: true,
    maintNotifications: 'disabled' as const,
    pingInterval: PING_INTERVAL_MS,
    socket: {
      ...(protocol === 'rediss:' && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  };
}

async function openSingle([url]: readonly [URL, ...URL[]], log: StoreLog): Promise<Connection> {
  const name = nameOf(url);
  const options = clientOptions(url);
  const client = createClient({
    ...options,
    socket: { ...options.socket, host: hostOf(url), port: Number(url.port || 6379) },
    database: Number(url.pathname.slice(1) || 0),
  }) as unknown as RedisClientType;
  const first = firstError(client);
  const report = reportLosses(name, log);
  client.on('ready', report.returned).on('error', () => { if (!client.isReady) report.lost(); });
  await connected(client.connect(), first, () => { client.destroy(); });
  const send = (command: string[], timeoutMs?: number) => inTime(client.sendCommand(command) as Promise<Reply>, timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    masters: async () => [{ name, send }],
    close: () => { client.destroy(); },
  };
}

/** Connects to each master when it is needed: one that is down does not affect the others. */
async function openCluster(urls: readonly [URL, ...URL[]], log: StoreLog): Promise<Connection> {
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ socket: { host: hostOf(url), port: Number(url.port || 6379) } })),
    defaults: clientOptions(urls[0]),
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  }) as unknown as RedisClusterType;
  const first = firstError(cluster);
  const reports = new Map<string, ReturnType<typeof reportLosses>>();
  const reportOf = ({ host, port }: { host: string; port: number }) => {
    const name = `${host}:${port}`;
    const report = reports.get(name) ?? reportLosses(name, log);
    reports.set(name, report);
    return report;
  };
  cluster.on('node-ready', (node) => { reportOf(node).returned(); }).on('node-error', (_error, node) => { reportOf(node).lost(); });
  await connected(cluster.connect(), first, () => { cluster.destroy(); });
  return {
    send: (key, command, timeoutMs) => inTime(cluster.sendCommand(key, false, command) as Promise<Reply>, timeoutMs),
    masters: async () => cluster.masters.map((master) => ({
      name: master.address,
      send: async (command) => inTime(
        Promise.resolve(cluster.nodeClient(master)).then((client) => client.sendCommand(command) as Promise<Reply>),
      ),
    })),
    close: () => { cluster.destroy(); },
  };
}

/** Rejects with the first failure: the clients themselves try again. */
function firstError(client: { once(event: 'error', listener: (error: unknown) => void): unknown; on(event: 'error', listener: () => void): unknown }): Promise<never> {
  client.on('error', () => undefined);
  return new Promise((_resolve, reject) => { client.once('error', reject); });
}

async function connected(connecting: Promise<unknown>, failed: Promise<never>, close: () => void): Promise<void> {
  failed.catch(() => undefined);
  try {
    await inTime(Promise.race([connecting, failed]), CONNECT_TIMEOUT_MS);
  } catch (error) {
    connecting.catch(() => undefined);
    close();
    throw error;
  }
}

/** Each loss is reported once. */
function reportLosses(name: string, log: StoreLog) {
  let isLost = false;
  return {
    lost(): void {
      if (!isLost) log.warn(`Lost the connection to the Redis server ${name}.`);
      isLost = true;
    },
    returned(): void {
      if (isLost) log.info(`Reconnected to the Redis server ${name}.`);
      isLost = false;
    },
  };
}

class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';
}

/** The client's own timeout ends when the command is sent: this one covers the reply.
 *  @throws {RedisTimeoutError} */
function inTime<T>(work: Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read: a reply that arrived while the event loop was blocked still counts.
    const timer = setTimeout(() => { setImmediate(() => { reject(new RedisTimeoutError('The Redis server did not reply in time.')); }); }, timeoutMs);
    work.then(resolve, reject).finally(() => { clearTimeout(timer); });
  });
}

/** Warns of what an operator should change. @throws {Error} whose message completes "The Redis server …" */
async function checkServer(
  name: string,
  send: (command: string[]) => Promise<Reply>,
  isCluster: boolean,
  log: StoreLog,
): Promise<void> {
  const text = await send(['INFO']).then(String, (error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return undefined;
    throw error;
  });
  if (text === undefined) return log.warn(`The Redis server ${name} denies this user INFO: its settings for persistence and memory are unchecked.`);
  const info = new Map(Array.from(text.matchAll(/(\w+):(.*)/g), ([, key, value]) => [key, value] as const));
  if (!isCluster && info.get('cluster_enabled') === '1') {
    throw new UnsuitableServerError('belongs to a cluster: the address must begin with redis+cluster:// or rediss+cluster://');
  }
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new UnsuitableServerError('drops entries when its memory is full: set its maxmemory-policy to noeviction');
  }
  // A server that is loading its append-only file reports it as disabled.
  if (info.get('aof_enabled') === '0' && info.get('loading') !== '1') {
    log.warn(`The Redis server ${name} has no append-only file (appendonly no): a restart loses sessions and posts in flight.`);
  }
}

class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError';
}

/** @throws {Error} that names the fault and quotes nothing of the address */
function urlsOf(address: string, isCluster: boolean): readonly URL[] {
  const [, scheme, user = '', hosts = '', rest = ''] = /^(rediss?)(?:\+cluster)?:\/\/(?:(.*)@)?([^/@?#]+)(.*)$/.exec(address) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(`${scheme}://${user}${user && '@'}${host}${rest}`));
  const fault = (reason: string) => new Error(`The Redis address ${reason}.`);
  if (scheme === undefined || urls.some((url) => !url?.hostname)) {
    throw fault('must be redis://[user:password@]host[:port][/database] or redis+cluster://[user:password@]host:port,…; with TLS rediss instead of redis; '
      + 'special characters of the password must be percent-encoded');
  }
  if (/[?#]/.test(rest)) throw fault('must have no query and no fragment: remove them; TLS is rediss://');
  if (!/^\/?\d*\/?$/.test(rest)) throw fault('must end with the number of the database');
  if (!isCluster && urls.length > 1) throw fault('has several hosts, as only redis+cluster:// and rediss+cluster:// have');
  if (isCluster && Number(rest.replaceAll('/', '') || 0) !== 0) throw fault('names a database, and a cluster has only database 0');
  return urls.map((url) => {
    const clean = url as URL;
    clean.pathname = rest.replace(/\/$/, '');
    return clean;
  });
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/[[\]]/g, '');
}

function nameOf(url: URL): string {
  return `${hostOf(url)}:${url.port || 6379}`;
}

/** Options of `SET`. */
function expiry(lifetimeMs: Lifetime): string[] {
  return lifetimeMs === undefined ? [] : ['PX', String(Math.max(Math.ceil(lifetimeMs), 1))];
}

/** Error replies by their first word, then connection errors by their code; each completes "The Redis server …". */
const reasons: Readonly<Record<string, string>> = {
  WRONGPASS: 'rejects the user name or the password',
  NOAUTH: 'requires a password',
  NOPERM: 'denies this user a required command or the keys `vestibule:*`',
  READONLY: 'is a replica, which rejects writes',
  MISCONF: 'rejects writes because it cannot save them',
  OOM: 'rejects writes because its memory is full',
  CLUSTERDOWN: 'belongs to a cluster that is down',
  ECONNREFUSED: 'cannot be reached: connection refused',
  ECONNRESET: 'closes the connection',
  EHOSTUNREACH: 'cannot be reached: no route to the host',
  ENETUNREACH: 'cannot be reached: no route to the network',
  ENOTFOUND: 'cannot be reached: unknown host name',
  EAI_AGAIN: 'cannot be reached: the host name cannot be resolved at present',
  ETIMEDOUT: 'cannot be reached: no response',
  EPROTO: 'does not speak TLS',
};

/** Quotes nothing that the server sent: it might contain a secret. */
function explained(error: unknown): Error {
  const { message = '', code = '' } = (error instanceof Error ? error : {}) as { readonly message?: string; readonly code?: string };
  if (message.startsWith('The Redis')) return error as Error;
  const reason = error instanceof UnsuitableServerError ? message
    : /without any password configured|no password is set/.test(message) ? 'has no password, but the address has one'
      : error instanceof RedisTimeoutError || /timeout/i.test(message) ? 'does not answer in time'
        : /closed unexpectedly/i.test(message) ? 'closes the connection'
          : /cert|altname|signature/i.test(code) ? `has an untrusted certificate (${code})`
            : /cluster support disabled/.test(message) ? 'is not part of a cluster'
              : reasons[message.split(' ')[0] as string] ?? reasons[code] ?? `does not answer as expected${code && ` (${code})`}`;
  return new Error(`The Redis server ${reason}.`, { cause: error });
}
