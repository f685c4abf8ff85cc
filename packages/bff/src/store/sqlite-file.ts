/**
 * Opens the file of the SQLite store: mode 0600, WAL, newest schema.
 *
 * Durability comes from `synchronous=FULL`: in WAL mode SQLite syncs a commit before any connection, of any process, can
 * read it. After a crash, recovery publishes what the log holds, synced or not; a checkpoint at opening syncs it.
 */

import { accessSync, chmodSync, closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assertKnownSchema, migrate } from './sqlite-schema.ts';

/** How long a step of opening waits for another process that opens the file, in ms. */
const OPEN_BUSY_TIMEOUT_MS = 5_000;

/** Pause before the switch to WAL is tried again while another process opens the file, in ms. */
const BUSY_RETRY_MS = 10;

const SQLITE_BUSY = 5;

/** How long a read blocks the event loop while another process recovers the log, in ms. Other locks do not block reads. */
const READ_BUSY_TIMEOUT_MS = 100;

/** Size of the log at which a commit folds it into the file: 16 MiB. */
const CHECKPOINT_PAGES = 4_096;

/** Creates the file if it is missing and restricts it, its log and its index to the owner. @throws {Error} for the operator */
export function prepareFile(path: string): void {
  explained(path, () => {
    if (!existsSync(path)) {
      closeSync(openSync(path, 'a', 0o600));
      return;
    }
    accessSync(path, constants.R_OK | constants.W_OK);
    // Never opened here: closing a descriptor of the file would drop the locks of other connections in this process.
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  });
}

/** The connection that writes. Waits for the disk. @throws {Error} for the operator */
export function openForWriting(path: string, busyTimeoutMs: number): DatabaseSync {
  return explained(path, () => {
    const db = new DatabaseSync(path, { timeout: OPEN_BUSY_TIMEOUT_MS, allowUnknownNamedParameters: true });
    try {
      assertKnownSchema(db);
      if (switchToWal(db) !== 'wal') throw new Error('its file system does not support WAL');
      db.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
        PRAGMA journal_size_limit = ${CHECKPOINT_PAGES * 4096}`);
      migrate(db);
      db.exec(`PRAGMA wal_checkpoint(FULL); PRAGMA busy_timeout = ${busyTimeoutMs}`);
      syncDirectory(path);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Retries while another process opens the file: the busy timeout does not cover the upgrade of a lock.
 *  @returns the journal mode */
function switchToWal(db: DatabaseSync): string {
  const endsAt = performance.now() + OPEN_BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return (db.prepare('PRAGMA journal_mode = WAL').get() as { readonly journal_mode: string }).journal_mode;
    } catch (error) {
      if (primaryCodeOf(error) !== SQLITE_BUSY || performance.now() > endsAt) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
  }
}

/** A connection that reads. @throws {Error} for the operator */
export function openForReading(path: string): DatabaseSync {
  return explained(path, () => new DatabaseSync(path, { readOnly: true, timeout: READ_BUSY_TIMEOUT_MS }));
}

/**
 * Writes a consistent copy of a store file, also while processes use it. Blocks until the copy is on the disk.
 * @throws {Error} for the operator; `target` is then untouched
 */
export function backUpSqliteFile(source: string, target: string): void {
  const [from, to] = [resolve(source), resolve(target)];
  if (existsSync(to)) throw new Error(`The backup ${to} cannot be written: it exists already.`);
  const partial = `${to}.partial-${process.pid}`;
  try {
    reserve(partial, to);
    explained(from, () => {
      using db = new DatabaseSync(from, { readOnly: true, timeout: OPEN_BUSY_TIMEOUT_MS });
      assertKnownSchema(db);
      db.prepare('VACUUM INTO ?').run(partial);
    });
    syncFile(partial);
    renameSync(partial, to);
    syncDirectory(to);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Creates the empty file of the copy, readable by its owner only. */
function reserve(partial: string, target: string): void {
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw new Error(`The backup ${target} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The name of a new file is durable once its directory is synced. */
function syncDirectory(path: string): void {
  syncFile(dirname(path));
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`The store file ${path} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const primaryCode = primaryCodeOf(error);
  return (primaryCode === undefined ? systemReasons[String(code)] : sqliteReasons[primaryCode]) ?? message;
}

/** Result code of SQLite: the low byte of an extended one. */
function primaryCodeOf(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a directory',
  EPERM: 'it belongs to another user',
  EROFS: 'the file system is read-only',
};

/** By primary result code of SQLite. */
const sqliteReasons: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process holds it',
  8: 'it is read-only',
  10: 'the disk reports an error',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened as a file',
  26: 'it is not a SQLite database',
};
