/** What `docs/privacy.md` and `docs/security.md` say about requests of the BFF to the service. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWorld } from '../security/_world.ts';

const USER_AGENT = 'a-browser-of-a-reader/1.0';
const ADDRESS = '203.0.113.7';

describe('the BFF, to the service', () => {
  it('sends neither the address nor the User-Agent of a reader, and no User-Agent of its own', async () => {
    await using world = await startWorld({ trustProxy: 'loopback' });
    const browser = world.browser();
    const headers = { 'user-agent': USER_AGENT, 'x-forwarded-for': ADDRESS };
    await browser.ask('/sync', { method: 'POST', headers, json: browser.issueReturn() });
    await browser.ask('/sync/validation', { method: 'POST', headers, json: { ...await browser.shown(), answers: { age: 30 } } });
    const posted = await browser.ask('/posts', {
      method: 'POST', headers: { ...headers, 'idempotency-key': crypto.randomUUID() }, json: { forum: 'news', message: 'Hello' },
    });
    assert.equal(posted.status, 201);
    const { requests } = world.service;
    assert.deepEqual(requests.map(({ endpoint }) => endpoint), ['token', 'posts']);
    for (const { endpoint, path, headers: sent, body } of requests) {
      assert.equal(sent['user-agent'], undefined, endpoint);
      const text = `${path} ${JSON.stringify(sent)} ${body.toString('latin1')}`;
      for (const datum of [USER_AGENT, ADDRESS]) assert.ok(!text.includes(datum), `${endpoint}: ${datum}`);
    }
  });

  it('sends the code, and for each post the forum, the text, the parameters of prepare and the access token', async () => {
    await using world = await startWorld({ posts: { prepare: () => ({ ok: true, params: { thread: '7' } }) } });
    const browser = world.browser();
    await browser.signIn();
    await browser.post('Hello');
    const [exchange, post] = world.service.requests;
    const paramsOf = ({ body }: { body: Buffer }) => Object.fromEntries(new URLSearchParams(body.toString()));
    assert.deepEqual(Object.keys(paramsOf(exchange!)).toSorted(), ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri']);
    assert.deepEqual(paramsOf(post!), { forum: 'news', message: 'Hello', thread: '7' });
    assert.match(post!.headers['authorization']?.[0] ?? '', /^MAC .*access_token="/);
  });
});
