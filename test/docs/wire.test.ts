/** What the README of the shared package says, against its exports. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpoints, problemTypes } from '@vestibule/shared';
import { readDocument } from './_documents.ts';

describe('the README of the shared package', async () => {
  const readme = await readDocument('packages/shared/README.md');
  const rows = (row: RegExp): string[][] => [...readme.matchAll(row)].map(([, ...cells]) => cells);

  it('lists every endpoint, and no other', () => {
    const expected = Object.entries(endpoints).map(([name, { method, path }]) => [name, `${method} ${path}`]);
    assert.deepEqual(rows(/^\| `(\w+)` \| `([A-Z]+ \/[\w/]+)` \|/gm), expected);
  });

  it('lists every problem with its status, and no other', () => {
    const expected = Object.entries(problemTypes).map(([name, { status }]) => [name, String(status)]);
    assert.deepEqual(rows(/^\| `([a-z-]+)` \| (\d{3}) \|$/gm), expected);
  });
});
