/** Typical mistakes of integrators and operators, and the one line of the log that explains each (contract, section 4); requests
 *  that are at fault themselves; together every type of problem. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import supertest, { type Response } from 'supertest';
import { IDEMPOTENCY_KEY_HEADER, problemTypes, type Problem, type ProblemType } from '@vestibule/shared';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectProblem, expectStatus, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import type { Fault } from '../service/index.ts';

const DEBUG = 20;
const WARN = 40;
const ERROR = 50;

interface Mistake {
  readonly mistake: string;
  readonly settings?: BffSettings;
  /** The request that fails, and requests before it. */
  readonly make: (browser: ReaderClient, bff: Bff) => Promise<Response>;
  /** Of the response. Default: the response is no problem. */
  readonly problem?: ProblemType;
  /** Default: `problem`. */
  readonly loggedProblem?: ProblemType;
  readonly reason: RegExp;
  /** The setting to look at; `undefined` where there is none. */
  readonly setting?: string;
}

const HTTPS_SITE: BffSettings = { publicUrl: 'https://www.news.example/vestibule', trustProxy: 'loopback' };

const KEYS = 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY';

const startAt = (origin: string): Mistake['make'] => async (browser) => browser.start().set('Origin', origin);

const validating = (fault?: Fault): Mistake['make'] => async (browser, { service }) => {
  await browser.start();
  if (fault) service.faults.next('token', fault);
  return browser.validate();
};

const posting = (prepare?: (bff: Bff) => unknown): Mistake['make'] => async (browser, bff) => {
  await browser.signIn();
  await prepare?.(bff);
  return browser.createPost('canary');
};

