import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldSchema } from './fields.ts';

const text = { name: 'motto', type: 'text', label: 'Motto' };
const number = { name: 'age', type: 'number', label: 'Age' };
const date = { name: 'born', type: 'date', label: 'Born' };
const select = { name: 'town', type: 'select', label: 'Town', options: ['Bonn'] };

function issuesOf(field: unknown): string {
  const result = fieldSchema.safeParse(field);
  return result.success ? '' : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

const NAME = 'name: must start with a letter or _ and contain only letters, digits, - and _, such as "age"';
const LABEL = 'label: must be a text such as "Your age", or texts by language such as { "en": "Your age", "de": "Ihr Alter" }';
const bound = (name: string) => `${name}: must be a number such as 18 for a number field, or a date such as "2000-01-31" for a date field`;
const PATTERN = 'pattern: must be a regular expression such as "[0-9]{5}", without look-around, back-references and set operations';
const tooLong = (length: number) => `pattern: takes too long for an answer of ${length} characters: repeat without a count, such as `
  + '"[a-z]+" instead of "[a-z]{1,500}", or set max_length to at most 97';

/** Many states for each character. */
const costly = String.raw`(\p{L}{1,100} ?){1,10}`;

const accepted: readonly object[] = [
  { ...text, min_length: 0, max_length: 10_000, pattern: '[a-z]+', help: 'Latin', required: true, onFail: 'reject' },
  { name: 'mail', type: 'email', label: { en: 'Mail', de: 'E-Mail' }, max_length: 100 },
  { ...number, min: 18, max: 130.5 },
  { ...date, min: '1900-01-01', max: '2024-02-29' },
  { ...select, options: ['Bonn', { value: 'k', label: { en: 'Cologne', de: 'Köln' } }] },
  { name: 'rules', type: 'checkbox', label: 'I accept the rules', required: true },
  ...['a', '_a', 'first-name_2', 'a'.repeat(64)].map((name) => ({ ...text, name })),
  { ...number, min: 18, max: 18 },
  { ...text, pattern: costly, max_length: 97 },
  { ...text, pattern: String.raw`[\p{L}\p{N} ]+`, max_length: 10_000 },
  ...[String.raw`\S+@\S+\.\S{2,63}`, String.raw`([A-Za-z]+[ '\-]?)+`, String.raw`[A-Z]{2}\d{2}[A-Z0-9]{11,30}`].map((pattern) => ({ ...text, pattern })),
];

const refused: readonly (readonly [issue: string, ...fields: readonly object[]])[] = [
  [NAME, ...['', '1st', 'a b', 'a.b', '__proto__', 'ä', 'a'.repeat(65)].map((name) => ({ ...text, name }))],
  [LABEL, ...['', {}, 5, undefined].map((label) => ({ ...text, label }))],
  ...['min', 'max'].map((name) => [
    bound(name), { ...number, [name]: '18' }, { ...date, [name]: 18 }, { ...date, [name]: '2023-02-29' }, { ...date, [name]: '1.1.2000' },
    { ...text, [name]: 1 }, { ...select, [name]: 1 }, { ...number, [name]: true },
  ] as const),
  ...Object.entries({ min_length: 1, max_length: 1, pattern: 'a' }).map(([name, value]) => [
    `${name}: is allowed for text and email only`, ...[number, date, select].map((field) => ({ ...field, [name]: value })),
  ] as const),
  [PATTERN, ...['(', '[', 'a{2,1}', '[(]', 'a)b(', '(?=a)b', String.raw`(a)\1`].map((pattern) => ({ ...text, pattern }))],
  [tooLong(1_000), { ...text, pattern: costly }],
  [tooLong(98), { ...text, pattern: costly, max_length: 98 }],
  ['min: must not be above max', { ...number, min: 19, max: 18 }, { ...date, min: '2000-01-02', max: '2000-01-01' }],
  ['min_length: must not be above max_length (1000 unless it is set)', { ...text, min_length: 3, max_length: 2 }, { ...text, min_length: 1001 }],
  ['options: must not contain two options of one value', { ...select, options: ['k', { value: 'k', label: 'Köln' }] }],
  ['options: is allowed for a select only', { ...text, options: ['a'] }],
  ['options: is required for a select', { ...select, options: undefined }],
  ['options: must contain at least one option', { ...select, options: [] }],
  ['options.0: must be a text such as "Berlin", or { "value": "b", "label": "Berlin" }', { ...select, options: [''] }],
];

describe('fieldSchema', () => {
  it('accepts each type with its rules', () => {
    for (const field of accepted) assert.equal(issuesOf(field), '', JSON.stringify(field));
  });

  it('defaults to an optional question whose answer can be corrected', () => {
    const { required, onFail } = fieldSchema.parse(text);
    assert.deepEqual({ required, onFail }, { required: false, onFail: 'correct' });
  });

  for (const [issue, ...fields] of refused) {
    it(`refuses with ${issue}`, () => {
      for (const field of fields) assert.equal(issuesOf(field), issue, JSON.stringify(field));
    });
  }

  it('refuses unknown members', () => {
    assert.partialDeepStrictEqual(fieldSchema.safeParse({ ...text, minimum: 1 }).error?.issues, [{ code: 'unrecognized_keys', keys: ['minimum'] }]);
  });
});
