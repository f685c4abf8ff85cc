/** Templates of the validation form: the steps, the publisher's questions and the exits, from the state of `SyncController`. */

import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { isBlank, PROBLEM_TYPE_PREFIX, refusalReason, type FormField, type User } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { initials } from '../lib/avatar.ts';
import { readerName } from '../lib/reader-name.ts';
import { referenceView } from '../lib/reference-view.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import type { SyncStrings } from '../locales/en-sync.ts';
import { phraseWith, plural } from '../locales/phrase.ts';
import { answerErrorMessage, readAnswers, type AnswerErrors } from './answers.ts';
import type { EndedStep, SignInStep, SyncController, SyncState, SyncStep } from './sync-controller.ts';
import type { VestibuleSync } from './vestibule-sync.ts';
import { parseUrl } from '../lib/parse-url.ts';

export interface SyncView {
  readonly sync: SyncController;
  readonly host: VestibuleSync;
  readonly strings: SyncStrings;
  readonly problems: ProblemStrings;
  /** BCP 47 tag of the phrases. */
  readonly tag: string;
  /** Language of the page: of the publisher's questions and the reader's answers. The widget may have no phrases in it. */
  readonly lang: string;
  /** 1 to 6. */
  readonly headingLevel: number;
}

/** The status lasts; `statusText` is its text. */
export function syncView(view: SyncView): TemplateResult {
  return html`
    ${stepView(view, view.sync.state.step)}
    <p class="status" role="status"></p>
  `;
}

export function statusText({ request, isSlow, announcement }: SyncState, { wait }: SyncStrings): string {
  if (!request) return announcement ?? '';
  return isSlow ? wait[request] : '';
}

function stepView(view: SyncView, step: SyncStep): TemplateResult {
  const { sync, strings: { outcome, exits, wait } } = view;
  switch (step.name) {
    case 'loading': return html`<div class="loading">${spinner}${heading(view, wait.asking, nothing)}</div>`;
    case 'unavailable': return html`
      ${heading(view, outcome.unavailable, nothing)}
      ${problemNote(view)}
      <div class="actions">
        ${button(view, exits.tryAgain, () => void sync.find(), { primary: true, waits: ['asking'] })}
        ${exitActions(view)}
      </div>
    `;
    case 'sign-in': return signInView(view, step);
    case 'ended': return endedView(view, step);
  }
}

/** The account, and the publisher's questions if they are known and there are any. Anybody can plant a callback, so nothing is
 *  sent before the reader's click. Each sign-in has controls of its own: another reader's must not show earlier answers. */
function signInView(view: SyncView, { offer: { id, user, form: { fields }, post }, initial }: SignInStep): TemplateResult {
  const { sync, host, strings: { confirm, questions } } = view;
  const name = readerName(user);
  const hasQuestions = fields.length > 0;
  // Where the opener is cut, no message of this window reaches the box: it does not post.
  const isPosted = host.inline ? host.onAccepted !== undefined : post && sync.isPopup;
  const submit = isPosted ? confirm.continueAsAndPost : confirm.continueAs;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void sync.proceed(readAnswers(event.currentTarget as HTMLFormElement));
  };
  const onEdit = ({ target, currentTarget }: Event): void => (
    sync.edit((target as HTMLInputElement).name, readAnswers(currentTarget as HTMLFormElement))
  );
  return html`
    ${heading(view, hasQuestions ? questions.heading : confirm.heading, hasQuestions ? 'account about' : 'about account')}
    ${hasQuestions ? nothing : html`<p class="about" id="about">${say(view, confirm.about)}</p>`}
    ${account(user, hasQuestions ? say(view, questions.signingInAs, { name }) : name)}
    ${sync.state.message?.kind === 'superseded' ? html`<p class="note" role="alert">${say(view, questions.superseded)}</p>` : nothing}
    ${keyed(id, html`
      <form novalidate @submit=${onSubmit} @input=${onEdit} @change=${onEdit}>
        ${hasQuestions ? html`
          <fieldset>
            <legend id="about">${say(view, questions.about)}</legend>
            ${errorSummary(view, fields)}
            ${fields.map((field, index) => keyed(field.name, question(view, field, index, initial.get(field.name))))}
          </fieldset>
        ` : nothing}
        ${problemNote(view)}
        <div class="actions">
          <div class="end">${button(view, submit, undefined, { primary: true, waits: ['starting', 'sending'], values: { name } })}</div>
          ${button(view, hasQuestions ? questions.cancel : confirm.notYou, () => void sync.cancel(), { waits: ['cancelling'] })}
        </div>
      </form>
    `)}
  `;
}

