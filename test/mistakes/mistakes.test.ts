/** Makes each mistake of the table: one line of the log, words for the reader and a hint in the console of a real browser, and a
 *  finding of `check`. */

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import supertest, { type Response } from 'supertest';
import { INSTANCE_PREFIX, PROBLEM_TYPE_PREFIX, type Problem } from '@vestibule/shared';
import { findings } from '../../packages/bff/src/cli/check/check.ts';
import { parseConfig } from '../../packages/bff/src/config/config.ts';
import type { VestibuleConfig } from '../../packages/bff/src/config/vestibule-config.ts';
import { createLogId } from '../../packages/bff/src/lib/identifiers.ts';
import { problemStrings } from '../../packages/widget/src/locales/en-problems.ts';
import { FailingStore } from '../bff/_failing-store.ts';
import { NO_SYNC, startBff, type Bff, type BffSettings, type Browser } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { runVestibule, VestibuleProcess } from '../lib/vestibule-process.ts';
import { ORIGIN, startProcessWorld, type ProcessWorld } from '../process/_service.ts';
import { mistakes, pageMistakes, type Finding, type Mistake, type MistakeKey } from './mistakes.ts';
import { json, queryOf, ReadersPage, type Visit } from './_readers-page.ts';

const INFO = 30;
const WARN = 40;
/** Origin of a page on the site of the BFF. */
const PAGE = 'https://www.news.example';

const HTTPS_SITE: BffSettings = { publicUrl: 'https://www.news.example/vestibule', trustProxy: 'loopback' };

type StartMistake = 'misspelt-variable' | 'word-instead-of-number' | 'placeholder-as-secret' | 'config-module-commonjs' | 'config-module-without-package';
type RequestMistake = Exclude<MistakeKey, StartMistake | (typeof pageMistakes)[number]>;

interface Scenario {
  readonly settings?: BffSettings;
  /** Settings that `check` gets; default: `settings`. */
  readonly checked?: (bff: Bff) => Partial<VestibuleConfig>;
  readonly make: (browser: Browser, bff: Bff) => Promise<Response>;
}

async function validating(browser: Browser): Promise<Browser> {
  await browser.start();
  return browser;
}

async function signedIn(browser: Browser): Promise<Browser> {
  await browser.signIn();
  return browser;
}

const failingStore = new FailingStore();

