/** What browsers, proxies, routers and scanners do to the addresses of a sign-in on the way (contract, sections 1 and 2). */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import supertest from 'supertest';
import { MOUNT, startBff, type Bff } from '../lib/bff.ts';
import { exchangesOf, expectProblem, expectStatus, navigationOf, setCookies } from '../lib/reader.ts';

/** Parameters of the last exchange. */
function exchangeOf({ service }: Bff): URLSearchParams {
  return new URLSearchParams(String(service.requests.findLast(({ endpoint }) => endpoint === 'token')?.body));
}

const tokenOf = (bff: Bff) => ({ kind: 'status', status: 200, body: { access_token: 'a-token', ...bff.service.readers[0] } }) as const;

describe('a prefetch or prerender', () => {
  for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
    it(`(${purpose}) binds no attempt, evicts none, and takes no return`, async () => {
      await using bff = await startBff();
      const browser = bff.browser();
      await browser.authorize('forum=sport');
      const cookies = browser.cookies();
      const syncReturn = browser.issueReturn();
      for (let i = 0; i < 10; i += 1) {
        const started = await browser.authorize('forum=news').set('Sec-Purpose', purpose);
        const returned = await browser.receive(syncReturn, { 'Sec-Purpose': purpose });
        for (const res of [started, returned]) assert.equal(expectProblem(res, 'service-unavailable').status, 503);
        assert.equal(browser.cookies(), cookies);
      }
      // No sign-in failed.
      assert.deepEqual(bff.log.filter(({ level }) => Number(level) >= 40), []);
      expectStatus(await browser.receive(syncReturn), 303);
      assert.equal((await browser.session()).sync?.forum, 'sport');
      expectStatus(await browser.validate(), 200);
    });
  }
});

