import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeStoreContract } from './_store-contract.ts';
import { backUpSqliteFile, openForWriting } from './sqlite-file.ts';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
import { StoreUnavailableError } from './store.ts';

const HOUR_MS = 3_600_000;

const directory = await mkdtemp(join(tmpdir(), 'vestibule-sqlite-'));
after(() => rm(directory, { recursive: true }));

let files = 0;
const newPath = (): string => join(directory, `${files += 1}.db`);

describeStoreContract('SqliteStore', async () => {
  let now = Date.now();
  return {
    store: await openSqliteStore(newPath(), { now: () => now }),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { now += lifetimeMs; },
  };
});

describe('openSqliteStore', () => {
  it('finds what was written before', async () => {
    const path = newPath();
    await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
    await withStore(path, async (store) => { assert.equal((await store.get('session:1'))?.value, 'value'); });
  });

  it('restricts the file, its log and its index to the owner', async () => {
    const path = newPath();
    const umask = process.umask(0);
    try {
      await withStore(path, async (store) => {
        await store.set('session:1', 'value', HOUR_MS);
        assert.deepEqual(modesOf(path), ['600', '600', '600']);
        for (const file of filesOf(path)) chmodSync(file, 0o644);
        await withStore(path, () => { assert.deepEqual(modesOf(path), ['600', '600', '600']); });
      });
      chmodSync(path, 0o666);
      await withStore(path, () => { assert.deepEqual(modesOf(path), ['600', '600', '600']); });
    } finally {
      process.umask(umask);
    }
  });

  it('takes ":memory:" as a file name', async () => {
    const cwd = process.cwd();
    process.chdir(directory);
    try {
      await withStore(':memory:', async (store) => { await store.set('session:1', 'value', HOUR_MS); });
      assert.ok(existsSync(join(directory, ':memory:')));
    } finally {
      process.chdir(cwd);
    }
  });

  describe('explains why a file cannot be used', () => {
    const cases: Readonly<Record<string, readonly [prepare: (path: string) => string | Promise<string>, reason: RegExp]>> = {
      'in a missing directory': [(path) => join(path, 'store.db'), /its directory does not exist/],
      'a directory': [(path) => { mkdirSync(path); return path; }, /it is a directory|it cannot be opened/],
      'below a file': [(path) => { writeFileSync(path, ''); return join(path, 'store.db'); }, /a part of its path is not a directory/],
      'not a database': [(path) => { writeFileSync(path, 'A text of the publisher. '.repeat(100)); return path; }, /it is not a SQLite database/],
      damaged: [async (path) => { await damage(path); return path; }, /it is (damaged|not a SQLite database)/],
      'of another application': [(path) => { createForeignDatabase(path); return path; }, /it belongs to another application/],
      'of a newer release': [(path) => { createNewerDatabase(path); return path; }, /it has schema version 1000 and this release supports 1: use a newer release/],
    };
    for (const [what, [prepare, reason]] of Object.entries(cases)) {
      it(what, async () => {
        const path = await prepare(newPath());
        await assert.rejects(openSqliteStore(path), (error: Error) => (
          error.message.startsWith(`The store file ${path} cannot be used: `) && reason.test(error.message)
        ));
      });
    }

    it('without permission to write', async () => {
      const locked = newPath();
      mkdirSync(locked);
      chmodSync(locked, 0o500);
      chmodSync(directory, 0o755);
      const opening = asOrdinaryUser(() => openSqliteStore(join(locked, 'store.db')));
      await assert.rejects(opening, /cannot be used: permission is denied\.$/);
    });

    it('and leaves it unchanged', async () => {
      const path = newPath();
      createNewerDatabase(path);
      const before = readFileSync(path);
      await assert.rejects(openSqliteStore(path), /newer release/);
      assert.deepEqual(readFileSync(path), before);
    });
  });

  it('does not keep an idle process running', async () => {
    assert.equal(await runProcess([newPath(), 'leaveOpen']), 'opened\n');
    assert.equal(await runProcess([newPath(), 'writeAndLeaveOpen']), 'written\n');
  });
});

