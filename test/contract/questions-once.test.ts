/** Questions once (contract, section 4, `validation.ask`; section 2, the cookie `vestibule-known` and `form`). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValidationField, ValidationResult } from '@vestibule/bff';
import type { Form } from '@vestibule/shared';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { exchangesOf, expectProblem, expectStatus, setCookies, type ReaderClient } from '../lib/reader.ts';

const ada = { user_id: '31007', username: 'Ada Quill' };
const bo = { user_id: '31018', username: 'Bo Diaz' };

const age: ValidationField = { name: 'age', type: 'number', label: { en: 'Your age', de: 'Ihr Alter' }, required: true, min: 18 };
const town: ValidationField = { name: 'town', type: 'text', label: 'Town', help: 'Where you live' };
const rules: ValidationField = { name: 'rules', type: 'checkbox', label: 'The rules', required: true };
const fields = [age, town, rules];
const answers = { age: 33, rules: true };

/** The token exchange returns `access_token` alone. */
const TOKEN_ALONE = { kind: 'rewrite', change: ({ access_token }: { access_token: string }) => ({ access_token }) } as const;

type Call = readonly [hook: string, userId: string, answers: object, isRepeated: boolean];

interface Asking extends Omit<BffSettings, 'store' | 'validation'> {
  readonly store?: FailingStore;
  readonly questions?: readonly ValidationField[];
  readonly ask?: 'always';
  readonly validate?: (answers: object) => ValidationResult;
}

/** A BFF with questions that keeps the calls of its hooks. */
async function start(
  { store, questions = fields, ask, validate, ...settings }: Asking = {},
): Promise<Bff & { readonly calls: Call[] }> {
  const calls: Call[] = [];
  const bff = await startBff({
    ...settings,
    validation: {
      ...(ask && { ask }),
      fields: [...questions],
      validate: ({ user, answers, isRepeated }) => {
        calls.push(['validate', user.user_id, answers, isRepeated]);
        return validate?.(answers) ?? { ok: true };
      },
      onAccepted: ({ user, answers, isRepeated }) => { calls.push(['onAccepted', user.user_id, answers, isRepeated]); },
    },
  }, store && { store });
  return Object.assign(bff, { calls });
}

const namesOf = (form?: Pick<Form, 'fields'>): string[] | undefined => form?.fields.map(({ name }) => name);

/** Names of the questions that a new sign-in of the browser asks. */
async function asked(browser: ReaderClient, user = ada): Promise<string[] | undefined> {
  await browser.begin(browser.issueReturn(user));
  return namesOf((await browser.session()).sync?.form);
}

/** @returns the cookies of a reader that has signed in at a BFF, which ends */
async function signInAt(settings: Asking, given: object): Promise<string> {
  await using bff = await start(settings);
  const browser = bff.browser();
  await browser.signIn(ada, given);
  return browser.cookies();
}

/** Of a reader that signs in at one BFF after the other, on one store. */
async function askedLater(
  first: Asking, later: Asking, change?: (store: FailingStore) => Promise<void>,
): Promise<string[] | undefined> {
  const store = new FailingStore();
  const cookies = await signInAt({ store, ...first }, answers);
  await change?.(store);
  await using bff = await start({ store, ...later });
  return await asked(bff.browser().keepCookies(cookies));
}

