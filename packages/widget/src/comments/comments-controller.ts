/**
 * Second stage of the comment box: creates its controllers, renders their state and passes the reader's actions on.
 *
 * | file | responsible for |
 * | --- | --- |
 * | `comments-state.ts`, `comments-view.ts` | the phases, and the view of each |
 * | `phase-machine.ts` | the present phase, its message and the focus |
 * | `session-controller.ts` | changes of the session |
 * | `sign-in-controller.ts` | signing in |
 * | `submission-controller.ts` | posting |
 * | `sign-out-controller.ts` | signing out |
 * | `draft-controller.ts` | the text |
 */

import type { ReactiveController } from 'lit';
import type { SyncReturn } from '@vestibule/shared';
import { hasCallback, takeCallback } from '../session/callback.ts';
import { bffAddress } from '../client/address.ts';
import { autosizeTextarea } from '../lib/autosize-textarea.ts';
import { needsSession, takeReturnMarker } from '../storage/reader-records.ts';
import { SessionStore } from '../session/session-store.ts';
import { messageLength, type CommentsContext } from './comments-context.ts';
import type { CommentsState } from './comments-state.ts';
import { toView } from './comments-view.ts';
import { DraftController } from './draft-controller.ts';
import { PhaseMachine } from './phase-machine.ts';
import { styles } from './second-stage.styles.ts';
import type { CommentsHost, SecondStage, SecondStageParts } from './second-stage.ts';
import { SessionController } from './session-controller.ts';
import { SignInController } from './sign-in-controller.ts';
import { SignOutController } from './sign-out-controller.ts';
import { SubmissionController } from './submission-controller.ts';
import type { CommentsActions } from './views/comments-actions.ts';
import { renderParts } from './views/parts.ts';

export class CommentsController implements SecondStage {
  readonly #host: CommentsHost;
  readonly #context: CommentsContext;
  readonly #machine: PhaseMachine;
  readonly #drafts: DraftController;
  readonly #session: SessionController;
  readonly #signIn: SignInController;
  readonly #signOut: SignOutController;
  readonly #submission: SubmissionController;
  readonly #actions: CommentsActions;

  constructor(host: CommentsHost) {
    const machine = new PhaseMachine(host, () => this.state);
    const drafts = new DraftController(host, machine, () => this.#onHidden());
    const context = { host, machine, drafts, store: SessionStore.at(bffAddress(host.bff)) };
    const signIn = new SignInController(context);
    const submission = new SubmissionController(context);
    const signOut = new SignOutController(context, signIn, submission);
    const session = new SessionController(context, { signIn, signOut, submission });
    this.#host = host;
    this.#context = context;
    this.#machine = machine;
    this.#drafts = drafts;
    this.#session = session;
    this.#signIn = signIn;
    this.#signOut = signOut;
    this.#submission = submission;
    this.#actions = this.#createActions();
    const root = host.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet!];
    // In the order in which they are connected.
    const controllers: readonly ReactiveController[] = [drafts, signIn, session, this];
    for (const controller of controllers) host.addController(controller);
  }

