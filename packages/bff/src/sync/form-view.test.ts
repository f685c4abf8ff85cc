import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { fieldSchema } from '../config/fields.ts';
import { localizeForm } from './form.ts';

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

  it('keeps the order of the questions', () => {
    const names = ['z', 'a', 'm'];
    assert.deepEqual(localizeForm(fieldsOf(...names.map((name) => ({ name, type: 'checkbox', label: name }))), []).fields.map(({ name }) => name), names);
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
  });

  it('is not led astray by names of the prototype', () => {
    assert.equal(labelFor({ de: 'd' }, 'constructor', '__proto__'), 'd');
  });
});