describe('validation.ask', () => {
  it('is once: a browser that has finished a proven sign-in of the account asks nothing; hooks get the answers again', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    expectStatus(await browser.delete('/session'), 204);
    const started = await browser.start(browser.issueReturn(ada));
    const page = await browser.get('/sync/form').set('Accept', 'text/html');
    const { sync } = await browser.session();
    assert.deepEqual([started.body.sync.form, sync?.form], [{ fields: [] }, { fields: [] }]);
    assert.match(page.text, /"form":\{"fields":\[\]\}/);
    assert.equal((await browser.validate()).body.outcome, 'accepted');
    assert.deepEqual(bff.calls, [
      ['validate', ada.user_id, answers, false], ['onAccepted', ada.user_id, answers, false],
      ['validate', ada.user_id, answers, true], ['onAccepted', ada.user_id, answers, true],
    ]);
    const profiles = await Array.fromAsync(bff.vestibule.profiles.all());
    assert.deepEqual(profiles.map((profile) => profile.answers), [answers]);
  });

  it('asks everything of another browser, and of another account', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    assert.deepEqual(await asked(bff.browser()), ['age', 'town', 'rules']);
    assert.deepEqual(await asked(browser, bo), ['age', 'town', 'rules']);
    const { fields: missing } = expectProblem(await browser.validate(), 'invalid-answers');
    assert.deepEqual(Object.keys(missing ?? {}), ['age', 'rules']);
    expectStatus(await browser.validate(answers), 200);
    // The browser is known to the last account only.
    assert.deepEqual(await asked(browser), ['age', 'town', 'rules']);
  });

  for (const settings of [{ ask: 'always' }, { profiles: 'discard' }] as const) {
    it(`asks everything with ${JSON.stringify(settings)}`, async () => {
      await using bff = await start(settings);
      const browser = bff.browser();
      await browser.signIn(ada, answers);
      assert.deepEqual(await asked(browser), ['age', 'town', 'rules']);
      assert.deepEqual(await askedLater({}, settings), ['age', 'town', 'rules']);
    });
  }

  for (const [what, questions] of [
    ['another help', [age, { ...town, help: { en: 'Where you live', de: 'Ihr Wohnort' } }, rules]],
    ['another order', [rules, town, age]],
    ['a question less', [age, rules]],
    ['a new one', [...fields, { name: 'news', type: 'checkbox', label: 'News' }]],
    ['another label in another language', [{ ...age, label: { en: 'Your age', de: 'Alter' } }, town, rules]],
    ['another rule', [{ ...age, min: 21 }, town, rules]],
    ['another consequence', [age, town, { ...rules, onFail: 'reject' }]],
  ] as const satisfies readonly (readonly [string, readonly ValidationField[]])[]) {
    it(`asks everything where the form is another one: ${what}`, async () => {
      assert.deepEqual(await askedLater({}, { questions }), questions.map(({ name }) => name));
    });
  }

  it('asks everything after the reader\'s data were deleted', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    await bff.vestibule.profiles.delete(ada.user_id);
    assert.deepEqual(await asked(browser), ['age', 'town', 'rules']);
  });

  it('keeps the answers of the last form only', async () => {
    const store = new FailingStore();
    let cookies = '';
    for (const [questions, given] of [[[age, town], { age: 33, town: 'Bath' }], [[age, rules], { age: 34, rules: true }]] as const) {
      await using bff = await start({ store, questions });
      const browser = bff.browser().keepCookies(cookies);
      await browser.signIn(ada, given);
      cookies = browser.cookies();
      assert.deepEqual(bff.calls.map(([, , seen, isRepeated]) => [seen, isRepeated]), [[given, false], [given, false]]);
      const profiles = await Array.fromAsync(bff.vestibule.profiles.all());
      assert.deepEqual(profiles.map((profile) => profile.answers), [given]);
    }
  });
});

describe('the 422 of POST /sync/validation', () => {
  const noBath = ({ town: given }: { readonly town?: string }): ValidationResult => (
    given === 'Bath' ? { ok: false, retry: true, fields: { town: { en: 'Not Bath.', de: 'Nicht Bath.' } } } : { ok: true }
  );

  it('carries all questions where validate refuses answers of an earlier sign-in', async () => {
    const store = new FailingStore();
    const questions = [age, town];
    const cookies = await signInAt({ store, questions }, { age: 33, town: 'Bath' });
    await using bff = await start({ store, questions, validate: noBath, site: { name: 'The Courier' } });
    const browser = bff.browser().keepCookies(cookies);
    browser.agent.set('Accept-Language', 'de');
    assert.deepEqual(await asked(browser), []);
    const refused = expectProblem(await browser.validate(), 'invalid-answers');
    assert.deepEqual([refused.fields, namesOf(refused.form), refused.form?.site], [{ town: 'Nicht Bath.' }, ['age', 'town'], 'The Courier']);
    assert.equal(exchangesOf(bff), 0);
    const again = expectProblem(await browser.validate({ age: 33, town: 'Bath' }), 'invalid-answers');
    assert.deepEqual([again.fields, again.form], [{ town: 'Nicht Bath.' }, undefined]);
    assert.equal((await browser.validate({ age: 33, town: '' })).body.outcome, 'accepted');
    assert.deepEqual(bff.calls.at(-1), ['onAccepted', ada.user_id, { age: 33 }, false]);
  });

  it('carries all questions where validate would end the sign-in for answers of an earlier one', async () => {
    const store = new FailingStore();
    const questions = [age, town];
    const cookies = await signInAt({ store, questions }, { age: 33, town: 'Bath' });
    const noSubscriber = ({ town: given }: { readonly town?: string }): ValidationResult => given === 'Wells' ? { ok: true } : { ok: false, reason: 'No.' };
    await using bff = await start({ store, questions, validate: noSubscriber });
    const browser = bff.browser().keepCookies(cookies);
    assert.deepEqual(await asked(browser), []);
    const refused = expectProblem(await browser.validate(), 'invalid-answers');
    assert.deepEqual([refused.fields, namesOf(refused.form)], [{}, ['age', 'town']]);
    assert.equal((await browser.validate({ age: 33, town: 'Wells' })).body.outcome, 'accepted');
    await asked(browser);
    assert.equal((await browser.validate({ age: 33, town: 'Bath' })).body.outcome, 'rejected');
  });

  it('carries everything where the answers expired after the form was shown', async () => {
    await using bff = await start({ profileDays: 1 });
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    bff.passTime(86_390);
    assert.deepEqual(await asked(browser), []);
    bff.passTime(20);
    const { form } = expectProblem(await browser.validate(), 'invalid-answers');
    assert.deepEqual(namesOf(form), ['age', 'town', 'rules']);
  });
});

