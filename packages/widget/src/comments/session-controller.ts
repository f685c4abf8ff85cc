/**
 * Follows the session of the BFF: moves the draft to the account, announces a sign-in, ends what belongs to another account, and
 * fires `vestibule-state` and `vestibule-error`. `session-store.ts` requests the session.
 */

import type { ReactiveController } from 'lit';
import type { SessionView } from '@vestibule/shared';
import { VestibuleStateEvent } from '../events.ts';
import { reportProblem, type CommentsContext } from './comments-context.ts';
import { message } from './phase-machine.ts';
import type { SignInController } from './sign-in-controller.ts';
import type { SignOutController } from './sign-out-controller.ts';
import type { SubmissionController } from './submission-controller.ts';

export interface SessionFollowers {
  readonly signIn: SignInController;
  readonly signOut: SignOutController;
  readonly submission: SubmissionController;
}

export class SessionController implements ReactiveController {
  /** The reader left this page to sign in and has come back. */
  isBack = false;
  readonly #context: CommentsContext;
  readonly #followers: SessionFollowers;
  /** The view that was adopted last. */
  #view: SessionView | undefined;
  #isFailureReported = false;
  #life: AbortController | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(context: CommentsContext, followers: SessionFollowers) {
    this.#context = context;
    this.#followers = followers;
  }

  hostConnected(): void {
    this.#life = new AbortController();
    this.#subscribe();
  }

  hostDisconnected(): void {
    this.#life?.abort();
    this.#unsubscribe?.();
  }

  /** The element names another BFF. */
  changeStore(): void {
    this.#view = undefined;
    if (this.#context.host.isConnected) this.#subscribe();
  }

  #subscribe(): void {
    const { store } = this.#context;
    this.#unsubscribe?.();
    this.#unsubscribe = store.subscribe(() => this.#onChange());
    if (store.view !== this.#view) this.#onChange();
  }

  #onChange(): void {
    const { host, store: { view } } = this.#context;
    const from = this.#view;
    this.#view = view ?? from;
    this.#reportFailure();
    if (view && view !== from) this.#adopt(view, from);
    this.#followers.submission.onSession();
    this.#followers.signIn.onSession();
    host.requestUpdate();
  }

  #adopt(view: SessionView, from: SessionView | undefined): void {
    const { host, machine, drafts } = this.#context;
    const { signIn, signOut } = this.#followers;
    if (view.notice) machine.announce({ kind: 'notice', notice: view.notice.kind, instance: view.notice.instance });
    signOut.onSession(view);
    const { account } = host.draft.key;
    const isShown = view.state !== 'signed-in' || account === (view.user?.user_id ?? '');
    if (from?.state === view.state && from.user?.user_id === view.user?.user_id && isShown) return;
    if (view.user && account && account !== view.user.user_id) this.#endForOtherAccount();
    drafts.moveTo(view);
    const isBack = this.isBack && from === undefined;
    if (view.state === 'signed-in') this.#enterSignedIn(from === undefined, isBack);
    else if (view.state === 'validating' && from === undefined && (host.sync === 'inline' || isBack)) signIn.showForm();
    if (isBack) host.scrollIntoView({ block: 'center' });
    if (from?.state !== view.state) host.dispatchEvent(new VestibuleStateEvent(view.state));
  }

  /** @param isFirst whether nothing was known of the session before */
  #enterSignedIn(isFirst: boolean, isBack: boolean): void {
    const { host, machine } = this.#context;
    const { phase, announcement } = machine;
    const isEnded = machine.is('waiting-for-window', 'confirming-leave', 'cookie-blocked');
    if (isEnded && isFirst) this.#followers.signIn.closeWindow();
    if (isEnded) this.#followers.signIn.stopWaiting();
    const announce = !isFirst || isBack || phase.name === 'waiting-for-window' ? message(host.draft.text ? 'notPostedYet' : 'signedIn') : announcement;
    machine.go(isEnded ? { name: 'writing' } : phase, { announce });
    if (phase.name === 'waiting-for-window' || isBack) machine.focusFieldWhenPossible(this.#life!.signal);
  }

  /** The text of a submission stays in the draft of the account that wrote it. */
  #endForOtherAccount(): void {
    const { machine } = this.#context;
    this.#followers.submission.abort();
    if (machine.is('checking-session', 'posting', 'unconfirmed', 'confirming-sign-out')) machine.go({ name: 'writing' });
  }

  /** Once, not with each attempt. */
  #reportFailure(): void {
    const { failure } = this.#context.store;
    if (failure && !this.#isFailureReported) reportProblem(this.#context, failure.problem);
    this.#isFailureReported = failure !== undefined;
  }
}