describe('a link scanner', () => {
  it('that sends HEAD and GET without cookies changes nothing, in either variant', async () => {
    await using bff = await startBff();
    const [reader, scanner] = [bff.browser(), bff.browser()];
    const syncReturn = reader.issueReturn();
    const path = `${MOUNT}/sync/return?${new URLSearchParams({ ...syncReturn })}`;
    for (const method of ['head', 'get'] as const) {
      for (const headers of [{}, { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' }]) {
        const res = await scanner.agent[method](path).redirects(0).set(headers);
        assert.deepEqual([res.status, setCookies(res)], [200, []]);
      }
    }
    assert.equal(exchangesOf(bff), 0);
    expectStatus(await reader.validateShown(await reader.begin(syncReturn)), 200);
    const bound = bff.browser();
    await bound.authorize('forum=news');
    const back = bound.issueReturn();
    await scanner.receive(back);
    expectStatus(await bound.receive(back), 303);
  });

  it('that clicks takes the code: the reader gets code-already-used, and signs in anew in the same browser', async () => {
    await using bff = await startBff();
    const [reader, scanner] = [bff.browser(), bff.browser()];
    const syncReturn = reader.issueReturn();
    await scanner.validateShown(await scanner.begin(syncReturn));
    const refused = expectProblem(await reader.start(syncReturn), 'code-already-used');
    assert.equal(refused.retryable, false);
    assert.equal(await reader.state(), 'anonymous');
    await reader.authorize('forum=news');
    expectStatus(await reader.receive(reader.issueReturn()), 303);
    expectStatus(await reader.validate(), 200);
    assert.equal(await reader.state(), 'signed-in');
  });
});

describe('a code', () => {
  const codes = ['a+b', 'a%2Bb', 'a/b==', 'a%252Fb', 'a&b=c', '%', '100% #?', '+/=%'.repeat(512)];

  for (const variant of ['standard', 'embedded'] as const) {
    it(`arrives byte for byte at the exchange, ${variant} variant`, async () => {
      await using bff = await startBff({ rateLimits: 'off' });
      for (const code of codes) {
        const browser = bff.browser();
        const syncReturn = { ...browser.issueReturn(), code };
        if (variant === 'embedded') await browser.begin(syncReturn);
        else {
          await browser.authorize('forum=news');
          expectStatus(await browser.receive(syncReturn), 303);
        }
        bff.service.faults.next('token', tokenOf(bff));
        expectStatus(await browser.validate(), 200);
        assert.equal(exchangeOf(bff).get('code'), code);
      }
    });
  }
});

describe('{bff} below a path', () => {
  const paths = ['', '/session', '/sync/authorize', '/sync/return', '/sync/form', '/comments', '/healthz', '/readyz'];

  for (const [kind, isMounted] of [['mounted by a host application', true], ['as the handler of a server', false]] as const) {
    it(`responds with and without a slash at the end of a path, ${kind}`, async () => {
      await using bff = await startBff();
      const server = isMounted ? bff.server : createServer(bff.vestibule.router);
      for (const path of paths) {
        const [bare, slash] = [await supertest(server).get(MOUNT + path), await supertest(server).get(`${MOUNT}${path}/`)];
        assert.equal(bare.status, path === '/sync/authorize' ? 302 : 200, path);
        assert.deepEqual([slash.status, slash.headers['location'], slash.text], [bare.status, bare.headers['location'], bare.text], path);
      }
    });
  }

  it('takes a whole sign-in and a post with slashes at the end', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    expectStatus(await browser.get('/sync/authorize/?forum=news').set('Sec-Fetch-Site', 'same-origin'), 302);
    expectStatus(await browser.get(`/sync/return/?${new URLSearchParams({ ...browser.issueReturn() })}`), 303);
    expectStatus(await browser.post('/sync/validation/', { ...await browser.shown(), answers: {} }), 200);
    expectStatus(await browser.post('/posts/', { forum: 'news', message: 'Hello' }).set('Idempotency-Key', 'a-key-of-this-test'), 201);
    expectStatus(await browser.delete('/session/'), 204);
  });

  it('explains a refused navigation on a page', async () => {
    await using bff = await startBff();
    for (const path of ['/sync/authorize', '/sync/authorize/']) {
      const res = await bff.browser().get(`${path}?forum=other`).set('Accept', 'text/html');
      expectStatus(res, 403);
      assert.match(res.headers['content-type'] ?? '', /^text\/html/);
    }
  });
});

describe('the way back to the page', () => {
  const site = 'https://www.example.com';

  it('is the page of the attempt byte for byte, as the browser spells it', async () => {
    await using bff = await startBff({ allowedOrigins: [site] });
    for (const tail of ['/?q=50%', '/?filter={"x":1}', '/a?b=%zz&c=%2f&d=+', '/ä?ö=ü#part', "/?q='|`^\"<>", '/a;b=c/(d)!*~?e[]=1']) {
      const browser = bff.browser();
      const { href } = new URL(site + tail);
      await browser.authorize(`forum=news&display=page&return_to=${encodeURIComponent(href)}`);
      const res = await browser.receive(browser.issueReturn());
      assert.equal(navigationOf(res), href);
    }
  });

  it('of an attempt carries the redirect URI byte for byte in its query', async () => {
    const redirectUri = 'https://www.example.com/return?verify=50%25&x=%7e&y=a+b';
    await using bff = await startBff({ redirectUri });
    const { searchParams } = new URL((await bff.browser().authorize('')).headers['location'] ?? '');
    assert.equal(searchParams.get('redirect_uri'), redirectUri);
  });
});

describe('a name of 255 characters', () => {
  for (const variant of ['standard', 'embedded'] as const) {
    it(`counts code points, from the return to the post, ${variant} variant`, async () => {
      const names: string[] = [];
      await using bff = await startBff({ posts: { prepare: ({ user }) => { names.push(user.username); return { ok: true }; } } });
      const user = { user_id: '31007', username: '🦊'.repeat(255) };
      const browser = bff.browser();
      if (variant === 'embedded') await browser.begin(browser.issueReturn(user));
      else {
        await browser.authorize('forum=news');
        expectStatus(await browser.receive(browser.issueReturn(user)), 303);
      }
      expectStatus(await browser.validate(), 200);
      assert.deepEqual(await browser.user(), user);
      expectStatus(await browser.createPost('Hello'), 201);
      assert.deepEqual([names, bff.service.posts[0]?.username], [[user.username], user.username]);
    });
  }

  it('has no 256th', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    expectProblem(await browser.start({ ...browser.issueReturn(), username: '🦊'.repeat(256) }), 'invalid-request');
  });

  it('counts code points in the list too', async () => {
    const post = { id: '🦊'.repeat(255), author: { username: '🦊'.repeat(255) }, message: 'Hello', created_at: '2026-01-31T12:00:00Z' };
    await using bff = await startBff({ posts: { list: () => ({ posts: [post] }) } });
    const res = await bff.browser().get(`/posts?page=${encodeURIComponent(`${bff.origin}/a`)}`);
    expectStatus(res, 200);
    assert.deepEqual((res.body as { posts: unknown }).posts, [post]);
  });
});
