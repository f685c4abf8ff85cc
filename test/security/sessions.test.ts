/** Sessions that somebody plants, keeps, copies or revives. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { problemOf, startWorld } from './_world.ts';

describe('a session', () => {
  it('planted before the sign-in is dead after it (fixation)', async () => {
    await using world = await startWorld();
    const victim = world.browser();
    await victim.start();
    const planted = victim.cookies.get('vestibule') as string;
    await victim.validate();
    assert.notEqual(victim.cookies.get('vestibule'), planted);
    const attacker = world.browser();
    attacker.cookies.set('vestibule', planted);
    assert.equal(await attacker.state(), 'anonymous');
    assert.equal(problemOf(await attacker.post()), 'not-signed-in');
  });

  it('copied before signing out is dead after it, in the store and not only in the browser', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const thief = world.browser();
    thief.cookies.set('vestibule', reader.cookies.get('vestibule') as string);
    assert.equal(await thief.state(), 'signed-in');
    assert.equal((await reader.ask('/session', { method: 'DELETE' })).status, 204);
    assert.equal(await thief.state(), 'anonymous');
  });

  it('is not brought back by a slow request that was under way when it was signed out', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const thief = world.browser();
    thief.cookies.set('vestibule', reader.cookies.get('vestibule') as string);
    world.service.faults.next('posts', { kind: 'delay', delayMs: 300 });
    const received = world.service.whenReceived('posts');
    const slow = reader.post();
    await received;
    await thief.ask('/session', { method: 'DELETE' });
    assert.equal((await slow).status, 201);
    assert.equal(await reader.state(), 'anonymous');
  });

  it('tossed beside the real one by a sibling domain is refused, whichever comes first', async () => {
    await using world = await startWorld();
    const [victim, attacker] = [world.browser(), world.browser()];
    await victim.signIn();
    await attacker.signIn();
    const mine = `vestibule=${victim.cookies.get('vestibule')}`;
    const tossed = `vestibule=${attacker.cookies.get('vestibule')}`;
    for (const cookie of [`${mine}; ${tossed}`, `${tossed}; ${mine}`, `${mine}; ${mine}`]) {
      const answer = await world.browser().ask('/posts', {
        method: 'POST', headers: { cookie, 'idempotency-key': crypto.randomUUID() }, json: { forum: 'news', message: 'whose?' },
      });
      assert.equal(problemOf(answer), 'not-signed-in');
    }
    assert.equal(world.service.posts.length, 0);
  });

  it('is not believed under an altered, cut or unsigned cookie', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const good = decodeURIComponent(reader.cookies.get('vestibule') as string);
    const [name = '', value = '', signature = ''] = good.slice(2).split('.');
    const id = `${name}.${value}`;
    for (const forged of [id, `s:${id}`, `s:${id}.`, `s:${id}.x`, `${good}x`, good.slice(0, -1), good.replace('s:', 'j:'), `j:{"id":"${id}"}`, `s:${name}.${value[0] === 'x' ? 'y' : 'x'}${value.slice(1)}.${signature}`, `s:${value}.${signature}`, '%', '%zz', '']) {
      const browser = world.browser();
      browser.cookies.set('vestibule', forged);
      assert.equal(await browser.state(), 'anonymous', forged.slice(0, 6));
    }
  });

  it('carries every attribute that keeps it where it belongs, and on https the prefix that proves it', async () => {
    await using plain = await startWorld();
    const [cookie = ''] = (await plain.browser().start()).headers.getSetCookie();
    assert.match(cookie, /^vestibule=[^;]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    await using https = await startWorld({ publicUrl: 'https://www.example.com/vestibule' });
    const answer = await https.browser().ask('/sync', {
      method: 'POST', headers: { origin: 'https://www.example.com' }, json: https.browser().issueReturn(),
    });
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^__Host-Http-vestibule=[^;]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('of the http name is not believed on https', async () => {
    await using https = await startWorld({ publicUrl: 'https://www.example.com/vestibule' });
    const browser = https.browser();
    const syncReturn = browser.issueReturn();
    const started = await browser.ask('/sync', { method: 'POST', headers: { origin: 'https://www.example.com' }, json: syncReturn });
    assert.equal(started.status, 201);
    const value = browser.cookies.get('__Host-Http-vestibule');
    assert.ok(value);
    const attacker = https.browser();
    attacker.cookies.set('vestibule', value);
    assert.equal(await attacker.state(), 'anonymous');
  });

  it('outlives a rotation of the cookie secrets and a swap of the key pair, and not the loss of the secret', async () => {
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

  it('ends with the token that the service no longer takes', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const { user } = (await reader.ask('/session')).json as { user: { user_id: string } };
    world.service.revokeTokensOf(user.user_id);
    assert.equal(problemOf(await reader.post()), 'not-signed-in');
    assert.equal(await reader.state(), 'anonymous');
  });

  it('cannot be had by guessing: ids do not repeat and are 256 bits', async () => {
    await using world = await startWorld();
    const ids = new Set<string>();
    for (let i = 0; i < 50; i += 1) {
      const browser = world.browser();
      await browser.start();
      ids.add(decodeURIComponent(browser.cookies.get('vestibule') as string).split('.')[1] as string);
    }
    assert.equal(ids.size, 50);
    for (const id of ids) assert.equal(Buffer.from(id, 'base64url').length, 32);
  });
});
