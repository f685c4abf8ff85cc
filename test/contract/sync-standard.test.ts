/** The standard variant (contract, section 1: sign-in variants, 2): from `GET /sync/authorize` to the return. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import type { Reader } from '../service/index.ts';
import { MOUNT, startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { exchangesOf, expectProblem, expectStatus, navigationOf, setCookies, type ReaderClient } from '../lib/reader.ts';

const start = (settings: BffSettings = {}): Promise<Bff> => startBff({ allowedOrigins: ['https://www.example.com'], ...settings });

const authorize = (browser: ReaderClient, query = 'forum=news&return_to=https://www.example.com/article'): Promise<Response> => (
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
const comeBack = (browser: ReaderClient, { pathname, search }: URL): Promise<Response> => (
  browser.get(pathname.slice(MOUNT.length) + search).then((res) => res)
);

/** Starts an attempt and decides. @returns where the service redirects to */
async function goThere(bff: Bff, browser: ReaderClient, { query, decision = 'accept', user = bff.service.readers[0] }: {
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

  it('leaves one cookie below 2.5 KB, however many sign-ins are begun; an address of more than 1,500 characters is invalid-request', async () => {
    const forum = 'f'.repeat(100);
    await using bff = await start({ forums: [forum], publicUrl: 'https://bff.example.com/vestibule' });
    const browser = bff.browser();
    const address = (length: number) => `https://www.example.com/${'x'.repeat(length - 24)}`;
    const begin = (length: number, display: string) => (
      authorize(browser, `forum=${forum}&display=${display}&lang=abcdefgh-abcdefgh-abcdefgh&post=1&return_to=${address(length)}`)
    );
    for (let i = 0; i < 5; i += 1) {
      const [cookie = '', ...others] = setCookies(await begin(1_500, 'page'));
      assert.deepEqual(others, []);
      const [pair = ''] = cookie.split(';', 1);
      assert.ok(pair.startsWith('__Host-Http-vestibule-attempt=') && pair.length < 2_560, `${pair.length} characters`);
    }
    for (const display of ['page', 'popup']) expectProblem(await begin(1_501, display), 'invalid-request');
  });

  it('binds the attempt of a page on another host of the site if that page is allowed', async () => {
    await using bff = await start();
    for (const [referer, count] of [
      ['https://www.example.com/article', 1], ['https://blog.example.com/', 0], ['https://www.example.com.evil.example/', 0], ['', 0],
    ] as const) {
      const res = await bff.browser().get('/sync/authorize?forum=news').set({ 'Sec-Fetch-Site': 'same-site', ...(referer && { Referer: referer }) });
      assert.deepEqual([res.status, setCookies(res).length], [302, count], referer);
    }
  });

  it('binds the attempt to this browser with a Lax cookie and sets no session', async () => {
    await using bff = await start();
    const [line, ...rest] = setCookies(await authorize(bff.browser()));
    assert.match(line ?? '', /^vestibule-attempt[\w-]*=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
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

  it('reports a refusal to the opener at the origin of return_to alone, and without one to nobody', async () => {
    await using bff = await start();
    const targetOf = async (query: string) => {
      const { text } = await bff.browser().get(`/sync/authorize?${query}`).set('Accept', 'text/html');
      return /<script data-origin="([^"]*)"/.exec(text)?.[1];
    };
    assert.equal(await targetOf('forum=news&return_to=https://news.example/a'), 'https://news.example');
    assert.equal(await targetOf('forum=other&return_to=https://www.example.com/a'), 'https://www.example.com');
    for (const query of ['forum=other', 'forum=news&return_to=*', 'forum=news&return_to=data:,x']) assert.equal(await targetOf(query), undefined, query);
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
});

describe('GET /sync/authorize?lang', () => {
  const label = { en: 'Your age', de: 'Ihr Alter' };
  const validation = { fields: [{ name: 'age', type: 'number', label, min: 18, onFail: 'reject', reason: { en: 'Too young', de: 'Zu jung' } }] } as const;
  const settings = { validation: { fields: [...validation.fields] } };
  const query = (lang: string) => `forum=news&return_to=https://www.example.com/&lang=${lang}`;

  it('is the language of the form and of the messages of this sign-in, before Accept-Language', async () => {
    await using bff = await start(settings);
    const browser = bff.browser();
    browser.agent.set('Accept-Language', 'en');
    await comeBack(browser, await goThere(bff, browser, { query: query('de_AT') }));
    assert.match((await browser.get('/sync/form').set('Accept', 'text/html')).text, /<vestibule-sync lang="de-AT" .*Ihr Alter/s);
    assert.equal((await browser.session()).sync?.form.fields[0]?.label, 'Ihr Alter');
    assert.equal((await browser.validate({ age: 17 })).body.reason, 'Zu jung');
    await browser.start();
    assert.equal((await browser.session()).sync?.form.fields[0]?.label, 'Your age');
  });

  it('is the language of the page that says that the reader declined', async () => {
    await using bff = await start(settings);
    const browser = bff.browser();
    const back = await comeBack(browser, await goThere(bff, browser, { query: query('de'), decision: 'deny' }));
    const form = await browser.get((back.headers['location'] ?? '').slice(bff.url.length)).set({ Accept: 'text/html', 'Accept-Language': 'en' });
    assert.match(form.text, /<vestibule-sync lang="de" /);
  });

  it('leads back through the page that offers to continue', async () => {
    await using bff = await start();
    const refused = await bff.browser().get(`/sync/authorize?${query('de')}`).set({ 'Sec-Fetch-Site': 'cross-site', Accept: 'text/html' });
    assert.match(refused.text, /href="[^"]*lang=de"/);
  });

  it('that is no language tag is ignored', async () => {
    await using bff = await start(settings);
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser, { query: query('%22%3E%3Cscript') }));
    assert.match((await browser.get('/sync/form').set({ Accept: 'text/html', 'Accept-Language': 'de' })).text, /<vestibule-sync lang="de" /);
  });
});

describe('the sign-in window of one of several origins', () => {
  const allowedOrigins = ['https://www.example.com', 'https://m.example.com'];
  const openersIn = ({ text }: { readonly text: string }): string | undefined => /opener-origins="([^"]*)"/.exec(text)?.[1];

  for (const decision of ['accept', 'deny'] as const) {
    it(`reports to the page that has opened it alone: ${decision}`, async () => {
      await using bff = await start({ allowedOrigins });
      const browser = bff.browser();
      browser.agent.set('Accept', 'text/html');
      const back = await comeBack(browser, await goThere(bff, browser, { query: 'forum=news&return_to=https://m.example.com/a?b=c', decision }));
      const { pathname, search } = new URL(back.headers['location'] ?? '');
      assert.equal(openersIn(await browser.get(pathname.replace(new URL(bff.url).pathname, '') + search)), 'https://m.example.com');
    });
  }

  it('reports to all of them where the page is not known, or not allowed', async () => {
    await using bff = await start({ allowedOrigins });
    const browser = bff.browser();
    browser.agent.set('Accept', 'text/html');
    await comeBack(browser, await goThere(bff, browser, { query: 'forum=news' }));
    for (const query of ['', '?opener=https://evil.example', '?opener=*']) {
      assert.equal(openersIn(await browser.get(`/sync/form${query}`)), [...allowedOrigins, new URL(bff.url).origin].join(' '));
    }
    assert.equal(openersIn(await browser.get('/sync/form?opener=https://www.example.com')), 'https://www.example.com');
  });
});

