/** The store of a fleet: one Redis (7.0 or newer) or a cluster. Each step is one command on one key, or a script on one key,
 *  so it is atomic there and stays within one slot. What a settled write survives is the server's matter: an append-only
 *  file keeps it over restarts. Expiry is counted by the server; the value carries it along for `get`. */

import { Deadlines } from '../lib/deadlines.ts';
import { checkServer } from './redis-checks.ts';
import { connectRedis, type RedisConnection, type RedisMaster, type RedisReply } from './redis-connection.ts';
import { parseRedisAddress } from './redis-address.ts';
import { reasonOf } from './redis-reasons.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Where the store tells what an operator should know; no line carries credentials. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Apart from what else may live in the same database. */
const PREFIX = 'vestibule:';

/** Nothing is ever kept there. */
const PING_NAME = `${PREFIX}ping`;
const pingDeadlines = new Deadlines(750);

/** Keys that one step of `entries` looks at. */
const SCAN_COUNT = '500';

/** Moves the expiry and the copy of it before the first colon of the value. */
const TOUCH = `
local stored = redis.call('GET', KEYS[1])
if not stored then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. string.sub(stored, string.find(stored, ':', 1, true), -1), 'PX', ARGV[2])
return 1`;

/** The value follows the first colon; without one (`keep`), the expiry and the copy of it stay. */
const COMPARE_AND_SET = `
local stored = redis.call('GET', KEYS[1])
if not stored then return 0 end
local colon = string.find(stored, ':', 1, true)
if string.sub(stored, colon + 1) ~= ARGV[1] then return 0 end
if ARGV[3] == 'keep' then
  redis.call('SET', KEYS[1], string.sub(stored, 1, colon) .. ARGV[2], 'KEEPTTL')
elseif ARGV[4] then
  redis.call('SET', KEYS[1], ARGV[3] .. ':' .. ARGV[2], 'PX', ARGV[4])
else
  redis.call('SET', KEYS[1], ':' .. ARGV[2])
end
return 1`;