const mistakes: readonly Mistake[] = [
  {
    mistake: 'Readers open https://example.com, and only https://www.example.com is allowed', settings: HTTPS_SITE,
    make: startAt('https://news.example'), problem: 'cross-site-request',
    reason: /^the origin is none of https:\/\/www\.news\.example$/, setting: 'VESTIBULE_ALLOWED_ORIGINS, VESTIBULE_PUBLIC_URL',
  },
  {
    mistake: 'A proxy removes the Origin header', make: async (browser) => browser.start().unset('Origin'),
    problem: 'cross-site-request', reason: /neither Origin nor Sec-Fetch-Site/, setting: 'the proxy, which must pass Origin on',
  },
  {
    mistake: 'A sign-in starts from a page whose origin is not allowed',
    make: async (browser) => browser.get('/sync/authorize?return_to=https://other.example/canary'),
    problem: 'untrusted-return-uri', reason: /origin/, setting: 'VESTIBULE_ALLOWED_ORIGINS, VESTIBULE_PUBLIC_URL',
  },
  {
    mistake: 'The list of a page whose origin is not allowed is read', settings: { posts: { list: () => ({ posts: [] }) } },
    make: async (browser) => browser.get('/posts?page=https://news.example/'),
    problem: 'invalid-request', reason: /origin/, setting: 'VESTIBULE_ALLOWED_ORIGINS, VESTIBULE_PUBLIC_URL',
  },
  {
    mistake: 'A post names another account than the one that is signed in',
    make: async (browser) => {
      await browser.signIn();
      return browser.post('/posts', { forum: 'news', message: 'canary', expected_user_id: 'canary' }).set('Idempotency-Key', '"a-key-of-it"');
    },
    problem: 'user-changed', reason: /another account/, setting: 'none; investigate if frequent',
  },
  {
    mistake: 'The tag names a forum that is not configured', make: async (browser) => browser.get('/sync/authorize?forum=canary'),
    problem: 'forum-not-allowed', reason: /forum/, setting: 'VESTIBULE_FORUMS',
  },
  {
    mistake: 'VESTIBULE_FORUMS names a forum that the service does not know', settings: { forums: ['mistyped'] },
    make: async (browser) => {
      const { headers } = await browser.authorize('forum=mistyped');
      const { headers: returned } = await fetch(headers['location'] as string, { redirect: 'manual' });
      return browser.get(`/sync/return${new URL(returned.get('location') ?? '').search}`);
    },
    loggedProblem: 'service-refused', reason: /error=invalid_request$/, setting: 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI',
  },
  {
    mistake: 'The secret key is not that of the service', settings: { secretKey: 'wrong' }, make: validating(),
    problem: 'service-refused', reason: /^the service refused the keys$/, setting: KEYS,
  },
  {
    mistake: 'The redirect URI is not the registered one',
    settings: { redirectUri: 'http://127.0.0.1/a', serviceOptions: { redirectUris: ['http://127.0.0.1/a', 'http://127.0.0.1/b'] } },
    make: async (browser, { service }) => {
      await browser.start(service.issueReturn({ redirectUri: 'http://127.0.0.1/b' }));
      return browser.validate();
    },
    problem: 'service-refused', reason: /redirect URI is not the registered one$/, setting: 'VESTIBULE_REDIRECT_URI',
  },
  {
    mistake: 'The service URL is another service, or lacks a path',
    make: async (browser) => browser.start({ ...browser.issueReturn(), audiencesync_uri: 'https://other.example/audiencesync/complete/' }),
    problem: 'untrusted-completion-uri', reason: /./, setting: 'VESTIBULE_SERVICE_URL',
  },
  {
    mistake: 'The service does not accept connections', make: posting(({ service }) => service.down()),
    problem: 'service-unavailable', reason: /^the service cannot be reached \(ECONNREFUSED\)$/, setting: 'VESTIBULE_SERVICE_URL',
  },
  {
    mistake: 'The service closes the connection without a response',
    make: posting(({ service }) => { service.faults.next('posts', { kind: 'reset' }); }),
    problem: 'outcome-unknown', reason: /^the connection to the service ended without a complete response \(ECONNRESET\)$/,
    setting: 'the service, or a proxy before it',
  },
  {
    mistake: 'The service does not answer a post in time', settings: { serviceTimeoutMs: 2_000 },
    make: posting(({ service }) => { service.faults.next('posts', { kind: 'hang' }); }),
    problem: 'outcome-unknown', reason: /^the service did not answer in time$/, setting: 'VESTIBULE_SERVICE_TIMEOUT_MS',
  },
  {
    mistake: 'As many posts as VESTIBULE_SERVICE_MAX_IN_FLIGHT allows are with the service', settings: { serviceMaxInFlight: 1 },
    make: async (browser) => {
      await browser.signIn();
      const { post: first, release } = await browser.holdPost('canary');
      const second = await browser.createPost('canary');
      release();
      await first;
      return second;
    },
    problem: 'service-unavailable', reason: /^as many calls to the service are in flight as may be/, setting: 'VESTIBULE_SERVICE_MAX_IN_FLIGHT',
  },
  {
    mistake: 'The service refuses a post',
    make: posting(({ service }) => { service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'closed' } }); }),
    problem: 'service-refused', reason: /^the service refused the request$/,
  },
  {
    mistake: 'The service returns no user_id, and a proven user is required', settings: { requireProvenUser: true },
    make: validating({ kind: 'rewrite', change: ({ access_token }: { access_token: string }) => ({ access_token }) }),
    problem: 'bad-service-response', reason: /no user_id$/, setting: 'VESTIBULE_REQUIRE_PROVEN_USER',
  },
  {
    mistake: 'A link of a sign-in is shared',
    make: async (browser, bff) => {
      const syncReturn = browser.issueReturn();
      await browser.start(syncReturn);
      return bff.browser().start(syncReturn);
    },
    problem: 'code-already-used', reason: /handed in before/,
  },
  {
    mistake: 'A reader answers the questions too late',
    make: async (browser, bff) => {
      const shown = await browser.begin();
      bff.passTime(901);
      return browser.validateShown(shown);
    },
    problem: 'no-sync-in-progress', reason: /./, setting: 'VESTIBULE_SYNC_SECONDS',
  },
  {
    mistake: 'The browser or a proxy removes the cookie of a sign-in', make: async (browser) => browser.validate(),
    problem: 'no-sync-in-progress', reason: /no cookie of a sign-in arrived$/,
  },
  {
    mistake: 'A process has another cookie secret than the one that answered before',
    make: async (browser, { service, redirectUri }) => {
      await using other = await startBff({ cookieSecrets: ['another cookie secret, of thirty-two bytes'], redirectUri, serviceUrl: service.url });
      const elsewhere = other.browser();
      const shown = await elsewhere.begin(browser.issueReturn());
      return browser.keepCookies(elsewhere.cookies()).validateShown(shown);
    },
    problem: 'no-sync-in-progress', reason: /another installation on this host name or another cookie secret signed, or one that was removed$/, setting: 'VESTIBULE_COOKIE_SECRETS: the same in every process',
  },
  {
    mistake: 'A process has another store than the one that answered before',
    make: async (browser, { service, redirectUri }) => {
      await using other = await startBff({ redirectUri, serviceUrl: service.url });
      const elsewhere = other.browser();
      await elsewhere.start(browser.issueReturn());
      return browser.keepCookies(elsewhere.cookies()).get('/session');
    },
    reason: /another installation on this host name or another process has another store$/, setting: 'VESTIBULE_STORE: the same for every process',
  },
  {
    mistake: 'The parameters of a return were altered',
    make: async (browser) => {
      await browser.start({ ...browser.issueReturn(), user_id: '1' });
      return browser.validate();
    },
    problem: 'user-mismatch', reason: /another user_id/,
  },
  {
    mistake: 'The BFF is on another site than the pages', make: async (browser) => browser.createPost('canary'),
    problem: 'not-signed-in', reason: /no session cookie arrived$/,
  },
  {
    mistake: 'The service revoked the token of a reader', make: posting(({ service }) => { service.revokeTokensOf('31007'); }),
    problem: 'not-signed-in', reason: /no longer accepts the access token$/,
  },
  {
    mistake: 'The hook validate throws', settings: { validation: { fields: [], validate: () => { throw new Error('canary'); } } },
    make: validating(), problem: 'internal-error', reason: /^The hook validation\.validate threw\.$/, setting: 'VESTIBULE_CONFIG',
  },
  {
    mistake: 'The hook prepare refuses a post', settings: { posts: { prepare: () => ({ ok: false, reason: 'canary' }) } },
    make: posting(), problem: 'post-rejected', reason: /posts\.prepare refused the post, which has no page$/,
  },
  {
    mistake: 'A proxy is not trusted, so that all readers share one limit', settings: { rateLimits: { sync: 1 } },
    make: async (browser) => {
      await browser.start().set('X-Forwarded-For', '192.0.2.1');
      return browser.start().set('X-Forwarded-For', '192.0.2.2');
    },
    problem: 'too-many-requests', reason: /^the rate limit is reached$/, setting: 'VESTIBULE_RATE_LIMITS, VESTIBULE_TRUST_PROXY',
  },
  {
    mistake: 'A host application mounts the router at another path', settings: { publicUrl: 'http://127.0.0.1/comments' },
    make: async (browser) => browser.get('/session'), reason: /^requests must arrive below \/comments:/, setting: 'VESTIBULE_PUBLIC_URL',
  },
  {
    mistake: 'A proxy removes the path of the public URL', make: async (_browser, { vestibule }) => supertest(vestibule.router).get('/session'),
    problem: 'not-found', reason: /let the proxy keep the path$/, setting: 'VESTIBULE_PUBLIC_URL',
  },
];

