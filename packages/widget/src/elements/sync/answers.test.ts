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
  it('converts each answer to its wire type', () => {
    const { answers, formatErrors } = checkAnswers([age, day, town, rules], raw({ age: '20', day: '2000-02-29', town: ' Bath ', rules: true }));
    expect(answers).to.deep.equal({ age: 20, day: '2000-02-29', town: 'Bath', rules: true });
    expect(formatErrors.size).to.equal(0);
  });

  it('omits missing optional answers', () => {
    expect(checkAnswers([town, day], raw({ town: '  ', day: '' })).answers).to.deep.equal({});
  });

  it('lists missing answers in the order of the questions', () => {
    const { formatErrors } = checkAnswers([rules, age], raw({ age: '', rules: false }));
    expect([...formatErrors]).to.deep.equal([['rules', 'required'], ['age', 'required']]);
  });

  it('passes answers that break a rule: the publisher decides about them', () => {
    const { answers, formatErrors } = checkAnswers([age, { ...town, min_length: 3 }], raw({ age: '17', town: 'Oz' }));
    expect(answers).to.deep.equal({ age: 17, town: 'Oz' });
    expect(formatErrors.size).to.equal(0);
  });

  it('does not treat half a date or half a number as missing', () => {
    const { formatErrors } = checkAnswers([day, { ...age, required: false }], raw({ day: { value: '', malformed: true }, age: { value: '', malformed: true } }));
    expect([...formatErrors]).to.deep.equal([['day', 'not-a-date'], ['age', 'not-a-number']]);
  });
});

describe('serverErrors', () => {
  it('sorts errors by question, those without a question last', () => {
    const faults = serverErrors([age, town], raw({ age: '20', town: 'Bath' }), { other: 'x', town: 'y', age: 'z' });
    expect([...faults.keys()]).to.deep.equal(['age', 'town', 'other']);
    expect(faults.get('town')).to.deep.equal({ message: 'y' });
  });

  it('returns the type of an error that it finds itself', () => {
    const faults = serverErrors([age], raw({ age: '17' }), { age: 'Must be 18 or more.' });
    expect(faults.get('age')).to.equal('too-low');
  });
});

describe('readControl', () => {
  it('reads text, checkbox and select', async () => {
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
