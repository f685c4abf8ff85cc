/** The default store: one SQLite file in WAL mode through `node:sqlite`. Statements are synchronous and take
 *  microseconds; what waits for the disk does so beside the event loop. A settled write survives a killed process and a
 *  loss of power, and nothing is told that might not. Several processes may share the file. */

import { closeSync, fdatasync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { withDeadline } from '../lib/with-deadline.ts';
import type { Clock } from '../lib/clock.ts';
import { Checkpointer } from './checkpointer.ts';
import { GroupCommit } from './group-commit.ts';
import { GroupRead } from './group-read.ts';
import { isBusy, openSqliteFile } from './sqlite-file.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

export interface SqliteStoreOptions {
  readonly now?: Clock;
  readonly sweepIntervalMs?: number;
  /** Makes what was written to a descriptor outlast a loss of power. */
  readonly syncFile?: (descriptor: number) => Promise<void>;
}

/** Rows that one transaction of a sweep deletes at most, so that a million expired sessions do not stall a request. */
const SWEEP_BATCH = 200;

/** Between two such transactions: requests have the larger part of the time. */
const SWEEP_PAUSE_MS = 20;

/** Rows that `entries` reads at a time. */
const PAGE_ROWS = 500;

const PING_TIMEOUT_MS = 750;

export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #now: Clock;
  readonly #sweepIntervalMs: number;
  readonly #db: DatabaseSync;
  readonly #walDescriptor: number;
  readonly #statements: Record<keyof typeof sql, StatementSync>;
  readonly #checkpointer: Checkpointer;
  readonly #commits: GroupCommit;
  readonly #reads: GroupRead<StoredEntry | undefined>;
  #sweeper: NodeJS.Timeout;
  #closed: Promise<void> | undefined;

  /** Opens or creates the file (mode 0600). Throws, in words for the operator, where it cannot be used. */
  constructor(path: string, options: SqliteStoreOptions = {}) {
    const { now = Date.now, sweepIntervalMs = 5_000, syncFile = promisify(fdatasync) } = options;
    const file = openSqliteFile(path);
    this.#now = now;
    this.#sweepIntervalMs = sweepIntervalMs;
    this.#db = file.db;
    this.#walDescriptor = file.walDescriptor;
    this.#statements = Object.fromEntries(
      Object.entries(sql).map(([name, text]) => [name, this.#db.prepare(text)]),
    ) as Record<keyof typeof sql, StatementSync>;
    this.#statements.get.setReturnArrays(true);
    this.#checkpointer = new Checkpointer(file.path);
    this.#commits = new GroupCommit({
      transact: (steps) => { this.#transact(steps); },
      sync: () => syncFile(this.#walDescriptor),
      isBusy,
    });
    this.#reads = new GroupRead((keys) => this.#lookUp(keys), (keys) => this.#commits.unsynced(keys));
    this.#sweeper = this.#sweepIn(sweepIntervalMs);
  }

  get(key: string): Promise<StoredEntry | undefined> {
    return this.#reads.findOne(key);
  }

  getMany(keys: readonly string[]): Promise<readonly (StoredEntry | undefined)[]> {
    return this.#reads.find(keys);
  }

  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    return this.#commits.write(key, () => { this.#statements.set.run(key, value, this.#expiry(lifetimeMs)); });
  }

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#commits.write(key, () => (
      this.#statements.setIfAbsent.run(key, value, this.#expiry(lifetimeMs), this.#now()).changes === 1
    ));
  }

  replace(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#commits.write(key, () => (
      this.#statements.replace.run(value, this.#expiry(lifetimeMs), key, this.#now()).changes === 1
    ));
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    return this.#commits.write(key, () => {
      const now = this.#now();
      const done = lifetimeMs === 'keep'
        ? this.#statements.compareAndKeep.run(value, key, expected, now)
        : this.#statements.compareAndSet.run(value, this.#expiry(lifetimeMs), key, expected, now);
      return done.changes === 1;
    });
  }

  /** Expendable: a loss of power may undo a longer lifetime, never an entry. */
  touch(key: string, lifetimeMs: number): Promise<boolean> {
    return this.#commits.write(
      key,
      () => this.#statements.touch.run(this.#expiry(lifetimeMs), key, this.#now()).changes === 1,
      { expendable: true },
    );
  }

  take(key: string): Promise<string | undefined> {
    return this.#commits.write(key, () => {
      const row = this.#statements.take.get(key);
      const isAlive = row && (row['expires_at'] === null || (row['expires_at'] as number) > this.#now());
      return isAlive ? row['value'] as string : undefined;
    });
  }

  async delete(key: string): Promise<boolean> {
    return await this.take(key) !== undefined;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    let from = prefix;
    for (let page = this.#page(from); page.length > 0; page = this.#page(from)) {
      await this.#commits.unsynced();
      for (const { key, value } of page) {
        if (!key.startsWith(prefix)) return;
        yield [key, value];
        from = `${key}\0`;
      }
    }
  }

  async ping(): Promise<void> {
    const ping = () => this.#commits.write(PING_KEY, () => this.#statements.set.run(PING_KEY, '', this.#now()));
    await withDeadline(PING_TIMEOUT_MS, ping, () => new StoreUnavailableError(new Error('The disk did not answer in time.')));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#sweeper);
    await this.#commits.drain();
    await this.#checkpointer[Symbol.asyncDispose]();
    closeSync(this.#walDescriptor);
    this.#db.close();
  }

  /** In the order of the keys' bytes. */
  #page(from: string): readonly { readonly key: string; readonly value: string }[] {
    try {
      return this.#statements.page.all(from, this.#now(), PAGE_ROWS) as unknown as { key: string; value: string }[];
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }

  /** One statement is a transaction by itself. */
  #lookUp(keys: readonly string[]): readonly (StoredEntry | undefined)[] {
    const now = this.#now();
    if (keys.length === 1) return [this.#entry(keys[0] as string, now)];
    const { begin, commit } = this.#statements;
    begin.run();
    try {
      return keys.map((key) => this.#entry(key, now));
    } finally {
      commit.run();
    }
  }

  #entry(key: string, now: number): StoredEntry | undefined {
    const row = this.#statements.get.get(key) as LookupRow | undefined;
    if (!row) return undefined;
    const [value, expiresAt] = row;
    return expiresAt === null || expiresAt > now ? { value, expiresAt: expiresAt ?? undefined } : undefined;
  }

  #transact(steps: readonly (() => void)[]): void {
    this.#statements.beginWrite.run();
    try {
      for (const step of steps) step();
      this.#statements.commit.run();
    } catch (error) {
      if (this.#db.isTransaction) this.#statements.rollback.run();
      throw error;
    }
    this.#checkpointer.wrote(steps.length);
  }

  #expiry(lifetimeMs: Lifetime): number | null {
    return lifetimeMs === undefined ? null : this.#now() + lifetimeMs;
  }

  #sweepIn(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#sweep().then((delayMs) => { if (this.#db.isOpen) this.#sweeper = this.#sweepIn(delayMs); }, () => undefined);
    }, delayMs).unref();
  }

  /** Deletes a batch of what is expired. @returns when to go on */
  async #sweep(): Promise<number> {
    const sweep = () => Number(this.#statements.sweep.run(this.#now(), SWEEP_BATCH).changes);
    const swept = await this.#commits.write('', sweep, { expendable: true }).catch(() => 0);
    return swept === SWEEP_BATCH ? SWEEP_PAUSE_MS : this.#sweepIntervalMs;
  }
}

type LookupRow = readonly [value: string, expiresAt: number | null];

/** Where `ping` writes, dead at birth. */
const PING_KEY = 'ping';

const sql = {
  begin: 'BEGIN',
  beginWrite: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  get: 'SELECT value, expires_at FROM entries WHERE key = ?',
  set: `INSERT INTO entries (key, value, expires_at) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
  setIfAbsent: `INSERT INTO entries (key, value, expires_at) VALUES (?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
        WHERE entries.expires_at <= ?`,
  replace: 'UPDATE entries SET value = ?, expires_at = ? WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
  compareAndSet: 'UPDATE entries SET value = ?, expires_at = ? WHERE key = ? AND value = ? AND (expires_at IS NULL OR expires_at > ?)',
  compareAndKeep: 'UPDATE entries SET value = ? WHERE key = ? AND value = ? AND (expires_at IS NULL OR expires_at > ?)',
  touch: 'UPDATE entries SET expires_at = ? WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
  take: 'DELETE FROM entries WHERE key = ? RETURNING value, expires_at',
  page: 'SELECT key, value FROM entries WHERE key >= ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ?',
  sweep: 'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= ? LIMIT ?)',
} as const;
