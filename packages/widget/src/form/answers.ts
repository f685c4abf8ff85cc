/**
 * The reader's answers: reads them from the controls, checks them by the rules of the BFF, says how to correct them, and keeps
 * them for a reload.
 */

import {
  checkAnswer, DEFAULT_ANSWER_MAX_LENGTH, isBlank, isFormatError,
  type AnswerCheck, type AnswerErrorType, type Answers, type FormField, type SyncOffer,
} from '@vestibule/shared';
import { fill } from '../lib/fill.ts';
import type { SyncStrings } from '../locales/en-sync.ts';
import { plural } from '../locales/phrase.ts';
import { answersKey } from '../storage/readers.ts';
import { read, remove, write } from '../storage/storage.ts';

/** Text of a control, or whether a checkbox is checked. `null`: the input is not of the control's type, such as half a date. */
export type RawAnswer = string | boolean | null;

/** By field name. */
export type RawAnswers = ReadonlyMap<string, RawAnswer>;

/** Why an answer is not accepted: type of the error, or the BFF's message. By field name, in the order of the questions. */
export type AnswerErrors = ReadonlyMap<string, AnswerErrorType | { readonly message: string }>;

/** `FormData` cannot tell invalid input from none. */
export function readAnswers(form: HTMLFormElement): RawAnswers {
  const controls = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select');
  return new Map([...controls].map((control) => {
    const answer = control.type === 'checkbox' ? (control as HTMLInputElement).checked : control.value;
    return [control.name, control.validity.badInput ? null : answer];
  }));
}

/** Only missing answers and answers of a wrong type are errors here. The others are sent: the publisher decides whether they
 *  may be corrected or end the sign-in. `answers` is complete only without errors; it has a member for each question, because the
 *  BFF may have an answer of its own to a question that was not shown. @param tag as of `parseNumber` */
export function checkAnswers(
  fields: readonly FormField[], raw: RawAnswers, tag: string,
): { answers: Answers; errors: AnswerErrors } {
  const answers: Record<string, Answers[string]> = {};
  const errors = new Map<string, AnswerErrorType>();
  for (const field of fields) {
    const given = typedAnswer(field, raw.get(field.name), tag);
    const check = checkTypedAnswer(field, given);
    if (!check.ok && isFormatError(check.error)) {
      errors.set(field.name, check.error);
    } else {
      answers[field.name] = (check.ok ? check.value : given) ?? '';
    }
  }
  return { answers, errors };
}

/** @param tag as of `parseNumber` */
export function checkRawAnswer(field: FormField, raw: RawAnswer | undefined, tag: string): AnswerCheck {
  return checkTypedAnswer(field, typedAnswer(field, raw, tag));
}

type TypedAnswer = RawAnswer | number | undefined;

function typedAnswer({ type }: FormField, raw: RawAnswer | undefined, tag: string): TypedAnswer {
  return type === 'number' && typeof raw === 'string' && !isBlank(raw) ? parseNumber(raw, tag) : raw;
}

function checkTypedAnswer(field: FormField, answer: TypedAnswer): AnswerCheck {
  if (answer === null) return { ok: false, error: field.type === 'number' ? 'not-a-number' : 'not-a-date' };
  return checkAnswer(field, answer);
}

/** A number as people write it, in the digits of any language; `null` if it is none.
 *  @param tag language of the form: decides whether “1.234” has a fraction */
export function parseNumber(text: string, tag: string): number | null {
  const isPoint = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).format(0.5).includes('.');
  const [group, decimal] = isPoint ? [',', '.'] : ['.', ','];
  const plain = text.normalize('NFKC').replace(/[\s'’٬\p{Cf}]/gu, '').replace('٫', decimal).replace(/^[−–]/, '-')
    .replace(/\p{Nd}/gu, digitValue);
  const isGrouped = new RegExp(`^[-+]?\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d+)?$`).test(plain);
  const number = (isGrouped ? plain.replaceAll(group, '') : plain).replace(',', '.');
  return /^[-+]?\d+(?:\.\d+)?$/.test(number) ? Number(number) : null;
}

/** Unicode has each ten digits from a code point that ends in 0 or 6. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  const row = code - code % 16;
  return String(code - row - (/\p{Nd}/u.test(String.fromCodePoint(row)) ? 0 : 6));
}

/** The BFF's errors in the order of the questions. Errors that this module finds as well are shown in the reader's language, the
 *  others, and those at questions that were not shown, as the BFF's messages. @param tag as of `parseNumber` */
export function serverErrors(
  fields: readonly FormField[], raw: RawAnswers, messages: Readonly<Record<string, string>>, tag: string,
): AnswerErrors {
  return new Map(fields.filter(({ name }) => messages[name]).map((field) => {
    const check = raw.has(field.name) && checkRawAnswer(field, raw.get(field.name), tag);
    return [field.name, !check || check.ok ? { message: messages[field.name]! } : check.error];
  }));
}

/** How to correct the answer. @param tag language of `words`; formats numbers and dates */
export function answerErrorMessage(error: AnswerErrorType, field: FormField, words: SyncStrings['answerErrors'], tag: string): string {
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

/** Keeps unsent answers for a reload, those of one reader and forum at a time. Where the browser refuses storage, they last as
 *  long as the page. */
export function storeAnswers(bff: URL, { forum, user: { user_id } }: SyncOffer, answers: RawAnswers): void {
  write(storageKey(bff), { forum, user_id, answers: [...answers] }, 'sessionStorage');
}

export function readStoredAnswers(bff: URL, { forum, user: { user_id } }: SyncOffer): RawAnswers {
  const kept = read<{ forum: string; user_id: string; answers: [string, RawAnswer][] }>(storageKey(bff), 'sessionStorage');
  return new Map(kept?.forum === forum && kept.user_id === user_id ? kept.answers : []);
}

export function removeStoredAnswers(bff: URL): void {
  remove(storageKey(bff), 'sessionStorage');
}

const storageKey = (bff: URL): string => answersKey(bff.href);
