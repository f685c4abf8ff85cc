/** Posts the text of the comment box. `submission.ts` sends the requests. */

import type { Post } from '@vestibule/shared';
import { networkProblem, type WidgetProblem } from '../client/problem.ts';
import { VestibuleBeforePostEvent, VestibulePostedEvent } from '../events.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { BoxEvent } from './comments-state.ts';
import type { DraftController } from './draft-controller.ts';
import type { CommentsHost } from './second-stage.ts';
import { clearPosted, PAGE_MAX_LENGTH, submitPost, type SubmissionOutcome } from './submission.ts';

/** The box, as far as its posts need it. */
interface Box {
  readonly store: SessionStore;
  /** Account that is signed in. */
  readonly account: string;
  send(event: BoxEvent): void;
  report(problem: WidgetProblem): void;
  /** Closes the composer of a reply. */
  close(): void;
}

export class Posting {
  readonly #host: CommentsHost;
  readonly #box: Box;
  readonly #drafts: DraftController;
  #inFlight: AbortController | undefined;

  constructor(host: CommentsHost, box: Box, drafts: DraftController) {
    this.#host = host;
    this.#box = box;
    this.#drafts = drafts;
  }

  submit(): void {
    const { draft, field, forum, parent, localizer } = this.#host;
    const message = field.value.toWellFormed();
    if (!this.#host.dispatchEvent(new VestibuleBeforePostEvent(message, parent || undefined))) return this.#box.send({ type: 'stop' });
    const { signal } = this.#inFlight = new AbortController();
    const { page, account } = draft.key;
    const userId = this.#box.account || account;
    const post = {
      forum, message,
      ...(page.length <= PAGE_MAX_LENGTH && { page }), ...(parent && { parent }), ...(userId && { expected_user_id: userId }),
    };
    const onProgress = (retryInSeconds?: number): void => this.#box.send({ type: 'progress', retryInSeconds });
    const options = { client: this.#box.store.client, signal, language: localizer.tag, onProgress };
    void submitPost(draft, post, options).catch((error: unknown): SubmissionOutcome => {
      if (!signal.aborted) reportError(error);
      return { name: 'failed', problem: networkProblem, isUncertain: true };
    }).then((outcome) => {
      if (signal.aborted) return;
      this.#inFlight = undefined;
      this.#finish(outcome, message);
    });
  }

  #finish(outcome: SubmissionOutcome, text: string): void {
    const host = this.#host;
    if (outcome.name === 'posted') {
      const { post, listed } = outcome.created;
      const { user } = this.#box.store.view ?? {};
      const parent = host.parent || undefined;
      if (user) this.#drafts.addPost({ id: idOf(post), user, message: text, at: Date.now(), parent, listed });
      host.showDraft();
      this.#box.send({ type: 'posted', isPending: listed?.state === 'pending' });
      host.dispatchEvent(new VestibulePostedEvent(outcome.created, parent));
      if (parent) this.#box.close();
      return;
    }
    const { problem } = outcome;
    if (problem.type === 'urn:vestibule:user-changed') this.#adoptChangedUser(problem);
    if (outcome.name === 'unconfirmed') this.#box.send({ type: 'unconfirmed', text, problem });
    else this.#box.send({ type: 'not-posted', problem, isUncertain: outcome.isUncertain, isOnline: navigator.onLine });
    this.#box.report(problem);
  }

  /** Another account has signed in since the session was requested. The text stays the draft of the account that was shown. */
  #adoptChangedUser({ user }: WidgetProblem): void {
    const { view } = this.#box.store;
    if (view && user) this.#box.store.adopt({ state: 'signed-in', user, limits: view.limits });
    void this.#box.store.refresh();
  }

  /** Its text stays in the draft of its account. */
  abort(): void {
    const { draft } = this.#host;
    if (this.#inFlight && draft.isInFlight) {
      draft.isInFlight = false;
      draft.save();
    }
    this.#inFlight?.abort();
    this.#inFlight = undefined;
  }

  /** The reader has found the comment that may have been posted. */
  clear(text: string): void {
    clearPosted(this.#host.draft, text);
    this.#host.showDraft();
  }
}

/** The interface guarantees no id. */
function idOf({ id }: Post): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