describe('openForWriting', () => {
  // With these settings SQLite syncs each commit before any connection can read it.
  it('syncs every commit to a write-ahead log', () => {
    using db = openForWriting(newPath(), 100);
    assert.equal(db.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal');
    assert.equal(db.prepare('PRAGMA synchronous').get()?.['synchronous'], 2);
  });
});

describe('a settled write of SqliteStore', () => {
  it('survives a killed process', async () => {
    const path = newPath();
    for (let round = 0; round < 3; round += 1) {
      const writer = startProcess([path, 'write']);
      const lines = linesOf(writer);
      await until(() => lines.length > 200 * (round + 1));
      writer.kill('SIGKILL');
      await once(writer, 'close');
      await withStore(path, async (store) => {
        for (const key of lines) assert.equal((await store.get(key))?.value, key);
      });
    }
  });

  it('is synced again before a file that a killed process left is read', async () => {
    const path = newPath();
    const writer = startProcess([path, 'write']);
    const lines = linesOf(writer);
    await until(() => lines.length > 200);
    writer.kill('SIGKILL');
    await once(writer, 'close');
    await withStore(path, () => {
      // Without its log the copy holds what the checkpoint folded into the file, and SQLite syncs the log before that.
      const copy = newPath();
      copyFileSync(path, copy);
      using db = new DatabaseSync(copy);
      const keys = new Set(db.prepare('SELECT key FROM entries').all().map(({ key }) => key));
      for (const key of lines) assert.ok(keys.has(key));
    });
  });
});

describe('a write of SqliteStore whose statement fails', () => {
  it('is rejected and changes nothing, while the other writes of its batch commit', async () => {
    const path = newPath();
    await using store = await openSqliteStore(path);
    await store.set('broken', 'before', undefined);
    addTriggers(path, 'ABORT');
    const outcomes = await Promise.allSettled([
      store.set('one', '1', undefined), store.set('broken', 'after', undefined), store.setIfAbsent('two', '2', undefined),
      store.take('broken'), store.compareAndSet('broken', 'before', 'after', 'keep'), store.set('three', '3', undefined),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      assert.ok(outcome.reason instanceof StoreUnavailableError);
      assert.equal(outcome.reason.mayHaveApplied, false);
      assert.match(String(outcome.reason.cause), /refused by a trigger/);
    }
    const found = await Promise.all(['one', 'two', 'three', 'broken'].map((key) => store.get(key)));
    assert.deepEqual(found.map((entry) => entry?.value), ['1', '2', '3', 'before']);
  });

  it('fails the whole batch if SQLite rolled back the transaction, and nothing of it remains', async () => {
    const path = newPath();
    await using store = await openSqliteStore(path);
    addTriggers(path, 'ROLLBACK');
    const writes = [store.set('one', '1', undefined), store.set('broken', '2', undefined), store.set('three', '3', undefined)];
    for (const outcome of await Promise.allSettled(writes)) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.reason instanceof StoreUnavailableError);
      assert.equal(outcome.reason.mayHaveApplied, false);
    }
    assert.deepEqual(await Array.fromAsync(store.entries('')), []);
    await store.set('one', '1', undefined);
    assert.equal((await store.get('one'))?.value, '1');
  });
});

describe('a batch of SqliteStore whose commit fails', () => {
  it('is rejected as a whole with an unknown outcome, and the store continues', async () => {
    const path = newPath();
    await using store = await openSqliteStore(path);
    failCommits(path);
    const writes = [store.set('one', '1', undefined), store.set('broken', '2', undefined)];
    for (const outcome of await Promise.allSettled(writes)) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.reason instanceof StoreUnavailableError);
      assert.equal(outcome.reason.mayHaveApplied, true);
    }
    assert.deepEqual(await Array.fromAsync(store.entries('')), []);
    await store.set('one', '1', undefined);
    assert.equal((await store.get('one'))?.value, '1');
  });
});

