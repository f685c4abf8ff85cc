import assert from 'node:assert/strict';
import fs, { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, it, mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import { directory, newPath } from './_sqlite-files.ts';
import { backUpSqliteFile, openForReading, openForWriting, prepareFile } from './sqlite-file.ts';

function restoreMocks(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}

describe('prepareFile', () => {
  afterEach(restoreMocks);

  it('creates a file that only its owner may use, and leaves a present one as it is', () => {
    withoutUmask(() => {
      const path = newPath();
      prepareFile(path);
      assert.equal(modeOf(path), '600');
      writeFileSync(path, 'content');
      prepareFile(path);
      assert.equal(readFileSync(path, 'utf8'), 'content');
    });
  });

  it('restricts a present file, its log and its index to the owner', () => {
    withoutUmask(() => {
      const path = newPath();
      const files = [path, `${path}-wal`, `${path}-shm`];
      for (const file of files) {
        writeFileSync(file, '');
        prepareFile(path);
        assert.equal(modeOf(file), '600');
      }
      for (const file of files) chmodSync(file, 0o644);
      prepareFile(path);
      assert.deepEqual(files.map(modeOf), ['600', '600', '600']);
    });
  });

  describe('explains why a file cannot be used', () => {
    const rejects = (path: string, reason: string) => {
      assert.throws(() => { prepareFile(path); }, ({ message, cause }: Error) => {
        assert.equal(message, `The store file ${path} cannot be used: ${reason}.`);
        return cause instanceof Error;
      });
    };

    it('in a missing directory', () => { rejects(join(newPath(), 'store.db'), 'its directory does not exist'); });

    it('below a file', () => {
      const path = newPath();
      writeFileSync(path, '');
      rejects(join(path, 'store.db'), 'a part of its path is not a directory');
    });

    it('in a directory without permission to write', () => {
      const locked = newPath();
      mkdirSync(locked);
      chmodSync(locked, 0o500);
      chmodSync(directory, 0o755);
      asOrdinaryUser(() => { rejects(join(locked, 'store.db'), 'permission is denied'); });
    });

    it('that the process may not read and write', () => {
      const path = newPath();
      writeFileSync(path, '');
      mock.method(fs, 'accessSync', (_path: string, mode: number) => {
        assert.equal(mode, fs.constants.R_OK | fs.constants.W_OK);
        throw Object.assign(new Error('a message of the system'), { code: 'EACCES' });
      });
      syncBuiltinESMExports();
      rejects(path, 'permission is denied');
    });

    for (const [code, reason] of Object.entries({
      EISDIR: 'it is a directory',
      ENOSPC: 'the disk is full',
      EPERM: 'it belongs to another user',
      EROFS: 'the file system is read-only',
      EMFILE: 'EMFILE: a message of the system',
    })) {
      it(`after ${code}`, () => {
        mock.method(fs, 'openSync', () => { throw Object.assign(new Error(`${code}: a message of the system`), { code }); });
        syncBuiltinESMExports();
        rejects(newPath(), reason);
      });
    }
  });
});

describe('openForWriting', () => {
  afterEach(restoreMocks);

  // With these settings SQLite syncs each commit before any connection can read it.
  it('syncs every commit to a write-ahead log, and waits for others as long as it is told', () => {
    using db = openForWriting(newPath(), 123);
    assert.deepEqual(['journal_mode', 'synchronous', 'wal_autocheckpoint', 'journal_size_limit', 'busy_timeout'].map((name) => (
      Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    )), ['wal', 2, 4_096, 16 * 2 ** 20, 123]);
  });

  // SQLite itself waits for the first lock only.
  for (const lock of ['EXCLUSIVE', 'IMMEDIATE']) {
    it(`waits for a process that creates the same file, and holds an ${lock} lock`, async () => {
      const path = newPath();
      const holder = new Worker(`
        const { DatabaseSync } = require('node:sqlite');
        const { parentPort, workerData } = require('node:worker_threads');
        const db = new DatabaseSync(workerData);
        db.exec('BEGIN ${lock}');
        parentPort.postMessage('locked');
        setTimeout(() => { db.exec('COMMIT'); db.close(); }, 100);
      `, { eval: true, workerData: path });
      await new Promise((resolve) => { holder.once('message', resolve); });
      using db = openForWriting(path, 100);
      assert.equal(db.isOpen, true);
    });
  }

  it('syncs the directory, so that the name of a new file survives a loss of power', () => {
    const path = newPath();
    const synced = recordSyncs();
    using _db = openForWriting(path, 100);
    assert.deepEqual(synced, [`sync ${directory}`, `close ${directory}`]);
  });

  describe('explains why a file cannot be used', () => {
    const rejects = (path: string, reason: string) => {
      assert.throws(() => { openForWriting(path, 100); }, { message: `The store file ${path} cannot be used: ${reason}.` });
    };

    it('of another application, and leaves it unchanged', () => {
      const path = newPath();
      createForeignDatabase(path);
      const before = readFileSync(path);
      rejects(path, 'it belongs to another application');
      assert.deepEqual(readFileSync(path), before);
    });

    it('of a newer release, and leaves it unchanged', () => {
      const path = newPath();
      createNewerDatabase(path);
      const before = readFileSync(path);
      rejects(path, 'it has schema version 1000 and this release supports 1: use a newer release, or restore the backup from before the upgrade');
      assert.deepEqual(readFileSync(path), before);
    });

    it('that another process holds for longer than five seconds', () => {
      const path = newPath();
      using holder = new DatabaseSync(path);
      holder.exec('BEGIN IMMEDIATE');
      const times = [0, 5_000, 5_001];
      const now = mock.method(performance, 'now', () => times.shift());
      rejects(path, 'another process holds it');
      assert.equal(now.mock.callCount(), 3);
    });

    it('that fails otherwise than by a lock, at once', () => {
      const { prepare } = DatabaseSync.prototype;
      const switches = mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
        if (sql.includes('journal_mode')) throw Object.assign(new Error('a message of SQLite'), { errcode: 10 });
        return prepare.call(this, sql);
      });
      rejects(newPath(), 'the disk reports an error');
      assert.equal(switches.mock.calls.filter(({ arguments: [sql] }) => sql.includes('journal_mode')).length, 1);
    });

    it('without WAL', () => { rejects(':memory:', 'its file system does not support WAL'); });

    it('that is a directory', () => {
      const path = newPath();
      mkdirSync(path);
      rejects(path, 'it cannot be opened as a file');
    });

    it('that is not a database', () => {
      const path = newPath();
      writeFileSync(path, 'A text of the publisher. '.repeat(100));
      rejects(path, 'it is not a SQLite database');
    });

    it('that is damaged', () => {
      const path = newPath();
      openForWriting(path, 100).close();
      const bytes = readFileSync(path);
      bytes.fill(0xaa, 100, 4096);
      writeFileSync(path, bytes);
      rejects(path, 'it is damaged');
    });

    // Extended result codes: SQLITE_BUSY_RECOVERY, SQLITE_READONLY_DIRECTORY, SQLITE_IOERR_FSYNC, SQLITE_FULL.
    for (const [errcode, reason] of [
      [5 + 256, 'another process holds it'], [8 + 6 * 256, 'it is read-only'], [10 + 4 * 256, 'the disk reports an error'], [13, 'the disk is full'],
    ] as const) {
      it(`after the result code ${errcode} of SQLite, and closes it`, () => {
        mock.method(DatabaseSync.prototype, 'exec', () => { throw Object.assign(new Error('a message of SQLite'), { errcode }); });
        const close = mock.method(DatabaseSync.prototype, 'close');
        rejects(newPath(), reason);
        assert.equal(close.mock.callCount(), 1);
      });
    }
  });
});

