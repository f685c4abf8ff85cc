/** Nothing is left to do in this window, or nothing can be done: a text and exits. */

import { html, nothing, type TemplateResult } from 'lit';
import { PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem } from '../../client/problem.ts';
import { referenceView } from '../../lib/reference-view.ts';
import { problemMessage } from '../problem-message.ts';
import type { SyncEnding, SyncStep } from '../sync-state.ts';
import { badge, type BadgeKind } from './badge.ts';
import { account, heading, primaryButton, secondaryButton } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';
import { exitActions } from './exit-actions-view.ts';

type EndedStep = Extract<SyncStep, { name: 'ended' }>;

export function endingView({ ending, user, instance }: EndedStep, view: SyncView, actions: SyncActions): TemplateResult {
  const words = view.words.endings[ending];
  return html`
    ${badge(badges[ending] ?? 'info')}
    ${heading(view, words.heading)}
    ${ending === 'signed-in' && user ? account(user) : nothing}
    <p class="about" id="about">${words.text}</p>
    ${referenceView({ instance }, view.commonProblems.reference)}
    <div class="actions">${exitActions(view, actions, primaryButton)}</div>
  `;
}

/** The one problem whose detail is the service's own message. */
const REFUSED = `${PROBLEM_TYPE_PREFIX}service-refused`;

const badges: Partial<Record<SyncEnding, BadgeKind>> = { 'signed-in': 'done', rejected: 'refused' };

export function failedView(problem: WidgetProblem, view: SyncView, actions: SyncActions): TemplateResult {
  const { words, commonProblems, canStartAgain } = view;
  return html`
    ${badge('refused')}
    ${heading(view, words.outcome.failed)}
    <p class="about" id="about">${problemMessage(problem, words.problems, commonProblems)}</p>
    ${problem.type === REFUSED ? html`<p class="quiet"><bdi>${problem.detail}</bdi></p>` : nothing}
    ${referenceView(problem, commonProblems.reference)}
    <div class="actions">
      ${canStartAgain ? primaryButton(view, { label: words.exits.startAgain, click: actions.startAgain }) : nothing}
      ${exitActions(view, actions, canStartAgain ? secondaryButton : primaryButton)}
    </div>
  `;
}
