/**
 * The default store: one SQLite file in WAL mode, which several processes may share. Reads and writes run on the event loop; the
 * writes of one turn commit in one transaction. `synchronous=FULL` syncs a commit before any connection, of any process, can read
 * it: a settled write survives a killed process and a loss of power. The price: the event loop waits for fsync.
 */

import { accessSync, chmodSync, closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../lib/time.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

/** `PRAGMA application_id` of our files. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

/** `PRAGMA user_version`. With a rowid: keys are hashes, so WITHOUT ROWID would write each row to a random page. */
const SCHEMA_VERSION = 1;
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
  delete: `DELETE FROM entries WHERE key = :key AND ${LIVE}`,
  compareAndDelete: `DELETE FROM entries WHERE key = :key AND value = :expected AND ${LIVE}`,
  sweep: 'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= :now LIMIT 100)',
} as const;

type Statements = Readonly<Record<keyof typeof sql, StatementSync>>;

interface Write {
  readonly statement: keyof typeof sql;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  readonly resolve: (changes: number) => void;
  readonly reject: (error: StoreUnavailableError) => void;
}

/** Of one transaction. */
const MAX_BATCH_WRITES = 256;
const MAX_BATCH_CHARACTERS = 1024 * 1024;

/** How long writes wait while another process holds the lock. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 20;
const SQLITE_BUSY = 5;

const SWEEP_INTERVAL_MS = 5_000;
const SWEEP_ROWS = 100;

/** Size of the log at which a commit folds it into the file: 4 MiB. */
const CHECKPOINT_PAGES = 1_024;

export interface SqliteOptions {
  readonly now?: Clock;
  readonly log?: { warn(message: string): void };
}

/** Opens or creates the file (mode 0600). @throws {Error} for the operator */
export async function openSqliteStore(address: string, { now = Date.now, log }: SqliteOptions = {}): Promise<SqliteStore> {
  const path = resolve(address);
  const endsAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return new SqliteStore(path, now, log);
    } catch (error) {
      // Another process creates the file.
      if (primaryCodeOf(error) !== SQLITE_BUSY || performance.now() > endsAt) throw explained(path, error);
      await new Promise((resume) => { setTimeout(resume, BUSY_RETRY_MS); });
    }
  }
}

