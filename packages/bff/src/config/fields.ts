/** The publisher's questions as the configuration holds them: labels in one language or several, and what a failed
 *  answer leads to. */

import * as z from 'zod';
import { isCalendarDate } from '@vestibule/shared';

/** One text for everybody, or texts by BCP 47 tag. */
const localized = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))], 'must be a text, or texts by language');

const option = z.union([z.string().min(1), z.strictObject({ value: z.string().min(1), label: localized })]);

export const fieldSchema = z.strictObject({
  /** Of the answer; unique among the fields. */
  name: z.string().regex(/^(?!__proto__$)[A-Za-z_][\w-]{0,63}$/, 'must start with a letter and hold letters, digits, - and _ only'),
  /** How the question is asked and its answer checked. */
  type: z.enum(['text', 'email', 'number', 'date', 'select', 'checkbox']),
  /** The question itself. */
  label: localized,
  /** A sentence below the question. */
  help: localized.optional(),
  /** Whether it must be answered; for a checkbox, whether it must be ticked. */
  required: z.boolean().default(false),
  /** Least answer: a number for `number`, `YYYY-MM-DD` for `date`. */
  min: z.union([z.number(), z.string()]).optional(),
  /** Greatest answer: a number for `number`, `YYYY-MM-DD` for `date`. */
  max: z.union([z.number(), z.string()]).optional(),
  /** Of a text or an e-mail address, in code points. */
  min_length: z.number().int().nonnegative().optional(),
  /** Of a text or an e-mail address, in code points. */
  max_length: z.number().int().positive().max(10_000).optional(),
  /** As HTML's `pattern`. */
  pattern: z.string().refine(isPattern, 'must be a regular expression').optional(),
  /** The choices of a `select`. */
  options: z.array(option).min(1).optional(),
  /** `reject`: a wrong answer ends the sync with `success=0`. Default `correct`: the reader may correct it. */
  onFail: z.enum(['correct', 'reject']).default('correct'),
}).superRefine((field, context) => {
  const fault = (member: string, message: string) => { context.addIssue({ code: 'custom', path: [member], message }); };
  if ((field.type === 'select') !== (field.options !== undefined)) fault('options', 'belongs to a select, and a select needs it');
  for (const bound of ['min', 'max'] as const) {
    const value = field[bound];
    if (value === undefined) continue;
    if (field.type === 'number' && typeof value === 'number') continue;
    if (field.type === 'date' && typeof value === 'string' && isCalendarDate(value)) continue;
    fault(bound, 'must be a number for a number, YYYY-MM-DD for a date, and stands with no other type');
  }
  const isText = field.type === 'text' || field.type === 'email';
  for (const member of ['min_length', 'max_length', 'pattern'] as const) {
    if (field[member] !== undefined && !isText) fault(member, 'stands with text and email only');
  }
});

export type Field = z.output<typeof fieldSchema>;
export type Localized = z.output<typeof localized>;

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'v') instanceof RegExp;
  } catch {
    return false;
  }
}
