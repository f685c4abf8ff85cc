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
