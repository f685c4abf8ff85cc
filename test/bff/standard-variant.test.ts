/** The standard variant (contract, section 1: ways through the sync, 2): from `GET /sync/authorize` to the return. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import { MOUNT } from '../lib/mounted-bff.ts';
import type { Reader } from '../service/index.ts';
import { expectProblem, expectStatus, setCookies, startBff, type Bff, type BffSettings, type Browser } from './_bff.ts';

const start = (settings: BffSettings = {}): Promise<Bff> => startBff({ allowedOrigins: ['https://www.example.com'], ...settings });

const authorize = (browser: Browser, query = 'forum=news&return_to=https://www.example.com/article'): Promise<Response> => (
  browser.get(`/sync/authorize?${query}`).then((res) => res)
);

/** What the reader does on the service's page: where the service sends the browser then. */
async function decide(location: string, decision: 'accept' | 'deny', { user_id }: Reader): Promise<URL> {
  const url = new URL(location);
  const body = new URLSearchParams([...url.searchParams, ['reader', user_id], ['decision', decision]]);
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303, await answer.text());
  return new URL(answer.headers.get('Location') ?? '');
}

/** Follows the service's redirect back to the BFF. */
const comeBack = (browser: Browser, { pathname, search }: URL): Promise<Response> => (
  browser.get(pathname.slice(MOUNT.length) + search).then((res) => res)
);

/** Begins an attempt and lets the reader decide. */
async function goThere(bff: Bff, browser: Browser, { query, decision = 'accept', user = bff.service.readers[0] }: {
  query?: string; decision?: 'accept' | 'deny'; user?: Reader | undefined;
} = {}): Promise<URL> {
  const res = await authorize(browser, query);
  expectStatus(res, 302);
  return decide(res.headers['location'] ?? '', decision, user as Reader);
}

const PAGE = 'forum=news&display=page&return_to=https://www.example.com/article?id=1%23comments';

describe('GET /sync/authorize', () => {
  it('redirects to the service with the four parameters', async () => {
    await using bff = await start();
    const res = await authorize(bff.browser(), 'forum=sport&return_to=https://www.example.com/');
    expectStatus(res, 302);
    const url = new URL(res.headers['location'] ?? '');
    assert.equal(url.origin + url.pathname, `${bff.service.url}/api/oauth/2.0/authorize/`);
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      client_id: bff.service.publicKey, response_type: 'audiencesync', forum_id: 'sport', redirect_uri: bff.redirectUri,
    });
    assert.equal((await fetch(url)).status, 200);
  });

  it('binds the attempt to this browser by a one-time Lax cookie, and sets no session', async () => {
    await using bff = await start();
    const [line, ...rest] = setCookies(await authorize(bff.browser()));
    assert.match(line ?? '', /^vestibule-attempt-[\w-]{8}=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(rest, []);
  });

  it('takes the default forum, the popup and the site itself where nothing is named', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await authorize(browser, '');
    assert.equal(new URL(res.headers['location'] ?? '').searchParams.get('forum_id'), 'news');
    const back = await comeBack(browser, await decide(res.headers['location'] ?? '', 'accept', bff.service.readers[0] as Reader));
    assert.equal(back.headers['location'], `${bff.url}/sync/form`);
  });

  it('begins no attempt for a forum, a page or a display that is not allowed', async () => {
    await using bff = await start();
    for (const [query, type] of [
      ['forum=other', 'forum-not-allowed'], ['forum=', 'forum-not-allowed'], ['return_to=https://evil.example/', 'untrusted-return-uri'],
      ['return_to=', 'untrusted-return-uri'], ['return_to=/article', 'untrusted-return-uri'], ['display=window', 'invalid-request'],
      ['display=', 'invalid-request'], ['forum=news&forum=news', 'invalid-request'],
      ['return_to=https://www.example.com/&return_to=https://www.example.com/', 'invalid-request'],
    ] as const) {
      const res = await authorize(bff.browser(), query);
      expectProblem(res, type);
      assert.deepEqual(setCookies(res), []);
    }
  });

  it('shows a person what went wrong in words', async () => {
    await using bff = await start();
    const res = await bff.browser().get('/sync/authorize?return_to=https://evil.example/<b>').set('Accept', 'text/html,*/*;q=0.8');
    expectStatus(res, 400);
    assert.match(res.headers['content-type'] ?? '', /^text\/html/);
    assert.match(res.text, /<h1>Sign-in did not work<\/h1>\s*<p>The page to return to is not one of this site\.<\/p>/);
    assert.doesNotMatch(res.text, /evil/);
  });
});

