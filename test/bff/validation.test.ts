/** `POST /sync/validation` and `POST /sync/cancel`: every way a validation ends (contract, sections 2 and 3). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcceptedContext, ValidateContext, ValidationResult } from '@vestibule/bff';
import type { SyncOutcome } from '@vestibule/shared';
import { completionParams, expectProblem, expectStatus, startBff, type Bff, type BffSettings } from './_bff.ts';

const age = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, onFail: 'reject' } as const;
const motto = { name: 'motto', type: 'text', label: 'Your motto', max_length: 5 } as const;

type Validation = NonNullable<BffSettings['validation']>;

const startWith = (validation: Validation, settings: BffSettings = {}): Promise<Bff> => startBff({ validation, ...settings });

/** How often the code was exchanged. */
const exchanges = ({ service }: Bff): number => service.requests.filter(({ endpoint }) => endpoint === 'token').length;

/** Checks that the completion reports failure and that the service takes it. */
async function expectFailureReported(bff: Bff, { completion_url }: SyncOutcome): Promise<void> {
  const { success, access_token, user_id, client_id, ...rest } = completionParams(completion_url);
  assert.deepEqual({ success, user_id, client_id, rest }, { success: '0', user_id: '31007', client_id: bff.service.publicKey, rest: {} });
  assert.ok(access_token);
  assert.equal((await fetch(completion_url)).status, 200);
  assert.deepEqual(bff.service.completions.map((completion) => completion.success), ['0']);
}

describe('a reader who is turned away', () => {
  it('is told why, has the code exchanged and success=0 reported, and is not signed in', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    const res = await browser.validate({ age: 17 });
    expectStatus(res, 200);
    const { outcome, reason, completion_url, ...rest } = res.body as SyncOutcome;
    assert.deepEqual({ outcome, reason, rest }, { outcome: 'rejected', reason: 'Your age: Must be 18 or more.', rest: {} });
    assert.equal(exchanges(bff), 1);
    await expectFailureReported(bff, { outcome, completion_url });
    expectProblem(await browser.createPost('Hello'), 'not-signed-in');
  });

  it('is reminded once', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    await browser.validate({ age: 17 });
    assert.deepEqual(await browser.session(), { state: 'anonymous', limits: { message_max_length: 10_000 }, notice: 'rejected' });
    assert.deepEqual(await browser.session(), { state: 'anonymous', limits: { message_max_length: 10_000 } });
  });

  it('leaves no profile', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    await browser.validate({ age: 17 });
    for await (const profile of bff.vestibule.profiles.all()) assert.fail(JSON.stringify(profile));
  });

  it('cannot try again with the same return', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    await browser.start(syncReturn);
    await browser.validate({ age: 17 });
    expectProblem(await browser.validate({ age: 18 }), 'no-sync-in-progress');
    expectProblem(await browser.start(syncReturn), 'code-already-used');
    expectProblem(await bff.browser().start(syncReturn), 'code-already-used');
    assert.equal(exchanges(bff), 1);
  });
});

describe('a reader who cancels', () => {
  it('has the code exchanged and success=0 reported, and is not signed in', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    const res = await browser.cancel();
    expectStatus(res, 200);
    const { outcome, completion_url, ...rest } = res.body as SyncOutcome;
    assert.deepEqual({ outcome, rest }, { outcome: 'cancelled', rest: {} });
    assert.equal(exchanges(bff), 1);
    await expectFailureReported(bff, { outcome, completion_url });
    assert.deepEqual(await browser.session(), { state: 'anonymous', limits: { message_max_length: 10_000 } });
    expectProblem(await browser.cancel(), 'no-sync-in-progress');
  });

  it('may do so without a body', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    assert.equal((await browser.post('/sync/cancel')).body.outcome, 'cancelled');
  });
});

describe('a reader who slips', () => {
  it('is told which fields are at fault, may correct them, and is accepted', async () => {
    await using bff = await startWith({ fields: [age, motto] });
    const browser = bff.browser();
    await browser.start();
    const { fields, retryable } = expectProblem(await browser.validate({ motto: 'too long' }), 'invalid-answers');
    assert.deepEqual(fields, { age: 'Please answer this question.', motto: 'Please use at most 5 characters.' });
    assert.equal(retryable, false);
    assert.equal((await browser.session()).state, 'validating');
    assert.equal(exchanges(bff), 0);

    const res = await browser.validate({ age: 18, motto: 'brief' });
    assert.equal((res.body as SyncOutcome).outcome, 'accepted');
    assert.equal((await browser.session()).state, 'signed-in');
  });

  it('has fifteen minutes', async () => {
    await using bff = await startWith({ fields: [age] });
    const browser = bff.browser();
    await browser.start();
    bff.passTime(15 * 60 - 5);
    expectProblem(await browser.validate({ age: 'x' }), 'invalid-answers');
    bff.passTime(10);
    expectProblem(await browser.validate({ age: 18 }), 'no-sync-in-progress');
    assert.equal((await browser.session()).state, 'anonymous');
    assert.equal(exchanges(bff), 0);
  });
});

