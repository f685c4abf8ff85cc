/**
 * Preloaded by each process of a test file: ends one that keeps running after its tests, with status 1, and names what keeps
 * it. Node.js would wait without end: `--test-timeout` is for tests, not for files. Files that share a process are not covered.
 */

import { after } from 'node:test';

/** Overrides the time, in ms. */
export const GRACE_VARIABLE = 'VESTIBULE_TEST_GRACE_MS';

/** Outlasts the hooks of the file, which run later than this one. */
const GRACE_MS = 30_000;

if (process.env['NODE_TEST_CONTEXT']) {
  after(() => {
    setTimeout(() => {
      console.error(`${process.argv[1]} runs after its tests: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    }, Number(process.env[GRACE_VARIABLE] ?? GRACE_MS)).unref();
  });
}