describe('the cookie vestibule-known', () => {
  it('is set by every proven sign-in, without questions too, and survives a sign-out', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn(ada);
    const known = browser.cookie('vestibule-known');
    assert.ok(known);
    expectStatus(await browser.delete('/session'), 204);
    assert.equal(browser.cookie('vestibule-known'), known);
  });

  it('names no account, lasts a year, and is renewed when an outcome is repeated', async () => {
    await using bff = await start();
    const browser = bff.browser();
    const shown = await browser.begin(browser.issueReturn(ada));
    const lines = [await browser.validateShown(shown, answers), await browser.validateShown(shown, answers)].map((res) => (
      setCookies(res).find((line) => line.startsWith('vestibule-known='))));
    for (const line of lines) {
      assert.match(line ?? '', /^vestibule-known=s%3Avestibule-known\.[\w-]{16}\.[^;]+; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    }
    const { user } = await browser.session();
    for (const value of [ada.user_id, user?.key ?? '']) assert.ok(!lines.join().includes(value));
  });

  it('lasts across a rotation of the cookie secrets, as long as its secret is there', async () => {
    const [older, newer] = ['an-older-cookie-secret-of-32-bytes-or-more', 'a-newer-cookie-secret-of-32-bytes-or-more'];
    const rotated = { cookieSecrets: [newer, older] };
    assert.deepEqual(await askedLater({ cookieSecrets: [older] }, rotated), []);
    assert.deepEqual(await askedLater(rotated, { cookieSecrets: [newer] }), []);
    assert.deepEqual(await askedLater({ cookieSecrets: [older] }, { cookieSecrets: [newer] }), ['age', 'town', 'rules']);
  });

  it('tells a stranger nothing: without it the forms are the same, and no profile is looked for, whether there is one or not', async () => {
    const read: string[] = [];
    const store = new class extends FailingStore {
      override get(key: string) {
        read.push(key);
        return super.get(key);
      }
    }();
    const countReads = () => read.filter((key) => key.startsWith('profile:')).length;
    await using bff = await start({ store });
    const [known, signedInAsBo] = [bff.browser(), bff.browser()];
    await known.signIn(ada, answers);
    await signedInAsBo.signIn(bo, answers);
    await asked(known);
    const before = countReads();
    assert.ok(before > 0);
    const cookie = `vestibule-known=${signedInAsBo.cookie('vestibule-known')}`;
    for (const own of ['', cookie, `${cookie}x`]) {
      const seen = [];
      for (const user_id of [ada.user_id, 'nobody']) {
        const stranger = bff.browser().keepCookies(own || 'other=1');
        const shown = await stranger.begin({ ...stranger.issueReturn(ada), user_id });
        const { sync } = await stranger.session();
        const { fields: missing, form } = expectProblem(await stranger.validateShown(shown), 'invalid-answers');
        seen.push([sync?.form, missing, form]);
      }
      assert.deepEqual(seen[0], seen[1]);
      assert.equal(countReads(), before);
    }
  });
});

describe('an exchange that proves nobody', () => {
  it('is bad-service-response where answers are used again, finally; otherwise its browser stays unknown', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    bff.service.faults.always('token', TOKEN_ALONE);
    const shown = await browser.begin(browser.issueReturn(ada));
    const before = exchangesOf(bff);
    for (let i = 0; i < 2; i += 1) expectProblem(await browser.validateShown(shown), 'bad-service-response');
    assert.equal(exchangesOf(bff), before + 1);
    assert.deepEqual(bff.calls.filter(([hook]) => hook === 'onAccepted').length, 1);
    assert.ok(bff.log.some(({ setting }) => setting === 'VESTIBULE_CONFIG: validation.ask'));
    const other = bff.browser();
    await other.signIn(ada, answers);
    assert.equal(other.cookie('vestibule-known'), undefined);
  });

  it('leads to all questions if the answers are left out when the sign-in goes on', async () => {
    await using bff = await start();
    const browser = bff.browser();
    await browser.signIn(ada, answers);
    bff.service.faults.always('token', TOKEN_ALONE);
    await browser.begin(browser.issueReturn(ada));
    expectProblem(await browser.validate({ ...answers, town: '' }), 'user-changed');
    const { form } = expectProblem(await browser.validate(), 'invalid-answers');
    assert.deepEqual(namesOf(form), ['age', 'town', 'rules']);
    expectStatus(await browser.validate(answers), 200);
    assert.deepEqual(bff.calls.at(-1), ['onAccepted', ada.user_id, answers, false]);
  });
});