  get state(): CommentsState {
    const { draft, callback } = this.#host;
    const { view, failure, isRetrying } = this.#context.store;
    const { left, isNear } = messageLength(this.#context);
    return {
      phase: this.#machine.phase,
      announcement: this.#machine.announcement,
      session: { view, failure: failure?.problem, isExpected: needsSession(this.#context.store.client.base), isRetrying },
      callback: callback?.kind === 'granted' ? callback.syncReturn : undefined,
      draft: { text: draft.text, other: draft.other, isKept: draft.isKept, left, isNearLimit: isNear },
      isOnline: navigator.onLine,
      posts: this.#drafts.posts,
    };
  }

  hostConnected(): void {
    this.#resume();
    // The focus may have come to the box before this module was loaded.
    if (this.#host.matches(':focus-within')) this.start();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#reset(true);
    });
  }

  hostUpdate(): void {
    const { store } = this.#context;
    this.#machine.rememberFocus();
    store.language = this.#host.localizer.tag;
    const base = bffAddress(this.#host.bff);
    if (store.client.base.href !== base.href) this.#changeBff(base);
  }

  hostUpdated(): void {
    const { field, renderRoot } = this.#host;
    const { isReadOnly, isInvalid, isBusy, primary } = toView(this.state);
    // The main button precedes those of the panels.
    const button = renderRoot.querySelector<HTMLButtonElement>('.primary')!;
    button.hidden = primary === undefined;
    button.ariaDisabled = isBusy ? 'true' : null;
    field.readOnly = isReadOnly;
    field.ariaInvalid = isInvalid ? 'true' : null;
    field.setAttribute('aria-describedby', isInvalid ? 'writer alert' : 'writer');
    autosizeTextarea(field);
    this.#machine.keepFocus();
  }

  render(): SecondStageParts {
    const { localizer, strings, headingLevel, forum, bff, showPosts } = this.#host;
    const separatePage = new URL(`comments?${new URLSearchParams({ forum })}`, this.#context.store.client.base).href;
    const view = toView(this.state);
    this.#host.ownPosts = view.posts;
    return renderParts(view, this.#actions, {
      localizer, own: strings, headingLevel, forum, bff, separatePage, showPosts,
    });
  }

  start(): void {
    this.#drafts.follow();
    this.#context.store.start();
  }

  onEdit(): void {
    this.#machine.announce(undefined);
  }

  onDraftChange(isMoved: boolean): void {
    this.#drafts.showPosts();
    if (isMoved) return;
    this.#reset();
    this.#machine.announce(undefined);
    if (this.#host.isConnected) this.#resume();
  }

  submit(text: string): void {
    const { primary, isBusy } = toView(this.state);
    if (isBusy) return;
    if (!primary) return this.#machine.focus('panel');
    if (primary.action === 'signIn') this.#signIn.start();
    else this.#submission.submit(text);
  }

  /** A question that waits for the reader's decision comes first. */
  signIn(opened?: Window | null): void {
    if (this.#machine.is('unconfirmed', 'validating', 'confirming-sign-out')) this.#machine.focus('panel');
    else this.#signIn.start(opened);
    // Whether there is a session after all.
    this.start();
  }

  signOut(): Promise<void> {
    return this.#signOut.signOut();
  }

  #createActions(): CommentsActions {
    const machine = this.#machine;
    const drafts = this.#drafts;
    const signIn = this.#signIn;
    const signOut = this.#signOut;
    const submission = this.#submission;
    return {
      signIn: () => signIn.start(),
      leavePage: () => signIn.leavePage(),
      mayLeave: () => drafts.isSafe,
      refuseCallback: () => signIn.refuseCallback(),
      cancelSync: () => void signIn.cancelSync(),
      closeForm: () => signIn.closeForm(),
      onFormState: (event) => signIn.onFormState(event),
      onFormCompleted: (event) => signIn.onFormCompleted(event),
      discardDraft: () => drafts.discard(),
      insertOther: () => drafts.insertOther(),
      removeOther: () => drafts.removeOther(),
      dismiss: () => machine.go({ name: 'writing' }, { focus: 'field' }),
      requestSignOut: () => signOut.requestConfirmation(),
      signOut: () => void signOut.signOut(),
      stopRetrying: () => submission.stopRetrying(),
      confirmPosted: () => submission.confirmPosted(),
      postAgain: () => submission.postAgain(),
    };
  }

  /** Goes on after a sign-in; requests the session if this browser was signed in before. */
  #resume(): void {
    const { draft, sync } = this.#host;
    if (hasCallback(location)) this.#takeCallback();
    const { callback } = this.#host;
    if (callback?.kind === 'granted' && sync === 'inline' && this.#machine.is('writing')) this.#signIn.showForm(callback.syncReturn);
    else if (callback && callback.kind !== 'granted') this.#announceInvalidCallback();
    this.#session.isBack ||= takeReturnMarker(draft.key);
    if (callback || this.#session.isBack || needsSession(this.#context.store.client.base)) this.start();
  }

  /** Takes the parameters from the address, for the page's own form if there is one. */
  #takeCallback(): void {
    const callback = takeCallback(location, history);
    const form = document.querySelector<HTMLElement & { syncReturn?: SyncReturn }>('vestibule-sync');
    if (form && callback?.kind === 'granted') form.syncReturn = callback.syncReturn;
    else this.#host.callback = callback;
    this.#host.requestUpdate();
  }

  #announceInvalidCallback(): void {
    this.#host.callback = undefined;
    this.#machine.announce({ kind: 'error', error: 'invalidCallback' });
  }

  /** Another BFF has other accounts: nothing of the present one is carried over. */
  #changeBff(base: URL): void {
    const { isConnected } = this.#host;
    this.#reset();
    this.#context.store = SessionStore.at(base);
    this.#signOut.reset();
    this.#host.openDraft();
    this.#machine.go({ name: 'writing' });
    if (isConnected) this.#signIn.reconnect();
    this.#session.changeStore();
    if (!isConnected) return;
    this.#resume();
    this.#context.store.start();
  }

  /** The reader has signed out in another tab or box. Until the BFF responds the box names no account: a text that is written now
   *  belongs to the account that signs in next. */
  #onHidden(): void {
    this.#reset();
    // An element that is being attached subscribes to the store first.
    queueMicrotask(() => void this.#context.store.invalidate());
  }

  /** Ends everything in progress for the previous text.
   *  @param isLeft whether the box was removed: it tells the outcome of a post in flight when it is there again */
  #reset(isLeft = false): void {
    this.#submission.abort(isLeft);
    this.#signIn.stopWaiting();
    if (this.#machine.isBusy || this.#machine.is('unconfirmed', 'waiting-for-window', 'confirming-sign-out')) this.#machine.go({ name: 'writing' });
    this.#host.requestUpdate();
  }
}
