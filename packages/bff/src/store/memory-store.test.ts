import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeStoreContract } from './_store-contract.ts';
import { MemoryStore } from './memory-store.ts';

describeStoreContract('MemoryStore', async () => {
  let now = Date.now();
  return {
    store: new MemoryStore({ now: () => now }),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { now += lifetimeMs; },
  };
});

describe('MemoryStore', () => {
  it('removes expired entries from time to time, so that they stay absent when the clock is set back', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    await using store = new MemoryStore({ now: () => now });
    await store.set('session:1', 'value', 1_000);
    await store.set('session:2', 'value', 2_000);
    now = 1_000;
    t.mock.timers.tick(60_000);
    now = 0;
    assert.deepEqual(await Array.fromAsync(store.entries('')), [['session:2', 'value']]);
  });

  it('removes an expired entry when it is read', async () => {
    let now = 0;
    await using store = new MemoryStore({ now: () => now });
    await store.set('session:1', 'value', 1_000);
    now = 1_000;
    assert.equal(await store.get('session:1'), undefined);
    now = 0;
    assert.equal(await store.get('session:1'), undefined);
  });

  it('stops its timer and says that it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const store = new MemoryStore();
    await store.set('session:1', 'value', 1_000);
    await store[Symbol.asyncDispose]();
    t.mock.timers.tick(60_000);
    const closed = { name: 'StoreUnavailableError', cause: new Error('The store is closed.') };
    await assert.rejects(store.get('session:1'), closed);
    await assert.rejects(Array.fromAsync(store.entries('nothing:')), closed);
  });
});
