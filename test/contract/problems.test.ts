/** Every row of the contract's problem table at the BFF's HTTP interface. Further causes are in the tests of each area. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import { IDEMPOTENCY_KEY_HEADER, PROBLEM_TYPE_PREFIX, problemTypes, type Problem, type ProblemType } from '@vestibule/shared';
import type { Fault } from '../service/index.ts';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { expectStatus, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';

interface Row {
  readonly type: ProblemType;
  readonly when: string;
  /** Of a BFF of its own. Default: the shared one. */
  readonly settings?: BffSettings;
  /** The request that fails. */
  readonly produce: (browser: ReaderClient, bff: Bff) => Promise<Response>;
  /** Members besides type, title, status, detail, retryable and instance. */
  readonly members?: readonly (keyof Problem)[];
  /** Required header fields. */
  readonly headers?: readonly string[];
}

type Produce = Row['produce'];

const KEY = 'idempotency-key-1';

const age = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18 } as const;

/** A request of a reader who is signed in. */
const signedIn = (produce: Produce): Produce => async (browser, bff) => {
  await browser.signIn();
  return produce(browser, bff);
};

/** A request of a reader whose sign-in is waiting for validation. */
const validating = (produce: Produce): Produce => async (browser, bff) => {
  expectStatus(await browser.start(), 201);
  return produce(browser, bff);
};

const post = (body: object | string, key: string | undefined = KEY): Produce => signedIn(async (browser) => {
  const request = browser.post('/posts', body);
  return key === undefined ? request : request.set('Idempotency-Key', key);
});

/** A post that the service answers by `fault`. */
const postWith = (fault: Fault): Produce => signedIn(async (browser, { service }) => {
  service.faults.next('posts', fault);
  return browser.createPost('Hello');
});

/** An exchange that the service answers by `fault`. */
const exchangeWith = (fault: Fault): Produce => validating(async (browser, { service }) => {
  service.faults.next('token', fault);
  return browser.validate();
});

const draft = { forum: 'news', message: 'Hello' };

const rows: readonly Row[] = [
  { type: 'invalid-request', when: 'the JSON is malformed', produce: post('{"forum":"news","message":') },
  { type: 'invalid-request', when: 'a member is unknown', produce: post({ ...draft, user_id: '1' }) },
  { type: 'invalid-request', when: 'a member is missing', produce: post({ forum: 'news' }) },
  { type: 'invalid-request', when: 'a member has the wrong type', produce: post({ ...draft, message: 5 }) },
  { type: 'invalid-request', when: 'there is a lone surrogate', produce: post(String.raw`{"forum":"news","message":"a\ud800"}`) },
  { type: 'invalid-request', when: 'a message has nothing visible', produce: post({ ...draft, message: ' \u200b\n\u2800' }) },
  { type: 'invalid-request', when: 'Idempotency-Key is missing', produce: signedIn(async (browser) => browser.post('/posts', draft)) },
  { type: 'invalid-request', when: 'Idempotency-Key is bad', produce: post(draft, 'short') },
  { type: 'invalid-request', when: 'POST /sync lacks a parameter', produce: (browser) => browser.start({ code: 'code' }) },
  { type: 'invalid-request', when: 'answers are no object', produce: validating(async (browser) => browser.post('/sync/validation', { ...await browser.shown(), answers: [] })) },
  { type: 'invalid-request', when: 'the Idempotency-Key of POST /sync is bad', produce: (browser) => browser.start().set(IDEMPOTENCY_KEY_HEADER, 'short') },
  { type: 'invalid-request', when: 'an answer was not asked for', produce: validating((browser) => browser.validate({ other: 1 })) },
  {
    type: 'untrusted-completion-uri', when: 'audiencesync_uri leads elsewhere',
    produce: (browser) => browser.start({ ...browser.issueReturn(), audiencesync_uri: 'https://evil.example/audiencesync/complete/' }),
  },
  {
    type: 'untrusted-return-uri', when: 'return_to is outside the allowed origins',
    produce: (browser) => browser.get('/sync/authorize?return_to=https://evil.example/'),
  },
  { type: 'not-signed-in', when: 'there is no session', produce: (browser) => browser.createPost('Hello') },
  { type: 'cross-site-request', when: 'the Origin is not allowed', produce: signedIn((browser) => browser.delete('/session').set('Origin', 'https://evil.example')) },
  { type: 'forum-not-allowed', when: 'the forum of a post is not configured', produce: post({ ...draft, forum: 'other' }) },
  { type: 'forum-not-allowed', when: 'the forum of a sync is not configured', produce: (browser) => browser.start({ ...browser.issueReturn(), forum: 'other' }) },
  {
    type: 'user-mismatch', when: 'the exchange names another user',
    produce: async (browser) => {
      await browser.start({ ...browser.issueReturn(), user_id: '31018' });
      return browser.validate();
    },
  },
  { type: 'not-found', when: 'there is nothing at the address', produce: (browser) => browser.get('/nothing') },
  { type: 'method-not-allowed', when: 'the path has other methods', produce: (browser) => browser.get('/sync'), headers: ['allow'] },
  { type: 'not-acceptable', when: 'the requester takes no JSON', produce: (browser) => browser.get('/session').set('Accept', 'image/png') },
  { type: 'not-acceptable', when: 'the requester of a page takes no HTML', produce: (browser) => browser.get('/sync/form').set('Accept', 'image/png') },
  { type: 'no-sync-in-progress', when: 'nothing is pending', produce: (browser) => browser.validate() },
  {
    type: 'no-sync-in-progress', when: 'it expired',
    produce: validating((browser, bff) => {
      bff.passTime(15 * 60 + 1);
      return browser.validate();
    }),
  },
  {
    type: 'user-changed', when: 'the exchange returns another username', members: ['user'],
    produce: async (browser) => browser.validateShown(await browser.begin({ ...browser.issueReturn(), username: 'forged' })),
  },
  {
    type: 'post-rejected', when: 'the publisher\'s hook refuses a post',
    settings: { posts: { prepare: () => ({ ok: false, reason: 'Comments are closed.' }) } },
    produce: signedIn((browser) => browser.createPost('Hello')),
  },
  {
    type: 'code-already-used', when: 'another browser sent the code before',
    produce: async (browser, bff) => {
      const syncReturn = browser.issueReturn();
      await browser.start(syncReturn);
      return bff.browser().start(syncReturn);
    },
  },
  {
    type: 'post-in-progress', when: 'the same Idempotency-Key is being worked on', headers: ['retry-after'], settings: {},
    produce: signedIn(async (browser, { service }) => {
      service.faults.next('posts', { kind: 'hang' });
      const received = service.whenReceived('posts');
      const first = browser.createPost('Hello', { key: KEY }).then((res) => res);
      await received;
      const second = await browser.createPost('Hello', { key: KEY });
      await service.down();
      await first;
      return second;
    }),
  },
  {
    type: 'idempotency-key-reused', when: 'the same Idempotency-Key comes with another body',
    produce: signedIn(async (browser) => {
      await browser.createPost('Hello', { key: KEY });
      return browser.createPost('Hello!', { key: KEY });
    }),
  },
  { type: 'message-too-long', when: 'a message is longer than allowed', settings: { messageMaxLength: 4 }, produce: post(draft) },
  { type: 'payload-too-large', when: 'a body is larger than any message', settings: { messageMaxLength: 10 }, produce: post({ ...draft, message: 'x'.repeat(70_000) }) },
  {
    type: 'unsupported-media-type', when: 'the body is no JSON',
    produce: signedIn((browser) => browser.post('/posts').set('Content-Type', 'text/plain').send(JSON.stringify(draft))),
  },
  { type: 'invalid-answers', when: 'an answer breaks a rule', settings: { validation: { fields: [age] } }, produce: validating((browser) => browser.validate({ age: 17 })), members: ['fields'] },
  {
    type: 'too-many-requests', when: 'there were too many posts', headers: ['retry-after', 'ratelimit', 'ratelimit-policy'],
    settings: { rateLimits: { posts: 1 } },
    produce: signedIn(async (browser) => {
      await browser.createPost('Hello');
      return browser.createPost('Hello');
    }),
  },
  { type: 'service-refused', when: 'the service refuses a post', produce: postWith({ kind: 'status', status: 403, body: { code: 12, response: 'Words.' } }) },
  { type: 'bad-service-response', when: 'an exchange brings no token', produce: exchangeWith({ kind: 'status', status: 200, body: { user_id: '31007' } }) },
  {
    type: 'service-unavailable', when: 'nothing listens where the service is', headers: ['retry-after'], settings: {},
    produce: signedIn(async (browser, { service }) => {
      await service.down();
      return browser.createPost('Hello');
    }),
  },
  { type: 'outcome-unknown', when: 'the service does not answer a post', settings: { serviceTimeoutMs: 2_000 }, produce: postWith({ kind: 'hang' }) },
  {
    type: 'internal-error', when: 'the publisher\'s hook throws',
    settings: { validation: { validate: () => { throw new Error('canary'); } } },
    produce: validating((browser) => browser.validate()),
  },
];

