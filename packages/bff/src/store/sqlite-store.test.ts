/** The store in one file: the contract, and what a file adds to it. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, fdatasync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeStoreContract } from './_store-contract.ts';
import { SqliteStore } from './sqlite-store.ts';
import { StoreUnavailableError } from './store.ts';

const HOUR_MS = 3_600_000;

const directory = await mkdtemp(join(tmpdir(), 'vestibule-sqlite-'));
after(() => rm(directory, { recursive: true }));

let files = 0;
const newPath = (): string => join(directory, `${files += 1}.db`);

describeStoreContract('SqliteStore', async () => {
  let now = Date.now();
  return {
    store: new SqliteStore(newPath(), { now: () => now }),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { now += lifetimeMs; },
  };
});

describe('the file of SqliteStore', () => {
  it('keeps everything when it is opened again', async () => {
    const path = newPath();
    await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
    await withStore(path, async (store) => { assert.equal((await store.get('session:1'))?.value, 'value'); });
  });

  it('is readable by its owner alone, and so are its log and its index, whatever they were before', async () => {
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

  it('takes a path that looks like something else to SQLite for a path', async () => {
    const cwd = process.cwd();
    process.chdir(directory);
    try {
      await withStore(':memory:', async (store) => { await store.set('session:1', 'value', HOUR_MS); });
      assert.ok(existsSync(join(directory, ':memory:')));
    } finally {
      process.chdir(cwd);
    }
  });

  describe('cannot be used, and says why,', () => {
    const cases: Readonly<Record<string, readonly [prepare: (path: string) => string | Promise<string>, reason: RegExp]>> = {
      'in a directory that is not there': [(path) => join(path, 'store.db'), /its directory does not exist/],
      'where it is a directory': [(path) => { mkdirSync(path); return path; }, /it is a directory|it cannot be opened/],
      'below a file': [(path) => { writeFileSync(path, ''); return join(path, 'store.db'); }, /a part of its path is no directory/],
      'where it is no database': [(path) => { writeFileSync(path, 'A text of the publisher. '.repeat(100)); return path; }, /it is no SQLite database/],
      'where it is damaged': [async (path) => { await damage(path); return path; }, /it is (damaged|no SQLite database)/],
      'where it is another application\'s': [(path) => { foreign(path); return path; }, /it belongs to another application/],
      'where it is from a newer release': [(path) => { newer(path); return path; }, /it has schema version 1000 and this release knows 1: use a newer release/],
    };
    for (const [where, [prepare, reason]] of Object.entries(cases)) {
      it(where, async () => {
        const path = await prepare(newPath());
        assert.throws(() => new SqliteStore(path), (error: Error) => (
          error.message.startsWith(`The store file ${path} cannot be used: `) && reason.test(error.message)
        ));
      });
    }

    it('where the user may not write', () => {
      const locked = newPath();
      mkdirSync(locked);
      chmodSync(locked, 0o500);
      chmodSync(directory, 0o755);
      asOrdinaryUser(() => {
        assert.throws(() => new SqliteStore(join(locked, 'store.db')), /cannot be used: permission is denied\.$/);
      });
    });

    it('and is left as it was', () => {
      const path = newPath();
      newer(path);
      const before = readFileSync(path);
      assert.throws(() => new SqliteStore(path));
      assert.deepEqual(readFileSync(path), before);
    });
  });
});

describe('a write of SqliteStore that settled', () => {
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

  it('survives a loss of power', async () => {
    const path = newPath();
    const power = new PowerSupply(path);
    await using store = new SqliteStore(path, { syncFile: power.syncFile });
    const writes = Array.from({ length: 300 }, async (_, i) => {
      await setTimeout(i / 10);
      await store.set(`session:${i}`, 'value', undefined);
      power.expect(`session:${i}`);
      if (i % 3 === 0) {
        await store.delete(`session:${i}`);
        power.expectGone(`session:${i}`);
      }
    });
    await Promise.all(writes);
    assert.ok(power.checked > 10);
  });

  it('is not told by get before the disk has it', async () => {
    const disk = new HeldDisk();
    await using store = new SqliteStore(newPath(), { syncFile: disk.syncFile });
    const order: string[] = [];
    const written = store.setIfAbsent('post:1', 'done', undefined).then(() => { order.push('written'); });
    await disk.isAsked();
    const read = store.get('post:1').then((entry) => { order.push(`read ${entry?.value}`); });
    const listed = listKeys(store, 'post:').then((keys) => { order.push(`listed ${keys.length}`); });
    await store.get('post:2').then(() => { order.push('another read'); });
    assert.deepEqual(order, ['another read']);
    disk.release();
    await Promise.all([written, read, listed]);
    assert.deepEqual(order.slice(1).sort(), ['listed 1', 'read done', 'written']);
  });

  it('need not wait for the disk where it only moves an expiry', async () => {
    const disk = new HeldDisk();
    await using store = new SqliteStore(newPath(), { syncFile: disk.syncFile });
    disk.release();
    await store.set('session:1', 'value', HOUR_MS);
    disk.hold();
    assert.equal(await store.touch('session:1', 2 * HOUR_MS), true);
    disk.release();
  });
});

describe('SqliteStore on a failing disk', () => {
  it('rejects every write of the group, and everything after it', async () => {
    const syncFile = async () => { throw new Error('EIO: the disk is gone'); };
    await using store = new SqliteStore(newPath(), { syncFile });
    const writes = [store.set('a', '1', undefined), store.setIfAbsent('b', '1', undefined), store.take('c'), store.delete('d')];
    for (const outcome of await Promise.allSettled(writes)) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.reason instanceof StoreUnavailableError);
    }
    await assert.rejects(store.get('a'), StoreUnavailableError);
    await assert.rejects(store.ping(), StoreUnavailableError);
  });

  it('gives up a ping within a second where the disk does not answer', async () => {
    const disk = new HeldDisk();
    await using store = new SqliteStore(newPath(), { syncFile: disk.syncFile });
    const startedAt = performance.now();
    await assert.rejects(store.ping(), StoreUnavailableError);
    assert.ok(performance.now() - startedAt < 1_000);
    disk.release();
  });
});

describe('several processes on one file', () => {
  it('open it at the same time when it is new', async () => {
    const path = newPath();
    await Promise.all(Array.from({ length: 4 }, () => runProcess([path, 'open'])));
    await withStore(path, async (store) => {
      assert.equal((await listKeys(store, 'opened:')).length, 4);
    });
  });

  it('share every atomic step', async () => {
    const path = newPath();
    const rounds = 300;
    await withStore(path, async (store) => {
      await Promise.all(Array.from({ length: rounds }, (_, i) => store.set(`prize:${i}`, 'value', undefined)));
    });
    const outputs = await Promise.all(Array.from({ length: 3 }, () => runProcess([path, 'contend', String(rounds)])));
    const won = outputs.flatMap((output) => output.split('\n').filter(Boolean));
    assert.equal(won.length, 2 * rounds);
    assert.equal(new Set(won).size, 2 * rounds);
  });

  it('wait for one that holds it, without a blocked event loop', async () => {
    const path = newPath();
    await using store = new SqliteStore(path);
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const written = store.set('session:1', 'value', undefined);
    for (const endsAt = performance.now() + 300; performance.now() < endsAt; turns += 1) await setTimeout(5);
    assert.equal(await store.get('session:1'), undefined);
    holder.exec('COMMIT');
    await written;
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.ok(turns > 5, `${turns} turns in 300 ms`);
    holder.close();
  });

  it('are told within two seconds where it is held for too long, and go on afterwards', async () => {
    const path = newPath();
    await using store = new SqliteStore(path);
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    await assert.rejects(store.set('session:1', 'value', undefined), StoreUnavailableError);
    await assert.rejects(store.ping(), StoreUnavailableError);
    assert.ok(performance.now() - startedAt < 2_900);
    holder.exec('ROLLBACK');
    holder.close();
    await store.set('session:1', 'value', undefined);
    assert.equal((await store.get('session:1'))?.value, 'value');
  });
});

describe('the sweep of SqliteStore', () => {
  it('removes what is expired from the file, and answers between its batches', async () => {
    const path = newPath();
    const rows = 5_000;
    let now = Date.now();
    await using store = new SqliteStore(path, { now: () => now, sweepIntervalMs: 1 });
    await Promise.all(Array.from({ length: rows }, (_, i) => store.set(`notice:${i}`, 'value', 1_000)));
    await store.set('session:1', 'value', HOUR_MS);
    const viewer = new DatabaseSync(path, { readOnly: true });
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
    assert.ok(seen.size >= 10, `${seen.size} states were seen`);
    viewer.close();
  });
});

describe('the log of SqliteStore', () => {
  it('stays small while writes go on', async () => {
    const path = newPath();
    await using store = new SqliteStore(path);
    const value = 'x'.repeat(4_000);
    for (let round = 0; round < 25; round += 1) {
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${(round * 1_000 + i) % 7_919}`, value, HOUR_MS)));
    }
    assert.ok(statSync(`${path}-wal`).size < 50 * 2 ** 20, `${statSync(`${path}-wal`).size} bytes`);
  });

  it('is folded into the file when the store is closed', async () => {
    const path = newPath();
    await withStore(path, async (store) => {
      await Promise.all(Array.from({ length: 3_000 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS)));
    });
    assert.equal(existsSync(`${path}-wal`), false);
  });
});

async function withStore(path: string, use: (store: SqliteStore) => void | Promise<void>): Promise<void> {
  await using store = new SqliteStore(path);
  await use(store);
}

async function listKeys(store: SqliteStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const [key] of store.entries(prefix)) keys.push(key);
  return keys;
}

function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`];
}

function modesOf(path: string): string[] {
  return filesOf(path).map((file) => (statSync(file).mode & 0o777).toString(8));
}

/** Leaves the header, which says that it is a database, and nothing of the schema after it. */
async function damage(path: string): Promise<void> {
  await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
  const bytes = readFileSync(path);
  bytes.fill(0xaa, 100, 4096);
  writeFileSync(path, bytes);
}