describe('SqliteStore on a file that another process has locked', () => {
  it('reads, and blocks the event loop neither for reads nor for writes', async () => {
    await using locked = await openLocked();
    const { store } = locked;
    let turns = 0;
    const written = store.set('session:1', 'value', undefined);
    for (const endsAt = performance.now() + 300; performance.now() < endsAt; turns += 1) await setTimeout(5);
    assert.equal(await store.get('session:1'), undefined);
    locked.unlock();
    await written;
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.ok(turns > 20, `${turns} turns in 300 ms`);
  });

  it('rejects writes after the busy timeout, which were not carried out, and continues afterwards', async () => {
    await using locked = await openLocked({ busyTimeoutMs: 100 });
    const { store } = locked;
    await assert.rejects(store.set('session:1', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: false });
    locked.unlock();
    assert.equal(await store.get('session:1'), undefined);
    await store.set('session:1', 'value', undefined);
    assert.equal((await store.get('session:1'))?.value, 'value');
  });
});

/** The lock stands for a disk that hangs: the writer thread is blocked inside SQLite in both cases. */
describe('SqliteStore whose writer thread is blocked', () => {
  const blocked = { busyTimeoutMs: 20_000, writeTimeoutMs: 100 };

  it('reports that a write may have been carried out, rejects others at once, and recovers', async () => {
    await using locked = await openLocked(blocked);
    const { store } = locked;
    await assert.rejects(store.set('session:1', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: true });
    const startedAt = performance.now();
    await assert.rejects(store.set('session:2', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: false });
    assert.ok(performance.now() - startedAt < 50);
    locked.unlock();
    await until(() => store.ping().then(() => true, () => false));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.equal(await store.get('session:2'), undefined);
    await store.set('session:2', 'value', undefined);
  });

  it('gives up a ping within a second', async () => {
    await using locked = await openLocked({ ...blocked, writeTimeoutMs: 10_000 });
    const startedAt = performance.now();
    await assert.rejects(locked.store.ping(), StoreUnavailableError);
    assert.ok(performance.now() - startedAt < 1_000);
  });

  it('closes within seconds, and rejects the writes in flight', async () => {
    await using locked = await openLocked({ ...blocked, writeTimeoutMs: 10_000 });
    const written = assert.rejects(locked.store.set('session:1', 'value', undefined), { mayHaveApplied: true });
    const startedAt = performance.now();
    await locked.store[Symbol.asyncDispose]();
    assert.ok(performance.now() - startedAt < 5_000);
    await written;
  });
});

describe('a process that exits with a write in flight', () => {
  const exit = async (isBlocked: boolean) => {
    const path = newPath();
    const child = spawn(process.execPath, processArgs([path, 'writeAndExit']));
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    using other = new DatabaseSync(path);
    if (isBlocked) other.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    child.stdin.write('exit');
    const [status, signal] = await exited as [number | null, NodeJS.Signals | null];
    const ms = performance.now() - startedAt;
    if (isBlocked) other.exec('ROLLBACK');
    const { count } = other.prepare('SELECT count(*) AS count FROM entries').get() as { count: number };
    return { status, signal, count, ms };
  };

  it('finishes the write', async () => {
    const { status, count } = await exit(false);
    assert.deepEqual([status, count], [1, 1]);
  });

  it('is killed within a second if the writer thread is blocked', async () => {
    const { signal, count, ms } = await exit(true);
    assert.deepEqual([signal, count], ['SIGKILL', 0]);
    assert.ok(ms < 1_000, `${ms} ms`);
  });
});

describe('several processes on one SQLite file', () => {
  it('create it at the same time', async () => {
    const path = newPath();
    await Promise.all(Array.from({ length: 4 }, () => runProcess([path, 'open'])));
    await withStore(path, async (store) => {
      assert.equal((await Array.fromAsync(store.entries('opened:'))).length, 4);
    });
  });

  it('carry out each atomic step once', async () => {
    const path = newPath();
    const rounds = 300;
    await withStore(path, async (store) => {
      await Promise.all(Array.from({ length: rounds }, (_, i) => [
        store.set(`prize:${i}`, 'value', undefined), store.set(`turn:${i}`, 'first', undefined),
      ]).flat());
    });
    const outputs = await Promise.all(Array.from({ length: 3 }, () => runProcess([path, 'contend', String(rounds)])));
    const won = outputs.flatMap((output) => output.split('\n').filter(Boolean));
    assert.equal(won.length, 3 * rounds);
    assert.equal(new Set(won).size, 3 * rounds);
  });
});

