import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomId, sha256 } from './identifiers.ts';

describe('randomId', () => {
  it('is 256 bits in base64url, another each time', () => {
    const ids = Array.from({ length: 1000 }, randomId);
    assert.equal(new Set(ids).size, 1000);
    for (const id of ids) assert.match(id, /^[\w-]{43}$/);
  });
});

describe('sha256', () => {
  it('is the same for the same parts and 256 bits long', () => {
    assert.equal(sha256('a', 'b'), sha256('a', 'b'));
    assert.match(sha256('a', 'b'), /^[\w-]{43}$/);
  });

  it('does not let parts run into each other', () => {
    const lists = [['ab'], ['a', 'b'], ['', 'ab'], ['ab', ''], ['a","b'], ['b', 'a'], []];
    assert.equal(new Set(lists.map((parts) => sha256(...parts))).size, lists.length);
  });
});
