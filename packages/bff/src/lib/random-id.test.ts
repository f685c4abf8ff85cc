import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomId } from './identifiers.ts';

describe('randomId', () => {
  it('is 256 bits in base64url, another each time', () => {
    const ids = Array.from({ length: 1000 }, randomId);
    assert.equal(new Set(ids).size, 1000);
    for (const id of ids) assert.match(id, /^[\w-]{43}$/);
  });
});
