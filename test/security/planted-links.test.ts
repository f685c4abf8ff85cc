/** Links and sign-ins that another site plants: the protocol has no `state`, so a return can come from anybody. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf, startWorld, type Browser, type World } from './_world.ts';

const html = { accept: 'text/html' };
const crossSite = { 'sec-fetch-site': 'cross-site', ...html };

async function nothingChanged(world: World, browser: Browser): Promise<void> {
  assert.equal(await browser.state(), 'anonymous');
  assert.equal(browser.cookies.size, 0);
  assert.ok(!world.service.requests.some(({ endpoint }) => endpoint === 'token'));
}

/** Another site makes this browser start an attempt and receive a return, in every way that it can. */
async function plant(browser: Browser, syncReturn: Readonly<Record<string, string>>): Promise<void> {
  for (const site of ['cross-site', 'same-site', 'none', undefined]) {
    const headers = { ...html, ...(site !== undefined && { 'sec-fetch-site': site }) };
    await browser.ask('/sync/authorize?forum=news&display=page', { headers });
    await browser.receive(syncReturn, headers);
  }
}

describe('a planted sign-in', () => {
  it('is not started by another site: no attempt, no sign-in, no cookie', async () => {
    await using world = await startWorld();
    const victim = world.browser();
    await plant(victim, victim.issueReturn());
    await nothingChanged(world, victim);
  });

  it('security review 2: is not the one that a click on an earlier form finishes, even if it is the newest', async () => {
    await using world = await startWorld();
    const [jane, mallory] = world.service.readers;
    const victim = world.browser();
    await victim.start(victim.issueReturn(jane));
    const shown = await victim.shown();
    await victim.start(victim.issueReturn(mallory));
    assert.equal((await victim.validateShown(shown)).json.outcome, 'accepted');
    assert.equal((await victim.ask('/session')).json.user.user_id, jane?.user_id);
    assert.equal((await victim.post()).status, 201);
    assert.deepEqual(world.service.posts.map(({ user_id }) => user_id), [jane?.user_id]);
  });

  it('is not the one that a bound attempt finishes: its form is confirmed under the name that it showed', async () => {
    await using world = await startWorld();
    const [jane, mallory] = world.service.readers;
    const victim = world.browser();
    await victim.authorize();
    await victim.receive(victim.issueReturn(jane));
    const shown = await victim.shown();
    await plant(victim, victim.issueReturn(mallory));
    assert.deepEqual(await victim.shown(), shown);
    assert.equal((await victim.validateShown(shown)).json.outcome, 'accepted');
    assert.equal((await victim.ask('/session')).json.user.user_id, jane?.user_id);
  });

  it('does not take over the name that a form showed: sync and username must belong together', async () => {
    await using world = await startWorld();
    const [jane, mallory] = world.service.readers;
    const victim = world.browser();
    await victim.start(victim.issueReturn(mallory));
    const { sync } = await victim.shown();
    const answer = await victim.validateShown({ sync, username: jane?.username ?? '' });
    assert.equal(problemOf(answer), 'user-changed');
    assert.equal(answer.json.user.user_id, mallory?.user_id);
    assert.notEqual(await victim.state(), 'signed-in');
  });

  it('leaves a live session live, under its own name', async () => {
    await using world = await startWorld();
    const [jane, mallory] = world.service.readers;
    const victim = world.browser();
    await victim.signIn(jane);
    await plant(victim, victim.issueReturn(mallory));
    await victim.authorize();
    await victim.receive(victim.issueReturn(mallory));
    const view = (await victim.ask('/session')).json;
    assert.deepEqual([view.state, view.user.user_id, view.sync.user.user_id], ['signed-in', jane?.user_id, mallory?.user_id]);
    assert.equal((await victim.post()).status, 201);
    assert.deepEqual(world.service.posts.map(({ user_id }) => user_id), [jane?.user_id]);
  });

  it('security review 5: under a forged username alone shows the proven name before anybody is signed in', async () => {
    await using world = await startWorld();
    const [, mallory] = world.service.readers;
    const victim = world.browser();
    await victim.start({ ...victim.issueReturn(mallory), username: 'jane (that is you)' });
    const shown = await victim.shown();
    assert.equal(shown.username, 'jane (that is you)');
    assert.equal(problemOf(await victim.validateShown(shown)), 'user-changed');
    assert.notEqual(await victim.state(), 'signed-in');
    assert.equal((await victim.shown()).username, mallory?.username);
  });
});

describe('a sign-in with an invented code', () => {
  it('security review 4: reaches no hook with an effect and keeps no profile, for any claimed user', async () => {
    const accepted: unknown[] = [];
    await using world = await startWorld({ validation: { onAccepted: ({ user }) => { accepted.push(user); } } });
    const attacker = world.browser();
    const syncReturn = { ...attacker.issueReturn(), code: 'made-up-0', user_id: '1001', username: 'the editor' };
    await attacker.start(syncReturn);
    assert.equal(problemOf(await attacker.validate({})), 'service-refused');
    assert.deepEqual(accepted, []);
    assert.equal(await attacker.state(), 'anonymous');
  });
});

