/** Templates of the comment box: pure functions of its state. */

import { html, nothing, type TemplateResult } from 'lit';
import { isBlank, type SyncReturn, type User } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { hueStyle, initials } from '../lib/avatar.ts';
import { fill } from '../lib/fill.ts';
import { readerName } from '../lib/reader-name.ts';
import { referenceView } from '../lib/reference-view.ts';
import { menuView } from '../lib/row-menu.ts';
import { commentsStrings, type CommentsStrings } from '../locales/en-comments.ts';
import type { EntryStrings } from '../locales/en-entries.ts';
import { problemStrings, type ProblemStrings } from '../locales/en-problems.ts';
import { phraseWith as say, pluralForm } from '../locales/phrase.ts';
import { isSignInWindow } from '../session/sign-in-window.ts';
import type { BoxEvent, BoxState, Facts } from './comments-state.ts';
import type { DraftController } from './draft-controller.ts';
import type { EntriesController } from './entries-controller.ts';
import { entriesView } from './entry-view.ts';
import { reasonView } from './reason-view.ts';
import type { BoxParts, CommentsHost } from './box-host.ts';

/** What the templates show. */
export interface BoxModel extends BoxState {
  readonly facts: Facts;
  /** Who is signed in. */
  readonly user: User | undefined;
  /** Why the session could not be requested. */
  readonly failure: WidgetProblem | undefined;
  readonly isRetrying: boolean;
  readonly isSigningOut: boolean;
  /** A sign-out has not reached the BFF. */
  readonly isSessionLeft: boolean;
  readonly isOnline: boolean;
  /** Storage has the text. */
  readonly isKept: boolean;
  /** Code points up to the limit; below 0: too long. */
  readonly left: number;
  readonly isNear: boolean;
  /** URL of the BFF's own page with a comment box. */
  readonly separatePage: string;
}

/** What the reader can do beside the main button. */
export interface BoxActions {
  readonly drafts: DraftController;
  readonly entries: EntriesController;
  send(event: BoxEvent): void;
  signIn(): void;
  onFormState(event: Event): void;
  onFormCompleted(event: Event): void;
}

interface Words {
  readonly tag: string;
  readonly strings: CommentsStrings;
  readonly problems: ProblemStrings;
}

type Button = readonly [label: unknown, click: () => void, kind?: 'danger'];

/** The events that a button sends. */
type PlainEvent = 'cancel' | 'stay' | 'leave' | 'sign-out';

type Status = keyof CommentsStrings['status'];

export function renderParts(
  model: BoxModel, actions: BoxActions, host: CommentsHost,
): BoxParts {
  const { message } = model;
  const { localizer, strings: own } = host;
  const strings = localizer.strings('comments', commentsStrings, own);
  const words: Words = {
    tag: localizer.tag,
    strings,
    problems: localizer.strings('problems', problemStrings, own),
  };
  const status = statusOf(model);
  const text = status ? strings.status[status] : '';
  const tone = text && message?.place === 'line' && message.text === status ? message.tone ?? '' : '';
  const panel = panelView(model, actions, words, host);
  return {
    primary: primaryOf(model, words),
    isPrimaryHidden: panel.isPrimary,
    isInvalid: message?.text === 'empty' || message?.text === 'tooLong',
    tone,
    status: text,
    line: lineView(model, status, actions, words, host),
    question: panel.isForm ? nothing : panel.view,
    alert: alertView(model, words, actions.entries.strings),
    more: [
      panel.isForm ? panel.view : nothing,
      html`<div id="said" class="visually-hidden" role="status"></div>`,
      host.hasThread || host.parent ? nothing : entriesView(
        actions.entries.shown, actions.entries.strings, (shown) => actions.entries.parts(shown),
        (at) => timeOf(new Date(at), words.tag),
      ),
    ],
  };
}

function primaryOf({ phase, facts, failure }: BoxModel, { strings: { action, status } }: Words): string {
  if (phase.name === 'waiting') return action.showWindow;
  if (phase.name === 'expecting') return status.oneMoment;
  if (facts.isSignedIn) return 'post';
  if (facts.isKnown || !facts.isExpected) return facts.hasText ? 'signInAndPost' : 'signIn';
  return failure ? action.tryAgain : 'post';
}

