/** Sessions that an attacker plants, keeps, copies or revives. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
import { expectProblem, expectStatus, type ReaderClient } from '../lib/reader.ts';

/** The pair of the session's cookie. */
function sessionCookie(browser: ReaderClient): string {
  const value = browser.cookie('vestibule');
  assert.ok(value);
  return `vestibule=${value}`;
}

describe('a session', () => {
  it('planted before the sign-in does not become the reader\'s (fixation)', async () => {
    await using bff = await startBff();
    const [ada, mallory] = bff.service.readers;
    const [victim, attacker] = [bff.browser(), bff.browser()];
    await attacker.signIn(mallory);
    const planted = sessionCookie(attacker);
    await victim.keepCookies(planted).signIn(ada);
    assert.notEqual(sessionCookie(victim), planted);
    assert.equal((await victim.session()).user?.user_id, ada?.user_id);
    assert.notEqual((await attacker.session()).user?.user_id, ada?.user_id);
  });

  it('does not begin under a sign-in that was planted: its key gives no access to the new session', async () => {
    await using bff = await startBff();
    const [victim, attacker] = [bff.browser(), bff.browser()];
    await attacker.begin();
    await victim.keepCookies(attacker.cookies()).signIn();
    assert.notEqual(await attacker.state(), 'signed-in');
    expectProblem(await attacker.createPost('Hello'), 'not-signed-in');
  });

  it('is accepted from no cookie that was signed under another name', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    await browser.begin();
    await browser.authorize('forum=news');
    const cookies = browser.cookies().split('; ').map((pair) => pair.split('='));
    const kinds = new Set(cookies.map(([name = '']) => name.replace(/^(vestibule-\w+)-.*/, '$1')));
    assert.deepEqual([...kinds].toSorted(), ['vestibule', 'vestibule-attempt', 'vestibule-known', 'vestibule-sync']);
    for (const [name, value] of cookies) {
      for (const [other] of cookies.filter(([one]) => one !== name)) {
        const attacker = bff.browser().keepCookies(`${other}=${value}`);
        assert.deepEqual(await attacker.session(), { state: 'anonymous', limits: { message_max_length: 10_000 } }, `${name} as ${other}`);
        expectStatus(await attacker.receive(attacker.issueReturn(), { Accept: 'text/html' }), 200);
      }
    }
  });

  it('is not revived by a slow request that was in flight during the sign-out', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    const cookie = sessionCookie(reader);
    const { post: slow, release } = await reader.holdPost('Hello');
    expectStatus(await bff.browser().keepCookies(cookie).delete('/session'), 204);
    release();
    expectStatus(await slow, 201);
    assert.equal(await bff.browser().keepCookies(cookie).state(), 'anonymous');
    assert.equal(await reader.state(), 'anonymous');
  });

  it('tossed by a sibling domain beside the real one is ignored, in any order', async () => {
    await using bff = await startBff();
    const [victim, attacker] = [bff.browser(), bff.browser()];
    await victim.signIn();
    await attacker.signIn();
    const [mine, tossed] = [sessionCookie(victim), sessionCookie(attacker)];
    for (const cookie of [`${mine}; ${tossed}`, `${tossed}; ${mine}`, `${mine}; ${mine}`]) {
      expectProblem(await bff.browser().createPost('A post').set('Cookie', cookie), 'not-signed-in');
    }
    assert.equal(bff.service.posts.length, 0);
  });

  it('is accepted from no altered, cut or unsigned cookie', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    const good = decodeURIComponent(reader.cookie('vestibule') ?? '');
    const [signed, signature] = [good.slice(2, good.lastIndexOf('.')), good.slice(good.lastIndexOf('.') + 1)];
    const altered = signed.slice(0, -1) + (signed.endsWith('A') ? 'B' : 'A');
    for (const forged of [
      signed, `s:${signed}`, `s:${signed}.`, `s:${signed}.x`, `${good}x`, good.slice(0, -1), good.replace('s:', 'j:'), `j:{"id":"${signed}"}`,
      `s:${altered}.${signature}`, '%', '%zz', '',
    ]) {
      const res = await bff.browser().get('/session').set('Cookie', `vestibule=${encodeURIComponent(forged)}`);
      assert.equal((res.body as { state: string }).state, 'anonymous', forged.slice(0, 6));
    }
  });

  for (const lifetime of [0, -1, null, '', '3600', 'never', 1e15]) {
    it(`is there with a token whose expires_in is ${JSON.stringify(lifetime)}`, async () => {
      await using bff = await startBff();
      const reader = bff.browser();
      bff.service.faults.next('token', { kind: 'rewrite', change: (body: object) => ({ ...body, expires_in: lifetime }) });
      await reader.signIn();
      bff.passTime(60);
      assert.equal(await reader.state(), 'signed-in');
    });
  }

  it('ends no later than its token', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    bff.service.faults.next('token', { kind: 'rewrite', change: (body: object) => ({ ...body, expires_in: 60 }) });
    await reader.signIn();
    assert.equal(await reader.state(), 'signed-in');
    bff.passTime(61);
    assert.equal(await reader.state(), 'anonymous');
  });
});
