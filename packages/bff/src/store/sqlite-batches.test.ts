import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { addTriggers, failCommits, newPath } from './_sqlite-files.ts';
import { serveBatches, type Batch, type Committed, type Outcome, type Write } from './sqlite-batches.ts';

const NOW = 1_000;

/** The other side of the thread, in this process. */
async function connect(path: string) {
  const { port1: port, port2 } = new MessageChannel();
  const tasks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  serveBatches(port2, path, 20, tasks);
  const [opening] = await once(port, 'message') as [unknown];
  const send = async (...writes: readonly Write[]): Promise<readonly Outcome[]> => {
    port.postMessage({ now: NOW, writes } satisfies Batch);
    const [{ outcomes }] = await once(port, 'message') as [Committed];
    return outcomes;
  };
  const close = async () => {
    port.postMessage('close');
    await once(port, 'close');
  };
  return { opening, port, send, close, tasks };
}

const set = (key: string, value = 'value', expiresAt: number | null = null): Write => ({ statement: 'set', key, value, expiresAt });

function keysIn(path: string): unknown[] {
  using db = new DatabaseSync(path, { readOnly: true });
  return db.prepare('SELECT key FROM entries ORDER BY key').all().map(({ key }) => key);
}

/** Without the errors, of which only their presence counts. */
const outcomesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ error, ...outcome }) => (
  error === undefined ? outcome : { ...outcome, failed: true }
));

// A reply that never comes fails the test, although the port keeps the process running.
describe('serveBatches', { timeout: 60_000 }, () => {
  it('reports that the file is open, or why it cannot be used', async () => {
    const path = newPath();
    const { opening, close } = await connect(path);
    assert.deepEqual(opening, { opened: true });
    await close();
    const foreign = newPath();
    using db = new DatabaseSync(foreign);
    db.exec('CREATE TABLE articles (title TEXT)');
    const { opening: refused, port } = await connect(foreign);
    assert.deepEqual(refused, { openError: `The store file ${foreign} cannot be used: it belongs to another application.` });
    port.close();
  });

  it('replies how many rows each write changed, or which value it took', async () => {
    const { send, close } = await connect(newPath());
    assert.deepEqual(await send(
      set('one'), set('one', 'new'), set('expired', 'value', NOW), set('alive', 'value', NOW + 1),
      { statement: 'setIfAbsent', key: 'one', value: 'late', expiresAt: null },
      { statement: 'setIfAbsent', key: 'two', value: 'value', expiresAt: null },
      { statement: 'compareAndSet', key: 'one', expected: 'value', value: 'late', expiresAt: null },
      { statement: 'compareAndKeep', key: 'one', expected: 'new', value: 'newer' },
      { statement: 'touch', key: 'absent', expiresAt: NOW + 1 },
      { statement: 'compareAndDelete', key: 'two', expected: 'other' }, { statement: 'compareAndDelete', key: 'two', expected: 'value' },
      { statement: 'take', key: 'one' }, { statement: 'take', key: 'one' }, { statement: 'take', key: 'expired' },
    ), [
      { changes: 1 }, { changes: 1 }, { changes: 1 }, { changes: 1 }, { changes: 0 }, { changes: 1 }, { changes: 0 },
      { changes: 1 }, { changes: 0 }, { changes: 0 }, { changes: 1 }, { value: 'newer' }, {}, {},
    ]);
    await close();
  });

  it('deletes as many expired entries as it is told', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    await send(set('1', '', NOW), set('2', '', NOW), set('3', '', NOW), set('4', '', NOW + 1), set('5'));
    assert.deepEqual(await send({ statement: 'sweep', limit: 2 }), [{ changes: 2 }]);
    assert.deepEqual(await send({ statement: 'sweep', limit: 2 }), [{ changes: 1 }]);
    assert.deepEqual(keysIn(path), ['4', '5']);
    await close();
  });

  it('commits the other writes of a batch if a statement fails', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    addTriggers(path, 'ABORT');
    const outcomes = await send(set('one'), set('broken'), set('three'));
    assert.deepEqual(outcomesOf(outcomes), [{ changes: 1 }, { failed: true, mayHaveApplied: false }, { changes: 1 }]);
    assert.match(String(outcomes[1]?.error), /refused by a trigger/);
    assert.deepEqual(keysIn(path), ['one', 'three']);
    await close();
  });

  it('fails the whole batch if SQLite rolled back the transaction', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    addTriggers(path, 'ROLLBACK');
    assert.deepEqual(outcomesOf(await send(set('one'), set('broken'))), Array(2).fill({ failed: true, mayHaveApplied: false }));
    assert.deepEqual(keysIn(path), []);
    assert.deepEqual(await send(set('one')), [{ changes: 1 }]);
    await close();
  });

  it('fails the whole batch if the commit fails, with an unknown outcome', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    failCommits(path);
    assert.deepEqual(outcomesOf(await send(set('one'), set('broken'))), Array(2).fill({ failed: true, mayHaveApplied: true }));
    assert.deepEqual(keysIn(path), []);
    assert.deepEqual(await send(set('one')), [{ changes: 1 }]);
    await close();
  });

  it('fails the batch while another process writes, and continues afterwards', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    using other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    assert.deepEqual(outcomesOf(await send(set('one'))), [{ failed: true, mayHaveApplied: false }]);
    other.exec('ROLLBACK');
    assert.deepEqual(await send(set('one')), [{ changes: 1 }]);
    await close();
  });

  it('counts down each message that it has finished, and wakes the threads that wait for it', async () => {
    const { send, close, tasks } = await connect(newPath());
    Atomics.store(tasks, 0, 2);
    const { value } = Atomics.waitAsync(tasks, 0, 2, 5_000);
    await send(set('one'));
    assert.equal(await value, 'ok');
    assert.equal(Atomics.load(tasks, 0), 1);
    await close();
    assert.equal(Atomics.load(tasks, 0), 0);
  });

  it('folds the log into the file when it is closed', async () => {
    const path = newPath();
    const { send, close } = await connect(path);
    await send(set('one'));
    assert.equal(existsSync(`${path}-wal`), true);
    await close();
    assert.equal(existsSync(`${path}-wal`), false);
    assert.deepEqual(keysIn(path), ['one']);
  });
});
