import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireForum } from '../http/request-input.ts';

describe('requireForum', () => {
  it('returns the named forum, or the first one', () => {
    assert.equal(requireForum(['news', 'sport'], 'sport'), 'sport');
    assert.equal(requireForum(['news', 'sport'], undefined), 'news');
  });

  it('throws forum-not-allowed for any other name', () => {
    for (const forum of ['', 'News', 'other', 'length', '__proto__']) {
      assert.throws(() => requireForum(['news', 'sport'], forum), { type: 'forum-not-allowed' }, forum);
    }
  });
});
