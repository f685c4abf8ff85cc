/** The publisher's form: its fields in the language of a request, and the validation of a reader's answers. */

import {
  checkAnswer, isFormatError, type AnswerErrorType, type Answers, type AnswerValue, type Form, type FormField,
} from '@vestibule/shared';
import type { Field, Localized } from '../config/fields.ts';
import { ProblemError } from '../http/problem.ts';
import { isObject } from '../lib/json.ts';
import { matchesPattern } from '../lib/linear-pattern.ts';

/** @param languages BCP 47 tags, best first. */
export function localizeForm(fields: readonly Field[], languages: readonly string[]): Form {
  return { fields: fields.map((field) => localizeField(field, languages)) };
}

export function localizeField(field: Field, languages: readonly string[]): FormField {
  const { onFail: _, reason: __, label, help, options, ...rest } = field;
  return {
    ...rest,
    label: localize(label, languages),
    ...(help !== undefined && { help: localize(help, languages) }),
    ...(options !== undefined && {
      options: options.map((option) => (typeof option === 'string'
        ? { value: option, label: option }
        : { value: option.value, label: localize(option.label, languages) })),
    }),
  };
}

/** The first text whose tag is, or begins, a wanted language (RFC 4647 lookup); else English; else the first. */
function localize(text: Localized, languages: readonly string[]): string {
  if (typeof text === 'string') return text;
  const byTag = new Map(Object.entries(text).map(([tag, words]) => [tag.toLowerCase(), words]));
  for (const language of [...languages, 'en']) {
    for (let tag = language.toLowerCase(); tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const words = byTag.get(tag);
      if (words !== undefined) return words;
    }
  }
  return byTag.values().next().value ?? '';
}

export type ValidatedAnswers =
  | { readonly outcome: 'valid'; readonly answers: Answers }
  /** An answer broke the rule of a question with `onFail: 'reject'`. */
  | { readonly outcome: 'rejected'; readonly reason: string };

/** @throws {ProblemError} `invalid-request` for an answer to an unknown question, `invalid-answers` for answers that the
 *  reader can correct */
export function validateAnswers(fields: readonly Field[], given: unknown, languages: readonly string[]): ValidatedAnswers {
  if (!isObject(given)) throw new ProblemError('invalid-request', { detail: 'answers must be an object.' });
  const names = new Set(fields.map(({ name }) => name));
  if (Object.keys(given).some((name) => !names.has(name))) {
    throw new ProblemError('invalid-request', { detail: 'answers holds an answer to a question that was not asked.' });
  }
  const answers: Record<string, AnswerValue> = {};
  const errors: Record<string, string> = {};
  let reason: string | undefined;
  for (const field of fields) {
    const shown = localizeField(field, languages);
    const answer = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const check = checkAnswer(shown, answer, matchesPattern);
    if (!check.ok) {
      const message = sentenceOf(check.error, shown);
      if (isRejection(field, check.error, answer)) reason ??= field.reason === undefined ? `${shown.label}: ${message}` : localize(field.reason, languages);
      errors[field.name] = message;
    } else if (check.value !== undefined) {
      answers[field.name] = check.value;
    }
  }
  if (reason !== undefined) return { outcome: 'rejected', reason };
  if (Object.keys(errors).length > 0) throw new ProblemError('invalid-answers', { fields: errors });
  return { outcome: 'valid', answers };
}

/** A question left open is a slip; a box left unticked on purpose (`false`) is an answer. */
function isRejection(field: Field, error: AnswerErrorType, answer: unknown): boolean {
  if (field.onFail !== 'reject') return false;
  return !isFormatError(error) || (error === 'required' && answer === false);
}

function sentenceOf(error: AnswerErrorType, field: FormField): string {
  switch (error) {
    case 'required': return field.type === 'checkbox' ? 'Please tick this box.' : 'Please answer this question.';
    case 'not-a-text': return 'Please enter a text.';
    case 'not-a-number': return 'Please enter a number.';
    case 'not-a-date': return 'Please enter a date.';
    case 'not-an-email': return 'Please enter an e-mail address.';
    case 'not-an-option': return 'Please choose one of the options.';
    case 'too-low': return field.type === 'date' ? `Must be ${field.min} or later.` : `Must be ${field.min} or more.`;
    case 'too-high': return field.type === 'date' ? `Must be ${field.max} or earlier.` : `Must be ${field.max} or less.`;
    case 'too-short': return `Please use at least ${field.min_length} characters.`;
    case 'too-long': return `Please use at most ${field.max_length ?? 'a thousand'} characters.`;
    case 'pattern': return 'Please use the format that was asked for.';
  }
}
