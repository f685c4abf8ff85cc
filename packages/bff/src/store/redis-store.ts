/**
 * The store of a fleet: one Redis (7.0 or newer) or a cluster. Each operation is one command or script on one key, so it is
 * atomic and stays within one slot. The server's clock counts lifetimes. Durability is the server's: an append-only file
 * keeps settled writes over restarts.
 */

import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { checkServer, reasonOf } from './redis-checks.ts';
import { connectRedis, type RedisConnection, type RedisMaster, type RedisReply } from './redis-connection.ts';
import { parseRedisAddress } from './redis-address.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Receives what an operator should know; no line contains credentials. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Separates our keys from others in the same database. */
const PREFIX = 'vestibule:';

/** A key that never exists. */
const PING_KEY = 'ping';
const PING_TIMEOUT_MS = 750;

/** Keys that one step of `entries` scans. */
const SCAN_COUNT = '500';

/** Value and remaining lifetime. */
const GET = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

/** ARGV: the expected value, the new one, options of SET. */
const COMPARE_AND_SET = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3))
return 1`;

/** @throws {Error} for the operator, without credentials */
export async function openRedisStore(address: string, log: StoreLog): Promise<RedisStore> {
  const parsed = parseRedisAddress(address);
  try {
    const connection = await connectRedis(parsed, {
      onDisconnected: (node) => { log.warn(`Lost the connection to the Redis server ${node}.`); },
      onReconnected: (node) => { log.info(`Reconnected to the Redis server ${node}.`); },
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
  /** For the rate limits, which a fleet shares as well. */
  readonly connection: RedisConnection;

  constructor(connection: RedisConnection) {
    this.connection = connection;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const [value, remainingMs] = await this.#evaluate(GET, key) as readonly [value: string | null, remainingMs: number];
    return value === null ? undefined : { value, expiresAt: remainingMs < 0 ? undefined : Date.now() + remainingMs };
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await this.#send(key, 'SET', value, ...expiry(lifetimeMs));
  }

  async setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#send(key, 'SET', value, 'NX', ...expiry(lifetimeMs)) === 'OK';
  }

  async compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    const options = lifetimeMs === 'keep' ? ['KEEPTTL'] : expiry(lifetimeMs);
    return await this.#evaluate(COMPARE_AND_SET, key, expected, value, ...options) === 1;
  }

  async touch(key: string, lifetimeMs: number): Promise<boolean> {
    return await this.#send(key, 'PEXPIRE', milliseconds(lifetimeMs)) === 1;
  }

  async take(key: string): Promise<string | undefined> {
    return await this.#send(key, 'GETDEL') as string | null ?? undefined;
  }

  async delete(key: string): Promise<boolean> {
    return await this.#send(key, 'DEL') === 1;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    const seen = new Set<string>();
    try {
      for (const master of await this.connection.masters()) {
        for await (const keys of scan(master, prefix)) {
          const unseen = keys.filter((key) => !seen.has(key));
          for (const key of unseen) seen.add(key);
          const entries = await Promise.all(unseen.map((key) => this.get(key)));
          for (const [i, key] of unseen.entries()) {
            const entry = entries[i];
            if (entry) yield [key, entry.value];
          }
        }
      }
    } catch (error) {
      throw error instanceof StoreUnavailableError ? error : unavailable(error);
    }
  }

  /** A write that the server must accept and that changes nothing. */
  async ping(): Promise<void> {
    const name = PREFIX + PING_KEY;
    await this.#sendCommand(name, ['SET', name, '', 'XX'], PING_TIMEOUT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
  }

  #send(key: string, command: string, ...args: string[]): Promise<RedisReply> {
    const name = PREFIX + key;
    return this.#sendCommand(name, [command, name, ...args]);
  }

  #evaluate(script: string, key: string, ...args: string[]): Promise<RedisReply> {
    const name = PREFIX + key;
    return this.#sendCommand(name, ['EVAL', script, '1', name, ...args]);
  }

  async #sendCommand(name: string, command: string[], timeoutMs?: number): Promise<RedisReply> {
    try {
      return await this.connection.send(name, command, timeoutMs);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** An error reply, or a client without a connection, means that the command was not carried out. */
function unavailable(cause: unknown): StoreUnavailableError {
  const wasRefused = [ErrorReply, ClientOfflineError, ClientClosedError].some((refusal) => cause instanceof refusal);
  return new StoreUnavailableError(cause, { mayHaveApplied: !wasRefused });
}

function isLoading(error: unknown): boolean {
  return error instanceof StoreUnavailableError && error.cause instanceof Error && error.cause.message.startsWith('LOADING');
}

/** Keys that begin with `prefix`, some of them more than once. */
async function* scan({ send }: RedisMaster, prefix: string): AsyncGenerator<readonly string[]> {
  const pattern = `${PREFIX}${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
  let cursor = '0';
  do {
    const [next, names] = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT]) as [string, readonly string[]];
    yield [...new Set(names)].map((name) => name.slice(PREFIX.length));
    cursor = next;
  } while (cursor !== '0');
}

/** Options of `SET`. */
function expiry(lifetimeMs: Lifetime): string[] {
  return lifetimeMs === undefined ? [] : ['PX', milliseconds(lifetimeMs)];
}

function milliseconds(lifetimeMs: number): string {
  return String(Math.ceil(lifetimeMs));
}
