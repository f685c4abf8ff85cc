/** Templates of the validation form: the steps, the publisher's questions and the exits, from the state of `SyncController`. */

import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { isBlank, PROBLEM_TYPE_PREFIX, type FormField, type User } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { keepKeys } from '../lib/keep-keys.ts';
import { initials } from '../lib/avatar.ts';
import { readerName } from '../lib/reader-name.ts';
import { referenceView } from '../lib/reference-view.ts';
import { isWebUrl } from '../lib/web-url.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import type { SyncStrings } from '../locales/en-sync.ts';
import { phraseWith, plural } from '../locales/phrase.ts';
import { answerErrorMessage, readAnswers, readControl, type AnswerControl, type AnswerErrors } from './answers.ts';
import type { LeavingStep, SyncController, SyncState, SyncStep } from './sync-controller.ts';

export interface SyncView {
  readonly sync: SyncController;
  readonly strings: SyncStrings;
  readonly problems: ProblemStrings;
  /** BCP 47 tag of the phrases. */
  readonly tag: string;
  /** Language of the page: of the publisher's questions and the reader's answers. The widget may have no phrases in it. */
  readonly lang: string;
  /** Name of the publisher's site. */
  readonly site: string;
  /** 1 to 6. */
  readonly headingLevel: number;
  readonly inline: boolean;
  readonly openers: readonly string[];
  /** Starts the sign-in again; absent if the forum is not known. */
  readonly startAgain?: (() => void) | undefined;
  readonly backToComments: () => void;
}

type RequestKind = NonNullable<SyncState['request']>['kind'];

export function syncView(view: SyncView): TemplateResult {
  const { sync, strings: { wait } } = view;
  const { request } = sync.state;
  return html`
    ${stepView(view, sync.state.step)}
    <p class="quiet status ${request?.isSlow ? 'shown' : ''}" role="status">${request && say(view, wait[request.isSlow ? 'slow' : request.kind])}</p>
  `;
}

function stepView(view: SyncView, step: SyncStep): TemplateResult {
  const { sync, strings: { outcome: words, exits, endings, wait } } = view;
  switch (step.name) {
    case 'loading': return html`<div class="loading">${spinner}${heading(view, wait.asking, nothing)}</div>`;
    case 'unavailable': return html`
      ${heading(view, words.unavailable, nothing)}
      ${problemNote(view)}
      <div class="actions">
        ${button(view, exits.tryAgain, () => void sync.find(), { primary: true, waits: ['asking'] })}
        ${exitActions(view)}
      </div>
    `;
    case 'confirm': case 'questions': return signInView(view, step);
    case 'rejected': return outcomeView(view, {
      badge: 'refused',
      heading: endings.rejected.heading,
      about: reasonOr(view, step.outcome.reason, endings.rejected.text),
      actions: button(view, sync.isPopup ? exits.close : words.continue, () => sync.leave(step), { primary: true }),
    });
    case 'leaving': return leavingView(view, step);
    case 'ended': return outcomeView(view, {
      badge: step.ending === 'signed-in' ? 'done' : step.ending === 'rejected' ? 'refused' : 'info',
      heading: endings[step.ending].heading,
      user: step.user,
      about: reasonOr(view, step.reason, endings[step.ending].text),
      reference: step,
      actions: exitActions(view, true),
    });
    case 'failed': return failedView(view, step.problem);
  }
}

/** The account, and the publisher's questions if they are known and there are any. Anybody can plant a callback, so nothing is
 *  sent before the reader's click. Each sign-in has controls of its own: another reader's must not show earlier answers. */
