/** The default store: one SQLite file in WAL mode, which several processes may share. The writes of one turn of the event loop
 *  commit in one transaction, and are synced before any connection can read them (`synchronous=FULL`): the event loop waits. */

import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../lib/time.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** `PRAGMA application_id` of our files. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

/** `PRAGMA user_version`. */
const SCHEMA_VERSION = 1;

/** With a rowid: keys are hashes, so WITHOUT ROWID would write each row to a random page. */
const SCHEMA = `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
  CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`;

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

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const BUSY_RETRY_MS = 20;

/** How long writes wait while another process holds the lock. */
const BUSY_TIMEOUT_MS = 5_000;

/** The log keeps this size at most, in bytes; a long read, such as a backup, lets it grow for a while. */
const WAL_BYTES = 8 * 1024 * 1024;

const SWEEP_INTERVAL_MS = 5_000;
const SWEEP_ROWS = 100;

/** Opens or creates the file, mode 0600. Waits for a process that creates it.
 *  @param address a path, or `:memory:`, whose contents end with the process @throws {Error} for the operator */
export async function openSqliteStore(address: string, now: Clock): Promise<Store> {
  const path = address === ':memory:' ? address : resolve(address);
  for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return new SqliteStore(path, now);
    } catch (error) {
      if (!isBusy(error)) {
        const failure = explained(`The store file ${path} cannot be used`, error);
        throw isPassing(error) ? new StoreUnavailableError(error, failure.message.replace(/\.$/, '')) : failure;
      }
      if (performance.now() > endsAt) throw unavailable(error);
      await pause(BUSY_RETRY_MS);
    }
  }
}

class SqliteStore implements Store {
  readonly kind: string;
  /** The files that are open, with their inodes: a path may lead to another file by now. None in memory. */
  readonly #files: readonly (readonly [path: string, inode: number | undefined])[];
  readonly #now: Clock;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #sweeper: NodeJS.Timeout;
  #waiting: Write[] = [];
  #isScheduled = false;
  /** A page could not be read. Others may be intact: some writes still succeed. */
  #malformed: StoreUnavailableError | undefined;

