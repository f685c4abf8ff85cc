/**
 * The store of a fleet: one Redis (7.0 or newer), a master with Sentinels, or a cluster. Each operation is one command or
 * script on one key, so it is atomic and stays within one slot. The server's clock counts lifetimes. Durability is the
 * server's: an append-only file keeps settled writes over restarts, `replicated` keeps them when a replica takes over.
 */

import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { checkServer, reasonOf, type WaitReplicas } from './redis-checks.ts';
import { connectRedis } from './connect-redis.ts';
import type { RedisConnection, RedisMaster, RedisReply } from './redis-connection.ts';
import { parseRedisAddress } from './redis-address.ts';
import { ReplicatedWrites } from './replicated-writes.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** Receives what an operator should know; no line contains credentials. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Separates our keys from others in the same database. */
const PREFIX = 'vestibule:';

/** The first connection reports for both. */
const SILENT = { onDisconnected: () => undefined, onReconnected: () => undefined };

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

/** ARGV: the expected value. */
const COMPARE_AND_DELETE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/** @param waitReplicas that acknowledge a write to `replicated` @throws {Error} for the operator, without credentials */
export async function openRedisStore(address: string, log: StoreLog, waitReplicas: WaitReplicas = 'auto'): Promise<RedisStore> {
  const parsed = parseRedisAddress(address);
  try {
    await using resources = new AsyncDisposableStack();
    const connection = await connectRedis(parsed, {
      onDisconnected: (node) => { log.warn(`Lost the connection to the Redis server ${node}.`); },
      onReconnected: (node) => { log.info(`Reconnected to the Redis server ${node}.`); },
    });
    resources.use(connection);
    for (const master of await connection.masters()) {
      for (const warning of await checkServer(master, parsed.kind, waitReplicas)) log.warn(warning);
    }
    await new RedisStore(connection).ping().catch((error: unknown) => {
      const { cause } = error as StoreUnavailableError;
      if (!(cause instanceof ErrorReply && cause.message.startsWith('LOADING'))) throw error;
      log.warn('The Redis server is still loading its data.');
    });
    const writes = waitReplicas === 0 ? undefined : new ReplicatedWrites(await connectRedis(parsed, SILENT), waitReplicas);
    resources.move();
    return new RedisStore(connection, writes);
  } catch (error) {
    throw new Error(`The Redis server ${reasonOf(error instanceof StoreUnavailableError ? error.cause : error)}.`, { cause: error });
  }
}

type Sender = Pick<RedisConnection, 'send'>;

export class RedisStore implements Store {
  readonly kind = 'redis';
  /** For the rate limits, which a fleet shares as well. */
  readonly connection: RedisConnection;
  readonly replicated: Store | undefined;
  readonly #writer: Sender;
  readonly #writes: ReplicatedWrites | undefined;

  constructor(connection: RedisConnection, writes?: ReplicatedWrites, writer: Sender = connection) {
    this.connection = connection;
    this.replicated = writes && new RedisStore(connection, undefined, writes);
    this.#writer = writer;
    this.#writes = writes;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const found = await this.#evaluate(this.connection, GET, key);
    const [value, remainingMs] = found as readonly [value: string | null, remainingMs: number];
    return value === null ? undefined : { value, expiresAt: remainingMs < 0 ? undefined : Date.now() + remainingMs };
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await this.#write(key, 'SET', value, ...expiry(lifetimeMs));
  }

  async setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#write(key, 'SET', value, 'NX', ...expiry(lifetimeMs)) === 'OK';
  }

  async compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    const options = lifetimeMs === 'keep' ? ['KEEPTTL'] : expiry(lifetimeMs);
    return await this.#evaluate(this.#writer, COMPARE_AND_SET, key, expected, value, ...options) === 1;
  }

  async touch(key: string, lifetimeMs: number): Promise<boolean> {
    const name = PREFIX + key;
    return await send(this.connection, name, ['PEXPIRE', name, milliseconds(lifetimeMs)]) === 1;
  }

  async take(key: string): Promise<string | undefined> {
    return await this.#write(key, 'GETDEL') as string | null ?? undefined;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    if (expected === undefined) return await this.#write(key, 'DEL') === 1;
    return await this.#evaluate(this.#writer, COMPARE_AND_DELETE, key, expected) === 1;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    try {
      for (const master of await this.connection.masters()) {
        for await (const keys of scan(master, prefix)) {
          const entries = await Promise.all(keys.map((key) => this.get(key)));
          for (const [i, key] of keys.entries()) {
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
    await send(this.connection, name, ['SET', name, '', 'XX'], PING_TIMEOUT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writes?.[Symbol.asyncDispose]();
    await this.connection[Symbol.asyncDispose]();
  }

  #write(key: string, command: string, ...args: string[]): Promise<RedisReply> {
    const name = PREFIX + key;
    return send(this.#writer, name, [command, name, ...args]);
  }

  #evaluate(sender: Sender, script: string, key: string, ...args: string[]): Promise<RedisReply> {
    const name = PREFIX + key;
    return send(sender, name, ['EVAL', script, '1', name, ...args]);
  }
}

async function send(sender: Sender, name: string, command: string[], timeoutMs?: number): Promise<RedisReply> {
  try {
    return await sender.send(name, command, timeoutMs);
  } catch (error) {
    throw unavailable(error);
  }
}

/** An error reply, or a client without a connection, means that the command was not carried out. */
function unavailable(cause: unknown): StoreUnavailableError {
  const wasRefused = [ErrorReply, ClientOfflineError, ClientClosedError].some((refusal) => cause instanceof refusal);
  return new StoreUnavailableError(cause, { mayHaveApplied: !wasRefused });
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
