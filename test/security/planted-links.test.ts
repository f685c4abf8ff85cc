/** Links and sign-ins that another site plants: the protocol has no `state`, so a return can come from anybody. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff, type Bff } from '../lib/bff.ts';
import { exchangesOf, expectProblem, expectStatus, setCookies, type ReaderClient } from '../lib/reader.ts';

const html = { Accept: 'text/html' };

async function nothingChanged(bff: Bff, browser: ReaderClient): Promise<void> {
  assert.equal(await browser.state(), 'anonymous');
  assert.equal(browser.cookies(), '');
  assert.equal(exchangesOf(bff), 0);
}

/** Another site makes this browser start an attempt and receive a return, in every way that it can. */
async function plant(browser: ReaderClient, syncReturn: object): Promise<void> {
  for (const site of ['cross-site', 'same-site', 'none', undefined]) {
    const headers = { ...html, ...(site !== undefined && { 'Sec-Fetch-Site': site }) };
    await browser.get('/sync/authorize?forum=news&display=page').set(headers);
    await browser.get(`/sync/return?${new URLSearchParams({ ...syncReturn })}`).set(headers);
  }
}

describe('a planted sign-in', () => {
  it('is not started by another site: no attempt, no sign-in, no cookie', async () => {
    await using bff = await startBff();
    const victim = bff.browser();
    await plant(victim, victim.issueReturn());
    await nothingChanged(bff, victim);
  });

  it('is not the one that a bound attempt finishes: its form is confirmed under the name that it showed', async () => {
    await using bff = await startBff();
    const [jane, mallory] = bff.service.readers;
    const victim = bff.browser();
    await victim.authorize('forum=news');
    await victim.receive(victim.issueReturn(jane));
    const shown = await victim.shown();
    await plant(victim, victim.issueReturn(mallory));
    assert.deepEqual(await victim.shown(), shown);
    expectStatus(await victim.validateShown(shown), 200);
    assert.equal((await victim.session()).user?.user_id, jane?.user_id);
  });

  it('does not take over the name that a form showed: sync and username must belong together', async () => {
    await using bff = await startBff();
    const [jane, mallory] = bff.service.readers;
    const victim = bff.browser();
    const { sync } = await victim.begin(victim.issueReturn(mallory));
    const problem = expectProblem(await victim.validateShown({ sync, username: jane?.username ?? '' }), 'user-changed');
    assert.equal(problem.user?.user_id, mallory?.user_id);
    assert.notEqual(await victim.state(), 'signed-in');
  });

  it('leaves a live session live, under its own name', async () => {
    await using bff = await startBff();
    const [jane, mallory] = bff.service.readers;
    const victim = bff.browser();
    await victim.signIn(jane);
    await plant(victim, victim.issueReturn(mallory));
    await victim.authorize('forum=news');
    await victim.receive(victim.issueReturn(mallory));
    const { state, user, sync } = await victim.session();
    assert.deepEqual([state, user?.user_id, sync?.user.user_id], ['signed-in', jane?.user_id, mallory?.user_id]);
    expectStatus(await victim.createPost('Hello'), 201);
    assert.deepEqual(bff.service.posts.map(({ user_id }) => user_id), [jane?.user_id]);
  });
});

describe('a planted link to the return', () => {
  it('changes nothing, sets no cookie and spends no code without an attempt, also where another browser has one', async () => {
    await using bff = await startBff();
    const [victim, other] = [bff.browser(), bff.browser()];
    await other.authorize('forum=news');
    const planted = other.issueReturn();
    for (let click = 0; click < 3; click += 1) {
      const res = await victim.receive(planted, html);
      expectStatus(res, 200);
      assert.deepEqual(setCookies(res), []);
    }
    await nothingChanged(bff, victim);
    expectStatus(await other.receive(planted), 303);
    expectStatus(await other.validate(), 200);
  });

  it('shows nothing of its query: the page is the same for every query', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const { text } = await browser.get('/sync/return').set(html);
    for (const query of [
      'error=<script>alert(1)</script>', 'code="><img src=x onerror=alert(1)>&username=x', 'success=1', '%3Cscript%3E', 'username=%E2%80%AEx',
    ]) assert.equal((await browser.get(`/sync/return?${query}`).set(html)).text, text);
  });

  it('cannot skip the validation with success=1', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.authorize('forum=news');
    await browser.receive({ success: '1' });
    const { state, sync } = await browser.session();
    assert.deepEqual([state, sync], ['anonymous', undefined]);
    expectProblem(await browser.validate(), 'no-sync-in-progress');
  });

  it('redirects only to the page of the attempt', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const page = `${bff.origin}/articles/1?x=1`;
    await browser.authorize(`forum=news&display=page&return_to=${encodeURIComponent(page)}`);
    const returned = await browser.receive({ ...browser.issueReturn(), return_to: 'https://evil.example/' });
    expectStatus(returned, 303);
    assert.equal(returned.headers['location'], page);
  });
});
