/** Error message of an answer: says how to correct it. */

import { DEFAULT_ANSWER_MAX_LENGTH, type AnswerErrorType, type FieldType, type FormField } from '@vestibule/shared';
import type { SyncStrings } from '../locales/en-sync.ts';
import { fill, plural } from '../locales/phrase.ts';
import type { AnswerError } from './answers.ts';

type ErrorStrings = SyncStrings['answerErrors'];

/** @param tag language of `words`; formats numbers and dates */
export function answerErrorMessage(error: AnswerError, field: FormField, words: ErrorStrings, tag: string): string {
  if (typeof error !== 'string') return error.message;
  switch (error) {
    case 'required': return words[requiredWords[field.type] ?? 'required'];
    case 'too-low': return limit(field.type === 'date' ? words.dateTooEarly : words.numberTooLow, field.min, tag);
    case 'too-high': return limit(field.type === 'date' ? words.dateTooLate : words.numberTooHigh, field.max, tag);
    case 'too-short': return plural(tag, words['too-short'], field.min_length ?? 1);
    case 'too-long': return plural(tag, words['too-long'], field.max_length ?? DEFAULT_ANSWER_MAX_LENGTH);
    default: return words[error satisfies AnswerErrorType];
  }
}

const requiredWords: Partial<Record<FieldType, keyof ErrorStrings & `required${string}`>> = { select: 'requiredOption', checkbox: 'requiredTick' };

function limit(phrase: string, bound: number | string | undefined, tag: string): string {
  const written = typeof bound === 'number'
    ? new Intl.NumberFormat(tag, { useGrouping: 'min2' }).format(bound)
    : new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${bound}T00:00:00Z`));
  return fill(phrase, { limit: written }).join('');
}
