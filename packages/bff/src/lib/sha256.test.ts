import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from './identifiers.ts';

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
