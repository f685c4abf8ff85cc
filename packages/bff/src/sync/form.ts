/** The publisher's form: its fields in the language of a request, and the validation of a reader's answers. */

import {
  checkAnswer, isFormatError, type AnswerErrorType, type Answers, type AnswerValue, type Form, type FormField,
} from '@vestibule/shared';
import { matchesPattern, type Field } from '../config/fields.ts';
import { ProblemError } from '../problem.ts';
import { localize } from '../lib/text.ts';

/** @param languages BCP 47 tags, best first. */
export function localizeForm(fields: readonly Field[], languages: readonly string[]): Form {
  return { fields: fields.map((field) => localizeField(field, languages)) };
}

function localizeField(field: Field, languages: readonly string[]): FormField {
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

interface CheckedAnswers {
  readonly answers: Answers;
  /** An answer broke the rule of a question with `onFail: 'reject'`. Without the publisher's `reason` the widget has its own
   *  sentence, in the language of the form. */
  readonly rejection?: { readonly reason?: string };
  /** What the reader can correct, by the names of the questions: how. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** @throws {ProblemError} `invalid-request` for an unknown question */
export function validateAnswers(
  fields: readonly Field[], given: Readonly<Record<string, unknown>>, languages: readonly string[],
): CheckedAnswers {
  if (Object.keys(given).some((name) => fields.every((field) => field.name !== name))) {
    throw new ProblemError('invalid-request', { detail: 'answers holds an answer to a question that was not asked.' });
  }
  const answers: Record<string, AnswerValue> = {};
  const errors: Record<string, string> = {};
  let rejecting: Field | undefined;
  for (const field of fields) {
    const shown = localizeField(field, languages);
    const answer = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const check = checkAnswer(shown, answer, matchesPattern);
    if (!check.ok) {
      // A question left open is a slip; a box left unticked on purpose (`false`) is an answer.
      const isSlip = isFormatError(check.error) && !(check.error === 'required' && answer === false);
      if (field.onFail === 'reject' && !isSlip) rejecting ??= field;
      errors[field.name] = sentenceOf(check.error, shown);
    } else if (check.value !== undefined) {
      answers[field.name] = check.value;
    }
  }
  if (rejecting) {
    return { answers, rejection: { ...(rejecting.reason !== undefined && { reason: localize(rejecting.reason, languages) }) } };
  }
  return { answers, ...(Object.keys(errors).length > 0 && { errors }) };
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
