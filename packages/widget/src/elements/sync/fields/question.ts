/** What every field has around its control: a label with its mark, help, and the error, tied to the control by id. */

import { html, nothing, type TemplateResult } from 'lit';
import type { FieldView } from './field-view.ts';

/** A control below its label. The error stands last, so that the control keeps its place when the error goes. */
export function question(view: FieldView, control: TemplateResult): TemplateResult {
  return html`
    <div class="question" part="question">
      <label for=${view.id}>${labelText(view)}</label>
      ${helpText(view)}
      ${control}
      ${errorText(view)}
    </div>
  `;
}

/** `required` says so to assistive technology; the star is for the eye. A publisher's words may run the other way than those
 *  around them. */
export function labelText({ field, words }: FieldView): TemplateResult {
  return html`<span><bdi>${field.label}</bdi>${field.required
    ? html`<span class="star" aria-hidden="true">&nbsp;*</span>`
    : html` <span class="optional">${words.optional}</span>`}</span>`;
}

export function helpText({ field, id }: FieldView) {
  return field.help ? html`<p class="help" id="${id}-help"><bdi>${field.help}</bdi></p>` : nothing;
}

export function errorText({ error, id }: FieldView) {
  return error === undefined ? nothing : html`<p class="error" id="${id}-error"><bdi>${error}</bdi></p>`;
}

/** Value of the control's `aria-describedby`. */
export function descriptionIds({ field, id, error }: FieldView) {
  const ids = [...(field.help ? [`${id}-help`] : []), ...(error === undefined ? [] : [`${id}-error`])];
  return ids.length > 0 ? ids.join(' ') : nothing;
}

/** Value of the control's `aria-invalid`: said always, so that an empty required field is not called invalid at once. */
export function invalidity({ error }: FieldView): 'true' | 'false' {
  return error === undefined ? 'false' : 'true';
}
