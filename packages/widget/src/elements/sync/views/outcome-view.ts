/** How the sync came out, while the browser is on its way to the completion URL or the reader is about to send it there. */

import { html, nothing, type TemplateResult } from 'lit';
import { isBlank, type SyncOutcome } from '@vestibule/shared';
import type { LeavingStep } from '../sync-step.ts';
import { badge } from './badge.ts';
import { account, heading, primaryButton, secondaryButton } from './parts.ts';
import type { SyncView } from './sync-view.ts';

export function leavingView({ outcome: { outcome }, user }: LeavingStep, view: SyncView): TemplateResult {
  const { outcome: words } = view.words;
  const isAccepted = outcome === 'accepted';
  return html`
    ${badge(isAccepted ? 'done' : 'info')}
    ${heading(view, words[outcome])}
    ${isAccepted ? account(user) : nothing}
    <p class="about" id="about">${words.onTheWay}</p>
    ${view.isHandedOver ? nothing : html`
      <div class="actions">${secondaryButton(view, { label: words.goOn, click: view.leaveAgain })}</div>
    `}
  `;
}

export function rejectedView({ reason }: SyncOutcome, view: SyncView): TemplateResult {
  const { outcome: words } = view.words;
  return html`
    ${badge('refused')}
    ${heading(view, words.rejected)}
    <p class="about" id="about" dir="auto">${reason === undefined || isBlank(reason) ? words.noReason : reason}</p>
    <div class="actions">${primaryButton(view, { label: words.continue, click: view.acknowledge })}</div>
  `;
}
