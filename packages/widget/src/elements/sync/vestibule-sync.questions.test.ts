import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { FormField } from '@vestibule/shared';
import {
  ada, answer, button, clearPage, control, focusOf, headingOf, mountSync, offer, outcome, reach, returnQuery, see, session,
  syncReturn, textOf, validating, type MountedSync, type MountOptions,
} from './_sync-fixture.ts';

const age: FormField = { name: 'age', type: 'number', label: 'Your age', required: true, min: 18, help: 'Adults only.' };
const town: FormField = { name: 'town', type: 'text', label: 'Town', required: false, min_length: 3 };
const mail: FormField = { name: 'mail', type: 'email', label: 'E-mail', required: false };
const born: FormField = { name: 'bday', type: 'date', label: 'Born', required: false, min: '1900-01-01', max: '2010-12-31' };
const found: FormField = {
  name: 'found', type: 'select', label: 'Found us by', required: true, options: [{ value: 'ad', label: 'An ad' }, { value: 'friend', label: 'A friend' }],
};
const rules: FormField = { name: 'rules', type: 'checkbox', label: 'I accept the house rules', required: true };
const all = [age, town, mail, born, found, rules];

const ask = async (fields: FormField[], answers: MountOptions['answers'] = {}) => {
  const sync = await mountSync({ session: validating(...fields), answers });
  await reach(sync, 'Before you comment');
  return sync;
};

const submit = (sync: MountedSync) => button(sync, 'Finish signing in').click();

const faultOf = (sync: MountedSync, label: string) => {
  const ids = control(sync, label).getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.filter((id) => id.endsWith('-error')).map((id) => sync.element.shadowRoot!.getElementById(id)!.textContent).join();
};

describe('<vestibule-sync>, the publisher\'s questions', () => {
  afterEach(clearPage);

  it('renders a native control for each type of question', async () => {
    const sync = await ask(all);
    const shown = all.map(({ label }) => control(sync, label)).map(({ localName, type }) => `${localName} ${type}`);
    expect(shown).to.deep.equal(['input number', 'input text', 'input email', 'input date', 'select select-one', 'input checkbox']);
  });

  it('associates help, limits and required with the control', async () => {
    const sync = await ask(all);
    const number = control(sync, 'Your age');
    expect(number.required).to.equal(true);
    expect(number.min).to.equal('18');
    expect(sync.element.shadowRoot!.getElementById(number.getAttribute('aria-describedby')!)!.textContent).to.equal('Adults only.');
    expect(number.labels![0]!.textContent).to.include('*');
    expect(control(sync, 'Town').required).to.equal(false);
    expect(control(sync, 'Town').labels![0]!.textContent).to.include('(optional)');
    expect(control(sync, 'Born').min).to.equal('1900-01-01');
    expect(control(sync, 'Born').max).to.equal('2010-12-31');
  });

  it('shows no answer of another reader, whose sign-in has replaced this one', async () => {
    const sync = await ask([town, rules]);
    answer(sync, 'Town', 'Lisbon');
    answer(sync, 'I accept the house rules', true);
    const bo = { user_id: '43', username: 'Bo Diaz' };
    const ofBo = offer([mail, rules], { id: 'sync-of-bo', user: bo });
    await sync.bff.script({ session: session('validating', { sync: ofBo }), answers: { 'POST /sync/validation': [{ problem: 'no-sync-in-progress' }] } });
    submit(sync);
    await see(sync, 'Bo Diaz');
    expect([control(sync, 'E-mail').value, control(sync, 'I accept the house rules').checked]).to.deep.equal(['', false]);
  });

  it('leaves the focus in a field of the page, where the reader writes meanwhile', async () => {
    const field = document.createElement('textarea');
    document.body.append(field);
    for (const [isWriting, focused] of [[true, field], [false, undefined]] as const) {
      const sync = await ask([age], { 'POST /sync/validation': [outcome('accepted')] });
      answer(sync, 'Your age', '34');
      submit(sync);
      if (isWriting) field.focus();
      else field.blur();
      await reach(sync, 'You are signed in');
      await sync.element.updateComplete;
      expect(document.activeElement === (focused ?? sync.element)).to.equal(true);
      sync.element.remove();
    }
    field.remove();
  });

  it('sets autocomplete for questions about the reader', async () => {
    const sync = await ask(all);
    expect(control(sync, 'E-mail').autocomplete).to.equal('email');
    expect(control(sync, 'Born').autocomplete).to.equal('bday');
    expect(control(sync, 'Town').hasAttribute('autocomplete')).to.equal(false);
  });

  it('offers the options of a select and preselects none', async () => {
    const sync = await ask([found]);
    const select = control(sync, 'Found us by') as unknown as HTMLSelectElement;
    expect([...select.options].map(({ value, text }) => [value, text])).to.deep.equal([['', 'Please choose'], ['ad', 'An ad'], ['friend', 'A friend']]);
    expect(select.value).to.equal('');
  });

  it('shows labels, help and options as text', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const sync = await ask([{ ...found, label: markup, help: markup, options: [{ value: 'x', label: markup }] }]);
    expect(sync.element.shadowRoot!.querySelector('img')).to.equal(null);
    expect(textOf(sync)).to.include(markup);
  });

  it('sends each answer with its type, and omits missing ones', async () => {
    const sync = await ask(all);
    answer(sync, 'Your age', '33');
    answer(sync, 'E-mail', 'ada@example.org');
    answer(sync, 'Found us by', 'friend');
    answer(sync, 'I accept', true);
    submit(sync);
    await reach(sync, 'You are signed in');
    expect(await sync.bff.answers()).to.deep.equal([{ age: 33, mail: 'ada@example.org', found: 'friend', rules: true }]);
  });

  it('sends every character of an answer', async () => {
    const sync = await ask([town]);
    const text = 'ünï ✓ 🦊 &=+%20 ~!*\'()"<b>\\ \u202e\u2028';
    answer(sync, 'Town', text);
    submit(sync);
    await reach(sync, 'You are signed in');
    expect(await sync.bff.answers()).to.deep.equal([{ town: text.trim() }]);
  });
});

