/** `checkbox`, with its label beside it; the whole line is clickable. */

import { html, type TemplateResult } from 'lit';
import type { FieldView } from './field-view.ts';
import { descriptionIds, errorText, helpText, invalidity, labelText } from './question.ts';

export function checkboxField(view: FieldView): TemplateResult {
  const { field, id, initial } = view;
  return html`
    <div class="question" part="question">
      <label class="tick" for=${id}>
        <input
          type="checkbox"
          id=${id}
          name=${field.name}
          .checked=${initial?.value === true}
          ?required=${field.required}
          aria-invalid=${invalidity(view)}
          aria-describedby=${descriptionIds(view)}
        >
        ${labelText(view)}
      </label>
      ${helpText(view)}
      ${errorText(view)}
    </div>
  `;
}
