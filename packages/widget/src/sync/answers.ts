/** Reads the reader's answers from the controls, checks them by the rules of the BFF, and converts them for the request. */

import { checkAnswer, isFormatError, type Answers, type AnswerCheck, type AnswerErrorType, type AnswerValue, type FormField } from '@vestibule/shared';

/** Content of one control. */
export interface RawAnswer {
  /** Text of the control, or whether a checkbox is checked. */
  readonly value: string | boolean;
  /** The input is not of the control's type, such as half a date; `value` is then empty. */
  readonly malformed?: boolean;
}

/** By field name. */
export type RawAnswers = ReadonlyMap<string, RawAnswer>;

/** Why an answer is rejected: type of the error, or the BFF's message. */
export type AnswerError = AnswerErrorType | { readonly message: string };

/** By field name, in the order of the questions. */
export type AnswerErrors = ReadonlyMap<string, AnswerError>;

export interface CheckedAnswers {
  /** Complete only without `formatErrors`. */
  readonly answers: Answers;
  /** The answers are not sent with any of these. */
  readonly formatErrors: AnswerErrors;
}

/** The BFF's messages by field name. */
export type ErrorMessages = Readonly<Record<string, string>>;

export type AnswerControl = HTMLInputElement | HTMLSelectElement;

export function readControl(control: AnswerControl): RawAnswer {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return { value: control.checked };
  return { value: control.value, ...(control.validity.badInput && { malformed: true }) };
}

/** Only missing answers and answers of a wrong type are errors here. The others are sent: the publisher decides whether they
 *  may be corrected or end the sign-in. */
export function checkAnswers(fields: readonly FormField[], raw: RawAnswers): CheckedAnswers {
  const answers = new Map<string, AnswerValue>();
  const formatErrors = new Map<string, AnswerError>();
  for (const field of fields) {
    const given = raw.get(field.name);
    const check = checkRawAnswer(field, given);
    const value = check.ok ? check.value : wireValue(field, given);
    if (!check.ok && isFormatError(check.error)) formatErrors.set(field.name, check.error);
    else if (value !== undefined) answers.set(field.name, value);
  }
  return { answers: Object.fromEntries(answers), formatErrors };
}

function wireValue(field: FormField, raw: RawAnswer | undefined): AnswerValue | undefined {
  return field.type === 'number' ? Number(raw?.value) : raw?.value;
}

export function checkRawAnswer(field: FormField, raw: RawAnswer | undefined): AnswerCheck {
  if (raw?.malformed) return { ok: false, error: field.type === 'number' ? 'not-a-number' : 'not-a-date' };
  return checkAnswer(field, raw?.value);
}

/** The BFF's errors in the order of the questions, those without a question last. Errors that this module finds as well are
 *  shown in the reader's language, the others as the BFF's messages. */
export function serverErrors(fields: readonly FormField[], raw: RawAnswers, messages: ErrorMessages): AnswerErrors {
  const rank = new Map(fields.map(({ name }, index) => [name, index]));
  const rankOf = (name: string) => rank.get(name) ?? fields.length;
  return new Map(
    Object.entries(messages)
      .sort(([a], [b]) => rankOf(a) - rankOf(b))
      .map(([name, message]) => [name, knownError(fields[rankOf(name)], raw.get(name)) ?? { message }]),
  );
}

function knownError(field: FormField | undefined, raw: RawAnswer | undefined): AnswerErrorType | undefined {
  const check = field && checkRawAnswer(field, raw);
  return check?.ok === false ? check.error : undefined;
}
