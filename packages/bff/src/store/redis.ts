/** The store of a fleet: one Redis or a cluster. Each operation is one command or script on one key, so it is atomic and stays
 *  within one slot. Every command has a time limit, nothing is queued while a server is away, and the server's clock counts
 *  lifetimes. */

import { randomUUID } from 'node:crypto';
import type { Store as LimiterStore } from 'express-rate-limit';
import { RedisStore as RedisCounts, type RedisReply as CountReply } from 'rate-limit-redis';
import type { Clock } from '../lib/time.ts';
import { connect, isPassing, type Connection } from './redis-connection.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Separates our keys from others in the same database. */
const PREFIX = 'vestibule:';
const PING_KEY = `${PREFIX}ping`;

/** With a command of the store it stays below the two seconds that a reader waits. */
const LIMIT_TIMEOUT_MS = 400;
const PING_TIMEOUT_MS = 750;

const GET = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

/** ARGV: the expected value, the new one, options of SET. */
const COMPARE_AND_SET = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3))
return 1`;

const COMPARE_AND_DELETE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/** Connects, and tries what the store will do.
 *  @param address `redis://[user:password@]host[:port][/database]` or `redis+cluster://…host:port,…`; `rediss` is TLS
 *  @param now clock of the caller, for `expiresAt` of an entry; the server counts what is left of it
 *  @throws {StoreUnavailableError} the server is not there, not ready or full: it may be later
 *  @throws {Error} for the operator, without credentials */
export async function openRedisStore(address: string, now: Clock): Promise<RedisStore> {
  const isCluster = address.includes('+cluster:');
  const urls = urlsOf(address, isCluster);
  try {
    await using resources = new AsyncDisposableStack();
    const connection = await connect(urls, isCluster);
    const warnings = new Set<string>();
    const store = resources.use(createStore(connection, warnings, now));
    for (const { send } of connection.masters()) {
      const info = await send(['INFO']).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
        warnings.add('Redis refuses its user INFO (NOPERM): maxmemory-policy and appendonly are not checked');
        return '';
      });
      checkServer(String(info), isCluster, warnings);
    }
    await tryCommands(connection, store);
    resources.move();
    return store;
  } catch (error) {
    throw explained(error);
  }
}

type RedisStore = Store & {
  /** Request counts that a fleet shares, for `express-rate-limit`. While the server is away requests pass. */
  rateLimits(kind: string): LimiterStore;
};

function createStore(connection: Connection, warnings: ReadonlySet<string>, now: Clock): RedisStore {
  const dispose = async (): Promise<void> => { connection.close(); };
  return {
    kind: 'redis',
    get warnings() { return [...warnings]; },
    get, set, setIfAbsent, compareAndSet, touch, delete: remove, entries, ping, rateLimits,
    [Symbol.asyncDispose]: dispose,
  };

  async function get(key: string): Promise<StoredEntry | undefined> {
    const [value, restMs] = await evaluate(GET, key) as readonly [value: string | null, restMs: number];
    return value === null ? undefined : { value, expiresAt: restMs < 0 ? undefined : now() + restMs };
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
        [cursor, names] = await master.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '500']) as [string, readonly string[]];
        const keys = [...new Set(names)].map((name) => name.slice(PREFIX.length));
        const found = await Promise.all(keys.map(async (key) => [key, (await get(key))?.value] as const));
        for (const [key, value] of found) if (value !== undefined) yield [key, value];
        if (cursor === '0') break;
      }
    }
  }

  /** A write that the server must accept and that changes nothing. */
  async function ping(): Promise<void> {
    await connection.send(PING_KEY, ['SET', PING_KEY, '', 'XX'], PING_TIMEOUT_MS);
  }

  function rateLimits(kind: string): LimiterStore {
    // A script in place of its hash: a server that has restarted, and other nodes of a cluster, have not loaded it.
    const sendCommandCluster = async ({ key = '', command }: { readonly key?: string; readonly command: string[] }) => {
      const [name = '', ...rest] = command;
      if (name === 'SCRIPT') return rest[1] ?? '';
      return await connection.send(key, [name === 'EVALSHA' ? 'EVAL' : name, ...rest], LIMIT_TIMEOUT_MS) as CountReply;
    };
    return new RedisCounts({ prefix: `${PREFIX}limit:${kind}:`, sendCommandCluster });
  }

  function send(key: string, command: string, ...args: string[]): Promise<unknown> {
    return connection.send(PREFIX + key, [command, PREFIX + key, ...args]);
  }

  function evaluate(script: string, key: string, ...args: string[]): Promise<unknown> {
    return connection.send(PREFIX + key, ['EVAL', script, '1', PREFIX + key, ...args]);
  }
}

/** Runs every command of the store and of the limiter once. The keys expire by themselves.
 *  @throws {StoreUnavailableError} that names the command or the keys that are refused */
async function tryCommands(connection: Connection, store: RedisStore): Promise<void> {
  const key = `check:${randomUUID()}`;
  await store.setIfAbsent(key, 'first', TRIAL_MS);
  await store.get(key);
  await store.compareAndSet(key, 'first', 'second', TRIAL_MS);
  await store.touch(key, TRIAL_MS);
  await store.set(key, 'third', TRIAL_MS);
  await store.delete(key, 'third');
  await store.delete(key);
  const limits = store.rateLimits('check');
  await limits.init?.({ windowMs: TRIAL_MS } as never);
  // The second call takes the other branch of the script.
  await limits.increment(key);
  await limits.increment(key);
  // `entries` would read all keys of the database, those of others too.
  for (const master of connection.masters()) await master.send(['SCAN', '0', 'COUNT', '1']);
  await store.ping();
}

/** Lifetime of what is tried. */
const TRIAL_MS = 1_000;

/** @param info reply to `INFO` @throws {Error} if the server is unsuitable */
function checkServer(info: string, isCluster: boolean, warnings: Set<string>): void {
  if (!isCluster && /^cluster_enabled:1/m.test(info)) {
    throw new Error('it belongs to a cluster: the address must begin with redis+cluster:// or rediss+cluster://');
  }
  if (/^maxmemory_policy:(?!noeviction)/m.test(info)) {
    throw new Error('it drops entries when its memory is full: set its maxmemory-policy to noeviction');
  }
  if (/^aof_enabled:0/m.test(info)) {
    warnings.add('Redis has no append-only file: what a restart loses ends sessions and can repeat a post; set its appendonly to yes');
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof StoreUnavailableError && error.reason.endsWith('(NOPERM)');
}

/** @returns what keeps the BFF from starting: a `StoreUnavailableError` if it may pass by itself */
function explained(error: unknown): Error {
  const isUnavailable = error instanceof StoreUnavailableError;
  if (isUnavailable && isPassing(error)) return error;
  return new Error(`The Redis server cannot be used: ${isUnavailable ? error.reason : (error as Error).message}.`, { cause: error });
}

function expiry(lifetimeMs: Lifetime): string[] {
  return lifetimeMs === undefined ? [] : ['PX', String(Math.max(Math.ceil(lifetimeMs), 1))];
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
