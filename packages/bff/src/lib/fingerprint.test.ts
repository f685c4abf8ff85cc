import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprint } from './fingerprint.ts';

describe('fingerprint', () => {
  it('is the same for the same parts and 256 bits long', () => {
    assert.equal(fingerprint('a', 'b'), fingerprint('a', 'b'));
    assert.match(fingerprint('a', 'b'), /^[\w-]{43}$/);
  });

  it('does not let parts run into each other', () => {
    const lists = [['ab'], ['a', 'b'], ['', 'ab'], ['ab', ''], ['a","b'], ['b', 'a'], []];
    assert.equal(new Set(lists.map((parts) => fingerprint(...parts))).size, lists.length);
  });
});
