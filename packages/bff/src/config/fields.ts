/** Schema of the publisher's questions, with their patterns. */

import { RE2JS } from 're2js';
import * as z from 'zod';
import { DEFAULT_ANSWER_MAX_LENGTH, isCalendarDate, type FieldType } from '@vestibule/shared';

const FIELD_TYPES = ['text', 'email', 'number', 'date', 'select', 'checkbox'] as const satisfies readonly FieldType[];

const NAME_RULE = 'must start with a letter or _ and contain only letters, digits, - and _, such as "age"';

const LABEL_RULE = 'must be a text such as "Your age", or texts by language such as { "en": "Your age", "de": "Ihr Alter" }';
const label = z.string().min(1, LABEL_RULE);
const byLanguage = z.record(z.string(), label).refine((texts) => Object.keys(texts).length > 0, LABEL_RULE);
const localized = z.union([label, byLanguage], LABEL_RULE);

const OPTION_RULE = 'must be a text such as "Berlin", or { "value": "b", "label": "Berlin" }';
const value = z.string().min(1, OPTION_RULE);
const option = z.union([value, z.strictObject({ value, label: localized })], OPTION_RULE);

const BOUND_RULE = 'must be a number such as 18 for a number field, or a date such as "2000-01-31" for a date field';
const limit = z.union([z.number(), z.string()], BOUND_RULE);

const MIN_LENGTH_RULE = 'must be a whole number of characters, 0 or more, such as 2';
const MAX_LENGTH_RULE = 'must be a whole number of characters from 1 to 10000, such as 200';
const PATTERN_RULE = 'must be a regular expression such as "[0-9]{5}", without look-around, back-references and set operations';

/** Instructions of a compiled pattern times the characters of the longest answer: some 20 ms of the event loop. */
const MAX_PATTERN_COST = 200_000;

const shape = {
  name: z.string(NAME_RULE).regex(/^(?!__proto__$)[A-Za-z_][\w-]{0,63}$/, NAME_RULE),
  type: z.enum(FIELD_TYPES, `must be one of ${FIELD_TYPES.join(', ')}`),
  label: localized,
  help: localized.optional(),
  required: z.boolean('must be true or false').default(false),
  min: limit.optional(),
  max: limit.optional(),
  min_length: z.number(MIN_LENGTH_RULE).int(MIN_LENGTH_RULE).nonnegative(MIN_LENGTH_RULE).optional(),
  max_length: z.number(MAX_LENGTH_RULE).int(MAX_LENGTH_RULE).positive(MAX_LENGTH_RULE).max(10_000, MAX_LENGTH_RULE).optional(),
  pattern: z.string(PATTERN_RULE).refine(isPattern, PATTERN_RULE).optional(),
  options: z.array(option, 'must be a list such as ["Berlin", "Vienna"]').min(1, 'must contain at least one option').optional(),
  onFail: z.enum(['correct', 'reject'], 'must be correct or reject').default('correct'),
  reason: localized.optional(),
};

export const fieldSchema = z.strictObject(shape, 'must be an object with name, type and label').superRefine((field, context) => {
  const addIssue = (member: string, message: string) => { context.addIssue({ code: 'custom', path: [member], message }); };
  if (field.type === 'select' && field.options === undefined) addIssue('options', 'is required for a select');
  if (field.type !== 'select' && field.options !== undefined) addIssue('options', 'is allowed for a select only');
  for (const member of ['min', 'max'] as const) {
    const bound = field[member];
    if (bound === undefined) continue;
    if (field.type === 'number' && typeof bound === 'number') continue;
    if (field.type === 'date' && typeof bound === 'string' && isCalendarDate(bound)) continue;
    addIssue(member, BOUND_RULE);
  }
  const isText = field.type === 'text' || field.type === 'email';
  for (const member of ['min_length', 'max_length', 'pattern'] as const) {
    if (field[member] !== undefined && !isText) addIssue(member, 'is allowed for text and email only');
  }
  if (field.reason !== undefined && field.onFail !== 'reject') addIssue('reason', 'is allowed with onFail: "reject" only');
  // Questions that have no valid answer.
  const { min, max, min_length: minLength = 0, max_length: maxLength = DEFAULT_ANSWER_MAX_LENGTH, options = [], pattern } = field;
  if (typeof min === typeof max && min !== undefined && max !== undefined && min > max) addIssue('min', 'must not be above max');
  if (minLength > maxLength) addIssue('min_length', `must not be above max_length (${DEFAULT_ANSWER_MAX_LENGTH} unless it is set)`);
  const values = options.map((one) => (typeof one === 'string' ? one : one.value));
  if (new Set(values).size < values.length) addIssue('options', 'must not contain two options of one value');
  if (pattern === undefined || !isPattern(pattern)) return;
  const affordable = Math.floor(MAX_PATTERN_COST / compilePattern(pattern).programSize());
  if (maxLength <= affordable) return;
  addIssue('pattern', `takes too long for an answer of ${maxLength} characters: repeat without a count, such as "[a-z]+" instead `
  + `of "[a-z]{1,500}", or set max_length to at most ${affordable}`);
});

/** One question as a publisher writes it. */
export type ValidationField = z.input<typeof fieldSchema>;

/** A checked question with its defaults. */
export type Field = z.output<typeof fieldSchema>;

function isPattern(source: string): boolean {
  try {
    compilePattern(source);
    return true;
  } catch {
    return false;
  }
}

// HTML's `pattern`, matched in linear time (RE2). A pattern that RE2 or `RegExp` with the flag `v` refuses is refused.

const compiled = new Map<string, RE2JS>();

/** @throws {SyntaxError} if the pattern is not valid, or not supported in linear time */
function compilePattern(source: string): RE2JS {
  const known = compiled.get(source);
  if (known) return known;
  new RegExp(source, 'v');
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source, RE2JS.DOTALL);
  } catch (cause) {
    throw new SyntaxError('The pattern cannot be matched in linear time.', { cause });
  }
  compiled.set(source, pattern);
  return pattern;
}

export function matchesPattern(source: string, text: string): boolean {
  return compilePattern(source).matches(text);
}
