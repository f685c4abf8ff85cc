/** The first moment, before it is known where the reader stands. */

import { html, nothing, type TemplateResult } from 'lit';
import type { SyncStep } from '../sync-step.ts';
import { heading, primaryButton, problemNote } from './parts.ts';
import type { SyncView } from './sync-view.ts';
import { waysOut } from './ways-out.ts';

export function loadingView({ again }: Extract<SyncStep, { name: 'loading' }>, view: SyncView): TemplateResult {
  const { wait, outcome, way } = view.words;
  if (!again) {
    return html`<div class="loading"><span class="spinner" aria-hidden="true"></span>${heading(view, wait.asking, nothing)}</div>`;
  }
  return html`
    ${heading(view, outcome.unavailable, nothing)}
    ${problemNote(view)}
    <div class="actions">
      ${primaryButton(view, { label: way.tryAgain, click: view.retry, wait: 'asking' })}
      ${waysOut(view)}
    </div>
  `;
}
