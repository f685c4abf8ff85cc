/** `<vestibule-sync>`, the publisher's questions. */

import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import { PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes, type FormField } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import { devtools, openBox, stored } from '../box/_box.ts';
import {
  ada, offer, openForm, openQuestions, outcome, returnQuery, session, translate, validating, validation, type Form,
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

/** Text of the error at the question. */
const errorOf = (form: Form, { label, help = '' }: FormField): string => form.descriptionOf(label).replace(help, '').trim();

/** The BFF asks other questions than those of the form. */
const refusal = (errors: Readonly<Record<string, string>>, fields: readonly FormField[]): ScriptedAnswer => ({
  status: 422, headers: { 'Content-Type': PROBLEM_MEDIA_TYPE },
  json: {
    type: `${PROBLEM_TYPE_PREFIX}invalid-answers`, ...problemTypes['invalid-answers'], detail: 'Please check your answers.', fields: errors, form: { fields },
  },
});

const sends = (form: Form): Promise<void> => form.press('Continue as Ada Lovelace');

describe('<vestibule-sync>, the publisher’s questions', () => {
  it('has a native control for each type of question, with its label, help, limits and purpose', async () => {
    const form = await openQuestions(all);
    const controls = all.map(({ label }) => form.control(label));
    // Firefox calls an empty control with `required` invalid from the start.
    expect(controls.map(({ localName, type, required, ariaRequired, min, max, autocomplete }) => (
      [localName, type, required, ariaRequired, min, max, autocomplete]
    ))).to.deep.equal([
      ['input', 'text', false, 'true', '', '', ''],
      ['input', 'text', false, 'false', '', '', ''],
      ['input', 'email', false, 'false', '', '', 'email'],
      ['input', 'date', false, 'false', '1900-01-01', '2010-12-31', 'bday'],
      ['select', 'select-one', false, 'true', undefined, undefined, ''],
      ['input', 'checkbox', false, 'true', '', '', ''],
    ]);
    expect(form.descriptionOf('Your age')).to.equal('Adults only.');
    expect(controls.map(({ labels, ariaRequired }) => labels![0]!.textContent.includes('(optional)') === (ariaRequired === 'false'))).not.to.include(false);
    expect(controls.map(({ ariaInvalid }) => ariaInvalid)).to.deep.equal(all.map(() => 'false'));
    const select = form.control<HTMLSelectElement>('Found us by');
    expect([select.value, ...[...select.options].map(({ value, text }) => `${value} ${text}`)]).to.deep.equal(['', ' Please choose', 'ad An ad', 'friend A friend']);
  });

  it('passes below its button in a low window, which has the surface of the form', async () => {
    await setViewport({ width: 390, height: 500 });
    const form = await openQuestions(all, { attributes: { theme: 'dark' } });
    scrollTo(0, 0);
    const { left, right, bottom } = form.all('form .primary')[0]!.getBoundingClientRect();
    const below = form.element.shadowRoot!.elementFromPoint((left + right) / 2, bottom + 4)!;
    expect(below.closest('.question')).to.equal(null);
    expect([bottom < innerHeight, getComputedStyle(below).backgroundImage.includes('rgb(23, 24, 28)')]).to.deep.equal([true, true]);
    await setViewport({ width: 800, height: 600 });
  });

  it('lets no button lie over it on a zoomed page', async () => {
    await setViewport({ width: 320, height: 256 });
    const form = await openQuestions(all);
    const [questions, button] = [form.all('fieldset')[0]!, form.all('form .primary')[0]!];
    expect(button.getBoundingClientRect().top).to.be.at.least(questions.getBoundingClientRect().bottom);
    await setViewport({ width: 800, height: 600 });
  });

  it('takes no arrow key and no wheel for an answer to a question for a number', async () => {
    const form = await openQuestions([{ ...age, required: false }]);
    const control = form.control('Your age');
    control.focus();
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'ArrowUp' });
    const { x, y } = control.getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x + 5), Math.round(y + 5)] });
    await devtools('Input.dispatchMouseEvent', { type: 'mouseWheel', x: x + 5, y: y + 5, deltaX: 0, deltaY: 120 });
    expect([control.value, control.inputMode, form.focus]).to.deep.equal(['', 'decimal', 'Your age']);
    await sends(form);
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.equal([{ age: '' }]);
  });

  for (const [lang, text, number] of [
    ['en', '20,100', 20_100], ['en', '1.75', 1.75], ['de', '20.100', 20_100], ['de', '1,75', 1.75], ['de', '1.5', 1.5],
    ['fr', '20 100,5', 20_100.5],
    ['ar', '٢٠٬١٠٠', 20_100], ['ar', '١٫٥', 1.5], ['fa', '۳۳', 33], ['hi', '३३', 33], ['ja', '３３', 33], ['en', '−4', -4],
  ] as const) {
    it(`takes a number as readers write it: ${lang}, ${text}`, async () => {
      const form = await openForm({ session: validating({ ...age, label: 'Q', min: -10 }), attributes: { lang } });
      await form.until(() => form.all('input').length > 0 && form.element.tag === (['fa', 'hi'].includes(lang) ? 'en' : lang), 'the question');
      expect(form.control('Q').inputMode, 'a keyboard with a minus').to.equal('');
      form.answer('Q', text);
      form.part('primary-button')!.click();
      await form.until(() => form.story.includes('state signed-in'), 'the end');
      expect(await form.answers()).to.deep.equal([{ age: number }]);
    });
  }

  for (const text of ['0x12', '1e3', '1,2,3', '--4', 'Infinity', '.', '3a']) {
    it(`takes no number for “${text}”`, async () => {
      const form = await openQuestions([age]);
      form.answer('Your age', text);
      await sends(form);
      await form.says('Please enter a number.');
      expect([errorOf(form, age), await form.sent()]).to.deep.equal(['Please enter a number.', []]);
    });
  }

  it('shows labels, help and options as text', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const form = await openQuestions([{ ...found, label: markup, help: markup, options: [{ value: 'x', label: markup }] }]);
    expect([form.all('img').length, form.words.split(markup).length]).to.deep.equal([0, 4]);
  });

  it('sends each answer with its type and every character, and an empty one for a question that is left open', async () => {
    const form = await openQuestions(all);
    const text = 'ünï ✓ 🦊 &=+%20 ~!*\'()"<b>\\ \u202e\u2028';
    form.answer('Your age', '33');
    form.answer('Town', text);
    form.answer('Found us by', 'friend');
    form.answer('I accept', true);
    await sends(form);
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.equal([{ age: 33, town: text.trim(), mail: '', bday: '', found: 'friend', rules: true }]);
  });

  it('sends the answers once, keeps the focus on the button and announces the request', async () => {
    const form = await openQuestions([age], validation({ hold: 'answer' }));
    const [status, finishing] = [form.role('status'), form.part('primary-button')!];
    form.control('Your age').focus();
    await sendKeys({ type: '33' });
    await sendKeys({ press: 'Enter' });
    await form.until(() => status.textContent === 'Checking your answers…', 'the status');
    await sendKeys({ press: 'Enter' });
    finishing.focus();
    finishing.click();
    await form.press('Cancel');
    expect([finishing.ariaDisabled, form.focus, form.role('status') === status]).to.deep.equal(['true', 'Checking your answers…', true]);
    await form.bff.release('answer');
    await form.reaches('You are signed in');
    expect(await form.asked()).to.deep.equal(['GET /session', 'POST /sync/validation']);
    expect(form.story.filter((event) => event.startsWith('replaced'))).to.have.length(1);
  });

  it('leaves the focus in a field of the page, where the reader writes meanwhile', async () => {
    const field = document.body.appendChild(document.createElement('textarea'));
    const form = await openQuestions([town]);
    await sends(form);
    field.focus();
    await form.reaches('You are signed in');
    await form.element.updateComplete;
    expect(document.activeElement === field).to.equal(true);
    field.remove();
  });

  it('leaves a composition alone when the form is drawn again', async () => {
    const form = await openQuestions([town]);
    form.control('Town').focus();
    await devtools('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    form.element.lang = 'de';
    await form.reaches('Bevor Sie kommentieren');
    await devtools('Input.insertText', { text: '日本' });
    expect(form.control('Town').value).to.equal('日本');
  });

  it('can be completed by keyboard alone', async () => {
    const form = await openForm({ search: returnQuery, form: { fields: all } });
    document.body.tabIndex = -1;
    document.body.focus();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await sendKeys({ press: key });
    };
    await press('Tab');
    expect(form.focus).to.equal('Continue as Ada Lovelace');
    await press('Enter');
    await form.hasFocusOn('Before you comment');
    expect(form.part('heading')!.ariaDescribedByElements!.map(({ textContent }) => textContent)).to.deep.equal(
      ['Signing in as Ada Lovelace', 'The Courier asks everyone who wants to comment:'],
    );
    const { outlineStyle, boxShadow } = getComputedStyle(form.part('heading')!);
    expect([outlineStyle, boxShadow], 'no part of a ring').to.deep.equal(['none', 'none']);
    await press('Tab');
    await sendKeys({ type: '33' });
    await press('Tab', 'Tab', 'Tab');
    expect(form.focus).to.equal('Born');
    while (form.focus === 'Born') await press('Tab');
    await press('ArrowDown', 'Tab', 'Space', 'Tab');
    expect(form.focus).to.equal('Continue as Ada Lovelace');
    await press('Enter');
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.equal([{ age: 33, town: '', mail: '', bday: '', found: 'ad', rules: true }]);
  });

  it('keeps keys that type an answer from the page’s hotkeys', async () => {
    const bff = new TestBff();
    await bff.offer({ fields: [town] });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.says('Before you comment');
    const heard: string[] = [];
    const hear = ({ key }: KeyboardEvent) => heard.push(key);
    addEventListener('keydown', hear);
    box.all('input')[0]!.focus();
    for (const press of ['s', '/', 'F2']) await sendKeys({ press });
    removeEventListener('keydown', hear);
    expect(heard).to.deep.equal(['F2']);
  });
});

