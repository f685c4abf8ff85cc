/** The validation as a state machine (contract, section 1, `<vestibule-sync>`): which step the reader stands at, what
 *  may be sent from there, and where each answer of the BFF leads. One request at a time; a second click while one is
 *  under way does nothing; an answer that comes after the element was removed is dropped. Draws nothing. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionState, SessionView, SyncOutcome, User } from '@vestibule/shared';
import type { BffClient, RequestOptions } from '../../api/bff-client.ts';
import { BffError, type WidgetProblem } from '../../api/problem.ts';
import type { TakenSyncReturn } from '../../lib/sync-return.ts';
import { dropAnswers, keepAnswers, keptAnswers } from './answer-keep.ts';
import { checkAnswers, checkRawAnswer, faultsOfServer, type FieldFaults, type RawAnswer, type RawAnswers } from './answers.ts';
import { isOutcome, unusableOutcome } from './outcome.ts';
import type { LeavingStep, QuestionsStep, SyncEnding, SyncStep, SyncWait } from './sync-step.ts';
import { wayOn } from './way-on.ts';

/** What the machine needs of its element, and tells it. */
export interface SyncSurroundings {
  readonly client: () => BffClient;
  readonly forum: () => string | null | undefined;
  /** The state of the session has become known, or has changed. */
  readonly onState: (state: SessionState) => void;
  /** Something failed and the reader is told. */
  readonly onProblem: (problem: WidgetProblem) => void;
  /** The sync has come to its end in this window: whoever waits for it should ask how. */
  readonly onOver: () => void;
  /** The browser should go to the completion URL. */
  readonly onCompleted: (completionUrl: string) => void;
}

type Host = ReactiveControllerHost & Pick<Node, 'isConnected'>;

type Send<Answer> = (client: BffClient, options: RequestOptions) => Promise<Answer>;

/** After this long a wait is said to take longer than usual. */
const SLOW_AFTER_MS = 5_000;

/** After these nobody will ask for the answers again. */
const finalEndings: readonly SyncEnding[] = ['signed-in', 'rejected', 'cancelled'];

export class SyncController implements ReactiveController {
  step: SyncStep = { name: 'loading' };
  wait: SyncWait | undefined;
  /** The wait has become a long one. */
  slow = false;
  /** Why the last request failed, where the reader may try again. */
  problem: WidgetProblem | undefined;
  faults: FieldFaults = new Map();
  /** How often answers were found at fault: each time the focus goes to the first of them. */
  faultRounds = 0;
  /** The sign-in that is shown has taken the place of the one that the reader had begun with. */
  isSuperseded = false;
  /** Forum of the sign-in that was offered last. */
  forum: string | undefined;

  readonly #host: Host;
  readonly #around: SyncSurroundings;
  readonly #slowAfterMs: number;
  #request: AbortController | undefined;