/** Key of the text in the line; one at a time. */
function statusOf({ phase, message, facts, failure, isRetrying, isSigningOut }: BoxModel): Status | undefined {
  if (message?.place === 'line') return message.text;
  if (isSigningOut && !facts.isSignedIn) return 'oneMoment';
  if (phase.name === 'waiting') return 'waiting';
  return failure && isRetrying && !facts.isSignedIn ? 'unavailable' : undefined;
}

/** What stands beside each status: `none` while the reader writes, and there is nothing to say. Beside each one the account of a
 *  signed-in reader, whose menu has the others. */
const lineParts: { readonly [Name in Status | 'none']?: readonly LinePart[] } = {
  none: ['close'], waiting: ['cancel'], unavailable: ['reference'],
};

type LinePart = 'close' | 'cancel' | 'reference';

function lineView(model: BoxModel, status: Status | undefined, actions: BoxActions, words: Words, host: CommentsHost): unknown {
  const { phase: { name }, user, failure } = model;
  const { strings: { action }, problems } = words;
  const send = (type: PlainEvent): (() => void) => () => actions.send({ type });
  const views: { readonly [Part in LinePart]: () => unknown } = {
    close: () => host.parent && quiet(action.cancel, () => host.dispatchEvent(new Event('close'))),
    cancel: () => quiet(action.cancel, send('cancel'), 'cancel'),
    reference: () => referenceView(failure, problems.reference),
  };
  // A wait is cancelled, whatever the line says.
  const key = name === 'waiting' ? 'waiting' : status ?? (name === 'writing' ? 'none' : undefined);
  const others = key ? lineParts[key] ?? [] : [];
  return [
    user ? accountView(user, actions, words) : nothing,
    others.map((part) => views[part]() || nothing),
    counterView(model, words), limitView(model, words),
  ];
}

/** Its text changes near the limit, not with each key. */
function limitView({ left, isNear }: BoxModel, { strings: { counter, status } }: Words): TemplateResult {
  return html`<span id="near" class="visually-hidden">${isNear ? say(left < 0 ? status.tooLong : counter.near) : nothing}</span>`;
}

/** The button of the account, and its menu. A screen reader reads all of the name's sentence. */
function accountView(
  user: User, actions: BoxActions, { strings: { account: { signedInAs }, action } }: Words,
): TemplateResult {
  const parts = fill(signedInAs, { name: readerName(user) });
  const item = (label: string, click: () => void, part = ''): TemplateResult => html`
    <button type="button" class="quiet ${part ? '' : 'danger'}" part="button ${part}" @click=${click} .textContent=${label}></button>`;
  return menuView({
    id: 'account', kind: 'account', part: 'account',
    content: [
      html`<span class="avatar" part="avatar" aria-hidden="true" translate="no" .style=${hueStyle(user.username)}
        .textContent=${initials(isBlank(user.username) ? user.user_id : user.username)}></span>`,
      html`<span id="writer">${parts.map((part) => typeof part === 'string' ? html`<span class="visually-hidden">${part}</span>` : part)}</span>`,
    ],
  }, [
    item(action.signOut, () => actions.send({ type: 'sign-out-asked' }), 'sign-out'),
  ]);
}

function quiet(label: string, click: () => void, kind = ''): TemplateResult {
  return html`<button type="button" class="quiet ${kind}" part="button" @click=${click}>${say(label)}</button>`;
}

/** Beyond the limit the count is an error. Beside a status a narrow row shows the number alone. */
function counterView({ left, isNear }: BoxModel, { tag, strings: { counter } }: Words): unknown {
  if (!isNear) return nothing;
  const isOver = left < 0;
  const number = Math.abs(left);
  const form = pluralForm(tag, isOver ? counter.over : counter.left, number);
  const count = html`<b .textContent=${number.toLocaleString(tag)}></b>`;
  return html`<span class="counter ${isOver ? 'error' : ''}" part="counter">${say(form, { count })}</span>`;
}

function alertView(model: BoxModel, words: Words, entries: EntryStrings): unknown {
  const content = alertContent(model, words, entries);
  return content === nothing ? nothing : html`<div id="alert" part="alert">${content}</div>`;
}

