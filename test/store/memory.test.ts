/** The store in memory. */

import { openStore } from '../../packages/bff/src/store/open.ts';
import { describeStoreContract } from './_store-contract.ts';

describeStoreContract('memory:', async () => {
  let now = Date.now();
  return {
    store: await openStore('memory:', { log: { info: () => undefined, warn: () => undefined }, now: () => now }),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { now += lifetimeMs; },
  };
});
