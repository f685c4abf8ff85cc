/**
 * Templates of the comment box: its frame with the field and the row, what it says, what it asks, and below it the reader's
 * entries and the thread.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { isBlank, type User } from '@vestibule/shared';
import { hueStyle, initials } from '../lib/avatar.ts';
import { fill } from '../lib/fill.ts';
import { readerName } from '../lib/reader-name.ts';
import { referenceView } from '../lib/reference-view.ts';
import { menuView } from '../lib/row-menu.ts';
import { words } from '../lib/words.ts';
import { coreStrings, type CoreStrings } from '../locales/en.ts';
import { commentsStrings, type CommentsStrings } from '../locales/en-comments.ts';
import { problemStrings, type ProblemStrings } from '../locales/en-problems.ts';
import { formatNumber, phraseWith as say, pluralForm } from '../locales/phrase.ts';
import { isSignInWindow } from '../session/sign-in-window.ts';
import type { Box } from './box.ts';
import type { BoxState } from './box-state.ts';
import { entriesView } from './entry-view.ts';
import { reasonView } from '../writing/reason-view.ts';

interface Words {
  readonly core: CoreStrings;
  readonly strings: CommentsStrings;
  readonly problems: ProblemStrings;
}

type Status = keyof CommentsStrings['status'];

/** Phrases of the thread's place while its script has not loaded. */
const threadStrings = { failed: 'The comments could not be loaded.', tryAgain: 'Try again' };

/** The box asks something in place of its row. */
export function isQuestion({ phase: { name } }: BoxState): boolean {
  return name !== 'writing' && name !== 'waiting';
}

export function boxView(box: Box): TemplateResult {
  const { element, localizer, state, list, isClosed } = box;
  const { parent, showPosts, strings: own } = element;
  const all: Words = {
    core: localizer.strings('core', coreStrings, own),
    strings: localizer.strings('comments', commentsStrings, own),
    problems: localizer.strings('problems', problemStrings, own),
  };
  const { core } = all;
  const label = parent ? fill(core.replyTo, { name: element.replyTo }).join('') : core.message;
  return html`
    <section part="box" class="${showPosts ? 'held' : ''} ${box.isFormExpected ? 'returning' : ''}" dir=${localizer.direction ?? nothing} role=${parent ? 'group' : nothing}
      aria-label=${parent ? label : nothing} aria-labelledby=${parent ? nothing : 'heading'}>
    <div id="heading" part="heading" role="heading" aria-level=${element.headingLevel} ?hidden=${!!parent} lang=${localizer.tag}>${words(core.heading)}${
      list.total === undefined ? nothing : [' ', html`<span class="count" part="count"><span
        aria-hidden="true" .textContent=${list.total.toLocaleString(localizer.tag)}></span><span
        class="visually-hidden" .textContent=${list.label}></span></span>`]}</div>
    ${isClosed ? html`<p id="closed" class="closed" part="closed" tabindex="-1" role=${box.closedRole}><bdi>${words(list.closed || core.closed)}</bdi></p>` : nothing}
    ${frameView(box, all, label)}
    <slot name="rules"></slot>
    ${alertView(box, all)}
    ${state.phase.name === 'form' && !state.phase.hasFailed ? formView(box) : nothing}
    <div id="said" class="visually-hidden" role="status"></div>
    ${box.hasThread || parent ? nothing : entriesView(box.entries, localizer.tag)}
    ${box.hasThread ? box.thread.module!(box) : html`<slot name="posts"></slot>${threadFailure(box)}`}
    </section>
  `;
}

function frameView(box: Box, all: Words, label: string): TemplateResult {
  const { element, localizer, state: { message, phase }, isClosed, account } = box;
  const { core, strings: { status } } = all;
  const isAsking = isQuestion(box.state);
  const isWaiting = phase.name === 'waiting';
  const statusKey = statusOf(box);
  const tone = message?.place === 'line' && message.text === statusKey ? message.tone ?? '' : '';
  const kind = `${isAsking ? 'asks' : box.isOpen ? '' : 'rest'} ${account ? 'known' : ''} ${isWaiting ? 'waits' : ''} ${box.isCompact ? 'compact' : ''}`;
  return html`
    <div class="frame ${kind}" part="frame" ?hidden=${isClosed && !box.text.text}>
    <label class="visually-hidden" part="label" for="text">${words(label)}</label>
    <textarea id="text" class="field" part="field" dir="auto" rows="1" aria-describedby="closed status alert writer"
      placeholder=${element.placeholder || (element.parent ? label : core.placeholder)} ?readonly=${isClosed}
      aria-invalid=${message?.text === 'empty' || message?.text === 'tooLong' || nothing}
      @focus=${() => box.open()} @input=${() => box.onInput()} @keydown=${(event: KeyboardEvent) => onKey(box, event)}></textarea>
    ${isAsking ? askView(box, all) : nothing}
    <div class="bar" part="footer" lang=${localizer.tag}>
    <button type="button" class="primary ${isClosed ? 'away' : ''}" part="primary-button"
      aria-keyshortcuts="Control+Enter Meta+Enter" aria-describedby="status alert opens"
      @click=${({ detail }: MouseEvent) => detail > 1 || box.press()}>${words(primaryOf(box, all))}</button>
    <span id="opens" hidden .textContent=${!account && !isWaiting && box.signIns.isInWindow ? core.opensWindow : ''}></span>
    <div class="line"><span id="status" class=${tone} part="status" .textContent=${statusKey ? status[statusKey] : ''}></span>${lineView(box, all, statusKey)}</div>
    </div>
    </div>
  `;
}

