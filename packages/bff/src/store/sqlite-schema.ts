/** The schema of the SQLite store. `PRAGMA user_version` counts the migrations that a file has run. */

import type { DatabaseSync } from 'node:sqlite';

/** `PRAGMA application_id` of our files. */
const APPLICATION_ID = Buffer.from('Vest').readInt32BE();

/** Each entry leads from one version to the next. Append only. */
const migrations: readonly string[] = [
  // With a rowid: keys are hashes, so WITHOUT ROWID would write each row to a random page.
  `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
   CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
   PRAGMA application_id = ${APPLICATION_ID};`,
];

/** Reads only. @throws {Error} if the file is newer than this release or belongs to another application */
export function assertKnownSchema(db: DatabaseSync): void {
  const version = readPragma(db, 'user_version');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (readPragma(db, 'application_id') !== APPLICATION_ID && !isEmpty) throw new Error('it belongs to another application');
  if (version > migrations.length) {
    throw new Error(`it has schema version ${version} and this release supports ${migrations.length}: use a newer release, or restore the backup from before the upgrade`);
  }
}

/** Runs the missing migrations in one transaction. @throws as `assertKnownSchema` */
export function migrate(db: DatabaseSync): void {
  if (readPragma(db, 'user_version') === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    assertKnownSchema(db);
    for (const migration of migrations.slice(readPragma(db, 'user_version'))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function readPragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return (db.prepare(`PRAGMA ${name}`).get() as Record<typeof name, number>)[name];
}