const scenarios: Readonly<Record<RequestMistake, Scenario>> = {
  'www-against-apex': { settings: HTTPS_SITE, make: async (browser) => browser.start().set('Origin', 'https://news.example') },
  'origin-not-allowed': { settings: HTTPS_SITE, make: async (browser) => browser.start().set('Origin', 'https://other.example') },
  'origin-removed': { make: async (browser) => (await signedIn(browser)).createPost('canary').unset('Origin') },
  'http-public-url': {
    settings: { publicUrl: 'http://www.news.example/vestibule' },
    make: async (browser) => browser.start().set('Origin', 'https://www.news.example'),
  },
  'return-to-other-origin': { make: async (browser) => browser.get('/sync/authorize?return_to=https://other.example/canary') },
  'page-on-other-origin': {
    settings: HTTPS_SITE,
    make: async (browser) => {
      await browser.get('/session').set('Origin', 'https://news.example');
      await browser.agent.options('/vestibule/sync').set({ Origin: 'https://news.example', 'Access-Control-Request-Method': 'POST' });
      return browser.get('/posts?page=https://news.example/');
    },
  },
  'unknown-forum': { make: async (browser) => browser.get('/sync/authorize?forum=canary') },
  'forum-unknown-to-service': {
    settings: { forums: ['mistyped'] },
    make: async (browser) => {
      const { headers } = await browser.authorize('forum=mistyped');
      const { headers: returned } = await fetch(headers['location'] as string, { redirect: 'manual' });
      return browser.get(`/sync/return${new URL(returned.get('location') ?? '').search}`);
    },
  },
  'service-page-refuses': {
    checked: (bff) => ({ redirectUri: `${bff.publicUrl}/unregistered` }),
    make: async (browser) => {
      let response = await browser.authorize('');
      for (let starts = 1; starts < 20; starts += 1) response = await browser.authorize('');
      return response;
    },
  },
  'post-refused-by-service': {
    make: async (browser, bff) => {
      await signedIn(browser);
      bff.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'forum is closed' } });
      return browser.createPost('canary');
    },
  },
  'wrong-secret-key': { settings: { secretKey: 'wrong' }, make: async (browser) => (await validating(browser)).validate() },
  'wrong-redirect-uri': {
    settings: { redirectUri: 'http://127.0.0.1/registered', serviceOptions: { redirectUris: ['http://127.0.0.1/registered', 'http://127.0.0.1/other'] } },
    checked: (bff) => ({ redirectUri: `${bff.publicUrl}/unregistered` }),
    make: async (browser, bff) => {
      await browser.start(bff.service.issueReturn({ redirectUri: 'http://127.0.0.1/other' }));
      return browser.validate();
    },
  },
  'other-service': {
    checked: (bff) => ({ serviceUrl: `${bff.service.url}/elsewhere` }),
    make: async (browser) => browser.start({ ...browser.issueReturn(), audiencesync_uri: 'https://other.example/audiencesync/complete/' }),
  },
  'service-down': {
    make: async (browser, bff) => {
      await signedIn(browser);
      await bff.service.down();
      return browser.createPost('canary');
    },
  },
  'store-down': {
    settings: { storeInstance: failingStore },
    checked: () => ({ store: 'sqlite:/nonexistent/store.db' }),
    make: async (browser) => {
      await signedIn(browser);
      failingStore.fail({ operation: 'setIfAbsent', key: 'post:', applied: false });
      return browser.createPost('canary');
    },
  },
  'no-proven-user': {
    make: async (browser, bff) => {
      bff.service.faults.next('token', { kind: 'rewrite', change: ({ user_id: _, username: __, ...rest }: Record<string, unknown>) => rest });
      return (await validating(browser)).validate();
    },
  },
  'code-used-before': {
    make: async (browser, bff) => {
      const syncReturn = browser.issueReturn();
      await browser.start(syncReturn);
      return bff.browser().start(syncReturn);
    },
  },
  'sign-in-expired': {
    make: async (browser, bff) => {
      const shown = await browser.begin();
      bff.passTime(901);
      return browser.validateShown(shown);
    },
  },
  'sign-in-cookie-missing': { make: async (browser) => browser.validate() },
  'sign-in-of-another-browser': {
    make: async (browser, bff) => {
      const { body } = await bff.browser().start();
      await browser.start();
      return browser.validateShown({ sync: body.sync.id, username: 'Ada Quill' });
    },
  },
  'return-altered': {
    make: async (browser) => {
      await browser.start({ ...browser.issueReturn(), user_id: '1' });
      return browser.validate();
    },
  },
  'bff-on-another-site': {
    checked: () => ({ publicUrl: 'https://bff.example', allowedOrigins: ['https://www.news.example'], trustProxy: 1 }),
    make: async (browser) => browser.createPost('canary'),
  },
  'token-revoked': {
    make: async (browser, bff) => {
      await signedIn(browser);
      bff.service.revokeTokensOf('31007');
      return browser.createPost('canary');
    },
  },
  'hook-throws': {
    settings: { validation: { fields: [], validate: () => { throw new Error('canary'); } } },
    make: async (browser) => (await validating(browser)).validate(),
  },
  'hook-returns-other-shape': {
    settings: { validation: { fields: [], validate: () => true as never } },
    make: async (browser) => (await validating(browser)).validate(),
  },
  'hook-hangs': {
    settings: { hookTimeoutMs: 50, validation: { fields: [], onAccepted: () => new Promise(() => undefined) } },
    make: async (browser) => (await validating(browser)).validate(),
  },
  'prepare-returns-nothing': {
    settings: { posts: { prepare: () => undefined as never } },
    make: async (browser) => (await signedIn(browser)).createPost('canary'),
  },
  'post-refused-by-hook': {
    settings: { posts: { prepare: () => ({ ok: false, reason: 'canary' }) } },
    make: async (browser) => (await signedIn(browser)).createPost('canary'),
  },
  'proxy-not-trusted': {
    settings: { rateLimits: { sync: 1 } },
    checked: () => ({ publicUrl: 'https://www.news.example' }),
    make: async (browser) => {
      await browser.start().set('X-Forwarded-For', '192.0.2.1');
      return browser.start().set('X-Forwarded-For', '192.0.2.2');
    },
  },
  'other-mount-path': { settings: { publicUrl: 'http://127.0.0.1/comments' }, make: async (browser) => browser.get('/session') },
  'proxy-removes-path': {
    make: async (_browser, bff) => {
      const agent = supertest(createServer(bff.vestibule.router));
      await agent.get('/session');
      return agent.get('/session');
    },
  },
};