/** Opens the store. @throws {Error} in words for the operator, where the server cannot be reached or used */
export async function openRedisStore(address: string, log: StoreLog): Promise<RedisStore> {
  const parsed = parseRedisAddress(address);
  try {
    const connection = await connectRedis(parsed, {
      onLost: (node) => { log.warn(`The Redis server ${node} is away.`); },
      onBack: (node) => { log.info(`The Redis server ${node} is back.`); },
    });
    const store = new RedisStore(connection);
    try {
      for (const master of await connection.masters()) {
        for (const warning of await checkServer(master, parsed.kind)) log.warn(warning);
      }
      await store.ping().catch((error: unknown) => {
        if (!isLoading(error)) throw error;
        log.warn('The Redis server is still loading its data.');
      });
      return store;
    } catch (error) {
      await connection[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    throw new Error(`The Redis server ${reasonOf(error instanceof StoreUnavailableError ? error.cause : error)}.`, { cause: error });
  }
}

export class RedisStore implements Store {
  readonly kind = 'redis';
  /** For what else is shared by a fleet. */
  readonly connection: RedisConnection;

  constructor(connection: RedisConnection) {
    this.connection = connection;
  }

  get(key: string): Promise<StoredEntry | undefined> {
    return this.#send(key, parseEntry, 'GET');
  }

  async getMany(keys: readonly string[]): Promise<readonly (StoredEntry | undefined)[]> {
    if (!this.connection.isWhole) return Promise.all(keys.map((key) => this.get(key)));
    const names = keys.map((key) => PREFIX + key);
    return this.#answer(names[0] ?? '', ['MGET', ...names], (replies) => (replies as readonly RedisReply[]).map(parseEntry));
  }

  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    return this.#send(key, nothing, 'SET', ...entryOf(value, lifetimeMs));
  }

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#send(key, isDone, 'SET', ...entryOf(value, lifetimeMs), 'NX');
  }

  replace(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#send(key, isDone, 'SET', ...entryOf(value, lifetimeMs), 'XX');
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    const name = PREFIX + key;
    const expiry = lifetimeMs === 'keep' ? ['keep'] : lifetimeMs === undefined ? [''] : [String(Date.now() + lifetimeMs), String(Math.ceil(lifetimeMs))];
    return this.#answer(name, ['EVAL', COMPARE_AND_SET, '1', name, expected, value, ...expiry], isOne);
  }

  touch(key: string, lifetimeMs: number): Promise<boolean> {
    const name = PREFIX + key;
    const expiry = [String(Date.now() + lifetimeMs), String(Math.ceil(lifetimeMs))];
    return this.#answer(name, ['EVAL', TOUCH, '1', name, ...expiry], isOne);
  }

  take(key: string): Promise<string | undefined> {
    return this.#send(key, (reply) => parseEntry(reply)?.value, 'GETDEL');
  }

  delete(key: string): Promise<boolean> {
    return this.#send(key, isOne, 'DEL');
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    const seen = new Set<string>();
    try {
      for (const master of await this.connection.masters()) {
        for await (const names of scan(master, PREFIX + prefix)) {
          const fresh = names.filter((name) => !seen.has(name));
          for (const name of fresh) seen.add(name);
          yield* await this.#read(fresh);
        }
      }
    } catch (error) {
      throw error instanceof StoreUnavailableError ? error : new StoreUnavailableError(error);
    }
  }

  /** A write that the server must be willing to take, and that leaves nothing. */
  async ping(): Promise<void> {
    await this.#answer(PING_NAME, ['SET', PING_NAME, '', 'XX'], nothing, pingDeadlines);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
  }

  async #read(names: readonly string[]): Promise<(readonly [string, string])[]> {
    const entries = await Promise.all(names.map(async (name) => {
      const entry = await this.#answer(name, ['GET', name], parseEntry);
      return entry && [name.slice(PREFIX.length), entry.value] as const;
    }));
    return entries.filter((entry) => entry !== undefined);
  }

  #send<T>(key: string, read: ReadsReply<T>, command: string, ...args: string[]): Promise<T> {
    const name = PREFIX + key;
    return this.#answer(name, [command, name, ...args], read);
  }

  #answer<T>(name: string, command: string[], read: ReadsReply<T>, deadlines?: Deadlines): Promise<T> {
    return this.connection.send(name, command, deadlines).then(read, unavailable);
  }
}

type ReadsReply<T> = (reply: RedisReply) => T;

const nothing: ReadsReply<undefined> = () => undefined;

/** What `SET` replies where its condition does not hold is null. */
const isDone: ReadsReply<boolean> = (reply) => reply !== null;

const isOne: ReadsReply<boolean> = (reply) => reply === 1;

function unavailable(cause: unknown): never {
  throw new StoreUnavailableError(cause);
}

function isLoading(error: unknown): boolean {
  return error instanceof StoreUnavailableError && error.cause instanceof Error && error.cause.message.startsWith('LOADING');
}

/** Names of the keys that begin with `beginning`, some of them more than once. */
async function* scan({ send }: RedisMaster, beginning: string): AsyncGenerator<readonly string[]> {
  const pattern = `${beginning.replace(/[*?[\]\\]/g, '\\$&')}*`;
  let cursor = '0';
  do {
    const [next, names] = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT]) as [string, readonly string[]];
    yield [...new Set(names)];
    cursor = next;
  } while (cursor !== '0');
}

/** What `SET` takes after the key. */
function entryOf(value: string, lifetimeMs: Lifetime): string[] {
  if (lifetimeMs === undefined) return [`:${value}`];
  return [`${Date.now() + lifetimeMs}:${value}`, 'PX', String(Math.ceil(lifetimeMs))];
}

function parseEntry(reply: RedisReply): StoredEntry | undefined {
  if (typeof reply !== 'string') return undefined;
  const colon = reply.indexOf(':');
  return { value: reply.slice(colon + 1), expiresAt: colon === 0 ? undefined : Number(reply.slice(0, colon)) };
}