describe('the sweep of SqliteStore', () => {
  it('deletes expired entries in batches', async () => {
    const path = newPath();
    const rows = 2_000;
    let now = Date.now();
    await using store = await openSqliteStore(path, { now: () => now, sweepIntervalMs: 1 });
    await Promise.all(Array.from({ length: rows }, (_, i) => store.set(`notice:${i}`, 'value', 1_000)));
    await store.set('session:1', 'value', HOUR_MS);
    using viewer = new DatabaseSync(path, { readOnly: true });
    const count = viewer.prepare('SELECT count(*) AS rows FROM entries');
    const rowsLeft = () => Number(count.get()?.['rows']);
    assert.equal(rowsLeft(), rows + 1);
    now += 1_000;
    const seen = new Set<number>();
    await until(async () => {
      assert.equal((await store.get('session:1'))?.value, 'value');
      seen.add(rowsLeft());
      return rowsLeft() === 1;
    });
    assert.ok([...seen].every((left) => (left - 1) % 200 === 0), `${[...seen].join(', ')} rows were seen`);
    assert.ok(seen.size >= 5, `${seen.size} states were seen`);
  });

  it('continues soon while a backlog remains', async () => {
    let now = Date.now();
    const path = newPath();
    await using store = await openSqliteStore(path, { now: () => now, sweepIntervalMs: 400 });
    await Promise.all(Array.from({ length: 4_000 }, (_, i) => store.set(`notice:${i}`, 'value', 1_000)));
    now += 1_000;
    using viewer = new DatabaseSync(path, { readOnly: true });
    const startedAt = performance.now();
    await until(() => Number(viewer.prepare('SELECT count(*) AS rows FROM entries').get()?.['rows']) === 0);
    // 20 batches; without the shorter pause they take 8 s.
    assert.ok(performance.now() - startedAt < 4_000);
  });
});

