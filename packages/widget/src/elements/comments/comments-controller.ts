/**
 * Second stage of the comment box: connects session, phase, sign-in and draft; posts and signs out.
 * `comments-state.ts` lists the phases, `comments-view.ts` defines the view of each.
 */

import { isBlank, type Post, type SessionView, type SyncReturn } from '@vestibule/shared';
import { hasCallback, takeCallback } from '../../callback/callback-params.ts';
import { bffAddress } from '../../client/bff-address.ts';
import type { WidgetProblem } from '../../client/problem.ts';
import { VestibuleErrorEvent } from '../../events/error-event.ts';
import { VestibulePostedEvent } from '../../events/posted-event.ts';
import { VestibuleStateEvent } from '../../events/state-event.ts';
import { autosizeTextarea } from '../../lib/autosize-textarea.ts';
import { lowerLimit, measureMessage } from '../../lib/message-length.ts';
import { prepareTimeFormat } from '../../locales/time-format.ts';
import { takeReturnMarker } from '../../session/return-marker.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { needsSession } from '../../session/stored-session-hint.ts';
import { SessionStore } from '../../session/session-store.ts';
import type { CommentsState } from './comments-state.ts';
import { toView } from './comments-view.ts';
import { DraftController } from './draft-controller.ts';
import { message, PhaseMachine } from './phase-machine.ts';
import { styles } from './second-stage.styles.ts';
import type { CommentsHost, SecondStage, SecondStageParts } from './second-stage.ts';
import { SignInController } from './sign-in-controller.ts';
import { clearPosted, dropKey, PAGE_MAX_LENGTH, submitPost, type SubmissionOutcome } from './submission.ts';
import type { CommentsActions } from './views/comments-actions.ts';
import { renderParts } from './views/parts.ts';