export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #path: string;
  readonly #now: Clock;
  #db!: DatabaseSync;
  #statements!: Statements;
  #waiting: Write[] = [];
  #isScheduled = false;
  readonly #sweeper: NodeJS.Timeout;

  constructor(path: string, now: Clock, log: SqliteOptions['log']) {
    this.#path = path;
    this.#now = now;
    prepareFile(path, log);
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

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#write('setIfAbsent', { key, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#write('compareAndSet', { key, expected, value, expiresAt: this.#expiry(lifetimeMs) });
  }

  touch(key: string, lifetimeMs: number): Promise<boolean> {
    return this.#write('touch', { key, expiresAt: this.#expiry(lifetimeMs) });
  }

  delete(key: string, expected?: string): Promise<boolean> {
    return expected === undefined ? this.#write('delete', { key }) : this.#write('compareAndDelete', { key, expected });
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    for (let from = prefix; ;) {
      const page = this.#read(
        () => this.#statements.page.all({ key: from, now: this.#now() }),
      ) as { key: string; value: string }[];
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
    if (this.#db.isOpen) this.#db.close();
  }

  #open(): void {
    const db = new DatabaseSync(this.#path, { timeout: 0, allowUnknownNamedParameters: true });
    try {
      assertKnownSchema(db);
      const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { readonly journal_mode: string };
      if (mode !== 'wal') throw new Error('its file system does not support WAL: use a local disk, or a Redis');
      db.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${CHECKPOINT_PAGES * 4096}`);
      if (readPragma(db, 'user_version') < SCHEMA_VERSION) {
        db.exec('BEGIN IMMEDIATE');
        if (readPragma(db, 'user_version') < SCHEMA_VERSION) db.exec(SCHEMA);
        db.exec('COMMIT');
      }
      // After a crash, recovery publishes what the log holds, synced or not.
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      syncDirectory(this.#path);
      this.#statements = Object.fromEntries(
        Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]),
      ) as unknown as Statements;
      this.#db = db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
  }

  /** Settles after the commit. @returns whether a row was written */
  async #write(statement: Write['statement'], parameters: Write['parameters']): Promise<boolean> {
    return await new Promise<number>((resolve, reject) => {
      this.#waiting.push({ statement, parameters, resolve, reject });
      this.#schedule();
    }) > 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commit();
    });
  }

  #commit(busyUntil = performance.now() + BUSY_TIMEOUT_MS): void {
    const batch: Write[] = [];
    for (let characters = 0; batch.length < MAX_BATCH_WRITES && characters < MAX_BATCH_CHARACTERS && this.#waiting.length > 0;) {
      const write = this.#waiting.shift() as Write;
      characters += String(write.parameters['value'] ?? '').length;
      batch.push(write);
    }
    if (batch.length === 0) return;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (primaryCodeOf(error) !== SQLITE_BUSY || performance.now() > busyUntil) return this.#fail(batch, error);
      this.#waiting.unshift(...batch);
      this.#isScheduled = true;
      setTimeout(() => {
        this.#isScheduled = false;
        this.#commit(busyUntil);
      }, BUSY_RETRY_MS);
      return;
    }
    try {
      const now = this.#now();
      const changes = batch.map(
        ({ statement, parameters }) => Number(this.#statements[statement].run({ ...parameters, now }).changes),
      );
      this.#db.exec('COMMIT');
      for (const [i, { resolve }] of batch.entries()) resolve(changes[i] as number);
    } catch (error) {
      this.#rollBack();
      this.#fail(batch, error);
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  #fail(batch: readonly Write[], cause: unknown): void {
    for (const { reject } of batch) reject(new StoreUnavailableError(cause));
    if (this.#waiting.length > 0) this.#schedule();
  }

  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // After an I/O error the connection stays in its transaction: a new one replaces it.
      try {
        this.#db.close();
        this.#open();
      } catch {}
    }
  }

  async #sweep(): Promise<void> {
    for (let rows = SWEEP_ROWS; rows === SWEEP_ROWS;) {
      rows = await new Promise<number>((resolve, reject) => {
        this.#waiting.push({ statement: 'sweep', parameters: {}, resolve, reject });
        this.#schedule();
      }).catch(() => 0);
    }
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
  const [from, to] = [resolve(source), resolve(target)];
  const refused = (reason: string, cause?: unknown) => new Error(`The backup ${to} cannot be written: ${reason}.`, { cause });
  if (existsSync(to)) throw refused('it exists already');
  const partial = `${to}.partial-${process.pid}`;
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw refused(reasonOf(error), error);
  }
  try {
    using db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    assertKnownSchema(db);
    db.prepare('VACUUM INTO ?').run(partial);
    syncFile(partial);
    renameSync(partial, to);
    syncDirectory(to);
  } catch (error) {
    throw explained(from, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Creates the file if it is missing and restricts it, its log and its index to the owner. */
function prepareFile(path: string, log: SqliteOptions['log']): void {
  if (!existsSync(path)) {
    closeSync(openSync(path, 'a', 0o600));
    return;
  }
  accessSync(path, constants.R_OK | constants.W_OK);
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    log?.warn(`The store file ${path} belongs to another user: its permissions cannot be restricted to its owner.`);
  }
}

/** Reads only. @throws {Error} if the file is newer than this release or belongs to another application */
function assertKnownSchema(db: DatabaseSync): void {
  const version = readPragma(db, 'user_version');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (readPragma(db, 'application_id') !== APPLICATION_ID && !isEmpty) throw new Error('it belongs to another application');
  if (version > SCHEMA_VERSION) {
    throw new Error(`it has schema version ${version} and this release supports ${SCHEMA_VERSION}: use a newer release, or restore the backup from before the upgrade`);
  }
}

function readPragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return (db.prepare(`PRAGMA ${name}`).get() as Record<typeof name, number>)[name];
}

/** The name of a new file is durable once its directory is synced. Some file systems cannot. */
function syncDirectory(path: string): void {
  try {
    syncFile(dirname(path));
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function explained(path: string, error: unknown): Error {
  return new Error(`The store file ${path} cannot be used: ${reasonOf(error)}.`, { cause: error });
}

/** Result code of SQLite: the low byte of an extended one. */
function primaryCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[String(primaryCodeOf(error) ?? code)] ?? message;
}

/** By primary result code of SQLite, or by error code of the system. */
const reasons: Readonly<Record<string, string>> = {
  [SQLITE_BUSY]: 'another process holds it',
  8: 'it is read-only',
  10: 'the disk reports an error; on a network file system use a local disk, or a Redis',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened as a file',
  26: 'it is not a SQLite database',
  EACCES: 'permission is denied',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a directory',
  EROFS: 'the file system is read-only',
};
