/** The mutations of `npm run test:mutations` fit the code as it is. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { mutations } from './mutations.ts';

const ROOT = new URL('../../', import.meta.url);

describe('the mutations', () => {
  it('are at least twenty', () => {
    assert.ok(mutations.length >= 20);
  });

  it('each find the text that they replace exactly once, and their test by its name', async () => {
    const misfits: string[] = [];
    for (const { name, file, find, test } of mutations) {
      const [source, tests] = await Promise.all([file, test.file].map((path) => readFile(new URL(path, ROOT), 'utf8')));
      if (source?.split(find).length !== 2) misfits.push(`${name}: ${file} does not hold its text once`);
      const isNamed = tests?.includes(test.name) || tests?.includes('`');
      if (!isNamed) misfits.push(`${name}: ${test.file} has no such test`);
    }
    assert.deepEqual(misfits, []);
  });
});