describe('<vestibule-sync>, invalid answers', () => {
  afterEach(clearPage);

  it('sends nothing, shows an error at each field, and focuses the first', async () => {
    const sync = await ask(all);
    answer(sync, 'E-mail', 'ada@');
    submit(sync);
    await see(sync, 'Please look at these 4 answers again:');
    expect(await sync.bff.sent()).to.deep.equal([]);
    expect(all.map(({ label }) => faultOf(sync, label))).to.deep.equal([
      'Please answer this.',
      '',
      'Please enter an e-mail address, such as name@example.com.',
      '',
      'Please choose one.',
      'Please tick this to continue.',
    ]);
    expect(focusOf(sync)).to.equal('Your age');
  });

  it('shows errors of the BFF in the reader\'s language at their fields', async () => {
    const messages = { age: 'Must be 18 or more.', town: 'Please use at least 3 characters.', bday: 'Must be 1900-01-01 or later.' };
    const sync = await ask([age, town, born], { 'POST /sync/validation': [{ problem: 'invalid-answers', fields: messages }] });
    answer(sync, 'Your age', '17');
    answer(sync, 'Town', 'Oz');
    answer(sync, 'Born', '1899-12-31');
    submit(sync);
    await see(sync, 'Please look at these 3 answers again:');
    expect([age, town, born].map(({ label }) => faultOf(sync, label))).to.deep.equal([
      'Please enter 18 or more.',
      'Please enter at least 3 characters.',
      'Please enter January 1, 1900 or a later date.',
    ]);
    expect([age, town, born].map(({ label }) => control(sync, label).getAttribute('aria-invalid'))).to.deep.equal(Array(3).fill('true'));
  });

  it('marks no field as invalid before the reader submits', async () => {
    const sync = await ask(all);
    answer(sync, 'Your age', '1');
    await sync.element.updateComplete;
    expect(all.map(({ label }) => control(sync, label).getAttribute('aria-invalid'))).to.deep.equal(Array(6).fill('false'));
  });

  it('links each error of the summary to its field', async () => {
    const sync = await ask(all);
    submit(sync);
    await see(sync, 'Please look at these 3 answers again:');
    button(sync, 'Found us by').click();
    expect(focusOf(sync)).to.equal('Found us by');
  });

  it('announces the errors without a control in the live region', async () => {
    const sync = await ask(all);
    submit(sync);
    await see(sync, 'Please look at these 3 answers again:');
    expect(sync.element.shadowRoot!.querySelector('[role=alert]')!.textContent).to.equal('Please look at these 3 answers again:');
    expect(sync.element.shadowRoot!.querySelectorAll(':is([role=status], [role=alert]) :is(button, a)')).to.have.length(0);
  });

  it('removes an error once the answer is corrected', async () => {
    const sync = await ask([age, rules]);
    submit(sync);
    await see(sync, 'Please look at these 2 answers again:');
    answer(sync, 'Your age', '1');
    await sync.element.updateComplete;
    expect(faultOf(sync, 'Your age')).to.equal('Please answer this.');
    answer(sync, 'Your age', '18');
    await see(sync, 'Please look at this answer again:');
    expect(faultOf(sync, 'Your age')).to.equal('');
    expect(faultOf(sync, 'I accept')).to.equal('Please tick this to continue.');
  });

  it('focuses the first error each time', async () => {
    const sync = await ask([age, rules]);
    submit(sync);
    await see(sync, 'Please look at these 2 answers again:');
    button(sync, 'Finish signing in').focus();
    submit(sync);
    await sync.element.updateComplete;
    expect(focusOf(sync)).to.equal('Your age');
  });

  it('does not treat half a number as missing', async () => {
    const sync = await ask([{ ...age, required: false }]);
    control(sync, 'Your age').focus();
    await sendKeys({ type: '1e' });
    submit(sync);
    await see(sync, 'Please enter a number.');
    expect(await sync.bff.sent()).to.deep.equal([]);
  });

  it('keeps half a value in its control', async () => {
    const sync = await ask([{ ...age, required: false }, rules]);
    answer(sync, 'Your age', '33');
    submit(sync);
    await see(sync, 'Please tick');
    control(sync, 'Your age').focus();
    await sendKeys({ press: 'End' });
    await sendKeys({ type: 'e' });
    answer(sync, 'I accept', true);
    await sync.element.updateComplete;
    expect(control(sync, 'Your age').validity.badInput).to.equal(true);
  });

  it('scrolls the page by the wheel without changing a focused number', async () => {
    const sync = await ask([age]);
    control(sync, 'Your age').focus();
    control(sync, 'Your age').dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
    expect(focusOf(sync)).to.equal('nowhere');
  });

  it('shows the BFF\'s errors at their fields and removes them at the next change', async () => {
    const sync = await ask([age, town], {
      'POST /sync/validation': [{ problem: 'invalid-answers', fields: { town: 'No such <b>town</b>.', other: 'Something else.' } }, { hold: 'second' }],
    });
    answer(sync, 'Your age', '33');
    answer(sync, 'Town', 'Atlantis');
    submit(sync);
    await see(sync, 'Something else.');
    expect(faultOf(sync, 'Town')).to.equal('No such <b>town</b>.');
    expect(focusOf(sync)).to.equal('Town');
    expect(control(sync, 'Town').value).to.equal('Atlantis');
    answer(sync, 'Town', 'Bath');
    await sync.element.updateComplete;
    expect(faultOf(sync, 'Town')).to.equal('');
    submit(sync);
    await see(sync, 'Checking your answers…');
    expect(textOf(sync)).not.to.include('Something else.');
    await sync.bff.release('second');
    await reach(sync, 'You are signed in');
    expect(await sync.bff.answers()).to.deep.equal([{ age: 33, town: 'Atlantis' }, { age: 33, town: 'Bath' }]);
  });

  it('shows an error of the BFF without a question, and keeps the form', async () => {
    const sync = await ask([town], { 'POST /sync/validation': [{ problem: 'invalid-answers' }] });
    submit(sync);
    await see(sync, 'Please look at your answers again.');
    expect(headingOf(sync)).to.equal('Before you comment');
  });
});

