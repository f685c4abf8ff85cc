/** Checks one answer against one field, by the same rules in the form and in the BFF. Returns the type of the error; the caller
 *  writes the sentence. */

import { countCodePoints, isBlank } from './text.ts';
import type { AnswerValue, FormField } from './form.ts';

/** The rule that an answer breaks. */
export type AnswerErrorType =
  | 'required' | 'not-a-text' | 'not-a-number' | 'not-a-date' | 'not-an-email' | 'not-an-option'
  | 'too-low' | 'too-high' | 'too-short' | 'too-long' | 'pattern';

/** Whether the answer is missing or has the wrong type. The reader may always correct such an answer. For other errors the
 *  publisher decides (`onFail`), so only the BFF knows. */
export function isFormatError(error: AnswerErrorType): boolean {
  return formatErrors.includes(error);
}

const formatErrors: readonly AnswerErrorType[] = ['required', 'not-a-text', 'not-a-number', 'not-a-date', 'not-an-email'];

/** `value` is `undefined` for an optional field without an answer. */
export type AnswerCheck =
  | { readonly ok: true; readonly value: AnswerValue | undefined }
  | { readonly ok: false; readonly error: AnswerErrorType };

/** Longest text answer of a field without `max_length`, in code points. */
export const DEFAULT_ANSWER_MAX_LENGTH = 1000;

/** Whether the whole text matches an HTML `pattern`. The BFF passes a linear-time engine. */
export type MatchesPattern = (pattern: string, text: string) => boolean;

const matchesRegExp: MatchesPattern = (pattern, text) => new RegExp(`^(?:${pattern})$`, 'v').test(text);

/** Checks `answer` (as it came from JSON or from a form control) against `field`. Never throws on any answer. */
export function checkAnswer(field: FormField, answer: unknown, matches: MatchesPattern = matchesRegExp): AnswerCheck {
  if (field.type === 'checkbox') return checkTick(field, answer);
  if (isUnanswered(answer)) return field.required ? fail('required') : { ok: true, value: undefined };
  switch (field.type) {
    case 'number': return checkNumber(field, answer);
    case 'date': return checkDate(field, answer);
    case 'select': return checkOption(field, answer);
    default: return checkText(field, answer, matches);
  }
}

function isUnanswered(answer: unknown): boolean {
  return answer === undefined || answer === null || (typeof answer === 'string' && isBlank(answer));
}

function checkTick(field: FormField, answer: unknown): AnswerCheck {
  const ticked = answer ?? false;
  if (typeof ticked !== 'boolean') return fail('not-an-option');
  return field.required && !ticked ? fail('required') : { ok: true, value: ticked };
}

function checkNumber(field: FormField, answer: unknown): AnswerCheck {
  const value = typeof answer === 'string' ? Number(answer.trim()) : answer;
  if (typeof value !== 'number' || !Number.isFinite(value)) return fail('not-a-number');
  if (field.min !== undefined && value < Number(field.min)) return fail('too-low');
  if (field.max !== undefined && value > Number(field.max)) return fail('too-high');
  return { ok: true, value };
}

function checkDate(field: FormField, answer: unknown): AnswerCheck {
  if (typeof answer !== 'string' || !isCalendarDate(answer)) return fail('not-a-date');
  if (field.min !== undefined && answer < String(field.min)) return fail('too-low');
  if (field.max !== undefined && answer > String(field.max)) return fail('too-high');
  return { ok: true, value: answer };
}

function checkOption(field: FormField, answer: unknown): AnswerCheck {
  const known = field.options?.some((option) => option.value === answer) ?? false;
  return known ? { ok: true, value: answer as string } : fail('not-an-option');
}

function checkText(field: FormField, answer: unknown, matches: MatchesPattern): AnswerCheck {
  if (typeof answer !== 'string' || !answer.isWellFormed()) return fail('not-a-text');
  const value = answer.trim();
  const length = countCodePoints(value);
  if (length > (field.max_length ?? DEFAULT_ANSWER_MAX_LENGTH)) return fail('too-long');
  if (field.min_length !== undefined && length < field.min_length) return fail('too-short');
  if (field.type === 'email' && !EMAIL.test(value)) return fail('not-an-email');
  if (field.pattern !== undefined && !matches(field.pattern, value)) return fail('pattern');
  return { ok: true, value };
}

/** The `valid e-mail address` of HTML (4.10.5.1.5), without backtracking. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Whether `text` is an existing day as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function fail(error: AnswerErrorType): AnswerCheck {
  return { ok: false, error };
}
