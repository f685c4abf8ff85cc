/** Anonymous requests and the store: the entries of one address are bounded (rate limit × lifetime). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { mountBff } from '../lib/mounted-bff.ts';
import { Browser } from './_world.ts';

const SYNC_PER_MINUTE = 5;

describe('one address without a session', () => {
  it('security review 3: grows the store by no more than its rate limit allows, with any cookies', async () => {
    let offsetMs = 0;
    const store = new MemoryStore({ now: () => Date.now() + offsetMs });
    await using bff = await mountBff({
      settings: { rateLimits: { sync: SYNC_PER_MINUTE }, syncSeconds: 60, cookieSecrets: [COOKIE_SECRET] },
      overrides: { store, now: () => Date.now() + offsetMs },
    });
    let created = 0;
    for (let i = 0; i < 60; i += 1) {
      const browser = new Browser(bff);
      const { status } = await browser.start({ ...browser.issueReturn(), code: `invented-${i}` });
      if (status === 201) created += 1;
      const attempt = await browser.ask('/sync/authorize?forum=news', { headers: { 'sec-fetch-site': 'same-origin' } });
      if (attempt.status === 302) created += 1;
    }
    assert.equal(created, SYNC_PER_MINUTE);
    const keys = await Array.fromAsync(store.entries(''), ([key]) => key);
    assert.ok(keys.length <= 2 * SYNC_PER_MINUTE, `${keys.length} entries`);
    offsetMs = 15 * 60_000;
    assert.deepEqual(await Array.fromAsync(store.entries(''), ([key]) => key), [], 'unspent codes and sign-ins expire');
  });
});
