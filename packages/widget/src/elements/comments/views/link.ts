import { html, type TemplateResult } from 'lit';

/** A button that stands in a line of text. */
export function link(label: unknown, click: () => void): TemplateResult {
  return html`<button class="link" part="button" @click=${click}>${label}</button>`;
}
