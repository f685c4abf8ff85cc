/** The BFF stays small, and one request can be followed through few files. `npm run structure` prints the figures. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureRequests, measureSource } from './_structure.ts';

/** Lower them when the source shrinks. */
const LIMITS = { files: 110, lines: 10_890, session: 22, post: 40, sync: 46 };

describe('packages/bff/src', () => {
  it('does not grow', async () => {
    const { files, lines } = await measureSource();
    assert.ok(files <= LIMITS.files, `${files} files`);
    assert.ok(lines <= LIMITS.lines, `${lines} lines`);
  });
});

describe('a request', () => {
  it('executes code in few source files', async () => {
    const requests = await measureRequests();
    for (const name of ['session', 'post', 'sync'] as const) {
      const files = requests[name];
      assert.ok(files.length <= LIMITS[name], `${name}: ${files.length} files, more than ${LIMITS[name]}:\n${files.join('\n')}`);
    }
  });
});
