/** The store on a SQLite file: what it keeps, who may read it, and which files it refuses. Two processes on one file are in
 *  `two-processes.test.ts`. */

import assert from 'node:assert/strict';
import {
  chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, mock } from 'node:test';
import type { Store } from '@vestibule/bff';
import { openStore } from '../../packages/bff/src/store/open.ts';
import { startBff } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { describeStoreContract } from './_store-contract.ts';

const HOUR_MS = 3_600_000;

const directory = suiteResource(temporaryDirectory);
let files = 0;
const newPath = () => join(directory().path, `store-${files += 1}.db`);
const open = (path: string): Promise<Store> => openStore(`sqlite:${path}`);

describe('by its own clock', () => {
  before(() => { mock.timers.enable({ apis: ['Date'], now: Date.now() }); });
  after(() => { mock.timers.reset(); });
  describeStoreContract('sqlite:', async () => ({
    store: await open(newPath()),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { mock.timers.tick(lifetimeMs); },
  }));
});

describe('a SQLite file', () => {
  it('keeps what was written when it is opened again', async () => {
    const path = newPath();
    await using first = await open(path);
    await first.set('session:1', 'value', HOUR_MS);
    await first[Symbol.asyncDispose]();
    await using second = await open(path);
    assert.equal((await second.get('session:1'))?.value, 'value');
  });

  it('belongs to its owner alone, with its log and its index', async () => {
    const path = newPath();
    const umask = process.umask(0);
    try {
      writeFileSync(path, '', { mode: 0o666 });
      chmodSync(path, 0o666);
      await using store = await open(path);
      await store.set('session:1', 'value', HOUR_MS);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const modes = readdirSync(directory().path).filter((file) => file.startsWith(name))
        .map((file) => [file, (statSync(join(directory().path, file)).mode & 0o777).toString(8)]);
      assert.deepEqual(modes, modes.map(([file]) => [file, '600']));
    } finally {
      process.umask(umask);
    }
  });

  it('has a log of bounded size again after a long read', async () => {
    const path = newPath();
    await using store = await open(path);
    await store.set('session:1', 'value', HOUR_MS);
    using other = new DatabaseSync(path);
    other.exec('BEGIN; SELECT count(*) FROM entries');
    const mebibyte = 'x'.repeat(1024 * 1024);
    const sizes: number[] = [];
    const write = async (times: number) => {
      for (let i = 0; i < times; i += 1) await store.set(`session:${i}`, mebibyte, HOUR_MS);
      sizes.push(statSync(`${path}-wal`).size / mebibyte.length);
    };
    await write(20);
    other.exec('COMMIT');
    await write(2);
    assert.deepEqual(sizes.map((size) => size > 10), [true, false], sizes.join());
  });

  for (const [what, change] of [
    ['deleted', (path: string) => { rmSync(path); }],
    ['replaced', (path: string) => { renameSync(path, `${path}.old`); copyFileSync(`${path}.old`, path); }],
    ['robbed of its log', (path: string) => { rmSync(`${path}-wal`); }],
    ['robbed of the index of its log', (path: string) => { rmSync(`${path}-shm`); }],
  ] as const) {
    it(`that is ${what} while it is open takes no write: posts are not sent, and the BFF is unready, with the reason in the log`, async () => {
      const path = newPath();
      await using bff = await startBff({ store: `sqlite:${path}` });
      const reader = bff.browser();
      await reader.signIn();
      change(path);
      expectStatus(await reader.get('/readyz'), 503);
      assert.equal(expectProblem(await reader.createPost('Hello'), 'service-unavailable').retryable, true);
      expectProblem(await bff.browser().start(), 'service-unavailable');
      assert.deepEqual(bff.service.posts, []);
      const reasons = bff.log.filter(({ level }) => Number(level) >= 40).map(({ reason }) => String(reason));
      assert.equal(reasons.length, 3);
      for (const reason of reasons) assert.match(reason, /was deleted or replaced: restart/);
    });
  }

  const PAGE_BYTES = 4_096;
  /** First byte of a page of an index and of a table that has no pages below it. */
  const LEAVES = [10, 13];

  /** Overwrites the leaves that have keys of sessions and not the one that `GET /readyz` writes, also in the log. */
  function damageSessions(path: string): void {
    using other = new DatabaseSync(path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      const page = bytes.subarray(at, at + PAGE_BYTES);
      if (LEAVES.includes(page[0] ?? 0) && page.includes('session:') && !page.includes('ping')) page.fill(0xaa);
    }
    const file = openSync(path, 'r+');
    writeSync(file, bytes);
    closeSync(file);
  }

  it('that is damaged while it is open leaves the BFF unready from the first request that fails, with the reason in the log', async () => {
    const path = newPath();
    await using bff = await startBff({ store: `sqlite:${path}` });
    const reader = bff.browser();
    await reader.signIn();
    {
      // Between the keys of both, so that no page has both.
      await using filling = await open(path);
      for (let i = 0; i < 500; i += 1) await filling.set(`ready:${i}`, 'value', HOUR_MS);
    }
    expectStatus(await reader.get('/readyz'), 200);
    damageSessions(path);
    expectProblem(await reader.createPost('Hello'), 'service-unavailable');
    await until('the BFF is unready', async () => (await reader.get('/readyz')).status === 503);
    const line = bff.log.findLast(({ msg }) => String(msg).includes('GET /readyz is 503'));
    assert.equal(line?.['reason'], 'SQLite: database disk image is malformed');
  });

  it('is refused if it is damaged', async () => {
    const path = newPath();
    await using store = await open(path);
    for (let i = 0; i < 100; i += 1) await store.set(`session:${i}`, 'value', HOUR_MS);
    await store[Symbol.asyncDispose]();
    damageSessions(path);
    await assert.rejects(open(path), ({ message }: Error) => message.includes(path) && message.includes('malformed'));
  });

  const refused: Readonly<Record<string, readonly [prepare: (path: string) => void, reason: RegExp]>> = {
    'is not a database': [(path) => { writeFileSync(path, 'A text file, and no database. '.repeat(100)); }, /file is not a database/],
    'belongs to another application': [(path) => {
      using other = new DatabaseSync(path);
      other.exec('CREATE TABLE articles (title TEXT)');
    }, /it belongs to another application/],
    'is a directory': [(path) => { mkdirSync(path); }, /illegal operation on a directory/],
  };
  for (const [what, [prepare, reason]] of Object.entries(refused)) {
    it(`is refused if it ${what}, and stays as it is`, async () => {
      const path = newPath();
      prepare(path);
      const content = () => (statSync(path).isFile() ? readFileSync(path, 'latin1') : '');
      const found = content();
      await assert.rejects(open(path), ({ message }: Error) => {
        assert.match(message, reason);
        assert.ok(message.includes(path));
        return true;
      });
      assert.equal(content(), found);
    });
  }

  it('is refused in a directory that does not exist', async () => {
    await assert.rejects(open(join(newPath(), 'store.db')), /no such file or directory/);
  });

  it('is refused where the process may not write, to the folder or to the file', async () => {
    const path = newPath();
    mkdirSync(path, { mode: 0o555 });
    const readOnly = newPath();
    writeFileSync(readOnly, '', { mode: 0o444 });
    const uid = process.geteuid?.() ?? 0;
    chmodSync(directory().path, 0o755);
    // Root may write anywhere.
    if (uid === 0) process.seteuid?.(65_534);
    try {
      for (const file of [join(path, 'store.db'), readOnly]) await assert.rejects(open(file), /permission denied/);
    } finally {
      process.seteuid?.(uid);
    }
  });
});
