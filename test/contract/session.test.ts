/** `GET /session` and `DELETE /session` (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startBff } from '../lib/bff.ts';
import { expectProblem, expectStatus, setCookies } from '../lib/reader.ts';

const anonymous = { state: 'anonymous', limits: { message_max_length: 10_000 } };

describe('GET /session', () => {
  it('sets no cookie for an anonymous reader', async () => {
    await using bff = await startBff();
    for (const res of [await bff.browser().get('/session'), await bff.browser().agent.head('/vestibule/session')]) {
      expectStatus(res, 200);
      assert.deepEqual(setCookies(res), []);
    }
    assert.deepEqual(await bff.browser().session(), anonymous);
  });

  it('carries the limit of a message', async () => {
    await using bff = await startBff({ messageMaxLength: 280 });
    assert.deepEqual((await bff.browser().session()).limits, { message_max_length: 280 });
  });

  it('offers the questions in the language of the request', async () => {
    const label = { en: 'Your age', de: 'Ihr Alter' };
    await using bff = await startBff({ validation: { fields: [{ name: 'age', type: 'number', label }] } });
    const browser = bff.browser();
    await browser.start();
    const labelIn = async (language: string) => (await browser.get('/session').set('Accept-Language', language)).body.sync.form.fields[0].label as string;
    assert.deepEqual([await labelIn('de-AT'), await labelIn('fr'), await labelIn('fr, de;q=0.5')], ['Ihr Alter', 'Your age', 'Ihr Alter']);
  });
});

describe('a session', () => {
  it('ends when the same browser signs in again', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const earlier = browser.cookie('vestibule');
    await browser.signIn(bff.service.readers[1]);
    assert.notEqual(browser.cookie('vestibule'), earlier);
    assert.deepEqual((await bff.browser().get('/session').set('Cookie', `vestibule=${earlier}`)).body, anonymous);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('ends after the idle lifetime, which requests extend, and after the absolute lifetime', async () => {
    await using bff = await startBff({ sessionIdleSeconds: 100, sessionAbsoluteSeconds: 500 });
    const browser = bff.browser();
    await browser.signIn();
    for (let i = 0; i < 5; i += 1) {
      bff.passTime(90);
      assert.equal((await browser.session()).state, 'signed-in');
    }
    bff.passTime(60);
    assert.deepEqual(await browser.session(), anonymous);
    await browser.signIn();
    bff.passTime(101);
    assert.deepEqual(await browser.session(), anonymous);
    expectProblem(await browser.createPost('Hello'), 'not-signed-in');
  });

  it('that is over has no outcome to repeat', async () => {
    await using bff = await startBff({ syncSeconds: 3_600, sessionIdleSeconds: 60 });
    const browser = bff.browser();
    const shown = await browser.begin();
    const first = await browser.validateShown(shown);
    bff.passTime(30);
    assert.deepEqual((await browser.validateShown(shown)).body, first.body);
    bff.passTime(120);
    expectProblem(await browser.validateShown(shown), 'no-sync-in-progress');
  });

  it('outlives a rotation of the cookie secrets', async () => {
    const secrets = ['an-older-cookie-secret-of-32-bytes-or-more', 'a-newer-cookie-secret-of-32-bytes-or-more'] as const;
    await using directory = await temporaryDirectory();
    const store = `sqlite:${directory.path}/store.db`;
    let cookie: string | undefined;
    {
      await using bff = await startBff({ store, cookieSecrets: [secrets[0]] });
      const browser = bff.browser();
      await browser.signIn();
      cookie = browser.cookie('vestibule');
    }
    for (const [cookieSecrets, state] of [[[secrets[1], secrets[0]], 'signed-in'], [[secrets[1]], 'anonymous']] as const) {
      await using bff = await startBff({ store, cookieSecrets: [...cookieSecrets] });
      assert.equal((await bff.browser().get('/session').set('Cookie', `vestibule=${cookie}`)).body.state, state);
    }
  });
});

describe('DELETE /session', () => {
  it('ends the session in the browser and in the store', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const cookie = browser.cookie('vestibule');
    const res = await browser.delete('/session');
    expectStatus(res, 204);
    assert.equal(res.text, '');
    assert.match(setCookies(res)[0] ?? '', /^vestibule=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict$/);
    assert.equal(browser.cookie('vestibule'), undefined);
    assert.deepEqual(await browser.session(), anonymous);
    const replayed = bff.browser();
    assert.deepEqual((await replayed.get('/session').set('Cookie', `vestibule=${cookie}`)).body, anonymous);
    expectProblem(await replayed.createPost('Hello').set('Cookie', `vestibule=${cookie}`), 'not-signed-in');
    assert.deepEqual(bff.service.posts, []);
  });

  it('ends a sign-in that waits for validation, its code unspent', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    const cookies = browser.cookies();
    expectStatus(await browser.delete('/session'), 204);
    assert.equal(browser.cookies(), '');
    expectProblem(await browser.validateShown(shown), 'no-sync-in-progress');
    expectProblem(await browser.validateShown(shown).set('Cookie', cookies), 'no-sync-in-progress');
    assert.deepEqual(bff.service.requests, []);
  });

  it('ends the sign-in that created the session: its outcome, which has the access token, is not repeated', async () => {
    for (const query of ['', 'session']) {
      await using bff = await startBff();
      const browser = bff.browser();
      const shown = await browser.begin();
      expectStatus(await browser.validateShown(shown), 200);
      const cookies = browser.cookies();
      const { session = '' } = await browser.session();
      expectStatus(await browser.delete(`/session?${query && `session=${session}`}`), 204);
      assert.match(browser.cookies(), /^vestibule-known=[^;]+$/, query);
      const repeated = await browser.validateShown(shown).set('Cookie', cookies);
      expectProblem(repeated, 'no-sync-in-progress');
      assert.doesNotMatch(repeated.text, /access_token/);
    }
  });

  it('ends only the session that the query names, and nothing that began since', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const first = (await browser.session()).session;
    assert.match(first ?? '', /^[\w-]{22}$/);
    await browser.signIn(bff.service.readers[1]);
    const second = (await browser.session()).session;
    assert.notEqual(second, first);
    const late = await browser.delete(`/session?session=${first}`);
    expectStatus(late, 204);
    assert.deepEqual(setCookies(late), []);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
    const shown = await browser.begin();
    expectStatus(await browser.delete(`/session?session=${second}`), 204);
    const { state, session, sync } = await browser.session();
    assert.deepEqual([state, session, sync?.id], ['validating', undefined, shown.sync]);
  });

  it('leaves another browser of the same reader signed in', async () => {
    await using bff = await startBff();
    const [one, other] = [bff.browser(), bff.browser()];
    await one.signIn();
    await other.signIn();
    await one.delete('/session');
    assert.equal((await other.session()).state, 'signed-in');
  });
});