describe('GET /sync/authorize and Sec-Fetch-Site', () => {
  const PATH = '/sync/authorize?forum=news&return_to=https://www.example.com/';

  it('redirects without binding when it is absent, none or unknown', async () => {
    await using bff = await start();
    for (const site of [undefined, 'none', 'unknown']) {
      const request = bff.browser().get(PATH);
      const res = await (site === undefined ? request : request.set('Sec-Fetch-Site', site));
      expectStatus(res, 302);
      assert.ok(res.headers['location']?.startsWith(`${bff.service.url}/api/oauth/2.0/authorize/?`));
      assert.deepEqual(setCookies(res), [], site);
    }
  });

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
});

describe('embeddedUrl', () => {
  const embeddedUrl = 'https://service.example/embedded?q=50%&filter={"x":1}';

  it('is where GET /sync/authorize redirects to, byte for byte, bound in the same way', async () => {
    await using bff = await start({ embeddedUrl });
    const browser = bff.browser();
    const res = await authorize(browser, PAGE);
    expectStatus(res, 302);
    assert.equal(res.headers['location'], embeddedUrl);
    assert.equal(setCookies(res).length, 1);
    const back = await browser.get(`/sync/return?${new URLSearchParams({ ...browser.issueReturn() })}`);
    assert.equal(navigationOf(back), 'https://www.example.com/article?id=1#comments');
    assert.equal((await browser.validate()).body.outcome, 'accepted');
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

  it('navigates back to return_to by a page of the BFF: the policy of the service\'s page may stop a redirect to a third origin', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const res = await comeBack(browser, await goThere(bff, browser, { query: PAGE }));
    assert.equal(navigationOf(res), 'https://www.example.com/article?id=1#comments');
    assert.deepEqual([res.headers['location'], res.headers['referrer-policy']], [undefined, 'no-referrer']);
    assert.equal((await browser.session()).state, 'validating');
  });

  it('redirects to return_to where it is of the BFF\'s own origin', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const page = `${bff.origin}/article?id=1#comments`;
    const res = await comeBack(browser, await goThere(bff, browser, { query: `display=page&return_to=${encodeURIComponent(page)}` }));
    assert.deepEqual([res.status, res.headers['location']], [303, page]);
  });

  it('keeps the forum of the attempt', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await comeBack(browser, await goThere(bff, browser, { query: 'forum=sport' }));
    assert.equal((await browser.session()).sync?.forum, 'sport');
  });

  it('replaces the attempt\'s cookie by that of the sign-in', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const [sync, attempt, ...rest] = setCookies(await comeBack(browser, await goThere(bff, browser)));
    assert.match(attempt ?? '', /^vestibule-attempt[\w-]*=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/);
    assert.match(sync ?? '', /^vestibule-sync[\w-]*=s%3A[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=/);
    assert.deepEqual(rest, []);
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

  it('leads to the form page when it is repeated after the sign-in finished, with or without an attempt that waits', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const back = await goThere(bff, browser);
    await comeBack(browser, back);
    expectStatus(await browser.validate(), 200);
    for (const attempts of [0, 1]) {
      if (attempts > 0) await authorize(browser, PAGE);
      const cookies = browser.cookies();
      const again = await comeBack(browser, back);
      expectStatus(again, 303);
      assert.equal(again.headers['location'], `${bff.url}/sync/form`);
      assert.equal(browser.cookies(), cookies);
    }
    assert.equal((await browser.session()).state, 'signed-in');
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

  it('takes the newest attempt, in the place of earlier ones; a later return asks the reader first', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const [first, second] = bff.service.readers as [Reader, Reader];
    const early = await goThere(bff, browser, { user: first, query: PAGE });
    const late = await goThere(bff, browser, { user: second });
    const taken = await comeBack(browser, early);
    assert.equal(taken.status, 303);
    assert.match(taken.headers['location'] ?? '', /\/sync\/form/);
    const unbound = await comeBack(browser, late);
    assert.deepEqual([unbound.status, setCookies(unbound)], [200, []]);
    assert.equal((await browser.shown()).username, first.username);
    expectStatus(await browser.delete('/session'), 204);
    assert.deepEqual([(await browser.session()).state, browser.cookies()], ['anonymous', '']);
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

  it('with a denial leaves a live session alone', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn();
    expectStatus(await comeBack(browser, await goThere(bff, browser, { decision: 'deny' })), 303);
    assert.equal((await browser.session()).state, 'signed-in');
  });
});

describe('a return with an error', () => {
  async function noticeOf(error: string) {
    const bff = await start();
    await using _ = bff;
    const browser = bff.browser();
    await authorize(browser);
    expectStatus(await browser.receive({ error, error_description: 'canary' }), 303);
    const { kind, instance } = (await browser.session()).notice ?? {};
    return { kind, hasInstance: instance !== undefined, warnings: bff.log.filter(({ level }) => Number(level) >= 40).length };
  }

  for (const error of ['access_denied', 'denied', 'consent_required', '']) {
    it(`is the reader's No: ${error || 'an empty word'}`, async () => {
      assert.deepEqual(await noticeOf(error), { kind: 'declined', hasInstance: false, warnings: 0 });
    });
  }

  for (const error of [
    'invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable',
  ]) {
    it(`is a failure of OAuth 2 with a line of the log, to which its notice refers: ${error}`, async () => {
      assert.deepEqual(await noticeOf(error), { kind: 'declined', hasInstance: true, warnings: 1 });
    });
  }
});

describe('the notice of a sign-in', () => {
  const age = { name: 'age', type: 'number', label: 'Age', required: true, min: 18, onFail: 'reject' } as const;
  const endings: Readonly<Record<string, (bff: Bff, browser: ReaderClient) => Promise<unknown>>> = {
    declined: async (bff, browser) => comeBack(browser, await goThere(bff, browser, { decision: 'deny' })),
    'already-granted': async (bff, browser) => {
      bff.service.alreadyGranted.add('31007');
      return comeBack(browser, await goThere(bff, browser));
    },
    rejected: async (bff, browser) => {
      await comeBack(browser, await goThere(bff, browser));
      return browser.validate({ age: 17 });
    },
  };

  for (const [kind, end] of Object.entries(endings)) {
    it(`is ${kind}, repeated with its id for a minute`, async () => {
      await using bff = await start({ validation: { fields: [age] } });
      const browser = bff.browser();
      const { headers } = await end(bff, browser) as { headers: Record<string, unknown> };
      const { notice } = await browser.session() as { notice?: { kind: string } };
      assert.equal(notice?.kind, kind);
      assert.deepEqual((await browser.session()).notice, notice);
      // Of a return without a code, the browser forgets it.
      if (kind !== 'rejected') return assert.match(String(headers['set-cookie']), /vestibule-notice=[^;]+; Max-Age=60;/);
      bff.passTime(61);
      assert.equal((await browser.session()).notice, undefined);
    });
  }

  it('is that of the sign-in that ended last, within a minute too, and none once a reader is signed in', async () => {
    await using bff = await start({ validation: { fields: [age] } });
    const browser = bff.browser();
    const kinds = ['declined', 'rejected', 'declined'];
    for (const kind of kinds) {
      await endings[kind]!(bff, browser);
      assert.equal((await browser.session()).notice?.kind, kind);
    }
    await comeBack(browser, await goThere(bff, browser));
    expectStatus(await browser.validate({ age: 18 }), 200);
    const { state, notice } = await browser.session();
    assert.deepEqual([state, notice], ['signed-in', undefined]);
  });
});

describe('the log', () => {
  it('has a line with what to look at for each return that fails, without a browser that began it', async () => {
    await using bff = await start();
    const queries = [
      ['error=invalid_request', 'service-refused', 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI'],
      ['code=canary', 'invalid-request', 'VESTIBULE_REDIRECT_URI, or the proxy'],
    ] as const;
    for (const query of ['', 'error=access_denied', 'error=canary', 'unrelated=1', ...queries.map(([one]) => one)]) {
      await bff.browser().get(`/sync/return?${query}`);
    }
    const lines = bff.log.filter(({ level }) => Number(level) >= 40);
    assert.deepEqual(lines.map(({ problem, setting }) => [problem, setting]), queries.map(([, ...expected]) => expected));
    assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
  });
});

describe('the form page', () => {
  const parameters = 'code=canary&username=canary&user_id=canary&audiencesync_uri=canary';
  for (const path of ['/sync/form', '/sync/return', `/sync/return?${parameters}`, '/sync/return?error=canary']) {
    it(`is shown at ${path.replace(/\?(?=code).*/, '?…')} to a browser without an attempt, under a strict policy`, async () => {
      await using bff = await start();
      const res = await bff.browser().get(path);
      expectStatus(res, 200);
      assert.equal(res.headers['content-type'], 'text/html; charset=utf-8');
      assert.deepEqual(setCookies(res), []);
      assert.doesNotMatch(res.text, /canary/);
      assert.match(res.text, /<vestibule-sync\b/);
      assert.equal(res.headers['x-frame-options'], 'DENY');
      assert.equal(res.headers['referrer-policy'], 'no-referrer');
      const policy = res.headers['content-security-policy'] ?? '';
      for (const directive of [
        `default-src 'none'`, `script-src ${bff.publicUrl}/`, `connect-src ${bff.publicUrl}/`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`,
        `require-trusted-types-for 'script'`,
      ]) assert.ok(policy.split('; ').includes(directive), `${directive} is not in ${policy}`);
      assert.doesNotMatch(policy, /unsafe|\*/);
    });
  }

  it('names the site and carries the waiting sign-in', async () => {
    const site = { name: 'The Harbour <Courier>', logo: 'https://cdn.example.com/a.svg?b&c', accent: '#1c5273' };
    await using bff = await start({ site });
    const browser = bff.browser();
    const { sync } = await browser.begin();
    const { text, headers } = await browser.get('/sync/form');
    assert.match(text, /<title>[^<]*The Harbour &#60;Courier/);
    assert.match(text, /<h1 [^>]*><img src="https:\/\/cdn\.example\.com\/a\.svg\?b&#38;c" alt="">The Harbour &#60;Courier&#62;<\/h1>/);
    assert.match(headers['content-security-policy'] ?? '', /img-src https:\/\/cdn\.example\.com;/);
    assert.match(text, new RegExp(`<script[^>]*type="application/json"[^>]*>[^<]*"${sync}"`));
    assert.doesNotMatch(await browser.get('/sync/return?code=a').then((res) => res.text), /application\/json/);
  });
});

describe('a page of the BFF', () => {
  for (const [path, words] of [['/sync/form', /JavaScript/], ['/sync/authorize?forum=news', /sign in/i]] as const) {
    it(`in English has lang="en" for each Accept-Language: ${path}`, async () => {
      await using bff = await startBff();
      const { text } = await bff.browser().get(path).set({ Accept: 'text/html', 'Accept-Language': 'eo', 'Sec-Fetch-Site': 'cross-site' });
      assert.match(text, words);
      assert.match(text, /<html lang="en"/);
    });
  }
});

describe('post=1', () => {
  it('marks the sign-in for which a text waits, in the session and in the form', async () => {
    await using bff = await start();
    for (const [query, post] of [['&post=1', true], ['&post=0', undefined], ['', undefined]] as const) {
      const browser = bff.browser();
      await comeBack(browser, await goThere(bff, browser, { query: `forum=news&return_to=https://www.example.com/article${query}` }));
      const { sync } = await browser.session();
      assert.equal(sync?.post, post, query);
      const { text } = await browser.get('/sync/form').set('Accept', 'text/html');
      assert.equal(text.includes('"post":true'), post === true);
    }
  });

  it('is kept by the page that offers to continue, and is none of a sign-in without an attempt', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const page = await browser.get('/sync/authorize?forum=news&post=1').set({ 'Sec-Fetch-Site': 'cross-site', Accept: 'text/html' });
    expectStatus(page, 403);
    assert.match(page.text, /href="[^"]*post=1/);
    await browser.begin();
    assert.equal((await browser.session()).sync?.post, undefined);
  });
});
