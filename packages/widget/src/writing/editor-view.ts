/** The editor of a comment in its place: of one that is posted, and of one that is not. It looks as the comment box does. */

import { css, html, nothing, type TemplateResult } from 'lit';

export interface Editor {
  readonly tag: string;
  /** Name of the field. */
  readonly label: string;
  readonly text: string;
  /** Label of the main button; of the other one. */
  readonly submitLabel: string;
  readonly cancelLabel: string;
  /** Why the text was not taken. */
  readonly failure?: unknown;
  readonly write: (text: string) => void;
  /** `text`: what the field has. What was written may not be drawn yet. */
  readonly submit: (text: string) => void;
  readonly cancel: () => void;
}

/** @param entry id of an entry of the outbox */
export function editorView(editor: Editor, entry?: string): TemplateResult {
  const { tag, label, text, submitLabel, cancelLabel, failure, write, submit, cancel } = editor;
  const submitted = ({ currentTarget }: Event): void => (
    submit((currentTarget as Element).closest('.editor')!.querySelector('textarea')!.value)
  );
  const onKey = (event: KeyboardEvent): void => {
    const { key, keyCode, ctrlKey, metaKey, isComposing, repeat } = event;
    if (isComposing || keyCode === 229) return;
    if (key === 'Escape') {
      // A dialog of the page stays open.
      event.preventDefault();
      cancel();
    } else if (key === 'Enter' && (ctrlKey || metaKey) && !repeat) submitted(event);
  };
  return html`
    <div class="editor" data-entry=${entry ?? nothing} role="group" aria-label=${label} lang=${tag}>
      <textarea class="field" part="field" dir="auto" lang="" aria-label=${label} .value=${text}
        @input=${({ target }: Event) => write((target as HTMLTextAreaElement).value)} @keydown=${onKey}></textarea>
      ${failure ? html`<p class="failure" part="alert" role="alert">${failure}</p>` : nothing}
      <div class="editor-bar">
        <button class="quiet" part="button" @click=${cancel} .textContent=${cancelLabel}></button>
        <button class="primary" part="primary-button" @click=${submitted} .textContent=${submitLabel}></button>
      </div>
    </div>
  `;
}

/** Also of the question that stands in the place of a row. */
export const editorStyles = css`
  .editor,
  .question {
    margin-block: 4px;
    border: 1px solid var(--v-line);
    border-radius: calc(var(--v-radius) * 1.25);
    background: var(--v-tint);
    overflow: clip;
  }
  .editor:focus-within {
    border-color: var(--v-accent);
    outline: 1px solid var(--v-accent);
  }
  .editor .field {
    field-sizing: content;
    min-block-size: 4.9em;
    max-block-size: 40dvh;
    padding: 10px 14px 6px;
    border: 0;
    background: none;
    outline: 0;
    box-shadow: none;
    line-height: 1.55;
    resize: none;
  }
  .editor-bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: 6px;
    padding: 6px;
    font-size: 0.875em;
  }
  .editor-bar button {
    min-block-size: 36px;
    padding: 0 14px;
    cursor: pointer;
  }
  .editor-bar .quiet:not([hidden]) {
    display: inline-flex;
    align-items: center;
    margin: 0;
    border: 0;
    font-size: inherit;
    color: var(--v-muted);
  }
  .editor-bar .primary:focus-visible {
    outline-offset: 2px;
  }
  .failure {
    margin: 0.5em 14px;
    color: var(--v-danger);
    font-size: 0.9375em;
    overflow-wrap: anywhere;
  }
  .question {
    padding: 12px 16px 8px;
  }
  .question p {
    margin: 0 0 8px;
    font-weight: 600;
  }
  .question .editor-bar {
    justify-content: start;
    padding: 0;
  }
  .question .danger {
    border-color: transparent;
    background: #c00;
    color: #fff;
    font-weight: 600;
  }
  @container (inline-size < 30em) {
    .editor-bar button {
      min-block-size: 44px;
    }
  }
  @media (pointer: coarse) {
    .editor-bar button {
      min-block-size: 44px;
    }
  }
`;
