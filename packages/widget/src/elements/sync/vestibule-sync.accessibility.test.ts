import { expect } from '@open-wc/testing';
import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import type { FormField } from '@vestibule/shared';
import {
  answer, button, clearPage, control, focusOf, mountSync, outcome, reach, returnQuery, see, session, textOf, validating,
  type MountedSync, type MountOptions,
} from './_sync-fixture.ts';

const fields: FormField[] = [
  { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, help: 'Adults only.' },
  { name: 'mail', type: 'email', label: 'E-mail', required: false },
  { name: 'town', type: 'text', label: 'Town', required: false },
  { name: 'bday', type: 'date', label: 'Born', required: false },
  { name: 'found', type: 'select', label: 'Found us by', required: true, options: [{ value: 'ad', label: 'An advertisement with a very long name indeed' }] },
  { name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true, help: 'Be kind.' },
];

const questions = async (): Promise<MountedSync> => {
  const sync = await mountSync({ session: validating(...fields) });
  await reach(sync, 'Before you comment');
  return sync;
};

const after = async (options: MountOptions, words: string): Promise<MountedSync> => {
  const sync = await mountSync({ session: validating(), ...options });
  await reach(sync, 'Sign in to comment');
  button(sync, 'Continue as Ada Lovelace').click();
  await see(sync, words);
  return sync;
};

const states: Record<string, () => Promise<MountedSync>> = {
  loading: () => mountSync({ answers: { 'GET /session': [{ hold: 'never' }] } }),
  'loading, failed': async () => {
    const sync = await mountSync({ answers: { 'GET /session': [{ problem: 'service-unavailable' }] } });
    await see(sync, 'Try again');
    return sync;
  },
  confirm: () => mountSync({ search: returnQuery }),
  questions,
  'answers at fault': async () => {
    const sync = await questions();
    button(sync, 'Finish signing in').click();
    await see(sync, 'Please look at these 3 answers again:');
    return sync;
  },
  waiting: () => after({ answers: { 'POST /sync/validation': [{ hold: 'never' }] } }, 'Checking your answers…'),
  'a problem': () => after({ answers: { 'POST /sync/validation': [{ problem: 'service-unavailable' }] } }, 'not available right now'),
  accepted: () => after({}, 'You are signed in'),
  'accepted, waiting for a click': () => after({ properties: { mayLeave: () => false } }, 'You are signed in'),
  rejected: () => after({ answers: { 'POST /sync/validation': [outcome('rejected', { reason: 'Too young.' })] } }, 'Too young.'),
  failed: () => after({ answers: { 'POST /sync/validation': [{ problem: 'user-mismatch' }] } }, 'Sign in again'),
  declined: () => mountSync({ search: '?error=access_denied' }),
  'signed in': async () => {
    const sync = await mountSync({ session: session('signed-in') });
    await reach(sync, 'You are signed in');
    return sync;
  },
};

describe('<vestibule-sync>, accessibility', () => {
  before(() => {
    document.documentElement.style.cssText = 'color-scheme: light dark; background: Canvas; color: CanvasText';
  });
  afterEach(clearPage);

  for (const [state, show] of Object.entries(states)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no violation: ${state}, ${colorScheme}`, async () => {
        await emulateMedia({ colorScheme });
        await setViewport({ width: 480, height: 640 });
        const { element } = await show();
        await expect(element).to.be.accessible();
      });
    }

    it(`fits a screen of 320 px, with targets of 44: ${state}`, async () => {
      await setViewport({ width: 320, height: 640 });
      const { element } = await show();
      const targets = [...element.shadowRoot!.querySelectorAll<HTMLElement>('button, a, .field, .tick')];
      expect(document.documentElement.scrollWidth).to.be.at.most(320);
      for (const target of targets) expect(target.offsetHeight, target.textContent!.trim()).to.be.at.least(44);
    });
  }

  it('can be completed by keyboard alone', async () => {
    await setViewport({ width: 480, height: 640 });
    const sync = await mountSync({ search: returnQuery, form: { fields } });
    document.body.tabIndex = -1;
    document.body.focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await sendKeys({ press: key });
    };
    await press('Tab');
    expect(focusOf(sync)).to.equal('Continue as Ada Lovelace');
    await press('Enter');
    await reach(sync, 'Before you comment');
    expect(focusOf(sync)).to.equal('Before you comment');
    const { outlineStyle, boxShadow } = getComputedStyle(sync.element.shadowRoot!.querySelector('#heading')!);
    expect([outlineStyle, boxShadow], 'no part of a ring').to.deep.equal(['none', 'none']);
    await press('Tab');
    await sendKeys({ type: '33' });
    expect(control(sync, 'Your age').value).to.equal('33');
    await press('Tab', 'Tab', 'Tab');
    expect(focusOf(sync)).to.equal('Born');
    while (focusOf(sync) === 'Born') await press('Tab');
    await press('ArrowDown', 'Tab', 'Space', 'Tab');
    expect(focusOf(sync)).to.equal('Finish signing in');
    await press('Enter');
    await reach(sync, 'You are signed in');
    expect(await sync.bff.answers()).to.deep.include({ age: 33, found: 'ad', rules: true });
  });

  it('marks a box that must be ticked', async () => {
    const { element } = await states['answers at fault']!();
    const box = element.shadowRoot!.querySelector<HTMLInputElement>('.tick > input')!;
    expect(getComputedStyle(box).outlineStyle).to.equal('solid');
  });

  it('announces progress in a live region that existed before', async () => {
    const sync = await mountSync({ search: returnQuery, answers: { 'POST /sync': [{ hold: 'start' }] } });
    const region = sync.element.shadowRoot!.querySelector('[role=status]')!;
    expect(region.textContent).to.equal('');
    button(sync, 'Continue as Ada Lovelace').click();
    await see(sync, 'Signing in…');
    expect(sync.element.shadowRoot!.querySelector('[role=status]')).to.equal(region);
    expect(region.textContent).to.equal('Signing in…');
    await sync.bff.release('start');
  });

  it('describes the heading of a step by its first paragraph', async () => {
    const sync = await questions();
    const heading = sync.element.shadowRoot!.querySelector('#heading')!;
    expect(sync.element.shadowRoot!.getElementById(heading.getAttribute('aria-describedby')!)!.textContent).to.equal('This site asks everyone who wants to comment:');
  });

  it('has heading level 1 on a page without one, else 2', async () => {
    const level = ({ element }: MountedSync) => element.shadowRoot!.querySelector('#heading')!.getAttribute('aria-level');
    expect(level(await mountSync({ search: returnQuery }))).to.equal('1');
    const title = document.body.appendChild(document.createElement('h1'));
    expect(level(await mountSync({ search: returnQuery }))).to.equal('2');
    expect(level(await mountSync({ search: returnQuery, properties: { headingLevel: 4 } }))).to.equal('4');
    title.remove();
  });

  it('sends nothing before an action of the reader', async () => {
    const sync = await questions();
    answer(sync, 'Town', 'Bath');
    expect(textOf(sync)).to.include('Finish signing in');
    expect(await sync.bff.sent()).to.deep.equal([]);
  });
});