/** Safari ends a composition before the key that ends it: its code is 229. */
function onKey(box: Box, event: KeyboardEvent): void {
  const { key, keyCode, ctrlKey, metaKey, isComposing, repeat } = event;
  if (key === 'Enter' && (ctrlKey || metaKey) && !isComposing && keyCode !== 229 && !repeat) box.press();
  else if (box.element.parent && !isComposing) onEscapeOf(event, () => box.element.dispatchEvent(new Event('close')));
}

function primaryOf({ state: { phase }, account, element: { parent }, text }: Box, { core, strings: { action } }: Words): string {
  if (phase.name === 'waiting') return action.showWindow;
  if (account) return parent ? core.postReply : core.post;
  return text.text ? core.signInAndPost : core.signIn;
}

/** Key of the text in the line; one at a time. */
function statusOf({ state: { phase, message }, store }: Box): Status | undefined {
  if (message?.place === 'line') return message.text;
  if (phase.name === 'waiting') return 'waiting';
  return store.failure && store.isRetrying && !store.isSignOutOpen && store.state !== 'signed-in' ? 'unavailable' : undefined;
}

/** Beside the status: the account, quiet buttons, the counter. */
function lineView(box: Box, all: Words, status: Status | undefined): unknown {
  const { element, state: { phase: { name } }, store: { user, failure } } = box;
  const { strings: { action }, problems } = all;
  const quiet = (click: () => void, kind = ''): TemplateResult => html`
    <button type="button" class="quiet ${kind}" part="button" @click=${click}>${say(action.cancel)}</button>`;
  return [
    user ? accountView(box, user, all) : nothing,
    name === 'waiting' ? quiet(() => box.send({ type: 'cancel' }), 'cancel') : nothing,
    element.parent && name === 'writing' && !status ? quiet(() => element.dispatchEvent(new Event('close'))) : nothing,
    status === 'unavailable' ? referenceView(failure?.problem, problems.reference) : nothing,
    counterView(box, all),
  ];
}

/** The button of the account, and its menu. A screen reader reads all of the name's sentence. */
function accountView(box: Box, user: User, { strings: { account: { signedInAs }, action } }: Words): TemplateResult {
  const parts = fill(signedInAs, { name: readerName(user) });
  return menuView({
    id: 'account', kind: 'account', part: 'account',
    content: [
      html`<span class="avatar" part="avatar" aria-hidden="true" translate="no" .style=${hueStyle(user.username)}
        .textContent=${initials(isBlank(user.username) ? user.user_id : user.username)}></span>`,
      html`<span id="writer">${parts.map((part) => typeof part === 'string' ? html`<span class="visually-hidden">${part}</span>` : part)}</span>`,
    ],
  }, html`
    <button type="button" class="quiet" part="button sign-out" @click=${() => box.send({ type: 'sign-out-asked' })}
      .textContent=${action.signOut}></button>
  `);
}

/** Beyond the limit the count is an error. Beside a status a narrow row shows the number alone. What is read of it changes near
 *  the limit, not with each key. Far from the limit nothing is formatted: the first number of a page takes a slow phone 40 ms. */
function counterView({ text, localizer: { tag } }: Box, { strings: { counter, status } }: Words): unknown {
  const { left, isNear } = text.length;
  const isOver = left < 0;
  const number = (): unknown => {
    const count = html`<b .textContent=${formatNumber(tag, Math.abs(left))}></b>`;
    return say(pluralForm(tag, isOver ? counter.over : counter.left, Math.abs(left)), { count });
  };
  return [
    isNear ? html`<span class="counter ${isOver ? 'error' : ''}" part="counter">${number()}</span>` : nothing,
    html`<span id="near" class="visually-hidden">${isNear ? say(isOver ? status.tooLong : counter.near) : nothing}</span>`,
  ];
}

function alertView(box: Box, all: Words): unknown {
  const content = alertContent(box, all);
  return content === nothing ? nothing : html`<div id="alert" part="alert">${content}</div>`;
}