function signInView(view: SyncView, step: Extract<SyncStep, { name: 'confirm' | 'questions' }>): TemplateResult {
  const { sync, strings: { confirm, questions } } = view;
  const name = readerName(step.user);
  const hasQuestions = step.name === 'questions' && step.fields.length > 0;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void sync.proceed(readAnswers(event.currentTarget as HTMLFormElement));
  };
  const onEdit = ({ target, currentTarget }: Event): void => {
    const control = target as AnswerControl;
    sync.keep(readAnswers(currentTarget as HTMLFormElement));
    sync.recheck(control.name, readControl(control));
  };
  return html`
    ${heading(view, hasQuestions ? questions.heading : confirm.heading)}
    ${hasQuestions ? nothing : html`<p class="about" id="about">${say(view, confirm.about)}</p>`}
    ${account(step.user, hasQuestions ? say(view, questions.signingInAs, { name }) : name)}
    ${sync.state.message?.kind === 'superseded' ? html`<p class="note" role="alert">${say(view, questions.superseded)}</p>` : nothing}
    ${keyed(step.name === 'questions' && step.sync, html`
      <form novalidate @submit=${onSubmit} @input=${onEdit} @change=${onEdit}>
        ${hasQuestions ? html`
          <fieldset @keydown=${keepKeys} @keypress=${keepKeys} @keyup=${keepKeys}>
            <legend id="about">${say(view, questions.about)}</legend>
            ${errorSummary(view, step.fields)}
            ${step.fields.map((field, index) => question(view, field, index, step.initial.get(field.name)))}
          </fieldset>
        ` : nothing}
        ${problemNote(view)}
        <div class="actions">
          ${button(view, hasQuestions ? questions.submit : confirm.continueAs, undefined, { primary: true, waits: ['starting', 'sending'], values: { name } })}
          ${button(view, hasQuestions ? questions.cancel : confirm.notYou, () => void sync.cancel(), { waits: ['cancelling'] })}
        </div>
      </form>
    `)}
  `;
}

/** Links to each question at fault; an error of the BFF's that names no question appears here in the BFF's words. */
function errorSummary(view: SyncView, fields: readonly FormField[]) {
  const indexOf = (name: string): number => fields.findIndex((field) => field.name === name);
  const errors = [...errorsOf(view)].map(([name, error]) => ({ name, error, index: indexOf(name) }));
  if (errors.length < 2 && errors.every(({ index }) => index >= 0)) return nothing;
  return html`
    <div class="note danger" part="problem" id="summary" role="group" aria-labelledby="summary-text" tabindex="-1">
      <p id="summary-text" role="alert">${say(view, plural(view.tag, view.strings.answerErrors.summary, errors.length))}</p>
      <ul>
        ${errors.map(({ name, error, index }) => html`<li>${index < 0
          ? html`<bdi>${typeof error === 'string' ? name : error.message}</bdi>`
          : html`<button type="button" class="link" @click=${focusAnswer(index)}><bdi lang=${view.lang}>${fields[index]!.label}</bdi></button>`}</li>`)}
      </ul>
    </div>
  `;
}

function focusAnswer(index: number) {
  return ({ currentTarget }: Event): void => (
    (currentTarget as HTMLElement).closest('form')!.querySelector<HTMLElement>(`#answer-${index}`)?.focus()
  );
}

function errorsOf({ sync: { state: { message } } }: SyncView): AnswerErrors {
  return message?.kind === 'answers' ? message.errors : new Map();
}

/** Autofill field names (HTML; WCAG 2.2, 1.3.5) that questions are often named after. */
const autofill: readonly string[] = [
  'name', 'given-name', 'family-name', 'nickname', 'organization', 'organization-title', 'street-address', 'postal-code',
  'country', 'country-name', 'language', 'bday', 'bday-year', 'sex', 'tel', 'url',
];

/** Last day of a four-digit year; without it browsers offer six digits. */
const LAST_DAY = '9999-12-31';

/** The wheel scrolls the page instead of changing a focused number. */
const blurOnWheel = { passive: true, handleEvent: ({ currentTarget }: Event): void => (currentTarget as HTMLElement).blur() };

/** A question with its control: a native one, without preselection. The error comes last, so that the control does not move when
 *  it disappears. `checkAnswers` checks lengths and patterns: `maxlength` would truncate pasted text silently.
 *  @param initial later changes have no effect */
