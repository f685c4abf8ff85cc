/** For tests of what happens after a pause: each timer of the test ends at once. */

import type { TestContext } from 'node:test';

export function endTimersAtOnce(t: TestContext): void {
  t.mock.method(globalThis, 'setTimeout', (callback: () => void) => setImmediate(callback));
}
