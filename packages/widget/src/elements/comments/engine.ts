/** The second stage of the comment box: who the reader is, signing in, posting, and what the box says about it. Holds
 *  the three controllers together; what they look like lies in `views/`. */

import { isBlank, type SessionState } from '@vestibule/shared';
import { BffError, type WidgetProblem } from '../../api/problem.ts';
import { announceSessionChange } from '../../api/sync-channel.ts';
import { OtherTabs } from '../../controllers/other-tabs.ts';
import { PostController } from '../../controllers/post-controller.ts';
import { SessionController } from '../../controllers/session-controller.ts';
import { SignInController } from '../../controllers/sign-in-controller.ts';
import { ErrorEvent } from '../../events/error-event.ts';
import { PostedEvent } from '../../events/posted-event.ts';
import { defineSync } from '../../lib/define-sync.ts';
import { adoptDraft, clearDraft, dropKey, releaseDraft } from '../../lib/draft-moves.ts';
import { growField } from '../../lib/grow-field.ts';
import { lowerLimit, measureMessage, type MessageLength } from '../../lib/message-length.ts';
import { engineStrings, type EngineStrings } from '../../locales/en-engine.ts';
import { problemStrings, type ProblemStrings } from '../../locales/en-problems.ts';
import { withOwn } from '../../locales/own-strings.ts';
import { prepareTimeFormat } from '../../locales/time-format.ts';
import { styles } from './engine.styles.ts';
import type { PostedComment } from './posted-comment.ts';
import type { CommentsEngine, VestibuleComments } from './vestibule-comments.ts';
import { accountView } from './views/account-view.ts';
import { alertView } from './views/alert-view.ts';
import { choiceView } from './views/choice-view.ts';
import { counterView } from './views/counter-view.ts';
import { postsView } from './views/posts-view.ts';
import { signInView } from './views/sign-in-view.ts';
import { statusView } from './views/status-view.ts';

export class Engine implements CommentsEngine {
  /** What the reader is told until they do something else. */
  note: keyof EngineStrings['notes'] | undefined;
  /** What is wrong with the text that the reader wants to post. */
  complaint: 'empty' | 'too-long' | undefined;
  /** Why the reader could not be signed out. */
  problem: WidgetProblem | undefined;
  posted: readonly PostedComment[] = [];
  readonly host: VestibuleComments;
  readonly session: SessionController;
  readonly way: SignInController;
  readonly poster: PostController;
  /** The reader wants to post, and whether they may is not known yet. */
  #wantsToPost = false;
  #isSigningOut = false;

