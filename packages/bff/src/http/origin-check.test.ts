import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { originCheck } from './origin-check.ts';
import { done, serve } from './_serve.ts';

const PAGE = 'https://www.example.com';
const OTHER_PAGE = 'http://blog.example:8080';

const serveCheck = () => serve(originCheck([PAGE, OTHER_PAGE]), done);

/** Origins that look like an allowed one. */
const strangers = [
  'null', '', '*', 'https://example.com', 'http://www.example.com', 'https://www.example.com:8443', 'https://www.example.com.evil.example',
  'https://evil-www.example.com', 'https://www.example.com/', 'HTTPS://WWW.EXAMPLE.COM', 'https://www.example.com, https://evil.example',
  'https://www.example.com@evil.example', 'https://www.examp1e.com', 'blog.example:8080', 'http://blog.example',
];

describe('originCheck', () => {
  it('admits allowed origins, with CORS headers that name them and allow credentials', async () => {
    await using served = await serveCheck();
    for (const origin of [PAGE, OTHER_PAGE]) {
      for (const method of ['get', 'post', 'delete', 'put', 'patch'] as const) {
        const res = await served.request[method]('/').set('Origin', origin);
        assert.equal(res.status, 204);
        assert.equal(res.headers['access-control-allow-origin'], origin);
        assert.equal(res.headers['access-control-allow-credentials'], 'true');
        assert.match(res.headers['access-control-expose-headers'] ?? '', /Idempotency-Replayed, Retry-After, RateLimit/);
      }
    }
  });

  it('refuses unsafe methods from every other origin, even with Sec-Fetch-Site: same-origin', async () => {
    await using served = await serveCheck();
    for (const origin of strangers.filter((text) => text !== '')) {
      for (const method of ['post', 'delete', 'put', 'patch'] as const) {
        const res = await served.request[method]('/').set('Origin', origin).set('Sec-Fetch-Site', 'same-origin');
        assert.equal(res.status, 403, `${method} ${origin}`);
        assert.equal((res.body as { type: string }).type, 'urn:vestibule:cross-site-request');
        assert.equal(res.headers['access-control-allow-origin'], undefined);
      }
    }
  });

  it('refuses unsafe methods without Origin unless Sec-Fetch-Site is same-origin', async () => {
    await using served = await serveCheck();
    assert.equal((await served.request.post('/')).status, 403);
    for (const site of ['cross-site', 'same-site', 'none', '', 'Same-Origin', 'same-origin, cross-site']) {
      assert.equal((await served.request.post('/').set('Sec-Fetch-Site', site)).status, 403, site);
    }
    assert.equal((await served.request.post('/').set('Sec-Fetch-Site', 'same-origin')).status, 204);
  });

  it('passes safe methods on, without CORS headers for other origins', async () => {
    await using served = await serveCheck();
    for (const origin of strangers) {
      const res = await served.request.get('/').set('Origin', origin);
      assert.equal(res.status, 204);
      assert.equal(res.headers['access-control-allow-origin'], undefined, origin);
      assert.equal(res.headers['access-control-allow-credentials'], undefined, origin);
    }
  });

  it('sends Vary: Origin, Sec-Fetch-Site with each response, refusals included', async () => {
    await using served = await serveCheck();
    for (const res of [await served.request.get('/'), await served.request.post('/'), await served.request.options('/')]) {
      assert.equal(res.headers['vary'], 'Origin, Sec-Fetch-Site');
    }
  });

  it('answers preflight requests of allowed origins only', async () => {
    await using served = await serveCheck();
    const ask = (origin: string) => served.request.options('/').set('Origin', origin).set('Access-Control-Request-Method', 'POST');
    const { status, headers } = await ask(PAGE);
    assert.equal(status, 204);
    assert.equal(headers['access-control-allow-methods'], 'GET, POST, DELETE');
    assert.equal(headers['access-control-allow-headers'], 'Content-Type, Idempotency-Key');
    assert.equal(headers['access-control-max-age'], '600');
    for (const origin of strangers) {
      const refused = await ask(origin);
      assert.equal(refused.status, 403, origin);
      assert.equal(refused.headers['access-control-allow-methods'], undefined);
    }
  });
});
