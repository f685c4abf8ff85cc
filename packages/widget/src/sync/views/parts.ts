/** Templates that several steps share. */

import { html, nothing, type TemplateResult } from 'lit';
import type { User } from '@vestibule/shared';
import { readerName } from '../../lib/reader-name.ts';
import { referenceView } from '../../lib/reference-view.ts';
import { problemMessage } from '../problem-message.ts';
import type { SyncRequest } from '../sync-state.ts';
import type { SyncView } from './sync-view.ts';

/** Receives the focus with its step; its description is the step's first paragraph, if there is one. */
export function heading({ headingLevel }: SyncView, text: unknown, about: string | typeof nothing = 'about'): TemplateResult {
  return html`
    <div class="heading" part="heading" id="heading" role="heading" aria-level=${headingLevel} tabindex="-1" aria-describedby=${about}>${text}</div>
  `;
}

/** The account. The letter beside the name is decorative. */
export function account(user: User, label?: unknown): TemplateResult {
  const letter = /[\p{L}\p{N}]/u.exec(user.username)?.[0].toLocaleUpperCase();
  return html`
    <div class="account" part="account">
      <span class="avatar" aria-hidden="true">${letter ?? '•'}</span>
      <span class="account-text">${label ?? readerName(user)}</span>
    </div>
  `;
}

export function problemNote({ problem, words, commonProblems }: SyncView) {
  return problem ? html`<p class="note danger" part="problem" role="alert">${problemMessage(problem, words.problems, commonProblems)}${referenceView(problem, commonProblems.reference)}</p>` : nothing;
}

export interface Action {
  readonly label: unknown;
  readonly click?: () => void;
  /** The request that this button started; its label shows it. */
  readonly wait?: SyncRequest['kind'];
}

/** Ignores clicks while a request is in flight, and keeps the focus. */
export function primaryButton({ wait, words }: SyncView, action: Action): TemplateResult {
  const isWaiting = wait !== undefined && wait === action.wait;
  return html`
    <button
      class="primary"
      part="button primary-button"
      type=${action.click ? 'button' : 'submit'}
      aria-disabled=${wait ? 'true' : 'false'}
      @click=${action.click}
    >${isWaiting ? html`<span class="spinner" aria-hidden="true"></span>${words.wait[wait]}` : html`<span>${action.label}</span>`}</button>
  `;
}

export function secondaryButton({ wait, words }: SyncView, action: Action): TemplateResult {
  const isWaiting = wait !== undefined && wait === action.wait;
  return html`
    <button part="button" type="button" aria-disabled=${wait ? 'true' : 'false'} @click=${action.click}>
      ${isWaiting ? words.wait[wait] : action.label}
    </button>
  `;
}
