/**
 * State machine of the validation form (contract, section 1, `<vestibule-sync>`): steps (`sync-state.ts`), requests and
 * transitions. One request at a time; clicks while one is in flight are ignored; a response after the element was removed is
 * dropped.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionState, SessionView, SyncOutcome, User } from '@vestibule/shared';
import type { BffClient, RequestOptions } from '../client/client.ts';
import { BffError, type WidgetProblem } from '../client/problem.ts';
import type { SyncCallback } from '../session/callback.ts';
import type { SessionChange } from '../session/session-channel.ts';
import { readStoredAnswers, removeStoredAnswers, storeAnswers } from './answer-storage.ts';
import { checkAnswers, checkRawAnswer, serverErrors, type AnswerErrors, type RawAnswer, type RawAnswers } from './answers.ts';
import { recoveryFor } from './error-recovery.ts';
import { isOutcome, unusableOutcome } from './outcome.ts';
import type { LeavingStep, QuestionsStep, SyncEnding, SyncMessage, SyncRequest, SyncState, SyncStep } from './sync-state.ts';

/** Where the focus goes after a transition. */
export type SyncFocus = 'heading' | 'first-error';

/** The element, as far as the machine needs it. */
export interface SyncHost {
  readonly client: () => BffClient;
  /** Of the form's labels. */
  readonly language: () => string;
  readonly forum: () => string | null | undefined;
  /** The state of the session has become known or has changed. */
  readonly onState: (state: SessionState) => void;
  /** A request failed. */
  readonly onProblem: (problem: WidgetProblem) => void;
  /** The sign-in has ended in this window, with `instance` by a failure. */
  readonly onOver: (change: SessionChange, instance?: string) => void;
  /** The browser should navigate to the completion URL, `isClicked` because the reader wants it to. Returns who navigates. */
  readonly onCompleted: (completionUrl: string, isClicked: boolean) => LeavingStep['by'];
  /** Closes the window; returns whether the browser did. */
  readonly closeWindow: () => boolean;
  /** A window of its own that the page can close. */
  readonly isPopup: () => boolean;
  readonly onFocus: (target: SyncFocus) => void;
}

type Element = ReactiveControllerHost & Pick<Node, 'isConnected'>;

type Send<Answer> = (client: BffClient, options: RequestOptions) => Promise<Answer>;

/** After this time, the form shows that the request takes longer than usual. */
const SLOW_AFTER_MS = 5_000;

const initialState: SyncState = { step: { name: 'loading' }, request: undefined, message: undefined };

/** After these steps the answers are not needed any more. */
const finalEndings: readonly SyncEnding[] = ['signed-in', 'rejected', 'cancelled'];

export class SyncController implements ReactiveController {
  state = initialState;
  /** Forum of the sign-in that was offered last. */
  forum: string | undefined;

  readonly #element: Element;
  readonly #host: SyncHost;
  readonly #slowAfterMs: number;
  #abort: AbortController | undefined;
  #reportedState: SessionState | undefined;

