/** Promises of the contract about sign-ins that reviews found broken. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Problem } from '@vestibule/shared';
import { startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectStatus } from '../lib/reader.ts';

/** More operations than `POST /sync` has. */
const MAX_OPERATIONS = 100;

describe('POST /sync without an Idempotency-Key', () => {
  it('gets the same sign-in when it is repeated after the store lost a reply', async () => {
    const outcomes: string[] = [];
    for (let n = 1; n < MAX_OPERATIONS; n += 1) {
      const store = new FailingStore();
      await using bff = await startBff({}, { store });
      const reader = bff.browser();
      const syncReturn = reader.issueReturn();
      store.failAt(n, { applied: true });
      const first = await reader.start(syncReturn);
      if (!store.hasFailed) break;
      store.recover();
      if (!first.ok) assert.equal((first.body as Problem).retryable, true, first.text);
      const again = await reader.start(syncReturn);
      outcomes.push(`operation ${n}: ${again.status}`);
    }
    assert.ok(outcomes.length > 0);
    assert.deepEqual(outcomes.filter((outcome) => !outcome.endsWith('201')), []);
  });
});

describe('the limit of sync', () => {
  it('counts three requests of a standard sign-in: the form page is not one of them', async () => {
    await using bff = await startBff({ rateLimits: { sync: 3 } });
    const reader = bff.browser();
    expectStatus(await reader.authorize('forum=news'), 302);
    expectStatus(await reader.receive(reader.issueReturn()), 303);
    expectStatus(await reader.get('/sync/form').set('Accept', 'text/html'), 200);
    expectStatus(await reader.validate(), 200);
  });

  it('counts three requests of an embedded sign-in', async () => {
    await using bff = await startBff({ rateLimits: { sync: 3 } });
    const reader = bff.browser();
    const syncReturn = reader.issueReturn();
    expectStatus(await reader.receive(syncReturn, { Accept: 'text/html' }), 200);
    expectStatus(await reader.start(syncReturn), 201);
    expectStatus(await reader.validate(), 200);
  });
});

describe('a page of the BFF', () => {
  for (const [path, words] of [['/sync/form', /JavaScript/], ['/sync/authorize?forum=news', /sign in/i]] as const) {
    it(`in English has lang="en" for each Accept-Language: ${path}`, async () => {
      await using bff = await startBff();
      const { text } = await bff.browser().get(path).set({ Accept: 'text/html', 'Accept-Language': 'eo', 'Sec-Fetch-Site': 'cross-site' });
      assert.match(text, words);
      assert.match(text, /<html lang="en"/);
    });
  }
});
