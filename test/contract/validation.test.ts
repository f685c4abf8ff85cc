/** Outcomes of a validation: rejected, cancelled, corrected (contract, sections 2 and 4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SyncOutcome } from '@vestibule/shared';
import { completionParams, exchangesOf, expectProblem, expectStatus, setCookies, startBff, type Bff } from '../lib/bff.ts';

const age = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, onFail: 'reject' } as const;
const motto = { name: 'motto', type: 'text', label: 'Your motto', max_length: 5 } as const;

const anonymous = { state: 'anonymous', limits: { message_max_length: 10_000 } };

/** Checks that the completion reports failure and that the service accepts it. */
async function expectFailureReported(bff: Bff, { completion_url }: SyncOutcome): Promise<void> {
  const { success, access_token, user_id, client_id, ...rest } = completionParams(completion_url);
  assert.deepEqual({ success, user_id, client_id, rest }, { success: '0', user_id: '31007', client_id: bff.service.publicKey, rest: {} });
  assert.ok(access_token);
  assert.equal((await fetch(completion_url)).status, 200);
  assert.deepEqual(bff.service.completions.map((completion) => completion.success), ['0']);
}

describe('a rejected reader', () => {
  it('sees the reason; success=0 is reported and there is no session', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    await browser.start();
    const res = await browser.validate({ age: 17 });
    expectStatus(res, 200);
    assert.deepEqual(setCookies(res), []);
    const { outcome, reason, completion_url, ...rest } = res.body as SyncOutcome;
    assert.deepEqual({ outcome, reason, rest }, { outcome: 'rejected', reason: 'Your age: Must be 18 or more.', rest: {} });
    assert.equal(exchangesOf(bff), 1);
    await expectFailureReported(bff, { outcome, completion_url });
    expectProblem(await browser.createPost('Hello'), 'not-signed-in');
    for await (const profile of bff.vestibule.profiles.all()) assert.fail(JSON.stringify(profile));
  });

  it('gets the notice rejected once', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    await browser.start();
    await browser.validate({ age: 17 });
    assert.deepEqual(await browser.session(), { ...anonymous, notice: 'rejected' });
    assert.deepEqual(await browser.session(), anonymous);
  });

  it('cannot start again with the same return', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    await browser.start(syncReturn);
    await browser.validate({ age: 17 });
    expectProblem(await browser.start(syncReturn), 'code-already-used');
    expectProblem(await bff.browser().start(syncReturn), 'code-already-used');
    assert.equal(exchangesOf(bff), 1);
  });

  it('keeps the session of an earlier sign-in', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    await browser.signIn(undefined, { age: 18 });
    await browser.start(browser.issueReturn(bff.service.readers[1]));
    assert.equal((await browser.validate({ age: 17 })).body.outcome, 'rejected');
    assert.equal((await browser.session()).user?.username, 'Ada Quill');
  });
});

describe('a reader who cancels', () => {
  it('has success=0 reported and is not signed in', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    await browser.start();
    const res = await browser.cancel();
    expectStatus(res, 200);
    assert.deepEqual(setCookies(res), []);
    const { outcome, completion_url, ...rest } = res.body as SyncOutcome;
    assert.deepEqual({ outcome, rest }, { outcome: 'cancelled', rest: {} });
    assert.equal(exchangesOf(bff), 1);
    await expectFailureReported(bff, { outcome, completion_url });
    assert.deepEqual(await browser.session(), anonymous);
    expectProblem(await browser.cancel(), 'no-sync-in-progress');
  });

  it('can cancel after user-changed, without a second exchange', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin({ ...browser.issueReturn(), username: 'forged' });
    expectProblem(await browser.validateShown(shown), 'user-changed');
    assert.equal((await browser.cancelShown(shown)).body.outcome, 'cancelled');
    assert.deepEqual(await browser.session(), anonymous);
    assert.equal(exchangesOf(bff), 1);
  });
});

describe('a reader whose answers break a rule', () => {
  it('sees the fields at fault, can correct them and is accepted', async () => {
    await using bff = await startBff({ validation: { fields: [age, motto] } });
    const browser = bff.browser();
    await browser.start();
    const { fields, retryable } = expectProblem(await browser.validate({ motto: 'too long' }), 'invalid-answers');
    assert.deepEqual(fields, { age: 'Please answer this question.', motto: 'Please use at most 5 characters.' });
    assert.equal(retryable, false);
    assert.equal((await browser.session()).state, 'validating');
    assert.equal(exchangesOf(bff), 0);

    const res = await browser.validate({ age: 18, motto: 'brief' });
    assert.equal((res.body as SyncOutcome).outcome, 'accepted');
    assert.equal((await browser.session()).state, 'signed-in');
  });

  it('has fifteen minutes', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    const shown = await browser.begin();
    bff.passTime(15 * 60 - 5);
    expectProblem(await browser.validateShown(shown, { age: 'x' }), 'invalid-answers');
    bff.passTime(10);
    expectProblem(await browser.validateShown(shown, { age: 18 }), 'no-sync-in-progress');
    assert.deepEqual(await browser.session(), anonymous);
    assert.equal(exchangesOf(bff), 0);
  });
});
