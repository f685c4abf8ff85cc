import { expect, fixture, html } from '@open-wc/testing';
import type { FormField } from '@vestibule/shared';
import { checkAnswers, serverErrors, readControl, type AnswerControl, type RawAnswer } from './answers.ts';

const age: FormField = { name: 'age', type: 'number', label: 'Age', required: true, min: 18 };
const day: FormField = { name: 'day', type: 'date', label: 'Day', required: false };
const town: FormField = { name: 'town', type: 'text', label: 'Town', required: false };
const rules: FormField = { name: 'rules', type: 'checkbox', label: 'Rules', required: true };

const raw = (answers: Record<string, RawAnswer['value'] | RawAnswer>) => (
  new Map(Object.entries(answers).map(([name, value]) => [name, typeof value === 'object' ? value : { value }]))
);

describe('checkAnswers', () => {
  it('gives each answer the type that the wire has for it', () => {
    const { answers, formatErrors } = checkAnswers([age, day, town, rules], raw({ age: '20', day: '2000-02-29', town: ' Bath ', rules: true }));
    expect(answers).to.deep.equal({ age: 20, day: '2000-02-29', town: 'Bath', rules: true });
    expect(formatErrors.size).to.equal(0);
  });

  it('leaves out what an optional question was not given', () => {
    expect(checkAnswers([town, day], raw({ town: '  ', day: '' })).answers).to.deep.equal({});
  });

  it('names what is missing in the order of the questions', () => {
    const { formatErrors } = checkAnswers([rules, age], raw({ age: '', rules: false }));
    expect([...formatErrors]).to.deep.equal([['rules', 'required'], ['age', 'required']]);
  });

  it('sends an answer that breaks a rule as it is: the publisher may want to end the sync over it', () => {
    const { answers, formatErrors } = checkAnswers([age, { ...town, min_length: 3 }], raw({ age: '17', town: 'Oz' }));
    expect(answers).to.deep.equal({ age: 17, town: 'Oz' });
    expect(formatErrors.size).to.equal(0);
  });

  it('does not take half a date or half a number for no answer', () => {
    const { formatErrors } = checkAnswers([day, { ...age, required: false }], raw({ day: { value: '', malformed: true }, age: { value: '', malformed: true } }));
    expect([...formatErrors]).to.deep.equal([['day', 'not-a-date'], ['age', 'not-a-number']]);
  });
});

describe('serverErrors', () => {
  it('puts the faults in the order of the questions, and those of no question last', () => {
    const faults = serverErrors([age, town], raw({ age: '20', town: 'Bath' }), { other: 'x', town: 'y', age: 'z' });
    expect([...faults.keys()]).to.deep.equal(['age', 'town', 'other']);
    expect(faults.get('town')).to.deep.equal({ message: 'y' });
  });

  it('names the rule where this side knows it too, so that it is told in the reader\'s language', () => {
    const faults = serverErrors([age], raw({ age: '17' }), { age: 'Must be 18 or more.' });
    expect(faults.get('age')).to.equal('too-low');
  });
});

describe('readControl', () => {
  it('reads text, a tick and a choice', async () => {
    const form = await fixture(html`
      <form>
        <input value="a">
        <input type="checkbox" checked>
        <select><option value="">-</option><option value="b" selected>B</option></select>
      </form>
    `);
    const read = [...form.querySelectorAll<AnswerControl>('input, select')].map(readControl);
    expect(read).to.deep.equal([{ value: 'a' }, { value: true }, { value: 'b' }]);
  });
});