function question(view: SyncView, field: FormField, index: number, initial: unknown): TemplateResult {
  const { strings: { questions, answerErrors }, tag, lang } = view;
  const { name, type, required, help } = field;
  const id = `answer-${index}`;
  const error = errorsOf(view).get(name);
  const description = [...(help ? [`${id}-help`] : []), ...(error ? [`${id}-error`] : [])].join(' ') || nothing;
  // Screen readers call an empty required field invalid without `aria-invalid`.
  const invalid = error ? 'true' : 'false';
  const token = type === 'email' ? type : name.replaceAll('_', '-').toLowerCase();
  const autocomplete = type === 'email' || autofill.includes(token) ? token : nothing;
  const isTick = type === 'checkbox';
  const label = html`<span><bdi lang=${lang}>${field.label}</bdi>${required ? nothing : html`&nbsp;<span class="optional">${say(view, questions.optional)}</span>`}</span>`;
  const control = type === 'select' ? html`
    <select class="field" part="field" id=${id} name=${name} lang=${lang} autocomplete=${autocomplete} ?required=${required}
      aria-invalid=${invalid} aria-describedby=${description}>
      <option value="" lang=${tag}>${required ? questions.choose : questions.noAnswer}</option>
      ${field.options?.map(({ value, label }) => html`<option value=${value} ?selected=${value === initial}>${label}</option>`)}
    </select>
  ` : html`
    <input class=${isTick ? nothing : 'field'} part=${isTick ? nothing : 'field'} id=${id} name=${name} lang=${lang} type=${type}
      .value=${typeof initial === 'string' ? initial : ''} .checked=${initial === true} ?required=${required}
      inputmode=${type === 'number' ? 'decimal' : nothing} step=${type === 'number' ? 'any' : nothing}
      min=${field.min ?? nothing} max=${field.max ?? (type === 'date' ? LAST_DAY : nothing)}
      autocomplete=${isTick ? nothing : autocomplete} autocapitalize=${type === 'email' ? 'none' : nothing}
      aria-invalid=${invalid} aria-describedby=${description} @wheel=${type === 'number' ? blurOnWheel : nothing}>
  `;
  const helpText = help ? html`<p class="help" id="${id}-help"><bdi lang=${lang}>${help}</bdi></p>` : nothing;
  return html`
    <div class="question" part="question">
      ${isTick
        ? html`<label class="tick" for=${id}>${control}${label}</label>${helpText}`
        : html`<label for=${id}>${label}</label>${helpText}${control}`}
      ${error ? html`<p class="error" id="${id}-error"><bdi>${say(view, answerErrorMessage(error, field, answerErrors, tag))}</bdi></p>` : nothing}
    </div>
  `;
}

/** While the browser navigates to the completion URL, or before the reader sends it there. */
function leavingView(view: SyncView, step: LeavingStep): TemplateResult {
  const { sync, strings: { outcome: words, endings } } = view;
  const { outcome: { outcome }, user, by } = step;
  const isAccepted = outcome === 'accepted';
  const leave = (): void => sync.leave(step);
  return outcomeView(view, {
    badge: isAccepted ? 'done' : outcome === 'rejected' ? 'refused' : 'info',
    heading: endings[isAccepted ? 'signed-in' : outcome].heading,
    user: isAccepted ? user : undefined,
    about: by !== 'reader' && say(view, words.onTheWay),
    actions: by !== 'page' && (by === 'reader' ? button(view, words.continue, leave, { primary: true }) : button(view, words.goOn, leave)),
  });
}

function failedView(view: SyncView, problem: WidgetProblem): TemplateResult {
  const { strings: { outcome, exits }, startAgain } = view;
  // The one problem whose detail is the service's own message.
  const isRefused = problem.type === `${PROBLEM_TYPE_PREFIX}service-refused`;
  return outcomeView(view, {
    badge: 'refused',
    heading: outcome.failed,
    about: html`${say(view, problemMessage(view, problem))}${isRefused ? html`<br><bdi class="quiet">${problem.detail}</bdi>` : nothing}`,
    reference: problem,
    actions: html`
      ${startAgain ? button(view, exits.startAgain, startAgain, { primary: true }) : nothing}
      ${exitActions(view, !startAgain)}
    `,
  });
}

interface Outcome {
  readonly badge: keyof typeof badges;
  readonly heading: string;
  readonly user?: User | undefined;
  readonly about?: unknown;
  readonly reference?: Parameters<typeof referenceView>[0];
  readonly actions: unknown;
}

/** Nothing is left to decide in this window. */
function outcomeView(view: SyncView, { badge, heading: text, user, about, reference, actions }: Outcome): TemplateResult {
  return html`
    <svg class="badge ${badge}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${badges[badge]}"/></svg>
    ${heading(view, text, about ? 'about' : nothing)}
    ${user ? account(user, readerName(user)) : nothing}
    ${about ? html`<p class="about" id="about">${about}</p>` : nothing}
    ${referenceView(reference, view.problems.reference)}
    ${actions ? html`<div class="actions">${actions}</div>` : nothing}
  `;
}

