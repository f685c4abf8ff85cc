import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { addTriggers, directory, failCommits, newPath, until, withStore } from './_sqlite-files.ts';
import { describeStoreContract } from './_store-contract.ts';
import { openForReading, openForWriting } from './sqlite-file.ts';
import { openSqliteStore, SqliteStore } from './sqlite-store.ts';
import type { Outcome, Write } from './sqlite-batches.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import { StoreUnavailableError } from './store.ts';

const HOUR_MS = 3_600_000;

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

  it('runs its writes in a thread only', async () => {
    await assert.rejects(import('./sqlite-worker.ts'), { message: 'sqlite-worker.ts runs in a worker thread.' });
  });

  it('explains why the file cannot be used', async () => {
    const path = newPath();
    using other = new DatabaseSync(path);
    other.exec('CREATE TABLE articles (title TEXT)');
    await assert.rejects(openSqliteStore(path), { message: `The store file ${path} cannot be used: it belongs to another application.` });
  });

  it('ends its thread if the file cannot be read', async (t) => {
    const path = newPath();
    await withStore(path, async (store) => { await store.set('session:1', 'value', HOUR_MS); });
    t.mock.method(DatabaseSync.prototype, 'prepare', () => { throw new Error('The file cannot be read.'); });
    await assert.rejects(openSqliteStore(path), { message: 'The file cannot be read.' });
    assert.equal(existsSync(`${path}-wal`), false);
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
});

describe('SqliteStore', () => {
  it('pings with a write that has expired already, and gives up before a second has passed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const path = newPath();
    openForWriting(path, 100).close();
    const writes: Write[] = [];
    const writer = {
      write: (write: Write) => {
        writes.push(write);
        return new Promise(() => undefined);
      },
      [Symbol.asyncDispose]: async () => undefined,
    } as unknown as SqliteWriter;
    await using store = new SqliteStore(openForReading(path), writer, () => 1_000, 5_000);
    const ping = assert.rejects(store.ping(), {
      name: 'StoreUnavailableError', cause: new Error('The disk did not answer in time.'),
    });
    t.mock.timers.tick(750);
    await ping;
    assert.deepEqual(writes, [{ statement: 'set', key: 'ping', value: '', expiresAt: 1_000 }]);
  });

  it('leaves the event loop to others while it lists many entries', async () => {
    await using store = await openSqliteStore(newPath());
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS)));
    let turns = 0;
    let isListed = false;
    const countTurn = () => {
      turns += 1;
      if (!isListed) globalThis.setImmediate(countTurn);
    };
    globalThis.setImmediate(countTurn);
    await Array.fromAsync(store.entries('session:'));
    isListed = true;
    assert.ok(turns > 1, `${turns} turns`);
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

  describe('of expired entries', () => {
    const setUp = async (t: TestContext) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const writes: Write[] = [];
      let pending = Promise.withResolvers<Outcome>();
      const writer = {
        write: (write: Write) => {
          writes.push(write);
          pending = Promise.withResolvers();
          return pending.promise;
        },
        [Symbol.asyncDispose]: async () => undefined,
      } as unknown as SqliteWriter;
      const path = newPath();
      openForWriting(path, 100).close();
      const store = new SqliteStore(openForReading(path), writer, () => 1_000, 5_000);
      /** The number of batches so far. */
      const after = (ms: number) => {
        t.mock.timers.tick(ms);
        return writes.length;
      };
      const settle = async (outcome: Outcome | Error) => {
        if (outcome instanceof Error) pending.reject(outcome); else pending.resolve(outcome);
        await setImmediate();
      };
      return { store, writes, after, settle };
    };

    it('runs regularly, soon again while a backlog remains, and after a failure', async (t) => {
      const { store, writes, after, settle } = await setUp(t);
      await using _store = store;
      assert.equal(after(4_999), 0);
      assert.equal(after(1), 1);
      assert.deepEqual(writes, [{ statement: 'sweep', limit: 200 }]);
      await settle({ changes: 200 });
      assert.deepEqual([after(19), after(1)], [1, 2]);
      await settle({ changes: 199 });
      assert.deepEqual([after(4_999), after(1)], [2, 3]);
      await settle(new StoreUnavailableError(new Error('The disk is full.')));
      assert.deepEqual([after(4_999), after(1)], [3, 4]);
    });

    it('ends with the store', async (t) => {
      const { store, after } = await setUp(t);
      await store[Symbol.asyncDispose]();
      assert.equal(after(60_000), 0);
    });

    it('ends with the store that is closed meanwhile', async (t) => {
      const { store, after, settle } = await setUp(t);
      assert.equal(after(5_000), 1);
      await store[Symbol.asyncDispose]();
      await settle({ changes: 200 });
      assert.equal(after(60_000), 1);
    });
  });
});

describe('the write-ahead log of SqliteStore', () => {
  it('is folded into the file when the store is closed', async () => {
    const path = newPath();
    await withStore(path, async (store) => {
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(`session:${i}`, 'value', HOUR_MS)));
    });
    assert.equal(existsSync(`${path}-wal`), false);
  });
});

function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`];
}

function modesOf(path: string): string[] {
  return filesOf(path).map((file) => (statSync(file).mode & 0o777).toString(8));
}