describe('<vestibule-sync>, stored answers', () => {
  afterEach(clearPage);

  const half = async (sync: MountedSync) => {
    answer(sync, 'Your age', '33');
    answer(sync, 'Town', 'Bath');
    answer(sync, 'Found us by', 'friend');
    answer(sync, 'I accept', true);
    await sync.element.updateComplete;
  };

  const standing = (sync: MountedSync) => [
    control(sync, 'Your age').value, control(sync, 'Town').value, control(sync, 'Found us by').value, control(sync, 'I accept').checked,
  ];

  const reload = async ({ element, bff }: MountedSync) => {
    element.remove();
    const sync = await mountSync({ bff });
    await reach(sync, 'Before you comment');
    return sync;
  };

  it('keeps them over a reload', async () => {
    const sync = await ask(all);
    await half(sync);
    expect(standing(await reload(sync))).to.deep.equal(['33', 'Bath', 'friend', true]);
  });

  it('keeps them over a failure, in the form and over a reload', async () => {
    const sync = await ask(all, { 'POST /sync/validation': [{ problem: 'service-unavailable' }] });
    await half(sync);
    submit(sync);
    await see(sync, 'not available right now');
    expect(standing(sync)).to.deep.equal(['33', 'Bath', 'friend', true]);
    expect(standing(await reload(sync))).to.deep.equal(['33', 'Bath', 'friend', true]);
  });

  it('shows them to no other reader', async () => {
    const sync = await ask(all);
    await half(sync);
    await sync.bff.script({ session: session('validating', { sync: offer(all, { user: { ...ada, user_id: '43' } }) }) });
    expect(standing(await reload(sync))).to.deep.equal(['', '', '', false]);
  });

  for (const [ending, words] of [
    ['accepted', 'You are signed in'], ['rejected', 'did not accept'], ['cancelled', 'Sign-in cancelled'],
  ] as const) {
    it(`keeps none once the sync is ${ending}`, async () => {
      const sync = await ask(all, { 'POST /sync/validation': [outcome(ending)], 'POST /sync/cancel': [outcome(ending)] });
      await half(sync);
      if (ending === 'cancelled') button(sync, 'Cancel').click();
      else submit(sync);
      await see(sync, words);
      expect(sessionStorage.length).to.equal(0);
    });
  }

  it('ignores a stored option that is not offered any more', async () => {
    const sync = await ask(all);
    await half(sync);
    await sync.bff.script({ session: validating(age, town, { ...found, options: [{ value: 'ad', label: 'An ad' }] }, rules) });
    expect(standing(await reload(sync))).to.deep.equal(['33', 'Bath', '', true]);
  });
});