describe('a planted link to the return', () => {
  it('changes nothing, sets no cookie and spends no code without an attempt', async () => {
    await using world = await startWorld();
    const victim = world.browser();
    const planted = victim.issueReturn();
    for (let click = 0; click < 3; click += 1) {
      const answer = await victim.receive(planted, html);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    await nothingChanged(world, victim);
    assert.equal((await victim.start(planted)).status, 201);
  });

  it('leaves a live session alone', async () => {
    await using world = await startWorld();
    const [ada, joerg] = world.service.readers;
    const victim = world.browser();
    await victim.signIn(ada);
    const before = new Map(victim.cookies);
    await victim.receive(victim.issueReturn(joerg), html);
    assert.deepEqual(victim.cookies, before);
    assert.equal((await victim.ask('/session')).json.user.username, ada?.username);
  });

  it('shows nothing of its query: the page is the same for every query', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    const plain = await browser.ask('/sync/form', { headers: html });
    for (const query of ['?error=<script>alert(1)</script>', '?code="><img src=x onerror=alert(1)>&username=x', '?success=1', '?%3Cscript%3E', `?username=${'%E2%80%AE'}x`]) {
      assert.equal((await browser.ask(`/sync/return${query}`, { headers: html })).text, plain.text);
    }
  });

  it('changes nothing in another browser than that of the attempt', async () => {
    await using world = await startWorld();
    const [attacker, victim] = [world.browser(), world.browser()];
    await attacker.authorize();
    const answer = await victim.receive(attacker.issueReturn(), html);
    assert.equal(answer.status, 200);
    await nothingChanged(world, victim);
  });

  it('shows the user before the sign-in is final, also during an attempt', async () => {
    await using world = await startWorld();
    const [, joerg] = world.service.readers;
    const victim = world.browser();
    await victim.authorize();
    assert.equal((await victim.receive(victim.issueReturn(joerg))).status, 303);
    const view = (await victim.ask('/session')).json;
    assert.deepEqual([view.state, view.sync.user.username], ['validating', joerg?.username]);
    assert.equal(problemOf(await victim.post()), 'not-signed-in');
  });

  it('cannot be replayed: an attempt is bound to one return, a code to one browser', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await browser.authorize();
    const attempt = [...browser.cookies];
    const first = browser.issueReturn();
    assert.equal((await browser.receive(first)).status, 303);
    for (const [name, value] of attempt) browser.cookies.set(name, value);
    assert.equal((await browser.receive(browser.issueReturn(), html)).status, 200);
    const other = world.browser();
    assert.equal(problemOf(await other.start(first)), 'code-already-used');
    await other.authorize();
    assert.equal(problemOf(await other.receive(first)), 'code-already-used');
  });

  it('that names the owner of another code ends at the exchange', async () => {
    await using world = await startWorld();
    const [ada, joerg] = world.service.readers;
    const browser = world.browser();
    const stolen = { ...browser.issueReturn(joerg), user_id: ada?.user_id ?? '', username: ada?.username ?? '' };
    assert.equal((await browser.start(stolen)).status, 201);
    assert.equal(problemOf(await browser.validate()), 'user-mismatch');
    assert.equal(await browser.state(), 'anonymous');
  });

  it('cannot skip the validation with success=1', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await browser.authorize();
    await browser.ask('/sync/return?success=1');
    const view = (await browser.ask('/session')).json;
    assert.deepEqual([view.state, view.notice, view.sync], ['anonymous', 'already-granted', undefined]);
    assert.equal(problemOf(await browser.validate()), 'no-sync-in-progress');
  });

  it('redirects only to the page of the attempt', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    const page = `${new URL(world.url).origin}/articles/1?x=1`;
    const refused = await browser.authorize(`forum=news&return_to=${encodeURIComponent('https://evil.example/')}`);
    assert.equal(problemOf(refused), 'untrusted-return-uri');
    assert.deepEqual(refused.headers.getSetCookie(), []);
    await browser.authorize(`forum=news&display=page&return_to=${encodeURIComponent(page)}`);
    const returned = await browser.receive({ ...browser.issueReturn(), return_to: 'https://evil.example/' });
    assert.equal(returned.status, 303);
    assert.equal(returned.headers.get('location'), page);
  });

  it('with any error delivers one notice and nothing of the error', async () => {
    await using world = await startWorld();
    for (const error of ['access_denied', '<script>', '', 'x'.repeat(2000)]) {
      const browser = world.browser();
      await browser.authorize();
      const answer = await browser.receive({ error, code: 'x' });
      assert.equal(answer.status, 303);
      assert.equal((await browser.ask('/session')).json.notice, 'declined');
      assert.equal((await browser.ask('/session')).json.notice, undefined);
    }
  });

  it('leaves another attempt of the browser usable', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await browser.authorize();
    await browser.authorize();
    assert.equal((await browser.receive(browser.issueReturn())).status, 303);
    assert.equal((await browser.validate()).json.outcome, 'accepted');
    assert.equal((await browser.receive(browser.issueReturn())).status, 303);
    assert.equal((await browser.validate()).json.outcome, 'accepted');
  });
});

describe('a link to GET /sync/authorize on another site', () => {
  it('security review 2: is refused with a page that names the site and cannot be framed', async () => {
    await using world = await startWorld();
    const victim = world.browser();
    const answer = await victim.ask('/sync/authorize?forum=news', { headers: crossSite });
    assert.equal(answer.status, 403);
    assert.deepEqual([answer.headers.get('location'), answer.headers.getSetCookie()], [null, []]);
    assert.match(answer.text, /<a href="[^"]*\/sync\/authorize\?[^"]+">Continue to sign in<\/a>/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });

  it('is refused as JSON to a client that accepts no page', async () => {
    await using world = await startWorld();
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'application/json' };
    assert.equal(problemOf(await world.browser().ask('/sync/authorize?forum=news', { headers })), 'cross-site-request');
  });
});