function foreign(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE articles (title TEXT)');
  db.close();
}

function newer(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE entries (key TEXT); PRAGMA user_version = 1000;
    PRAGMA application_id = ${Buffer.from('Vest').readInt32BE()}`);
  db.close();
}

/** The superuser may write everywhere. */
function asOrdinaryUser(work: () => void): void {
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
}

function startProcess(args: readonly string[]) {
  return spawn(process.execPath, processArgs(args), { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function runProcess(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, processArgs(args))).stdout;
}

function processArgs(args: readonly string[]): string[] {
  return ['--conditions=@vestibule/source', join(import.meta.dirname, '_sqlite-process.ts'), ...args];
}

/** The whole lines that the process has printed so far. */
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

/** A disk whose syncs end when they are let go. */
class HeldDisk {
  #gate = Promise.withResolvers<void>();
  #asked = Promise.withResolvers<void>();

  readonly syncFile = async (): Promise<void> => {
    this.#asked.resolve();
    await this.#gate.promise;
  };

  isAsked(): Promise<void> {
    return this.#asked.promise;
  }

  hold(): void {
    this.#gate = Promise.withResolvers();
  }

  release(): void {
    this.#gate.resolve();
  }
}

/** A machine without power finds what was on the disk at the last sync: the files as they were when it began. */
class PowerSupply {
  checked = 0;
  readonly #path: string;
  #survivor: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  readonly syncFile = async (descriptor: number): Promise<void> => {
    const survivor = `${this.#path}.${this.checked}.survivor`;
    for (const suffix of ['', '-wal']) copyFileSync(this.#path + suffix, survivor + suffix);
    await promisify(fdatasync)(descriptor);
    await setImmediate();
    this.#survivor = survivor;
  };

  expect(key: string): void {
    assert.equal(this.#count(key), 1, `${key} is kept`);
  }

  expectGone(key: string): void {
    assert.equal(this.#count(key), 0, `${key} stays deleted`);
  }

  #count(key: string): number {
    this.checked += 1;
    const db = new DatabaseSync(this.#survivor ?? '');
    try {
      return Number(db.prepare('SELECT count(*) AS rows FROM entries WHERE key = ?').get(key)?.['rows']);
    } finally {
      db.close();
    }
  }
}