function alertContent(box: Box, { strings: { alert, draft, panel }, problems }: Words): unknown {
  const { state: { message, phase }, store, text, account, entries } = box;
  const { failure, isSignOutOpen, isRetrying, view } = store;
  const reasonOf = (problem = failure?.problem): unknown => (
    problem ? [reasonView(problem, problems), referenceView(problem, problems.reference)] : nothing
  );
  if (phase.name === 'form' && phase.hasFailed) {
    const button = (label: string, type: 'form-wanted' | 'form-closed'): TemplateResult => html`
      <button type="button" class="secondary" part="button" @click=${() => box.send({ type })}>${say(label)}</button>`;
    return [say(alert.formNotLoaded), button(entries.strings.action.tryAgain, 'form-wanted'), button(panel.stay, 'form-closed')];
  }
  if (message?.place === 'note') {
    switch (message.text) {
      case 'notice': {
        const { notice } = message;
        return [say(`${alert[notice.kind]} `), notice.reason ? html`<bdi>${notice.reason}</bdi>` : nothing, referenceView(notice, problems.reference)];
      }
      case 'putBack': {
        const { strings: { row }, actions } = entries;
        const reason = message.isOver ? problems['not-signed-in'] : actions.otherAccount;
        return [say(row.notPosted, { reason }), ' ', say(row.writtenAs, { name: html`<bdi translate="no">${message.name}</bdi>` })];
      }
      case 'problem': return reasonOf(message.problem);
      default: return say(alert[message.text]);
    }
  }
  if (isSignOutOpen && failure && !account) return say(alert.sessionLeft);
  if (failure && !isRetrying && !view && navigator.onLine) return reasonOf();
  if (!text.isKept) return say(draft.notKept);
  return text.writer === undefined ? nothing : say(entries.strings.row.writtenAs, { name: html`<bdi translate="no">${text.writer}</bdi>` });
}

function onEscapeOf(event: KeyboardEvent, act: (() => void) | undefined): void {
  if (event.key !== 'Escape' || !act) return;
  // A dialog of the page stays open.
  event.preventDefault();
  act();
}

/** In place of the row. The first answer is the filled one. */
function askView(box: Box, { core, strings: { panel, action } }: Words): unknown {
  const { state: { phase }, element, text, store } = box;
  const stay = (): void => box.send({ type: 'stay' });
  const button = (kind: string, label: string, click: () => void): TemplateResult => html`
    <button type="button" class=${kind} part=${kind === 'primary' ? 'primary-button' : 'button'} @click=${click}>${say(label)}</button>`;
  const view = (question: unknown, first: unknown, second: unknown, id = 'panel', onEscape?: () => void): TemplateResult => html`
    <div class="panel" part="panel" role="group" tabindex="-1" aria-labelledby=${id} @keydown=${(event: KeyboardEvent) => onEscapeOf(event, onEscape)}>
      ${question === nothing ? nothing : html`<p id="panel">${question}</p>`}
      <div class="row">${first}${second}</div>
    </div>
  `;
  switch (phase.name) {
    case 'leaving': {
      const label = window.top !== window && element.sync === 'popup' ? panel.continueInTab : panel.continueHere;
      const first = box.signIns.canLeave ? button('primary', label, () => box.send({ type: 'leave' }))
        : button('primary', text.text ? core.signInAndPost : core.signIn, () => box.send({ type: 'sign-in' }));
      // A text that is not kept has an alert, which says so.
      const later = button('secondary', panel.stay, stay);
      return phase.isBlocked ? view(say(panel.blocked), first, later) : view(nothing, first, later, 'alert');
    }
    case 'confirming-sign-out': return view(
      [say(panel.signOut), phase.isInDoubt ? [' ', say(panel.signOutInDoubt)] : nothing],
      button('primary', panel.staySignedIn, stay), button('secondary danger', action.signOut, () => box.send({ type: 'sign-out' })), 'panel', stay,
    );
    case 'cookie-blocked': {
      const { forum, page } = text.key;
      const address = new URL(`comments?${new URLSearchParams({ forum, page })}`, store.client.base).href;
      return view(say(panel.cookieBlocked), html`
        <a class="primary" part="primary-button" href=${address} target="_blank" rel="noopener">${say(panel.openComments)}</a>
      `, button('secondary', panel.stay, stay));
    }
    default: return nothing;
  }
}

function formView(box: Box): TemplateResult {
  const { element: { bff, forum, headingLevel, strings }, state: { phase } } = box;
  return html`
    <div class="panel" part="panel" tabindex="-1">
      <vestibule-sync exportparts="question, field, problem, button, primary-button" ?inline=${!isSignInWindow()}
        bff=${bff ?? nothing} forum=${forum} heading-level=${Math.min(headingLevel + 1, 6)}
        .strings=${strings} .syncReturn=${phase.name === 'form' ? phase.syncReturn : undefined} .mayLeave=${box.mayLeave}
        .onAccepted=${box.pressed.onAccepted}
        @close=${() => box.send({ type: 'form-closed' })}
        @vestibule-state=${(event: Event) => box.signIns.onFormState(event)}
        @vestibule-completed=${(event: Event) => box.signIns.onFormCompleted(event)}></vestibule-sync>
    </div>
  `;
}

/** In its place, below the comments that the page has rendered. */
function threadFailure(box: Box): unknown {
  const { element, thread, localizer } = box;
  if (!element.showPosts || !thread.hasFailed) return nothing;
  const { failed, tryAgain } = localizer.strings('thread', threadStrings, element.strings);
  return html`<p part="thread-status" lang=${localizer.tag}>${words(failed)} <button type="button" class="secondary" part="button"
    @click=${() => box.loadThread()}>${words(tryAgain)}</button></p>`;
}
