/**
 * The reader's answers: reads them from the controls, checks them by the rules of the BFF, says how to correct them, and keeps
 * them for a reload.
 */

import {
  checkAnswer, DEFAULT_ANSWER_MAX_LENGTH, isFormatError,
  type AnswerCheck, type AnswerErrorType, type Answers, type AnswerValue, type FormField,
} from '@vestibule/shared';
import type { SyncStrings } from '../locales/en-sync.ts';
import { fill, plural } from '../locales/phrase.ts';
import { read, remove, write } from '../storage/storage.ts';

/** Text of a control, or whether a checkbox is checked. `null`: the input is not of the control's type, such as half a date. */
export type RawAnswer = string | boolean | null;

/** By field name. */
export type RawAnswers = ReadonlyMap<string, RawAnswer>;

/** Why an answer is not accepted: type of the error, or the BFF's message. */
export type AnswerError = AnswerErrorType | { readonly message: string };

/** By field name, in the order of the questions. */
export type AnswerErrors = ReadonlyMap<string, AnswerError>;

export type AnswerControl = HTMLInputElement | HTMLSelectElement;

export function readControl(control: AnswerControl): RawAnswer {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked;
  return control.validity.badInput ? null : control.value;
}

export function readAnswers(form: HTMLFormElement): RawAnswers {
  const controls = form.querySelectorAll<AnswerControl>('input, select');
  return new Map([...controls].map((control) => [control.name, readControl(control)]));
}

/** Only missing answers and answers of a wrong type are errors here. The others are sent: the publisher decides whether they
 *  may be corrected or end the sign-in. `answers` is complete only without errors. */
export function checkAnswers(fields: readonly FormField[], raw: RawAnswers): { answers: Answers; errors: AnswerErrors } {
  const answers = new Map<string, AnswerValue>();
  const errors = new Map<string, AnswerError>();
  for (const field of fields) {
    const given = raw.get(field.name);
    const check = checkRawAnswer(field, given);
    if (!check.ok && isFormatError(check.error)) {
      errors.set(field.name, check.error);
      continue;
    }
    const value = check.ok ? check.value : field.type === 'number' ? Number(given) : given;
    if (value !== undefined && value !== null) answers.set(field.name, value);
  }
  return { answers: Object.fromEntries(answers), errors };
}

export function checkRawAnswer(field: FormField, raw: RawAnswer | undefined): AnswerCheck {
  if (raw === null) return { ok: false, error: field.type === 'number' ? 'not-a-number' : 'not-a-date' };
  return checkAnswer(field, raw);
}

/** The BFF's errors in the order of the questions, those without a question last. Errors that this module finds as well are
 *  shown in the reader's language, the others as the BFF's messages. */
export function serverErrors(
  fields: readonly FormField[], raw: RawAnswers, messages: Readonly<Record<string, string>>,
): AnswerErrors {
  const errors = new Map<string, AnswerError>();
  for (const name of new Set([...fields.map((field) => field.name), ...Object.keys(messages)])) {
    if (!Object.hasOwn(messages, name)) continue;
    const field = fields.find((candidate) => candidate.name === name);
    const check = field && checkRawAnswer(field, raw.get(name));
    errors.set(name, check && !check.ok ? check.error : { message: messages[name]! });
  }
  return errors;
}

/** How to correct the answer. @param tag language of `words`; formats numbers and dates */
export function answerErrorMessage(error: AnswerError, field: FormField, words: SyncStrings['answerErrors'], tag: string): string {
  if (typeof error !== 'string') return error.message;
  const { type } = field;
  switch (error) {
    case 'required': return type === 'select' ? words.requiredOption : type === 'checkbox' ? words.requiredTick : words.required;
    case 'too-low': return limit(type === 'date' ? words.dateTooEarly : words.numberTooLow, field.min, tag);
    case 'too-high': return limit(type === 'date' ? words.dateTooLate : words.numberTooHigh, field.max, tag);
    case 'too-short': return plural(tag, words['too-short'], field.min_length ?? 1);
    case 'too-long': return plural(tag, words['too-long'], field.max_length ?? DEFAULT_ANSWER_MAX_LENGTH);
    default: return words[error];
  }
}

function limit(phrase: string, bound: number | string | undefined, tag: string): string {
  const written = typeof bound === 'number'
    ? new Intl.NumberFormat(tag, { useGrouping: 'min2' }).format(bound)
    : new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${bound}T00:00:00Z`));
  return fill(phrase, { limit: written }).join('');
}

/** Whose answers are kept: those of one reader and forum at a time. */
export interface AnswerOwner {
  /** The BFF's public URL. */
  readonly bff: string;
  readonly forum: string;
  readonly userId: string;
}

/** Keeps unsent answers for a reload. Where the browser refuses storage, they last as long as the page. */
export function storeAnswers({ bff, forum, userId }: AnswerOwner, answers: RawAnswers): void {
  write(storageKey(bff), { forum, userId, answers: [...answers] }, 'sessionStorage');
}

export function readStoredAnswers({ bff, forum, userId }: AnswerOwner): RawAnswers {
  const kept = read<AnswerOwner & { answers: [string, RawAnswer][] }>(storageKey(bff), 'sessionStorage');
  return new Map(kept?.forum === forum && kept.userId === userId ? kept.answers : []);
}

export function removeStoredAnswers(bff: string): void {
  remove(storageKey(bff), 'sessionStorage');
}

const storageKey = (bff: string): string => `vestibule:answers:${bff}`;
