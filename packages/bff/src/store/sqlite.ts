/** The default store, on one SQLite file. The writes of one turn of the event loop commit in one transaction. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatementSync } from 'node:sqlite';
import type { Clock } from '../lib/time.ts';
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import type { Lifetime, Store, StoredEntry } from './store.ts';

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

const MAX_WRITES = 256;

const SWEEP_INTERVAL_MS = 5_000;
const SWEEP_ROWS = 100;

/** @param address a path, or `:memory:`, whose contents end with the process @throws {Error} for the operator */
export async function openSqliteStore(address: string, now: Clock): Promise<Store> {
  return new SqliteStore(await openSqliteFile(address), now);
}

class SqliteStore implements Store {
  readonly kind: string;
  readonly #file: SqliteFile;
  readonly #now: Clock;
  readonly #statements: Statements;
  readonly #sweeper: NodeJS.Timeout;
  #waiting: Write[] = [];
  #isScheduled = false;

  constructor(file: SqliteFile, now: Clock) {
    this.kind = file.isInMemory ? 'memory' : 'sqlite';
    this.#file = file;
    this.#now = now;
    this.#statements = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, file.db.prepare(text)])) as Statements;
    this.#sweeper = setInterval(() => { void this.#sweep(); }, SWEEP_INTERVAL_MS).unref();
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const row = this.#file.read(() => this.#statements.get.get({ key, now: this.#now() }));
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
      const page = this.#file.read(() => this.#statements.page.all({ key: from, now })) as { key: string; value: string }[];
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
    this.#file.requireIntact();
    await this.set('ping', '', 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#commit();
    this.#file[Symbol.dispose]();
  }

  /** Settles after the commit. */
  #write(statement: Write['statement'], parameters: Write['parameters']): Promise<number> {
    const write = { statement, parameters, ...Promise.withResolvers<number>() };
    this.#waiting.push(write);
    this.#schedule();
    return write.promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => { void this.#commit(); });
  }

  /** Commits one batch. The next one waits for it: the writes of a process keep their order. */
  async #commit(): Promise<void> {
    this.#isScheduled = true;
    const batch = this.#waiting.splice(0, MAX_WRITES);
    try {
      const rows = batch.length === 0 ? [] : await this.#file.write(() => {
        const now = this.#now();
        return batch.map(({ statement, parameters }) => this.#statements[statement].run({ ...parameters, now }).changes);
      });
      for (const [i, { resolve }] of batch.entries()) resolve(Number(rows[i]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#isScheduled = false;
    this.#schedule();
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
