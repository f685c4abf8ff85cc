/** The standard variant (contract, section 1: sign-in variants, 2): from `GET /sync/authorize` to the return. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import supertest, { type Response } from 'supertest';
import type { SessionView } from '@vestibule/shared';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { MOUNT } from '../lib/mounted-bff.ts';
import type { Reader } from '../service/index.ts';
import { exchangesOf, expectProblem, expectStatus, setCookies, startBff, type Bff, type BffSettings, type Browser } from '../lib/bff.ts';

const start = (settings: BffSettings = {}): Promise<Bff> => startBff({ allowedOrigins: ['https://www.example.com'], ...settings });

const authorize = (browser: Browser, query = 'forum=news&return_to=https://www.example.com/article'): Promise<Response> => (
  browser.authorize(query).then((res) => res)
);

/** The reader's decision on the service's page. @returns where the service redirects to */
async function decide(location: string, decision: 'accept' | 'deny', { user_id }: Reader): Promise<URL> {
  const url = new URL(location);
  const body = new URLSearchParams([...url.searchParams, ['reader', user_id], ['decision', decision]]);
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303, await answer.text());
  return new URL(answer.headers.get('Location') ?? '');
}

/** Follows the redirect of the service. */
const comeBack = (browser: Browser, { pathname, search }: URL): Promise<Response> => (
  browser.get(pathname.slice(MOUNT.length) + search).then((res) => res)
);

/** Starts an attempt and decides. @returns where the service redirects to */
async function goThere(bff: Bff, browser: Browser, { query, decision = 'accept', user = bff.service.readers[0] }: {
  query?: string; decision?: 'accept' | 'deny'; user?: Reader | undefined;
} = {}): Promise<URL> {
  const res = await authorize(browser, query);
  expectStatus(res, 302);
  return decide(res.headers['location'] ?? '', decision, user as Reader);
}

/** All that a navigation from another site brings: the others are Strict. */
const attemptCookies = (browser: Browser): string => (
  browser.cookies().split('; ').filter((pair) => pair.startsWith('vestibule-attempt-')).join('; ')
);

/** The session of a browser that has the cookies of this response alone. */
async function sessionWith(bff: Bff, res: Response): Promise<SessionView> {
  const pairs = setCookies(res).map((line) => line.split(';', 1)[0]);
  return (await bff.browser().get('/session').set('Cookie', pairs.join('; '))).body as SessionView;
}

/** A store in which several sign-ins claim their codes at the same time. */
class MeetingStore extends MemoryStore {
  #awaited = 0;
  #met = Promise.withResolvers<void>();

  meetAtCodes(count: number): void {
    this.#awaited = count;
  }

  override async setIfAbsent(...[key, ...rest]: Parameters<MemoryStore['setIfAbsent']>): Promise<boolean> {
    if (this.#awaited > 0 && key.startsWith('code:')) {
      if (--this.#awaited === 0) this.#met.resolve();
      await this.#met.promise;
    }
    return super.setIfAbsent(key, ...rest);
  }
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

  it('binds the attempt to this browser with a Lax cookie and sets no session', async () => {
    await using bff = await start();
    const [line, ...rest] = setCookies(await authorize(bff.browser()));
    assert.match(line ?? '', /^vestibule-attempt-[\w-]{8}=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(rest, []);
  });

  it('defaults to the first forum and the popup', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await authorize(browser, '');
    assert.equal(new URL(res.headers['location'] ?? '').searchParams.get('forum_id'), 'news');
    const back = await comeBack(browser, await decide(res.headers['location'] ?? '', 'accept', bff.service.readers[0] as Reader));
    assert.equal(back.headers['location'], `${bff.url}/sync/form`);
  });

  it('starts no attempt for a forum, a page or a display that is not allowed', async () => {
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
    assert.equal(expectProblem(await authorize(bff.browser(), 'display=window'), 'invalid-request').detail, 'display must be popup or page.');
    expectProblem(await bff.browser().get('/Sync/Authorize?forum=news'), 'not-found');
  });

  it('shows a person a page', async () => {
    await using bff = await start();
    const res = await bff.browser().get('/sync/authorize?return_to=https://evil.example/<b>').set('Accept', 'text/html,*/*;q=0.8');
    expectStatus(res, 400);
    assert.match(res.headers['content-type'] ?? '', /^text\/html/);
    assert.match(res.text, /<h1>Sign-in did not work<\/h1>\s*<p>The return address is not a page of this site\.<\/p>/);
    assert.doesNotMatch(res.text, /evil/);
  });
});

