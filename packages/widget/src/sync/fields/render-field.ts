/** The template of a question by its type. */

import type { TemplateResult } from 'lit';
import { checkboxField } from './checkbox-field.ts';
import type { FieldView } from './field-view.ts';
import { inputField } from './input-field.ts';
import { selectField } from './select-field.ts';

export function renderField(view: FieldView): TemplateResult {
  switch (view.field.type) {
    case 'select': return selectField(view);
    case 'checkbox': return checkboxField(view);
    default: return inputField(view);
  }
}