describe('the problem table', () => {
  const produced = new Set<ProblemType>();
  const shared = suiteResource(() => startBff({ rateLimits: 'off' }));

  for (const { type, when, settings, produce, members = [], headers = [] } of rows) {
    it(`answers ${type} where ${when}`, async () => {
      await using own = settings && await startBff(settings);
      const bff = own ?? shared();
      const before = bff.log.length;
      const res = await produce(bff.browser(), bff);
      const { status, title, retryable } = problemTypes[type];

      assert.equal(res.headers['content-type'], 'application/problem+json; charset=utf-8', `${res.status} ${res.text}`);
      const problem = JSON.parse(res.text) as Problem;
      assert.deepEqual(
        { type: problem.type, title: problem.title, status: problem.status, retryable: problem.retryable },
        { type: `${PROBLEM_TYPE_PREFIX}${type}`, title, status, retryable },
      );
      assert.equal(res.status, status);
      assert.match(problem.detail, /^[A-Za-z].{9,}/);
      assert.deepEqual(Object.keys(problem).sort(), ['detail', 'instance', 'retryable', 'status', 'title', 'type', ...members].sort());
      assert.equal(res.headers['cache-control'], 'no-store');
      for (const name of headers) assert.ok(res.headers[name], `${name} is missing`);
      if (res.headers['retry-after'] !== undefined) assert.match(res.headers['retry-after'], /^[1-9]\d*$/);
      assert.equal(problem.instance, `urn:vestibule:request:${res.headers['x-request-id']}`);
      for (const line of bff.log.slice(before).filter(({ msg, level }) => /(?:failed|refused)$/.test(String(msg)) && Number(level) >= 40)) {
        assert.match(String(line['reason']), /^\w.{9,}/, 'reason');
        assert.match(String(line['setting']), /^\w.{4,}/, 'setting');
      }
      if (type === 'internal-error') {
        assert.ok(bff.log.some((line) => line['request_id'] === res.headers['x-request-id'] && line['level'] === 50));
        assert.doesNotMatch(res.text, /canary/);
      }
      produced.add(type);
    });
  }

  it('has a row for each type', () => {
    assert.deepEqual([...produced].sort(), Object.keys(problemTypes).sort());
  });
});
