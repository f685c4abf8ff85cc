/** The schema of the SQLite store and its version (`PRAGMA user_version`). Each step leads from one version to the next.
 *
 *  Rows lie in the order of arrival, so that a write touches the end of the table and one page of the key's index. Without
 *  the row id they lie in the order of their keys, which are hashes: a page for every write, and half the speed. */

import type { DatabaseSync } from 'node:sqlite';

/** `PRAGMA application_id`: tells our files from other applications'. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

const steps: readonly string[] = [
  `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
   CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
   PRAGMA application_id = ${APPLICATION_ID};`,
];

/** Throws, and has changed nothing, where the file is newer than this code, or another application's. */
export function assertKnownSchema(db: DatabaseSync): void {
  const version = pragma(db, 'user_version');
  if (pragma(db, 'application_id') !== APPLICATION_ID && !isEmpty(db)) throw new Error('it belongs to another application');
  if (version > steps.length) {
    throw new Error(`it has schema version ${version} and this release knows ${steps.length}: use a newer release`);
  }
}

/** Brings the file to the newest version in one transaction. Throws as `assertKnownSchema` does. */
export function migrate(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    assertKnownSchema(db);
    for (const step of steps.slice(pragma(db, 'user_version'))) db.exec(step);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}
