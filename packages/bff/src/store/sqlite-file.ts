/** The file of a SQLite store: its schema and permissions, a copy of it, and its errors in words for the operator. */

import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** `PRAGMA application_id` of our files. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

/** `PRAGMA user_version`. With a rowid: keys are hashes, so WITHOUT ROWID would write each row to a random page. */
const SCHEMA_VERSION = 1;
export const SCHEMA = `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
  CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`;

/** How long writes wait while another process holds the lock. */
export const BUSY_TIMEOUT_MS = 5_000;

const SQLITE_BUSY = 5;

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
    rmSync(partial, { force: true });
  }
}

/** Creates the file if it is missing. SQLite gives its log and its index the same mode. */
export function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).uid === process.geteuid?.()) chmodSync(path, 0o600);
}

/** @returns 0 for a new file @throws {Error} if the file is newer than this release or belongs to another application */
export function schemaVersionOf(db: DatabaseSync): number {
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

export function explained(failure: string, cause: unknown): Error {
  const { message } = cause as Error;
  // As network file systems and mounts of other systems cause them.
  const isUnfit = /disk I\/O error|locking protocol/.test(message);
  return new Error(`${failure}: ${message}${isUnfit ? '; on a network file system, use a local disk, or a Redis' : ''}.`, { cause });
}

/** Whether another process holds the lock. The low byte of an extended result code is the primary one. */
export function isBusy(error: unknown): boolean {
  return ((error as { readonly errcode: number }).errcode & 0xff) === SQLITE_BUSY;
}
