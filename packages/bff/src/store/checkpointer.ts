/** Folds SQLite's write-ahead log into the file in a thread of its own, because that waits for the disk. The thread starts
 *  with the first need: a quiet deployment never has it. */

import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Writes after which the log is worth folding: some 20 MB. Pages that were written again and again by then are folded once. */
const WRITES_BETWEEN = 4_000;

export class Checkpointer implements AsyncDisposable {
  readonly #path: string;
  #worker: Worker | undefined;
  #writes = 0;
  #isRunning = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Counts writes, and begins a checkpoint where there were enough. */
  wrote(writes: number): void {
    this.#writes += writes;
    if (this.#writes < WRITES_BETWEEN || this.#isRunning) return;
    this.#writes = 0;
    this.#isRunning = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#worker) return;
    const ended = once(this.#worker, 'exit');
    this.#worker.ref();
    this.#worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const script = new URL(`./checkpoint-worker${extname(import.meta.filename)}`, import.meta.url);
    const worker = new Worker(script, { workerData: this.#path, env: {} });
    worker.unref();
    worker.on('message', () => { this.#isRunning = false; });
    // Without the thread the writer folds the log itself, later.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#isRunning = false;
    });
    return worker;
  }
}
