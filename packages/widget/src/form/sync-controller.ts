/**
 * State machine of the validation form (contract, section 1, `<vestibule-sync>`; interface, section 3, steps 3 to 6). One step is
 * on the screen at a time, one request in flight; clicks meanwhile are ignored. A response after the element was removed is
 * dropped.
 *
 * | step | entered when | left when |
 * | --- | --- | --- |
 * | `loading` | there is no callback: `GET /session` is requested | the BFF responds |
 * | `unavailable` | it could not be requested | the reader tries again |
 * | `sign-in` | there is a callback, of which nothing has been sent | the reader continues or cancels |
 * | | the BFF offers a sign-in, with questions or without | the answers are accepted or refused, or the reader cancels |
 * | `ended` | the sign-in is decided or cannot be continued; there may be a completion URL to navigate to | |
 */

import type { ReactiveController } from 'lit';
import type { SessionState, SessionView, SyncOffer, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import { authorizeUrl, BffError, type BffClient, type RequestOptions } from '../client/client.ts';
import { networkProblem, type WidgetProblem, type WidgetProblemType } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { VestibuleCompletedEvent, VestibuleStateEvent } from '../events/events.ts';
import { muteDescription } from '../lib/live-text.ts';
import { languageAround } from '../locales/localizer.ts';
import type { SyncCallback } from '../session/callback.ts';
import { announceSessionChange } from '../session/session-channel.ts';
import { returnAddress } from '../storage/page-identity.ts';
import { writeHint } from '../storage/readers.ts';
import {
  checkAnswers, checkRawAnswer, readStoredAnswers, removeStoredAnswers, serverErrors, storeAnswers,
  type AnswerErrors, type RawAnswers,
} from './answers.ts';
import { focusStep, spoken } from './step-focus.ts';
import type { VestibuleSync } from './vestibule-sync.ts';

export type SyncStep =
  | { readonly name: 'loading' | 'unavailable' }
  | SignInStep
  | EndedStep;

export interface SignInStep {
  readonly name: 'sign-in';
  /** The callback, until the reader continues. */
  readonly syncReturn?: SyncReturn;
  /** That of a callback has no id and no questions. */
  readonly offer: SyncOffer;
  /** State of the session beside the offer; it remains if the sign-in fails. */
  readonly session: SessionState;
  /** Initial values of the controls. */
  readonly initial: RawAnswers;
}

export interface EndedStep {
  readonly name: 'ended';
  /** `declined`: at the service, by the reader; `cancelled`: here, by the reader; `failed`: here or at the service. */
  readonly ending:
    | 'declined' | 'rejected' | 'already-granted' | 'cancelled' | 'signed-in' | 'nothing-to-do' | 'invalid-return' | 'failed';
  /** Who is signed in. */
  readonly user?: User | undefined;
  /** The publisher's own words, after a rejection. */
  readonly reason?: string | undefined;
  readonly instance?: string | undefined;
  /** Why it has failed. */
  readonly problem?: WidgetProblem;
  /** Where the sign-in is completed. */
  readonly completionUrl?: string;
  /** Who navigates there: the browser at once, the page that cancelled the event, or the browser at the reader's click. */
  readonly by?: 'browser' | 'page' | 'reader';
}

export interface SyncState {
  readonly step: SyncStep;
  /** The request in flight. */
  readonly request?: 'asking' | 'starting' | 'sending' | 'cancelling' | undefined;
  /** It takes its time: the status says so. Said at once, it would be spoken after a quick outcome, or cut it off. */
  readonly isSlow?: boolean;
  /** Shown with the step until the reader acts. `superseded`: another sign-in has replaced the one that the reader began with;
   *  `window-open`: the browser did not close the window. */
  readonly message?:
    | { readonly kind: 'problem'; readonly problem: WidgetProblem }
    | { readonly kind: 'answers'; readonly errors: AnswerErrors }
    | { readonly kind: 'superseded' | 'window-open' }
    | undefined;
  /** Text of a step that the reader's own action led to. The focus moves with it, but that may be silent: a screen reader that
   *  loses the focused button finds the new heading by itself, and does not speak it. */
  readonly announcement?: string | undefined;
}

/** A request that takes longer is announced. */
const SLOW_MS = 500;

/** Errors of an authorization response (RFC 6749, 4.1.2.1) that no reader caused. */
const failures: readonly string[] = [
  'invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable',
];

/** The reader may send again. `internal-error`: if the BFF has used the code, the next response is `code-already-used`. */
const repeatable: readonly WidgetProblemType[] = ['invalid-answers', 'payload-too-large', 'internal-error'];

/** An earlier response may have been lost. */
const recoverable: readonly WidgetProblemType[] = ['no-sync-in-progress', 'code-already-used', 'outcome-unknown', 'not-signed-in'];

export class SyncController implements ReactiveController {
  state: SyncState = { step: { name: 'loading' } };
  readonly #host: VestibuleSync;
  #abort: AbortController | undefined;
  #reportedState: SessionState | undefined;
  /** Of the sign-in that was offered last. */
  #forum: string | undefined;
  /** Name of the site, from the BFF. */
  site: string | undefined;
  /** As the controls had them last. */
  #answers: RawAnswers = new Map();

  constructor(host: VestibuleSync) {
    this.#host = host;
    host.addController(this);
  }

  /** This window is one of its own, which the page can close. */
  get isPopup(): boolean {
    return window.opener !== null && !this.#host.inline;
  }

  /** Starts the sign-in again, in this window for its opener or in this page; `undefined` if the forum is not known, or
   *  the BFF cannot lead back to this page. */
  get startUrl(): string | undefined {
    const { client, inline, openers: [opener] } = this.#host;
    const forum = this.#host.forum ?? this.#forum;
    const [page, display] = opener ? [`${opener}/`, 'popup'] as const : [returnAddress(), 'page'] as const;
    if (!forum || inline || !page) return undefined;
    return authorizeUrl(client.base, forum, page, display, languageAround(this.#host), false);
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
    if (callback?.kind === 'granted') {
      const { syncReturn } = callback;
      const offer = { id: '', user: syncReturn, forum: '', form: { fields: [] } };
      this.#go({ name: 'sign-in', syncReturn, offer, session: 'anonymous', initial: new Map() }, { isReturn: true });
    } else if (callback) {
      this.#end({ ending: callback.kind === 'declined' && failures.includes(callback.error) ? 'failed' : callback.kind }, true);
    } else if (view) {
      this.#adopt(view);
    } else {
      this.state = { step: { name: 'loading' } };
      void this.find();
    }
  }

  /** Requests `GET /session`. */
  async find(): Promise<void> {
    if (this.state.request) return;
    const view = await this.#send('asking', (client, options) => client.getSession({ ...options, isChanged: true }));
    if (view) this.#adopt(view);
  }

  /** The reader's own click: sends the callback, or the answers if they have no format error. */
  async proceed(raw: RawAnswers): Promise<void> {
    const { step } = this.state;
    if (this.state.request || step.name !== 'sign-in') return;
    const { syncReturn, offer: { id, user, form: { fields } } } = step;
    if (syncReturn) {
      const { forum } = this.#host;
      const view = await this.#send('starting', (client, options) => client.startSync({ ...syncReturn, ...(forum && { forum }) }, options));
      if (!view) return;
      this.#adopt(view);
      if (view.sync?.form.fields.length === 0) await this.proceed(new Map());
    } else {
      this.#keep(raw);
      const { answers, errors } = checkAnswers(fields, raw, this.#host.tag);
      if (errors.size > 0) return void this.#showErrors(errors);
      const request = fields.length > 0 ? 'sending' : 'starting';
      const outcome = await this.#send(request, async (client, options) => {
        const settled = await client.validate({ sync: id, username: user.username, answers }, options);
        if (settled.outcome === 'accepted') await this.#host.onAccepted?.(user);
        return settled;
      });
      if (outcome) this.#settle(outcome, step);
    }
  }

  /** Sends nothing if the callback was not sent; otherwise the service gets `success=0`. */
  async cancel(): Promise<void> {
    const { step, request } = this.state;
    if (request || step.name !== 'sign-in') return;
    if (step.syncReturn) return void this.#end({ ending: 'cancelled' });
    const outcome = await this.#send('cancelling', (client, options) => client.cancelSync({ sync: step.offer.id }, options));
    if (outcome) this.#settle(outcome, step);
  }

  /** Navigates to the completion URL; once more, if the browser did not. A second click at the same `step` is ignored. */
  leave(step: EndedStep): void {
    const { completionUrl } = step;
    if (step !== this.state.step || !completionUrl) return;
    const isByPage = !this.#host.dispatchEvent(new VestibuleCompletedEvent(completionUrl));
    if (!isByPage) location.replace(completionUrl);
    this.#go({ ...step, by: isByPage ? 'page' : 'browser' });
  }

  closeWindow(): void {
    close();
    if (!closed) this.#set({ message: { kind: 'window-open' } });
  }

  /** The reader has changed the answer `name`: its error goes if it is correct now, one of the BFF's in any case. */
  edit(name: string, raw: RawAnswers): void {
    this.#keep(raw);
    const { step, message } = this.state;
    if (step.name !== 'sign-in' || message?.kind !== 'answers') return;
    const field = step.offer.form.fields.find((candidate) => candidate.name === name)!;
    if (typeof message.errors.get(name) === 'string' && !checkRawAnswer(field, raw.get(name), this.#host.tag).ok) return;
    const errors = new Map([...message.errors].filter(([other]) => other !== name));
    this.#set({ message: errors.size > 0 ? { kind: 'answers', errors } : undefined, announcement: undefined });
  }

  /** Stores the answers, for a reload. */
  #keep(raw: RawAnswers): void {
    const { step } = this.state;
    this.#answers = raw;
    if (step.name === 'sign-in' && raw.size > 0) storeAnswers(this.#host.client.base, step.offer, raw);
  }

  /** Goes to the step of the session. */
  #adopt({ state, user, sync, notice }: SessionView, message?: SyncState['message']): void {
    this.#reportState(state);
    if (sync) {
      this.#forum = sync.forum;
      this.site = sync.form.site;
      this.#go({ name: 'sign-in', offer: sync, session: state, initial: readStoredAnswers(this.#host.client.base, sync) }, { message });
    } else if (state === 'signed-in') {
      this.#end({ ending: 'signed-in', user });
    } else {
      const { kind = 'nothing-to-do', reason, instance } = notice ?? {};
      // A failure of the service has the reference of the log.
      this.#end({ ending: kind === 'declined' && instance !== undefined ? 'failed' : kind, reason, instance });
    }
  }

  /** A rejected reader reads why, then continues. */
  #settle({ outcome, completion_url: completionUrl, reason }: SyncOutcome, { offer: { user }, session }: SignInStep): void {
    const { client: { base }, mayLeave } = this.#host;
    const isAccepted = outcome === 'accepted';
    this.#reportState(isAccepted || session === 'signed-in' ? 'signed-in' : 'anonymous');
    if (isAccepted) writeHint(base.href, user);
    if (!/^https?:\/\//i.test(completionUrl)) return this.#fail({ ...networkProblem, type: 'urn:vestibule:bad-service-response' });
    const exit = { reason, completionUrl, by: 'reader' } as const;
    const step = this.#end(isAccepted ? { ending: 'signed-in', user, ...exit } : { ending: outcome, ...exit });
    if (outcome !== 'rejected' && mayLeave()) this.leave(step);
  }

  async #onFailure(request: SyncState['request'], { type, problem }: BffError): Promise<void> {
    const { step } = this.state;
    if (step.name === 'loading') this.#go({ name: 'unavailable' });
    if (request === 'asking' || problem.retryable) return this.#showProblem(problem);
    if (recoverable.includes(type)) return this.#recover(request, type, problem);
    if (step.name === 'sign-in') {
      const { form = step.offer.form } = problem;
      const errors = serverErrors(form.fields, this.#answers, problem.fields ?? {}, this.#host.tag);
      if (errors.size > 0) {
        this.#report(problem);
        const initial = new Map([...step.initial, ...this.#answers]);
        return void this.#showErrors(errors, problem.form && { ...step, offer: { ...step.offer, form }, initial });
      }
      // Answers of an earlier sign-in are not accepted any more, and the publisher does not say which.
      if (problem.form) return this.#go({ ...step, offer: { ...step.offer, form } });
      // The exchange returned another `username` than the one shown: the reader confirms it; the answers stay.
      if (problem.user) {
        this.#go({ ...step, offer: { ...step.offer, user: problem.user } });
        return this.#showProblem(problem);
      }
    }
    if (repeatable.includes(type)) this.#showProblem(problem);
    else this.#fail(problem, request);
  }

  /** Goes on with what the session shows, if that is of the same reader or a newer sign-in. */
  async #recover(request: SyncState['request'], type: WidgetProblemType, problem: WidgetProblem): Promise<void> {
    const { step } = this.state;
    const view = await this.#send('asking', (client, options) => client.getSession({ ...options, isChanged: true }));
    if (!view || step.name !== 'sign-in') return;
    const { syncReturn, offer: { id, user: { user_id } } } = step;
    const isSuperseded = !syncReturn && view.sync !== undefined && view.sync.id !== id;
    const isOffered = view.sync?.user.user_id === user_id && type !== 'outcome-unknown';
    const isSignedIn = view.state === 'signed-in' && view.user?.user_id === user_id;
    if (isSuperseded) this.#adopt(view, { kind: 'superseded' });
    else if (isOffered || isSignedIn) this.#adopt(view);
    else this.#fail(problem, request);
  }

  /** The first answer at fault gets the focus, with which its error is spoken. Where it has the focus already, the status says
   *  its error; and how many there are. @param step the present one with other questions */
  async #showErrors(errors: AnswerErrors, step = this.state.step): Promise<void> {
    const root = this.#host.renderRoot as ShadowRoot;
    const { activeElement } = root;
    if ([...errors.keys()][0] === activeElement?.getAttribute('name')) muteDescription(activeElement);
    this.#set({ step, message: { kind: 'answers', errors } });
    await focusStep(this.#host, '[aria-invalid=true]');
    const first = root.querySelector('[aria-invalid=true]');
    this.#say([root.getElementById('errors'), first === activeElement && root.getElementById(`${first?.id}-error`)]);
  }

  #say(elements: readonly (Element | null | false)[]): void {
    this.#set({ announcement: spoken(elements, this.state.announcement) });
  }

  #showProblem(problem: WidgetProblem): void {
    this.#set({ message: { kind: 'problem', problem } });
    this.#report(problem);
    void this.#host.updateComplete.then(() => this.#host.renderRoot.querySelector('.danger')?.scrollIntoView({ block: 'nearest' }));
  }

  #fail(problem: WidgetProblem, request?: SyncState['request']): void {
    if (request === 'cancelling') return void this.#end({ ending: 'cancelled' });
    this.#end({ ending: 'failed', problem });
    this.#report(problem);
  }

  /** Reports to the reader's other pages how the sign-in has ended. */
  #end(end: Omit<EndedStep, 'name'>, isReturn = false): EndedStep {
    const { ending, instance } = end;
    const { client: { base }, openers } = this.#host;
    const step: EndedStep = { name: 'ended', ...end };
    if (['signed-in', 'rejected', 'cancelled'].includes(ending)) removeStoredAnswers(base);
    this.#go(step, { isReturn });
    const change = ending === 'already-granted' || ending === 'signed-in' ? ending : 'changed';
    if (ending !== 'nothing-to-do') announceSessionChange(base, change, { openerOrigins: openers, instance, account: end.user?.user_id });
    return step;
  }

  #report(problem: WidgetProblem): void {
    this.#host.dispatchEvent(new VestibuleErrorEvent(problem));
  }

  /** Once for each state. */
  #reportState(state: SessionState): void {
    if (state !== this.#reportedState) this.#host.dispatchEvent(new VestibuleStateEvent(state));
    this.#reportedState = state;
  }

  /** The only place where another step begins. Moves the focus to its heading, but not into the form of a page that loads, unless
   *  the reader comes from the sign-in with a callback in the address. */
  #go(step: SyncStep, { message, isReturn = false }: { message?: SyncState['message']; isReturn?: boolean } = {}): void {
    const { step: { name: from } } = this.state;
    const isLater = from !== 'loading';
    const isWithin = this.#host.matches(':focus-within');
    const takesFocus = isLater || isReturn || this.isPopup || isWithin;
    this.#set({ step, message, announcement: undefined });
    if (takesFocus) void focusStep(this.#host, '#heading', !isLater && !isWithin);
    if (isLater) void this.#announce(step, from);
  }

  /** The heading of the step and its description; after an ending, which keeps its heading, the description alone. */
  async #announce(step: SyncStep, from: SyncStep['name']): Promise<void> {
    await this.#host.updateComplete;
    const root = this.#host.renderRoot as ShadowRoot;
    const ids = root.getElementById('heading')?.getAttribute('aria-describedby')?.split(' ') ?? [];
    if (this.state.step === step) this.#say([...from === 'ended' ? [] : ['heading'], ...ids].map((id) => root.getElementById(id)));
  }

  #set(change: Partial<SyncState>): void {
    this.state = { ...this.state, ...change };
    this.#host.requestUpdate();
  }

  /** The response; `undefined` after a failure, or if the element was removed meanwhile. */
  async #send<Answer>(
    request: NonNullable<SyncState['request']>, send: (client: BffClient, options: RequestOptions) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { signal } = this.#abort = new AbortController();
    // An element that is not connected, because it was removed before its first update, begins in `hostConnected`.
    if (!this.#host.isConnected) this.#abort.abort();
    this.#set({ request, isSlow: false, message: undefined, announcement: undefined });
    setTimeout(() => signal === this.#abort?.signal && this.state.request && this.#set({ isSlow: true }), SLOW_MS);
    const answer = await send(this.#host.client, { signal, language: languageAround(this.#host) }).catch((error: unknown) => {
      if (error instanceof BffError || signal.aborted) return error as BffError;
      throw error;
    });
    if (this.#abort.signal === signal) this.#set({ request: undefined });
    if (signal.aborted) return undefined;
    if (!(answer instanceof BffError)) return answer;
    await this.#onFailure(request, answer);
    return undefined;
  }
}