describe('the hooks', () => {
  it('run before the exchange, validate first, and are told who, what, where', async () => {
    const calls: unknown[] = [];
    await using bff = await startWith({
      fields: [age],
      validate: ({ user, answers, forum, service, signal }: ValidateContext) => {
        calls.push(['validate', user, answers, forum, typeof service.request, signal.aborted, exchanges(bff)]);
        return { ok: true };
      },
      onAccepted: ({ user, answers, forum }: AcceptedContext) => { calls.push(['onAccepted', user, answers, forum, exchanges(bff)]); },
    });
    await bff.browser().signIn(undefined, { age: '18' });
    const user = { user_id: '31007', username: 'Ada Quill' };
    assert.deepEqual(calls, [
      ['validate', user, { age: 18 }, 'news', 'function', false, 0],
      ['onAccepted', user, { age: 18 }, 'news', 0],
    ]);
    assert.equal(exchanges(bff), 1);
  });

  it('are not asked about answers that break a rule', async () => {
    await using bff = await startWith({ fields: [age], validate: () => assert.fail('asked'), onAccepted: () => assert.fail('asked') });
    const browser = bff.browser();
    await browser.start();
    expectProblem(await browser.validate({}), 'invalid-answers');
    assert.equal((await browser.validate({ age: 17 })).body.outcome, 'rejected');
  });

  it('may let the reader correct an answer', async () => {
    const verdicts: ValidationResult[] = [{ ok: false, retry: true, fields: { motto: 'Taken.' } }, { ok: true }];
    await using bff = await startWith({ fields: [motto], validate: () => verdicts.shift() as ValidationResult });
    const browser = bff.browser();
    await browser.start();
    assert.deepEqual(expectProblem(await browser.validate({ motto: 'mine' }), 'invalid-answers').fields, { motto: 'Taken.' });
    assert.equal(exchanges(bff), 0);
    assert.equal((await browser.validate({ motto: 'yours' })).body.outcome, 'accepted');
  });

  it('may turn the reader away, with a reason or without, and then onAccepted is not called', async () => {
    for (const reason of ['Members only.', undefined]) {
      await using bff = await startWith({
        fields: [],
        validate: async () => ({ ok: false, ...(reason !== undefined && { reason }) }),
        onAccepted: () => assert.fail('called'),
      });
      const browser = bff.browser();
      await browser.start();
      const { outcome, completion_url, ...rest } = (await browser.validate()).body as SyncOutcome;
      assert.deepEqual({ outcome, rest }, { outcome: 'rejected', rest: reason === undefined ? {} : { reason } });
      await expectFailureReported(bff, { outcome, completion_url });
    }
  });

  for (const name of ['validate', 'onAccepted'] as const) {
    for (const [manner, fail] of [
      ['throws', () => { throw new Error('canary'); }],
      ['rejects', () => Promise.reject(new Error('canary'))],
      ['hangs', () => new Promise<never>(() => undefined)],
    ] as const) {
      it(`leave the reader able to try again and the code unspent where ${name} ${manner}`, async () => {
        let failures = 1;
        const hook = () => failures-- > 0 ? fail() : { ok: true } as const;
        await using bff = await startWith({ fields: [motto], [name]: hook }, { hookTimeoutMs: 20 });
        const browser = bff.browser();
        await browser.start();
        const problem = expectProblem(await browser.validate({ motto: 'mine' }), 'internal-error');
        assert.match(problem.detail, /try again/);
        assert.doesNotMatch(JSON.stringify(problem), /canary/);
        assert.equal(exchanges(bff), 0);
        assert.equal((await browser.session()).state, 'validating');
        assert.equal((await browser.validate({ motto: 'mine' })).body.outcome, 'accepted');
      });
    }
  }

  it('do not run twice side by side', async () => {
    const gate = Promise.withResolvers<ValidationResult>();
    const began = Promise.withResolvers<void>();
    let calls = 0;
    await using bff = await startWith({ fields: [], validate: () => { calls += 1; began.resolve(); return gate.promise; } });
    const browser = bff.browser();
    await browser.start();
    const first = browser.validate().then((res) => res);
    await began.promise;
    expectProblem(await browser.validate(), 'no-sync-in-progress');
    expectProblem(await browser.cancel(), 'no-sync-in-progress');
    gate.resolve({ ok: true });
    assert.equal((await first).body.outcome, 'accepted');
    assert.deepEqual([calls, exchanges(bff)], [1, 1]);
  });

  it('may sign requests of their own to the service', async () => {
    await using bff = await startWith({
      fields: [],
      validate: async ({ service }: ValidateContext) => {
        await assert.rejects(service.request('POST', '/api/3.0/posts/create.json', { forum: 'news', message: 'without a user' }), { type: 'not-signed-in' });
        return { ok: true };
      },
    });
    await bff.browser().signIn();
    const [signed] = bff.service.requests;
    assert.equal(String(signed?.body), 'forum=news&message=without%20a%20user');
  });
});

describe('the exchange', () => {
  it('that surely did not happen leaves the sync as it was, to try again', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    await bff.service.down();
    expectProblem(await browser.validate(), 'service-unavailable');
    assert.equal((await browser.session()).state, 'validating');
    await bff.service.up();
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('that may have happened ends the sync and signs nobody in', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    bff.service.faults.next('token', { kind: 'reset-after-commit' });
    expectProblem(await browser.validate(), 'outcome-unknown');
    assert.equal((await browser.session()).state, 'anonymous');
    expectProblem(await browser.validate(), 'no-sync-in-progress');
    assert.equal(exchanges(bff), 1);
  });

  it('that names another user signs nobody in', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start({ ...browser.issueReturn(), user_id: '31018', username: 'Jörg Ünterwald' });
    expectProblem(await browser.validate(), 'user-mismatch');
    assert.equal((await browser.session()).state, 'anonymous');
  });

  it('of one code happens once, however many validate at once', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => browser.validate()));
    assert.equal(outcomes.filter(({ status }) => status === 200).length, 1);
    assert.equal(exchanges(bff), 1);
  });
});