export class CommentsController implements SecondStage {
  readonly #host: CommentsHost;
  readonly #machine: PhaseMachine;
  readonly #drafts: DraftController;
  readonly #signIn: SignInController;
  readonly #actions: CommentsActions;
  #store: SessionStore;
  /** The view that the last transition was made for. */
  #view: SessionView | undefined;
  /** The reader left this page to sign in and has come back. */
  #isBack = false;
  #isFailureReported = false;
  /** Account of a sign-out whose response was lost or a failure: the next answer settles whether the session has ended. */
  #perhapsSignedOut: string | undefined;
  #signingOut: Promise<void> | undefined;
  #submission: AbortController | undefined;
  #life: AbortController | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(host: CommentsHost) {
    this.#host = host;
    this.#store = SessionStore.at(bffAddress(host.bff));
    this.#machine = new PhaseMachine(host, () => this.state);
    this.#drafts = new DraftController(host, this.#machine, () => this.#onHidden());
    this.#signIn = new SignInController({
      element: host, machine: this.#machine, drafts: this.#drafts,
      store: () => this.#store, report: (problem) => this.#report(problem),
    });
    this.#actions = this.#createActions();
    const root = host.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet!];
    for (const controller of [this.#drafts, this.#signIn, this]) host.addController(controller);
  }

  get state(): CommentsState {
    const { draft, field, maxLength, callback } = this.#host;
    const { view, failure, isRetrying } = this.#store;
    const { left, isNear } = measureMessage(field.value, lowerLimit(view?.limits.message_max_length, maxLength));
    return {
      phase: this.#machine.phase,
      announcement: this.#machine.announcement,
      session: { view, failure: failure?.problem, isRetrying },
      callback: callback?.kind === 'granted' ? callback.syncReturn : undefined,
      draft: { text: draft.text, other: draft.other, isKept: draft.isKept, left, isNearLimit: isNear },
      isOnline: navigator.onLine,
      posts: this.#drafts.posts,
    };
  }

  hostConnected(): void {
    this.#life = new AbortController();
    this.#subscribe();
    this.#resume();
    // The focus may have come to the box before this module was loaded.
    if (this.#host.matches(':focus-within')) this.start();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    this.#life?.abort();
    this.#unsubscribe?.();
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#reset();
    });
  }

  hostUpdate(): void {
    this.#machine.rememberFocus();
    this.#store.client.language = this.#host.localizer.tag;
    const base = bffAddress(this.#host.bff);
    if (this.#store.client.base.href !== base.href) this.#changeBff(base);
  }

  /** The other BFF has other accounts: nothing of the present one is carried over. */
  #changeBff(base: URL): void {
    this.#reset();
    this.#store = SessionStore.at(base);
    this.#view = undefined;
    this.#perhapsSignedOut = undefined;
    this.#host.openDraft();
    this.#drafts.showPosts();
    this.#machine.go({ name: 'writing' });
    if (!this.#host.isConnected) return;
    this.#signIn.reconnect();
    this.#subscribe();
    this.#resume();
    this.#store.start();
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
    const separatePage = new URL(`comments?${new URLSearchParams({ forum })}`, this.#store.client.base).href;
    const view = toView(this.state);
    this.#host.ownPosts = view.posts;
    return renderParts(view, this.#actions, {
      localizer, own: strings, headingLevel, forum, bff, separatePage, showPosts,
    });
  }

  start(): void {
    this.#drafts.follow();
    this.#store.start();
  }

  /** Goes on after a sign-in; requests the session if this browser was signed in before. */
  #resume(): void {
    const { draft, sync } = this.#host;
    if (hasCallback(location)) this.#takeCallback();
    const { callback } = this.#host;
    if (callback?.kind === 'granted' && sync === 'inline' && this.#machine.is('writing')) this.#signIn.showForm(callback.syncReturn);
    else if (callback && callback.kind !== 'granted') this.#announceInvalidCallback();
    this.#isBack ||= takeReturnMarker(draft.key.page);
    if (callback || this.#isBack || needsSession(this.#store.client.base)) this.start();
  }

  onEdit(): void {
    this.#machine.announce(undefined);
  }

  onDraftChange(): void {
    this.#reset();
    this.#machine.announce(undefined);
    this.#drafts.showPosts();
    if (this.#host.isConnected) this.#resume();
  }

  submit(text: string): void {
    const { primary, isBusy } = toView(this.state);
    if (isBusy) return;
    if (!primary) return this.#machine.focus('panel');
    this.#machine.announce(undefined);
    if (primary.action === 'signIn') return this.#signIn.start();
    if (primary.action === 'post' && this.#store.state === 'signed-in') return this.#postIfUnchanged(text);
    this.#machine.go({ name: 'checking-session', message: text });
    void this.#store.refresh();
  }

  /** A question that waits for the reader's decision comes first. */
  signIn(): void {
    if (this.#machine.is('unconfirmed', 'validating', 'confirming-sign-out')) this.#machine.focus('panel');
    else this.#signIn.start();
  }

  /** A second call joins the first. */
  signOut(): Promise<void> {
    return this.#signingOut ??= this.#endSession().finally(() => { this.#signingOut = undefined; });
  }

  async #endSession(): Promise<void> {
    this.#stopSubmission();
    this.#signIn.stopWaiting();
    this.#machine.go({ name: 'signing-out' });
    const { client, view } = this.#store;
    const account = view?.user?.user_id ?? this.#host.draft.key.account;
    const isDone = await this.#signIn.request(() => client.signOut().then(() => true));
    if (isDone) {
      this.#forgetReader(account);
      return this.#markSessionEnded();
    }
    this.#perhapsSignedOut = account;
    this.#machine.go({ name: 'writing' }, { announce: this.#machine.announcement, focus: 'field' });
    await this.#store.refresh();
  }

  #forgetReader(account: string): void {
    const { base } = this.#store.client;
    this.#perhapsSignedOut = undefined;
    this.#drafts.forget(base, account);
    announceSessionChange(base, 'signed-out');
    this.#machine.go({ name: 'writing' }, { announce: message('signedOut'), focus: 'field' });
  }

  #createActions(): CommentsActions {
    const signIn = this.#signIn;
    const drafts = this.#drafts;
    return {
      signIn: () => signIn.start(),
      leavePage: () => signIn.leavePage(),
      refuseCallback: () => signIn.refuseCallback(),
      cancelSync: () => void signIn.cancelSync(),
      closeForm: () => signIn.closeForm(),
      onFormState: (event) => signIn.onFormState(event),
      onFormCompleted: (event) => signIn.onFormCompleted(event),
      discardDraft: () => drafts.discard(),
      insertOther: () => drafts.insertOther(),
      removeOther: () => drafts.removeOther(),
      dismiss: () => this.#machine.go({ name: 'writing' }, { focus: 'field' }),
      requestSignOut: () => this.#requestSignOut(),
      signOut: () => void this.signOut(),
      stopRetrying: () => this.#stopRetrying(),
      confirmPosted: () => this.#confirmPosted(),
      postAgain: () => this.#postAgain(),
    };
  }

  /** Asks first if the sign-out would delete text. */
  #requestSignOut(): void {
    if (this.#drafts.wouldLoseText) this.#machine.go({ name: 'confirming-sign-out' }, { focus: 'panel' });
    else void this.signOut();
  }

  #stopRetrying(): void {
    this.#stopSubmission();
    this.#machine.go({ name: 'writing' }, { announce: message('stopped'), focus: 'field' });
  }

  /** Of a comment that may have been posted: the reader has found it. */
  #confirmPosted(): void {
    const { phase } = this.#machine;
    if (phase.name !== 'unconfirmed') return;
    clearPosted(this.#host.draft, phase.message);
    this.#host.showDraft();
    this.#machine.go({ name: 'writing' }, { announce: message('posted'), focus: 'field' });
  }

  /** Of a comment that may have been posted: the reader wants another attempt, as a new comment. */
  #postAgain(): void {
    dropKey(this.#host.draft);
    this.#machine.go({ name: 'writing' }, { focus: 'field' });
    void this.#post();
  }

  /** Posts only `text`, which the reader saw when they submitted: the draft of their account may have replaced it. */
  #postIfUnchanged(text: string): void {
    if (this.#host.field.value === text) void this.#post();
    else this.#machine.go({ name: 'writing' }, { announce: message('notPostedYet'), focus: 'field' });
  }

  async #post(): Promise<void> {
    const { draft, field, forum, localizer } = this.#host;
    const text = field.value.toWellFormed();
    const error = isBlank(text) ? 'empty' : this.state.draft.left < 0 ? 'too-long' : undefined;
    if (error) return this.#machine.go({ name: 'writing' }, { announce: { kind: 'error', error }, focus: 'field' });
    const { signal } = this.#submission = new AbortController();
    const { page, account } = draft.key;
    const userId = this.#store.view?.user?.user_id ?? account;
    const onProgress = (retryInSeconds?: number): void => this.#machine.go({ name: 'posting', retryInSeconds });
    prepareTimeFormat(localizer.tag);
    const post = {
      forum, message: text, ...(page.length <= PAGE_MAX_LENGTH && { page }), ...(userId && { expected_user_id: userId }),
    };
    const outcome = await submitPost(draft, post, { client: this.#store.client, signal, onProgress }).catch((reason: unknown) => {
      if (!signal.aborted) throw reason;
    });
    if (outcome && !signal.aborted) this.#finishPost(outcome, text);
  }

  #finishPost(outcome: SubmissionOutcome, text: string): void {
    const host = this.#host;
    switch (outcome.name) {
      case 'posted': {
        const user = this.#store.view?.user;
        if (user) this.#drafts.addPost({ id: idOf(outcome.post), user, message: text, at: Date.now() });
        host.showDraft();
        this.#machine.go({ name: 'writing' }, { announce: message('posted') });
        return void host.dispatchEvent(new VestibulePostedEvent(outcome.post));
      }
      case 'unconfirmed':
        this.#machine.go({ name: 'unconfirmed', message: text, problem: outcome.problem }, { focus: 'panel' });
        return this.#report(outcome.problem);
      case 'failed':
        if (outcome.problem.type.endsWith(':user-changed')) return this.#showChangedUser(outcome.problem);
        if (outcome.problem.type.endsWith(':not-signed-in')) this.#markSessionEnded();
        this.#machine.go({ name: 'writing' }, { announce: { kind: 'not-posted', problem: outcome.problem } });
        return this.#report(outcome.problem);
    }
  }

  /** Another account has signed in since the session was requested. The text stays the draft of the account that was shown. */
  #showChangedUser(problem: WidgetProblem): void {
    const { view } = this.#store;
    this.#machine.go({ name: 'writing' });
    if (view && problem.user) this.#store.adopt({ state: 'signed-in', user: problem.user, limits: view.limits });
    this.#machine.announce(message('notPostedYet'));
    this.#report(problem);
    void this.#store.refresh();
  }

  /** Another tab signed the reader out: the last answer is out of date. */
  #onHidden(): void {
    this.#reset();
    // An element that is being attached subscribes to the store first.
    queueMicrotask(() => void this.#store.refresh());
  }

  /** Ends everything in progress for the previous text. */
  #reset(): void {
    this.#stopSubmission();
    this.#signIn.stopWaiting();
    if (this.#machine.isBusy || this.#machine.is('unconfirmed', 'waiting-for-window', 'confirming-sign-out')) this.#machine.go({ name: 'writing' });
    this.#host.requestUpdate();
  }

  /** The text of a submission stays with the account that wrote it. */
  #endSubmission(): void {
    this.#stopSubmission();
    if (this.#machine.is('checking-session', 'posting', 'unconfirmed', 'confirming-sign-out')) this.#machine.go({ name: 'writing' });
  }

  #stopSubmission(): void {
    this.#submission?.abort();
    this.#submission = undefined;
  }

  /** Takes the parameters from the address, for the page's own form if there is one. */
  #takeCallback(): void {
    const callback = takeCallback(location, history);
    const form = document.querySelector<HTMLElement & { syncReturn?: SyncReturn }>('vestibule-sync');
    if (form && callback?.kind === 'granted') form.syncReturn = callback.syncReturn;
    else this.#host.callback = callback;
  }

  #announceInvalidCallback(): void {
    this.#host.callback = undefined;
    this.#machine.announce({ kind: 'error', error: 'invalidCallback' });
  }

  #subscribe(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = this.#store.subscribe(() => this.#onSession());
    if (this.#store.view !== this.#view) this.#onSession();
  }

  #onSession(): void {
    const { view, isFetching } = this.#store;
    const from = this.#view;
    this.#view = view;
    this.#reportFailure();
    if (view && view !== from) this.#adopt(view, from);
    const { phase } = this.#machine;
    if (phase.name === 'checking-session' && !isFetching) this.#finishCheck(phase.message);
    this.#signIn.onSession();
    this.#host.requestUpdate();
  }

  /** The reader pressed “Post comment” before it was known who they are. */
  #finishCheck(text: string): void {
    const { view, failure, state } = this.#store;
    if (state === 'signed-in' && !failure) return this.#postIfUnchanged(text);
    this.#machine.go({ name: 'writing' }, { announce: view && !failure ? message('signInFirst') : undefined });
  }

  #adopt(view: SessionView, from: SessionView | undefined): void {
    if (view.notice) this.#machine.announce({ kind: 'notice', notice: view.notice, instance: view.instance });
    if (this.#perhapsSignedOut !== undefined && view.state !== 'signed-in') this.#forgetReader(this.#perhapsSignedOut);
    this.#perhapsSignedOut = undefined;
    const { account } = this.#host.draft.key;
    const isShown = view.state !== 'signed-in' || account === (view.user?.user_id ?? '');
    if (from?.state === view.state && from.user?.user_id === view.user?.user_id && isShown) return;
    if (view.user && account && account !== view.user.user_id) this.#endSubmission();
    this.#drafts.moveTo(view);
    const isBack = this.#isBack && from === undefined;
    if (view.state === 'signed-in') this.#enterSignedIn(from !== undefined || isBack, isBack);
    else if (view.state === 'validating' && from === undefined && (this.#host.sync === 'inline' || isBack)) this.#signIn.showForm();
    if (isBack) this.#host.scrollIntoView({ block: 'center' });
    if (from?.state !== view.state) this.#host.dispatchEvent(new VestibuleStateEvent(view.state));
  }

  /** @param isAnnounced whether the change is announced */
  #enterSignedIn(isAnnounced: boolean, isBack: boolean): void {
    const { phase, announcement } = this.#machine;
    const isEnded = this.#machine.is('waiting-for-window', 'confirming-leave', 'cookie-blocked');
    const announce = isAnnounced ? message(this.#host.draft.text ? 'notPostedYet' : 'signedIn') : announcement;
    this.#machine.go(isEnded ? { name: 'writing' } : phase, { announce });
    if (phase.name === 'waiting-for-window' || isBack) this.#machine.focusFieldWhenPossible(this.#life!.signal);
  }

  #markSessionEnded(): void {
    const { view } = this.#store;
    if (view) this.#store.adopt({ state: 'anonymous', limits: view.limits });
  }

  /** Once, not with each attempt. */
  #reportFailure(): void {
    const { failure } = this.#store;
    if (failure && !this.#isFailureReported) this.#report(failure.problem);
    this.#isFailureReported = failure !== undefined;
  }

  #report(problem: WidgetProblem): void {
    this.#host.dispatchEvent(new VestibuleErrorEvent(problem));
  }
}

/** The interface guarantees no id. */
function idOf({ id }: Post): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
