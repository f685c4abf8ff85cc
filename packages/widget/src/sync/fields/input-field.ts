/** `text`, `email`, `number` and `date`: an input of that type. `checkAnswers` checks lengths and patterns: it counts code points
 *  and has messages; `maxlength` would truncate pasted text silently. */

import { html, nothing, type TemplateResult } from 'lit';
import type { FieldView } from './field-view.ts';
import { autofillToken } from './autofill-token.ts';
import { descriptionIds, invalidity, question } from './question.ts';

/** Last day of a four-digit year; without it browsers offer six digits. */
const LAST_DAY = '9999-12-31';

/** The wheel scrolls the page instead of changing a focused number. */
const blurOnWheel = {
  passive: true,
  handleEvent: ({ currentTarget }: Event): void => (currentTarget as HTMLElement).blur(),
};

export function inputField(view: FieldView): TemplateResult {
  const { field, id, initial } = view;
  return question(view, html`
    <input
      class="field"
      part="field"
      id=${id}
      name=${field.name}
      type=${field.type}
      .value=${typeof initial?.value === 'string' ? initial.value : ''}
      inputmode=${field.type === 'number' ? 'decimal' : nothing}
      step=${field.type === 'number' ? 'any' : nothing}
      min=${field.min ?? nothing}
      max=${field.max ?? (field.type === 'date' ? LAST_DAY : nothing)}
      autocomplete=${autofillToken(field) ?? nothing}
      autocapitalize=${field.type === 'email' ? 'none' : nothing}
      ?required=${field.required}
      aria-invalid=${invalidity(view)}
      aria-describedby=${descriptionIds(view)}
      @wheel=${field.type === 'number' ? blurOnWheel : nothing}
    >
  `);
}
