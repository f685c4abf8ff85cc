/** Headers and cookies of every route (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import { endpoints, type SessionView } from '@vestibule/shared';
import { successStatuses } from '../../scripts/lib/success-statuses.ts';
import { expectProblem, expectStatus, setCookies, startBff, type BffSettings, type Browser } from '../lib/bff.ts';

/** A successful request to each route of the contract's table. */
const requests: Readonly<Record<keyof typeof endpoints, (browser: Browser) => Promise<Response>>> = {
  session: async (browser) => browser.get('/session'),
  signOut: async (browser) => browser.delete('/session'),
  syncAuthorize: async (browser) => browser.get('/sync/authorize'),
  syncReturn: async (browser) => browser.get('/sync/return?code=a'),
  syncForm: async (browser) => browser.get('/sync/form'),
  syncStart: async (browser) => browser.start(),
  syncValidation: async (browser) => { await browser.start(); return browser.validate(); },
  syncCancel: async (browser) => { await browser.start(); return browser.cancel(); },
  posts: async (browser) => { await browser.signIn(); return browser.createPost('Hello'); },
  postList: async (browser) => browser.get(`/posts?forum=news&page=${encodeURIComponent(PAGE)}`),
  comments: async (browser) => browser.get('/comments?forum=news'),
  health: async (browser) => browser.get('/healthz'),
  readiness: async (browser) => browser.get('/readyz'),
};

const PAGE = 'https://www.example.com/article';

/** What the routes above need. */
const settings: BffSettings = { allowedOrigins: ['https://www.example.com'], posts: { list: () => ({ posts: [] }) } };

describe('every response', () => {
  for (const [name, { method, path }] of Object.entries(endpoints)) {
    const route = name as keyof typeof endpoints;

    it(`of ${method} ${path} carries the security headers and a request id, and is not stored unless it is public`, async () => {
      await using bff = await startBff(settings);
      const res = await requests[route](bff.browser());
      expectStatus(res, successStatuses[route][0]);
      const isPublic = route === 'postList';
      assert.equal(res.headers['cache-control'], isPublic ? 'public, max-age=15' : 'no-store');
      assert.equal(res.headers['x-content-type-options'], 'nosniff');
      assert.equal(res.headers['referrer-policy'], 'no-referrer');
      assert.match(res.headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/);
      assert.match(res.headers['x-request-id'] ?? '', /^[\da-f-]{36}$/);
      assert.equal(res.headers['x-powered-by'], undefined);
      assert.equal(res.headers['etag'] !== undefined, isPublic);
      const isHtml = ['syncForm', 'syncReturn', 'comments'].includes(route);
      if (res.text !== '' && res.status !== 302) assert.match(res.headers['content-type'] ?? '', isHtml ? /^text\/html/ : /^application\/json/);
    });
  }

  it('varies by Origin and Sec-Fetch-Site unless it is the same for every site', async () => {
    await using bff = await startBff(settings);
    for (const [name, request] of Object.entries(requests)) {
      if (['health', 'readiness', 'postList'].includes(name)) continue;
      const vary = (await request(bff.browser())).headers['vary'] ?? '';
      assert.match(vary, /\bOrigin\b/, name);
      assert.match(vary, /\bSec-Fetch-Site\b/, name);
    }
  });

  it('to a page of an allowed origin may be read by it, with its cookies, and by no other', async () => {
    const [page, other] = ['https://blog.example', 'https://evil.example'];
    await using bff = await startBff({ allowedOrigins: [page] });
    for (const path of ['/session', '/nothing', '/sync']) {
      const allowed = await bff.browser().get(path).set('Origin', page);
      assert.deepEqual([allowed.headers['access-control-allow-origin'], allowed.headers['access-control-allow-credentials']], [page, 'true']);
      const refused = await bff.browser().get(path).set('Origin', other);
      assert.deepEqual([refused.headers['access-control-allow-origin'], refused.headers['access-control-allow-credentials']], [undefined, undefined]);
    }
  });

  it('to another method names the ones that are taken', async () => {
    await using bff = await startBff();
    const allow: Readonly<Record<string, string>> = {
      '/session': 'GET, HEAD, DELETE', '/sync/authorize': 'GET, HEAD', '/sync/return': 'GET, HEAD', '/sync/form': 'GET, HEAD',
      '/sync': 'POST', '/sync/validation': 'POST', '/sync/cancel': 'POST', '/posts': 'GET, HEAD, POST', '/comments': 'GET, HEAD', '/healthz': 'GET, HEAD', '/readyz': 'GET, HEAD',
    };
    assert.deepEqual(Object.keys(allow).sort(), [...new Set(Object.values(endpoints).map(({ path }) => path))].sort());
    for (const [path, methods] of Object.entries(allow)) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'].filter((one) => !methods.split(', ').includes(one))) {
        const browser = bff.browser();
        const request = method === 'GET' ? browser.get(path) : browser.agent[method.toLowerCase() as 'put'](`/vestibule${path}`).set('Origin', bff.origin);
        const res = await request;
        expectProblem(res, 'method-not-allowed');
        assert.equal(res.headers['allow'], methods, `${method} ${path}`);
      }
    }
  });

  it('ignores Accept, Accept-Language and Accept-Encoding beyond 1 KiB', async () => {
    await using bff = await startBff();
    const long = { Accept: 'text/plain,'.repeat(100), 'Accept-Language': 'de,'.repeat(400), 'Accept-Encoding': 'br,'.repeat(400) };
    expectStatus(await bff.browser().get('/session').set(long), 200);
    assert.match((await bff.browser().get('/sync/form').set(long)).text, /<html lang="en">/);
    expectProblem(await bff.browser().get('/session').set('Accept', 'text/plain'), 'not-acceptable');
  });

  it('carries the RateLimit fields where requests are limited', async () => {
    await using bff = await startBff({ rateLimits: { posts: 3, sync: 4, other: 5 } });
    const browser = bff.browser();
    for (const [request, policy] of [[browser.get('/session'), '"other"; q=5; w=60'], [browser.get('/sync/form'), '"sync"; q=4; w=60'], [browser.post('/posts', {}), '"posts"; q=3; w=60']] as const) {
      const { headers } = await request;
      assert.ok(headers['ratelimit-policy']?.startsWith(policy), headers['ratelimit-policy']);
      assert.match(headers['ratelimit'] ?? '', /^"\w+"; r=\d+; t=\d+$/);
    }
  });
});

