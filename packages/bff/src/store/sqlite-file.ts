/** The SQLite file of the store in WAL mode, which several processes of a machine may share. A commit is synced before any
 *  connection can read it (`synchronous=FULL`): the event loop waits. */

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailableError } from './store.ts';

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

/** Opens or creates the file, mode 0600, and migrates it. Waits for a process that creates it.
 *  @param address a path, or `:memory:`, whose contents end with the process @throws {Error} for the operator */
export async function openSqliteFile(address: string): Promise<SqliteFile> {
  const path = address === ':memory:' ? address : resolve(address);
  for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      return new SqliteFile(path);
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

export class SqliteFile implements Disposable {
  readonly db: DatabaseSync;
  readonly isInMemory: boolean;
  /** The files that are open, with their inodes: a path may lead to another file by now. None in memory. */
  readonly #files: readonly (readonly [path: string, inode: number | undefined])[];
  /** A page could not be read. Others may be intact: some writes still succeed. */
  #malformed: StoreUnavailableError | undefined;

  constructor(path: string) {
    this.isInMemory = path === ':memory:';
    if (!this.isInMemory) restrictToOwner(path);
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
    const files = this.isInMemory ? [] : [path, `${path}-wal`, `${path}-shm`];
    this.#files = files.map((file) => [file, inodeOf(file)] as const);
    this.db = db;
    opening.move();
  }

  /** @throws {StoreUnavailableError} */
  read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** Carries out `work` in one transaction, at once unless another process holds the lock: then tries again for five seconds.
   *  @throws {StoreUnavailableError} nothing was written, or the disk failed at the commit */
  async write<T>(work: () => T): Promise<T> {
    for (const endsAt = performance.now() + BUSY_TIMEOUT_MS; ;) {
      try {
        this.#requireFiles();
        this.db.exec('BEGIN IMMEDIATE');
        const result = work();
        this.db.exec('COMMIT');
        return result;
      } catch (error) {
        if (!isBusy(error) || this.db.isTransaction || performance.now() >= endsAt) {
          const failure = this.#unavailable(error);
          if (this.db.isOpen && this.db.isTransaction) this.#rollBack();
          throw failure;
        }
      }
      await pause(BUSY_RETRY_MS);
    }
  }

  /** @throws {StoreUnavailableError} a page could not be read earlier */
  requireIntact(): void {
    if (this.#malformed) throw this.#malformed;
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close();
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
      this.db.exec('ROLLBACK');
    } catch {}
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
