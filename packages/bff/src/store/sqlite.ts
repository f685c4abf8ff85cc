/**
 * The default store: one SQLite file in WAL mode, which several processes may share. Reads and writes run on the event loop; the
 * writes of one turn commit in one transaction. `synchronous=FULL` syncs a commit before any connection, of any process, can read
 * it: a settled write survives a killed process and a loss of power. The price: the event loop waits for fsync.
 */

import { resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause, type Clock } from '../lib/time.ts';
import { BUSY_TIMEOUT_MS, explained, isBusy, restrictToOwner, SCHEMA, schemaVersionOf } from './sqlite-file.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

const LIVE = '(expires_at IS NULL OR expires_at > :now)';
const sql = {
  get: `SELECT value, expires_at FROM entries WHERE key = :key AND ${LIVE}`,
  page: `SELECT key, value FROM entries WHERE key >= :key AND ${LIVE} ORDER BY key LIMIT 500`,
  set: `INSERT INTO entries (key, value, expires_at) VALUES (:key, :value, :expiresAt)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
  setIfAbsent: `INSERT INTO entries (key, value, expires_at) VALUES (:key, :value, :expiresAt)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE entries.expires_at <= :now`,
  compareAndSet: `UPDATE entries SET value = :value, expires_at = :expiresAt WHERE key = :key AND value = :expected AND ${LIVE}`,
  touch: `UPDATE entries SET expires_at = :expiresAt WHERE key = :key AND ${LIVE}`,
  delete: `DELETE FROM entries WHERE key = :key AND value = coalesce(:expected, value) AND ${LIVE}`,
  sweep: 'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= :now LIMIT 100)',
} as const;

type Statements = Readonly<Record<keyof typeof sql, StatementSync>>;

/** Resolves with the number of rows that were written. */
interface Write extends PromiseWithResolvers<number> {
  readonly statement: keyof typeof sql;
  readonly parameters: Readonly<Record<string, string | number | null>>;
}

/** Of one transaction. */
const MAX_WRITES = 256;

const BUSY_RETRY_MS = 20;

const SWEEP_INTERVAL_MS = 5_000;
const SWEEP_ROWS = 100;

/** Opens or creates the file, mode 0600. Waits for a process that creates it. @throws {Error} for the operator */
export async function openSqliteStore(address: string, now: Clock): Promise<SqliteStore> {
  const path = resolve(address);
  for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return new SqliteStore(path, now);
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw explained(`The store file ${path} cannot be used`, error);
      await pause(BUSY_RETRY_MS);
    }
  }
}

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #now: Clock;
  #db!: DatabaseSync;
  #statements!: Statements;
  #waiting: Write[] = [];
  #isScheduled = false;
  #isClosed = false;
  readonly #sweeper: NodeJS.Timeout;

  constructor(path: string, now: Clock) {
    this.#path = path;
    this.#now = now;
    restrictToOwner(path);
    this.#open();
    this.#sweeper = setInterval(() => { void this.#sweep(); }, SWEEP_INTERVAL_MS).unref();
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const row = this.#read(() => this.#statements.get.get({ key, now: this.#now() }));
    return row && { value: row['value'] as string, expiresAt: row['expires_at'] as number | null ?? undefined };
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    await this.#write('set', { key, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  async setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#write('setIfAbsent', { key, value, expiresAt: this.#expiry(lifetimeMs) }) > 0;
  }

  async compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return await this.#write('compareAndSet', { key, expected, value, expiresAt: this.#expiry(lifetimeMs) }) > 0;
  }

  async touch(key: string, lifetimeMs: number): Promise<boolean> {
    return await this.#write('touch', { key, expiresAt: this.#expiry(lifetimeMs) }) > 0;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    return await this.#write('delete', { key, expected: expected ?? null }) > 0;
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    for (let from = prefix; ;) {
      const now = this.#now();
      const page = this.#read(() => this.#statements.page.all({ key: from, now })) as { key: string; value: string }[];
      for (const { key, value } of page) {
        if (!key.startsWith(prefix)) return;
        yield [key, value];
      }
      const last = page.at(-1);
      if (!last) return;
      from = `${last.key}\0`;
      await nextTurn();
    }
  }

  /** Writes an entry that has expired already. */
  async ping(): Promise<void> {
    await this.set('ping', '', 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    this.#commit();
    this.#isClosed = true;
    if (this.#db.isOpen) this.#db.close();
  }

  #open(): void {
    using opening = new DisposableStack();
    const db = opening.use(new DatabaseSync(this.#path, { timeout: 0, allowUnknownNamedParameters: true }));
    schemaVersionOf(db);
    const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { readonly journal_mode: string };
    if (mode !== 'wal') throw new Error('its file system does not support WAL: use a local disk, or a Redis');
    db.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    if (schemaVersionOf(db) === 0) db.exec(SCHEMA);
    // After a crash, recovery publishes what the log holds, synced or not.
    db.exec('COMMIT; PRAGMA wal_checkpoint(PASSIVE)');
    const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
    this.#statements = Object.fromEntries(prepared) as Statements;
    this.#db = db;
    opening.move();
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }

  /** Settles after the commit. @returns how many rows were written */
  #write(statement: Write['statement'], parameters: Write['parameters']): Promise<number> {
    const write = { statement, parameters, ...Promise.withResolvers<number>() };
    this.#waiting.push(write);
    this.#schedule();
    return write.promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => { this.#commit(); });
  }

  /** Commits one batch. While another process holds the lock, tries again until `busyUntil`. */
  #commit(busyUntil = performance.now() + BUSY_TIMEOUT_MS): void {
    this.#isScheduled = false;
    const batch = this.#waiting.splice(0, MAX_WRITES);
    if (batch.length === 0) return;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const now = this.#now();
      const rows = batch.map(({ statement, parameters }) => this.#statements[statement].run({ ...parameters, now }).changes);
      this.#db.exec('COMMIT');
      for (const [i, { resolve }] of batch.entries()) resolve(Number(rows[i]));
    } catch (error) {
      if (isBusy(error) && !this.#db.isTransaction && performance.now() < busyUntil) {
        this.#waiting.unshift(...batch);
        this.#isScheduled = true;
        setTimeout(() => { this.#commit(busyUntil); }, BUSY_RETRY_MS);
        return;
      }
      this.#rollBack();
      for (const { reject } of batch) reject(new StoreUnavailableError(error));
    }
    this.#schedule();
  }

  #rollBack(): void {
    if (this.#isClosed) return;
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // After an I/O error the connection stays in its transaction: a new one replaces it.
      try {
        if (this.#db.isOpen) this.#db.close();
        this.#open();
      } catch {}
    }
  }

  async #sweep(): Promise<void> {
    let rows: number;
    do rows = await this.#write('sweep', {}).catch(() => 0);
    while (rows === SWEEP_ROWS);
  }

  #expiry(lifetimeMs: Lifetime): number | null {
    return lifetimeMs === undefined ? null : this.#now() + lifetimeMs;
  }
}