/** Leads to each question at fault; one alone has the focus. */
function errorSummary(view: SyncView, fields: readonly FormField[]) {
  const errors = errorsOf(view);
  if (errors.size < 2) return nothing;
  const focusOn = (name: string) => ({ currentTarget }: Event): void => (
    ((currentTarget as HTMLButtonElement).form!.elements.namedItem(name) as HTMLElement).focus()
  );
  return html`
    <div class="note danger" part="problem">
      <p id="errors">${say(view, plural(view.tag, view.strings.answerErrors.summary, errors.size))}</p>
      <ul>
        ${fields.filter(({ name }) => errors.has(name)).map(({ name, label }) => html`
          <li><button type="button" class="link" @click=${focusOn(name)}><bdi lang=${view.lang}>${label}</bdi></button></li>
        `)}
      </ul>
    </div>
  `;
}

function errorsOf({ sync: { state: { message } } }: SyncView): AnswerErrors {
  return message?.kind === 'answers' ? message.errors : new Map();
}

/** Autofill field names (HTML; WCAG 2.2, 1.3.5) that questions are often named after. */
const autofill: readonly string[] = [
  'name', 'given-name', 'family-name', 'nickname', 'organization', 'organization-title', 'street-address', 'postal-code',
  'country', 'country-name', 'language', 'bday', 'bday-year', 'sex', 'tel', 'url',
];

/** A question with its control: a native one, without preselection. The error comes last, so that the control does not move when
 *  it disappears. `checkAnswers` checks lengths and patterns: `maxlength` would truncate pasted text silently. A number is typed
 *  into a text field: an arrow key or the wheel would change it, and screen readers read 0 where `type=number` is empty. Not
 *  `required`: Firefox would call an empty control invalid before there is an error, whatever `aria-invalid` says.
 *  @param initial later changes have no effect */
function question(view: SyncView, field: FormField, index: number, initial: unknown): TemplateResult {
  const { strings: { questions, answerErrors }, tag, lang } = view;
  const { name, type, required, help } = field;
  const id = `answer-${index}`;
  const error = errorsOf(view).get(name);
  // The same with an error and without one: a change of it would be spoken besides the status.
  const description = `${help ? `${id}-help ` : ''}${id}-error`;
  const invalid = error ? 'true' : 'false';
  const token = type === 'email' ? type : name.replaceAll('_', '-').toLowerCase();
  const autocomplete = type === 'email' || autofill.includes(token) ? token : nothing;
  const isTick = type === 'checkbox';
  const isNumber = type === 'number';
  const label = html`<span><bdi lang=${lang}>${field.label}</bdi>${required ? nothing : html` <span class="optional">${say(view, questions.optional)}</span>`}</span>`;
  const control = type === 'select' ? html`
    <select class="field" part="field" id=${id} name=${name} lang=${lang} autocomplete=${autocomplete} aria-required=${required}
      aria-invalid=${invalid} aria-describedby=${description}>
      <option value="" lang=${tag}>${required ? questions.choose : questions.noAnswer}</option>
      ${field.options?.map(({ value, label }) => html`<option value=${value} ?selected=${value === initial}>${label}</option>`)}
    </select>
  ` : html`
    <input class=${isTick ? nothing : 'field'} part=${isTick ? nothing : 'field'} id=${id} name=${name} lang=${lang} type=${isNumber ? 'text' : type}
      .value=${typeof initial === 'string' ? initial : ''} .checked=${initial === true} aria-required=${required}
      inputmode=${isNumber && !(Number(field.min) < 0) ? 'decimal' : nothing}
      min=${isNumber ? nothing : field.min ?? nothing} max=${isNumber ? nothing : field.max ?? nothing}
      autocomplete=${autocomplete} aria-invalid=${invalid} aria-describedby=${description}>
  `;
  const helpText = help ? html`<p class="help" id="${id}-help"><bdi lang=${lang}>${help}</bdi></p>` : nothing;
  const errorText = typeof error === 'string' ? answerErrorMessage(error, field, answerErrors, tag) : error?.message;
  return html`
    <div class="question" part="question">
      ${isTick
        ? html`<label class="tick" for=${id}>${control}${label}</label>${helpText}`
        : html`<label for=${id}>${label}</label>${helpText}${control}`}
      <p class="error" id="${id}-error" ?hidden=${errorText === undefined}><bdi>${errorText && say(view, errorText)}</bdi></p>
    </div>
  `;
}

function endedView(view: SyncView, step: EndedStep): TemplateResult {
  const { strings: { outcome, endings }, problems } = view;
  const { ending, user, reason, problem, completionUrl, by } = step;
  const { heading: title, text } = ending === 'failed' ? { heading: outcome.failed, text: endings.declined.text } : endings[ending];
  const badge = ending === 'signed-in' ? 'done' : ending === 'rejected' || ending === 'failed' ? 'refused' : 'info';
  const isOnTheWay = completionUrl && by !== 'reader';
  return html`
    <svg class="badge ${badge}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${badges[badge]}"/></svg>
    ${heading(view, title)}
    ${user ? account(user, readerName(user)) : nothing}
    <p class="about" id="about">${problem ? failure(view, problem) : isOnTheWay ? say(view, outcome.onTheWay) : reasonOr(view, reason, text)}</p>
    ${referenceView(problem ?? step, problems.reference)}
    ${by === 'page' ? nothing : html`<div class="actions">${completionUrl ? leaveButton(view, step) : exitActions(view)}</div>`}
  `;
}

