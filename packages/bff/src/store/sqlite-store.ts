/**
 * The default store: one SQLite file, which several processes may share. Reads run on the event loop (microseconds, no locks);
 * writes run in a thread (`sqlite-writer.ts`). A settled write survives a killed process and a loss of power, and no read, in
 * any process, returns an entry that might not (`sqlite-file.ts`).
 */

import { resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { withDeadline, type Clock } from '../lib/time.ts';
import type { Write } from './sqlite-batches.ts';
import { openForReading, prepareFile } from './sqlite-file.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

export interface SqliteStoreOptions {
  readonly now?: Clock;
  readonly sweepIntervalMs?: number;
  /** How long writes wait for another process that writes. Default: one second. */
  readonly busyTimeoutMs?: number;
  /** When writes are reported as failed because the disk does not answer. Default: five seconds. */
  readonly writeTimeoutMs?: number;
}

/** Rows that one transaction of a sweep deletes: a million expired sessions do not hold up other writes. */
const SWEEP_ROWS = 200;

/** Between two such transactions, in ms. */
const SWEEP_PAUSE_MS = 20;

/** Rows that `entries` reads between two turns of the event loop. */
const PAGE_ROWS = 500;

const PING_TIMEOUT_MS = 750;

/** Opens or creates the file (mode 0600). @throws {Error} for the operator */
export async function openSqliteStore(address: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const { now = Date.now, sweepIntervalMs = 5_000, busyTimeoutMs = 1_000, writeTimeoutMs = 5_000 } = options;
  const path = resolve(address);
  prepareFile(path);
  const writer = await SqliteWriter.open({ path, busyTimeoutMs, writeTimeoutMs, now });
  try {
    return new SqliteStore(openForReading(path), writer, now, sweepIntervalMs);
  } catch (error) {
    await writer[Symbol.asyncDispose]();
    throw error;
  }
}

export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #reader: DatabaseSync;
  readonly #getEntry: StatementSync;
  readonly #getPage: StatementSync;
  readonly #writer: SqliteWriter;
  readonly #now: Clock;
  readonly #sweepIntervalMs: number;
  #sweeper: NodeJS.Timeout;

  constructor(reader: DatabaseSync, writer: SqliteWriter, now: Clock, sweepIntervalMs: number) {
    this.#reader = reader;
    this.#getEntry = reader.prepare('SELECT value, expires_at FROM entries WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)');
    this.#getPage = reader.prepare(
      'SELECT key, value FROM entries WHERE key >= ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?',
    );
    this.#writer = writer;
    this.#now = now;
    this.#sweepIntervalMs = sweepIntervalMs;
    this.#sweeper = this.#sweepAfter(sweepIntervalMs);
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const row = this.#read(() => this.#getEntry.get(key, this.#now()));
    return row && { value: row['value'] as string, expiresAt: row['expires_at'] as number | null ?? undefined };
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await this.#write({ statement: 'set', key, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#write({ statement: 'setIfAbsent', key, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    if (lifetimeMs === 'keep') return this.#write({ statement: 'compareAndKeep', key, expected, value });
    return this.#write({ statement: 'compareAndSet', key, expected, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  touch(key: string, lifetimeMs: number): Promise<boolean> {
    return this.#write({ statement: 'touch', key, expiresAt: this.#expiry(lifetimeMs) });
  }

  async take(key: string): Promise<string | undefined> {
    return (await this.#writer.write({ statement: 'take', key })).value;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    if (expected !== undefined) return this.#write({ statement: 'compareAndDelete', key, expected });
    return await this.take(key) !== undefined;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    for (let from = prefix; ;) {
      const page = this.#read(() => this.#getPage.all(from, this.#now(), PAGE_ROWS)) as { key: string; value: string }[];
      for (const { key, value } of page) {
        if (!key.startsWith(prefix)) return;
        yield [key, value];
      }
      const last = page.at(-1);
      if (!last) return;
      from = `${last.key}\0`;
      await setImmediate();
    }
  }

  /** Writes an entry that has expired already. */
  async ping(): Promise<void> {
    const ping = () => this.set('ping', '', 0);
    await withDeadline(PING_TIMEOUT_MS, ping, () => new StoreUnavailableError(new Error('The disk did not answer in time.')));
  }

  /** Settles within seconds, even if the disk hangs. The writer closes last: it folds the log into the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#sweeper);
    if (this.#reader.isOpen) this.#reader.close();
    await this.#writer[Symbol.asyncDispose]();
  }

  async #write(write: Write): Promise<boolean> {
    const { changes = 0 } = await this.#writer.write(write);
    return changes > 0;
  }

  #sweepAfter(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => { void this.#sweep(); }, delayMs).unref();
  }

  async #sweep(): Promise<void> {
    const outcome = await this.#writer.write({ statement: 'sweep', limit: SWEEP_ROWS }).catch(() => undefined);
    const hasBacklog = outcome?.changes === SWEEP_ROWS;
    if (this.#reader.isOpen) this.#sweeper = this.#sweepAfter(hasBacklog ? SWEEP_PAUSE_MS : this.#sweepIntervalMs);
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }

  #expiry(lifetimeMs: Lifetime): number | null {
    return lifetimeMs === undefined ? null : this.#now() + lifetimeMs;
  }
}