describe('GET /sync/authorize and Sec-Fetch-Site', () => {
  const PATH = '/sync/authorize?forum=news&return_to=https://www.example.com/';

  it('binds a same-site navigation only when pages of another origin are allowed', async () => {
    for (const [settings, count] of [[{ allowedOrigins: ['https://www.example.com'] }, 1], [{}, 0]] as const) {
      await using bff = await startBff(settings);
      const res = await bff.browser().get('/sync/authorize?forum=news').set('Sec-Fetch-Site', 'same-site');
      expectStatus(res, 302);
      assert.equal(setCookies(res).length, count);
    }
  });

  for (const site of [undefined, 'none', 'unknown']) {
    it(`redirects without binding when it is ${site ?? 'absent'}`, async () => {
      await using bff = await start();
      const request = bff.browser().get(PATH);
      const res = await (site === undefined ? request : request.set('Sec-Fetch-Site', site));
      expectStatus(res, 302);
      assert.ok(res.headers['location']?.startsWith(`${bff.service.url}/api/oauth/2.0/authorize/?`));
      assert.deepEqual(setCookies(res), []);
    });
  }

  it('refuses a cross-site navigation with a page that offers to continue', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await browser.get(`${PATH}?a=b%26c&display=page`).set('Sec-Fetch-Site', 'cross-site').set('Accept', 'text/html,*/*;q=0.8');
    expectStatus(res, 403);
    assert.deepEqual([res.headers['location'], setCookies(res)], [undefined, []]);
    assert.match(res.headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    const href = /<a href="([^"]+)">/.exec(res.text)?.[1]?.replaceAll(/&(?:amp|#38);/g, '&') ?? '';
    assert.deepEqual(Object.fromEntries(new URL(href).searchParams), {
      forum: 'news', return_to: 'https://www.example.com/?a=b&c', display: 'page',
    });
    const next = await browser.get(href.slice(bff.url.length)).set('Sec-Fetch-Site', 'same-origin');
    expectStatus(next, 302);
    assert.equal(setCookies(next).length, 1);
  });

  it('refuses a cross-site request of a JSON client with cross-site-request', async () => {
    await using bff = await start();
    const res = await bff.browser().get(PATH).set('Sec-Fetch-Site', 'cross-site').set('Accept', 'application/json');
    expectProblem(res, 'cross-site-request');
    assert.deepEqual(setCookies(res), []);
  });

  it('shows no markup of the query on the page', async () => {
    await using bff = await start();
    const query = 'forum=news&return_to=https://www.example.com/%3C%22canary%22%3E';
    const res = await bff.browser().get(`/sync/authorize?${query}`).set('Sec-Fetch-Site', 'cross-site').set('Accept', 'text/html');
    expectStatus(res, 403);
    assert.doesNotMatch(res.text, /[<"]canary/);
  });
});

