import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAnswer, DEFAULT_ANSWER_MAX_LENGTH, isCalendarDate, isFormatError, type AnswerErrorType } from './check-answer.ts';
import type { FormField } from './form.ts';

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => (
  { name: 'q', type, label: 'Question', required: false, ...more }
);

const options = [{ value: 'north', label: 'North' }, { value: '', label: 'Elsewhere' }];

const good: readonly (readonly [FormField, unknown, unknown])[] = [
  [field('text'), '  a word ', 'a word'],
  [field('text', { min_length: 2, max_length: 2 }), '🦊🦊', '🦊🦊'],
  [field('text', { pattern: '[a-c]+|z' }), 'abc', 'abc'],
  [field('email'), 'ada@example.com', 'ada@example.com'],
  [field('number', { min: 18, max: 99 }), '18', 18],
  [field('number', { max: 99 }), 99, 99],
  [field('date', { min: '2000-01-01', max: '2000-12-31' }), '2000-02-29', '2000-02-29'],
  [field('select', { options }), 'north', 'north'],
  [field('checkbox', { required: true }), true, true],
  [field('checkbox'), undefined, false],
  [field('checkbox'), null, false],
  [field('text'), undefined, undefined],
  [field('number'), null, undefined],
  [field('date'), '', undefined],
  [field('select', { options }), ' \u00ad\u2800', undefined],
];

const bad: readonly (readonly [FormField, unknown, AnswerErrorType])[] = [
  [field('text', { required: true }), ' ', 'required'],
  [field('checkbox', { required: true }), false, 'required'],
  [field('checkbox'), 'on', 'not-an-option'],
  [field('checkbox', { required: true }), 1, 'not-an-option'],
  [field('text'), 5, 'not-a-text'],
  [field('text'), 'lone \ud800', 'not-a-text'],
  [field('text'), 'x'.repeat(DEFAULT_ANSWER_MAX_LENGTH + 1), 'too-long'],
  [field('text', { min_length: 3 }), '🦊🦊', 'too-short'],
  [field('text', { pattern: '[a-c]+|z' }), 'abcz', 'pattern'],
  [field('email'), 'ada@', 'not-an-email'],
  [field('number'), 'twelve', 'not-a-number'],
  [field('number'), Infinity, 'not-a-number'],
  [field('number'), [18], 'not-a-number'],
  [field('number', { min: 18 }), 17.9, 'too-low'],
  [field('number', { max: 99 }), '100', 'too-high'],
  [field('date'), '2001-02-29', 'not-a-date'],
  [field('date'), 20000101, 'not-a-date'],
  [field('date', { min: '2000-01-01' }), '1999-12-31', 'too-low'],
  [field('date', { max: '2000-01-01' }), '2000-01-02', 'too-high'],
  [field('select', { options }), 'south', 'not-an-option'],
  [field('select', { options }), {}, 'not-an-option'],
  [field('select'), 'north', 'not-an-option'],
];

describe('checkAnswer', () => {
  it('takes answers that keep the rules, and converts them', () => {
    for (const [given, answer, value] of good) {
      assert.deepEqual(checkAnswer(given, answer), { ok: true, value }, JSON.stringify([given, answer]));
    }
  });

  it('names the rule that an answer breaks', () => {
    for (const [given, answer, error] of bad) {
      assert.deepEqual(checkAnswer(given, answer), { ok: false, error }, JSON.stringify(given));
    }
  });
});

describe('isFormatError', () => {
  it('is true for missing answers and wrong types', () => {
    const errors = new Set(bad.map(([,, error]) => error));
    assert.deepEqual([...errors].filter(isFormatError).toSorted(), ['not-a-date', 'not-a-number', 'not-a-text', 'not-an-email', 'required']);
  });
});

describe('isCalendarDate', () => {
  it('accepts existing days in one notation', () => {
    const texts = ['2000-02-29', '1900-02-29', '2000-13-01', '2000-1-1', '2000-01-01T00:00:00Z', ''];
    assert.deepEqual(texts.filter(isCalendarDate), ['2000-02-29']);
  });
});
