import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorRequestHandler } from 'express';
import { originCheck, refusedOrigin } from './origin-check.ts';
import type { ProblemError } from './problem-error.ts';
import { done, serve, serveApp } from './_serve.ts';

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
      for (const method of ['get', 'head', 'options'] as const) {
        const res = await served.request[method]('/').set('Origin', origin);
        assert.equal(res.status, 204, `${method} ${origin}`);
        assert.equal(res.headers['access-control-allow-origin'], undefined, origin);
        assert.equal(res.headers['access-control-allow-credentials'], undefined, origin);
      }
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

  for (const [title, method, headers] of [
    ['another method', 'get', { Origin: PAGE, 'Access-Control-Request-Method': 'POST' }],
    ['no Access-Control-Request-Method', 'options', { Origin: PAGE }],
    ['no Origin', 'options', { 'Access-Control-Request-Method': 'POST' }],
  ] as const) {
    it(`takes a request with ${title} for no preflight request`, async () => {
      await using served = await serve(originCheck([PAGE]), (_req, res) => { res.send('the route'); });
      const { status, headers: sent } = await served.request[method]('/').set(headers);
      assert.deepEqual([status, sent['content-length'], sent['access-control-allow-methods']], [200, '9', undefined]);
    });
  }

  for (const [title, headers, diagnosis] of [
    ['the missing headers', {}, {
      reason: 'the request has neither Origin nor Sec-Fetch-Site: same-origin', setting: 'the proxy, which must pass Origin on',
    }],
    ['the origin', { Origin: 'https://example.com' }, refusedOrigin(new URL('https://example.com'), [PAGE])],
    ['a malformed origin', { Origin: 'example' }, refusedOrigin(null, [PAGE])],
  ] as const) {
    it(`reports ${title} to the operator`, async () => {
      const reported: unknown[] = [];
      const report: ErrorRequestHandler = (error: ProblemError, _req, _res, next) => {
        reported.push(error.diagnosis);
        next(error);
      };
      await using served = await serveApp((app) => { app.use(originCheck([PAGE]), report); });
      assert.equal((await served.request.post('/').set(headers)).status, 403);
      assert.deepEqual(reported, [diagnosis]);
    });
  }
});

describe('refusedOrigin', () => {
  const ORIGINS = 'VESTIBULE_ALLOWED_ORIGINS';
  const ORIGINS_AND_SCHEME = 'VESTIBULE_PUBLIC_URL, VESTIBULE_ALLOWED_ORIGINS';
  const allowed = ['https://www.example.com', 'https://blog.example'];

  for (const [url, difference, setting] of [
    ['https://evil.example/path', '', ORIGINS],
    ['https://evil.www.blog.example', '', ORIGINS],
    ['https://example.com', ': it differs in www or port from https://www.example.com', ORIGINS],
    ['https://www.example.com:8443', ': it differs in www or port from https://www.example.com', ORIGINS],
    ['https://www.blog.example', ': it differs in www or port from https://blog.example', ORIGINS],
    ['http://www.example.com', ': it differs in scheme from https://www.example.com', ORIGINS_AND_SCHEME],
    ['http://example.com', ': it differs in scheme from https://www.example.com', ORIGINS_AND_SCHEME],
  ] as const) {
    it(`compares ${url} with the allowed origins`, () => {
      const { origin } = new URL(url);
      const fields = { reason: `the origin is not allowed${difference}`, origin, setting };
      assert.deepEqual(refusedOrigin(new URL(url), allowed), fields);
    });
  }

  it('ignores www. inside a host name', () => {
    assert.equal(refusedOrigin(new URL('https://my.www.example'), ['https://my.example']).reason, 'the origin is not allowed');
  });

  it('names a malformed origin so', () => {
    const fields = { reason: 'the origin is not allowed', origin: 'malformed', setting: ORIGINS };
    assert.deepEqual(refusedOrigin(null, allowed), fields);
  });
});
