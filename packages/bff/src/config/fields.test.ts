import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchesPattern } from '../lib/linear-pattern.ts';
import { fieldSchema } from './fields.ts';

const text = { name: 'motto', type: 'text', label: 'Motto' };
const number = { name: 'age', type: 'number', label: 'Age' };
const date = { name: 'born', type: 'date', label: 'Born' };
const select = { name: 'town', type: 'select', label: 'Town', options: ['Bonn'] };

function issuesOf(field: unknown): string {
  const result = fieldSchema.safeParse(field);
  return result.success ? '' : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

const PATTERN_RULE = 'must be a regular expression such as "[0-9]{5}", without look-around, back-references and set operations';

describe('fieldSchema', () => {
  it('accepts each type with its rules', () => {
    for (const field of [
      { ...text, min_length: 0, max_length: 10_000, pattern: '[a-z]+', help: 'Latin', required: true, onFail: 'reject' },
      { name: 'mail', type: 'email', label: { en: 'Mail', de: 'E-Mail' }, max_length: 100 },
      { ...number, min: 18, max: 130.5 },
      { ...date, min: '1900-01-01', max: '2024-02-29' },
      { ...select, options: ['Bonn', { value: 'k', label: { en: 'Cologne', de: 'Köln' } }] },
      { name: 'rules', type: 'checkbox', label: 'I accept the rules', required: true },
    ]) assert.equal(issuesOf(field), '', field.type);
  });

  it('defaults to an optional question whose answer can be corrected', () => {
    const { required, onFail } = fieldSchema.parse(text);
    assert.deepEqual({ required, onFail }, { required: false, onFail: 'correct' });
  });

  it('refuses a name that is not an identifier', () => {
    for (const name of ['', '1st', 'a b', 'a.b', '__proto__', 'ä', 'a'.repeat(65)]) {
      assert.equal(issuesOf({ ...text, name }), 'name: must start with a letter or _ and contain only letters, digits, - and _, such as "age"', name);
    }
    for (const name of ['a', '_a', 'first-name_2', 'a'.repeat(64)]) assert.equal(issuesOf({ ...text, name }), '', name);
  });

  it('refuses a bound of another type, or beside a type without bounds', () => {
    const rule = 'must be a number such as 18 for a number field, or a date such as "2000-01-31" for a date field';
    for (const bound of ['min', 'max']) {
      for (const field of [
        { ...number, [bound]: '18' }, { ...date, [bound]: 18 }, { ...date, [bound]: '2023-02-29' }, { ...date, [bound]: '1.1.2000' },
        { ...text, [bound]: 1 }, { ...select, [bound]: 1 }, { ...number, [bound]: true },
      ]) assert.equal(issuesOf(field), `${bound}: ${rule}`);
    }
  });

  it('refuses lengths and a pattern beside types other than text and email', () => {
    for (const [member, value] of [['min_length', 1], ['max_length', 1], ['pattern', 'a']] as const) {
      for (const field of [number, date, select]) {
        assert.equal(issuesOf({ ...field, [member]: value }), `${member}: is allowed for text and email only`);
      }
    }
  });

  it('refuses a pattern that is not a regular expression under the v flag, or not linear in time', () => {
    for (const pattern of ['(', '[', 'a{2,1}', '[(]', 'a)b(', '(?=a)b', String.raw`(a)\1`]) {
      assert.equal(issuesOf({ ...text, pattern }), `pattern: ${PATTERN_RULE}`, pattern);
    }
  });

  it('refuses a pattern that takes long for the longest answer', () => {
    const costly = String.raw`(\p{L}{1,100} ?){1,10}`;
    const issue = (length: number) => `pattern: takes too long for an answer of ${length} characters: repeat without a count, such as `
      + '"[a-z]+" instead of "[a-z]{1,500}", or set max_length to at most 97';
    assert.equal(issuesOf({ ...text, pattern: costly }), issue(1_000));
    assert.equal(issuesOf({ ...text, pattern: costly, max_length: 98 }), issue(98));
    for (const field of [
      { pattern: costly, max_length: 97 }, { pattern: String.raw`[\p{L}\p{N} ]+`, max_length: 10_000 }, { pattern: String.raw`\S+@\S+\.\S{2,63}` },
      { pattern: String.raw`([A-Za-z]+[ '\-]?)+` }, { pattern: String.raw`[A-Z]{2}\d{2}[A-Z0-9]{11,30}` }, { pattern: '[a-z]{1,90}' },
    ]) assert.equal(issuesOf({ ...text, ...field }), '', field.pattern);
  });

  it('refuses options beside another type, and a select without options', () => {
    assert.equal(issuesOf({ ...text, options: ['a'] }), 'options: is allowed for a select only');
    assert.equal(issuesOf({ ...select, options: undefined }), 'options: is required for a select');
    assert.equal(issuesOf({ ...select, options: [] }), 'options: must contain at least one option');
    assert.equal(issuesOf({ ...select, options: [''] }), 'options.0: must be a text such as "Berlin", or { "value": "b", "label": "Berlin" }');
  });

  it('refuses unknown members and empty labels', () => {
    assert.partialDeepStrictEqual(fieldSchema.safeParse({ ...text, minimum: 1 }).error?.issues, [{ code: 'unrecognized_keys', keys: ['minimum'] }]);
    for (const label of ['', { en: '' }, {}, 5, undefined]) assert.match(issuesOf({ ...text, label }), /^label(?:\.en)?: must be a text such as "Your age"/);
  });
});

/** Patterns whose engine builds many states, by the number of repetitions. */
const costlyPatterns: Readonly<Record<string, (count: number) => string>> = {
  'a letter before the end': (count) => `.*a.{${count}}`,
  'any letter before the end': (count) => String.raw`.*\p{L}.{${count}}`,
  'many classes before the end': (count) => String.raw`.*(?:\p{Lu}|\p{Ll}|\p{Nd}|\p{M}|\p{P}|\p{S}).{${count}}`,
  'negated classes': (count) => String.raw`.*\p{L}\p{N}?[^\p{P}]{${count}}`,
  'word boundaries': (count) => String.raw`(?:\b.?|\B.?){${count}}`,
};

const alphabets = ['ab', 'aAn1 ,-', '🦊中b1'].map((characters) => [...characters]);

/** A pattern and answers whose time the others are compared with: about 3.5 ms, where the costliest take 11 ms. */
const REFERENCE = { pattern: String.raw`.*\p{L}.{20}`, characters: [...'aAn1 ,-'], length: 1_000 };

/** Measured: at most 3.2. */
const MAX_RATIO = 6;

const MATCHES = 8;

describe('the longest answer to the costliest accepted pattern', () => {
  const references = answersOf(REFERENCE.characters, REFERENCE.length);

  for (const [name, patternOf] of Object.entries(costlyPatterns)) {
    for (const length of [500, 1_000, 10_000]) {
      it(`is matched in less than ${MAX_RATIO} times the time of a simple one: ${name}, ${length} characters`, () => {
        const isAccepted = (count: number) => issuesOf({ ...text, pattern: patternOf(count), max_length: length }) === '';
        const pattern = patternOf(largestWhere(isAccepted, 1_000));
        for (const characters of alphabets) {
          const answers = answersOf(characters, length);
          // The least of several rounds: what else runs on the machine slows a round down.
          let ratio = Infinity;
          for (let round = 0; round < 4 && ratio >= MAX_RATIO; round += 1) {
            ratio = Math.min(ratio, cpuTimeOf(pattern, answers) / cpuTimeOf(REFERENCE.pattern, references));
          }
          assert.ok(ratio < MAX_RATIO, `${ratio} with ${pattern} and ${characters.join('')}`);
        }
      });
    }
  }
});

function answersOf(characters: readonly string[], length: number): readonly string[] {
  return Array.from({ length: MATCHES }, (_, seed) => answerOf(characters, length, seed + 1));
}

/** In ms for an answer. */
function cpuTimeOf(pattern: string, answers: readonly string[]): number {
  const beganAt = process.threadCpuUsage();
  for (const answer of answers) matchesPattern(pattern, answer);
  const { user, system } = process.threadCpuUsage(beganAt);
  return (user + system) / 1_000 / answers.length;
}

/** Bisects; the condition must hold from 1 up to the result. */
function largestWhere(holds: (count: number) => boolean, limit: number): number {
  assert.ok(holds(1));
  let [least, most] = [1, limit];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (holds(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** Characters in an order that repeats late; the same one for a seed. */
function answerOf(characters: readonly string[], length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = Math.imul(state, 48_271) % 0x7fffffff;
    return characters[Math.abs(state) % characters.length];
  }).join('');
}
