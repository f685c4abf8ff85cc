/** Group commit over a real database. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { GroupCommit } from './group-commit.ts';
import { StoreUnavailableError } from './store.ts';

class Bench {
  readonly db = new DatabaseSync(':memory:');
  readonly commits: GroupCommit;
  transactions = 0;
  syncs = 0;

  constructor(sync: () => Promise<void> = async () => undefined) {
    this.db.exec('CREATE TABLE notes (text TEXT)');
    this.commits = new GroupCommit({
      transact: (steps) => {
        this.transactions += 1;
        this.db.exec('BEGIN');
        try {
          for (const step of steps) step();
          this.db.exec('COMMIT');
        } catch (error) {
          this.db.exec('ROLLBACK');
          throw error;
        }
      },
      sync: () => {
        this.syncs += 1;
        return sync();
      },
      isBusy: () => false,
    });
  }

  note(text: string): Promise<string> {
    return this.commits.write(text, () => {
      this.db.prepare('INSERT INTO notes VALUES (?)').run(text);
      return text;
    });
  }

  get notes(): number {
    return Number(this.db.prepare('SELECT count(*) AS notes FROM notes').get()?.['notes']);
  }
}

describe('GroupCommit', () => {
  it('puts the writes of one turn into one transaction and one sync, and answers each', async () => {
    const bench = new Bench();
    const texts = Array.from({ length: 100 }, (_, i) => `note ${i}`);
    assert.deepEqual(await Promise.all(texts.map((text) => bench.note(text))), texts);
    assert.deepEqual([bench.transactions, bench.syncs, bench.notes], [1, 1, 100]);
  });

  it('gathers what arrives while the disk is busy', async () => {
    const gate = Promise.withResolvers<void>();
    const bench = new Bench(() => gate.promise);
    const first = bench.note('first');
    while (bench.syncs === 0) await new Promise((resolve) => { setImmediate(resolve); });
    const later = Array.from({ length: 50 }, (_, i) => bench.note(`later ${i}`));
    gate.resolve();
    await Promise.all([first, ...later]);
    assert.deepEqual([bench.transactions, bench.syncs], [2, 2]);
  });

  it('gathers what each turn brings, but not for long', async () => {
    const bench = new Bench();
    const startedAt = performance.now();
    const notes: Promise<string>[] = [];
    while (bench.transactions === 0) {
      const turn = new Promise((resolve) => { setImmediate(resolve); });
      notes.push(bench.note(`note ${notes.length}`));
      await turn;
    }
    assert.ok(performance.now() - startedAt >= 2);
    await Promise.all(notes);
    assert.ok(notes.length > 2 && bench.transactions <= 2, `${bench.transactions} transactions for ${notes.length} notes`);
  });

  it('rejects every write of a transaction that failed, keeps none of them, and goes on', async () => {
    const bench = new Bench();
    const broken = bench.commits.write('broken', () => { throw new Error('no'); });
    const outcomes = await Promise.allSettled([bench.note('before'), broken, bench.note('after')]);
    assert.deepEqual(outcomes.map(({ status }) => status), ['rejected', 'rejected', 'rejected']);
    assert.equal(bench.notes, 0);
    await bench.note('later');
    assert.equal(bench.notes, 1);
  });

  it('rejects every write of a transaction for which there is no room', async () => {
    const bench = new Bench();
    const { page_count: pages } = bench.db.prepare('PRAGMA page_count').get() as { page_count: number };
    bench.db.exec(`PRAGMA max_page_count = ${pages}`);
    const outcomes = await Promise.allSettled([bench.note('short'), bench.note('x'.repeat(100_000))]);
    assert.deepEqual(outcomes.map(({ status }) => status), ['rejected', 'rejected']);
    assert.equal(bench.notes, 0);
    bench.db.exec('PRAGMA max_page_count = 1000');
    await bench.note('short');
    assert.equal(bench.notes, 1);
  });

  it('believes no write any more after a sync failed', async () => {
    const bench = new Bench(async () => { throw new Error('EIO'); });
    const isOver = (error: unknown) => (
      error instanceof StoreUnavailableError && error.cause instanceof Error && /The disk did not take a write/.test(error.cause.message)
    );
    const first = bench.note('first');
    await assert.rejects(first, isOver);
    await assert.rejects(bench.note('second'), isOver);
    assert.throws(() => bench.commits.unsynced(['first']), isOver);
    assert.equal(bench.syncs, 1);
  });

  it('drains to its end', async () => {
    const bench = new Bench();
    let settled = 0;
    for (let i = 0; i < 10; i += 1) void bench.note(`note ${i}`).then(() => { settled += 1; });
    await bench.commits.drain();
    assert.equal(settled, 10);
    await bench.commits.drain();
  });
});