describe('<vestibule-sync> without questions', () => {
  afterEach(clearPage);

  it('finishes with the click that sends the callback', async () => {
    const sync = await mountSync({ search: returnQuery, form: { fields: [] } });
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'You are signed in');
    expect(await sync.bff.asked()).to.deep.equal(['POST /sync', 'POST /sync/validation']);
    expect(await sync.bff.sent()).to.deep.equal([syncReturn, { sync: 'sync-1', username: 'Ada Lovelace', answers: {} }]);
  });

  it('waits for the reader\'s click if a sign-in is in progress', async () => {
    const sync = await mountSync({ session: validating() });
    await reach(sync, 'Sign in to comment');
    expect(await sync.bff.sent()).to.deep.equal([]);
    button(sync, 'Continue as Ada Lovelace').click();
    await reach(sync, 'You are signed in');
  });
});

describe('<vestibule-sync>, sending', () => {
  afterEach(clearPage);

  it('sends the answers once, however often the reader submits', async () => {
    const sync = await ask([age], { 'POST /sync/validation': [{ hold: 'answer' }] });
    answer(sync, 'Your age', '33');
    submit(sync);
    submit(sync);
    await see(sync, 'Checking your answers…');
    control(sync, 'Your age').focus();
    await sendKeys({ press: 'Enter' });
    button(sync, 'Cancel').click();
    await sync.bff.release('answer');
    await reach(sync, 'You are signed in');
    expect(await sync.bff.asked()).to.deep.equal(['GET /session', 'POST /sync/validation']);
    expect(sync.story.filter((event) => event.startsWith('replaced')).length).to.equal(1);
  });

  it('submits with Enter', async () => {
    const sync = await ask([age]);
    control(sync, 'Your age').focus();
    await sendKeys({ type: '33' });
    await sendKeys({ press: 'Enter' });
    await reach(sync, 'You are signed in');
  });

  it('keeps the focus on the button during the request and announces it', async () => {
    const sync = await ask([age], { 'POST /sync/validation': [{ hold: 'answer' }] });
    answer(sync, 'Your age', '33');
    const finish = button(sync, 'Finish signing in');
    finish.focus();
    finish.click();
    await see(sync, 'Checking your answers…');
    expect(focusOf(sync)).to.equal('Checking your answers…');
    expect(finish.getAttribute('aria-disabled')).to.equal('true');
    expect(sync.element.shadowRoot!.querySelector('[role=status]')!.textContent).to.equal('Checking your answers…');
    await sync.bff.release('answer');
    await reach(sync, 'You are signed in');
  });
});
