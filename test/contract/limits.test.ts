/** Rate limits (contract, section 4: `VESTIBULE_RATE_LIMITS`). What evades them is in `test/security/rate-limits.test.ts`. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';

describe('the rate limits', () => {
  it('are named in the RateLimit fields, and in Retry-After once they are reached', async () => {
    await using bff = await startBff({ rateLimits: { posts: 3, sync: 4, other: 5 } });
    const browser = bff.browser();
    for (const [request, policy] of [
      [browser.get('/session'), '"other"; q=5; w=60'],
      [browser.get('/sync/authorize'), '"sync"; q=4; w=60'],
      [browser.post('/posts', {}), '"posts"; q=3; w=60'],
    ] as const) {
      const { headers } = await request;
      assert.ok(headers['ratelimit-policy']?.startsWith(policy), headers['ratelimit-policy']);
      assert.match(headers['ratelimit'] ?? '', /^"\w+"; r=\d+; t=\d+$/);
    }
    for (let i = 0; i < 4; i += 1) await browser.get('/session');
    const refused = await browser.get('/session');
    assert.equal(expectProblem(refused, 'too-many-requests').retryable, true);
    assert.match(refused.headers['retry-after'] ?? '', /^[1-5]?\d$|^60$/);
  });

  const statusesOf = async (trustProxy: false | 'loopback', addresses: readonly string[]) => {
    await using bff = await startBff({ rateLimits: { other: 2 }, trustProxy });
    const statuses: number[] = [];
    for (const address of addresses) statuses.push((await bff.browser().get('/session').set('X-Forwarded-For', address)).status);
    return statuses;
  };

  it('use X-Forwarded-For of a trusted proxy only, and count IPv6 by /64', async () => {
    const three = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    assert.deepEqual(await statusesOf(false, three), [200, 200, 429]);
    assert.deepEqual(await statusesOf('loopback', three), [200, 200, 200]);
    assert.deepEqual(await statusesOf('loopback', ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3']), [200, 200, 429]);
  });

  it('count one address in each spelling of X-Forwarded-For', async () => {
    for (const spellings of [
      ['192.0.2.1', '192.0.2.1:1000', '::ffff:192.0.2.1'],
      ['2001:db8::1', '[2001:db8::2]', '[2001:db8::3]:443'],
      ['198.51.100.9, 192.0.2.1:1000', '198.51.100.8,192.0.2.1', 'unknown, 192.0.2.1'],
      ['unknown', 'unknown', 'unknown'],
    ]) assert.deepEqual([spellings, await statusesOf('loopback', spellings)], [spellings, [200, 200, 429]]);
  });

  it('do not apply to health and files, nor where they are off', async () => {
    await using bff = await startBff({ rateLimits: 'off' });
    for (let i = 0; i < 70; i += 1) expectStatus(await bff.browser().get('/sync/authorize'), 302);
    await using limited = await startBff({ rateLimits: { posts: 1, sync: 1, other: 1 } });
    for (const path of ['/healthz', '/widget.js']) for (let i = 0; i < 3; i += 1) expectStatus(await limited.browser().get(path), 200);
  });

  it('count three requests of sync for a standard sign-in: the form page is not one of them', async () => {
    await using bff = await startBff({ rateLimits: { sync: 3 } });
    const reader = bff.browser();
    expectStatus(await reader.authorize('forum=news'), 302);
    expectStatus(await reader.receive(reader.issueReturn()), 303);
    expectStatus(await reader.get('/sync/form').set('Accept', 'text/html'), 200);
    expectStatus(await reader.validate(), 200);
  });

  it('count three requests of sync for an embedded sign-in', async () => {
    await using bff = await startBff({ rateLimits: { sync: 3 } });
    const reader = bff.browser();
    const syncReturn = reader.issueReturn();
    expectStatus(await reader.receive(syncReturn, { Accept: 'text/html' }), 200);
    expectStatus(await reader.start(syncReturn), 201);
    expectStatus(await reader.validate(), 200);
  });
});
