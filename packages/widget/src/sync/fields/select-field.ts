/** `select`, with an empty option first, so that nothing is preselected. */

import { html, nothing, type TemplateResult } from 'lit';
import { autofillToken } from './autofill-token.ts';
import type { FieldView } from './field-view.ts';
import { descriptionIds, invalidity, question } from './question.ts';

export function selectField(view: FieldView): TemplateResult {
  const { field, id, initial, words } = view;
  return question(view, html`
    <select
      class="field"
      part="field"
      id=${id}
      name=${field.name}
      autocomplete=${autofillToken(field) ?? nothing}
      ?required=${field.required}
      aria-invalid=${invalidity(view)}
      aria-describedby=${descriptionIds(view)}
    >
      <option value="">${field.required ? words.choose : words.noAnswer}</option>
      ${field.options?.map(({ value, label }) => html`<option value=${value} ?selected=${value === initial?.value}>${label}</option>`)}
    </select>
  `);
}