/** At `debug` alone the message of a hook's error is there. */
const aboveDebug = ({ log }: Bff) => log.filter(({ level }) => Number(level) > DEBUG);

const warnings = ({ log }: Bff) => log.filter(({ level }) => Number(level) >= WARN);

/** With the status of its type, and its `retryable`. */
function expectTypical(response: Response, type: ProblemType): Problem {
  const problem = expectProblem(response, type);
  const { status, retryable } = problemTypes[type];
  assert.deepEqual([problem.status, problem.retryable], [status, retryable]);
  return problem;
}

describe('a mistake leaves one line of the log, with cause and setting:', () => {
  for (const { mistake, settings, make, problem, loggedProblem = problem, reason, setting } of mistakes) {
    it(`${mistake} (${loggedProblem ?? 'a warning'})`, async () => {
      await using bff = await startBff(settings);
      const response = await make(bff.browser(), bff);
      if (problem) expectTypical(response, problem);
      const [line, ...more] = warnings(bff);
      assert.deepEqual(more, []);
      assert.equal(line?.['level'], problem === 'internal-error' ? ERROR : WARN);
      assert.match(String(line['reason']), reason);
      if (setting !== undefined) assert.equal(line['setting'], setting);
      if (loggedProblem && problem !== 'not-found') {
        assert.equal(line['problem'], loggedProblem);
        assert.equal(line['request_id'], response.headers['x-request-id']);
      }
      assert.doesNotMatch(JSON.stringify(aboveDebug(bff)), /canary|Ada Quill/);
    });
  }

  it('The store does not answer', async () => {
    const store = new FailingStore();
    await using bff = await startBff({}, { store });
    const browser = bff.browser();
    await browser.signIn();
    store.failAt(1, { applied: false, times: Infinity });
    expectProblem(await browser.createPost('canary'), 'service-unavailable');
    const line = warnings(bff).find(({ problem }) => problem === 'service-unavailable');
    assert.deepEqual([line?.['reason'], line?.['setting']], ['the store did not answer', 'VESTIBULE_STORE']);
  });

  it('names the file and the line of a hook that throws', async () => {
    await using bff = await startBff({ validation: { fields: [], onAccepted: () => { JSON.parse('{canary'); } } });
    await validating()(bff.browser(), bff);
    assert.match(JSON.stringify(warnings(bff)[0]?.['err']), /\/mistakes\.test\.ts:\d+:\d+/);
    assert.doesNotMatch(JSON.stringify(aboveDebug(bff)), /canary/);
  });

  it('names a removed path after a probe at the root, which is none', async () => {
    await using bff = await startBff();
    const root = supertest(bff.vestibule.router);
    for (const path of ['/healthz', '/readyz']) expectStatus(await root.get(path), 200);
    assert.deepEqual(warnings(bff), []);
    await root.get('/session');
    assert.equal(warnings(bff).length, 1);
  });

  it('shows the reference of the line on a page', async () => {
    await using bff = await startBff();
    const { text } = await bff.browser().get('/sync/authorize?forum=mistyped').set('Accept', 'text/html');
    const [, reference = 'none'] = /Reference: <code>([\da-f]{8})</.exec(text) ?? [];
    assert.equal(warnings(bff).filter(({ request_id: id }) => String(id).startsWith(reference)).length, 1);
  });
});