describe('GET /widget.js', () => {
  it('is the built widget, for every page, kept for a while, without a cookie', async () => {
    await using bff = await startBff();
    const res = await bff.browser().get('/widget.js').set('Origin', 'https://blog.example');
    expectStatus(res, 200);
    assert.match(res.headers['content-type'] ?? '', /^text\/javascript/);
    assert.equal(res.headers['cache-control'], 'public, max-age=300, must-revalidate');
    assert.equal(res.headers['access-control-allow-origin'], '*');
    assert.match(res.headers['content-encoding'] ?? '', /^(?:br|gzip)$/);
    assert.deepEqual(setCookies(res), []);
  });
});

describe('GET /comments', () => {
  it('is the box of the forum in the query, and of the first configured one without', async () => {
    await using bff = await startBff();
    for (const [query, forum] of [['?forum=sport', 'sport'], ['', 'news']] as const) {
      const { text } = await bff.browser().get(`/comments${query}`);
      assert.ok(text.includes(`<vestibule-comments bff="${bff.url}" forum="${forum}">`));
    }
  });
});

describe('the rate limits', () => {
  it('use X-Forwarded-For of a trusted proxy only', async () => {
    for (const [trustProxy, statusOfFourth] of [[false, 429], ['loopback', 200]] as const) {
      await using bff = await startBff({ rateLimits: { other: 3 }, trustProxy });
      for (let i = 1; i <= 3; i += 1) expectStatus(await bff.browser().get('/session').set('X-Forwarded-For', `192.0.2.${i}`), 200);
      expectStatus(await bff.browser().get('/session').set('X-Forwarded-For', '192.0.2.4'), statusOfFourth);
    }
  });

  it('do not apply to health, files, and where they are off', async () => {
    await using bff = await startBff({ rateLimits: 'off' });
    for (let i = 0; i < 40; i += 1) expectStatus(await bff.browser().get('/sync/form'), 200);
    await using limited = await startBff({ rateLimits: { posts: 1, sync: 1, other: 1 } });
    for (let i = 0; i < 3; i += 1) expectStatus(await limited.browser().get('/healthz'), 200);
  });
});

