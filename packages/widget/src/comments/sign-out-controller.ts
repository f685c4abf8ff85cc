/**
 * Signs the reader out: the phases `confirming-sign-out` and `signing-out`. If the response is lost or a failure, the next
 * response to `GET /session` settles whether the session has ended.
 */

import type { SessionView } from '@vestibule/shared';
import { forgetAccount } from '../storage/reader-records.ts';
import { announceSessionChange } from '../session/session-channel.ts';
import type { SessionStore } from '../session/session-store.ts';
import { request, type CommentsContext } from './comments-context.ts';
import type { Phase } from './comments-state.ts';
import { message } from './phase-machine.ts';
import type { SignInController } from './sign-in-controller.ts';
import type { SubmissionController } from './submission-controller.ts';

export class SignOutController {
  readonly #context: CommentsContext;
  readonly #signIn: SignInController;
  readonly #submission: SubmissionController;
  #inFlight: Promise<void> | undefined;
  /** Account of the last view, which the store may have forgotten since. */
  #account: string | undefined;
  /** Completes a sign-out without a successful response, if the session has ended. */
  #complete: (() => void) | undefined;

  constructor(context: CommentsContext, signIn: SignInController, submission: SubmissionController) {
    this.#context = context;
    this.#signIn = signIn;
    this.#submission = submission;
  }

  /** Asks first if the sign-out would delete text. */
  requestConfirmation(): void {
    const { drafts, machine } = this.#context;
    if (drafts.wouldLoseText) machine.go({ name: 'confirming-sign-out' }, { focus: 'panel' });
    else void this.signOut();
  }

  /** A second call joins the first. */
  signOut(): Promise<void> {
    if (this.#inFlight) return this.#inFlight;
    const inFlight = this.#endSession().finally(() => {
      if (this.#inFlight === inFlight) this.#inFlight = undefined;
    });
    this.#inFlight = inFlight;
    return inFlight;
  }

  /** Called with each new view of the session. */
  onSession({ state, user }: SessionView): void {
    this.#account = user?.user_id;
    const complete = this.#complete;
    this.#complete = undefined;
    if (state !== 'signed-in') complete?.();
  }

  /** The element names another BFF: a sign-out in flight belongs to the one before. */
  reset(): void {
    this.#inFlight = undefined;
    this.#account = undefined;
    this.#complete = undefined;
  }

  async #endSession(): Promise<void> {
    const { host, machine, store } = this.#context;
    this.#submission.abort();
    this.#signIn.stopWaiting();
    const phase: Phase = { name: 'signing-out' };
    machine.go(phase);
    const account = this.#account ?? host.draft.key.account;
    const isDone = await request(this.#context, () => store.client.signOut().then(() => true));
    if (isDone) {
      this.#forgetReader(store, account);
      return store.markEnded();
    }
    if (store !== this.#context.store) return;
    const { draft } = host;
    const { text } = draft;
    // A text that is written meanwhile stays with its account, as when a session expires.
    this.#complete = () => { if (draft.text === text) this.#forgetReader(store, account); };
    if (machine.phase === phase) machine.go({ name: 'writing' }, { announce: machine.announcement, focus: 'field' });
    await store.refresh();
  }

  /** Removes the reader's data of `store`'s BFF. Changes nothing in a box that uses another BFF by now. */
  #forgetReader(store: SessionStore, account: string): void {
    const { machine, drafts } = this.#context;
    const { base } = store.client;
    forgetAccount(base, account);
    announceSessionChange(base, 'signed-out');
    if (store !== this.#context.store) return;
    this.#complete = undefined;
    drafts.close();
    machine.go({ name: 'writing' }, { announce: message('signedOut'), focus: 'field' });
  }
}
