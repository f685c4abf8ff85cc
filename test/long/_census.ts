/** Loaded with `--import` into a BFF process: logs the heap after a full collection at each SIGUSR2. */

import { writeSync } from 'node:fs';

let count = 0;

process.on('SIGUSR2', () => {
  count += 1;
  globalThis.gc?.();
  writeSync(1, `${JSON.stringify({ msg: `census ${count}`, heapBytes: process.memoryUsage().heapUsed })}\n`);
});
