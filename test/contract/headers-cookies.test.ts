/** Headers and cookies of every route (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import { StoreUnavailableError } from '@vestibule/bff';
import { endpoints, type SessionView } from '@vestibule/shared';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectStatus, setCookies, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';

/** A successful request to each route of the contract's table, and its status. */
const requests: Readonly<Record<keyof typeof endpoints, readonly [number, (browser: ReaderClient) => Promise<Response>]>> = {
  session: [200, async (browser) => browser.get('/session')],
  signOut: [204, async (browser) => browser.delete('/session')],
  syncAuthorize: [302, async (browser) => browser.get('/sync/authorize')],
  syncReturn: [200, async (browser) => browser.get('/sync/return?code=a')],
  syncForm: [200, async (browser) => browser.get('/sync/form')],
  syncStart: [201, async (browser) => browser.start()],
  syncValidation: [200, async (browser) => { await browser.start(); return browser.validate(); }],
  syncCancel: [200, async (browser) => { await browser.start(); return browser.cancel(); }],
  posts: [201, async (browser) => { await browser.signIn(); return browser.createPost('Hello'); }],
  postList: [200, async (browser) => browser.get(`/posts?forum=news&page=${encodeURIComponent(PAGE)}`)],
  postConversation: [200, async (browser) => browser.get(`/posts/1/conversation?forum=news&page=${encodeURIComponent(PAGE)}`)],
  postCounts: [200, async (browser) => browser.get(`/posts/counts?forum=news&page=${encodeURIComponent(PAGE)}`)],
  postEdit: [200, async (browser) => { await browser.signIn(); return browser.patch('/posts/1', { ...ARTICLE, message: 'Hello' }); }],
  postRemove: [204, async (browser) => { await browser.signIn(); return browser.delete(`/posts/1?${new URLSearchParams(ARTICLE)}`); }],
  postLike: [200, async (browser) => { await browser.signIn(); return browser.put('/posts/1/like', { ...ARTICLE, liked: true }); }],
  comments: [200, async (browser) => browser.get('/comments?forum=news')],
  health: [200, async (browser) => browser.get('/healthz')],
  readiness: [200, async (browser) => browser.get('/readyz')],
};

const PAGE = 'https://www.example.com/article';
const ARTICLE = { forum: 'news', page: PAGE };
const entry = { id: '1', author: { username: 'Ada' }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };

/** What the routes above need. */
const settings: BffSettings = { allowedOrigins: ['https://www.example.com'], posts: {
  list: () => ({ posts: [] }),
  conversation: () => ({ posts: [] }),
  count: ({ pages }) => pages.map(() => 0),
  edit: () => ({ ok: true, post: entry }),
  remove: () => ({ ok: true }),
  like: () => ({ ok: true }),
} };

describe('every response', () => {
  const bff = suiteResource(() => startBff({ ...settings, rateLimits: 'off' }));

  for (const [name, { method, path }] of Object.entries(endpoints)) {
    const route = name as keyof typeof endpoints;

    it(`of ${method} ${path} carries the security headers and a request id, and is not stored unless it is public`, async () => {
      const [status, request] = requests[route];
      const res = await request(bff().browser());
      expectStatus(res, status);
      const isRead = route === 'postList' || route === 'postConversation';
      const isPublic = isRead || route === 'postCounts';
      const maxAge = isRead ? 15 : 60;
      assert.equal(res.headers['cache-control'], isPublic ? `public, max-age=${maxAge}` : 'no-store');
      assert.equal(res.headers['x-content-type-options'], 'nosniff');
      assert.equal(res.headers['referrer-policy'], 'no-referrer');
      assert.match(res.headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/);
      if (!isPublic) assert.match(res.headers['x-request-id'] ?? '', /^[\da-f-]{36}$/);
      assert.equal(res.headers['x-powered-by'], undefined);
      assert.equal(res.headers['etag'] !== undefined, isRead);
      const isHtml = ['syncForm', 'syncReturn', 'comments'].includes(route);
      if (res.text !== '' && res.status !== 302) assert.match(res.headers['content-type'] ?? '', isHtml ? /^text\/html/ : /^application\/(?:problem\+)?json/);
    });
  }

  it('varies by Origin and Sec-Fetch-Site unless it is the same for every site', async () => {
    for (const [name, [, request]] of Object.entries(requests)) {
      if (['health', 'readiness', 'postList', 'postConversation', 'postCounts'].includes(name)) continue;
      const vary = (await request(bff().browser())).headers['vary'] ?? '';
      assert.match(vary, /\bOrigin\b/, name);
      assert.match(vary, /\bSec-Fetch-Site\b/, name);
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
      assert.match((await bff.browser().get(`/comments${query}`)).text, new RegExp(`<vestibule-comments [^>]*forum="${forum}"`));
    }
  });

  it('is the box of the page in the query', async () => {
    await using bff = await startBff(settings);
    const { text } = await bff.browser().get(`/comments?forum=news&page=${encodeURIComponent(PAGE)}`);
    assert.match(text, new RegExp(`<vestibule-comments [^>]*page="${PAGE}"`));
  });

  it('has the thread where there is one, and leads back to an article of the publisher only', async () => {
    await using without = await startBff();
    assert.doesNotMatch((await without.browser().get('/comments?forum=news')).text, /show-posts|Back to the article/);
    await using bff = await startBff({ ...settings, posts: { list: async () => ({ posts: [] }) } });
    const at = async (page: string) => (await bff.browser().get(`/comments?forum=news&page=${encodeURIComponent(page)}`)).text;
    assert.match(await at(PAGE), new RegExp(`<a href="${PAGE}">Back to the article</a>[^]*<vestibule-comments [^>]* show-posts>`));
    for (const page of ['https://elsewhere.example/article', 'javascript:alert(1)', 'not an address']) {
      assert.doesNotMatch(await at(page), /Back to the article/, page);
    }
  });
});

