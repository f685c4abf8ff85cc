import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Batch, Outcome, Write } from './sqlite-batches.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { StoreUnavailableError } from './store.ts';

/** The thread, played by the test. */
class FakeWorker extends EventEmitter {
  readonly messages: (Batch | 'close')[] = [];
  keepsProcessRunning = true;
  isTerminated = false;

  ref(): void { this.keepsProcessRunning = true; }
  unref(): void { this.keepsProcessRunning = false; }
  postMessage(message: Batch | 'close'): void { this.messages.push(message); }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 1;
  }

  reply(...outcomes: readonly Outcome[]): void { this.emit('message', { outcomes }); }
}

const workers: FakeWorker[] = [];
const TIMEOUT_MS = 5_000;
const write = (key: string): Write => ({ statement: 'set', key, value: key, expiresAt: null });
const [one, two, three] = [write('1'), write('2'), write('3')];
const batchOf = (...writes: readonly Write[]): Batch => ({ now: 1_000, writes });

function createWriter() {
  const worker = new FakeWorker();
  workers.push(worker);
  const tasks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const writer = new SqliteWriter(worker as unknown as Worker, {
    path: '', busyTimeoutMs: 0, writeTimeoutMs: TIMEOUT_MS, now: () => 1_000, tasks,
  });
  return { worker, writer, tasks };
}

/** What a write becomes: its outcome, or its error. */
function settled(write: Promise<Outcome>): Promise<unknown> {
  return write.catch((error: unknown) => error);
}

const unavailable = (message: string, options?: { mayHaveApplied: boolean }) => (
  new StoreUnavailableError(new Error(message), options)
);