describe('the write-ahead log of SqliteStore', () => {
  const MIB = 2 ** 20;
  const sizeOf = (path: string) => statSync(`${path}-wal`).size;

  /** About 8 MiB of log. */
  const write = (store: SqliteStore, round: number) => (
    Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${(round * 1_000 + i) % 7_919}`, 'x'.repeat(4_000), HOUR_MS)))
  );

  it('stays bounded while writes continue and a reader is in the middle of all entries', async () => {
    const path = newPath();
    await using store = await openSqliteStore(path);
    await write(store, 0);
    const reading = store.entries('session:')[Symbol.asyncIterator]();
    await reading.next();
    for (let round = 1; round < 20; round += 1) await write(store, round);
    assert.equal((await reading.next()).done, false);
    assert.ok(sizeOf(path) < 40 * MIB, `${sizeOf(path)} bytes`);
  });

  it('shrinks again after a long read of another process, such as a backup', async () => {
    const path = newPath();
    await using store = await openSqliteStore(path);
    {
      using other = new DatabaseSync(path, { readOnly: true });
      other.exec('BEGIN');
      other.prepare('SELECT count(*) FROM entries').get();
      for (let round = 0; round < 10; round += 1) await write(store, round);
      assert.ok(sizeOf(path) > 30 * MIB, `${sizeOf(path)} bytes`);
    }
    for (let round = 10; round < 14; round += 1) await write(store, round);
    assert.ok(sizeOf(path) <= 24 * MIB, `${sizeOf(path)} bytes`);
  });

  it('is folded into the file when the store is closed', async () => {
    const path = newPath();
    await withStore(path, async (store) => {
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS)));
    });
    assert.equal(existsSync(`${path}-wal`), false);
  });
});

describe('backUpSqliteFile', () => {
  it('copies the file while a process writes, at one point in time', async () => {
    const [path, target] = [newPath(), newPath()];
    const writer = startProcess([path, 'write']);
    const lines = linesOf(writer);
    await until(() => lines.length > 200);
    const settled = [...lines];
    backUpSqliteFile(path, target);
    writer.kill('SIGKILL');
    await once(writer, 'close');
    assert.equal((statSync(target).mode & 0o777).toString(8), '600');
    assert.ok(!existsSync(`${target}-wal`));
    await withStore(target, async (store) => {
      for (const key of settled) assert.equal((await store.get(key))?.value, key);
      const rounds = (await Array.fromAsync(store.entries('written:'))).map(([key]) => Number(key.split(':')[1]));
      assert.deepEqual(new Set(rounds).size, Math.max(...rounds) + 1);
    });
  });

  it('overwrites nothing, and needs a store file', async () => {
    const [path, other] = [newPath(), newPath()];
    await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
    writeFileSync(other, 'kept');
    assert.throws(() => { backUpSqliteFile(path, other); }, /cannot be written: it exists already/);
    assert.equal(readFileSync(other, 'utf8'), 'kept');
    assert.throws(() => { backUpSqliteFile(newPath(), newPath()); }, /The store file .* cannot be used/);
    assert.equal(existsSync(join(directory, `${files}.db`)), false);
  });

  it('names the backup, not the store, if the directory of the backup does not exist', async () => {
    const path = newPath();
    await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
    const target = join(newPath(), 'backup.db');
    const message = `The backup ${target} cannot be written: its directory does not exist.`;
    assert.throws(() => { backUpSqliteFile(path, target); }, { message });
  });
});

async function withStore(path: string, use: (store: SqliteStore) => void | Promise<void>): Promise<void> {
  await using store = await openSqliteStore(path);
  await use(store);
}

/** A store on a file whose write lock another connection holds. */
async function openLocked(options: SqliteStoreOptions = {}) {
  const path = newPath();
  const store = await openSqliteStore(path, options);
  const holder = new DatabaseSync(path);
  holder.exec('BEGIN IMMEDIATE');
  const unlock = () => { if (holder.isTransaction) holder.exec('ROLLBACK'); };
  return {
    store,
    unlock,
    async [Symbol.asyncDispose]() {
      unlock();
      holder.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Makes every write of the key `broken` fail with the given conflict resolution. */
function addTriggers(path: string, resolution: 'ABORT' | 'ROLLBACK'): void {
  using db = new DatabaseSync(path);
  for (const [event, row] of [['INSERT', 'NEW'], ['UPDATE', 'NEW'], ['DELETE', 'OLD']] as const) {
    db.exec(`CREATE TRIGGER refuse_${event} AFTER ${event} ON entries WHEN ${row}.key = 'broken'
      BEGIN SELECT RAISE(${resolution}, 'refused by a trigger'); END`);
  }
}

/** Makes every commit fail that inserted the key `broken`: SQLite checks deferred foreign keys then. */
function failCommits(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER fail_commit AFTER INSERT ON entries WHEN NEW.key = 'broken' BEGIN INSERT INTO children VALUES (1); END`);
}

function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`];
}

function modesOf(path: string): string[] {
  return filesOf(path).map((file) => (statSync(file).mode & 0o777).toString(8));
}

/** Keeps the header and overwrites the schema. */
async function damage(path: string): Promise<void> {
  await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
  const bytes = readFileSync(path);
  bytes.fill(0xaa, 100, 4096);
  writeFileSync(path, bytes);
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

/** The superuser ignores file modes. Covers what `work` does before it first waits. */
function asOrdinaryUser<T>(work: () => T): T {
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
}

function startProcess(args: readonly string[]) {
  return spawn(process.execPath, processArgs(args), { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function runProcess(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, processArgs(args), { timeout: 30_000 })).stdout;
}

function processArgs(args: readonly string[]): string[] {
  return ['--conditions=@vestibule/source', join(import.meta.dirname, '_sqlite-process.ts'), ...args];
}

/** The complete lines printed so far. */
function linesOf(child: ReturnType<typeof startProcess>): string[] {
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(2);
}