describe('embeddedUrl', () => {
  const embeddedUrl = 'https://service.example/embedded?site=1';

  it('is where GET /sync/authorize redirects to, bound in the same way', async () => {
    await using bff = await start({ embeddedUrl });
    const browser = bff.browser();
    const res = await authorize(browser, PAGE);
    expectStatus(res, 302);
    assert.equal(res.headers['location'], embeddedUrl);
    assert.equal(setCookies(res).length, 1);
    const back = await browser.get(`/sync/return?${new URLSearchParams({ ...browser.issueReturn() })}`);
    assert.deepEqual([back.status, back.headers['location']], [303, 'https://www.example.com/article?id=1#comments']);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('does not open it to other sites', async () => {
    await using bff = await start({ embeddedUrl });
    const res = await bff.browser().get('/sync/authorize').set('Sec-Fetch-Site', 'cross-site').set('Accept', 'text/html');
    expectStatus(res, 403);
    assert.doesNotMatch(res.text, /service\.example/);
  });
});

describe('the return of an attempt', () => {
  it('binds the sign-in and redirects the popup to the form page, without parameters', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await comeBack(browser, await goThere(bff, browser));
    expectStatus(res, 303);
    assert.equal(res.headers['location'], `${bff.url}/sync/form`);
    assert.doesNotMatch(res.text, /code|audiencesync/);
    const { state, sync } = await browser.session();
    assert.equal(state, 'validating');
    assert.partialDeepStrictEqual(sync, { user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news' });
    assert.equal((await browser.validate()).body.outcome, 'accepted');
    assert.equal((await browser.session()).state, 'signed-in');
    expectStatus(await browser.createPost('Hello'), 201);
    assert.match(await bff.vestibule.metrics(), /^vestibule_syncs_total\{outcome="begun"\} 1$/m);
  });

  it('redirects the page back to return_to', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await comeBack(browser, await goThere(bff, browser, { query: PAGE }));
    expectStatus(res, 303);
    assert.equal(res.headers['location'], 'https://www.example.com/article?id=1#comments');
    assert.equal((await browser.session()).state, 'validating');
  });

  it('keeps the forum of the attempt', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser, { query: 'forum=sport' }));
    assert.equal((await browser.session()).sync?.forum, 'sport');
  });

  it('replaces the attempt\'s cookie by a Strict one of the sign-in', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const [attempt, sync, ...rest] = setCookies(await comeBack(browser, await goThere(bff, browser)));
    assert.match(attempt ?? '', /^vestibule-attempt-[\w-]{8}=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/);
    assert.match(sync ?? '', /^vestibule-sync-[\w-]{8}=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.deepEqual(rest, []);
  });

  it('works when the redirect URI has a query', async () => {
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

  it('is bound once: a further return shows the form page', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    await comeBack(browser, back);
    const cookies = browser.cookies();
    const again = await comeBack(browser, back);
    expectStatus(again, 200);
    assert.match(again.headers['content-type'] ?? '', /^text\/html/);
    assert.equal(browser.cookies(), cookies);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('gets the same sign-in when it is repeated after its response was lost', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    const attempt = browser.cookies();
    const received = setCookies(await comeBack(browser, back));
    const again = await bff.browser().get(back.pathname.slice(MOUNT.length) + back.search).set('Cookie', attempt);
    expectStatus(again, 303);
    assert.deepEqual(setCookies(again).map((line) => line.split(';')[0]), received.map((line) => line.split(';')[0]));
    assert.equal((await browser.validate()).body.outcome, 'accepted');
    assert.equal(exchangesOf(bff), 1);
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

  it('leaves a live session of another browser alone', async () => {
    await using bff = await start();
    const [browser, other] = [bff.browser(), bff.browser()];
    await other.signIn(bff.service.readers[1]);
    await comeBack(other, await goThere(bff, browser));
    assert.deepEqual(await other.session().then(({ state, user }) => [state, user?.username]), ['signed-in', 'Jörg Ünterwald']);
  });

  it('of one tab leaves that of another tab alone', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const first = await goThere(bff, browser, { query: PAGE });
    const second = await goThere(bff, browser);
    const shown = [];
    for (const back of [first, second]) {
      expectStatus(await comeBack(browser, back), 303);
      shown.push(await browser.shown());
    }
    assert.notEqual(shown[0]?.sync, shown[1]?.sync);
    for (const one of shown) {
      assert.equal((await browser.validateShown(one)).body.outcome, 'accepted');
      assert.equal((await browser.session()).state, 'signed-in');
    }
  });

  it('that arrives last is the one that is shown', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const [begun, first, second] = bff.service.readers as [Reader, Reader, Reader];
    const early = await goThere(bff, browser, { user: first });
    await browser.begin(browser.issueReturn(begun));
    const late = await goThere(bff, browser, { user: second });
    for (const [back, { username }] of [[late, second], [early, first]] as const) {
      expectStatus(await comeBack(browser, back), 303);
      assert.equal((await browser.shown()).username, username);
    }
  });

  it('from another site, which brings no Strict cookies, is shown however many came before, and signing out ends them all', async () => {
    await using bff = await start();
    const browser = bff.browser();
    for (let i = 0; i < 12; i += 1) {
      const user = bff.service.readers[i % 2] as Reader;
      const { pathname, search } = await goThere(bff, browser, { user });
      const res = await supertest(bff.server).get(pathname + search).set('Cookie', attemptCookies(browser)).redirects(0);
      expectStatus(res, 303);
      browser.agent.jar.setCookies([...setCookies(res)], '127.0.0.1', '/');
      assert.equal((await browser.shown()).username, user.username, `sign-in ${i + 1}`);
    }
    expectStatus(await browser.delete('/session'), 204);
    assert.deepEqual([(await browser.session()).state, browser.cookies()], ['anonymous', '']);
  });

  it('that arrives at the same time as another one leaves one user signed in, whichever response the browser takes last', async () => {
    const store = new MeetingStore();
    await using bff = await start({ storeInstance: store });
    const browser = bff.browser();
    const [first, second] = bff.service.readers as [Reader, Reader];
    const backs = [await goThere(bff, browser, { user: first }), await goThere(bff, browser, { user: second })];
    store.meetAtCodes(backs.length);
    const attempts = attemptCookies(browser);
    const offers = await Promise.all(backs.map(async ({ pathname, search }) => {
      const res = await supertest(bff.server).get(pathname + search).set('Cookie', attempts).redirects(0);
      expectStatus(res, 303);
      browser.agent.jar.setCookies([...setCookies(res)], '127.0.0.1', '/');
      return (await sessionWith(bff, res)).sync;
    }));
    const newer = await browser.shown();
    const older = offers.find((offer) => offer?.id !== newer.sync);
    assert.ok(older);
    const cookies = browser.cookies();
    const accepted = [];
    for (const shown of [{ sync: older.id, username: older.user.username }, newer]) {
      accepted.push(await bff.browser().validateShown(shown).set('Cookie', cookies));
    }
    assert.deepEqual(await Promise.all(accepted.map(async (res) => (await sessionWith(bff, res)).state)), ['anonymous', 'signed-in']);
  });

  it('is not taken by a HEAD request', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const { pathname, search } = await goThere(bff, browser);
    const path = pathname.slice(MOUNT.length) + search;
    expectStatus(await browser.agent.head(MOUNT + path).redirects(0), 200);
    assert.equal((await browser.session()).state, 'anonymous');
    expectStatus(await browser.get(path), 303);
  });

  it('without parameters shows the form page', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await goThere(bff, browser);
    expectStatus(await browser.get('/sync/return').set('Accept', 'text/html'), 200);
  });

  it('replaces a live session only after the acceptance', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(bff.service.readers[1]);
    const old = browser.cookie('vestibule');
    await comeBack(browser, await goThere(bff, browser));
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
    await browser.validate();
    assert.equal((await browser.session()).user?.username, 'Ada Quill');
    assert.equal((await bff.browser().get('/session').set('Cookie', `vestibule=${old}`)).body.state, 'anonymous');
  });

  it('is not bound after the attempt expired', async () => {
    await using bff = await start({ syncSeconds: 60 });
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    bff.passTime(61);
    expectStatus(await comeBack(browser, back), 200);
    assert.equal((await browser.session()).state, 'anonymous');
  });

  it('is refused when it is incomplete or has duplicate parameters, and the attempt stays usable', async () => {
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

  it('is refused with another completion endpoint', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    back.searchParams.set('audiencesync_uri', 'https://evil.example/audiencesync/complete/');
    expectProblem(await comeBack(browser, back), 'untrusted-completion-uri');
    assert.equal((await browser.session()).state, 'anonymous');
  });

  it('with any error delivers the notice declined once', async () => {
    await using bff = await start();
    for (const error of ['access_denied', '<script>canary</script>']) {
      const browser = bff.browser();
      const back = await goThere(bff, browser, { query: PAGE, decision: 'deny' });
      back.searchParams.set('error', error);
      const res = await comeBack(browser, back);
      expectStatus(res, 303);
      assert.doesNotMatch(JSON.stringify(res.headers) + res.text, /canary/);
      const limits = { message_max_length: 10_000 };
      const { instance, ...session } = await browser.session();
      assert.deepEqual(session, { state: 'anonymous', limits, notice: 'declined' });
      const reference = `urn:vestibule:request:${res.headers['x-request-id']}`;
      assert.equal(instance, error === 'access_denied' ? undefined : reference, 'what no reader caused has a line');
      assert.deepEqual(await browser.session(), { state: 'anonymous', limits });
    }
  });

  it('with success=1 and no code delivers the notice already-granted once', async () => {
    await using bff = await start();
    bff.service.alreadyGranted.add('31007');
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    assert.equal(back.searchParams.get('success'), '1');
    expectStatus(await comeBack(browser, back), 303);
    assert.equal((await browser.session()).notice, 'already-granted');
    assert.equal((await browser.session()).notice, undefined);
  });

  it('with a denial leaves a live session alone', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn();
    await comeBack(browser, await goThere(bff, browser, { decision: 'deny' }));
    const { state, notice } = await browser.session();
    assert.deepEqual({ state, notice }, { state: 'signed-in', notice: 'declined' });
  });

  it('of a rejected reader delivers the notice rejected once', async () => {
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
    it(`show the form page at ${path.replace(/\?(?=code).*/, '?…')} to a browser without an attempt`, async () => {
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

  it('have a strict policy, refuse frames and send no referrer', async () => {
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

  it('name the language of the request', async () => {
    await using bff = await start();
    const res = await bff.browser().get('/sync/form').set('Accept-Language', 'de-AT,en');
    assert.match(res.text, /<html lang="de-AT">/);
  });
});
