/**
 * State of the comment box: sends the events of the reader, the session and the requests to the table of
 * `comments-state.ts`, carries out the effects, and renders.
 */

import type { ReactiveController } from 'lit';
import { isBlank, type ListedPost, type SessionView } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { networkProblem, type WidgetProblem } from '../client/problem.ts';
import { VestibuleErrorEvent, VestibuleStateEvent } from '../events.ts';
import { addStyles } from '../lib/add-styles.ts';
import type { RowButton } from '../lib/row-menu.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import { hasCallback, takeCallback } from '../session/callback.ts';
import { SessionStore } from '../session/session-store.ts';
import { isSignInWindow } from '../session/sign-in-window.ts';
import { takeReturnMarker } from '../storage/reader-records.ts';
import { needsSession, setReturnMarker, type PressRecord } from '../storage/storage.ts';
import { loadSync } from '../sync/load-sync.ts';
import { Announcer } from './announcer.ts';
import { transition, type BoxEvent, type BoxState, type Effect, type Facts } from './comments-state.ts';
import { renderParts, type BoxActions, type BoxModel } from './comments-view.ts';
import { styles } from './comments.styles.ts';
import { DraftController } from './draft-controller.ts';
import { EntriesController } from './entries-controller.ts';
import type { EntryParts } from './entry-view.ts';
import { focusForm, focusOn, moveFocus } from './focus.ts';
import { PendingPress } from './pending-press.ts';
import type { Box, BoxParts, CommentsHost } from './box-host.ts';
import { SignIn, type SignInTarget } from './sign-in.ts';

export class CommentsController implements ReactiveController, Box, BoxActions {
  state: BoxState = { phase: { name: 'writing' }, message: undefined };
  /** The session with the BFF of the element. */
  store: SessionStore;
  readonly drafts: DraftController;
  readonly entries: EntriesController;
  readonly #host: CommentsHost;
  readonly #signIn: SignIn;
  /** The view that was adopted last. */
  #view: SessionView | undefined;
  #unsubscribe: (() => void) | undefined;
  #isFailureReported = false;
  /** The reader left this page to sign in and has come back. */
  #isBack = false;
  readonly #press = new PendingPress();
  readonly announcer: Announcer;
  /** The account that the box has shown in this visit. */
  #shownAccount = '';
  /** The sign-out in progress, of this box. */
  #signingOut: Promise<void> | undefined;
  /** The reader has signed out in this box, or reads that it did not get through. */
  #isSignOutTold = false;
  /** Before the update in progress. */
  #focused: Element | null = null;