describe('<vestibule-sync>, answers that are not accepted', () => {
  it('sends nothing, shows an error at each field, announces them, and focuses the first each time', async () => {
    const form = await openQuestions(all);
    form.answer('E-mail', 'ada@');
    await sends(form);
    await form.says('4 answers are missing or need a change:');
    expect(all.map((field) => errorOf(form, field))).to.deep.equal([
      'Please answer this.', '', 'Please enter an e-mail address, such as name@example.com.', '', 'Please choose one.', 'Please confirm this to continue.',
    ]);
    expect(all.map(({ label }) => form.control(label).ariaInvalid)).to.deep.equal(['true', 'false', 'true', 'false', 'true', 'true']);
    await form.until(() => form.role('status').textContent === '4 answers are missing or need a change:', 'the number');
    expect(form.all(':is([role=status], [role=alert]) :is(button, a)')).to.deep.equal([]);
    expect(form.focus).to.equal('Your age');
    await form.press('Found us by');
    expect(form.focus).to.equal('Found us by');
    await sends(form);
    await form.hasFocusOn('Your age');
    expect(await form.sent()).to.deep.equal([]);
  });

  it('removes an error once the answer is corrected', async () => {
    const form = await openQuestions([age, rules]);
    await sends(form);
    await form.says('2 answers are missing or need a change:');
    form.answer('Your age', '1');
    await form.element.updateComplete;
    expect(errorOf(form, age)).to.equal('Please answer this.');
    form.answer('Your age', '18');
    await form.until(() => errorOf(form, age) === '', 'no error');
    expect([errorOf(form, rules), form.words.includes('missing or need')]).to.deep.equal(['Please confirm this to continue.', false]);
  });

  it('says in its status how many there are, and the one that has the focus already; the same ones again, too', async () => {
    const form = await openQuestions([age, rules]);
    const status = form.role('status');
    const { id } = form.control('Your age');
    await sends(form);
    await form.until(() => status.textContent === '2 answers are missing or need a change:', 'the number, the focus says the error');
    form.answer('Your age', 'abc');
    await sends(form);
    const again = '2 answers are missing or need a change: Please enter a number.';
    await form.until(() => status.textContent === again, 'the errors');
    const description = (): string | null => form.control('Your age').getAttribute('aria-describedby');
    expect([description(), form.all('[role=alert]')], 'not said twice').to.deep.equal([null, []]);
    form.control('Your age').blur();
    expect(description()).to.equal(`${id}-help ${id}-error`);
    form.control('Your age').focus();
    await sends(form);
    await form.until(() => status.textContent === `${again}\u00a0`, 'the same errors, which is a change');
    form.answer('I accept', true);
    await sends(form);
    await form.until(() => status.textContent === 'Please enter a number.', 'the error of the field');
  });

  it('lists no errors if there is one only, which has the focus', async () => {
    const form = await openQuestions([age, rules]);
    form.answer('Your age', '33');
    await sends(form);
    await form.hasFocusOn('I accept the house rules');
    expect([errorOf(form, rules), form.part('problem')]).to.deep.equal(['Please confirm this to continue.', undefined]);
  });

  it('keeps its texts true on a page that a machine translates', async () => {
    const form = await openQuestions([age, found, rules]);
    await sends(form);
    await form.says('3 answers are missing or need a change:');
    translate(form.element.shadowRoot!);
    form.answer('Your age', '18');
    await form.says('2 answers are missing or need a change:');
    expect(errorOf(form, age)).to.equal('');
  });

  it('does not take half a number for a missing one, and keeps it in its control', async () => {
    const form = await openQuestions([{ ...age, required: false }, rules]);
    form.control('Your age').focus();
    await sendKeys({ type: '1e' });
    await sends(form);
    await form.says('Please enter a number.');
    form.answer('I accept', true);
    await form.element.updateComplete;
    expect([form.control('Your age').value, await form.sent()]).to.deep.equal(['1e', []]);
  });

  // The publisher decides whether such an answer may be corrected, so it is sent.
  const height: FormField = { name: 'height', type: 'number', label: 'Height', required: true, min: 1, max: 20_100 };
  const code: FormField = { name: 'code', type: 'text', label: 'Code', required: true, max_length: 4 };
  const plate: FormField = { name: 'plate', type: 'text', label: 'Plate', required: true, pattern: '[A-Z]+' };
  for (const [field, value, words] of [
    [age, '17', 'Please enter 18 or more.'],
    [height, '99999', 'Please enter 20,100 or less.'],
    [born, '1899-12-31', 'Please enter January 1, 1900 or a later date.'],
    [born, '2011-01-01', 'Please enter December 31, 2010 or an earlier date.'],
    [town, 'Oz', 'Please enter at least 3 characters.'],
    [code, '12345', 'Please shorten this to 4 characters.'],
    [plate, '12', 'Please check the format of this answer.'],
    [town, 'Atlantis', 'No such <b>town</b>.'],
  ] as const) {
    it(`shows the BFF’s error in the reader’s language if the form knows it: ${field.name}, ${words}`, async () => {
      const form = await openQuestions([age, field].filter((one, index, list) => list.indexOf(one) === index), {
        answers: { 'POST /sync/validation': [{ problem: 'invalid-answers', fields: { [field.name]: 'No such <b>town</b>.' } }] },
      });
      form.answer('Your age', '33');
      form.answer(field.label, value);
      await sends(form);
      await form.until(() => errorOf(form, field) === words, words);
      expect([form.focus, form.control(field.label).value, form.control(field.label).ariaInvalid]).to.deep.equal([field.label, value, 'true']);
    });
  }

  it('asks the other questions that the BFF names, beside what was typed, with the BFF’s words', async () => {
    const form = await openQuestions([town, rules], validation(refusal({ mail: 'Nobody is there.' }, [mail, town, rules])));
    form.answer('Town', 'Lisbon');
    form.answer('I accept', true);
    await sends(form);
    await form.hasFocusOn('E-mail');
    expect([form.control('E-mail').value, form.control('Town').value, form.control('I accept').checked, errorOf(form, mail)]).to.deep.equal(
      ['', 'Lisbon', true, 'Nobody is there.'],
    );
    form.answer('E-mail', 'ada@example.com');
    await sends(form);
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.equal([{ town: 'Lisbon', rules: true }, { mail: 'ada@example.com', town: 'Lisbon', rules: true }]);
  });

  it('asks all where answers of an earlier sign-in are not accepted any more, and no question is named', async () => {
    const form = await openQuestions([], validation(refusal({}, [town, rules])));
    await form.press('Continue as Ada Lovelace');
    await form.until(() => form.control('Town'), 'the questions');
    form.answer('Town', 'Lisbon');
    form.answer('I accept', true);
    await sends(form);
    await form.reaches('You are signed in');
    expect(await form.answers()).to.deep.equal([{}, { town: 'Lisbon', rules: true }]);
  });

  it('asks them where there were none, and has what was typed before a reload', async () => {
    const required = { ...town, required: true };
    const form = await openQuestions([], validation(refusal({ town: 'Not Bath.' }, [required])));
    await form.press('Continue as Ada Lovelace');
    await form.hasFocusOn('Town');
    expect([form.heading, errorOf(form, town)]).to.deep.equal(['Before you comment', 'Not Bath.']);
    form.answer('Town', 'Lisbon');
    const { bff } = form;
    form.element.remove();
    const again = await openQuestions([], { bff, ...validation(refusal({ town: 'Not Bath.' }, [required])) });
    await again.press('Continue as Ada Lovelace');
    await again.hasFocusOn('Town');
    expect(again.control('Town').value).to.equal('Lisbon');
    await sends(again);
    await again.reaches('You are signed in');
    expect(await again.answers()).to.deep.equal([{}, {}, { town: 'Lisbon' }]);
  });

  it('asks the reader to look again if the BFF’s error names no question of the form', async () => {
    const form = await openQuestions([town], validation({ problem: 'invalid-answers', fields: { other: 'Something else.' } }));
    await sends(form);
    await form.says('Some answers are missing or need a change.');
    await sends(form);
    await form.reaches('You are signed in');
  });
});

