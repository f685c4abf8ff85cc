/** Several processes on one file, processes that end in the middle of their writes, and large logs. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { linesOf, newPath, processArgs, runProcess, startProcess, until, withStore } from './_sqlite-files.ts';
import { backUpSqliteFile } from './sqlite-file.ts';
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts';

const HOUR_MS = 3_600_000;

describe('a process on a SQLite file', () => {
  it('does not keep an idle process running', async () => {
    assert.equal(await runProcess([newPath(), 'leaveOpen']), 'opened\n');
    assert.equal(await runProcess([newPath(), 'writeAndLeaveOpen']), 'written\n');
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
});