describe('openForReading', () => {
  it('opens a connection that cannot write', () => {
    const path = newPath();
    using _writer = openForWriting(path, 100);
    using reader = openForReading(path);
    assert.deepEqual(reader.prepare('SELECT * FROM entries').all(), []);
    assert.throws(() => { reader.exec('DELETE FROM entries'); }, /readonly/);
  });

  it('explains why a file cannot be used', () => {
    const path = newPath();
    assert.throws(() => openForReading(path), { message: `The store file ${path} cannot be used: it cannot be opened as a file.` });
  });
});

describe('backUpSqliteFile', () => {
  afterEach(restoreMocks);

  const createStore = () => {
    const path = newPath();
    using db = openForWriting(path, 100);
    db.exec(`INSERT INTO entries (key, value) VALUES ('session:1', 'value')`);
    return path;
  };

  it('copies the file for its owner only, and syncs the copy before its name', () => {
    const [path, target] = [createStore(), newPath()];
    const synced = recordSyncs();
    withoutUmask(() => { backUpSqliteFile(path, target); });
    assert.equal(modeOf(target), '600');
    const partial = `${target}.partial-${process.pid}`;
    assert.deepEqual(synced, [`close ${partial}`, `sync ${partial}`, `close ${partial}`, `sync ${directory}`, `close ${directory}`]);
    using copy = openForReading(target);
    assert.deepEqual(copy.prepare('SELECT key, value FROM entries').all().map((row) => ({ ...row })), [{ key: 'session:1', value: 'value' }]);
  });

  it('overwrites nothing', () => {
    const [path, target] = [createStore(), newPath()];
    writeFileSync(target, 'kept');
    assert.throws(() => { backUpSqliteFile(path, target); }, { message: `The backup ${target} cannot be written: it exists already.` });
    assert.equal(readFileSync(target, 'utf8'), 'kept');
  });

  it('copies store files only, and leaves nothing behind', () => {
    const [missing, foreign, target] = [newPath(), newPath(), newPath()];
    createForeignDatabase(foreign);
    assert.throws(() => { backUpSqliteFile(missing, target); }, {
      message: `The store file ${missing} cannot be used: it cannot be opened as a file.`,
    });
    assert.throws(() => { backUpSqliteFile(foreign, target); }, {
      message: `The store file ${foreign} cannot be used: it belongs to another application.`,
    });
    assert.equal(existsSync(missing), false);
    assert.deepEqual(readdirSync(dirname(target)).filter((name) => name.startsWith(basename(target))), []);
  });

  it('names the backup, not the store, if the directory of the backup does not exist', () => {
    const target = join(newPath(), 'backup.db');
    const message = `The backup ${target} cannot be written: its directory does not exist.`;
    assert.throws(() => { backUpSqliteFile(createStore(), target); }, (error: Error) => {
      assert.equal(error.message, message);
      return error.cause instanceof Error;
    });
  });
});

