/** The writer thread of the SQLite store: the only connection of its process that writes, so that the event loop never waits
 *  for the disk. */

import { parentPort, workerData } from 'node:worker_threads';
import { serveBatches } from './sqlite-batches.ts';

export interface WorkerOptions {
  readonly path: string;
  /** How long a batch waits for another process that writes. */
  readonly busyTimeoutMs: number;
  /** Shared: how many messages the thread has not finished. */
  readonly tasks: Int32Array<SharedArrayBuffer>;
}

if (!parentPort) throw new Error('sqlite-worker.ts runs in a worker thread.');
const { path, busyTimeoutMs, tasks } = workerData as WorkerOptions;
serveBatches(parentPort, path, busyTimeoutMs, tasks);
