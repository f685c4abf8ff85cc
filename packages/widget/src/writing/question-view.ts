/** The question before a comment is deleted, in its place. The answer that keeps it is the safe one: it has the focus, and Escape
 *  gives it. Orca with Firefox would not speak the name of a group here: it is in the place of the button that had the focus. */

import { html, type TemplateResult } from 'lit';

export interface Question {
  /** Of the element of the question, in its root. */
  readonly id: string;
  readonly question: string;
  /** Labels. */
  readonly keep: string;
  readonly remove: string;
  onKeep(): void;
  onRemove(): void;
}

export function questionView({ id, question, keep, remove, onKeep, onRemove }: Question): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    // The key that has asked the question may still be down.
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
    if (event.key !== 'Escape') return;
    // A dialog of the page stays open.
    event.preventDefault();
    onKeep();
  };
  return html`
    <div class="question" part="panel" @keydown=${onKey}>
      <p id=${id} .textContent=${question}></p>
      <div class="editor-bar">
        <button type="button" class="keep" part="button" aria-describedby=${id} @click=${onKeep} .textContent=${keep}></button>
        <button type="button" class="danger" part="button" aria-describedby=${id} @click=${onRemove} .textContent=${remove}></button>
      </div>
    </div>
  `;
}
