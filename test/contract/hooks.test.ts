/** The publisher's hooks of a sign-in and of a post (contract, section 4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ProblemError, type AcceptedContext, type HookTools, type PrepareContext, type ValidateContext, type ValidationResult,
  type VestibuleConfig,
} from '@vestibule/bff';
import type { SyncOutcome } from '@vestibule/shared';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { completionParams, exchangesOf, expectProblem, expectStatus } from '../lib/reader.ts';

const ada = { user_id: '31007', username: 'Ada Quill' };
const age = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, onFail: 'reject' } as const;
const motto = { name: 'motto', type: 'text', label: 'Your motto', max_length: 5 } as const;

type Validation = NonNullable<BffSettings['validation']>;

const startWith = (validation: Validation, settings: BffSettings = {}): Promise<Bff> => startBff({ validation, ...settings });

/** Ways in which a hook fails, and what its log line says. */
const failures = [
  ['throws', () => { throw new Error('canary'); }, 'threw'],
  ['rejects', () => Promise.reject(new Error('canary')), 'threw'],
  ['hangs', () => new Promise<never>(() => undefined), 'did not settle within 2000 ms'],
] as const;

/** Results that `validate` must not return, and the member at fault. */
const misshapen = [
  [true, 'the result itself'], [undefined, 'the result itself'], [{}, 'ok'], [{ ok: true, reason: 'canary' }, 'reason'],
  [{ ok: false, retry: true, fields: { other: 'canary' } }, 'fields.other'], [{ ok: false, reason: 7 }, 'reason'],
] as const;

/** Checks that a line of the log names the hook, its failure and the member at fault, without the content.
 *  @returns the line */
function expectLogged({ log }: Bff, hook: string, failure: string, member?: string) {
  const lines = log.filter(({ level }) => Number(level) >= 30);
  const line = lines.find(({ reason }) => String(reason).startsWith(`The hook ${hook} ${failure}`));
  assert.ok(line, JSON.stringify(lines.at(-1)));
  assert.equal(line['member'], member);
  assert.doesNotMatch(JSON.stringify(lines), /canary/);
  return line;
}

describe('validate', () => {
  it('runs before the exchange, with the claimed user', async () => {
    const calls: unknown[] = [];
    await using bff = await startWith({
      fields: [age],
      validate: ({ user, answers, forum, service, signal }: ValidateContext) => {
        calls.push([user, answers, forum, typeof service.request, signal.aborted, exchangesOf(bff)]);
        return { ok: true };
      },
    });
    const browser = bff.browser();
    const shown = await browser.begin({ ...browser.issueReturn(), username: 'claimed' });
    expectProblem(await browser.validateShown(shown, { age: '18' }), 'user-changed');
    assert.deepEqual(calls, [[{ ...ada, username: 'claimed' }, { age: 18 }, 'news', 'function', false, 0]]);
  });

  it('does not run for answers that break a rule', async () => {
    await using bff = await startWith({ fields: [age], validate: () => assert.fail('ran'), onAccepted: () => assert.fail('ran') });
    const browser = bff.browser();
    await browser.start();
    expectProblem(await browser.validate({}), 'invalid-answers');
    assert.equal((await browser.validate({ age: 17 })).body.outcome, 'rejected');
  });

  it('lets the reader correct an answer', async () => {
    const results: ValidationResult[] = [{ ok: false, retry: true, fields: { motto: 'Taken.' } }, { ok: true }];
    await using bff = await startWith({ fields: [motto], validate: () => results.shift() as ValidationResult });
    const browser = bff.browser();
    await browser.start();
    assert.deepEqual(expectProblem(await browser.validate({ motto: 'mine' }), 'invalid-answers').fields, { motto: 'Taken.' });
    assert.equal(exchangesOf(bff), 0);
    assert.equal((await browser.validate({ motto: 'yours' })).body.outcome, 'accepted');
  });

  it('gives reasons and corrections in the language of the form', async () => {
    const words = { en: 'No.', de: 'Nein.' };
    const results: ValidationResult[] = [{ ok: false, retry: true, fields: { motto: words } }, { ok: false, reason: words }];
    await using bff = await startWith({ fields: [motto], validate: () => results.shift() as ValidationResult });
    const browser = bff.browser();
    browser.agent.set('Accept-Language', 'de-AT');
    await browser.start();
    assert.deepEqual(expectProblem(await browser.validate({}), 'invalid-answers').fields, { motto: 'Nein.' });
    assert.equal((await browser.validate({})).body.reason, 'Nein.');
  });

  it('rejects the reader with a reason; onAccepted does not run', async () => {
    const validate = async () => ({ ok: false, reason: 'Members only.' } as const);
    await using bff = await startWith({ fields: [], validate, onAccepted: () => assert.fail('ran') });
    const browser = bff.browser();
    await browser.start();
    const { completion_url, ...rest } = (await browser.validate()).body as SyncOutcome;
    assert.deepEqual(rest, { outcome: 'rejected', reason: 'Members only.' });
    assert.equal(completionParams(completion_url)['success'], '0');
  });

  it('can send signed requests to the service', async () => {
    await using bff = await startWith({
      fields: [],
      validate: async ({ service }: ValidateContext) => {
        const draft = { forum: 'news', message: 'without a user' };
        await assert.rejects(service.request('POST', '/api/3.0/posts/create.json', draft), { type: 'not-signed-in' });
        return { ok: true };
      },
    });
    await bff.browser().signIn();
    const [signed] = bff.service.requests;
    assert.equal(String(signed?.body), 'forum=news&message=without%20a%20user');
  });

  const failing = [
    ...failures.map(([manner, hook, failure]) => ({ manner, hook, failure, member: undefined })),
    ...misshapen.map(([result, member]) => ({
      manner: `returns ${JSON.stringify(result)}`, hook: () => result, failure: 'returned something else than { ok: true }', member,
    })),
  ];
  for (const { manner, hook, failure, member } of failing) {
    it(`leaves the code unspent when it ${manner}: the reader can retry`, async () => {
      let calls = 0;
      const validate = (): ValidationResult => ((calls += 1) === 1 ? hook() as never : { ok: true });
      await using bff = await startWith({ fields: [motto], validate }, { hookTimeoutMs: 2_000 });
      const browser = bff.browser();
      const shown = await browser.begin();
      const problem = expectProblem(await browser.validateShown(shown, { motto: 'mine' }), 'internal-error');
      assert.match(problem.detail, /try again/);
      assert.doesNotMatch(JSON.stringify(problem), /canary/);
      expectLogged(bff, 'validation.validate', failure, member);
      assert.equal(exchangesOf(bff), 0);
      assert.equal((await browser.session()).sync?.id, shown.sync);
      assert.equal((await browser.validateShown(shown, { motto: 'mine' })).body.outcome, 'accepted');
    });
  }
});