describe('the return of an attempt', () => {
  it('binds what it brings and leads the popup to the form page, at a clean address', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await comeBack(browser, await goThere(bff, browser));
    expectStatus(res, 303);
    assert.equal(res.headers['location'], `${bff.url}/sync/form`);
    assert.doesNotMatch(res.text, /code|audiencesync/);
    const { state, user, forum } = await browser.session();
    assert.deepEqual({ state, user, forum }, { state: 'validating', user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news' });
    assert.equal((await browser.validate()).body.outcome, 'accepted');
    assert.equal((await browser.session()).state, 'signed-in');
    expectStatus(await browser.createPost('Hello'), 201);
  });

  it('leads the page back to where the reader came from', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await comeBack(browser, await goThere(bff, browser, { query: PAGE }));
    expectStatus(res, 303);
    assert.equal(res.headers['location'], 'https://www.example.com/article?id=1#comments');
    assert.equal((await browser.session()).state, 'validating');
  });

  it('finds its forum as it was at the beginning', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser, { query: 'forum=sport' }));
    assert.equal((await browser.session()).forum, 'sport');
  });

  it('takes the attempt\'s cookie away when the sync is over', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser));
    const cleared = setCookies(await browser.validate()).filter((line) => line.startsWith('vestibule-attempt-'));
    assert.equal(cleared.length, 1);
    assert.match(cleared[0] ?? '', /^vestibule-attempt-[\w-]{8}=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/);
  });

  it('works where the redirect URI has a query of its own', async () => {
    const server = await start();
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await using bff = await start({ redirectUri: `${url}/sync/return?verify=1` });
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    assert.equal(back.searchParams.get('verify'), '1');
    expectStatus(await comeBack(browser, back), 303);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('is good once', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    await comeBack(browser, back);
    const again = await comeBack(browser, back);
    expectStatus(again, 200);
    assert.match(again.headers['content-type'] ?? '', /^text\/html/);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('changes nothing in another browser: it shows the form page and sets no cookie', async () => {
    await using bff = await start();
    const [browser, other] = [bff.browser(), bff.browser()];
    const back = await goThere(bff, browser);
    const res = await comeBack(other, back);
    expectStatus(res, 200);
    assert.match(res.text, /<vestibule-sync /);
    assert.deepEqual(setCookies(res), []);
    assert.equal((await other.session()).state, 'anonymous');
    expectStatus(await comeBack(browser, back), 303);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('leaves the session of a reader who is signed in there alone', async () => {
    await using bff = await start();
    const [browser, other] = [bff.browser(), bff.browser()];
    await other.signIn(bff.service.readers[1]);
    await comeBack(other, await goThere(bff, browser));
    assert.deepEqual(await other.session().then(({ state, user }) => [state, user?.username]), ['signed-in', 'Jörg Ünterwald']);
  });

  it('of one tab does not break that of another', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const first = await goThere(bff, browser, { query: PAGE });
    const second = await goThere(bff, browser);
    for (const back of [first, second]) {
      expectStatus(await comeBack(browser, back), 303);
      assert.equal((await browser.session()).state, 'validating');
    }
    for (const tab of ['the one', 'the other']) {
      assert.equal((await browser.validate()).body.outcome, 'accepted', tab);
      assert.equal((await browser.session()).state, 'signed-in', tab);
    }
  });

  it('loaded again after its parameters were taken shows the page of the form', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await goThere(bff, browser);
    expectStatus(await browser.get('/sync/return').set('Accept', 'text/html'), 200);
  });

  it('ends the session that this browser had', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(bff.service.readers[1]);
    const old = browser.cookie('vestibule');
    await comeBack(browser, await goThere(bff, browser));
    await browser.validate();
    assert.equal((await browser.session()).user?.username, 'Ada Quill');
    assert.equal((await bff.browser().get('/session').set('Cookie', `vestibule=${old}`)).body.state, 'anonymous');
  });

  it('that comes too late binds nothing', async () => {
    await using bff = await start({ syncSeconds: 60 });
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    bff.passTime(61);
    expectStatus(await comeBack(browser, back), 200);
    assert.equal((await browser.session()).state, 'anonymous');
  });

  it('that is incomplete or doubled is refused and does not use the attempt up', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    for (const bend of [
      (params: URLSearchParams) => { params.delete('user_id'); },
      (params: URLSearchParams) => { params.append('code', 'another'); },
      (params: URLSearchParams) => { params.set('code', ''); },
    ]) {
      const bent = new URL(back);
      bend(bent.searchParams);
      expectProblem(await comeBack(browser, bent), 'invalid-request');
    }
    expectStatus(await comeBack(browser, back), 303);
  });

  it('to another completion endpoint is refused', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    back.searchParams.set('audiencesync_uri', 'https://evil.example/audiencesync/complete/');
    expectProblem(await comeBack(browser, back), 'untrusted-completion-uri');
    assert.equal((await browser.session()).state, 'anonymous');
  });

  it('with a denial is told once, whatever the error says', async () => {
    await using bff = await start();
    for (const error of ['access_denied', '<script>canary</script>']) {
      const browser = bff.browser();
      const back = await goThere(bff, browser, { query: PAGE, decision: 'deny' });
      back.searchParams.set('error', error);
      const res = await comeBack(browser, back);
      expectStatus(res, 303);
      assert.doesNotMatch(JSON.stringify(res.headers) + res.text, /canary/);
      const limits = { message_max_length: 10_000 };
      assert.deepEqual(await browser.session(), { state: 'anonymous', limits, notice: 'declined' });
      assert.deepEqual(await browser.session(), { state: 'anonymous', limits });
    }
  });

  it('without a code, because access was granted before, is told once', async () => {
    await using bff = await start();
    bff.service.alreadyGranted.add('31007');
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    assert.equal(back.searchParams.get('success'), '1');
    expectStatus(await comeBack(browser, back), 303);
    assert.equal((await browser.session()).notice, 'already-granted');
    assert.equal((await browser.session()).notice, undefined);
  });

  it('with a denial, told of while signed in, leaves the session alone', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn();
    await comeBack(browser, await goThere(bff, browser, { decision: 'deny' }));
    const { state, notice } = await browser.session();
    assert.deepEqual({ state, notice }, { state: 'signed-in', notice: 'declined' });
  });

  it('of a rejected reader is told once too', async () => {
    const age = { name: 'age', type: 'number', label: 'Age', required: true, min: 18, onFail: 'reject' } as const;
    await using bff = await start({ validation: { fields: [age] } });
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser));
    assert.equal((await browser.validate({ age: 17 })).body.outcome, 'rejected');
    assert.equal((await browser.session()).notice, 'rejected');
    assert.equal((await browser.session()).notice, undefined);
  });
});

