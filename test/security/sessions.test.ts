/** Sessions that an attacker plants, keeps, copies or revives. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { problemOf, startWorld, type Answer, type Browser } from './_world.ts';

const PUBLIC_URL = 'https://www.example.com/vestibule';
const { origin } = new URL(PUBLIC_URL);

/** @returns the response of the validation */
async function signInOnHttps(browser: Browser): Promise<Answer> {
  await browser.ask('/sync', { method: 'POST', headers: { origin }, json: browser.issueReturn() });
  return browser.ask('/sync/validation', { method: 'POST', headers: { origin }, json: { ...await browser.shown(), answers: { age: 30 } } });
}

describe('a session', () => {
  it('planted before the sign-in does not become the reader\'s (fixation)', async () => {
    await using world = await startWorld();
    const [ada, mallory] = world.service.readers;
    const [victim, attacker] = [world.browser(), world.browser()];
    await attacker.signIn(mallory);
    const planted = attacker.cookies.get('vestibule') as string;
    victim.cookies.set('vestibule', planted);
    await victim.signIn(ada);
    assert.notEqual(victim.cookies.get('vestibule'), planted);
    assert.equal((await victim.ask('/session')).json.user.user_id, ada?.user_id);
    assert.equal(await attacker.state(), 'anonymous');
    assert.equal(problemOf(await attacker.post()), 'not-signed-in');
  });

  it('does not begin under a sign-in that was planted: its key gives no access to the new session', async () => {
    await using world = await startWorld();
    const [victim, attacker] = [world.browser(), world.browser()];
    await attacker.start();
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    await victim.signIn();
    assert.equal(await attacker.state(), 'validating');
    assert.equal(problemOf(await attacker.post()), 'not-signed-in');
  });

  it('is accepted from no cookie that was signed under another name', async () => {
    await using world = await startWorld();
    const browser = world.browser();
    await browser.authorize();
    await browser.start();
    await browser.signIn();
    const cookies = [...browser.cookies];
    assert.deepEqual(cookies.map(([name]) => name.replace(/-[\w-]{8}$/, '')).toSorted(), [
      'vestibule', 'vestibule-attempt', 'vestibule-sync', 'vestibule-sync',
    ]);
    for (const [name, value] of cookies) {
      for (const other of ['vestibule', 'vestibule-sync-AAAAAAAA', 'vestibule-attempt-AAAAAAAA'].filter((one) => one !== name)) {
        const attacker = world.browser();
        attacker.cookies.set(other, value);
        assert.deepEqual((await attacker.ask('/session')).json, { state: 'anonymous', limits: { message_max_length: 10_000 } }, `${name} as ${other}`);
        assert.equal((await attacker.receive(attacker.issueReturn(), { accept: 'text/html' })).status, 200, `${name} as ${other}`);
      }
    }
  });

  it('that was copied ends with the sign-out, in the store too', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const thief = world.browser();
    thief.cookies.set('vestibule', reader.cookies.get('vestibule') as string);
    assert.equal(await thief.state(), 'signed-in');
    // The cookie of the sign-in expires long before that of the session.
    for (const name of [...reader.cookies.keys()].filter((one) => one !== 'vestibule')) reader.cookies.delete(name);
    assert.equal((await reader.ask('/session', { method: 'DELETE' })).status, 204);
    assert.equal(await thief.state(), 'anonymous');
  });

  it('is not revived by a slow request that was in flight during the sign-out', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const thief = world.browser();
    thief.cookies.set('vestibule', reader.cookies.get('vestibule') as string);
    world.service.faults.next('posts', { kind: 'delay', delayMs: 300 });
    const received = world.service.whenReceived('posts');
    const slow = reader.post();
    await Promise.race([received, slow]);
    await thief.ask('/session', { method: 'DELETE' });
    assert.equal((await slow).status, 201);
    assert.equal(await reader.state(), 'anonymous');
  });

  it('security review 12: does not begin after a sign-out during the token exchange', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.start();
    const { promise: signedOut, resolve } = Promise.withResolvers<void>();
    world.service.faults.next('token', { kind: 'held', until: signedOut });
    const received = world.service.whenReceived('token');
    const validated = reader.validate();
    await Promise.race([received, validated]);
    assert.equal((await reader.ask('/session', { method: 'DELETE' })).status, 204);
    resolve();
    assert.equal(problemOf(await validated), 'no-sync-in-progress');
    assert.equal(await reader.state(), 'anonymous');
  });

  it('tossed by a sibling domain beside the real one is ignored, in any order', async () => {
    await using world = await startWorld();
    const [victim, attacker] = [world.browser(), world.browser()];
    await victim.signIn();
    await attacker.signIn();
    const mine = `vestibule=${victim.cookies.get('vestibule')}`;
    const tossed = `vestibule=${attacker.cookies.get('vestibule')}`;
    for (const cookie of [`${mine}; ${tossed}`, `${tossed}; ${mine}`, `${mine}; ${mine}`]) {
      const answer = await world.browser().ask('/posts', {
        method: 'POST', headers: { cookie, 'idempotency-key': crypto.randomUUID() }, json: { forum: 'news', message: 'A post' },
      });
      assert.equal(problemOf(answer), 'not-signed-in');
    }
    assert.equal(world.service.posts.length, 0);
  });

  it('is accepted from no altered, cut or unsigned cookie', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const good = decodeURIComponent(reader.cookies.get('vestibule') as string);
    const [name = '', value = '', signature = ''] = good.slice(2).split('.');
    const id = `${name}.${value}`;
    const altered = `${name}.${value.startsWith('x') ? 'y' : 'x'}${value.slice(1)}`;
    for (const forged of [
      id, `s:${id}`, `s:${id}.`, `s:${id}.x`, `${good}x`, good.slice(0, -1), good.replace('s:', 'j:'), `j:{"id":"${id}"}`,
      `s:${altered}.${signature}`, `s:${value}.${signature}`, '%', '%zz', '',
    ]) {
      const browser = world.browser();
      browser.cookies.set('vestibule', forged);
      assert.equal(await browser.state(), 'anonymous', forged.slice(0, 6));
    }
  });

  it('has a cookie with every protecting attribute, and on https with the prefix', async () => {
    await using plain = await startWorld();
    const browser = plain.browser();
    await browser.start();
    const [cookie = '', ...rest] = (await browser.validate()).headers.getSetCookie();
    assert.match(cookie, /^vestibule=[^;]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.deepEqual(rest, []);
    await using https = await startWorld({ publicUrl: PUBLIC_URL });
    const [secure = ''] = (await signInOnHttps(https.browser())).headers.getSetCookie();
    assert.match(secure, /^__Host-Http-vestibule=[^;]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('on https is accepted from no cookie without the prefix', async () => {
    await using https = await startWorld({ publicUrl: PUBLIC_URL });
    const browser = https.browser();
    await signInOnHttps(browser);
    assert.equal(await browser.state(), 'signed-in');
    const value = browser.cookies.get('__Host-Http-vestibule');
    assert.ok(value);
    const attacker = https.browser();
    attacker.cookies.set('vestibule', value);
    assert.equal(await attacker.state(), 'anonymous');
  });

  it('outlives a rotation of the cookie secrets while the old secret is listed', async () => {
    await using directory = await temporaryDirectory();
    const store = `sqlite:${join(directory.path, 'store.db')}`;
    const next = 'another cookie secret of thirty-two bytes or more';
    const cookies = new Map<string, string>();
    const restarted = async (cookieSecrets: string[], act: (browser: ReturnType<Awaited<ReturnType<typeof startWorld>>['browser']>) => Promise<void>) => {
      await using world = await startWorld({ store, cookieSecrets });
      const browser = world.browser();
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      await act(browser);
      for (const [name, value] of browser.cookies) cookies.set(name, value);
    };
    await restarted([COOKIE_SECRET], async (browser) => { await browser.signIn(); });
    await restarted([next, COOKIE_SECRET], async (browser) => { assert.equal(await browser.state(), 'signed-in'); });
    await restarted([next], async (browser) => { assert.equal(await browser.state(), 'anonymous'); });
  });

  it('ends when the service refuses the token', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const { user } = (await reader.ask('/session')).json as { user: { user_id: string } };
    world.service.revokeTokensOf(user.user_id);
    assert.equal(problemOf(await reader.post()), 'not-signed-in');
    assert.equal(await reader.state(), 'anonymous');
  });

  it('cannot be guessed: ids are unique and have 256 bits', async () => {
    await using world = await startWorld();
    const ids = new Set<string>();
    for (let i = 0; i < 50; i += 1) {
      const browser = world.browser();
      await browser.signIn();
      ids.add(decodeURIComponent(browser.cookies.get('vestibule') as string).split('.')[1] as string);
    }
    assert.equal(ids.size, 50);
    for (const id of ids) assert.equal(Buffer.from(id, 'base64url').length, 32);
  });
});