describe('onAccepted', () => {
  it('runs after the exchange and before the response, with the proven user', async () => {
    const calls: unknown[] = [];
    await using bff = await startWith({
      fields: [age],
      onAccepted: ({ user, answers, forum, service, signal }: AcceptedContext) => {
        calls.push([user, answers, forum, typeof service.request, signal.aborted, exchangesOf(bff)]);
      },
    });
    await bff.browser().signIn(undefined, { age: '18' });
    assert.deepEqual(calls, [[ada, { age: 18 }, 'news', 'function', false, 1]]);
  });

  for (const [manner, fail, failure] of failures) {
    it(`leaves the grant usable when it ${manner}: the retry needs no new code`, async () => {
      let calls = 0;
      const onAccepted = () => ((calls += 1) === 1 ? fail() : undefined);
      await using bff = await startWith({ fields: [motto], onAccepted }, { hookTimeoutMs: 2_000 });
      const browser = bff.browser();
      const shown = await browser.begin();
      const problem = expectProblem(await browser.validateShown(shown, { motto: 'mine' }), 'internal-error');
      assert.match(problem.detail, /try again/);
      expectLogged(bff, 'validation.onAccepted', failure);
      assert.deepEqual(await Array.fromAsync(bff.vestibule.profiles.all()), []);
      const { state, sync } = await browser.session();
      assert.deepEqual([state, sync?.id, sync?.user], ['validating', shown.sync, ada]);

      expectStatus(await browser.validateShown(shown, { motto: 'yours' }), 200);
      assert.deepEqual([calls, exchangesOf(bff)], [2, 1]);
      const [profile] = await Array.fromAsync(bff.vestibule.profiles.all());
      assert.deepEqual(profile?.answers, { motto: 'yours' });
    });
  }
});