  readonly #effects: { readonly [Name in Effect]: () => unknown } = {
    post: () => this.#post(),
    'carry-out-press': () => this.#post() || this.send({ type: 'press-failed' }),
    refresh: () => this.store.refresh(),
    watch: () => { this.store.watch(this); this.store.start(); },
    'end-watch': () => this.store.endWatch(this),
    'leave-watch': () => this.store.leaveWatch(this),
    'open-authorize': () => this.#open('authorize'),
    'open-form': () => this.#open('form'),
    'show-window': () => this.#signIn.show(),
    'close-window': () => this.#signIn.close(),
    leave: () => this.#signIn.leave(),
    'load-form': () => this.#loadForm(),
    'sign-out': () => this.#endSession(),
    'end-session': () => this.store.markEnded(),
    'hint-cookie': () => this.#signIn.hintCookie(),
  };

  constructor(host: CommentsHost) {
    this.#host = host;
    this.announcer = new Announcer(host);
    this.store = SessionStore.at(bffAddress(host.bff));
    // First: the others read the draft.
    this.drafts = new DraftController(host, this);
    this.#signIn = new SignIn(host, this, this.drafts);
    this.entries = new EntriesController(host, this);
    addStyles(host.renderRoot as ShadowRoot, styles);
    // In the order in which they are connected.
    for (const controller of [this.drafts, this.entries, this.#signIn, this]) host.addController(controller);
  }

  get account(): string {
    const { state, user } = this.store.view ?? {};
    return state === 'signed-in' && user ? user.user_id : '';
  }

  get userKey(): string | undefined {
    return this.store.view?.user?.key;
  }

  refresh(): void {
    void this.store.refresh();
  }

  get #facts(): Facts {
    const { view } = this.store;
    const { sync, field } = this.#host;
    const { drafts, entries } = this;
    return {
      isSignedIn: view?.state === 'signed-in',
      isKnown: view !== undefined,
      isExpected: needsSession(this.store.client.base),
      isInline: sync === 'inline',
      hasSync: view?.sync !== undefined,
      isWindowOpen: this.#signIn.isWindowOpen,
      hasText: field.value !== '',
      hasSeenName: this.#shownAccount !== '' && this.#shownAccount === this.account,
      isPressFinished: this.#isPressFinished,
      isPressedElsewhere: this.#isReplyElsewhere,
      isOfOther: !!this.pressed?.account && this.pressed.account !== this.account,
      fault: drafts.fault,
      // These read or write storage: for those who ask only.
      get isSafe() { return drafts.isSafe; },
      get wouldLoseText() { return drafts.wouldLoseText || entries.wouldLoseText; },
      get isInDoubt() { return entries.isInDoubt; },
    };
  }

  /** The only place where the state changes. */
  send(event: BoxEvent): void {
    const { phase: from } = this.state;
    const { state, change: { effects = [], focus } } = transition(this.state, event, this.#facts);
    this.state = state;
    for (const effect of effects) this.#effects[effect]();
    this.#host.requestUpdate();
    if (focus) void this.#host.updateComplete.then(() => moveFocus(this.#host, focus, event.type === 'press' || event.type === 'sign-in'));
    // The reader has ended the sign-in, or it is over without a session. A box that is only moved goes on.
    const isOver = from.name !== 'writing' && state.phase.name === 'writing' && event.type !== 'session' && event.type !== 'removed';
    if (event.type === 'cancel' || event.type === 'window-finished' || (isOver && !this.pressed?.isFinished)) this.#press.drop();
  }

  hostConnected(): void {
    this.#subscribe();
    this.#resume();
    // The composer of a reply has the focus.
    if (this.#host.element.matches(':focus-within')) this.start();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    this.#unsubscribe?.();
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.send({ type: 'removed' });
    });
  }

  hostUpdate(): void {
    const { activeElement } = this.#host.renderRoot as ShadowRoot;
    // That of an entry is `entries`' own.
    this.#focused = activeElement?.closest('[data-entry]') ? null : activeElement;
    this.store.language = this.#host.localizer.tag;
    const base = bffAddress(this.#host.bff);
    if (this.store.client.base.href !== base.href) this.#changeBff(base);
  }

  /** An update that hides the focused control moves the focus. */
  hostUpdated(): void {
    this.announcer.update();
    const { states } = this.#host.internals;
    states[this.account ? 'add' : 'delete']('signed-in');
    states[this.store.isFetching || this.store.isSigningOut ? 'add' : 'delete']('busy');
    if (this.#focused?.checkVisibility({ visibilityProperty: true }) === false) focusOn(this.#host, this.#parts?.isPrimaryHidden ? 'panel' : 'field');
    if (this.account) this.#shownAccount = this.account;
  }

  #parts: ReturnType<typeof renderParts> | undefined;

  render(): BoxParts {
    return this.#parts = renderParts(this.#model, this, this.#host);
  }

  get #model(): BoxModel {
    const { view, failure, isRetrying, isSigningOut, isSignOutOpen, signOutFailure, client } = this.store;
    const { draft, forum } = this.#host;
    const { page } = draft.key;
    return {
      ...this.state,
      facts: this.#facts,
      user: view?.state === 'signed-in' ? view.user : undefined,
      failure: failure?.problem,
      isRetrying,
      isSigningOut,
      isSessionLeft: isSignOutOpen && signOutFailure !== undefined,
      isOnline: navigator.onLine,
      isKept: draft.isKept,
      ...this.drafts.length,
      separatePage: new URL(`comments?${new URLSearchParams({ forum, page })}`, client.base).href,
    };
  }

  start(): void {
    this.drafts.follow();
    this.entries.use();
    this.store.start();
  }

  press(text: string): void {
    // Another box may have posted the text already.
    this.drafts.follow();
    this.entries.use();
    const { draft: { key: { account } }, parent, replyTo } = this.#host;
    const reply = parent ? { parent, replyTo } : undefined;
    const pressed = isBlank(text) ? undefined : { text, at: Date.now(), account, reply };
    this.#sendPress({ type: 'press', text, isSameText: this.#host.field.value === text }, pressed);
  }

  /** @param opened the window that the call has opened; `null`: the browser blocked it */
  signIn(opened?: Window | null): void {
    this.#sendPress({ type: 'sign-in' }, undefined, opened);
    // Whether there is a session after all.
    this.start();
  }

  #opened: Window | null | undefined;

  /** @param opened as of `signIn` */
  #sendPress(event: BoxEvent, pressed: PressRecord | undefined, opened?: Window | null): void {
    this.#opened = opened;
    this.#press.begin(pressed);
    this.send(event);
    // The press has needed none. An earlier press waits for the same window.
    if (this.state.phase.name !== 'waiting') this.#opened?.close();
    this.#opened = undefined;
  }

  get pressed(): PressRecord | undefined {
    return this.#press.record;
  }

  onWindowFinished(): void {
    this.#press.finish();
  }

  /** The session is that of the sign-in which the press has begun, and the text is that of the press. */
  get #isPressFinished(): boolean {
    const { pressed } = this;
    if (!pressed || !this.#press.mayBePostedBy(this.store.view?.user)) return false;
    if (this.#isReplyElsewhere) return pressed.text === this.entries.replyDraft(pressed.reply!).text;
    return pressed.text === this.#host.field.value && this.drafts.fault === undefined;
  }

  /** The page was left in between, and the composer of the reply with it. */
  get #isReplyElsewhere(): boolean {
    return this.pressed?.reply !== undefined && !this.#host.parent;
  }

  /** Takes the text out of the field, or posts an entry again. Returns `false` where the text stays: the reader has changed it,
   *  or the page has canceled the event. */
  #post(): boolean {
    const { at, reply } = this.pressed!;
    const isReplyElsewhere = this.#isReplyElsewhere;
    this.#press.drop();
    const posted = this.entries.press(at, isReplyElsewhere ? reply : undefined);
    if (!posted) return false;
    if (isReplyElsewhere) return true;
    const isTouch = matchMedia('(pointer: coarse)').matches;
    if (this.#host.parent) this.#host.dispatchEvent(new CustomEvent('close', { detail: posted }));
    else if (isTouch) this.entries.focusEntry(posted);
    else focusOn(this.#host, 'field');
    // After the focus, which opens it.
    this.#host.isOpen = false;
    return true;
  }

  get shown(): readonly ShownEntry[] {
    return this.entries.shown;
  }

  readonly entryParts = (entry: ShownEntry, own?: readonly RowButton[]): EntryParts => this.entries.parts(entry, own);

  get entriesName(): string {
    return this.entries.strings.heading;
  }

  seeList(posts: readonly ListedPost[]): void {
    this.entries.seeList(posts);
  }

  #open(target: SignInTarget): void {
    const opened = this.#opened === undefined ? this.#signIn.open(target) : this.#opened;
    if (this.#opened) this.#signIn.lead(target);
    this.#opened = undefined;
    if (!opened) this.send({ type: 'blocked' });
  }

  onEdit(): void {
    this.drafts.onEdit();
    this.send({ type: 'edit' });
  }

  onArticleChange({ isRenamed }: { readonly isRenamed: boolean }): void {
    if (isRenamed) return;
    this.#endVisit();
    if (this.#host.isConnected) this.#resume();
  }

  #endVisit(): void {
    this.#shownAccount = '';
    this.#press.drop();
    this.send({ type: 'article-changed' });
  }

  /** The form in the box has changed the session: the box requests it, and its event replaces the form's. */
  onFormState(event: Event): void {
    event.stopPropagation();
    void this.store.refresh();
  }

  /** If the page cancels the navigation, the box stays. Otherwise the reader comes back to it. */
  onFormCompleted(event: Event): void {
    const { base } = this.store.client;
    const { forum, draft: { key: { page } } } = this.#host;
    this.#press.finish();
    setReturnMarker(base, forum, { page, press: this.pressed });
    queueMicrotask(() => {
      if (!event.defaultPrevented) return;
      takeReturnMarker(base, forum, page);
      this.send({ type: 'form-closed' });
    });
  }

  /** Goes on after a sign-in or a post; requests the session if this browser was signed in before. */
  #resume(): void {
    const { forum, parent } = this.#host;
    if (this.store.isWatching && this.#signIn.isWindowOpen) this.send({ type: 'window-found' });
    if (parent) return this.start();
    const callback = hasCallback(location) ? takeCallback(location, history) : undefined;
    if (callback?.kind === 'granted') this.send({ type: 'return', syncReturn: callback.syncReturn });
    else if (callback?.kind === 'invalid-return') this.send({ type: 'invalid-callback' });
    else if (callback) this.send({ type: 'notice', notice: { id: '', kind: callback.kind } });
    if (isSignInWindow() && location.href.startsWith(new URL('sync/', this.store.client.base).href)) this.#signIn.explainWindow();
    const marker = takeReturnMarker(this.store.client.base, forum, this.#host.draft.key.page);
    this.#isBack ||= marker !== undefined;
    if (marker?.press) this.#press.begin(marker.press);
    if (callback || this.#isBack) this.store.markChanged();
    if (callback || this.#isBack || needsSession(this.store.client.base)) this.start();
  }

  #subscribe(): void {
    const { store } = this;
    this.#unsubscribe?.();
    this.#unsubscribe = store.subscribe(() => this.#onStore());
    if (store.view !== this.#view) this.#onStore();
  }

  #onStore(): void {
    const { view, failure, isFetching, isWatching } = this.store;
    const from = this.#view;
    this.#view = view ?? from;
    // Once, not with each attempt, nor beside the failure of a sign-out.
    if (failure && !this.#isFailureReported && !this.#isSignOutTold && !this.#host.parent) this.report(failure.problem);
    this.#isFailureReported = failure !== undefined;
    if (view && view !== from) this.#adopt(view, from);
    const { phase } = this.state;
    if (phase.name === 'expecting' && !isFetching) {
      this.drafts.follow();
      this.send({ type: 'settled', hasFailed: !view || failure !== undefined, isSameText: this.#host.field.value === phase.text });
    }
    if (!isWatching) this.send({ type: 'watch-over' });
    const { isSignOutOpen, signOutFailure } = this.store;
    if (this.#isSignOutTold && !isSignOutOpen && !this.account) this.send({ type: 'signed-out' });
    this.#isSignOutTold = isSignOutOpen && (this.#signingOut !== undefined || signOutFailure !== undefined);
    this.#host.requestUpdate();
  }

  #adopt(view: SessionView, from: SessionView | undefined): void {
    const host = this.#host;
    if (view.notice) this.send({ type: 'notice', notice: view.notice });
    const { account } = host.draft.key;
    const isShown = view.state !== 'signed-in' || account === this.account;
    if (from?.state === view.state && from.user?.user_id === view.user?.user_id && isShown) return;
    const isOtherAccount = !!view.user && !!account && account !== view.user.user_id;
    const isFirst = from === undefined;
    const isBack = this.#isBack && isFirst;
    this.drafts.moveTo(view);
    this.entries.onSession();
    this.send({ type: 'session', isFirst, isBack, isOtherAccount });
    // The message of the window may come later.
    if (this.pressed?.isFinished) this.#press.drop();
    if (isBack) host.field.scrollIntoView({ block: 'center' });
    if (from?.state !== view.state && !host.parent) host.dispatchEvent(new VestibuleStateEvent(view.state));
  }

  #loadForm(): void {
    loadSync().then(() => focusForm(this.#host), (error: unknown) => {
      this.send({ type: 'form-failed' });
      reportError(error);
      this.report(networkProblem);
    });
  }

  /** A second call joins the first. */
  async signOut(): Promise<void> {
    if (!this.#signingOut) this.send({ type: 'sign-out' });
    await this.#signingOut;
  }

  /** Nothing of the account is left here when this returns, whatever comes of the request. */
  #endSession(): void {
    const { store } = this;
    const account = store.view?.user?.user_id ?? this.#host.draft.key.account;
    const ending = this.#signingOut = store.signOut(account).then((failure) => {
      if (this.#signingOut !== ending) return;
      this.#signingOut = undefined;
      if (failure) this.report(failure.problem);
    });
    this.entries.onSignOut();
    this.drafts.close();
    this.#onStore();
  }

  /** Another BFF has other accounts: nothing of the present one is carried over. */
  #changeBff(base: URL): void {
    const { isConnected } = this.#host;
    this.#endVisit();
    if (this.state.phase.name === 'waiting') this.store.endWatch(this);
    this.store = SessionStore.at(base);
    this.#view = this.#signingOut = undefined;
    this.#isSignOutTold = false;
    this.state = { phase: { name: 'writing' }, message: undefined };
    this.drafts.show(this.drafts.of());
    if (!isConnected) return;
    this.#signIn.hostDisconnected();
    this.#signIn.hostConnected();
    this.#subscribe();
    this.#resume();
    this.store.start();
  }

  report(problem: WidgetProblem): void {
    this.#host.dispatchEvent(new VestibuleErrorEvent(problem));
  }
}
