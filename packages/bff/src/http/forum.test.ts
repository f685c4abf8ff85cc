import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireForum } from './forum.ts';

describe('requireForum', () => {
  it('gives the forum that is named, and the first where none is', () => {
    assert.equal(requireForum(['news', 'sport'], 'sport'), 'sport');
    assert.equal(requireForum(['news', 'sport'], undefined), 'news');
  });

  it('refuses every other', () => {
    for (const forum of ['', 'News', 'other', 'length', '__proto__']) {
      assert.throws(() => requireForum(['news', 'sport'], forum), { type: 'forum-not-allowed' }, forum);
    }
  });
});