function alertContent(
  { message, facts, failure, isRetrying, isSessionLeft, isOnline, isKept }: BoxModel, words: Words,
  { row }: EntryStrings,
): unknown {
  const { strings: { alert, draft }, problems } = words;
  if (message?.place === 'note') {
    if (message.text === 'notice') {
      const { notice } = message;
      return [say(`${alert[notice.kind]} `), notice.reason ? html`<bdi>${notice.reason}</bdi>` : nothing, referenceView(notice, problems.reference)];
    }
    if (message.text === 'otherAccount') return say(row.notPosted, { reason: problems['user-mismatch'] });
    const { text, problem } = message;
    const reference = referenceView(problem, problems.reference);
    return text === 'problem' ? [problem && reasonView(problem, problems), reference] : [say(alert[text]), reference];
  }
  if (isSessionLeft && !facts.isSignedIn) return say(alert.sessionLeft);
  const isFinal = failure && !isRetrying && !facts.isKnown && isOnline;
  if (isFinal) return [reasonView(failure, problems), referenceView(failure, problems.reference)];
  return facts.hasText && !isKept ? say(draft.notKept) : nothing;
}

interface PanelView {
  readonly view: unknown;
  /** The panel has the primary action, not the main button. */
  readonly isPrimary: boolean;
  readonly isForm?: boolean;
}

function panelView(model: BoxModel, actions: BoxActions, words: Words, host: CommentsHost): PanelView {
  const { phase, separatePage } = model;
  const { strings: { panel, action } } = words;
  const send = (type: PlainEvent) => (): void => actions.send({ type });
  const primary = (view: unknown): PanelView => ({ view, isPrimary: true });
  switch (phase.name) {
    // A text that is not kept has an alert, which says so.
    case 'leaving': return primary(question(
      phase.isBlocked ? say(panel.blocked) : nothing,
      [[window.top !== window && host.sync === 'popup' ? panel.continueInTab : panel.continueHere, send('leave')], [panel.stay, send('stay')]],
      phase.isBlocked ? {} : { id: 'alert' },
    ));
    case 'confirming-sign-out': return primary(question([
      say(panel.signOut), phase.isInDoubt ? [' ', say(panel.signOutInDoubt)] : nothing,
    ], [[panel.staySignedIn, send('stay')], [action.signOut, send('sign-out'), 'danger']], { escape: send('stay') }));
    case 'cookie-blocked': return primary(html`
      <div class="panel" part="panel" role="group" aria-labelledby="panel">
        <p id="panel">${say(panel.cookieBlocked)}</p>
        <div class="row">
          <a class="primary" part="primary-button" href=${separatePage} target="_blank" rel="noopener">${say(panel.openComments)}</a>
          <button type="button" class="secondary" part="button" @click=${send('stay')}>${say(panel.stay)}</button>
        </div>
      </div>
    `);
    case 'form': return { ...primary(formView(phase.syncReturn, actions, host)), isForm: true };
    default: return { view: nothing, isPrimary: false };
  }
}

function question(
  text: unknown, buttons: readonly Button[],
  { id = 'panel', escape = undefined as (() => void) | undefined } = {},
): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !escape) return;
    // A dialog of the page stays open.
    event.preventDefault();
    escape();
  };
  return html`
    <div class="panel" part="panel" role="group" aria-labelledby=${id} @keydown=${onKey}>
      ${text === nothing ? nothing : html`<p><span id=${id}>${text}</span></p>`}
      <div class="row">
        ${buttons.map(([label, click, danger = ''], index) => {
          const kind = index === 0 ? 'primary' : `secondary ${danger}`;
          return html`
            <button type="button" class=${kind} part=${kind === 'primary' ? 'primary-button' : 'button'}
              @click=${click}>${typeof label === 'string' ? say(label) : label}</button>
          `;
        })}
      </div>
    </div>
  `;
}

function formView(syncReturn: SyncReturn | undefined, actions: BoxActions, host: CommentsHost): TemplateResult {
  const { bff, forum, headingLevel, strings } = host;
  return html`
    <div class="panel" part="panel" tabindex="-1">
      <vestibule-sync exportparts="question, field, problem, button, primary-button" ?inline=${!isSignInWindow()}
        bff=${bff ?? nothing} forum=${forum} heading-level=${Math.min(headingLevel + 1, 6)}
        .strings=${strings} .syncReturn=${syncReturn} .mayLeave=${() => actions.drafts.isSafe}
        @close=${() => actions.send({ type: 'form-closed' })}
        @vestibule-state=${(event: Event) => actions.onFormState(event)}
        @vestibule-completed=${(event: Event) => actions.onFormCompleted(event)}></vestibule-sync>
    </div>
  `;
}

/** With the date of another day. */
function timeOf(time: Date, tag: string): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(tag, { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) });
}