/** The service's own message follows `service-refused` only. */
function failure(view: SyncView, problem: WidgetProblem): unknown {
  const reason = refusalReason(problem);
  return html`${say(view, problemMessage(view, problem))}${reason ? html` <br><bdi class="quiet">${reason}</bdi>` : nothing}`;
}

function leaveButton(view: SyncView, step: EndedStep): TemplateResult {
  const { sync, strings: { outcome, exits } } = view;
  const waits = step.by === 'reader';
  const label = !waits ? outcome.goOn : step.ending === 'rejected' && sync.isPopup ? exits.close : outcome.continue;
  return button(view, label, () => sync.leave(step), { primary: waits });
}

/** Icons above an outcome. Decorative: the heading has the same meaning. */
const badges = { done: 'm7 12.5 3.5 3.5L17 9', info: 'M12 11v5.5M12 7.5v.01', refused: 'M12 7v5.5M12 16v.01' };

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

/** `{site}` in a phrase is the name of the publisher's site. */
function say(view: SyncView, phrase: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  const site = view.host.site ?? view.sync.site ?? location.host;
  return phraseWith(phrase, { site: html`<bdi translate="no">${site}</bdi>`, ...values });
}

/** The publisher's own words, if there are any. */
function reasonOr(view: SyncView, reason: string | undefined, phrase: string): unknown {
  return reason === undefined || isBlank(reason) ? say(view, phrase) : html`<bdi lang=${view.lang}>${reason}</bdi>`;
}

/** Receives the focus with its step; its description is the account and the step's first paragraph, where there are such. */
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
      <span id="account">${label}</span>
    </div>
  `;
}

/** The form's phrase, else the comment box's, else the BFF's detail. */
function problemMessage({ strings, problems }: SyncView, { type, detail }: WidgetProblem): string {
  const phrases: Readonly<Record<string, string>> = { ...problems, ...strings.problems };
  return phrases[type.slice(PROBLEM_TYPE_PREFIX.length)] ?? detail;
}

function problemNote(view: SyncView) {
  const { message } = view.sync.state;
  if (message?.kind !== 'problem') return nothing;
  const { problem } = message;
  return html`<p class="note danger" part="problem" role="alert">${say(view, problemMessage(view, problem))}${referenceView(problem, view.problems.reference)}</p>`;
}

/** Keeps the focus while a request is in flight.
 *  @param click default: submits the form
 *  @param options `waits`: the requests that this button starts; its label shows them */
function button(view: SyncView, label: string, click?: () => void, { primary = false, waits = [], values }: {
  readonly primary?: boolean; readonly waits?: readonly SyncState['request'][]; readonly values?: Readonly<Record<string, unknown>>;
} = {}): TemplateResult {
  const { sync: { state: { request } }, strings: { wait } } = view;
  return html`
    <button class=${primary ? 'primary' : nothing} part=${primary ? 'primary-button' : 'button'} type=${click ? 'button' : 'submit'}
      aria-disabled=${request ? 'true' : 'false'} @click=${click}
    >${request && waits.includes(request) ? html`${spinner}${say(view, wait[request])}` : html`<span>${say(view, label, values)}</span>`}</button>
  `;
}

/** Exits of a sign-in that is over. A page may put its own link first (slot `back`). A window without its opener
 *  (`Cross-Origin-Opener-Policy`) looks like a tab: it has both exits. */
function exitActions(view: SyncView): TemplateResult {
  const { sync, host, strings: { exits } } = view;
  const { inline, openers } = host;
  const { step, message } = sync.state;
  const site = parseUrl(openers[0] ?? origin);
  const isWindow = sync.isPopup || (!inline && openers.length > 0);
  const startUrl = step.name === 'ended' && step.ending === 'failed' && sync.startUrl;
  const primary = step.name === 'ended' && !startUrl;
  return html`
    ${startUrl ? html`<a class="primary" part="primary-button" href=${startUrl}>${say(view, exits.startAgain)}</a>` : nothing}
    <slot name="back"></slot>
    ${inline ? button(view, exits.toComments, () => host.dispatchEvent(new Event('close')), { primary }) : nothing}
    ${isWindow ? button(view, exits.close, () => sync.closeWindow(), { primary }) : nothing}
    ${inline || sync.isPopup || !site?.protocol.startsWith('http') ? nothing : html`
      <a part="button" href="${site.origin}/">${say(view, exits.toSite, { site: html`<bdi>${site.host}</bdi>` })}</a>
    `}
    ${message?.kind === 'window-open' ? html`<p class="quiet" role="alert">${say(view, exits.closeYourself)}</p>` : nothing}
  `;
}
