/** Opens the file of the SQLite store: private, in WAL mode, of the newest schema; or says in words why it cannot. */

import { accessSync, chmodSync, closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isObject } from '../lib/is-object.ts';
import { assertKnownSchema, migrate } from './sqlite-schema.ts';

export interface SqliteFile {
  /** Absolute. */
  readonly path: string;
  readonly db: DatabaseSync;
  /** The write-ahead log's descriptor, for syncs that do not block. Holds no lock, so it may be closed at any time. */
  readonly walDescriptor: number;
}

/** For another process that is opening the file as well. */
const OPENING_BUSY_TIMEOUT_MS = 5_000;

/** A statement blocks the event loop for as long as this waits; the rest of the patience is the group commit's. */
const BUSY_TIMEOUT_MS = 10;

/** Pages are read in place; a million sessions take half of it. */
const MMAP_BYTES = 2 ** 30;

/** A log of 32 MB is folded into the file by the writer itself, where the checkpointer did not come to it. */
const AUTOCHECKPOINT_PAGES = 8_192;

/** @throws {Error} that names the file and what is wrong with it */
export function openSqliteFile(address: string): SqliteFile {
  const path = resolve(address);
  try {
    makePrivate(path);
    return { path, ...open(path) };
  } catch (error) {
    throw new Error(`The store file ${path} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

function open(path: string): Omit<SqliteFile, 'path'> {
  const db = new DatabaseSync(path, { timeout: OPENING_BUSY_TIMEOUT_MS });
  try {
    assertKnownSchema(db);
    // NORMAL leaves the sync of a commit to the group commit, which does what FULL does, off the event loop.
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = ${MMAP_BYTES};
      PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${AUTOCHECKPOINT_PAGES * 4096};`);
    migrate(db);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    syncDirectory(path);
    return { db, walDescriptor: openSync(`${path}-wal`, 'r+') };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A database that others may read is a leak, and SQLite would create it by the umask; its log and its index take after it.
 *  A file that is there is not opened here: closing it would drop the locks of another connection of this process. */
function makePrivate(path: string): void {
  if (existsSync(path)) {
    accessSync(path, constants.R_OK | constants.W_OK);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  } else {
    closeSync(openSync(path, 'a', 0o600));
  }
}

/** The new name of a file is durable only when its directory is. */
function syncDirectory(path: string): void {
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Primary result codes of SQLite. */
const SQLITE_BUSY = 5;

/** Whether another process holds the file. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

function reasonOf(error: unknown): string {
  const reason = sqliteReasons[resultCode(error) ?? -1] ?? systemReasons[systemCode(error) ?? ''];
  return reason ?? (error instanceof Error ? error.message.replace(/\.$/, '') : 'it cannot be opened');
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no directory',
  EPERM: 'it belongs to another user',
  EROFS: 'the file system is read-only',
};

const sqliteReasons: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process holds it',
  8: 'it is read-only',
  10: 'the disk reports an error',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened as a file',
  26: 'it is no SQLite database',
};

function resultCode(error: unknown): number | undefined {
  return isObject(error) && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : undefined;
}

function systemCode(error: unknown): string | undefined {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}