const KEY = 'idempotency-key-1';

const draft = { forum: 'news', message: 'Hello' };

const age = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18 } as const;

interface Refusal {
  readonly when: string;
  readonly settings?: BffSettings;
  readonly make: Mistake['make'];
  /** Header fields of the answer. */
  readonly headers?: readonly string[];
}

const post = (body: object | string, key = KEY): Mistake['make'] => async (browser) => {
  await browser.signIn();
  return browser.post('/posts', body).set(IDEMPOTENCY_KEY_HEADER, key);
};

const answers = (body: (shown: object) => object): Mistake['make'] => async (browser) => {
  await browser.start();
  return browser.post('/sync/validation', body(await browser.shown()));
};

const refusals: Partial<Record<ProblemType, readonly Refusal[]>> = {
  'invalid-request': [
    { when: 'the JSON is malformed', make: post('{"forum":"news","message":') },
    { when: 'a member is unknown', make: post({ ...draft, user_id: '1' }) },
    { when: 'a member is missing', make: post({ forum: 'news' }) },
    { when: 'a member has the wrong type', make: post({ ...draft, message: 5 }) },
    { when: 'there is a lone surrogate', make: post(String.raw`{"forum":"news","message":"a\ud800"}`) },
    { when: 'a message has nothing visible', make: post({ ...draft, message: ' \u200b\n\u2800' }) },
    { when: 'Idempotency-Key is missing', make: async (browser) => { await browser.signIn(); return browser.post('/posts', draft); } },
    { when: 'Idempotency-Key is bad', make: post(draft, 'short') },
    { when: 'POST /sync lacks a parameter', make: async (browser) => browser.start({ code: 'code' }) },
    { when: 'the Idempotency-Key of POST /sync is bad', make: async (browser) => browser.start().set(IDEMPOTENCY_KEY_HEADER, 'short') },
    { when: 'answers are no object', make: answers((shown) => ({ ...shown, answers: [] })) },
    { when: 'an answer was not asked for', make: answers((shown) => ({ ...shown, answers: { other: 1 } })) },
  ],
  'forum-not-allowed': [
    { when: 'the forum of a post is not configured', make: post({ ...draft, forum: 'other' }) },
    { when: 'the forum of a sync is not configured', make: async (browser) => browser.start({ ...browser.issueReturn(), forum: 'other' }) },
  ],
  'method-not-allowed': [{ when: 'the path has other methods', make: async (browser) => browser.get('/sync'), headers: ['allow'] }],
  'not-acceptable': [
    { when: 'the requester takes no JSON', make: async (browser) => browser.get('/session').set('Accept', 'image/png') },
    { when: 'the requester of a page takes no HTML', make: async (browser) => browser.get('/sync/form').set('Accept', 'image/png') },
  ],
  'user-changed': [{
    when: 'the exchange returns another username',
    make: async (browser) => browser.validateShown(await browser.begin({ ...browser.issueReturn(), username: 'forged' })),
  }],
  'post-in-progress': [{
    when: 'the same Idempotency-Key is being worked on', headers: ['retry-after'],
    make: async (browser) => {
      await browser.signIn();
      const { post: first, release } = await browser.holdPost('Hello', { key: KEY });
      const second = await browser.createPost('Hello', { key: KEY });
      release();
      await first;
      return second;
    },
  }],
  'idempotency-key-reused': [{
    when: 'the same Idempotency-Key comes with another body',
    make: async (browser) => {
      await browser.signIn();
      await browser.createPost('Hello', { key: KEY });
      return browser.createPost('Hello!', { key: KEY });
    },
  }],
  'message-too-long': [{ when: 'a message is longer than allowed', settings: { messageMaxLength: 4 }, make: post(draft) }],
  'payload-too-large': [{ when: 'a body is larger than any message', settings: { messageMaxLength: 10 }, make: post({ ...draft, message: 'x'.repeat(70_000) }) }],
  'unsupported-media-type': [{
    when: 'the body is no JSON',
    make: async (browser) => browser.post('/sync').set('Content-Type', 'text/plain').send(JSON.stringify(browser.issueReturn())),
  }],
  'invalid-answers': [{ when: 'an answer breaks a rule', settings: { validation: { fields: [age] } }, make: answers((shown) => ({ ...shown, answers: { age: 17 } })) }],
};

describe('a request that is at fault', () => {
  const shared = suiteResource(() => startBff({ rateLimits: 'off' }));

  for (const [type, rows] of Object.entries(refusals) as [ProblemType, readonly Refusal[]][]) {
    for (const { when, settings, make, headers = [] } of rows) {
      it(`gets ${type} where ${when}`, async () => {
        await using own = settings && await startBff(settings);
        const bff = own ?? shared();
        const response = await make(bff.browser(), bff);
        const { user, fields } = expectTypical(response, type);
        assert.deepEqual([user !== undefined, fields !== undefined], [type === 'user-changed', type === 'invalid-answers']);
        for (const name of headers) assert.ok(response.headers[name], `${name} is missing`);
      });
    }
  }

  it('has here, with the mistakes, every type', () => {
    const types = new Set([...mistakes.map(({ problem }) => problem), ...Object.keys(refusals)]);
    assert.deepEqual(Object.keys(problemTypes).filter((type) => !types.has(type as ProblemType)), []);
  });
});