describe('SqliteWriter', () => {
  /** Removes the listeners of the writers. */
  afterEach(() => { for (const worker of workers.splice(0)) worker.emit('exit', 0); });

  it('sends the writes of a turn of the event loop together, and those that gather meanwhile as the next batch', async () => {
    const { worker, writer } = createWriter();
    const first = Promise.all([writer.write(one), writer.write(two)]);
    assert.deepEqual(worker.messages, []);
    await setImmediate();
    assert.deepEqual(worker.messages, [batchOf(one, two)]);
    const second = writer.write(three);
    await setImmediate();
    assert.equal(worker.messages.length, 1);
    worker.reply({ changes: 1 }, { value: 'value' });
    assert.deepEqual(await first, [{ changes: 1 }, { value: 'value' }]);
    assert.deepEqual(worker.messages, [batchOf(one, two), batchOf(three)]);
    worker.reply({ changes: 0 });
    assert.deepEqual(await second, { changes: 0 });
    assert.equal(worker.messages.length, 2);
  });

  it('sends a batch only when the one before is committed', async () => {
    const { worker, writer } = createWriter();
    const first = writer.write(one);
    const last = setImmediate().then(() => writer.write(three));
    const second = writer.write(two);
    await setImmediate();
    assert.deepEqual(worker.messages, [batchOf(one, two)]);
    worker.reply({}, {});
    assert.deepEqual(worker.messages, [batchOf(one, two), batchOf(three)]);
    worker.reply({});
    await Promise.all([first, second, last]);
  });

  it('rejects the writes that failed, and says whether they may be in the file', async () => {
    const { worker, writer } = createWriter();
    const writes = [settled(writer.write(one)), settled(writer.write(two)), writer.write(three)];
    await setImmediate();
    const error = new Error('The disk is full.');
    worker.reply({ error, mayHaveApplied: false }, { error, mayHaveApplied: true }, { changes: 1 });
    assert.deepEqual(await Promise.all(writes), [
      unavailable('The disk is full.', { mayHaveApplied: false }), unavailable('The disk is full.'), { changes: 1 },
    ]);
  });

  it('keeps the process running while a batch is in flight only', async () => {
    const { worker, writer, tasks } = createWriter();
    assert.equal(worker.keepsProcessRunning, false);
    void writer.write(one);
    await setImmediate();
    assert.equal(worker.keepsProcessRunning, true);
    assert.equal(Atomics.load(tasks, 0), 1);
    worker.reply({});
    assert.equal(worker.keepsProcessRunning, false);
  });

  it('fails every write while the disk hangs, and continues when it answers', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { worker, writer } = createWriter();
    const inFlight = settled(writer.write(one));
    await setImmediate();
    const waiting = settled(writer.write(two));
    t.mock.timers.tick(TIMEOUT_MS - 1);
    assert.equal(await Promise.race([inFlight, waiting, setImmediate('pending')]), 'pending');
    t.mock.timers.tick(1);
    const reason = 'The disk did not answer in time.';
    assert.deepEqual(await inFlight, unavailable(reason, { mayHaveApplied: true }));
    assert.deepEqual(await waiting, unavailable(reason, { mayHaveApplied: false }));
    assert.deepEqual(await settled(writer.write(two)), unavailable(reason, { mayHaveApplied: false }));
    worker.reply({ changes: 1 });
    const afterwards = writer.write(three);
    await setImmediate();
    assert.deepEqual(worker.messages, [batchOf(one), batchOf(three)]);
    worker.reply({ changes: 1 });
    assert.deepEqual(await afterwards, { changes: 1 });
  });

  it('measures the time of each batch anew', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { worker, writer } = createWriter();
    const first = writer.write(one);
    await setImmediate();
    t.mock.timers.tick(TIMEOUT_MS - 1);
    worker.reply({});
    await first;
    const second = settled(writer.write(two));
    await setImmediate();
    t.mock.timers.tick(TIMEOUT_MS - 1);
    assert.equal(await Promise.race([second, setImmediate('pending')]), 'pending');
    t.mock.timers.tick(1);
    assert.ok(await second instanceof StoreUnavailableError);
  });

  it('fails every write when the thread has ended', async () => {
    const listeners = process.listenerCount('exit');
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    const timersBefore = timers();
    const { worker, writer } = createWriter();
    assert.equal(process.listenerCount('exit'), listeners + 1);
    const inFlight = settled(writer.write(one));
    await setImmediate();
    worker.emit('error', new Error('out of memory'));
    assert.deepEqual(await inFlight, unavailable('out of memory'));
    assert.equal(timers(), timersBefore, 'no timer keeps the process running');
    worker.emit('exit', 1);
    assert.deepEqual(await settled(writer.write(two)), unavailable('The writer thread has ended.', { mayHaveApplied: false }));
    assert.equal(process.listenerCount('exit'), listeners);
    await writer[Symbol.asyncDispose]();
    assert.deepEqual(worker.messages, [batchOf(one)]);
  });

  describe('when it is closed', () => {
    it('finishes the writes and ends the thread, once', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const { worker, writer } = createWriter();
      const first = writer.write(one);
      await setImmediate();
      const second = writer.write(two);
      const closing = [writer[Symbol.asyncDispose](), writer[Symbol.asyncDispose]()];
      assert.deepEqual(worker.messages, [batchOf(one), batchOf(two), 'close']);
      assert.deepEqual(await settled(writer.write(three)), unavailable('The store is closed.', { mayHaveApplied: false }));
      worker.reply({ changes: 1 });
      worker.reply({ changes: 2 });
      assert.deepEqual(await Promise.all([first, second]), [{ changes: 1 }, { changes: 2 }]);
      worker.emit('exit', 0);
      await Promise.all(closing);
      t.mock.timers.tick(10_000);
      assert.equal(worker.isTerminated, false);
      assert.equal(worker.messages.length, 3);
    });

    it('gives up a disk that hangs after two seconds', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const { worker, writer } = createWriter();
      const inFlight = settled(writer.write(one));
      const closed = writer[Symbol.asyncDispose]().then(() => 'closed');
      t.mock.timers.tick(1_999);
      assert.equal(await Promise.race([inFlight, closed, setImmediate('pending')]), 'pending');
      t.mock.timers.tick(1);
      assert.deepEqual(await inFlight, unavailable('The store was closed while the disk did not answer.', { mayHaveApplied: true }));
      assert.equal(await closed, 'closed');
      assert.deepEqual([worker.isTerminated, worker.keepsProcessRunning], [true, false]);
    });
  });

  describe('when the process exits', () => {
    const exit = (t: TestContext) => {
      const kill = t.mock.method(process, 'kill', () => true);
      process.listeners('exit').at(-1)?.(0);
      return kill.mock.calls.map((call) => call.arguments);
    };

    it('waits for nothing if nothing is in flight', (t) => {
      createWriter();
      assert.deepEqual(exit(t), []);
    });

    it('waits until the thread has finished its messages', async (t) => {
      const { tasks } = createWriter();
      Atomics.store(tasks, 0, 2);
      const thread = new Worker(`
        const { parentPort, workerData } = require('node:worker_threads');
        parentPort.postMessage('started');
        for (let i = 0; i < 2; i += 1) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
          Atomics.sub(workerData, 0, 1);
          Atomics.notify(workerData, 0);
        }
      `, { eval: true, workerData: tasks });
      await new Promise((resolve) => { thread.once('message', resolve); });
      assert.deepEqual(exit(t), []);
      assert.equal(Atomics.load(tasks, 0), 0);
    });

    it('kills the process, once, after 300 ms if the disk hangs', (t) => {
      const { tasks } = createWriter();
      Atomics.store(tasks, 0, 1);
      t.mock.method(performance, 'now', () => 10_000);
      const wait = t.mock.method(Atomics, 'wait');
      assert.deepEqual(exit(t), [[process.pid, 'SIGKILL']]);
      assert.deepEqual(wait.mock.calls.map((call) => call.arguments), [[tasks, 0, 1, 300]]);
    });
  });
});
