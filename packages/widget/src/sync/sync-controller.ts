/**
 * State machine of the validation form (contract, section 1, `<vestibule-sync>`; interface, section 3, steps 3 to 6). One step is
 * on the screen at a time, one request in flight; clicks meanwhile are ignored. A response after the element was removed is
 * dropped.
 *
 * | step | entered when | left when |
 * | --- | --- | --- |
 * | `loading` | there is no callback: `GET /session` is requested | the BFF responds |
 * | `unavailable` | it could not be requested | the reader tries again |
 * | `confirm` | there is a callback; nothing has been sent | the reader continues or cancels |
 * | `questions` | the BFF offers a sign-in | the reader's answers are accepted or refused, or they cancel |
 * | `rejected` | the publisher rejected the reader | the reader has read why |
 * | `leaving` | the sign-in is decided; the browser navigates to the completion URL, or waits for the reader's click | |
 * | `ended` | nothing is left to send from this window | |
 * | `failed` | the sign-in cannot be continued | the reader begins again |
 */

import type { LitElement, ReactiveController } from 'lit';
import type { FormField, SessionState, SessionView, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { BffClient, RequestOptions } from '../client/client.ts';
import { BffError, type WidgetProblem, type WidgetProblemType } from '../client/problem.ts';
import { VestibuleCompletedEvent, VestibuleErrorEvent, VestibuleStateEvent } from '../events.ts';
import { isWebUrl } from '../lib/web-url.ts';
import { languageAround } from '../locales/localizer.ts';
import type { SyncCallback } from '../session/callback.ts';
import { announceSessionChange, type SessionChange } from '../session/session-channel.ts';
import { writeSessionHint } from '../storage/reader-records.ts';
import {
  checkAnswers, checkRawAnswer, readStoredAnswers, removeStoredAnswers, serverErrors, storeAnswers,
  type AnswerErrors, type AnswerOwner, type RawAnswer, type RawAnswers,
} from './answers.ts';

export type SyncStep =
  | { readonly name: 'loading' }
  | { readonly name: 'unavailable' }
  | { readonly name: 'confirm'; readonly user: User; readonly syncReturn: SyncReturn }
  | QuestionsStep
  | { readonly name: 'rejected'; readonly outcome: SyncOutcome; readonly user: User }
  | LeavingStep
  | EndedStep
  | { readonly name: 'failed'; readonly problem: WidgetProblem };

/** Without questions the BFF waits for the reader's click only. */
export interface QuestionsStep {
  readonly name: 'questions';
  /** `id` of the offered sign-in. */
  readonly sync: string;
  readonly user: User;
  /** State of the session beside the offer; it remains if the sign-in fails. */
  readonly session: SessionState;
  readonly fields: readonly FormField[];
  /** Initial values of the controls. */
  readonly initial: RawAnswers;
  readonly owner: AnswerOwner;
}

export interface LeavingStep {
  readonly name: 'leaving';
  readonly outcome: SyncOutcome;
  readonly user: User;
  /** Who navigates: the browser at once, the page that cancelled the event, or the browser at the reader's click. */
  readonly by: 'browser' | 'page' | 'reader';
}

export interface EndedStep {
  readonly name: 'ended';
  /** `declined`: at the service, by the reader or by the service; `cancelled`: here, by the reader. */
  readonly ending: 'declined' | 'rejected' | 'already-granted' | 'cancelled' | 'signed-in' | 'nothing-to-do' | 'invalid-return';
  readonly user?: User | undefined;
  /** The publisher's own words, after a rejection. */
  readonly reason?: string | undefined;
  readonly instance?: string | undefined;
}

export interface SyncState {
  readonly step: SyncStep;
  /** The request in flight. */
  readonly request?: { readonly kind: 'asking' | 'starting' | 'sending' | 'cancelling'; readonly isSlow: boolean } | undefined;
  /** Shown with the step until the reader acts. `superseded`: another sign-in has replaced the one that the reader began with;
   *  `window-open`: the browser did not close the window. */
  readonly message?:
    | { readonly kind: 'problem'; readonly problem: WidgetProblem }
    | { readonly kind: 'answers'; readonly errors: AnswerErrors }
    | { readonly kind: 'superseded' | 'window-open' }
    | undefined;
}

/** The element, as far as the machine needs it. */
export interface SyncHost extends LitElement {
  readonly client: BffClient;
  readonly forum: string | null;
  readonly inline: boolean;
  /** Origins of the pages that open this one in a window. */
  readonly openers: readonly string[];
  /** Whether the page may be left without the reader's click. */
  readonly mayLeave: () => boolean;
}

/** After this time, the form shows that the request takes longer than usual. */
const SLOW_AFTER_MS = 5_000;

/** How long a window shows an ending that leaves nothing to do. */
const CLOSES_AFTER_MS = 2_000;

/** The reader may send again. `internal-error`: if the BFF has used the code, the next response is `code-already-used`. */
const repeatable: readonly WidgetProblemType[] = ['invalid-answers', 'payload-too-large', 'internal-error'];

/** An earlier response may have been lost. */
const recoverable: readonly WidgetProblemType[] = ['no-sync-in-progress', 'code-already-used', 'outcome-unknown', 'not-signed-in'];

/** The problem of an outcome whose completion URL is no http(s) URL. */
const unusableOutcome: WidgetProblem = {
  type: 'urn:vestibule:bad-service-response', title: 'Bad service response', status: 502, retryable: false,
  detail: 'The sign-in has no address to go on to.',
};

export class SyncController implements ReactiveController {
  state: SyncState = { step: { name: 'loading' } };
  /** Forum of the sign-in that was offered last. */
  forum: string | undefined;

  readonly #host: SyncHost;
  #abort: AbortController | undefined;
  #reportedState: SessionState | undefined;

  constructor(host: SyncHost) {
    this.#host = host;
    host.addController(this);
  }

  /** This window is one of its own, which the page can close. */
  get isPopup(): boolean {
    return window.opener !== null && !this.#host.inline;
  }

  hostConnected(): void {
    if (!this.#abort?.signal.aborted || this.state.step.name !== 'loading') return;
    // The aborted request may not have settled yet.
    this.#set({ request: undefined });
    void this.find();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#abort?.abort();
    });
  }

  /** Begins with a callback, without one with the data of the page, and without these by requesting the session. */
  begin(callback: SyncCallback | undefined, view: SessionView | undefined): void {
    this.#abort?.abort();
    this.state = { step: { name: 'loading' } };
    if (callback?.kind === 'granted') {
      const { syncReturn, syncReturn: { user_id, username } } = callback;
      this.#go({ name: 'confirm', syncReturn, user: { user_id, username } });
    } else if (callback) {
      const endings = { denied: 'declined', 'already-granted': 'already-granted', invalid: 'invalid-return' } as const;
      this.#end({ ending: endings[callback.kind] });
    } else if (view) {
      this.#adopt(view);
    } else {
      void this.find();
    }
  }

  /** Requests `GET /session`. */
  async find(): Promise<void> {
    const { step, request } = this.state;
    if (request || (step.name !== 'loading' && step.name !== 'unavailable')) return;
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) {
      this.#go({ name: 'unavailable' }, { kind: 'problem', problem: view.problem });
      this.#report(view.problem);
    } else if (view) {
      this.#adopt(view);
    }
  }

  /** The reader's own click: sends the callback, or the answers if they have no format error. */
  async proceed(raw: RawAnswers): Promise<void> {
    const { step, request } = this.state;
    if (request) return;
    if (step.name === 'confirm') {
      const { forum } = this.#host;
      const view = await this.#send('starting', (client, options) => client.startSync({ ...step.syncReturn, ...(forum && { forum }) }, options));
      if (view instanceof BffError) return this.#afterFailure(view, step.user);
      if (view && this.#adopt(view)?.fields.length === 0) await this.proceed(new Map());
    } else if (step.name === 'questions') {
      this.keep(raw);
      const { answers, errors } = checkAnswers(step.fields, raw);
      if (errors.size > 0) return this.#showErrors(errors);
      const validation = { sync: step.sync, username: step.user.username, answers };
      const outcome = await this.#send('sending', (client, options) => client.validate(validation, options));
      if (outcome instanceof BffError) {
        const messages = outcome.type === 'invalid-answers' && outcome.problem.fields;
        if (!messages) return this.#afterFailure(outcome, step.user);
        this.#report(outcome.problem);
        this.#showErrors(serverErrors(step.fields, raw, messages));
      } else if (outcome) {
        this.#settle(outcome, step);
      }
    }
  }

  /** Sends nothing if the callback was not sent; otherwise the service gets `success=0`. */
  async cancel(): Promise<void> {
    const { step, request } = this.state;
    if (request) return;
    if (step.name === 'confirm') return this.#end({ ending: 'cancelled' });
    if (step.name !== 'questions') return;
    const outcome = await this.#send('cancelling', (client, options) => client.cancelSync({ sync: step.sync }, options));
    if (outcome instanceof BffError) return this.#afterFailure(outcome, step.user, () => this.#end({ ending: 'cancelled' }));
    if (outcome) this.#settle(outcome, step);
  }

  /** Navigates to the completion URL at the reader's click at `step`; once more, if the browser did not. */
  leave(step: Extract<SyncStep, { readonly outcome: SyncOutcome }>): void {
    if (step === this.state.step) this.#leave(step.outcome, step.user, true);
  }

  closeWindow(): void {
    close();
    if (!closed) this.#set({ message: { kind: 'window-open' } });
  }

  /** Stores the answers, for a reload. */
  keep(raw: RawAnswers): void {
    const { step } = this.state;
    if (step.name === 'questions' && raw.size > 0) storeAnswers(step.owner, raw);
  }

  /** Removes the error of an answer that the reader has corrected; one of the BFF's at the first change. */
  recheck(name: string, raw: RawAnswer): void {
    const { step, message } = this.state;
    if (step.name !== 'questions' || message?.kind !== 'answers') return;
    const field = step.fields.find((candidate) => candidate.name === name);
    if (field && typeof message.errors.get(name) === 'string' && !checkRawAnswer(field, raw).ok) return;
    const errors = new Map([...message.errors].filter(([other]) => other !== name));
    this.#set({ message: errors.size > 0 ? { kind: 'answers', errors } : undefined });
  }

  /** Goes to the step of the session; returns the questions if the BFF waits for answers. */
  #adopt({ state, user, sync, notice }: SessionView, message?: SyncState['message']): QuestionsStep | undefined {
    this.#reportState(state);
    if (!sync) {
      const { kind, reason, instance } = notice ?? {};
      this.#end(state === 'signed-in' ? { ending: 'signed-in', user } : { ending: kind ?? 'nothing-to-do', reason, instance });
      return undefined;
    }
    const { id, forum, form: { fields } } = sync;
    this.forum = forum;
    const owner = { bff: this.#host.client.base.href, forum, userId: sync.user.user_id };
    const step: QuestionsStep = {
      name: 'questions', sync: id, user: sync.user, session: state, fields, initial: readStoredAnswers(owner), owner,
    };
    this.#go(step, message);
    return step;
  }

  #settle(outcome: SyncOutcome, { owner, user, session }: QuestionsStep): void {
    removeStoredAnswers(owner.bff);
    const isAccepted = outcome.outcome === 'accepted';
    this.#reportState(isAccepted || session === 'signed-in' ? 'signed-in' : 'anonymous');
    if (isAccepted) writeSessionHint(this.#host.client.base, true, user.user_id);
    this.#announce(isAccepted ? 'signed-in' : 'changed');
    if (!isWebUrl(URL.parse(outcome.completion_url))) {
      this.#fail(unusableOutcome);
    } else if (outcome.outcome === 'rejected') {
      this.#go({ name: 'rejected', outcome, user });
    } else {
      this.#leave(outcome, user, false);
    }
  }

  #leave(outcome: SyncOutcome, user: User, isClicked: boolean): void {
    const url = outcome.completion_url;
    let by: LeavingStep['by'] = 'browser';
    if (!isClicked && !this.#host.mayLeave()) by = 'reader';
    else if (!this.#host.dispatchEvent(new VestibuleCompletedEvent(url))) by = 'page';
    else location.replace(url);
    this.#go({ name: 'leaving', outcome, user, by });
  }

  /** `giveUp`: what follows if the sign-in cannot be continued. */
  async #afterFailure({ type, problem }: BffError, user: User, giveUp = () => this.#fail(problem)): Promise<void> {
    if (problem.retryable || repeatable.includes(type)) return this.#showProblem(problem);
    if (type === 'user-changed') return this.#confirmAgain(problem);
    if (!recoverable.includes(type)) return giveUp();
    const { step } = this.state;
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) return this.#showProblem(view.problem);
    if (!view) return;
    const isSuperseded = step.name === 'questions' && view.sync !== undefined && view.sync.id !== step.sync;
    const isOffered = view.sync?.user.user_id === user.user_id && type !== 'outcome-unknown';
    const isSignedIn = view.state === 'signed-in' && view.user?.user_id === user.user_id;
    if (isOffered || isSuperseded || isSignedIn) this.#adopt(view, isSuperseded ? { kind: 'superseded' } : undefined);
    else giveUp();
  }

  /** The exchange returned another `username` than the one shown: the reader confirms it; the answers stay. */
  #confirmAgain(problem: WidgetProblem): void {
    const { step } = this.state;
    if (step.name !== 'questions' || !problem.user) return this.#fail(problem);
    this.#set({ step: { ...step, user: problem.user } });
    this.#showProblem(problem);
    void this.#focus('#heading');
  }

  /** The first answer at fault gets the focus; if the BFF names no question, the list of errors. */
  #showErrors(errors: AnswerErrors): void {
    this.#set({ message: { kind: 'answers', errors } });
    void this.#focus('[aria-invalid=true], #summary:not(:has(button))');
  }

  #showProblem(problem: WidgetProblem): void {
    this.#set({ message: { kind: 'problem', problem } });
    this.#report(problem);
    void this.#host.updateComplete.then(() => this.#host.renderRoot.querySelector('.danger')?.scrollIntoView({ block: 'nearest' }));
  }

  #fail(problem: WidgetProblem): void {
    this.#go({ name: 'failed', problem });
    this.#report(problem);
    this.#announce('changed');
  }

  /** A window that has nothing left to do closes: the comment box says what happened. */
  #end(end: Omit<EndedStep, 'name'>): void {
    const { ending, instance } = end;
    const step = { name: 'ended', ...end } as const;
    if (['signed-in', 'rejected', 'cancelled'].includes(ending)) removeStoredAnswers(this.#host.client.base.href);
    this.#go(step);
    if (ending === 'nothing-to-do') return;
    this.#announce(ending === 'already-granted' || ending === 'signed-in' ? ending : 'changed', instance);
    if (!this.isPopup || !['declined', 'cancelled', 'already-granted'].includes(ending)) return;
    setTimeout(() => {
      if (this.#host.isConnected && this.state.step === step) this.closeWindow();
    }, CLOSES_AFTER_MS);
  }

  /** Tells the reader's other pages how the sign-in has ended. @param instance of a failure */
  #announce(change: SessionChange, instance?: string): void {
    const { client: { base }, openers } = this.#host;
    announceSessionChange(base, change, openers, instance);
  }

  #report(problem: WidgetProblem): void {
    this.#host.dispatchEvent(new VestibuleErrorEvent(problem));
  }

  /** Once for each state. */
  #reportState(state: SessionState): void {
    if (state !== this.#reportedState) this.#host.dispatchEvent(new VestibuleStateEvent(state));
    this.#reportedState = state;
  }

  /** The only place where the step changes. Moves the focus, but not into the form of a page that loads. */
  #go(step: SyncStep, message?: SyncState['message']): void {
    const { name } = this.state.step;
    this.#set({ step, message });
    if (name !== step.name && (name !== 'loading' || this.isPopup)) void this.#focus('#heading');
  }

  #set(change: Partial<SyncState>): void {
    this.state = { ...this.state, ...change };
    this.#host.requestUpdate();
  }

  /** Leaves the focus in a field of the page, where the reader may be writing. */
  async #focus(selector: string): Promise<void> {
    await this.#host.updateComplete;
    if ((this.#host.getRootNode() as Document | ShadowRoot).activeElement?.matches('input, textarea')) return;
    this.#host.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  /** The response, the failure, or `undefined` if the element was removed meanwhile. */
  async #send<Answer>(
    kind: NonNullable<SyncState['request']>['kind'], send: (client: BffClient, options: RequestOptions) => Promise<Answer>,
  ): Promise<Answer | BffError | undefined> {
    const { signal } = this.#abort = new AbortController();
    // An element that is not connected, because it was removed before its first update, begins in `hostConnected`.
    if (!this.#host.isConnected) this.#abort.abort();
    this.#set({ request: { kind, isSlow: false }, message: undefined });
    const timer = setTimeout(() => this.#set({ request: { kind, isSlow: true } }), SLOW_AFTER_MS);
    // `send` may settle later: the client may still be looking for the cause of a failure.
    signal.addEventListener('abort', () => clearTimeout(timer));
    try {
      return await send(this.#host.client, { signal, language: languageAround(this.#host) });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof BffError) return error;
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.#abort.signal === signal) this.#set({ request: undefined });
    }
  }
}
