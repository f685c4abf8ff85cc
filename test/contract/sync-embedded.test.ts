/** The embedded variant from the return to the signed post, and the outcomes of a validation (contract, sections 1 and 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValidateContext } from '@vestibule/bff';
import type { SessionView, SyncOutcome } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { completionParams, exchangesOf, expectProblem, expectStatus, setCookies } from '../lib/reader.ts';

const age = {
  name: 'age', type: 'number', label: 'Your age', required: true, min: 18, onFail: 'reject', reason: 'You must be 18.',
} as const;
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

const MESSAGE = `ünï ✓ 🦊 &=+%20 ~!*'()`;

describe('the embedded variant', () => {
  it('names the site in the form that waits, where the publisher has set its name', async () => {
    for (const [site, named] of [[{ name: 'The Harbour Courier' }, { site: 'The Harbour Courier' }], [{}, {}]] as const) {
      await using bff = await startBff({ site });
      const browser = bff.browser();
      expectStatus(await browser.start(browser.issueReturn()), 201);
      assert.deepEqual((await browser.session()).sync?.form, { fields: [], ...named });
    }
  });

  it('leads from the return through the questions to a signed post that arrives byte for byte', async () => {
    const field = { name: 'age', type: 'number', label: { en: 'Your age', de: 'Ihr Alter' }, required: true, min: 18 } as const;
    await using bff = await startBff({ validation: { fields: [field] } });
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    const user = { user_id: syncReturn.user_id, username: syncReturn.username };
    const limits = { message_max_length: 10_000 };

    const started = await browser.start(syncReturn).set('Accept-Language', 'de');
    expectStatus(started, 201);
    const { sync: { id, ...offer } = { id: '' }, ...rest } = started.body as SessionView;
    assert.deepEqual(rest, { state: 'validating', limits });
    assert.deepEqual(offer, {
      user, forum: 'news', form: { fields: [{ name: 'age', type: 'number', label: 'Ihr Alter', required: true, min: 18 }] },
    });
    assert.match(id, /^[\w-]{22}$/);
    assert.deepEqual((await browser.get('/session').set('Accept-Language', 'de')).body, started.body);

    const accepted = await browser.post('/sync/validation', { sync: id, username: user.username, answers: { age: 18 } });
    expectStatus(accepted, 200);
    const { outcome, completion_url, ...more } = accepted.body as SyncOutcome;
    assert.deepEqual({ outcome, more }, { outcome: 'accepted', more: {} });
    assert.ok(completion_url.startsWith(`${bff.service.url}/audiencesync/complete/?`));
    const { access_token, ...params } = completionParams(completion_url);
    assert.deepEqual(params, { client_id: bff.service.publicKey, user_id: user.user_id, success: '1' });
    assert.match(access_token ?? '', /^[\da-f]{48}$/);
    assert.equal((await fetch(completion_url)).status, 200);
    assert.deepEqual(bff.service.completions.map(({ success }) => success), ['1']);

    const { session, ...view } = await browser.session();
    assert.match(session ?? '', /^[\w-]{22}$/);
    assert.deepEqual(view, { state: 'signed-in', user: { ...user, key: view.user?.key, proven: true }, limits });

    const created = await browser.createPost(MESSAGE);
    expectStatus(created, 201);
    const { post, ...others } = created.body as { post: { id: string; message: string } };
    assert.deepEqual(others, {});
    assert.deepEqual([post.id, post.message], [bff.service.posts[0]?.id, MESSAGE]);
    assert.equal(created.headers['idempotency-replayed'], undefined);
    assert.deepEqual(bff.service.posts.map(({ forum, message, user_id }) => ({ forum, message, user_id })), [
      { forum: 'news', message: MESSAGE, user_id: user.user_id },
    ]);
    const sent = bff.service.requests.find(({ endpoint }) => endpoint === 'posts');
    assert.equal(String(sent?.body), 'forum=news&message=%C3%BCn%C3%AF%20%E2%9C%93%20%F0%9F%A6%8A%20%26%3D%2B%2520%20~%21%2A%27%28%29');
  });

  it('exchanges the code once, in a body, with the redirect URI byte for byte', async () => {
    const redirectUri = 'https://www.example.com:443/return?verify=1&x=%7e';
    await using bff = await startBff({ redirectUri });
    await bff.browser().signIn();
    const exchanges = bff.service.requests.filter(({ endpoint }) => endpoint === 'token');
    assert.equal(exchanges.length, 1);
    assert.equal(exchanges[0]?.path, '/api/oauth/2.0/access_token/');
    assert.equal(new URLSearchParams(String(exchanges[0]?.body)).get('redirect_uri'), redirectUri);
  });

  it('uses the named forum, or the first configured one', async () => {
    const forums: string[] = [];
    const validate = ({ forum }: ValidateContext) => {
      forums.push(forum);
      return { ok: true } as const;
    };
    await using bff = await startBff({ validation: { fields: [], validate } });
    const browser = bff.browser();
    await browser.start();
    assert.equal((await browser.session()).sync?.forum, 'news');
    await browser.validate();
    await browser.start({ ...browser.issueReturn(), forum: 'sport' });
    assert.equal((await browser.session()).sync?.forum, 'sport');
    await browser.validate();
    assert.deepEqual(forums, ['news', 'sport']);
  });

  it('keeps the accepted answers as a profile unless profiles are discarded', async () => {
    const fields = [{ name: 'age', type: 'number', label: 'Age' }] as const;
    for (const [profiles, count] of [['keep', 1], ['discard', 0]] as const) {
      await using bff = await startBff({ profiles, validation: { fields: [...fields] } });
      await bff.browser().signIn(undefined, { age: 30 });
      const kept = await Array.fromAsync(bff.vestibule.profiles.all());
      assert.equal(kept.length, count);
      if (count > 0) assert.partialDeepStrictEqual(kept[0], { user_id: '31007', username: 'Ada Quill', forum: 'news', answers: { age: 30 } });
    }
  });
});

describe('serviceUrl', () => {
  for (const basePath of ['/base', '/a%20b', '/x/~y/(z)', '/a;b=c']) {
    it(`with the path ${basePath}: a reader signs in, completes and posts`, async () => {
      await using bff = await startBff({ serviceOptions: { basePath, completionQuery: 'flow=7&x=%20~' } });
      const browser = bff.browser();
      const { completion_url } = await browser.signIn();
      assert.ok(completion_url.startsWith(`${bff.service.url}/audiencesync/complete/?flow=7&x=%20~&client_id=`), completion_url);
      assert.equal(completionParams(completion_url)['success'], '1');
      assert.equal((await fetch(completion_url)).status, 200);
      expectStatus(await browser.createPost('Hello'), 201);
    });
  }
});

describe('a rejected reader', () => {
  it('sees the reason; success=0 is reported and there is no session', async () => {
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    await browser.start();
    const res = await browser.validate({ age: 17 });
    expectStatus(res, 200);
    assert.deepEqual(setCookies(res), []);
    const { outcome, reason, completion_url, ...rest } = res.body as SyncOutcome;
    assert.deepEqual({ outcome, reason, rest }, { outcome: 'rejected', reason: 'You must be 18.', rest: {} });
    assert.equal(exchangesOf(bff), 1);
    await expectFailureReported(bff, { outcome, completion_url });
    expectProblem(await browser.createPost('Hello'), 'not-signed-in');
    assert.deepEqual(await Array.fromAsync(bff.vestibule.profiles.all()), []);
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
});