  constructor(element: Element, host: SyncHost, slowAfterMs = SLOW_AFTER_MS) {
    this.#element = element;
    this.#host = host;
    this.#slowAfterMs = slowAfterMs;
    element.addController(this);
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
      if (!this.#element.isConnected) this.#abort?.abort();
    });
  }

  /** Begins with a callback, or without one by requesting the session. */
  begin(callback: SyncCallback | undefined): void {
    this.#abort?.abort();
    this.state = initialState;
    switch (callback?.kind) {
      case 'granted': {
        const { syncReturn } = callback;
        return this.#go({ name: 'confirm', syncReturn, user: { user_id: syncReturn.user_id, username: syncReturn.username } });
      }
      case 'denied': return this.#end('declined');
      case 'already-granted': return this.#end('already-granted');
      case 'invalid': return this.#end('invalid-return');
      case undefined: void this.find();
    }
  }

  /** Requests `GET /session`. */
  async find(): Promise<void> {
    const { step, request } = this.state;
    if (request || (step.name !== 'loading' && step.name !== 'unavailable')) return;
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) {
      this.#go({ name: 'unavailable' }, { kind: 'problem', problem: view.problem });
      this.#host.onProblem(view.problem);
    } else if (view) {
      this.#adopt(view);
    }
  }

  /** Sends the callback to the BFF: the reader's own click. */
  async start(): Promise<void> {
    const { step, request } = this.state;
    if (request || step.name !== 'confirm') return;
    const forum = this.#host.forum();
    const view = await this.#send('starting', (client, options) => client.startSync({ ...step.syncReturn, ...(forum && { forum }) }, options));
    if (view instanceof BffError) return this.#afterFailure(view, step.user);
    if (!view) return;
    const isWithoutQuestions = this.#adopt(view)?.fields.length === 0;
    if (isWithoutQuestions) await this.submit(new Map());
  }

  /** Sends the answers if they have no format error. */
  async submit(raw: RawAnswers): Promise<void> {
    const { step, request } = this.state;
    if (request || step.name !== 'questions') return;
    this.keep(raw);
    const { answers, formatErrors } = checkAnswers(step.fields, raw);
    if (formatErrors.size > 0) return this.#showErrors(formatErrors);
    const validation = { sync: step.sync, username: step.user.username, answers };
    const outcome = await this.#send('sending', (client, options) => client.validate(validation, options));
    if (outcome instanceof BffError) {
      const messages = outcome.type === 'invalid-answers' && outcome.problem.fields;
      if (!messages) return this.#afterFailure(outcome, step.user);
      this.#host.onProblem(outcome.problem);
      this.#showErrors(serverErrors(step.fields, raw, messages));
    } else if (outcome) {
      this.#settle(outcome, step);
    }
  }

  /** Sends nothing if the callback was not sent; otherwise the service gets `success=0`. */
  async cancel(): Promise<void> {
    const { step, request } = this.state;
    if (request) return;
    if (step.name === 'confirm') return this.#end('cancelled');
    if (step.name !== 'questions') return;
    const outcome = await this.#send('cancelling', (client, options) => client.cancelSync({ sync: step.sync }, options));
    if (outcome instanceof BffError) return this.#afterFailure(outcome, step.user, () => this.#end('cancelled'));
    if (outcome) this.#settle(outcome, step);
  }

  /** The reader has read the reason of the rejection: navigates to the completion URL. */
  acknowledge(): void {
    const { step } = this.state;
    if (step.name === 'rejected') this.#leave(step.outcome, step.user, { isClicked: true });
  }

  /** Navigates at the reader's click; once more, if the browser did not. */
  leaveNow(): void {
    const { step } = this.state;
    if (step.name === 'leaving') this.#leave(step.outcome, step.user, { isClicked: true });
  }

  closeWindow(): void {
    const { step } = this.state;
    if (step.name !== 'ended' && step.name !== 'failed') return;
    if (!this.#host.closeWindow()) this.#go({ ...step, isWindowStuck: true });
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
    const error = message.errors.get(name);
    const field = step.fields.find((candidate) => candidate.name === name);
    if (field && typeof error === 'string' && !checkRawAnswer(field, raw).ok) return;
    const errors = new Map([...message.errors].filter(([other]) => other !== name));
    this.#set({ message: errors.size > 0 ? { kind: 'answers', errors } : undefined });
  }

  /** Goes to the step of the session; returns the questions if the BFF waits for answers. */
  #adopt({ state, user, sync, notice }: SessionView, message?: SyncMessage): QuestionsStep | undefined {
    this.#reportState(state);
    if (sync) {
      const { id, forum, form: { fields } } = sync;
      this.forum = forum;
      const owner = { bff: this.#host.client().base.href, forum, userId: sync.user.user_id };
      const step: QuestionsStep = {
        name: 'questions', sync: id, user: sync.user, session: state, fields, initial: readStoredAnswers(owner), owner,
      };
      this.#go(step, message);
      return step;
    }
    this.#end(state === 'signed-in' ? 'signed-in' : notice?.kind ?? 'nothing-to-do', user, notice?.instance);
    return undefined;
  }

  #settle(outcome: SyncOutcome, { owner, user, session }: QuestionsStep): void {
    removeStoredAnswers(owner);
    const isAccepted = outcome.outcome === 'accepted';
    this.#reportState(isAccepted || session === 'signed-in' ? 'signed-in' : 'anonymous');
    this.#host.onOver(isAccepted ? 'signed-in' : 'changed');
    if (!isOutcome(outcome)) return this.#fail(unusableOutcome());
    if (outcome.outcome === 'rejected') this.#go({ name: 'rejected', outcome, user });
    else this.#leave(outcome, user);
  }

  #leave(outcome: SyncOutcome, user: User, { isClicked = false } = {}): void {
    this.#go({ name: 'leaving', outcome, user, by: this.#host.onCompleted(outcome.completion_url, isClicked) });
  }

  /** `giveUp`: what follows if the sign-in cannot be continued. */
  async #afterFailure(error: BffError, user: User, giveUp = () => this.#fail(error.problem)): Promise<void> {
    switch (recoveryFor(error)) {
      case 'retry': return this.#showProblem(error.problem);
      case 'confirm': return this.#confirmAgain(error.problem);
      case 'restart': return giveUp();
      case 'recover': return this.#recover(error, user, giveUp);
    }
  }

  /** A response may have been lost after the BFF went on. */
  async #recover(error: BffError, user: User, giveUp: () => void): Promise<void> {
    const { step } = this.state;
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) return this.#showProblem(view.problem);
    if (!view) return;
    const { sync } = view;
    const isSuperseded = step.name === 'questions' && sync !== undefined && sync.id !== step.sync;
    const isOffered = sync?.user.user_id === user.user_id && error.type !== 'outcome-unknown';
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
    this.#host.onFocus('heading');
  }

  #showErrors(errors: AnswerErrors): void {
    this.#set({ message: { kind: 'answers', errors } });
    this.#host.onFocus('first-error');
  }

  #showProblem(problem: WidgetProblem): void {
    this.#set({ message: { kind: 'problem', problem } });
    this.#host.onProblem(problem);
  }

  #fail(problem: WidgetProblem): void {
    this.#go({ name: 'failed', problem });
    this.#host.onProblem(problem);
    this.#host.onOver('changed');
  }

  /** After an earlier grant, the service sends no code. The window closes automatically, and the comment box shows what to do. */
  #end(ending: SyncEnding, user?: User, instance?: string): void {
    if (finalEndings.includes(ending)) removeStoredAnswers({ bff: this.#host.client().base.href });
    this.#go({ name: 'ended', ending, user, instance });
    if (ending === 'nothing-to-do') return;
    this.#host.onOver(ending === 'already-granted' || ending === 'signed-in' ? ending : 'changed', instance);
    if (ending === 'already-granted' && this.#host.isPopup()) this.#host.closeWindow();
  }

  /** Once for each state. */
  #reportState(state: SessionState): void {
    if (state !== this.#reportedState) this.#host.onState(state);
    this.#reportedState = state;
  }

  /** The only place where the step changes. Moves the focus, except while the page loads. */
  #go(step: SyncStep, message?: SyncMessage): void {
    const isInitial = this.state.step.name === 'loading';
    const isOther = this.state.step.name !== step.name;
    this.#set({ step, message });
    if (isOther && !isInitial) this.#host.onFocus('heading');
  }

  #set(change: Partial<SyncState>): void {
    this.state = { ...this.state, ...change };
    this.#element.requestUpdate();
  }

  /** The response, the failure, or `undefined` if the element was removed meanwhile. */
  async #send<Answer>(kind: SyncRequest['kind'], send: Send<Answer>): Promise<Answer | BffError | undefined> {
    const { signal } = this.#abort = new AbortController();
    // An element that is not connected, because it was removed before its first update, begins in `hostConnected`.
    if (!this.#element.isConnected) this.#abort.abort();
    this.#set({ request: { kind, isSlow: false }, message: undefined });
    const timer = setTimeout(() => this.#set({ request: { kind, isSlow: true } }), this.#slowAfterMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
    try {
      return await send(this.#host.client(), { signal, language: this.#host.language() });
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
