/** The default store: one SQLite file in WAL mode, which several processes of a machine may share. The writes of one turn of the
 *  event loop commit in one transaction, which is synced before any connection can read it (`synchronous=FULL`): the event loop
 *  waits. */

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../lib/time.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** `PRAGMA application_id`: tells the file from those of other applications. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

/** SQL that leads from each `PRAGMA user_version` to the next, from 0, an empty file. With a rowid: keys are hashes, so WITHOUT
 *  ROWID would write each row to a random page. */
const MIGRATIONS = [`CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
  CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL`];

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const BUSY_RETRY_MS = 20;

/** How long a write waits while another process holds the lock. */
const BUSY_TIMEOUT_MS = 5_000;

/** The log keeps this size at most, in bytes; a long read, such as a backup, lets it grow for a while. */
const WAL_BYTES = 8 * 1024 * 1024;

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

/** Opens or creates the file, mode 0600, and migrates it. Waits for a process that creates it.
 *  @param address a path, or `:memory:`, whose contents end with the process @throws {Error} for the operator */
export async function openSqliteStore(address: string, now: Clock): Promise<Store> {
  const path = address === ':memory:' ? address : resolve(address);
  for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return new SqliteStore(path, openDatabase(path), now);
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
  readonly #db: DatabaseSync;
  readonly #now: Clock;
  /** The files that are open, with their inodes: a path may lead to another file by now. None in memory. */
  readonly #files: readonly (readonly [path: string, inode: number | undefined])[];
  readonly #statements: Statements;
  readonly #sweeper: NodeJS.Timeout;
  #waiting: Write[] = [];
  #isScheduled = false;
  /** A page could not be read. Others may be intact: some writes still succeed. */
  #malformed: StoreUnavailableError | undefined;

  constructor(path: string, db: DatabaseSync, now: Clock) {
    this.kind = path === ':memory:' ? 'memory' : 'sqlite';
    this.#db = db;
    this.#now = now;
    this.#files = path === ':memory:' ? [] : [path, `${path}-wal`, `${path}-shm`].map((file) => [file, inodeOf(file)] as const);
    this.#statements = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, db.prepare(text)])) as Statements;
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
    if (this.#malformed) throw this.#malformed;
    await this.set('ping', '', 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#commit();
    if (this.#db.isOpen) this.#db.close();
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
      const rows = batch.length === 0 ? [] : await this.#transact(() => {
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

  /** @throws {StoreUnavailableError} */
  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** Carries out `work` in one transaction, at once unless another process holds the lock: then tries again for five seconds.
   *  @throws {StoreUnavailableError} nothing was written, or the disk failed at the commit */
  async #transact<T>(work: () => T): Promise<T> {
    for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
      try {
        this.#requireFiles();
        this.#db.exec('BEGIN IMMEDIATE');
        const result = work();
        this.#db.exec('COMMIT');
        return result;
      } catch (error) {
        if (!isBusy(error) || this.#db.isTransaction || performance.now() >= endsAt) {
          const failure = this.#unavailable(error);
          if (this.#db.isOpen && this.#db.isTransaction) this.#rollBack();
          throw failure;
        }
      }
      await pause(BUSY_RETRY_MS);
    }
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

  /** After an I/O error it may fail: then the next transaction fails, and tries it again. */
  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {}
  }

  #expiry(lifetimeMs: Lifetime): number | null {
    return lifetimeMs === undefined ? null : this.#now() + lifetimeMs;
  }
}

function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') restrictToOwner(path);
  using opening = new DisposableStack();
  const db = opening.use(new DatabaseSync(path, { timeout: 0, allowUnknownNamedParameters: true }));
  schemaVersionOf(db);
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { readonly journal_mode: string };
  if (mode === 'delete') throw new Error('its file system does not support WAL: use a local disk, or a Redis');
  db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${WAL_BYTES}; BEGIN IMMEDIATE`);
  for (let version = schemaVersionOf(db); version < MIGRATIONS.length; version += 1) {
    db.exec(`${MIGRATIONS[version] ?? ''}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
  }
  // After a crash, recovery publishes what the log holds, synced or not.
  db.exec('COMMIT; PRAGMA wal_checkpoint(PASSIVE)');
  // Reads the whole file: 0.8 s for 1 GB in the page cache, 11 s from the disk. A damaged copy gets no writes.
  const { quick_check: check } = db.prepare('PRAGMA quick_check(1)').get() as { readonly quick_check: string };
  if (check !== 'ok') throw new Error('it is malformed: restore a backup');
  opening.move();
  return db;
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
  if (version > MIGRATIONS.length) {
    const versions = `schema version ${version} and this release supports ${MIGRATIONS.length}`;
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
