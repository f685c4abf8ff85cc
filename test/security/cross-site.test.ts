/** Requests that pages of other sites and look-alike origins send. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { startSignedIn } from './_signed-in.ts';

const ALLOWED = ['https://www.example.com', 'https://m.example.com:8443'];

const lookAlikes = [
  'null', '', 'https://example.com', 'http://www.example.com', 'https://www.example.com.evil.example', 'https://evilwww.example.com',
  'https://www.example.com:8443', 'https://www.example.com:443', 'https://m.example.com', 'https://m.example.com:84433', 'https://WWW.EXAMPLE.COM',
  'https://www.example.com/', 'https://www.example.com.', 'https://www.exam\u0440le.com', 'https://www.example.com, https://evil.example',
  'https://evil.example https://www.example.com', 'https://www.example.com@evil.example', 'https://user@www.example.com', 'file://',
  'https://www.example.com%00.evil.example', 'https://www.example.com\\.evil.example', 'https://localhost', '*',
].map((origin) => Buffer.from(origin).toString('latin1'));

describe('a request forged by another site', () => {
  const world = suiteResource(() => startSignedIn({ allowedOrigins: ALLOWED, rateLimits: 'off' }));

  for (const [method, path] of [['POST', '/posts'], ['POST', '/sync'], ['POST', '/sync/validation'], ['POST', '/sync/cancel'], ['DELETE', '/session']] as const) {
    it(`is refused at ${method} ${path} from each of ${lookAlikes.length} look-alike origins`, async () => {
      const { bff, reader } = world();
      for (const origin of lookAlikes) {
        const request = method === 'DELETE' ? reader.delete(path) : reader.post(path, { forum: 'news', message: 'forged' }).set('Idempotency-Key', crypto.randomUUID());
        const res = await request.set('Origin', origin);
        expectProblem(res, 'cross-site-request');
        assert.equal(res.headers['access-control-allow-origin'], undefined, origin);
      }
      assert.equal(await reader.state(), 'signed-in');
      assert.equal(bff.service.posts.length, 0);
    });
  }

  it('is refused without Origin unless Sec-Fetch-Site is same-origin', async () => {
    const { bff, reader } = world();
    for (const site of [undefined, 'cross-site', 'same-site', 'none', 'Same-Origin', 'same-origin, cross-site']) {
      const request = reader.delete('/session').unset('Origin');
      expectProblem(await (site === undefined ? request : request.set('Sec-Fetch-Site', site)), 'cross-site-request');
    }
    assert.equal(await reader.state(), 'signed-in');
    const other = bff.browser();
    await other.signIn();
    expectStatus(await other.delete('/session').unset('Origin').set('Sec-Fetch-Site', 'same-origin'), 204);
  });

  it('cannot read a response: CORS allows exactly the listed origins, with credentials', async () => {
    const { reader } = world();
    for (const origin of [...ALLOWED, ...lookAlikes]) {
      const { headers } = await reader.get('/session').set('Origin', origin);
      const isAllowed = ALLOWED.includes(origin);
      assert.equal(headers['access-control-allow-origin'], isAllowed ? origin : undefined);
      assert.equal(headers['access-control-allow-credentials'], isAllowed ? 'true' : undefined);
      assert.match(headers['vary'] ?? '', /Origin/);
    }
  });

  it('fails its preflight; the preflight of an allowed origin succeeds', async () => {
    const { reader } = world();
    // Also what monitoring and tracing of the page add.
    const asked = 'baggage,content-type,idempotency-key,sentry-trace,traceparent,x-of-the-page';
    for (const path of ['/posts', '/posts/counts', '/sync', '/sync/validation', '/session']) {
      const preflight = (origin: string) => reader.agent.options(`/vestibule${path}`)
        .set({ Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': asked });
      expectStatus(await preflight('https://evil.example'), 403);
      const res = await preflight('https://www.example.com');
      expectStatus(res, 204);
      assert.equal(res.headers['access-control-allow-origin'], 'https://www.example.com');
      assert.equal(res.headers['access-control-allow-headers'], asked);
    }
  });

  it('cannot choose the host of a redirect by forwarding headers', async () => {
    const { bff, reader } = world();
    const { headers } = await reader.authorize('forum=news')
      .set({ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' });
    assert.equal(new URL(headers['location'] ?? '').searchParams.get('redirect_uri'), bff.redirectUri);
  });
});