  constructor(path: string, now: Clock) {
    this.kind = path === ':memory:' ? 'memory' : 'sqlite';
    this.#now = now;
    if (this.kind === 'sqlite') restrictToOwner(path);
    using opening = new DisposableStack();
    const db = opening.use(new DatabaseSync(path, { timeout: 0, allowUnknownNamedParameters: true }));
    schemaVersionOf(db);
    const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { readonly journal_mode: string };
    if (mode === 'delete') throw new Error('its file system does not support WAL: use a local disk, or a Redis');
    db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${WAL_BYTES}; BEGIN IMMEDIATE`);
    if (schemaVersionOf(db) === 0) db.exec(SCHEMA);
    // After a crash, recovery publishes what the log holds, synced or not.
    db.exec('COMMIT; PRAGMA wal_checkpoint(PASSIVE)');
    // Reads the whole file: 0.8 s for 1 GB in the page cache, 11 s from the disk. A damaged copy gets no writes.
    const { quick_check: check } = db.prepare('PRAGMA quick_check(1)').get() as { readonly quick_check: string };
    if (check !== 'ok') throw new Error('it is malformed: restore a backup');
    const files = this.kind === 'memory' ? [] : [path, `${path}-wal`, `${path}-shm`];
    this.#files = files.map((file) => [file, inodeOf(file)] as const);
    this.#statements = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, db.prepare(text)])) as Statements;
    this.#db = db;
    this.#sweeper = setInterval(() => { void this.#sweep(); }, SWEEP_INTERVAL_MS).unref();
    opening.move();
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
    if (this.#malformed) throw this.#malformed;
    await this.set('ping', '', 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    this.#commit();
    if (this.#db.isOpen) this.#db.close();
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw this.#unavailable(error);
    }
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
    setImmediate(() => { this.#commit(); });
  }

  /** Commits one batch. While another process holds the lock, tries again until `busyUntil`. */
  #commit(busyUntil = performance.now() + BUSY_TIMEOUT_MS): void {
    this.#isScheduled = false;
    const batch = this.#waiting.splice(0, MAX_WRITES);
    if (batch.length === 0) return;
    try {
      this.#requireFiles();
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
      const failure = this.#unavailable(error);
      for (const { reject } of batch) reject(failure);
      if (this.#db.isOpen && this.#db.isTransaction) this.#rollBack();
    }
    this.#schedule();
  }

  /** A file or a log that was deleted or replaced would take writes until the process ends, and then lose them. It is not opened
   *  anew: the log of the other one may still be there, and SQLite would apply it. */
  #requireFiles(): void {
    const changed = this.#files.find(([path, inode]) => inodeOf(path) !== inode);
    if (changed) throw new StoreUnavailableError(undefined, `the store file ${changed[0]} was deleted or replaced: restart every process`);
  }

  #unavailable(error: unknown): StoreUnavailableError {
    const failure = unavailable(error);
    if (isMalformed(error)) this.#malformed ??= failure;
    return failure;
  }

  /** After an I/O error it may fail: then the next batch fails, and tries it again. */
  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {}
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

/**
 * Writes a consistent copy of a store file, also while processes use it. Blocks until the copy is on the disk.
 * @throws {Error} for the operator; `target` is then untouched
 */
export function backUpSqliteFile(source: string, target: string): void {
  const to = resolve(target);
  const partial = `${to}.partial-${process.pid}`;
  try {
    if (existsSync(to)) throw new Error('it exists already');
    restrictToOwner(partial);
    using db = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    schemaVersionOf(db);
    db.prepare('VACUUM INTO ?').run(partial);
    renameSync(partial, to);
  } catch (error) {
    throw explained(`The backup ${to} cannot be written`, error);
  } finally {
    for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true });
  }
}

/** Creates the file if it is missing. SQLite gives its log and its index the same mode. */
function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).uid === process.geteuid?.()) chmodSync(path, 0o600);
}

/** @returns 0 for a new file @throws {Error} if the file is newer than this release or belongs to another application */
function schemaVersionOf(db: DatabaseSync): number {
  const header = db.prepare(`SELECT user_version AS version, application_id AS application,
    (SELECT count(*) FROM sqlite_schema) AS size FROM pragma_user_version, pragma_application_id`);
  const { version, application, size } = header.get() as Record<'version' | 'application' | 'size', number>;
  if (application !== APPLICATION_ID && size !== 0) throw new Error('it belongs to another application');
  if (version > SCHEMA_VERSION) {
    const versions = `schema version ${version} and this release supports ${SCHEMA_VERSION}`;
    throw new Error(`it has ${versions}: use a newer release, or restore the backup from before the upgrade`);
  }
  return version;
}

/** `undefined`: there is no such file. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** With SQLite's own words for the result code, such as `database or disk is full`. */
function unavailable(error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  const { errstr } = error as { readonly errstr?: string };
  return new StoreUnavailableError(error, errstr === undefined ? undefined : `SQLite: ${errstr}`);
}

function explained(failure: string, cause: unknown): Error {
  const { message } = cause as Error;
  // As network file systems and mounts of other systems cause them.
  const isUnfit = /disk I\/O error|locking protocol/.test(message);
  return new Error(`${failure}: ${message}${isUnfit ? '; on a network file system, use a local disk, or a Redis' : ''}.`, { cause });
}

/** Whether another process holds the lock. */
function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === SQLITE_BUSY;
}

/** Whether a failure at the start may pass by itself: the disk is full, or it failed. */
function isPassing(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return [SQLITE_IOERR, SQLITE_FULL].includes(resultCodeOf(error)) || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code);
}

function isMalformed(error: unknown): boolean {
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(resultCodeOf(error));
}

/** The primary result code: the low byte of an extended one. */
function resultCodeOf(error: unknown): number {
  return (error as { readonly errcode: number }).errcode & 0xff;
}
