import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertKnownSchema, migrate } from './sqlite-schema.ts';

const versionOf = (db: DatabaseSync) => Number(db.prepare('PRAGMA user_version').get()?.['user_version']);

describe('migrate', () => {
  it('creates the schema in an empty file and leaves the newest version unchanged', () => {
    using db = new DatabaseSync(':memory:');
    migrate(db);
    assert.equal(db.isTransaction, false);
    db.exec("INSERT INTO entries (key, value) VALUES ('a', 'b')");
    const version = versionOf(db);
    migrate(db);
    assertKnownSchema(db);
    assert.equal(versionOf(db), version);
    assert.equal(db.prepare('SELECT value FROM entries').get()?.['value'], 'b');
  });

  it('needs no lock on a file of the newest version', () => {
    const directory = mkdtempSync(join(tmpdir(), 'vestibule-schema-'));
    try {
      const path = join(directory, 'store.db');
      using db = new DatabaseSync(path);
      migrate(db);
      using other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      migrate(db);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('runs no migration again that another process runs before it gets the lock', () => {
    const directory = mkdtempSync(join(tmpdir(), 'vestibule-schema-'));
    try {
      const path = join(directory, 'store.db');
      using db = new DatabaseSync(path);
      using other = new DatabaseSync(path);
      const exec = db.exec.bind(db);
      db.exec = (sql) => {
        if (sql === 'BEGIN IMMEDIATE') migrate(other);
        exec(sql);
      };
      migrate(db);
      assert.equal(versionOf(db), versionOf(other));
      assert.equal(db.isTransaction, false);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  for (const [whose, statement, reason] of [
    ['another application\'s', 'CREATE TABLE cakes (name TEXT)', /belongs to another application/],
    ['a newer release\'s', 'PRAGMA user_version = 99', /schema version 99.*use a newer release/],
  ] as const) {
    it(`refuses ${whose} file, changes nothing and holds no lock`, () => {
      using db = new DatabaseSync(':memory:');
      db.exec(statement);
      const before = [versionOf(db), db.prepare('SELECT name FROM sqlite_schema').all()];
      assert.throws(() => { assertKnownSchema(db); }, reason);
      assert.throws(() => { migrate(db); }, reason);
      assert.deepEqual([versionOf(db), db.prepare('SELECT name FROM sqlite_schema').all()], before);
      assert.equal(db.isTransaction, false);
    });
  }
});
