/** `<vestibule-sync>` for readers with assistive technology, a keyboard alone, or a small screen. */

import { expect } from '@open-wc/testing';
import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import type { FormField } from '@vestibule/shared';
import { finish, openForm, openQuestions, outcome, returnQuery, session, validation, type Form } from './_sync-fixture.ts';

const fields: FormField[] = [
  { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, help: 'Adults only.' },
  { name: 'mail', type: 'email', label: 'E-mail', required: false },
  { name: 'town', type: 'text', label: 'Town', required: false },
  { name: 'bday', type: 'date', label: 'Born', required: false },
  { name: 'found', type: 'select', label: 'Found us by', required: true, options: [{ value: 'ad', label: 'An advertisement with a very long name indeed' }] },
  { name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true, help: 'Be kind.' },
];

const faults = async (): Promise<Form> => {
  const form = await openQuestions(fields);
  await form.press('Finish signing in');
  return form;
};

/** Each with words that it shows. */
const states: Record<string, readonly [() => Promise<Form>, string]> = {
  loading: [() => openForm({ answers: { 'GET /session': [{ hold: 'never' }] } }), 'One moment…'],
  'loading, failed': [() => openForm({ answers: { 'GET /session': [{ problem: 'service-unavailable' }] } }), 'Try again'],
  confirm: [() => openForm({ search: returnQuery }), 'Continue as'],
  questions: [() => openQuestions(fields), 'Finish signing in'],
  'answers at fault': [faults, 'Please look at these 3 answers again:'],
  waiting: [() => finish(validation({ hold: 'never' })), 'Checking your answers…'],
  'a problem': [() => finish(validation({ problem: 'service-unavailable' })), 'not available right now'],
  accepted: [() => finish(), 'You are signed in'],
  rejected: [() => finish(validation(outcome('rejected', { reason: 'Too young.' }))), 'Too young.'],
  failed: [() => finish(validation({ problem: 'user-mismatch' })), 'Sign in again'],
  declined: [() => openForm({ search: '?error=access_denied' }), 'Access was not allowed'],
  'signed in': [() => openForm({ session: session('signed-in') }), 'You are signed in'],
};

describe('<vestibule-sync>, accessibility', () => {
  before(() => { document.documentElement.style.cssText = 'color-scheme: light dark; background: Canvas; color: CanvasText'; });
  after(() => emulateMedia({ colorScheme: 'light' }));

  for (const [state, [open, words]] of Object.entries(states)) {
    it(`has no violation in light and dark, and fits 320 px with targets of 44: ${state}`, async () => {
      await setViewport({ width: 320, height: 640 });
      const form = await open();
      await form.says(words);
      for (const colorScheme of ['light', 'dark'] as const) {
        await emulateMedia({ colorScheme });
        await expect(form.element).to.be.accessible();
      }
      expect(document.documentElement.scrollWidth).to.be.at.most(320);
      for (const target of form.all('button, a, select, input:not([type=checkbox]), label:has(input)')) {
        expect(target.offsetHeight, target.textContent.trim()).to.be.at.least(44);
      }
    });
  }

  it('can be completed by keyboard alone', async () => {
    const form = await openForm({ search: returnQuery, form: { fields } });
    document.body.tabIndex = -1;
    document.body.focus();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await sendKeys({ press: key });
    };
    await press('Tab');
    expect(form.focus).to.equal('Continue as Ada Lovelace');
    await press('Enter');
    await form.hasFocusOn('Before you comment');
    expect(form.part('heading')!.ariaDescribedByElements!.map(({ textContent }) => textContent)).to.deep.equal(['The Courier asks everyone who wants to comment:']);
    const { outlineStyle, boxShadow } = getComputedStyle(form.part('heading')!);
    expect([outlineStyle, boxShadow], 'no part of a ring').to.deep.equal(['none', 'none']);
    await press('Tab');
    await sendKeys({ type: '33' });
    await press('Tab', 'Tab', 'Tab');
    expect(form.focus).to.equal('Born');
    while (form.focus === 'Born') await press('Tab');
    await press('ArrowDown', 'Tab', 'Space', 'Tab');
    expect(form.focus).to.equal('Finish signing in');
    await press('Enter');
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.include({ age: 33, found: 'ad', rules: true });
  });
});
