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

  it('each find the text that they replace exactly once', async () => {
    const misfits: string[] = [];
    for (const { name, file, find } of mutations) {
      const source = await readFile(new URL(file, ROOT), 'utf8');
      if (source.split(find).length !== 2) misfits.push(`${name}: ${file} does not hold its text once`);
    }
    assert.deepEqual(misfits, []);
  });
});
