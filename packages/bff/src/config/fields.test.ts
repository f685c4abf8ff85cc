import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldSchema } from './fields.ts';

const text = { name: 'motto', type: 'text', label: 'Motto' };
const number = { name: 'age', type: 'number', label: 'Age' };
const date = { name: 'born', type: 'date', label: 'Born' };
const select = { name: 'town', type: 'select', label: 'Town', options: ['Bonn'] };

function faultOf(field: unknown): string {
  const result = fieldSchema.safeParse(field);
  return result.success ? '' : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

describe('fieldSchema', () => {
  it('takes each type with the rules that belong to it', () => {
    for (const field of [
      { ...text, min_length: 0, max_length: 10_000, pattern: '[a-z]+', help: 'Latin', required: true, onFail: 'reject' },
      { name: 'mail', type: 'email', label: { en: 'Mail', de: 'E-Mail' }, max_length: 100 },
      { ...number, min: 18, max: 130.5 },
      { ...date, min: '1900-01-01', max: '2024-02-29' },
      { ...select, options: ['Bonn', { value: 'k', label: { en: 'Cologne', de: 'Köln' } }] },
      { name: 'rules', type: 'checkbox', label: 'I accept the rules', required: true },
    ]) assert.equal(faultOf(field), '', field.type);
  });

  it('is not required and lets the reader correct, unless it says otherwise', () => {
    const { required, onFail } = fieldSchema.parse(text);
    assert.deepEqual({ required, onFail }, { required: false, onFail: 'correct' });
  });

  it('refuses a name that is no safe key', () => {
    for (const name of ['', '1st', 'a b', 'a.b', '__proto__', 'ä', 'a'.repeat(65)]) {
      assert.equal(faultOf({ ...text, name }), 'name: must start with a letter and hold letters, digits, - and _ only', name);
    }
    for (const name of ['a', '_a', 'first-name_2', 'a'.repeat(64)]) assert.equal(faultOf({ ...text, name }), '', name);
  });

  it('refuses a bound that is not of its type, or that its type has not', () => {
    const rule = 'must be a number for a number, YYYY-MM-DD for a date, and stands with no other type';
    for (const bound of ['min', 'max']) {
      for (const field of [
        { ...number, [bound]: '18' }, { ...date, [bound]: 18 }, { ...date, [bound]: '2023-02-29' }, { ...date, [bound]: '1.1.2000' },
        { ...text, [bound]: 1 }, { ...select, [bound]: 1 },
      ]) assert.equal(faultOf(field), `${bound}: ${rule}`);
    }
  });

  it('refuses lengths and a pattern beside anything but a text', () => {
    for (const [member, value] of [['min_length', 1], ['max_length', 1], ['pattern', 'a']] as const) {
      for (const field of [number, date, select]) {
        assert.equal(faultOf({ ...field, [member]: value }), `${member}: stands with text and email only`);
      }
    }
  });

  it('refuses a pattern that is none under the v flag', () => {
    for (const pattern of ['(', '[', 'a{2,1}', '[(]', 'a)b(']) assert.equal(faultOf({ ...text, pattern }), 'pattern: must be a regular expression', pattern);
  });

  it('refuses options beside another type, and a select without any', () => {
    const rule = 'options: belongs to a select, and a select needs it';
    assert.equal(faultOf({ ...text, options: ['a'] }), rule);
    assert.equal(faultOf({ ...select, options: undefined }), rule);
    assert.match(faultOf({ ...select, options: [] }), /^options: /);
    assert.match(faultOf({ ...select, options: [''] }), /^options\.0: /);
  });

  it('refuses members that it does not know, and empty labels', () => {
    assert.match(faultOf({ ...text, minimum: 1 }), /minimum/);
    for (const label of ['', { en: '' }, 5, undefined]) assert.match(faultOf({ ...text, label }), /^label(?:\.en)?: /);
  });
});