/** The paths that are synced and closed from now on, in order. */
function recordSyncs(): readonly string[] {
  const events: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, closeSync } = fs;
  mock.method(fs, 'openSync', (...args: Parameters<typeof openSync>) => {
    const descriptor = openSync(...args);
    paths.set(descriptor, String(args[0]));
    return descriptor;
  });
  mock.method(fs, 'fsyncSync', (descriptor: number) => {
    events.push(`sync ${paths.get(descriptor)}`);
    fsyncSync(descriptor);
  });
  mock.method(fs, 'closeSync', (descriptor: number) => {
    events.push(`close ${paths.get(descriptor)}`);
    closeSync(descriptor);
  });
  syncBuiltinESMExports();
  return events;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function withoutUmask(work: () => void): void {
  const umask = process.umask(0);
  try {
    work();
  } finally {
    process.umask(umask);
  }
}

function createForeignDatabase(path: string): void {
  using db = new DatabaseSync(path);
  db.exec('CREATE TABLE articles (title TEXT)');
}

function createNewerDatabase(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(`CREATE TABLE entries (key TEXT); PRAGMA user_version = 1000;
    PRAGMA application_id = ${Buffer.from('Vest').readInt32BE()}`);
}

/** The superuser ignores file modes. */
function asOrdinaryUser<T>(work: () => T): T {
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
}
