/** Links that somebody else planted: the protocol has no `state`, so a return may be anybody's. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf, startWorld, type Browser, type World } from './_world.ts';

const html = { accept: 'text/html' };

function returnPath(syncReturn: Readonly<Record<string, string>>): string {
  return `/sync/return?${new URLSearchParams(syncReturn)}`;
}

/** Walks the standard variant up to the service's door; the return is the test's to make. */
async function authorize(browser: Browser, display = 'popup'): Promise<void> {
  const answer = await browser.ask(`/sync/authorize?forum=news&display=${display}`);
  assert.equal(answer.status, 302);
}

async function nothingChanged(world: World, browser: Browser): Promise<void> {
  assert.equal(await browser.state(), 'anonymous');
  assert.equal(browser.cookies.size, 0);
  assert.ok(!world.service.requests.some(({ endpoint }) => endpoint === 'token'));
}

describe('a planted link to the return', () => {
  it('changes nothing, sets no cookie and spends no code in a browser that began no attempt', async () => {
    await using world = await startWorld();
    const victim = world.browser();
    const planted = victim.issueReturn();
    for (let click = 0; click < 3; click += 1) {
      const answer = await victim.ask(returnPath(planted), { headers: html });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    await nothingChanged(world, victim);
    assert.equal((await victim.start(planted)).status, 201);
  });

  it('does not touch a reader who is signed in', async () => {
    await using world = await startWorld();
    const [ada, joerg] = world.service.readers;
    const victim = world.browser();
    await victim.signIn(ada);
    const before = new Map(victim.cookies);
    await victim.ask(returnPath(victim.issueReturn(joerg)), { headers: html });
    assert.deepEqual(victim.cookies, before);
    assert.equal((await victim.ask('/session')).json.user.username, ada?.username);
  });

  it('shows nothing of what it carries: the page is the same for every query', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    const plain = await browser.ask('/sync/form', { headers: html });
    for (const query of ['?error=<script>alert(1)</script>', '?code="><img src=x onerror=alert(1)>&username=x', '?success=1', '?%3Cscript%3E', `?username=${'%E2%80%AE'}x`]) {
      assert.equal((await browser.ask(`/sync/return${query}`, { headers: html })).text, plain.text);
    }
  });

  it('finished in another browser than the attempt began in changes nothing there', async () => {
    await using world = await startWorld();
    const [attacker, victim] = [world.browser(), world.browser()];
    await authorize(attacker);
    const answer = await victim.ask(returnPath(attacker.issueReturn()), { headers: html });
    assert.equal(answer.status, 200);
    await nothingChanged(world, victim);
  });

  it('shows who would be signed in before anything is final, even where an attempt is under way', async () => {
    await using world = await startWorld();
    const [, joerg] = world.service.readers;
    const victim = world.browser();
    await authorize(victim);
    const answer = await victim.ask(returnPath(victim.issueReturn(joerg)));
    assert.equal(answer.status, 303);
    const view = (await victim.ask('/session')).json;
    assert.equal(view.state, 'validating');
    assert.equal(view.user.username, joerg?.username);
    assert.equal(problemOf(await victim.post()), 'not-signed-in');
  });

  it('cannot be replayed: an attempt is good for one return, a code for one hand-over', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await authorize(browser);
    const first = browser.issueReturn();
    assert.equal((await browser.ask(returnPath(first))).status, 303);
    const again = await browser.ask(returnPath(browser.issueReturn()), { headers: html });
    assert.equal(again.status, 200);
    const other = world.browser();
    assert.equal(problemOf(await other.start(first)), 'code-already-used');
    await authorize(other);
    assert.equal(problemOf(await other.ask(returnPath(first))), 'code-already-used');
  });

  it('names an account that the code does not belong to, and is found out at the exchange', async () => {
    await using world = await startWorld();
    const [ada, joerg] = world.service.readers;
    const browser = world.browser();
    const stolen = { ...browser.issueReturn(joerg), user_id: ada?.user_id ?? '', username: ada?.username ?? '' };
    assert.equal((await browser.start(stolen)).status, 201);
    assert.equal(problemOf(await browser.validate()), 'user-mismatch');
    assert.equal(await browser.state(), 'anonymous');
  });

  it('cannot skip validation by success=1 or a completion of its own', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await authorize(browser);
    await browser.ask('/sync/return?success=1');
    const view = (await browser.ask('/session')).json;
    assert.equal(view.state, 'anonymous');
    assert.equal(view.notice, 'already-granted');
    assert.equal(problemOf(await browser.validate()), 'no-sync-in-progress');
  });

  it('leads nowhere else by return_to, and back to the page it began at', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    const page = `${new URL(world.url).origin}/articles/1?x=1`;
    const refused = await browser.ask(`/sync/authorize?forum=news&return_to=${encodeURIComponent('https://evil.example/')}`);
    assert.equal(problemOf(refused), 'untrusted-return-uri');
    assert.deepEqual(refused.headers.getSetCookie(), []);
    await browser.ask(`/sync/authorize?forum=news&display=page&return_to=${encodeURIComponent(page)}`);
    const returned = await browser.ask(`${returnPath(browser.issueReturn())}&return_to=${encodeURIComponent('https://evil.example/')}`);
    assert.equal(returned.status, 303);
    assert.equal(returned.headers.get('location'), page);
  });

  it('of a denial ends in a notice that is told once, whatever error says', async () => {
    await using world = await startWorld();
    for (const error of ['access_denied', '<script>', '', 'x'.repeat(2000)]) {
      const browser = world.browser();
      await authorize(browser);
      const answer = await browser.ask(`/sync/return?error=${encodeURIComponent(error)}&code=x`);
      assert.equal(answer.status, 303);
      assert.equal((await browser.ask('/session')).json.notice, 'declined');
      assert.equal((await browser.ask('/session')).json.notice, undefined);
    }
  });

  it('does not break another attempt of the same browser', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await authorize(browser);
    await authorize(browser);
    assert.equal((await browser.ask(returnPath(browser.issueReturn()))).status, 303);
    assert.equal((await browser.validate()).json.outcome, 'accepted');
    assert.equal(await browser.state(), 'signed-in');
  });
});