describe('the cookie', () => {
  it('is vestibule on http: HttpOnly, SameSite=Strict, Path=/, no Domain; a sign-in has its own', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const sync = setCookies(await browser.start());
    const session = setCookies(await browser.validate()).filter((line) => !line.startsWith('vestibule-known='));
    assert.equal(sync.length, 1);
    assert.match(sync[0] ?? '', /^vestibule-sync=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    assert.equal(session.length, 1);
    assert.match(session[0] ?? '', /^vestibule=s%3A[^;]+; Max-Age=7776000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
  });

  it('is __Host-Http-vestibule on https, and Secure', async () => {
    await using bff = await startBff({ publicUrl: 'https://www.example.com/vestibule' });
    const started = await bff.browser().start();
    const [sync = '', ...others] = setCookies(started);
    assert.match(sync, /^__Host-Http-vestibule-sync[\w-]*=s%3A__Host-Http-[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=\w+$/);
    assert.deepEqual(others, []);
    const { sync: offer } = started.body as SessionView;
    const shown = { sync: offer?.id ?? '', username: offer?.user.username ?? '' };
    const validated = await bff.browser().validateShown(shown).set('Cookie', sync.split(';')[0] ?? '');
    const [session = ''] = setCookies(validated);
    assert.match(session, /^__Host-Http-vestibule=s%3A[^;]+; Max-Age=7776000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
    const state = async (cookie: string) => (await bff.browser().get('/session').set('Cookie', cookie)).body.state as string;
    const pair = session.split(';')[0] ?? '';
    assert.deepEqual([await state(pair), await state(pair.replaceAll('__Host-Http-', ''))], ['signed-in', 'anonymous']);
    const [attempt = ''] = setCookies(await bff.browser().get('/sync/authorize').set('Sec-Fetch-Site', 'same-origin'));
    assert.match(attempt, /^__Host-Http-vestibule-attempt[\w-]*=.*; HttpOnly; Secure; SameSite=Lax$/);
  });
});

describe('health', () => {
  it('is public, also for HEAD', async () => {
    await using bff = await startBff();
    assert.deepEqual((await bff.browser().get('/healthz').set('Accept', 'text/html')).body, { status: 'ok', checks: { process: 'ok' } });
    assert.deepEqual((await bff.browser().get('/readyz')).body, { status: 'ok', checks: { store: 'ok', process: 'ok' } });
    expectStatus(await bff.browser().agent.head('/vestibule/healthz'), 200);
  });

  it('leaves a line when the store is away, and one when it is back', async () => {
    let isAway = true;
    class Store extends FailingStore {
      override async ping(): Promise<void> {
        if (isAway) throw new StoreUnavailableError(undefined);
      }
    }
    await using bff = await startBff({}, { store: new Store() });
    const about = () => bff.log.flatMap(({ msg }) => (/the store (?:does not accept|accepts) writes/.exec(String(msg)) ?? []));
    expectStatus(await bff.browser().get('/readyz'), 503);
    isAway = false;
    await until('it is ready', async () => (await bff.browser().get('/readyz')).status === 200);
    assert.deepEqual(about(), ['the store does not accept writes', 'the store accepts writes']);
  });
});