describe('<vestibule-sync>, answers that are not sent yet', () => {
  const fill = async (form: Form): Promise<void> => {
    form.answer('Your age', '33');
    form.answer('Town', 'Bath');
    form.answer('Found us by', 'friend');
    form.answer('I accept', true);
    await form.element.updateComplete;
  };
  const filled = (form: Form): unknown[] => (
    [form.control('Your age').value, form.control('Town').value, form.control('Found us by').value, form.control('I accept').checked]
  );
  const reload = async ({ element, bff }: Form): Promise<Form> => {
    element.remove();
    const form = await openForm({ bff });
    await form.reaches('Before you comment');
    return form;
  };

  it('outlive a failure and a reload', async () => {
    const form = await openQuestions(all, validation({ problem: 'service-unavailable' }));
    await fill(form);
    await sends(form);
    await form.says('not available right now');
    expect(filled(form)).to.deep.equal(['33', 'Bath', 'friend', true]);
    expect(filled(await reload(form))).to.deep.equal(['33', 'Bath', 'friend', true]);
  });

  for (const [what, view, expected] of [
    ['another reader', session('validating', { sync: offer(all, { user: { ...ada, user_id: '43' } }) }), ['', '', '', false]],
    ['another forum', session('validating', { sync: offer(all, { forum: 'sport' }) }), ['', '', '', false]],
    ['an option that is offered no more', validating(age, town, { ...found, options: [{ value: 'ad', label: 'An ad' }] }, rules), ['33', 'Bath', '', true]],
  ] as const) {
    it(`are not shown for ${what}`, async () => {
      const form = await openQuestions(all);
      await fill(form);
      await form.bff.set({ session: view });
      expect(filled(await reload(form))).to.deep.equal(expected);
    });
  }

  it('are not shown to a reader whose sign-in replaces this one', async () => {
    const form = await openQuestions([town, rules], validation({ problem: 'no-sync-in-progress' }));
    form.answer('Town', 'Lisbon');
    form.answer('I accept', true);
    await form.bff.set({ session: session('validating', { sync: offer([mail, rules], { id: 'sync-of-bo', user: { user_id: '43', username: 'Bo Diaz' } }) }) });
    await sends(form);
    await form.says('Bo Diaz');
    expect([form.control('E-mail').value, form.control('I accept').checked]).to.deep.equal(['', false]);
  });

  for (const [ending, words] of [['accepted', 'You are signed in'], ['rejected', 'did not accept'], ['cancelled', 'Sign-in cancelled']] as const) {
    it(`leave the browser once the sign-in is ${ending}`, async () => {
      const form = await openQuestions(all, { answers: { 'POST /sync/validation': [outcome(ending)], 'POST /sync/cancel': [outcome(ending)] } });
      await fill(form);
      expect(stored()).to.contain('Bath');
      if (ending === 'cancelled') await form.press('Cancel');
      else await sends(form);
      await form.says(words);
      expect(stored()).not.to.contain('Bath');
    });
  }
});
