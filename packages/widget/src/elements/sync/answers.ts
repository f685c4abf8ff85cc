/** The reader's answers on their way from the controls to the wire: read, checked against the questions by the rules
 *  that the BFF applies too, and given the wire's types. */

import { checkAnswer, isSlip, type Answers, type AnswerCheck, type AnswerFault, type AnswerValue, type FormField } from '@vestibule/shared';

/** What stands in one control. */
export interface RawAnswer {
  /** Text of the control, or the tick of a checkbox. */
  readonly value: string | boolean;
  /** Something was typed that is no value of the control's type, as half a date; `value` is empty then. */
  readonly malformed?: boolean;
}

/** By field name. */
export type RawAnswers = ReadonlyMap<string, RawAnswer>;

/** Why an answer is not taken: a rule that it breaks, or the BFF's own words for it. */
export type AnswerError = AnswerFault | { readonly message: string };

/** By field name, in the order of the questions. */
export type AnswerErrors = ReadonlyMap<string, AnswerError>;

export interface CheckedAnswers {
  /** What may be sent; complete only where there are no formatErrors. */
  readonly answers: Answers;
  /** What keeps the answers from being sent. */
  readonly formatErrors: AnswerErrors;
}

/** The BFF's own words, by field name. */
export type ErrorMessages = Readonly<Record<string, string>>;

export type AnswerControl = HTMLInputElement | HTMLSelectElement;

export function readControl(control: AnswerControl): RawAnswer {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return { value: control.checked };
  return control.validity.badInput ? { value: '', malformed: true } : { value: control.value };
}

/** Whether an answer that breaks a rule may be corrected or ends the sync is the publisher's to say, so it is sent as it
 *  is; only what is missing or no value of its type is held back. */
export function checkAnswers(fields: readonly FormField[], raw: RawAnswers): CheckedAnswers {
  const answers = new Map<string, AnswerValue>();
  const formatErrors = new Map<string, AnswerError>();
  for (const field of fields) {
    const given = raw.get(field.name);
    const check = checkRawAnswer(field, given);
    const value = check.ok ? check.value : wireValue(field, given);
    if (!check.ok && isSlip(check.fault)) formatErrors.set(field.name, check.fault);
    else if (value !== undefined) answers.set(field.name, value);
  }
  return { answers: Object.fromEntries(answers), formatErrors };
}

function wireValue(field: FormField, raw: RawAnswer | undefined): AnswerValue | undefined {
  return field.type === 'number' ? Number(raw?.value) : raw?.value;
}

export function checkRawAnswer(field: FormField, raw: RawAnswer | undefined): AnswerCheck {
  if (raw?.malformed) return { ok: false, fault: field.type === 'number' ? 'not-a-number' : 'not-a-date' };
  return checkAnswer(field, raw?.value);
}

/** The faults that the BFF found, in the order of the questions; those that name no question come last. A rule that this
 *  side knows too is told in the reader's language, the rest in the BFF's words. */
export function serverErrors(fields: readonly FormField[], raw: RawAnswers, messages: ErrorMessages): AnswerErrors {
  const rank = new Map(fields.map(({ name }, index) => [name, index]));
  const rankOf = (name: string) => rank.get(name) ?? fields.length;
  return new Map(
    Object.entries(messages)
      .sort(([a], [b]) => rankOf(a) - rankOf(b))
      .map(([name, message]) => [name, knownError(fields[rankOf(name)], raw.get(name)) ?? { message }]),
  );
}

function knownError(field: FormField | undefined, raw: RawAnswer | undefined): AnswerFault | undefined {
  const check = field && checkRawAnswer(field, raw);
  return check?.ok === false ? check.fault : undefined;
}