  constructor(host: VestibuleComments) {
    this.host = host;
    const root = host.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet!];
    host.field.addEventListener('input', () => this.#turnPage());
    for (const intent of ['pointerenter', 'focus']) {
      root.querySelector('.primary')!.addEventListener(intent, () => void defineSync().catch(() => {}), { once: true });
    }
    this.session = new SessionController(host, (from, to) => this.#onState(from, to));
    this.way = new SignInController(host, this.session);
    this.poster = new PostController(host);
    const tabs = new OtherTabs(host, () => this.poster.isBusy);
    for (const controller of [this.session, this.way, this.poster, tabs, this]) host.addController(controller);
  }

  get strings(): EngineStrings {
    return withOwn(this.host.localizer.strings('engine', engineStrings), this.host.strings?.engine);
  }

  get problemStrings(): ProblemStrings {
    return withOwn(this.host.localizer.strings('problems', problemStrings), this.host.strings?.problems);
  }

  get action(): string | undefined {
    const { action } = this.strings;
    if (this.poster.isBusy) return action.posting;
    switch (this.session.state) {
      case 'signed-in': return undefined;
      case undefined: return this.session.failure ? action.tryAgain : undefined;
      default: return action.signIn;
    }
  }

  get isBusy(): boolean {
    return this.poster.isBusy || this.way.isBusy || this.#wantsToPost;
  }

  get hidesAction(): boolean {
    const isOffer = this.way.step === 'unfinished' && this.session.state === 'signed-in';
    return this.poster.posting.step === 'unsure' || (this.way.step !== 'none' && !isOffer);
  }

  get isWaitingForSession(): boolean {
    return this.#wantsToPost;
  }

  get length(): MessageLength {
    return measureMessage(this.host.field.value, lowerLimit(this.session.limit, this.host.maxLength));
  }

  hostUpdate(): void {
    if (this.session.failure) this.#wantsToPost = false;
  }

  hostUpdated(): void {
    const { field } = this.host;
    field.readOnly = this.poster.isBusy;
    field.ariaInvalid = this.complaint ? 'true' : null;
    growField(field);
  }

  renderAccount(): unknown {
    return accountView(this);
  }

  renderStatus(): unknown {
    return statusView(this);
  }

  renderCounter(): unknown {
    return counterView(this);
  }

  renderAlert(): unknown {
    return alertView(this);
  }

  renderMore(): unknown {
    return [choiceView(this), signInView(this), postsView(this)];
  }

  submit(): void {
    if (this.isBusy) return;
    if (this.hidesAction) {
      this.host.renderRoot.querySelector<HTMLElement>('.choice')?.focus();
    } else if (this.session.state === 'signed-in') {
      void this.#post();
    } else if (this.session.state) {
      this.signIn();
    } else {
      this.#wantsToPost = true;
      void this.session.store.refresh();
      this.host.requestUpdate();
    }
  }

  signIn(): void {
    this.#turnPage();
    this.way.start();
  }

  /** Signs out here and in the store. What was written stays with the account. */
  async signOut(): Promise<void> {
    this.#turnPage();
    this.poster.stop();
    try {
      await this.session.client.signOut();
    } catch (error) {
      if (!(error instanceof BffError)) throw error;
      this.problem = error.problem;
      return this.#report(error.problem);
    }
    this.#isSigningOut = true;
    this.session.markEnded();
    this.#isSigningOut = false;
    this.note = 'signedOut';
    announceSessionChange();
    this.host.focus();
  }

  /** Of a comment that is perhaps posted: the reader has found it. */
  acceptAsPosted(): void {
    clearDraft(this.host.draft, this.host.draft.text);
    this.host.field.value = '';
    this.poster.settle();
    this.note = 'posted';
    this.host.focus();
  }

  /** Of a comment that is perhaps posted: the reader wants another try, as a new comment. */
  postAgain(): void {
    dropKey(this.host.draft);
    this.poster.settle();
    this.host.focus();
    void this.#post();
  }

  stopTrying(): void {
    this.poster.stop();
    this.note = 'stopped';
    this.host.focus();
  }

  async #post(): Promise<void> {
    const { host, session } = this;
    const message = host.field.value.toWellFormed();
    this.#turnPage();
    this.complaint = isBlank(message) ? 'empty' : this.length.left < 0 ? 'too-long' : undefined;
    if (this.complaint) return host.focus();
    const { user } = session;
    const sending = this.poster.post({ forum: host.forum, message }, { client: session.client, draft: host.draft });
    prepareTimeFormat(host.localizer.tag);
    const post = await sending;
    const { posting } = this.poster;
    if (post) {
      this.posted = [...this.posted, { user, message, at: new Date() }];
      this.note = 'posted';
      host.field.value = '';
      host.requestUpdate();
      host.dispatchEvent(new PostedEvent(post));
    } else if (posting.step === 'failed' || posting.step === 'unsure') {
      if (posting.problem.type.endsWith(':not-signed-in')) session.markEnded();
      this.#report(posting.problem);
    }
  }

  /** Takes away what was said about the last step, as the reader takes another. */
  #turnPage(): void {
    this.note = this.complaint = this.problem = undefined;
    this.session.notice = this.way.problem = undefined;
    if (this.poster.posting.step === 'failed') this.poster.settle();
    this.host.requestUpdate();
  }

  #onState(from: SessionState | undefined, to: SessionState): void {
    this.#moveDraft(from, to);
    const isBack = this.host.isBack && from === undefined;
    if (to === 'signed-in') {
      const isDone = this.way.isWaiting || isBack;
      this.way.endWait();
      if (from || isBack) this.note = this.host.draft.text ? 'notPostedYet' : 'signedIn';
      if (isDone) this.#whenFocused(() => this.host.focus());
    } else if (to === 'validating' && from === undefined && (this.host.sync === 'inline' || isBack)) {
      this.way.showForm();
    }
    if (isBack) this.host.scrollIntoView({ block: 'center' });
    if (!this.#wantsToPost) return;
    this.#wantsToPost = false;
    if (to === 'signed-in') void this.#post();
    else this.note = 'signInFirst';
  }

  #moveDraft(from: SessionState | undefined, to: SessionState): void {
    const { draft } = this.host;
    const { text } = draft;
    const account = to === 'signed-in' ? this.session.user?.user_id ?? '' : '';
    if (to === 'signed-in' && from !== 'signed-in') adoptDraft(draft, account);
    else if (to !== 'signed-in' && from === 'signed-in' && !this.#isSigningOut) releaseDraft(draft);
    else if (draft.account !== account) draft.account = account;
    if (draft.text !== text) this.host.showDraft();
  }

  /** Once this window has the focus again, unless the reader has put it elsewhere in the page. */
  #whenFocused(act: () => void): void {
    const { activeElement } = document;
    const isFree = activeElement === this.host || activeElement === document.body || !activeElement;
    if (!isFree) return;
    if (document.hasFocus()) act();
    else window.addEventListener('focus', () => this.#whenFocused(act), { once: true });
  }

  #report(problem: WidgetProblem): void {
    this.host.requestUpdate();
    this.host.dispatchEvent(new ErrorEvent(problem));
  }
}