describe('posts.prepare', () => {
  const start = (posts: NonNullable<VestibuleConfig['posts']>): Promise<Bff> => startBff({ posts });

  async function signedIn(bff: Bff) {
    const browser = bff.browser();
    await browser.signIn();
    return {
      post: (body: object, key: string = crypto.randomUUID()) => (
        browser.post('/posts', { forum: 'news', message: 'Hello', ...body }).set('Idempotency-Key', key)
      ),
    };
  }

  it('gets the proven user, the forum, the message and the page', async () => {
    const seen: Partial<PrepareContext>[] = [];
    await using bff = await start({
      prepare: ({ user, forum, message, page }) => {
        seen.push({ user, forum, message, page });
        return { ok: true };
      },
    });
    const { post } = await signedIn(bff);
    expectStatus(await post({ page: `${bff.origin}/a` }), 201);
    assert.deepEqual(seen, [{ user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news', message: 'Hello', page: `${bff.origin}/a` }]);
  });

  it('adds parameters that are signed and sent', async () => {
    await using bff = await start({ prepare: () => ({ ok: true, params: { thread: '42' } }) });
    const { post } = await signedIn(bff);
    await post({});
    const sent = bff.service.requests.findLast(({ endpoint }) => endpoint === 'posts');
    assert.match(sent?.body.toString() ?? '', /^forum=news&message=Hello&thread=42$/);
  });

  it('refuses with a reason that the reader sees, and nothing is sent', async () => {
    let calls = 0;
    await using bff = await start({ prepare: () => { calls += 1; return { ok: false, reason: 'Comments are closed.' }; } });
    const { post } = await signedIn(bff);
    const same = crypto.randomUUID();
    assert.equal(expectProblem(await post({}, same), 'post-rejected').detail, 'Comments are closed.');
    const again = await post({}, same);
    assert.equal(expectProblem(again, 'post-rejected').detail, 'Comments are closed.');
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual([calls, bff.service.posts.length], [1, 0]);
  });

  it('gets the address and the user agent of the client', async () => {
    const seen: unknown[] = [];
    const prepare = ({ client }: PrepareContext) => { seen.push(client); return { ok: true } as const; };
    await using bff = await startBff({ trustProxy: true, posts: { prepare } });
    const { post } = await signedIn(bff);
    await post({}).set({ 'X-Forwarded-For': '192.0.2.7:4711', 'User-Agent': 'Courier/1' });
    await post({}).set({ 'X-Forwarded-For': '2001:db8::7', 'User-Agent': '' });
    assert.deepEqual(seen, [{ address: '192.0.2.7', userAgent: 'Courier/1' }, { address: '2001:db8::7', userAgent: '' }]);
  });

  it('refuses in the reader\'s language', async () => {
    await using bff = await start({ prepare: () => ({ ok: false, reason: { en: 'Closed.', de: 'Geschlossen.' } }) });
    const { post } = await signedIn(bff);
    assert.equal(expectProblem(await post({}).set('Accept-Language', 'de'), 'post-rejected').detail, 'Geschlossen.');
    assert.equal(expectProblem(await post({}).set('Accept-Language', 'fr'), 'post-rejected').detail, 'Closed.');
  });

  it('lets a busy service through as service-unavailable with Retry-After, and its own problem as it is', async () => {
    const failing = [
      ({ service }: PrepareContext) => service.request('POST', '/api/3.0/posts/create.json'),
      () => { throw new ProblemError('post-rejected', { detail: 'Not here.' }); },
    ];
    await using bff = await start({ prepare: async (context) => { await failing.shift()?.(context); return { ok: true }; } });
    const { post } = await signedIn(bff);
    bff.service.faults.next('posts', { kind: 'status', status: 503, headers: { 'Retry-After': '7' }, body: '' });
    const busy = await post({});
    assert.equal(expectProblem(busy, 'service-unavailable').retryable, true);
    assert.equal(busy.headers['retry-after'], '7');
    assert.equal(bff.log.find(({ problem }) => problem === 'service-unavailable')?.['hook'], 'posts.prepare');
    assert.equal(expectProblem(await post({}), 'post-rejected').detail, 'Not here.');
    assert.equal(bff.service.posts.length, 0);
  });

  it('that throws leaves name, code and stack of the error in the log; at debug its message too', async () => {
    class DatabaseError extends Error {
      override readonly name = 'DatabaseError';
      readonly code = '23505';
    }
    await using bff = await start({ prepare: () => { throw new DatabaseError('duplicate key (canary)'); } });
    const { post } = await signedIn(bff);
    expectProblem(await post({}), 'internal-error');
    const { err } = expectLogged(bff, 'posts.prepare', 'threw') as unknown as { err: Readonly<Record<'type' | 'code' | 'stack', string>> };
    assert.deepEqual([err.type, err.code], ['DatabaseError', '23505']);
    assert.match(err.stack, /hooks\.test\.ts/);
    const debug = bff.log.filter(({ level }) => level === 20);
    assert.deepEqual(debug.map(({ hook, error_message }) => [hook, error_message]), [['posts.prepare', 'duplicate key (canary)']]);
  });

  it('adds a number as text', async () => {
    await using bff = await start({ prepare: () => ({ ok: true, params: { thread: 42 } }) });
    const { post } = await signedIn(bff);
    await post({});
    assert.match(bff.service.requests.findLast(({ endpoint }) => endpoint === 'posts')?.body.toString() ?? '', /&thread=42$/);
  });

  it('leaves out a parameter that is undefined', async () => {
    await using bff = await start({ prepare: () => ({ ok: true, params: { section: undefined as never } }) });
    const { post } = await signedIn(bff);
    expectStatus(await post({}), 201);
  });

  const misshapenPosts: Readonly<Record<string, unknown>> = {
    'a boolean': true,
    nothing: undefined,
    'a getter that throws': { ok: true, get params(): never { throw new Error('canary'); } },
    'the name of a parameter of the post': { ok: true, params: { forum: 'sport' } },
    'the name of an attribute of the signature': { ok: true, params: { access_token: 'canary' } },
    'an object as value': { ok: true, params: { thread: { id: 'canary' } } },
    'an unknown member': { ok: true, thread: 'canary' },
  };
  const members: Readonly<Record<string, string>> = {
    'a boolean': 'the result itself', nothing: 'the result itself', 'the name of a parameter of the post': 'params.forum',
    'the name of an attribute of the signature': 'params.access_token', 'an object as value': 'params.thread',
    'an unknown member': 'thread',
  };
  for (const [what, result] of Object.entries(misshapenPosts)) {
    it(`is internal-error when it returns ${what}; the key can be used again`, async () => {
      let calls = 0;
      await using bff = await start({ prepare: () => ((calls += 1) === 1 ? result : { ok: true }) as never });
      const { post } = await signedIn(bff);
      const same = crypto.randomUUID();
      expectProblem(await post({}, same), 'internal-error');
      expectLogged(bff, 'posts.prepare', what === 'a getter that throws' ? 'threw' : 'returned', members[what]);
      expectStatus(await post({}, same), 201);
      assert.equal(bff.service.posts.length, 1);
    });
  }
});

describe('a hook before the effect', () => {
  it('leaves no unknown outcome: a call without a known one is service-unavailable', async () => {
    let isFailing = true;
    const call = async ({ service }: HookTools) => {
      if (isFailing) await service.request('POST', '/api/3.0/posts/create.json');
    };
    await using bff = await startBff({
      validation: { fields: [], validate: async (tools) => { await call(tools); return { ok: true }; } },
      posts: {
        prepare: async (tools) => { await call(tools); return { ok: true }; },
        list: async (tools) => { await call(tools); return { posts: [] }; },
        count: async (tools) => { await call(tools); return [0]; },
      },
    });
    const browser = bff.browser();
    await browser.begin();
    bff.service.faults.always('posts', { kind: 'status', status: 500, body: '' });
    const refused = [await browser.validate()];
    isFailing = false;
    expectStatus(await browser.validate(), 200);
    isFailing = true;
    const article = new URLSearchParams({ forum: 'news', page: `${bff.origin}/a` });
    refused.push(
      await browser.createPost('Hello'), await browser.get(`/posts?${article}`), await browser.get(`/posts/counts?${article}`),
    );
    for (const res of refused) {
      assert.equal(expectProblem(res, 'service-unavailable').retryable, true);
      assert.equal(res.headers['retry-after'], '2');
    }
  });
});

describe('a hook after its time limit', () => {
  it('can call the service no more: an earlier edit does not overwrite a newer one', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: late, resolve: settle } = Promise.withResolvers<unknown>();
    const author = { username: 'Ada Quill' };
    const list = () => ({ posts: [] });
    await using bff = await startBff({ hookTimeoutMs: 2_000, posts: { list, async edit({ id, message, service }) {
      const call = () => service.request('POST', '/api/3.0/posts/create.json', { forum: 'news', message }, { asReader: true });
      if (message === 'first') {
        await held;
        settle(await call().catch((error: unknown) => error));
      } else {
        await call();
      }
      return { ok: true, post: { id, author, message, created_at: '2026-01-02T03:04:05Z' } };
    } } });
    const browser = bff.browser();
    await browser.signIn();
    const edit = (message: string) => browser.patch('/posts/7', { forum: 'news', page: `${bff.origin}/a`, message });
    assert.equal(expectProblem(await edit('first'), 'internal-error').retryable, true);
    expectStatus(await edit('second'), 200);
    release();
    assert.equal((await late as Error).name, 'AbortError');
    assert.deepEqual(bff.service.posts.filter(({ message }) => message === 'first'), []);
  });
});
