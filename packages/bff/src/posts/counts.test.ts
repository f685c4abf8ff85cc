import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LRUCache } from 'lru-cache';
import type { Hooks } from '../hooks/hooks.ts';
import { createCounts } from './counts.ts';

describe('createCounts', () => {
  it('keeps nothing of an address, which anybody may make 2,000 characters long', async () => {
    const cache = new LRUCache<string, { readonly readAt: number; readonly count: Promise<number | null> }>({ max: 10 });
    const hooks: Hooks = { has: () => true, run: async () => [1, 2] as never };
    const counts = createCounts({ hooks, now: Date.now }, cache);
    assert.deepEqual(await counts?.('news', [1, 2].map((i) => `https://www.example.com/${i}${'x'.repeat(2_000)}`), async () => undefined), [1, 2]);
    assert.deepEqual([...cache.keys()].map((key) => key.length), [43, 43]);
  });
});
