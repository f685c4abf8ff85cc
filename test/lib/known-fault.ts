/** Tests of promises that the product does not keep yet, in Node.js and in browsers. */

import { withDeadline } from './until.ts';

/** Waits are short in here: their end is the expected outcome. */
const DEADLINE_MS = 2_000;

/** A test that passes as long as an assertion of `test` fails, and fails as soon as `test` passes. Another error than a failed
 *  assertion is a fault of the test.
 *  @param finding name of the finding, such as `B4` or `reality.md C1` */
export function knownFault(finding: string, test: () => unknown): () => Promise<void> {
  return async () => {
    try {
      await withDeadline(DEADLINE_MS, test);
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') return;
      throw error;
    }
    throw new Error(`${finding} is fixed: remove knownFault.`);
  };
}
