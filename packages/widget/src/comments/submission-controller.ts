/**
 * Posts a comment: the phases `checking-session`, `posting` and `unconfirmed`. `submission.ts` sends the requests.
 *
 * | phase | next phase |
 * | --- | --- |
 * | `writing` | `posting` if the reader is signed in, else `checking-session` |
 * | `checking-session` | `posting` if the reader is signed in and the text is the same, else `writing` |
 * | `posting` | `writing`; `unconfirmed` if the comment may have been posted |
 * | `unconfirmed` | `writing`; `posting` if the reader posts again |
 */

import { isBlank, type Post } from '@vestibule/shared';
import { networkProblem } from '../client/network-problem.ts';
import type { WidgetProblem } from '../client/problem.ts';
import { VestibulePostedEvent } from '../events.ts';
import { prepareTimeFormat } from '../locales/time-format.ts';
import { messageLength, reportProblem, type CommentsContext } from './comments-context.ts';
import { message } from './phase-machine.ts';
import { clearPosted, dropKey, PAGE_MAX_LENGTH, submitPost, type SubmissionOutcome } from './submission.ts';

export class SubmissionController {
  readonly #context: CommentsContext;
  #inFlight: AbortController | undefined;

  constructor(context: CommentsContext) {
    this.#context = context;
  }

  /** Posts `text`, or requests the session first. */
  submit(text: string): void {
    const { machine, store } = this.#context;
    if (store.state === 'signed-in') return this.#postIfUnchanged(text);
    machine.go({ name: 'checking-session', message: text });
    void store.refresh();
  }

  /** Called after each change of the session. */
  onSession(): void {
    const { host, machine, store: { view, failure, state, isFetching } } = this.#context;
    const { phase } = machine;
    // The page was left while a post was in flight: the same request with the same key has its outcome.
    const { draft } = host;
    if (phase.name === 'writing' && state === 'signed-in' && draft.isInFlight && draft.key.account) return void this.#post();
    if (phase.name !== 'checking-session' || isFetching) return;
    if (state === 'signed-in' && !failure) return this.#postIfUnchanged(phase.message);
    machine.go({ name: 'writing' }, { announce: view && !failure ? message('signInFirst') : undefined });
  }

  /** Ends the submission in flight without a transition. Its text stays in the draft of its account.
   *  @param isLeft whether the box was removed, and asks for the outcome when it is there again */
  abort(isLeft = false): void {
    const { draft } = this.#context.host;
    if (this.#inFlight && !isLeft) {
      draft.isInFlight = false;
      draft.save();
    }
    this.#inFlight?.abort();
    this.#inFlight = undefined;
  }

  /** The reader wants no further attempt. */
  stopRetrying(): void {
    this.abort();
    this.#context.machine.go({ name: 'writing' }, { announce: message('stopped'), focus: 'field' });
  }

  /** The reader has found the comment that may have been posted. */
  confirmPosted(): void {
    const { host, machine } = this.#context;
    const { phase } = machine;
    if (phase.name !== 'unconfirmed') return;
    clearPosted(host.draft, phase.message);
    host.showDraft();
    machine.go({ name: 'writing' }, { announce: message('posted'), focus: 'field' });
  }

  /** The reader did not find the comment: posts it as a new one. */
  postAgain(): void {
    const { host, machine } = this.#context;
    dropKey(host.draft);
    machine.go({ name: 'writing' }, { focus: 'field' });
    void this.#post();
  }

  /** Posts only `text`, which the reader saw when they submitted: the draft of their account, or of another box that has posted
   *  it already, may have replaced it. */
  #postIfUnchanged(text: string): void {
    const { host, machine, drafts } = this.#context;
    drafts.follow();
    if (host.field.value === text) void this.#post();
    else machine.go({ name: 'writing' }, { announce: host.field.value ? message('notPostedYet') : undefined, focus: 'field' });
  }

  async #post(): Promise<void> {
    const { host: { draft, field, forum, localizer }, machine, store } = this.#context;
    const text = field.value.toWellFormed();
    const error = isBlank(text) ? 'empty' : messageLength(this.#context).left < 0 ? 'too-long' : undefined;
    if (error) return machine.go({ name: 'writing' }, { announce: { kind: 'error', error }, focus: 'field' });
    const { signal } = this.#inFlight = new AbortController();
    const { page, account } = draft.key;
    const userId = store.view?.user?.user_id ?? account;
    const onProgress = (retryInSeconds?: number): void => machine.go({ name: 'posting', retryInSeconds });
    prepareTimeFormat(localizer.tag);
    const post = {
      forum, message: text, ...(page.length <= PAGE_MAX_LENGTH && { page }), ...(userId && { expected_user_id: userId }),
    };
    const options = { client: store.client, signal, language: localizer.tag, onProgress };
    const outcome = await submitPost(draft, post, options).catch((reason: unknown) => {
      if (!signal.aborted) reportError(reason);
      return { name: 'failed', problem: networkProblem, isUncertain: true } as const;
    });
    if (signal.aborted) return;
    this.#inFlight = undefined;
    this.#finish(outcome, text);
  }

  #finish(outcome: SubmissionOutcome, text: string): void {
    const { host, machine, drafts, store } = this.#context;
    switch (outcome.name) {
      case 'posted': {
        const user = store.view?.user;
        if (user) drafts.addPost({ id: idOf(outcome.post), user, message: text, at: Date.now() });
        host.showDraft();
        machine.go({ name: 'writing' }, { announce: message('posted') });
        return void host.dispatchEvent(new VestibulePostedEvent(outcome.post));
      }
      case 'unconfirmed':
        machine.go({ name: 'unconfirmed', message: text, problem: outcome.problem }, { focus: 'panel' });
        return reportProblem(this.#context, outcome.problem);
      case 'failed':
        if (outcome.problem.type.endsWith(':user-changed')) return this.#showChangedUser(outcome.problem);
        if (outcome.problem.type.endsWith(':not-signed-in')) store.markEnded();
        machine.go({ name: 'writing' }, { announce: { kind: outcome.isUncertain ? 'uncertain' : 'not-posted', problem: outcome.problem } });
        return reportProblem(this.#context, outcome.problem);
    }
  }

  /** Another account has signed in since the session was requested. The text stays the draft of the account that was shown. */
  #showChangedUser(problem: WidgetProblem): void {
    const { machine, store } = this.#context;
    const { view } = store;
    machine.go({ name: 'writing' });
    if (view && problem.user) store.adopt({ state: 'signed-in', user: problem.user, limits: view.limits });
    machine.announce(message('notPostedYet'));
    reportProblem(this.#context, problem);
    void store.refresh();
  }
}

/** The interface guarantees no id. */
function idOf({ id }: Post): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
