/** Reads: `GET /session` does not write, and `GET /posts` needs no session. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';

describe('GET /session', () => {
  it('does not write to the store if no notice waits', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const before = await writesOf(bff.vestibule);
    for (let i = 0; i < 5; i += 1) assert.equal((await browser.session()).state, 'signed-in');
    assert.equal((await bff.browser().session()).state, 'anonymous');
    assert.deepEqual(await writesOf(bff.vestibule), before);
  });
});

describe('GET /posts', () => {
  it('needs no store, also with the cookie of a session', async () => {
    const store = new FailingStore();
    const posts = { list: () => ({ posts: [] }) };
    await using bff = await startBff({ storeInstance: store, posts, rateLimits: { other: 100 } });
    const browser = bff.browser();
    await browser.signIn();
    store.fail({ operation: 'get', key: 'session:', applied: false, times: Infinity });
    const { status } = await browser.get(`/posts?page=${new URL(bff.publicUrl).origin}/a`);
    assert.deepEqual([status, store.failed > 0], [200, true]);
    assert.equal((await browser.get('/session')).status, 503);
  });
});

const writes = ['set', 'setIfAbsent', 'compareAndSet', 'touch', 'take', 'delete'];

/** Counts of the store's operations that write, by operation and result. */
async function writesOf(vestibule: { metrics(): Promise<string> }): Promise<readonly string[]> {
  const lines = (await vestibule.metrics()).split('\n').filter((line) => line.startsWith('vestibule_store_operation_duration_seconds_count{'));
  const countsOf = (operation: string) => lines.filter((line) => line.includes(`operation="${operation}"`));
  for (const operation of writes) assert.equal(countsOf(operation).length, 2, `${operation}: ok and unavailable`);
  return writes.flatMap(countsOf);
}
