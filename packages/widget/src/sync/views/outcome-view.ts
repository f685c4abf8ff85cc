/** Outcome of the sign-in, while the browser navigates to the completion URL or before the reader sends it there. */

import { html, nothing, type TemplateResult } from 'lit';
import { isBlank, type SyncOutcome } from '@vestibule/shared';
import type { LeavingStep } from '../sync-state.ts';
import { badge } from './badge.ts';
import { account, heading, primaryButton, secondaryButton } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';

export function leavingView(step: LeavingStep, view: SyncView, actions: SyncActions): TemplateResult {
  const { outcome: { outcome }, user, by } = step;
  const { outcome: words } = view.words;
  const isAccepted = outcome === 'accepted';
  return html`
    ${badge(isAccepted ? 'done' : 'info')}
    ${heading(view, words[outcome], by === 'reader' ? nothing : 'about')}
    ${isAccepted ? account(user) : nothing}
    ${by === 'reader' ? nothing : html`<p class="about" id="about">${words.onTheWay}</p>`}
    ${by === 'page' ? nothing : html`
      <div class="actions">
        ${by === 'reader'
          ? primaryButton(view, { label: words.continue, click: actions.leaveNow })
          : secondaryButton(view, { label: words.goOn, click: actions.leaveNow })}
      </div>
    `}
  `;
}

export function rejectedView({ reason }: SyncOutcome, view: SyncView, actions: SyncActions): TemplateResult {
  const { outcome: words } = view.words;
  return html`
    ${badge('refused')}
    ${heading(view, words.rejected)}
    <p class="about" id="about"><bdi>${reason === undefined || isBlank(reason) ? words.noReason : reason}</bdi></p>
    <div class="actions">${primaryButton(view, { label: words.continue, click: actions.acknowledge })}</div>
  `;
}
