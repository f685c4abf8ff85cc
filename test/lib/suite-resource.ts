/** A resource that all tests of a suite share. It starts before the first test and is disposed after the last. */

import { after, before } from 'node:test';

/** Call it inside `describe`. Resources start, and are disposed, in the order of the calls.
 *  @returns gives the resource; for tests only */
export function suiteResource<T extends AsyncDisposable>(start: () => Promise<T>): () => T {
  let resource: T | undefined;
  before(async () => { resource = await start(); });
  after(() => resource?.[Symbol.asyncDispose]());
  return () => {
    if (!resource) throw new Error('The suite has not begun.');
    return resource;
  };
}
