/** The thread of `checkpointer.ts`: a connection that does nothing but passive checkpoints, which block nobody. */

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData as string);

parentPort?.on('message', (wish: 'checkpoint' | 'close') => {
  if (wish === 'close') {
    db.close();
    parentPort?.close();
    return;
  }
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort?.postMessage('done');
});
