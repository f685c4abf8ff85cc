/** `GET /session` and `DELETE /session` (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { expectProblem, expectStatus, setCookies, startBff } from './_bff.ts';

const anonymous = { state: 'anonymous', limits: { message_max_length: 10_000 } };

describe('GET /session', () => {
  it('tells an anonymous reader so and sets no cookie', async () => {
    await using bff = await startBff();
    for (const res of [await bff.browser().get('/session'), await bff.browser().agent.head('/vestibule/session')]) {
      expectStatus(res, 200);
      assert.deepEqual(setCookies(res), []);
    }
    assert.deepEqual(await bff.browser().session(), anonymous);
  });

  it('tells the limit of a message as it is set', async () => {
    await using bff = await startBff({ messageMaxLength: 280 });
    assert.deepEqual((await bff.browser().session()).limits, { message_max_length: 280 });
  });

  it('tells the questions in the language of the request', async () => {
    const label = { en: 'Your age', de: 'Ihr Alter' };
    await using bff = await startBff({ validation: { fields: [{ name: 'age', type: 'number', label }] } });
    const browser = bff.browser();
    await browser.start();
    const labelIn = async (language: string) => (await browser.get('/session').set('Accept-Language', language)).body.form.fields[0].label as string;
    assert.deepEqual([await labelIn('de-AT'), await labelIn('fr'), await labelIn('fr, de;q=0.5')], ['Ihr Alter', 'Your age', 'Ihr Alter']);
  });

  it('sets no cookie for a reader who is signed in already', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    assert.deepEqual(setCookies(await browser.get('/session')), []);
  });

  it('takes a cookie of a session that never was for none', async () => {
    await using bff = await startBff();
    await using other = await startBff();
    const stranger = other.browser();
    await stranger.signIn();
    const browser = bff.browser();
    const res = await browser.get('/session').set('Cookie', `vestibule=${stranger.cookie('vestibule')}`);
    assert.deepEqual(res.body, anonymous);
  });
});

describe('a session', () => {
  it('has a new id after the sign-in, and the old one is dead', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    const before = browser.cookie('vestibule');
    await browser.validate();
    const after = browser.cookie('vestibule');
    assert.ok(before && after && before !== after);
    assert.deepEqual((await bff.browser().get('/session').set('Cookie', `vestibule=${before}`)).body, anonymous);

    await browser.signIn(bff.service.readers[1]);
    assert.notEqual(browser.cookie('vestibule'), after);
    assert.deepEqual((await bff.browser().get('/session').set('Cookie', `vestibule=${after}`)).body, anonymous);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('ends after the idle lifetime, and lives on while it is used', async () => {
    await using bff = await startBff({ sessionIdleSeconds: 100, sessionAbsoluteSeconds: 1_000 });
    const browser = bff.browser();
    await browser.signIn();
    for (let i = 0; i < 5; i += 1) {
      bff.passTime(90);
      assert.equal((await browser.session()).state, 'signed-in');
    }
    bff.passTime(101);
    assert.deepEqual(await browser.session(), anonymous);
    expectProblem(await browser.createPost('Hello'), 'not-signed-in');
  });

  it('ends after the absolute lifetime in any case', async () => {
    await using bff = await startBff({ sessionIdleSeconds: 100, sessionAbsoluteSeconds: 150 });
    const browser = bff.browser();
    await browser.signIn();
    bff.passTime(90);
    assert.equal((await browser.session()).state, 'signed-in');
    bff.passTime(61);
    assert.deepEqual(await browser.session(), anonymous);
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
  it('signs out here and in the store', async () => {
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

  it('drops a sync under way without spending its code', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.start();
    expectStatus(await browser.delete('/session'), 204);
    expectProblem(await browser.validate(), 'no-sync-in-progress');
    assert.deepEqual(bff.service.requests, []);
  });

  it('is content where nobody is signed in, and sets no cookie', async () => {
    await using bff = await startBff();
    const res = await bff.browser().delete('/session');
    expectStatus(res, 204);
    assert.deepEqual(setCookies(res), []);
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
