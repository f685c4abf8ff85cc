/** The session is being requested, or could not be. */

import { html, nothing, type TemplateResult } from 'lit';
import { exitActions } from './exit-actions-view.ts';
import { heading, primaryButton, problemNote } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';

export function loadingView(view: SyncView): TemplateResult {
  return html`<div class="loading"><span class="spinner" aria-hidden="true"></span>${heading(view, view.words.wait.asking, nothing)}</div>`;
}

export function unavailableView(view: SyncView, actions: SyncActions): TemplateResult {
  const { outcome, exits } = view.words;
  return html`
    ${heading(view, outcome.unavailable, nothing)}
    ${problemNote(view)}
    <div class="actions">
      ${primaryButton(view, { label: exits.tryAgain, click: actions.retry, wait: 'asking' })}
      ${exitActions(view, actions)}
    </div>
  `;
}
