/**
 * Sends writes to the writer thread (`sqlite-worker.ts`), in batches: all that gather while the one before is committed.
 *
 * `process.exit()` ends threads and waits for them. A thread that the disk blocks would delay the exit for as long as the disk
 * hangs, so a process that exits then kills itself. The system keeps a process whose thread is inside an uninterruptible
 * call of a file system until that call returns.
 */

import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../lib/time.ts';
import type { Batch, Committed, Opening, Outcome, Write } from './sqlite-batches.ts';
import type { WorkerOptions } from './sqlite-worker.ts';
import { StoreUnavailableError } from './store.ts';

/** How long `close()` waits for the batches in flight, in ms. */
const CLOSE_TIMEOUT_MS = 2_000;

/** How long an exit waits for the batches in flight, in ms. */
const EXIT_TIMEOUT_MS = 300;

export interface SqliteWriterOptions extends Omit<WorkerOptions, 'tasks'> {
  readonly now: Clock;
  /** When a batch is reported as failed. Longer than `busyTimeoutMs`. */
  readonly writeTimeoutMs: number;
}

interface PendingWrite {
  readonly write: Write;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: StoreUnavailableError) => void;
}

export class SqliteWriter implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #now: Clock;
  readonly #writeTimeoutMs: number;
  #waiting: PendingWrite[] = [];
  /** One batch, and a last one when the writer is closed. */
  #inFlight: (readonly PendingWrite[])[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Set while the disk hangs, and for good when the thread has ended. */
  #failure: Error | undefined;
  #hasEnded = false;
  #closed: Promise<void> | undefined;
  /** How many messages the thread has not finished. */
  readonly #tasks: Int32Array<SharedArrayBuffer>;

  constructor(worker: Worker, { now, writeTimeoutMs, tasks }: SqliteWriterOptions & Pick<WorkerOptions, 'tasks'>) {
    this.#worker = worker;
    this.#tasks = tasks;
    this.#now = now;
    this.#writeTimeoutMs = writeTimeoutMs;
    worker.on('message', ({ outcomes }: Committed) => { this.#settle(outcomes); });
    worker.on('error', (error) => { this.#fail(error); });
    process.on('exit', this.#onExit);
    worker.on('exit', () => {
      process.off('exit', this.#onExit);
      this.#hasEnded = true;
      this.#fail(new Error('The writer thread has ended.'));
    });
    // After the listeners: a listener of messages refs the worker again.
    worker.unref();
  }

  /** Opens or creates the file. @throws {Error} for the operator */
  static async open(options: SqliteWriterOptions): Promise<SqliteWriter> {
    const { path, busyTimeoutMs } = options;
    const script = new URL(`./sqlite-worker${extname(import.meta.filename)}`, import.meta.url);
    const tasks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(script, { workerData: { path, busyTimeoutMs, tasks } satisfies WorkerOptions });
    const [message] = await once(worker, 'message') as [Opening];
    if ('openError' in message) throw new Error(message.openError);
    return new SqliteWriter(worker, { ...options, tasks });
  }

  /** Settles when the write is durable. @throws {StoreUnavailableError} */
  write(write: Write): Promise<Outcome> {
    const refusal = this.#closed ? new Error('The store is closed.') : this.#failure;
    if (refusal) return Promise.reject(new StoreUnavailableError(refusal, { mayHaveApplied: false }));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#waiting.length === 1 && this.#inFlight.length === 0) setImmediate(() => { this.#send(); });
    });
  }

  /** Finishes the writes, or gives up after a timeout. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#closed ??= this.#close();
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#inFlight.push(batch);
    this.#post({ now: this.#now(), writes: batch.map(({ write }) => write) });
    this.#timer ??= setTimeout(() => { this.#fail(new Error('The disk did not answer in time.')); }, this.#writeTimeoutMs);
  }

  #post(message: Batch | 'close'): void {
    Atomics.add(this.#tasks, 0, 1);
    this.#worker.ref();
    this.#worker.postMessage(message);
  }

  readonly #onExit = (): void => {
    const endsAt = performance.now() + EXIT_TIMEOUT_MS;
    for (let count; (count = Atomics.load(this.#tasks, 0)) > 0;) {
      if (Atomics.wait(this.#tasks, 0, count, Math.max(0, endsAt - performance.now())) === 'timed-out') {
        process.kill(process.pid, 'SIGKILL');
        return;
      }
    }
  };

  #settle(outcomes: readonly Outcome[]): void {
    this.#clearTimer();
    this.#failure = undefined;
    this.#worker.unref();
    for (const [i, { resolve, reject }] of (this.#inFlight.shift() as readonly PendingWrite[]).entries()) {
      const { error, mayHaveApplied, ...outcome } = outcomes[i] as Outcome;
      if (error === undefined) resolve(outcome);
      else reject(new StoreUnavailableError(error, { mayHaveApplied }));
    }
    this.#send();
  }

  /** Fails every write until the thread answers again. */
  #fail(reason: Error): void {
    this.#clearTimer();
    this.#failure = reason;
    for (const { reject } of this.#inFlight.flat()) reject(new StoreUnavailableError(reason));
    for (const { reject } of this.#waiting) reject(new StoreUnavailableError(reason, { mayHaveApplied: false }));
    this.#waiting = [];
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #close(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    this.#worker.once('exit', ended.resolve);
    if (this.#hasEnded) return;
    this.#send();
    this.#post('close');
    const timer = setTimeout(() => {
      this.#fail(new Error('The store was closed while the disk did not answer.'));
      // Settles only when the disk answers.
      void this.#worker.terminate();
      this.#worker.unref();
      ended.resolve();
    }, CLOSE_TIMEOUT_MS);
    await ended.promise;
    clearTimeout(timer);
  }
}
