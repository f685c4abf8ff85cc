/** What all tests of a suite share: started before the first of them, disposed of after the last. */

import { after, before } from 'node:test';

/** To be called inside of `describe`; what it gives is for the tests to call. Several are started in the order of the calls,
 *  and disposed of in the same. */
export function suiteResource<T extends AsyncDisposable>(start: () => Promise<T>): () => T {
  let resource: T | undefined;
  before(async () => { resource = await start(); });
  after(() => resource?.[Symbol.asyncDispose]());
  return () => {
    if (!resource) throw new Error('The suite has not begun.');
    return resource;
  };
}
