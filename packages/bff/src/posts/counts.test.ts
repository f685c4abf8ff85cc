import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hooks } from '../hooks/hooks.ts';
import { createCountCache, createCounts } from './counts.ts';

describe('createCountCache', () => {
  it('is bounded in bytes: an entry has nothing of its address, which anybody may make 2,000 characters long', async () => {
    const cache = createCountCache();
    const hooks: Hooks = { has: () => true, run: async () => [1, 2] as never };
    const counts = createCounts({ hooks, cache, now: Date.now });
    assert.deepEqual(await counts?.('news', [1, 2].map((i) => `https://www.example.com/${i}${'x'.repeat(2_000)}`), async () => undefined), [1, 2]);
    assert.deepEqual([...cache.keys()].map((key) => key.length), [43, 43]);
    assert.ok(cache.max <= 50_000);
  });
});
