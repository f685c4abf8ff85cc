/** The mutations of `npm run test:mutations` apply to the code. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { mutations } from './mutations/index.ts';

const ROOT = new URL('../../', import.meta.url);

describe('the mutations', () => {
  it('are at least twenty', () => {
    assert.ok(mutations.length >= 20);
  });

  it('each apply to the code: their text occurs once', async () => {
    const misfits: string[] = [];
    for (const { name, file, find } of mutations) {
      const source = await readFile(new URL(file, ROOT), 'utf8');
      if (source.split(find).length !== 2) misfits.push(`${name}: its text does not occur once in ${file}`);
    }
    assert.deepEqual(misfits, []);
  });
});