/** Icons above an outcome. Decorative: the heading has the same meaning. */
const badges = { done: 'm7 12.5 3.5 3.5L17 9', info: 'M12 11v5.5M12 7.5v.01', refused: 'M12 7v5.5M12 16v.01' };

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

function say(view: SyncView, phrase: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  return phraseWith(phrase, { site: html`<bdi translate="no">${view.site}</bdi>`, ...values });
}

/** The publisher's own words, if there are any. */
function reasonOr(view: SyncView, reason: string | undefined, phrase: string): unknown {
  return reason === undefined || isBlank(reason) ? say(view, phrase) : html`<bdi lang=${view.lang}>${reason}</bdi>`;
}

/** Receives the focus with its step; its description is the step's first paragraph, if there is one. */
function heading(view: SyncView, text: string, about: string | typeof nothing = 'about'): TemplateResult {
  return html`
    <div class="heading" part="heading" id="heading" role="heading" aria-level=${view.headingLevel} tabindex="-1" aria-describedby=${about}>${say(view, text)}</div>
  `;
}

/** The account. The letter beside the name is decorative. */
function account({ username }: User, label: unknown): TemplateResult {
  return html`
    <div class="account" part="account">
      <span class="avatar" aria-hidden="true">${initials(username) || '•'}</span>
      <span class="account-text">${label}</span>
    </div>
  `;
}

/** The form's phrase, else the comment box's, else the BFF's detail. */
function problemMessage({ strings, problems }: SyncView, { type, detail }: WidgetProblem): string {
  const phrases: Readonly<Record<string, string>> = { ...problems, ...strings.problems };
  const name = type.slice(PROBLEM_TYPE_PREFIX.length);
  return Object.hasOwn(phrases, name) ? phrases[name] ?? detail : detail;
}

function problemNote(view: SyncView) {
  const { message } = view.sync.state;
  if (message?.kind !== 'problem') return nothing;
  const { problem } = message;
  return html`<p class="note danger" part="problem" role="alert">${say(view, problemMessage(view, problem))}${referenceView(problem, view.problems.reference)}</p>`;
}

interface ButtonOptions {
  readonly primary?: boolean;
  /** The requests that this button starts; its label shows them. */
  readonly waits?: readonly RequestKind[];
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Keeps the focus while a request is in flight. @param click default: submits the form */
function button(
  view: SyncView, label: string, click: (() => void) | undefined, { primary = false, waits = [], values }: ButtonOptions = {},
): TemplateResult {
  const { sync: { state: { request } }, strings: { wait } } = view;
  return html`
    <button class=${primary ? 'primary' : nothing} part=${primary ? 'primary-button' : 'button'} type=${click ? 'button' : 'submit'}
      aria-disabled=${request ? 'true' : 'false'} @click=${click}
    >${request && waits.includes(request.kind) ? html`${spinner}${say(view, wait[request.kind])}` : say(view, label, values)}</button>
  `;
}

/** Exits of a sign-in that is over. A page may put its own link first (slot `back`). A window without its opener
 *  (`Cross-Origin-Opener-Policy`) looks like a tab: it has both exits. */
function exitActions(view: SyncView, primary = false): TemplateResult {
  const { sync, strings: { exits }, inline, openers, backToComments } = view;
  const site = URL.parse(openers[0] ?? location.origin);
  const isWindow = sync.isPopup || (!inline && openers.length > 0);
  return html`
    <slot name="back"></slot>
    ${inline ? button(view, exits.toComments, backToComments, { primary }) : nothing}
    ${isWindow ? button(view, exits.close, () => sync.closeWindow(), { primary }) : nothing}
    ${inline || sync.isPopup || !isWebUrl(site) ? nothing : html`
      <a class="button" part="button" href="${site.origin}/">${say(view, exits.toSite, { site: html`<bdi>${site.host}</bdi>` })}</a>
    `}
    ${sync.state.message?.kind === 'window-open' ? html`<p class="quiet" role="alert">${say(view, exits.closeYourself)}</p>` : nothing}
  `;
}