  constructor(host: Host, around: SyncSurroundings, slowAfterMs = SLOW_AFTER_MS) {
    this.#host = host;
    this.#around = around;
    this.#slowAfterMs = slowAfterMs;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#request?.signal.aborted && this.step.name === 'loading') void this.find();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#request?.abort();
    });
  }

  /** Begins with the return that was found, or without one by asking what is under way. */
  begin(taken: TakenSyncReturn | undefined): void {
    this.#request?.abort();
    this.wait = undefined;
    switch (taken?.kind) {
      case 'granted': {
        const { syncReturn } = taken;
        this.#go({ name: 'confirm', syncReturn, user: { user_id: syncReturn.user_id, username: syncReturn.username } });
        return;
      }
      case 'denied': return this.#end('declined');
      case 'already-granted': return this.#end('already-granted');
      case 'invalid': return this.#end('invalid-return');
      case undefined: this.#go({ name: 'loading' });
    }
    void this.find();
  }

  /** Asks `GET /session` where the reader stands. */
  async find(): Promise<void> {
    if (this.wait || this.step.name !== 'loading') return;
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) {
      this.step = { name: 'loading', again: true };
      this.#tell(view.problem);
    } else if (view) {
      this.#adopt(view);
    }
  }

  /** Hands the return to the BFF: the reader's own click. */
  async start(): Promise<void> {
    if (this.wait || this.step.name !== 'confirm') return;
    const { syncReturn, user } = this.step;
    const forum = this.#around.forum();
    const view = await this.#send('starting', (client, options) => client.startSync({ ...syncReturn, ...(forum && { forum }) }, options));
    if (view instanceof BffError) return this.#afterFailure(view, user);
    if (!view) return;
    const isWithoutQuestions = this.#adopt(view)?.fields.length === 0;
    if (isWithoutQuestions) await this.submit(new Map());
  }

  /** Sends the answers once they keep the rules. */
  async submit(raw: RawAnswers): Promise<void> {
    if (this.wait || this.step.name !== 'questions') return;
    const { sync, fields, user } = this.step;
    this.keep(raw);
    const { answers, slips } = checkAnswers(fields, raw);
    if (slips.size > 0) return this.#showFaults(slips);
    const validation = { sync, username: user.username, answers };
    const outcome = await this.#send('sending', (client, options) => client.validate(validation, options));
    if (outcome instanceof BffError) {
      const messages = outcome.type === 'invalid-answers' && outcome.problem.fields;
      if (!messages) return this.#afterFailure(outcome, user);
      this.#around.onProblem(outcome.problem);
      this.#showFaults(faultsOfServer(fields, raw, messages));
    } else if (outcome) {
      this.#settle(outcome, this.step);
    }
  }

  /** Until the return was handed over nothing is sent; after that the service learns that the sync came to nothing. */
  async cancel(): Promise<void> {
    if (this.wait) return;
    if (this.step.name === 'confirm') return this.#end('cancelled');
    if (this.step.name !== 'questions') return;
    const { sync, user } = this.step;
    const outcome = await this.#send('cancelling', (client, options) => client.cancelSync({ sync }, options));
    if (outcome instanceof BffError) return this.#afterFailure(outcome, user, () => this.#end('cancelled'));
    if (outcome) this.#settle(outcome, this.step);
  }

  /** The reader has read why they were rejected, and goes on to the completion URL. */
  acknowledge(): void {
    if (this.step.name === 'rejected') this.#leave(this.step);
  }

  /** Once more to the completion URL, where the browser did not get away. */
  leaveAgain(): void {
    if (this.step.name === 'leaving') this.#around.onCompleted(this.step.outcome.completion_url);
  }

  /** Keeps what stands in the controls over a reload. */
  keep(raw: RawAnswers): void {
    if (this.step.name === 'questions' && raw.size > 0) keepAnswers(this.step.owner, raw);
  }

  /** Takes the fault of an answer away once the reader has mended it. The BFF's own faults go with the first change. */
  recheck(name: string, raw: RawAnswer): void {
    const fault = this.faults.get(name);
    if (!fault || this.step.name !== 'questions') return;
    const field = this.step.fields.find((candidate) => candidate.name === name);
    if (field && typeof fault === 'string' && !checkRawAnswer(field, raw).ok) return;
    this.faults = new Map([...this.faults].filter(([faulty]) => faulty !== name));
    this.#host.requestUpdate();
  }

  /** Goes where the session stands; the questions' step where answers are awaited. */
  #adopt({ state, user, sync, notice }: SessionView): QuestionsStep | undefined {
    this.#around.onState(state);
    if (sync) {
      const { id, forum, form: { fields } } = sync;
      this.forum = forum;
      const owner = { bff: this.#around.client().base.href, forum, userId: sync.user.user_id };
      const step: QuestionsStep = { name: 'questions', sync: id, user: sync.user, session: state, fields, initial: keptAnswers(owner), owner };
      this.#go(step);
      return step;
    }
    this.#end(state === 'signed-in' ? 'signed-in' : notice ?? 'nothing-to-do', user);
    return undefined;
  }

  #settle(outcome: SyncOutcome, { owner, user, session }: QuestionsStep): void {
    dropAnswers(owner);
    this.#around.onState(outcome.outcome === 'accepted' || session === 'signed-in' ? 'signed-in' : 'anonymous');
    this.#around.onOver();
    if (!isOutcome(outcome)) return this.#fail(unusableOutcome());
    if (outcome.outcome === 'rejected') this.#go({ name: 'rejected', outcome, user });
    else this.#leave({ outcome, user });
  }

  #leave({ outcome, user }: Pick<LeavingStep, 'outcome' | 'user'>): void {
    this.#go({ name: 'leaving', outcome, user });
    this.#around.onCompleted(outcome.completion_url);
  }

  /** `giveUp`: what follows where the sync cannot be carried on. */
  async #afterFailure(error: BffError, user: User, giveUp = () => this.#fail(error.problem)): Promise<void> {
    switch (wayOn(error)) {
      case 'retry': return this.#tell(error.problem);
      case 'confirm': return this.#confirmAgain(error.problem);
      case 'restart': return giveUp();
      case 'recover': return this.#recover(error, user, giveUp);
    }
  }

  /** The sync may have come further than its answers came here. */
  async #recover(error: BffError, user: User, giveUp: () => void): Promise<void> {
    const view = await this.#send('asking', (client, options) => client.getSession(options));
    if (view instanceof BffError) return this.#tell(view.problem);
    if (!view) return;
    const { sync } = view;
    const isSuperseded = this.step.name === 'questions' && sync !== undefined && sync.id !== this.step.sync;
    const isOffered = sync?.user.user_id === user.user_id && error.type !== 'outcome-unknown';
    const isSignedIn = view.state === 'signed-in' && view.user?.user_id === user.user_id;
    if (!isOffered && !isSuperseded && !isSignedIn) return giveUp();
    this.#adopt(view);
    this.isSuperseded = isSuperseded;
  }

  /** The exchange proved another `username` than the one that the reader saw: they confirm the new one, with the answers as
   *  they stand. */
  #confirmAgain(problem: WidgetProblem): void {
    const { step } = this;
    if (step.name !== 'questions' || !problem.user) return this.#fail(problem);
    this.step = { ...step, user: problem.user };
    this.#tell(problem);
  }

  #showFaults(faults: FieldFaults): void {
    this.problem = undefined;
    this.faults = faults;
    this.faultRounds += 1;
    this.#host.requestUpdate();
  }

  #tell(problem: WidgetProblem): void {
    this.problem = problem;
    this.#host.requestUpdate();
    this.#around.onProblem(problem);
  }

  #fail(problem: WidgetProblem): void {
    this.#go({ name: 'failed', problem });
    this.#around.onProblem(problem);
    this.#around.onOver();
  }

  #end(ending: SyncEnding, user?: User): void {
    if (finalEndings.includes(ending)) dropAnswers({ bff: this.#around.client().base.href });
    this.#go({ name: 'ended', ending, user });
    if (ending !== 'nothing-to-do') this.#around.onOver();
  }

  #go(step: SyncStep): void {
    this.step = step;
    this.isSuperseded = false;
    this.problem = undefined;
    this.faults = new Map();
    this.#host.requestUpdate();
  }

  /** The answer, the failure, or `undefined` where the element was removed in the meantime. */
  async #send<Answer>(wait: SyncWait, send: Send<Answer>): Promise<Answer | BffError | undefined> {
    const { signal } = this.#request = new AbortController();
    this.#showWait(wait);
    const timer = setTimeout(() => this.#showWait(wait, true), this.#slowAfterMs);
    try {
      return await send(this.#around.client(), { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof BffError) return error;
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.#request.signal === signal) this.#showWait(undefined);
    }
  }

  #showWait(wait: SyncWait | undefined, slow = false): void {
    this.wait = wait;
    this.slow = slow;
    if (wait && !slow) {
      this.problem = undefined;
      this.faults = new Map();
    }
    this.#host.requestUpdate();
  }
}
