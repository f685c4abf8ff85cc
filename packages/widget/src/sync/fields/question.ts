/** Parts of a field around its control: label, help and error, associated with the control by id. */

import { html, nothing, type TemplateResult } from 'lit';
import type { FieldView } from './field-view.ts';

/** A control below its label. The error comes last, so that the control does not move when the error disappears. */
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

/** The star is decorative: the control has `required`. A publisher's text may have another direction. */
export function labelText({ field, words }: FieldView): TemplateResult {
  return html`<span><bdi>${field.label}</bdi>${field.required
    ? html`<span class="star" aria-hidden="true">&nbsp;*</span>`
    : html`&nbsp;<span class="optional">${words.optional}</span>`}</span>`;
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

/** Value of the control's `aria-invalid`. Always set, because screen readers otherwise call an empty required field invalid. */
export function invalidity({ error }: FieldView): 'true' | 'false' {
  return error === undefined ? 'false' : 'true';
}
