/** `text`, `email`, `number` and `date`: the browser's own input of that kind. Lengths and patterns are left to the check
 *  of answers, which counts code points and says what is wrong; `maxlength` would cut a paste short without a word. */

import { html, nothing, type TemplateResult } from 'lit';
import type { FieldView } from './field-view.ts';
import { autofillToken } from './autofill-token.ts';
import { descriptionIds, invalidity, question } from './question.ts';

/** The last day that four digits of a year can name: without it browsers offer six. */
const LAST_DAY = '9999-12-31';

/** Turning the wheel over a focused number scrolls the page, as over any other field, and does not change the answer. */
const letScroll = {
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
      @wheel=${field.type === 'number' ? letScroll : nothing}
    >
  `);
}
