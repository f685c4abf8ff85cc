/**
 * The comment box: sends the events of the reader, the session and the requests to the table of `box-state.ts`, and carries out
 * its effects. `box-view.ts` draws it.
 */

import { nothing, type ReactiveController, type TemplateResult } from 'lit';
import type { ListedPost } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { networkProblem, type WidgetProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { VestibuleReadyEvent } from '../events/events.ts';
import { addStyles } from '../lib/add-styles.ts';
import { muteDescription } from '../lib/live-text.ts';
import { Part } from '../lib/part.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { Localizer } from '../locales/localizer.ts';
import type { SessionStore } from '../session/session-store.ts';
import { signInWindow } from '../session/sign-in-window.ts';
import { needsSession } from '../storage/readers.ts';
import { controls, tokens } from '../styles/tokens.ts';
import type { threadInBox } from './thread-in-box.ts';
import type { ThreadChange } from '../thread/thread-state.ts';
import { Announcer } from './announcer.ts';
import { Article } from './article.ts';
import { BoxEntries } from './box-entries.ts';
import { BoxSession } from './box-session.ts';
import { transition, type BoxEvent, type BoxState, type Effect, type Facts } from './box-state.ts';
import { boxView, isQuestion } from './box-view.ts';
import { styles as boxStyles } from './box.styles.ts';
import { styles as commentsStyles } from './comments.styles.ts';
import { entryStyles } from '../writing/entry.styles.ts';
import { focusOn, moveFocus } from './focus.ts';
import { PendingPress } from './pending-press.ts';
import { SignIn } from './sign-in.ts';
import { TextField } from './text-field.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

export class Box implements ReactiveController {
  readonly element: VestibuleComments;
  readonly localizer: Localizer;
  readonly article: Article;
  readonly text: TextField;
  readonly entries: BoxEntries;
  readonly announcer: Announcer;
  readonly session: BoxSession;
  readonly signIns: SignIn;
  readonly pressed = new PendingPress(this);
  readonly thread: Part<typeof threadInBox>;
  state: BoxState = { phase: { name: 'writing' }, message: undefined };
  /** What the thread's list says of the article. */
  list: ThreadChange = {};
  /** The field has its full height and its row, also without a text. */
  isOpen: boolean;
  /** At rest the composer has one row also in a narrow column. It changes in use only: at rest it would move the page. */
  isCompact = false;
  /** Of the notice that the article is closed, as long as it stands: a reader who uses the box hears it, not one who comes. */
  closedRole: 'alert' | typeof nothing | undefined;
  #hasUpdated = false;
  #life: AbortController | undefined;
  /** The window that `signIn()` has opened; `null`: the browser blocked it. */
  #opened: Window | null | undefined;
  /** Before the update in progress. */
  #focused: Element | null = null;

  readonly #effects: { readonly [Name in Effect]: () => unknown } = {
    post: () => this.pressed.post(),
    'carry-out-press': () => this.pressed.post() || this.send({ type: 'press-failed' }),
    refresh: () => this.store.refresh(),
    'begin-sign-in': () => this.#beginSignIn(),
    'end-sign-in': () => { this.store.isSigningIn = false; },
    'open-authorize': () => this.#open('authorize'),
    'open-form': () => this.#open('form'),
    'show-window': () => signInWindow()?.focus(),
    'close-window': () => signInWindow()?.close(),
    leave: () => this.signIns.leave(),
    'load-form': () => this.signIns.loadForm(),
    'sign-out': () => this.session.end(),
    'hint-cookie': () => this.signIns.hintCookie(),
  };

  constructor(element: VestibuleComments) {
    this.element = element;
    this.localizer = new Localizer(element, () => this.#reportPart('its language'));
    this.isOpen = element.parent !== '';
    this.thread = new Part(async () => (await import('./thread-in-box.ts')).threadInBox, {
      onChange: () => this.requestUpdate(), onFailure: (error) => this.#reportPart(error),
    });
    this.session = new BoxSession(this);
    this.article = new Article(element, () => this.#followArticle());
    this.text = new TextField(this);
    this.announcer = new Announcer(this.root);
    this.entries = new BoxEntries(this);
    this.signIns = new SignIn(this);
    shieldFields(this.root);
    for (const one of [tokens, controls, boxStyles, commentsStyles, entryStyles]) addStyles(this.root, one);
    element.addEventListener('focusin', () => {
      if (this.#hasUpdated) this.start();
    });
  }

  get root(): ShadowRoot {
    return this.element.renderRoot as ShadowRoot;
  }

  get store(): SessionStore {
    return this.session.store;
  }

  get account(): string {
    return this.store.user?.user_id ?? '';
  }

  get isClosed(): boolean {
    return this.element.closed || this.list.closed !== undefined;
  }

  /** The form may follow the field as soon as the session is known. */
  get isFormExpected(): boolean {
    return this.signIns.isBack && this.element.sync === 'inline' && !this.store.view;
  }

  /** The page can be left without losing text. */
  readonly mayLeave = (): boolean => this.text.isSafe && this.entries.isSafe;

  /** The thread is in the document, and shows the entries. */
  get hasThread(): boolean {
    return this.element.showPosts && this.thread.module !== undefined;
  }

  /** Also the reply boxes of its thread. */
  get #isInUse(): boolean {
    const { element } = this;
    return element.contains((element.getRootNode() as Document | ShadowRoot).activeElement);
  }

  requestUpdate(): void {
    this.element.requestUpdate();
  }

  render(): TemplateResult {
    // The list is that of the thread.
    if (!this.element.showPosts) this.list = {};
    const closedRole = this.isClosed ? this.closedRole ?? (this.#isInUse && !this.element.parent ? 'alert' : nothing) : undefined;
    const isNews = closedRole === 'alert' && this.closedRole !== closedRole;
    if (isNews && this.text.element === this.root.activeElement) muteDescription(this.text.element, ['closed']);
    this.closedRole = closedRole;
    if (this.isOpen || isQuestion(this.state) || !this.#hasUpdated) this.isCompact = this.account !== '';
    return boxView(this);
  }

  /** To be called after each update of the element. */
  updated(): void {
    const { element } = this;
    for (const [name, is] of [
      ['closed', this.isClosed], ['signed-in', this.store.state === 'signed-in'], ['busy', this.store.isFetching],
    ] as const) element.internals.states[is ? 'add' : 'delete'](name);
    if (element.showPosts && !this.thread.module && !this.thread.hasFailed) this.loadThread();
    if (this.#hasUpdated) return;
    this.#hasUpdated = true;
    this.text.show();
    element.addController(this);
    if (element.parent) this.text.element!.focus();
    else element.dispatchEvent(new VestibuleReadyEvent());
  }

  hostConnected(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    addEventListener('online', () => {
      if (this.thread.hasFailed) this.loadThread();
    }, { signal });
    // First: the reader may have signed out meanwhile.
    this.session.connect();
    this.text.connect(signal);
    this.text.follow();
    this.entries.connect();
    this.signIns.connect(signal);
    this.#resume();
    // The composer of a reply has the focus.
    if (this.element.matches(':focus-within')) this.start();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    this.#life?.abort();
    this.entries.disconnect();
    this.session.disconnect();
    queueMicrotask(() => {
      if (!this.element.isConnected) this.send({ type: 'removed' });
    });
  }

  readonly #askBeforeUnload = (event: Event): void => {
    if (!this.mayLeave()) event.preventDefault();
  };

  hostUpdate(): void {
    const { activeElement } = this.root;
    // That of an entry is `entries`' own.
    this.#focused = activeElement?.closest('[data-entry]') ? null : activeElement;
    this.store.language = this.localizer.tag;
    const base = bffAddress(this.element.bff);
    if (this.store.bff !== base.href) this.#changeBff(base);
    this.#followArticle();
    this.entries.hostUpdate();
  }

  /** An update that hides the focused control moves the focus. */
  hostUpdated(): void {
    this.announcer.update();
    this.entries.hostUpdated();
    // The reader who goes on to the sign-in has been asked. A listener at all times would keep the page out of caches.
    const signal = this.#life?.signal;
    const isKept = this.text.isKept && this.entries.isSafe;
    if (!signal || isKept || this.state.phase.name === 'leaving') removeEventListener('beforeunload', this.#askBeforeUnload);
    else addEventListener('beforeunload', this.#askBeforeUnload, { signal });
    const hidden = this.#focused?.checkVisibility({ visibilityProperty: true }) === false ? this.#focused : undefined;
    // After `send`, which may have moved it: a screen reader would speak both ways.
    if (hidden) void this.element.updateComplete.then(() => {
      if ([null, hidden].includes(this.root.activeElement)) focusOn(this, isQuestion(this.state) ? 'panel' : 'field');
    });
  }

  /** The reader uses this box. */
  start(): void {
    this.text.follow();
    this.entries.use();
    this.store.start();
  }

  /** @param opened the window that the call has opened; `null`: the browser blocked it */
  signIn(opened?: Window | null): void {
    if (!this.#hasUpdated) return void this.element.updateComplete.then(() => this.signIn(opened));
    this.pressed.replace(undefined);
    this.#sendPress({ type: 'sign-in' }, opened);
    // Whether there is a session after all.
    this.start();
  }

  async signOut(): Promise<void> {
    if (!this.#hasUpdated) await this.element.updateComplete;
    await this.session.signOut();
  }

  focus(options?: FocusOptions): void {
    if (this.#hasUpdated) this.text.element!.focus(options);
    else void this.element.updateComplete.then(() => this.text.element!.focus(options));
  }

  /** Requests the session again: a response says that it is another one. */
  refreshSession(): void {
    void this.store.refresh();
  }

  /** What the thread's list says of the article. */
  setList(list: ThreadChange): void {
    this.list = list;
    this.requestUpdate();
  }

  /** Comments of a list that has been read. */
  seeList(posts: readonly ListedPost[]): void {
    this.entries.seeList(posts);
  }

  loadThread(): void {
    this.thread.load().catch(() => {});
  }

  /** The only place where the state changes. */
  send(event: BoxEvent): void {
    const { phase: from } = this.state;
    const { state, change: { effects = [], focus } } = transition(this.state, event, this.#facts);
    this.state = state;
    for (const effect of effects) this.#effects[effect]();
    this.requestUpdate();
    if (focus) void this.element.updateComplete.then(() => moveFocus(this, focus, event.type === 'press' || event.type === 'sign-in'));
    // The reader has ended the sign-in, or it is over without a session. A box that is only moved goes on.
    const isOver = from.name !== 'writing' && state.phase.name === 'writing' && event.type !== 'session' && event.type !== 'removed';
    if (event.type === 'cancel' || event.type === 'window-finished' || (isOver && !this.pressed.isAccepted)) this.pressed.drop();
  }

  get #facts(): Facts {
    const { text, entries, pressed, signIns, mayLeave, store: { view } } = this;
    return {
      isSignedIn: this.account !== '',
      isInline: this.element.sync === 'inline',
      hasSync: view?.sync !== undefined,
      isWindowOpen: signInWindow()?.closed === false,
      hasText: text.text !== '' && !this.isClosed,
      isClaimed: text.isClaimed,
      isPressFinished: pressed.isFinished,
      isPressedElsewhere: pressed.isElsewhere,
      otherWriter: pressed.otherWriter,
      fault: text.fault,
      // These take their time: for those who ask only.
      get canLeave() { return signIns.canLeave; },
      get isSafe() { return mayLeave(); },
      get wouldLoseText() { return text.wouldLoseText || entries.wouldLoseText; },
      get isInDoubt() { return entries.isInDoubt; },
    };
  }

  open(): void {
    this.isOpen = true;
    this.requestUpdate();
  }

  onInput(): void {
    this.text.onInput();
    this.send({ type: 'edit' });
  }

  /** The main button, or its key. */
  press(): void {
    if (this.isClosed) return;
    this.isOpen = true;
    const { text } = this.text;
    // Another box may have posted the text already.
    this.text.follow();
    this.entries.use();
    this.pressed.begin(text);
    this.#sendPress({ type: 'press', isSameText: this.text.text === text });
  }

  #sendPress(event: BoxEvent, opened?: Window | null): void {
    this.#opened = opened;
    this.send(event);
    // The press has needed none. An earlier press waits for the same window.
    if (this.state.phase.name !== 'waiting') this.#opened?.close();
    this.#opened = undefined;
  }

  #beginSignIn(): void {
    this.store.isSigningIn = true;
    this.store.markChanged();
    this.store.start();
  }

  #open(target: 'authorize' | 'form'): void {
    const opened = this.#opened === undefined ? this.signIns.open(target) : this.#opened;
    if (this.#opened) this.signIns.lead(target);
    this.#opened = undefined;
    if (!opened) this.send({ type: 'blocked' });
  }

  #followArticle(): void {
    if (!this.text.followArticle()) return;
    this.#endVisit();
    if (this.element.isConnected) this.#resume();
  }

  #endVisit(): void {
    this.pressed.drop();
    this.send({ type: 'article-changed' });
  }

  /** Goes on after a sign-in or a post; requests the session if this browser was signed in before. */
  #resume(): void {
    if (this.store.isSigningIn && signInWindow()?.closed === false) this.send({ type: 'window-found' });
    if (this.element.parent) return this.start();
    if (this.signIns.resume() || needsSession(this.store.bff)) this.start();
  }

  /** Another BFF has other accounts: nothing of the present one is carried over. */
  #changeBff(base: URL): void {
    const { isConnected } = this.element;
    this.#endVisit();
    this.session.change(base);
    this.state = { phase: { name: 'writing' }, message: undefined };
    this.text.reread();
    this.entries.changeBff();
    if (!isConnected) return;
    this.hostDisconnected();
    this.hostConnected();
    this.store.start();
  }

  report(problem: WidgetProblem): void {
    this.element.dispatchEvent(new VestibuleErrorEvent(problem));
  }

  /** One event for one failure. */
  #reportPart(error: unknown): void {
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error('Vestibule: a part of the box does not load (chunk-missing)', error);
    this.report(networkProblem);
  }
}
