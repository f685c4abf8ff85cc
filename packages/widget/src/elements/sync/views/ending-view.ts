/** Where nothing is left to do in this window, or nothing can be done: words, and a way on. */

import { html, nothing, type TemplateResult } from 'lit';
import { PROBLEM_TYPE_PREFIX, type User } from '@vestibule/shared';
import type { WidgetProblem } from '../../../api/problem.ts';
import { problemWords } from '../problem-words.ts';
import type { SyncEnding } from '../sync-step.ts';
import { badge, type BadgeKind } from './badge.ts';
import { account, heading, primaryButton, secondaryButton } from './parts.ts';
import type { SyncView } from './sync-view.ts';
import { waysOut } from './ways-out.ts';

export function endingView(ending: SyncEnding, user: User | undefined, view: SyncView): TemplateResult {
  const words = view.words.endings[ending];
  return html`
    ${badge(badges[ending] ?? 'info')}
    ${heading(view, words.heading)}
    ${ending === 'signed-in' && user ? account(user) : nothing}
    <p class="about" id="about">${words.text}</p>
    <div class="actions">${waysOut(view, primaryButton)}</div>
  `;
}

/** The one problem whose detail is the service's own message. */
const REFUSED = `${PROBLEM_TYPE_PREFIX}service-refused`;

const badges: Partial<Record<SyncEnding, BadgeKind>> = { 'signed-in': 'done', rejected: 'refused' };

export function failedView(problem: WidgetProblem, view: SyncView): TemplateResult {
  const { words, commonProblems, startAgain } = view;
  return html`
    ${badge('refused')}
    ${heading(view, words.outcome.failed)}
    <p class="about" id="about">${problemWords(problem, words.problems, commonProblems)}</p>
    ${problem.type === REFUSED ? html`<p class="quiet" dir="auto">${problem.detail}</p>` : nothing}
    <div class="actions">
      ${startAgain ? primaryButton(view, { label: words.way.startAgain, click: startAgain }) : nothing}
      ${waysOut(view, startAgain ? secondaryButton : primaryButton)}
    </div>
  `;
}
