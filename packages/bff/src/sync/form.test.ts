import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { fieldSchema } from '../config/fields.ts';
import { localizeForm, validateAnswers } from './form.ts';

const fieldsOf = (...fields: unknown[]) => z.array(fieldSchema).parse(fields);

function labelFor(label: unknown, ...languages: string[]): string | undefined {
  return localizeForm(fieldsOf({ name: 'a', type: 'text', label }), languages).fields[0]?.label;
}

describe('localizeForm', () => {
  it('gives every member that the wire has, and no other', () => {
    const whole = { name: 'a', type: 'text', label: 'A', help: 'Help', required: true, min_length: 1, max_length: 9, pattern: 'x*' };
    const { fields } = localizeForm(fieldsOf(
      { ...whole, onFail: 'reject' },
      { name: 'n', type: 'number', label: 'N', min: 1, max: 2 },
      { name: 'd', type: 'date', label: 'D', min: '2000-01-01', max: '2001-01-01' },
      { name: 's', type: 'select', label: 'S', options: ['x', { value: 'y', label: 'Y' }] },
    ), []);
    assert.deepEqual(fields, [
      whole,
      { name: 'n', type: 'number', label: 'N', required: false, min: 1, max: 2 },
      { name: 'd', type: 'date', label: 'D', required: false, min: '2000-01-01', max: '2001-01-01' },
      { name: 's', type: 'select', label: 'S', required: false, options: [{ value: 'x', label: 'x' }, { value: 'y', label: 'Y' }] },
    ]);
  });

  it('translates labels, help and options alike', () => {
    const [field] = localizeForm(fieldsOf({
      name: 'a', type: 'select', label: { en: 'Town', de: 'Stadt' }, help: { en: 'Where', de: 'Wo' },
      options: [{ value: 'k', label: { en: 'Cologne', de: 'Köln' } }],
    }), ['de']).fields;
    assert.deepEqual([field?.label, field?.help, field?.options], ['Stadt', 'Wo', [{ value: 'k', label: 'Köln' }]]);
  });

  it('looks a language up from the most special tag to the most general', () => {
    const label = { en: 'e', 'de-AT': 'at', de: 'd', 'zh-Hant': 'zh', 'pt-BR': 'br' };
    assert.equal(labelFor(label, 'de-AT-1901'), 'at');
    assert.equal(labelFor(label, 'de-CH'), 'd');
    assert.equal(labelFor(label, 'DE-at'), 'at');
    assert.equal(labelFor(label, 'zh-Hant-TW'), 'zh');
    assert.equal(labelFor(label, 'fr', 'de'), 'd');
  });

  it('falls back to English, then to the first text', () => {
    assert.equal(labelFor({ de: 'd', en: 'e' }, 'fr'), 'e');
    assert.equal(labelFor({ de: 'd', fr: 'f' }, 'es'), 'd');
    assert.equal(labelFor({ de: 'd', 'en-GB': 'gb' }), 'd');
    assert.equal(labelFor('plain', 'de'), 'plain');
    assert.equal(labelFor({ de: 'd' }, 'constructor', '__proto__'), 'd');
  });
});

const age = { name: 'age', type: 'number', label: { en: 'Your age', de: 'Ihr Alter' }, required: true, min: 18, max: 130 };
const rules = { name: 'rules', type: 'checkbox', label: 'The rules', required: true };
const motto = { name: 'motto', type: 'text', label: 'Motto', min_length: 2, max_length: 5, pattern: '[a-z ü]*' };

/** Messages of the fields at fault. */
function faultsOf(fields: readonly unknown[], answers: Readonly<Record<string, unknown>>): unknown {
  return validateAnswers(fieldsOf(...fields), answers, []).errors;
}

describe('validateAnswers', () => {
  it('gives the answers, each as its type has it', () => {
    const fields = fieldsOf(
      age, rules, motto, { name: 'mail', type: 'email', label: 'Mail' }, { name: 'born', type: 'date', label: 'Born', min: '1900-01-01' },
      { name: 'town', type: 'select', label: 'Town', options: ['Bonn', { value: 'k', label: 'Köln' }] }, { name: 'news', type: 'checkbox', label: 'News' },
    );
    assert.deepEqual(
      validateAnswers(fields, { age: '18', rules: true, motto: ' für ', mail: 'a@b.example', born: '2000-02-29', town: 'k', news: false }, []),
      { answers: { age: 18, rules: true, motto: 'für', mail: 'a@b.example', born: '2000-02-29', town: 'k', news: false } },
    );
  });

  const cases: readonly (readonly [field: object, answer: unknown, message: string])[] = [
    [age, undefined, 'Please answer this question.'],
    [age, 'canary', 'Please enter a number.'],
    [age, true, 'Please enter a number.'],
    [age, 'Infinity', 'Please enter a number.'],
    [age, 131, 'Must be 130 or less.'],
    [motto, 'x', 'Please use at least 2 characters.'],
    [motto, 'ABC', 'Please use the format that was asked for.'],
    [motto, 5, 'Please enter a text.'],
    [{ ...motto, max_length: undefined, pattern: undefined }, 'x'.repeat(1001), 'Please use at most a thousand characters.'],
    [{ name: 'mail', type: 'email', label: 'Mail' }, 'canary', 'Please enter an e-mail address.'],
    [{ name: 'born', type: 'date', label: 'Born', min: '1900-01-01' }, '2023-02-29', 'Please enter a date.'],
    [{ name: 'born', type: 'date', label: 'Born', min: '1900-01-01' }, '1899-12-31', 'Must be 1900-01-01 or later.'],
    [{ name: 'born', type: 'date', label: 'Born', max: '2010-01-01' }, '2010-01-02', 'Must be 2010-01-01 or earlier.'],
    [{ name: 'town', type: 'select', label: 'Town', options: ['Bonn'] }, 'canary', 'Please choose one of the options.'],
    [rules, false, 'Please tick this box.'],
  ];
  it('names the rule, not the answer', () => {
    for (const [field, answer, message] of cases) {
      const { name } = field as { name: string };
      assert.deepEqual(faultsOf([field], { [name]: answer }), { [name]: message }, JSON.stringify(answer)?.slice(0, 20));
    }
  });

  it('rejects a reader who breaks a rule with onFail: reject, with the publisher\'s reason in the reader\'s language, or none', () => {
    const check = (reason: object) => validateAnswers(fieldsOf({ ...age, onFail: 'reject', ...reason }, rules), { age: 17 }, ['de']).rejection;
    assert.deepEqual(check({ reason: { en: 'Too young.', de: 'Zu jung.' } }), { reason: 'Zu jung.' });
    assert.deepEqual(check({}), {});
  });

  it('returns a fault and no rejection for a format error: an unanswered question, a text instead of a number', () => {
    const strict = { ...age, onFail: 'reject' };
    assert.deepEqual(faultsOf([strict], {}), { age: 'Please answer this question.' });
    assert.deepEqual(faultsOf([strict], { age: 'x' }), { age: 'Please enter a number.' });
    assert.deepEqual(faultsOf([strict], { age: false }), { age: 'Please enter a number.' });
    assert.deepEqual(faultsOf([{ ...rules, onFail: 'reject' }], {}), { rules: 'Please tick this box.' });
  });

  it('takes `false` for an answer to a checkbox', () => {
    assert.deepEqual(validateAnswers(fieldsOf({ ...rules, onFail: 'reject' }), { rules: false }, []).rejection, {});
  });
});
