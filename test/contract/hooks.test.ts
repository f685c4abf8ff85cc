/** The publisher's hooks of a sign-in and of a post (contract, section 4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcceptedContext, PrepareContext, ValidateContext, ValidationResult, VestibuleConfig } from '@vestibule/bff';
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
  ['hangs', () => new Promise<never>(() => undefined), 'did not settle within 50 ms'],
] as const;

/** Results that `validate` must not return. */
const misshapen = [
  true, undefined, {}, { ok: true, reason: 'canary' }, { ok: false, retry: true, fields: { canary: 'no such field' } },
] as const;

/** Checks that a line of the log names the hook and its failure, without the content. */
function expectLogged({ log }: Bff, hook: string, failure: string): void {
  const lines = log.map((line) => JSON.stringify(line));
  assert.ok(lines.some((line) => line.includes(`The hook validation.${hook} ${failure}`)), lines.at(-1));
  assert.doesNotMatch(lines.join('\n'), /canary/);
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
    ...failures.map(([manner, hook, failure]) => ({ manner, hook, failure })),
    ...misshapen.map((result) => ({
      manner: `returns ${JSON.stringify(result)}`, hook: () => result, failure: 'returned something else than { ok: true }',
    })),
  ];
  for (const { manner, hook, failure } of failing) {
    it(`leaves the code unspent when it ${manner}: the reader can retry`, async () => {
      let calls = 0;
      const validate = (): ValidationResult => ((calls += 1) === 1 ? hook() as never : { ok: true });
      await using bff = await startWith({ fields: [motto], validate }, { hookTimeoutMs: 50 });
      const browser = bff.browser();
      const shown = await browser.begin();
      const problem = expectProblem(await browser.validateShown(shown, { motto: 'mine' }), 'internal-error');
      assert.match(problem.detail, /try again/);
      assert.doesNotMatch(JSON.stringify(problem), /canary/);
      expectLogged(bff, 'validate', failure);
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
      await using bff = await startWith({ fields: [motto], onAccepted }, { hookTimeoutMs: 50 });
      const browser = bff.browser();
      const shown = await browser.begin();
      const problem = expectProblem(await browser.validateShown(shown, { motto: 'mine' }), 'internal-error');
      assert.match(problem.detail, /try again/);
      expectLogged(bff, 'onAccepted', failure);
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
    'a number as value': { ok: true, params: { thread: 42 } },
    'an unknown member': { ok: true, thread: 'canary' },
  };
  for (const [what, result] of Object.entries(misshapenPosts)) {
    it(`is internal-error when it returns ${what}; the key can be used again`, async () => {
      let calls = 0;
      await using bff = await start({ prepare: () => ((calls += 1) === 1 ? result : { ok: true }) as never });
      const { post } = await signedIn(bff);
      const same = crypto.randomUUID();
      expectProblem(await post({}, same), 'internal-error');
      assert.match(JSON.stringify(bff.log), /The hook posts\.prepare (?:returned|threw)/);
      assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
      expectStatus(await post({}, same), 201);
      assert.equal(bff.service.posts.length, 1);
    });
  }
});
