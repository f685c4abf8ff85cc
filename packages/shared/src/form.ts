/** The publisher's questions in `GET /session`. */

/** Type of a question. */
export type FieldType = 'text' | 'email' | 'number' | 'date' | 'select' | 'checkbox';

/** A choice of a `select`. */
export interface FieldOption {
  /** The answer to send. */
  readonly value: string;
  /** Text for the reader. */
  readonly label: string;
}

/** One question. Labels are in the language of the request. */
export interface FormField {
  /** Name of the answer; unique within the form. */
  readonly name: string;
  /** `text`, `email`, `number`, `date`, `select` or `checkbox`. */
  readonly type: FieldType;
  /** The question. */
  readonly label: string;
  /** A sentence below the question. */
  readonly help?: string;
  /** Whether an answer is required; for a checkbox, whether it must be checked. */
  readonly required: boolean;
  /** Minimum: a number for `number`, `YYYY-MM-DD` for `date`. */
  readonly min?: number | string | undefined;
  /** Maximum: a number for `number`, `YYYY-MM-DD` for `date`. */
  readonly max?: number | string | undefined;
  /** Shortest answer, in code points. */
  readonly min_length?: number | undefined;
  /** Longest answer, in code points. */
  readonly max_length?: number | undefined;
  /** A regular expression for the whole answer, with the `v` flag, as HTML's `pattern`. */
  readonly pattern?: string | undefined;
  /** The choices of a `select`. */
  readonly options?: readonly FieldOption[];
}

/** The publisher's questions. */
export interface Form {
  /** The questions, in order. */
  readonly fields: readonly FormField[];
  /** Name of the site, where the publisher has set one. */
  readonly site?: string;
}

/** A text, a number, a date as `YYYY-MM-DD`, an option's value, or whether a box is checked. */
export type AnswerValue = string | number | boolean;

/** Answers by field name. An unanswered optional field is absent. */
export type Answers = Readonly<Record<string, AnswerValue>>;