describe('the cookie', () => {
  it('is vestibule on http: HttpOnly, SameSite=Strict, Path=/, no Domain; each sign-in has one of its own', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const [sync, session] = [setCookies(await browser.start()), setCookies(await browser.validate())];
    assert.equal(sync.length, 1);
    assert.match(sync[0] ?? '', /^vestibule-sync-[\w-]{8}=s%3Avestibule-sync-[\w-]+\.[\w-]{43}\.[\w%]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.equal(session.length, 1);
    assert.match(session[0] ?? '', /^vestibule=s%3Avestibule\.[\w-]{43}\.[\w%]+; Max-Age=7776000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
  });

  it('is __Host-Http-vestibule on https, and Secure', async () => {
    await using bff = await startBff({ publicUrl: 'https://www.example.com/vestibule' });
    const started = await bff.browser().start();
    const [sync = '', ...others] = setCookies(started);
    assert.match(sync, /^__Host-Http-vestibule-sync-[\w-]{8}=s%3A__Host-Http-[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
    assert.deepEqual(others, []);
    const { id, user } = (started.body as SessionView).sync ?? { id: '', user: { username: '' } };
    const pair = sync.split(';')[0] ?? '';
    const validated = await bff.browser().post('/sync/validation', { sync: id, username: user.username, answers: {} }).set('Cookie', pair);
    const [session = ''] = setCookies(validated);
    assert.match(session, /^__Host-Http-vestibule=s%3A__Host-Http-vestibule\.[\w-]{43}\.[\w%]+; Max-Age=7776000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
    const state = async (cookie: string) => (await bff.browser().get('/session').set('Cookie', cookie)).body.state as string;
    const sessionPair = session.split(';')[0] ?? '';
    assert.deepEqual([await state(sessionPair), await state(sessionPair.replaceAll('__Host-Http-', ''))], ['signed-in', 'anonymous']);
    const [attempt = ''] = setCookies(await bff.browser().get('/sync/authorize').set('Sec-Fetch-Site', 'same-origin'));
    assert.match(attempt, /^__Host-Http-vestibule-attempt-[\w-]{8}=.*; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('that arrives twice is ignored', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const pair = `vestibule=${browser.cookie('vestibule')}`;
    for (const cookie of [`${pair}; vestibule=tossed`, `vestibule=tossed; ${pair}`, `${pair}; ${pair}`]) {
      assert.equal((await bff.browser().get('/session').set('Cookie', cookie)).body.state, 'anonymous');
    }
  });
});

describe('health', () => {
  it('is public, also for HEAD', async () => {
    await using bff = await startBff();
    assert.deepEqual((await bff.browser().get('/healthz').set('Accept', 'text/html')).body, { status: 'ok', checks: { process: 'ok' } });
    assert.deepEqual((await bff.browser().get('/readyz')).body, { status: 'ok', checks: { store: 'ok', process: 'ok' } });
    expectStatus(await bff.browser().agent.head('/vestibule/healthz'), 200);
  });

  it('says 503 while draining, and goes on serving', async () => {
    await using bff = await startBff();
    bff.vestibule.drain();
    const ready = await bff.browser().get('/readyz');
    expectStatus(ready, 503);
    assert.deepEqual(ready.body, { status: 'unavailable', checks: { store: 'ok', process: 'draining' } });
    expectStatus(await bff.browser().get('/healthz'), 200);
    expectStatus(await bff.browser().get('/session'), 200);
  });
});

describe('the log', () => {
  it('has one line for each request and one more for each failed sign-in, without secrets or texts of the reader', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    await browser.start(syncReturn);
    const { completion_url } = (await browser.validate()).body as { completion_url: string };
    await browser.createPost('a text of the reader');
    await bff.browser().start(syncReturn);
    const lines = JSON.stringify(bff.log);
    const requests = bff.log.filter(({ route }) => route !== undefined);
    assert.equal(bff.log.length, requests.length + 1);
    assert.deepEqual(requests.map(({ method, route, status }) => [method, route, status]), [
      ['POST', '/sync', 201], ['GET', '/session', 200], ['POST', '/sync/validation', 200], ['POST', '/posts', 201], ['POST', '/sync', 409],
    ]);
    const secrets = [
      syncReturn.code, new URL(completion_url).searchParams.get('access_token'), browser.cookie('vestibule'), bff.service.secretKey, 'a text of the reader',
      'Ada Quill',
    ];
    for (const secret of secrets) assert.ok(secret && !lines.includes(secret), String(secret));
  });
});
