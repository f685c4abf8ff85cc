/** The embedded variant from the return to the signed post (contract, section 1: sign-in variants, 1). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Profile, ValidateContext } from '@vestibule/bff';
import type { SessionView, SyncOutcome } from '@vestibule/shared';
import { completionParams, expectStatus, startBff } from '../lib/bff.ts';

const MESSAGE = `ünï ✓ 🦊 &=+%20 ~!*'()`;

describe('the embedded variant', () => {
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

    assert.deepEqual(await browser.session(), { state: 'signed-in', user, limits });

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

  it('keeps the query of audiencesync_uri', async () => {
    await using bff = await startBff({ serviceOptions: { completionQuery: 'flow=7&x=%20y' } });
    const { completion_url } = await bff.browser().signIn();
    assert.deepEqual([completionParams(completion_url)['flow'], completionParams(completion_url)['x']], ['7', ' y']);
    assert.equal((await fetch(completion_url)).status, 200);
  });

  it('works with a service under a path', async () => {
    await using bff = await startBff({ serviceOptions: { basePath: '/comments' } });
    const browser = bff.browser();
    await browser.signIn();
    expectStatus(await browser.createPost('Hello'), 201);
  });

  it('accepts a user_id that the exchange returns as a number', async () => {
    await using bff = await startBff();
    const change = ({ user_id, ...grant }: { user_id: string }) => ({ ...grant, user_id: Number(user_id) });
    bff.service.faults.next('token', { kind: 'rewrite', change });
    const browser = bff.browser();
    await browser.signIn();
    assert.deepEqual((await browser.session()).user, { user_id: '31007', username: 'Ada Quill' });
  });

  it('refuses a post before the validation', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    expectStatus(await browser.createPost('Hello'), 401);
    assert.deepEqual(bff.service.requests, []);
  });

  it('keeps two readers apart', async () => {
    await using bff = await startBff();
    const [ada, joerg] = [bff.browser(), bff.browser()];
    await ada.signIn(bff.service.readers[0]);
    await joerg.signIn(bff.service.readers[1]);
    await ada.createPost('from Ada');
    await joerg.createPost('from Jörg');
    assert.deepEqual(bff.service.posts.map(({ username, message }) => [username, message]), [
      ['Ada Quill', 'from Ada'], ['Jörg Ünterwald', 'from Jörg'],
    ]);
  });

  it('keeps the accepted answers as a profile unless profiles are discarded', async () => {
    const fields = [{ name: 'age', type: 'number', label: 'Age' }] as const;
    for (const [profiles, count] of [['keep', 1], ['discard', 0]] as const) {
      await using bff = await startBff({ profiles, validation: { fields: [...fields] } });
      await bff.browser().signIn(undefined, { age: 30 });
      const kept: Profile[] = [];
      for await (const profile of bff.vestibule.profiles.all()) kept.push(profile);
      assert.equal(kept.length, count);
      if (count > 0) assert.partialDeepStrictEqual(kept[0], { user_id: '31007', username: 'Ada Quill', forum: 'news', answers: { age: 30 } });
    }
  });
});