describe('GET /sync/return and GET /sync/form', () => {
  for (const path of ['/sync/form', '/sync/return', '/sync/return?code=canary&username=canary&user_id=canary&audiencesync_uri=canary', '/sync/return?error=canary']) {
    it(`show the form page at ${path.replace(/\?(?=code).*/, '?…')} to a browser that began nothing`, async () => {
      await using bff = await start();
      const res = await bff.browser().get(path);
      expectStatus(res, 200);
      assert.equal(res.headers['content-type'], 'text/html; charset=utf-8');
      assert.deepEqual(setCookies(res), []);
      assert.doesNotMatch(res.text, /canary/);
      assert.match(res.text, new RegExp(`<vestibule-sync bff="${bff.url}" opener-origins="https://www\\.example\\.com ${bff.origin}"></vestibule-sync>`));
      assert.match(res.text, new RegExp(`<script type="module" src="${bff.url}/widget\\.js"></script>`));
    });
  }

  it('stand under a strict policy, in no frame, and tell no referrer', async () => {
    await using bff = await start();
    for (const path of ['/sync/form', '/sync/return']) {
      const { headers, text } = await bff.browser().get(path);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      const policy = headers['content-security-policy'] ?? '';
      for (const directive of [
        `default-src 'none'`, `script-src ${bff.origin}`, `connect-src ${bff.origin}`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`,
        `require-trusted-types-for 'script'`,
      ]) assert.ok(policy.split('; ').includes(directive), `${directive} is not in ${policy}`);
      assert.doesNotMatch(policy, /unsafe|\*/);
      const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64');
      assert.ok(policy.includes(`style-src 'sha256-${digest}'`));
    }
  });

  it('speak the language of the request', async () => {
    await using bff = await start();
    const res = await bff.browser().get('/sync/form').set('Accept-Language', 'de-AT,en');
    assert.match(res.text, /<html lang="de-AT">/);
  });
});