/** How the mistake meets a reader: opens the page, and acts until the failure. Default: by the request that failed. */
type Meet = (page: ReadersPage, bff: Bff, response: Response) => Promise<void>;

const signedInView = json({ state: 'signed-in', user: { user_id: '31007', username: 'Ada Quill' }, limits: { message_max_length: 10_000 } });
const anonymousView = json({ state: 'anonymous', limits: { message_max_length: 10_000 } });
const offer = { id: NO_SYNC, user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news', form: { fields: [] } };
const validatingView = json({ state: 'validating', sync: offer, limits: { message_max_length: 10_000 } });

/** Presses the button whose request gets the response. */
const meetFailure: Meet = async (page, bff, response) => {
  const { method, url } = response.request as unknown as { readonly method: string; readonly url: string };
  const request = `${method} ${new URL(url).pathname.replace(/^\/vestibule/, '')}`;
  // The proxy of `http-public-url` serves https.
  const { origin } = new URL(bff.publicUrl.replace('http://www.', 'https://www.'));
  const form = `<vestibule-sync bff="${new URL('/vestibule', origin).href}"></vestibule-sync>`;
  const visit = { bff: { ...bff, publicUrl: new URL('/vestibule', origin).href } };
  switch (request) {
    case 'POST /posts':
      await page.visit({ ...visit, answers: { 'GET /session': signedInView, [request]: response } });
      await page.write();
      return page.click('Post comment');
    case 'POST /sync':
      await page.visit({
        ...visit, body: form, answers: { [request]: response },
        query: queryOf(bff.service.issueReturn({ redirectUri: bff.redirectUri })),
      });
      return page.click('Continue as');
    case 'POST /sync/validation':
      await page.visit({ ...visit, body: form, answers: { 'GET /session': [validatingView, anonymousView], [request]: response } });
      return page.click('Continue as');
    default: return assert.fail(request);
  }
};

const meetAtOrigin = (origin: string): Meet => async (page, bff) => {
  await page.visit({ bff, origin });
  await page.write();
};

const meetings: Readonly<Partial<Record<RequestMistake, Meet>>> = {
  'www-against-apex': meetAtOrigin('https://news.example'),
  'origin-not-allowed': meetAtOrigin('https://other.example'),
  'return-to-other-origin': meetAtOrigin('https://other.example'),
  'page-on-other-origin': meetAtOrigin('https://news.example'),
  'unknown-forum': async (page, bff) => {
    const body = `<vestibule-comments forum="mistyped" bff="${bff.publicUrl}"></vestibule-comments>`;
    await page.visit({ bff, body, answers: { 'GET /session': anonymousView } });
    await page.write();
    await page.click('Sign in to post');
  },
  'forum-unknown-to-service': async (page, bff) => {
    const failed = json({ state: 'anonymous', notice: 'declined', instance: `${INSTANCE_PREFIX}${crypto.randomUUID()}`, limits: { message_max_length: 10_000 } });
    await page.visit({ bff, answers: { 'GET /session': failed } });
    await page.write();
  },
  'bff-on-another-site': async (page, bff) => {
    const headers = { 'content-type': 'application/json', 'access-control-allow-origin': PAGE, 'access-control-allow-credentials': 'true' };
    await page.visit({
      bff: { ...bff, publicUrl: 'https://bff.example/vestibule' },
      origin: PAGE,
      answers: { 'GET /session': { ...anonymousView, headers }, 'GET /sync/authorize': { status: 200, headers: {}, text: 'The service.' } },
    });
    await page.write();
    await page.click('Sign in to post');
    await page.announceSignIn();
  },
  'other-mount-path': meetAtOrigin('http://127.0.0.1'),
  'proxy-removes-path': async (page, bff) => {
    const server = createServer(bff.vestibule.router);
    const withoutPath = await supertest(server).get('/session');
    await page.visit({ bff, answers: { 'GET /session': withoutPath } });
    await page.write();
  },
};

const rowOf = (key: MistakeKey): Mistake => mistakes.find((row) => row.key === key) ?? assert.fail(key);

const isFinding = (wanted: Finding) => ({ status, name, message }: { status: string; name: string; message: string }) => (
  status === wanted.status && name === wanted.name && message.includes(wanted.message)
);

/** Series without their values. */
async function seriesOf({ vestibule }: Bff): Promise<readonly string[]> {
  return (await vestibule.metrics()).split('\n').filter((line) => line.startsWith('vestibule_')).map((line) => line.replace(/ \S+$/, ''));
}

describe('the table', () => {
  it('has a key, a mistake and a scenario of its own in each row', () => {
    assert.equal(new Set(mistakes.map(({ key }) => key)).size, mistakes.length);
    assert.ok(mistakes.length >= 25);
    for (const { key, mistake } of mistakes) {
      assert.match(key, /^[a-z]+(?:-[a-z]+)*$/);
      assert.match(mistake, /\.$/);
    }
  });
});

// `check` reports variables of this process that look like settings; the test runner has such.
for (const name of Object.keys(process.env)) if (name.startsWith('VESTIBULE_')) Reflect.deleteProperty(process.env, name);

describe('a mistake that a request shows', () => {
  const page = suiteResource(() => ReadersPage.open());

  for (const [key, { settings = {}, checked, make }] of Object.entries(scenarios) as [RequestMistake, Scenario][]) {
    const { mistake, log, reader, words, hint, check } = rowOf(key);
    it(`${key}: ${mistake}`, async () => {
      await using bff = await startBff(settings);
      const seriesAtStart = await seriesOf(bff);
      const response = await make(bff.browser(), bff);

      const [line, ...more] = bff.log.filter(({ level }) => (level as number) >= WARN);
      assert.deepEqual(more, []);
      assert.ok(line && log !== 'none');
      for (const [name, value] of Object.entries({ level: WARN, ...log })) assert.equal(line[name], value, name);
      assert.doesNotMatch(JSON.stringify(bff.log), /canary|Ada Quill/);
      assert.deepEqual(await seriesOf(bff), seriesAtStart, 'each series exists from the start');

      if (log['problem'] !== undefined) {
        assert.equal(line['request_id'], response.headers['x-request-id']);
        assert.match(String(line['reason']), /^\w/);
        assert.match(await bff.vestibule.metrics(), new RegExp(`^vestibule_failures_total\\{operation="[a-z-]+",problem="${String(log['problem'])}"\\} 1$`, 'm'));
      }
      if (reader !== 'none') {
        const problem = JSON.parse(response.text) as Problem;
        assert.equal(problem.type, PROBLEM_TYPE_PREFIX + reader);
        assert.equal(problem.instance, `urn:vestibule:request:${response.headers['x-request-id']}`);
        assert.ok(problemStrings[reader] !== '');
      }

      if (words === 'none') {
        await page().visit({ bff, answers: { 'GET /session': anonymousView } });
        await page().write();
        await page().showsNoFailure();
      } else {
        await (meetings[key] ?? meetFailure)(page(), bff, response);
        const reference = await page().shows(words);
        // While the box repeats a request, it shows none.
        if (!meetings[key] && response.status !== 503) assert.equal(reference, response.headers['x-request-id']?.slice(0, 8));
        if (hint !== 'none') await page().hint();
      }
      assert.deepEqual(page().hints, hint === 'none' ? [] : [hint]);

      const { service, publicUrl } = bff;
      const { serviceOptions: _, storeInstance: __, ...own } = settings;
      const config = parseConfig({
        serviceUrl: service.url, publicKey: service.publicKey, secretKey: service.secretKey, forums: ['news'], publicUrl, cookieSecrets: [COOKIE_SECRET],
        store: 'memory:', ...own, ...checked?.(bff),
      });
      const found = (await Array.fromAsync(findings(config))).filter(({ status }) => status !== 'ok');
      if (check !== 'none') assert.ok(found.some(isFinding(check)), JSON.stringify(found));
      else assert.deepEqual(found.filter(({ name }) => name !== 'store'), []);
    });
  }

  it('names the user by the keyed hash', async () => {
    await using bff = await startBff({ posts: { prepare: () => undefined as never } });
    await (await signedIn(bff.browser())).createPost('canary');
    const line = bff.log.find(({ level }) => (level as number) >= WARN);
    assert.equal(line?.['user'], createLogId(COOKIE_SECRET)('31007'));
  });

  it('names the file, the line and the column of a hook that throws', async () => {
    const { settings, make } = scenarios['hook-throws'];
    await using bff = await startBff(settings);
    await make(bff.browser(), bff);
    const { place } = bff.log.find(({ level }) => (level as number) >= WARN) ?? {};
    assert.match(String(place), /\/mistakes\.test\.ts:\d+:\d+$/);
  });

  for (const [what, hook, wanted, hookTimeoutMs = 20_000] of [
    ['a failed read', async () => { await readFile('/nonexistent/canary'); }, /\/mistakes\.test\.ts:\d+:\d+$/],
    ['a failed JSON.parse', () => { JSON.parse('{canary'); }, /\/mistakes\.test\.ts:\d+:\d+$/],
    ['a failed call of the service', async ({ service }) => { await service.request('GET', 'https://other.example/'); }, /\/mistakes\.test\.ts:\d+:\d+$/],
    ['a timeout', () => new Promise<void>(() => undefined), /^no line of a hook is known$/, 500],
  ] as readonly [string, NonNullable<NonNullable<VestibuleConfig['validation']>['onAccepted']>, RegExp, number?][]) {
    it(`names the line of the hook for ${what}`, async () => {
      await using bff = await startBff({ hookTimeoutMs, validation: { fields: [], onAccepted: hook } });
      await (await validating(bff.browser())).validate();
      const { problem, place } = bff.log.find(({ level }) => (level as number) >= WARN) ?? {};
      assert.equal(problem, 'internal-error');
      assert.match(String(place), wanted);
      assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
    });
  }

  it('repeats no word of the reader\'s text from a message of the service', async () => {
    await using bff = await startBff();
    const browser = await signedIn(bff.browser());
    bff.service.faults.next('posts', { kind: 'status', status: 400, body: { code: 2, response: 'message "Canary мысль" is too short' } });
    await browser.createPost('A canary, мысль');
    const line = bff.log.find(({ level }) => (level as number) >= WARN);
    assert.equal(line?.['service_message'], 'message [redacted] [redacted] is too short');
    assert.doesNotMatch(JSON.stringify(bff.log), /canary|мысль/i);
  });

  it('is explained on a page with the reference that finds its line, where the browser navigated', async () => {
    await using bff = await startBff();
    const { text } = await bff.browser().get('/sync/authorize?forum=mistyped').set('Accept', 'text/html');
    const [, reference = 'none'] = /Reference: <code>([\da-f]{8})</.exec(text) ?? [];
    const lines = bff.log.filter(({ level, request_id: id }) => (level as number) >= WARN && String(id).startsWith(reference));
    assert.equal(lines.length, 1);
  });

  it('of a sign-in from the https page of an http public URL names the public URL', async () => {
    await using bff = await startBff({ publicUrl: 'http://www.news.example/vestibule' });
    await bff.browser().get('/sync/authorize?return_to=https://www.news.example/a');
    const line = bff.log.find(({ level }) => (level as number) >= WARN);
    assert.equal(line?.['reason'], 'the origin is not allowed: it differs in scheme from http://www.news.example');
    assert.equal(line['setting'], 'VESTIBULE_PUBLIC_URL, VESTIBULE_ALLOWED_ORIGINS');
  });

  it('of a page leaves a line with the setting for the request whose reference the box shows', async () => {
    await using bff = await startBff();
    for (const [query, setting] of [
      ['forum=mistyped&page=https://www.news.example/a', 'VESTIBULE_FORUMS'],
      ['forum=news&page=https://other.example/canary', 'VESTIBULE_ALLOWED_ORIGINS'],
      ['forum=news&page=canary', 'the attribute page'],
    ]) {
      const { body } = await bff.browser().get(`/posts?${query}`);
      const requestId = String((body as Problem).instance).slice(INSTANCE_PREFIX.length);
      const line = bff.log.find(({ msg, request_id: id }) => msg === 'page refused' && id === requestId);
      assert.deepEqual([line?.['level'], line?.['setting']], [WARN, setting]);
    }
    assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
  });

  it('of a sign-in that the service ended gives the box the reference that finds the line, once', async () => {
    const { settings, make } = scenarios['forum-unknown-to-service'];
    await using bff = await startBff(settings);
    const browser = bff.browser();
    const returned = await make(browser, bff);
    const { body } = await browser.get('/session');
    assert.deepEqual([body.notice, body.instance], ['declined', `${INSTANCE_PREFIX}${returned.headers['x-request-id']}`]);
    const { body: next } = await browser.get('/session');
    assert.deepEqual([next.notice, next.instance], [undefined, undefined]);
  });

  it('that ends a sign-in leaves one line; the line of a repeated request names the first request', async () => {
    await using bff = await startBff({ secretKey: 'wrong' });
    const browser = await validating(bff.browser());
    const shown = await browser.shown();
    const [first, again] = [await browser.validateShown(shown), await browser.validateShown(shown)];
    const [line, replay] = bff.log.filter(({ msg }) => msg === 'sign-in failed');
    assert.deepEqual([line?.['level'], line?.['request_id']], [WARN, first.headers['x-request-id']]);
    assert.deepEqual([replay?.['level'], replay?.['request_id'], replay?.['first_request_id'], replay?.['setting']], [
      INFO, again.headers['x-request-id'], first.headers['x-request-id'], 'the line of the earlier request',
    ]);
    assert.match(await bff.vestibule.metrics(), /^vestibule_failures_total\{operation="sign-in",problem="service-refused"\} 1$/m);
  });

  it('logs no line about answers that the form lets the reader correct', async () => {
    await using bff = await startBff({ validation: { fields: [{ name: 'age', type: 'number', label: 'Age', required: true }] } });
    const browser = bff.browser();
    await browser.start();
    await browser.validate();
    assert.deepEqual(bff.log.filter(({ level }) => (level as number) >= WARN), []);
  });
});

describe('a mistake in a page', () => {
  const page = suiteResource(() => ReadersPage.open());
  const bff = suiteResource(() => startBff({ publicUrl: 'https://bff.news.example/vestibule', allowedOrigins: [PAGE] }));

  const cors = { 'Access-Control-Allow-Origin': PAGE, 'Access-Control-Allow-Credentials': 'true' };
  const policies: Readonly<Record<(typeof pageMistakes)[number], () => Omit<Visit, 'bff'>>> = {
    'csp-connect-src': () => ({ policy: `connect-src 'self'` }),
    'csp-script-src': () => ({ policy: `script-src 'self'`, script: `${bff().publicUrl}/widget.js` }),
    'trusted-types': () => ({ policy: `require-trusted-types-for 'script'; trusted-types default` }),
    'wrong-bff-address': () => ({}),
  };
  for (const key of pageMistakes) {
    const { mistake, words, hint } = rowOf(key);
    it(`${key}: ${mistake}`, async () => {
      // A wrong address is another server.
      const server = key === 'wrong-bff-address' ? createServer((_req, res) => { res.writeHead(404, cors).end('no such page'); }) : bff().server;
      await page().visit({ bff: { server, publicUrl: bff().publicUrl }, origin: PAGE, ...policies[key]() });
      if (key === 'csp-script-src') {
        await page().showsArticleOnly();
        assert.match(page().console.join('\n'), /\{bff\}\/widget\.js.*script-src 'self'|script-src 'self'.*\{bff\}\/widget\.js/);
      } else {
        if (key !== 'trusted-types') await page().write();
        await page().shows(words);
        await page().hint();
      }
      assert.deepEqual(page().hints, hint === 'none' ? [] : [hint]);
    });
  }
});

describe('a mistake that a start shows', () => {
  let world: ProcessWorld;
  before(async () => { world = await startProcessWorld(); });
  after(() => world[Symbol.asyncDispose]());

  const changes: Readonly<Record<StartMistake, () => Promise<Readonly<Record<string, string>>>>> = {
    'misspelt-variable': async () => ({ VESTIBULE_FORUM: 'canary' }),
    'word-instead-of-number': async () => ({ VESTIBULE_MESSAGE_MAX_LENGTH: 'canary' }),
    'placeholder-as-secret': async () => ({ VESTIBULE_SECRET_KEY: '…' }),
    'config-module-commonjs': async () => {
      await mkdir(join(world.directory, 'commonjs'));
      await writeFile(join(world.directory, 'commonjs/package.json'), '{ "type": "commonjs" }');
      return { VESTIBULE_CONFIG: await moduleOf('commonjs/vestibule.config.js', 'export default {};') };
    },
    'config-module-without-package': async () => ({
      VESTIBULE_CONFIG: await moduleOf('vestibule.config.mjs', 'import { defineConfig } from "@vestibule/bff"; export default defineConfig({});'),
    }),
  };

  async function moduleOf(name: string, content: string): Promise<string> {
    await writeFile(join(world.directory, name), content);
    return join(world.directory, name);
  }

  for (const key of Object.keys(changes) as StartMistake[]) {
    const { mistake, log, check, startFault } = rowOf(key);
    it(`${key}: ${mistake}`, async () => {
      const env = { ...world.env, ...await changes[key]() };
      const { stdout } = await runVestibule({ args: ['check'], env });
      assert.ok(check !== 'none');
      const printed = stdout.split('\n').map((line) => /^(\w+) +(\w[\w ]*?) {2,}(.+)$/.exec(line) ?? [])
        .map(([, status = '', name = '', message = '']) => ({ status, name, message }));
      assert.ok(printed.some(isFinding(check)), stdout);
      assert.doesNotMatch(stdout, /canary/);
      if (startFault !== undefined) {
        const { status, stderr } = await runVestibule({ args: ['serve'], env });
        assert.deepEqual([status, stderr.trim().split('\n').at(-1)], [78, startFault]);
      } else {
        assert.ok(log !== 'none');
        await using bff = new VestibuleProcess({ env });
        const line = await bff.logged(String(log['msg']));
        for (const [name, value] of Object.entries({ level: WARN, ...log })) assert.equal(line[name], value, name);
      }
    });
  }

  for (const [what, hook] of [
    ['rejects without a frame of its own', `() => fetch('http://127.0.0.1:1/canary')`],
    ['does not settle in time', '() => new Promise(() => undefined)'],
    ['returns another shape', '() => true'],
  ] as const) {
    it(`in a hook that ${what} names the file of the hook`, async () => {
      const path = await moduleOf('hooks.mjs', `export default { posts: { list: ${hook} } };`);
      await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_CONFIG: path, VESTIBULE_HOOK_TIMEOUT_MS: '200' } });
      await fetch(`${await bff.origin()}/vestibule/posts?page=${ORIGIN}/article`);
      assert.equal((await bff.logged('request failed'))['place'], path);
      assert.doesNotMatch(JSON.stringify(bff.lines), /canary/);
    });
  }

  it('serve logs every local finding of check: http, another site, a proxy that is not trusted', async () => {
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_ALLOWED_ORIGINS: 'http://www.other.test' } });
    const found: [unknown, unknown][] = [];
    await bff.loggedWhere('the last finding', (line) => {
      if (line['check'] !== undefined) found.push([line['check'], line['level']]);
      return line['check'] === 'proxy';
    });
    assert.deepEqual(found, [['public url', 50], ['origins', 40], ['proxy', 40]]);
  });
});
