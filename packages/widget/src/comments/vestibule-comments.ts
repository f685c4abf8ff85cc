/** `<vestibule-comments>`, first stage: shows the box and takes text. `comments-controller.ts` is loaded on intent. */

import type { SyncDisplay } from '@vestibule/shared';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { withShared } from '../chunks.ts';
import { authorizeUrl, bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent, VestibuleReadyEvent } from '../events.ts';
import { near } from '../lib/near.ts';
import { Part } from '../lib/part.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { words } from '../lib/words.ts';
import { coreStrings } from '../locales/en.ts';
import { Localizer, registerLanguage } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { SyncCallback } from '../session/callback.ts';
import { openSignInWindow } from '../session/sign-in-window.ts';
import { Draft, draftStorageKey, type DraftKey } from '../storage/draft.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import { pageIdentity } from '../storage/page-identity.ts';
import { hintedAccount, isReturn, isSignOutOpen, needsSecondStage, remove, RETURN_MARKER, write } from '../storage/storage.ts';
import { controls, tokens } from '../styles/tokens.ts';
import type { ThreadChange } from '../thread/thread-state.ts';
import type { threadInBox } from '../thread/vestibule-thread.ts';
import type { SecondStage } from './second-stage.ts';
import { styles } from './vestibule-comments.styles.ts';

/** Its events include `pushState`. Older browsers have none, and a page may have a variable of this name. */
const { navigation } = globalThis as { navigation?: Partial<EventTarget> };

/** How far from the viewport the other parts are requested: one screen. */
const NEAR = '100% 0px';

/** How long a part that has loaded waits for its phrases, in ms: a language that hangs stops nobody. */
const PHRASES_MS = 3_000;

/** The thread's own phrases are in its chunk. */
const threadFailure = { failed: 'The comments could not be loaded.' };

/**
 * The comment box. A reader can write at once, signed in or not.
 *
 * @tagname vestibule-comments
 *
 * @attr {string} lang - BCP 47 tag. Default: the nearest `lang` of the page, then the browser's languages, then English.
 *
 * @fires {VestibuleReadyEvent} vestibule-ready - The reader can type.
 * @fires {VestibuleStateEvent} vestibule-state - The state of the session has become known or has changed: `detail.state`.
 * @fires {VestibuleBeforePostEvent} vestibule-before-post - The reader posts `detail.message`. Cancelable.
 * @fires {VestibulePostedEvent} vestibule-posted - A comment was posted: `detail.post` is the service's record of it,
 *   `detail.listed` its entry in the list.
 * @fires {VestibuleErrorEvent} vestibule-error - A request failed or a part did not load: `detail.problem`.
 * @fires {VestibuleCompletedEvent} vestibule-completed - The page is about to navigate to `detail.completionUrl`. Cancelable.
 *
 * @slot rules - The page's own text below the field, such as house rules.
 * @slot posts - Posts that the page has rendered itself. With `show-posts` the reader can ask for more: an element in it
 *   names the cursor of the next posts in `data-next-cursor`, and the id of each post in `data-post-id`.
 *
 * @cssstate signed-in - A reader is signed in.
 * @cssstate busy - The box waits for the BFF.
 * @cssstate closed - The article takes no comments.
 *
 * @csspart box - The element's whole content.
 * @csspart heading - Heading of the element.
 * @csspart count - Number of comments, in the heading.
 * @csspart closed - Why the article takes no comments.
 * @csspart avatar - The reader's initials.
 * @csspart frame - Frame of the text field and its line.
 * @csspart label - Label of the text field, for screen readers.
 * @csspart field - The text field, or one of the form in the panel of a sign-in.
 * @csspart footer - The line below the text: status, account, counter, main button.
 * @csspart status - Progress and outcome.
 * @csspart account - Who is posting.
 * @csspart sign-out - Button that signs the reader out.
 * @csspart counter - Characters left, near the limit.
 * @csspart button - A secondary button.
 * @csspart primary-button - The primary action, in the footer or in a panel.
 * @csspart alert - Errors.
 * @csspart panel - A question that needs the reader's decision, or the form of a sign-in.
 * @csspart question - One question of the form in the panel of a sign-in.
 * @csspart problem - An error of the form in the panel of a sign-in.
 * @csspart posts - The reader's own recent comments, without `show-posts`.
 * @csspart thread - The comments of the page, with `show-posts`.
 * @csspart thread-status - Progress and errors of the thread.
 * @csspart badge - Badge of an author in the thread.
 * @csspart post - A comment, in the thread or among the reader's own.
 * @csspart message - Text of a comment in the thread.
 *
 * @cssprop [--vestibule-accent=#3a6be8] - Main button, focus and ticks. Contrast with the page: 3 : 1 or more.
 * @cssprop [--vestibule-on-accent=#fff] - Text on the accent. Contrast with the accent: 4.5 : 1 or more.
 * @cssprop [--vestibule-danger=color-mix(in oklab, #d00 60%, currentColor)] - Errors.
 * @cssprop [--vestibule-success=color-mix(in oklab, #080 50%, currentColor)] - Success.
 * @cssprop [--vestibule-muted=color-mix(in srgb, currentColor 85%, transparent)] - Secondary text.
 * @cssprop [--vestibule-line=color-mix(in srgb, currentColor 66%, transparent)] - Borders.
 * @cssprop [--vestibule-tint=color-mix(in srgb, currentColor 4%, transparent)] - Background of fields.
 * @cssprop [--vestibule-radius=0.5em] - Radius of corners.
 * @cssprop [--vestibule-space=0.75em] - Space between the parts of the comment box.
 * @cssprop [--vestibule-font=inherit] - Font family.
 * @cssprop [--vestibule-heading-font=inherit] - `font` of the heading.
 * @cssprop [--vestibule-color=inherit] - Text.
 * @cssprop [--vestibule-background=none] - Background. A `theme` sets its own.
 * @cssprop [--vestibule-padding=0] - Padding of the element. A `theme` sets 1.25em.
 */
export class VestibuleComments extends LitElement {
  static override readonly styles = [tokens, controls, styles];

  static override readonly properties = {
    forum: {},
    page: {},
    sync: { useDefault: true },
    bff: {},
    theme: { reflect: true, useDefault: true },
    maxLength: { attribute: 'max-length', type: Number },
    prefill: { useDefault: true },
    placeholder: { useDefault: true },
    headingLevel: { attribute: 'heading-level', type: Number, useDefault: true },
    showPosts: { attribute: 'show-posts', type: Boolean },
    order: { useDefault: true },
    closed: { type: Boolean },
    reportUrl: { attribute: 'report-url' },
    strings: {},
    parent: { attribute: false },
    replyTo: { attribute: false },
    ownPosts: { state: true },
    list: { state: true },
  };

  /** Adds a language, or replaces one, for both elements: for pages with the script tag. */
  static async registerLanguage(...args: Parameters<typeof registerLanguage>): Promise<void> {
    registerLanguage(...args);
  }

  /** Short name of the forum. */
  declare forum: string;
  /** Identity of the article: an absolute URL. Default: the canonical link, else the document's URL. */
  declare page: string | null;
  /** Where the reader is validated: in a window of its own, or in the page. */
  declare sync: 'popup' | 'inline';
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  /** `auto` takes the colors of the page, `light` and `dark` give the element a surface of its own. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Code points: a limit below the BFF's own. */
  declare maxLength: number | null;
  /** Initial text where there is no draft. */
  declare prefill: string;
  /** Placeholder of the text field; default: a phrase. */
  declare placeholder: string;
  /** 1 to 6; default 2. */
  declare headingLevel: number;
  /** Lists the posts of the page below the box. */
  declare showPosts: boolean;
  /** Order of the thread, until the reader changes it. */
  declare order: 'newest' | 'oldest';
  /** The article takes no comments. */
  declare closed: boolean;
  /** Where a comment is reported: an http(s) URL with `{id}`. */
  declare reportUrl: string | null;
  /** The page's own phrases, also as JSON; they take precedence over those of any language. */
  declare strings: OwnStrings | string | undefined;
  /** Id of the comment that a reply belongs to. @internal */
  declare parent: string;
  /** Author of that comment. @internal */
  declare replyTo: string;

  /** @internal */
  readonly localizer: Localizer = new Localizer(this, {
    isWanted: () => this.#isNear, hasStages: true, onLoadError: (error) => this.#report(error),
  });

  /** @internal */
  readonly internals: ElementInternals = this.attachInternals();
  /** @internal */
  declare draft: Draft;
  /** The reader's own recent posts on the page, oldest first. @internal */
  declare ownPosts: readonly OwnPost[];
  /** What the thread's list says of the article. @internal */
  declare list: ThreadChange;
  /** The callback that the page's address carried, until the reader has decided. @internal */
  declare callback: SyncCallback | undefined;
  readonly #stage = new Part<SecondStage>(async () => {
    await this.updateComplete;
    const { CommentsController } = await this.#withPhrases(import('./comments-controller.ts'));
    await this.#left;
    return new CommentsController(this);
  }, { onChange: () => this.requestUpdate(), onFailure: (error) => this.#report(error) });

  readonly #thread = new Part<typeof threadInBox>(async () => {
    const { threadInBox } = await this.#withPhrases(import('../thread/vestibule-thread.ts'));
    return threadInBox;
  }, {
    onChange: () => this.requestUpdate(),
    onFailure: (error) => {
      this.#hold(0);
      this.#report(error);
    },
  });

  /** The box has come near the viewport, or its second stage is wanted all the same. */
  #isNear = false;
  /** The reader comes back from signing in in this page. */
  readonly #isBack = isReturn();
  /** Of the page when its draft was opened. */
  #address = '';
  /** The reader writes the text that is in the field: it was not only restored. */
  #isWriting = false;
  /** Of the notice that the article is closed, as long as it stands: a reader who uses the box hears it, not one who comes. */
  #closedRole: 'alert' | typeof nothing | undefined;
  /** Of `currententrychange`, of other events, or of changes in the head of the document. */
  readonly #followAddress = (event?: object): void => {
    if (this.hasUpdated) this.#followPage((event as { navigationType?: string } | undefined)?.navigationType === 'replace');
  };

  /** A link to a comment asks for the thread, wherever the box is. Of several boxes, the first is that of the address. */
  readonly #followLink = (): void => {
    const isFirst = this === (this.getRootNode() as ParentNode).querySelector('vestibule-comments');
    if (isFirst && location.hash.startsWith('#vestibule-comment-')) this.#approach();
  };

  readonly #head = new MutationObserver(this.#followAddress);
  readonly #viewport = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) this.#approach();
  }, near(NEAR));

  get #second(): SecondStage | undefined {
    return this.#stage.module;
  }

  constructor() {
    super();
    this.forum = this.prefill = this.placeholder = this.parent = this.replyTo = '';
    this.page = this.bff = this.maxLength = this.reportUrl = null;
    this.sync = 'popup';
    this.theme = 'auto';
    this.headingLevel = 2;
    this.order = 'newest';
    this.showPosts = this.closed = false;
    this.ownPosts = [];
    this.list = {};
    this.addEventListener('pointerenter', this.#prepare);
    this.addEventListener('focusin', this.#start);
    // A reply in the thread is one of the reader's own posts on the page.
    this.addEventListener('vestibule-posted', (event) => {
      if (event.composedPath()[0] !== this) this.#second?.onDraftChange(true);
    });
  }

  override connectedCallback(): void {
    const { offsetHeight } = this;
    const { top, bottom, height } = this.getBoundingClientRect();
    super.connectedCallback();
    addEventListener('online', this.#retry);
    addEventListener('popstate', this.#followAddress);
    addEventListener('hashchange', this.#followLink);
    navigation?.addEventListener?.('currententrychange', this.#followAddress);
    // A canonical link that appears late. Where a browser does not report `pushState`, the title that changes with it.
    this.#head.observe(document.head, { childList: true, subtree: true, attributeFilter: ['href'] });
    // The observer reports after a frame: a language that is cached would replace English on the screen.
    if (this.checkVisibility() && Math.abs(top) < innerHeight) this.#approach();
    else this.#viewport.observe(this);
    this.#followLink();
    // What follows is on the screen, or is about to be where a link leads to the box: the place of the thread would move it.
    const isEndSeen = location.hash ? height < innerHeight : bottom > 0 && bottom < innerHeight;
    if (isEndSeen && !this.hasUpdated) this.#hold(offsetHeight);
    this.#followAddress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#retry);
    removeEventListener('popstate', this.#followAddress);
    removeEventListener('hashchange', this.#followLink);
    navigation?.removeEventListener?.('currententrychange', this.#followAddress);
    this.#head.disconnect();
    this.#viewport.disconnect();
  }

  /** The element is moved in the page: nothing is disconnected. */
  connectedMoveCallback(): void {}

  /** Starts to sign the reader in. Call it in a click handler, so that the browser opens the window. */
  signIn(): void {
    this.#press((second, opened) => second.signIn(opened));
  }

  /** Signs the reader out and removes their drafts from this browser. Rejects only if the element could not be loaded. */
  async signOut(): Promise<void> {
    this.#approach();
    return (await this.#stage.load(true)).signOut();
  }

  /** Requests the session again. @internal */
  refreshSession(): void {
    this.#act((second) => second.refresh());
  }

  /** Focuses the text field. */
  override focus(options?: FocusOptions): void {
    if (this.hasUpdated) this.field.focus(options);
    else void this.updateComplete.then(() => this.field.focus(options));
  }

  /** The text field. @internal */
  get field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  /** The draft of `account` for the page, forum and BFF of this element. @internal */
  draftOf(account = ''): Draft {
    return new Draft(this.#draftKey(account));
  }

  /** An assignment would move the caret and end a composition. @internal */
  showDraft(draft: Draft = this.draft): void {
    this.draft = draft;
    const text = draft.isNew ? this.prefill : draft.text;
    if (this.field.value === text) return;
    this.#show(text);
    if (text) this.field.style.minBlockSize = '';
  }

  /** The text of the account that was signed in last is shown once the session is known. Its place is held until then, or until
   *  the reader writes: it would move what follows. */
  #holdText(): void {
    const account = hintedAccount(bffAddress(this.bff));
    const { field, draft } = this;
    const text = account && !draft.text && this.draftOf(account).text;
    field.style.minBlockSize = '';
    if (!text) return;
    const { value } = field;
    this.#show(text);
    field.style.minBlockSize = `${field.offsetHeight}px`;
    this.#show(value);
  }

  #show(text: string): void {
    this.field.value = text;
    this.#grow();
  }

  /** Where the browser has no `field-sizing`. */
  #grow(): void {
    const { field } = this;
    if (CSS.supports('field-sizing', 'content')) return;
    field.style.blockSize = 'auto';
    field.style.blockSize = `${field.scrollHeight}px`;
  }

  /** Shows the draft of another page, forum or BFF, if one of them has changed.
   *  @param isReplaced the address was replaced: without the Navigation API it is not known */
  #followPage(isReplaced = false): void {
    const { draft } = this as { draft?: Draft };
    const key = this.#draftKey(draft?.key.account);
    // A text that is being posted stays until its outcome is known.
    if (draft?.storageKey === draftStorageKey(key) || (draft && this.field.readOnly && !this.isClosed)) return;
    // The article has another name: a text that is being written moves along. With another entry of the history, and with
    // another attribute, it is the draft of the article before.
    const isMoved = this.#isWriting && !!draft?.text && !this.page && key.bff === draft.key.bff && key.forum === draft.key.forum
      && (isReplaced || this.#address === location.href);
    this.#address = location.href;
    if (isMoved) draft.moveTo(this.draft = new Draft(key));
    else {
      this.#isWriting = false;
      this.showDraft(new Draft(key));
      if (!key.account) this.#holdText();
    }
    this.requestUpdate();
    if (draft) this.#second?.onDraftChange(isMoved);
    else if (this.parent) this.focus();
    else this.dispatchEvent(new VestibuleReadyEvent());
    this.#expect();
  }

  /** Loads the second stage without intent: at once for a return, for a post that was in flight, or for a sign-out that has not
   *  reached the BFF; near the viewport also with a draft, or if this browser was signed in before. */
  #expect(): void {
    const base = bffAddress(this.bff);
    const account = hintedAccount(base);
    const isUrgent = this.callback || isReturn() || isSignOutOpen(base) || (account && this.draftOf(account).isOut);
    if (isUrgent || (this.#isNear && (this.draft.text || this.#isExpected))) this.#prepare();
  }

  /** @param height of the box with its thread, in its own pixels; more than that is held otherwise, see `styles` */
  #hold(height: number): void {
    void this.updateComplete.then(() => { this.renderRoot.querySelector('section')!.style.minBlockSize = `${height}px`; });
  }

  #approach(): void {
    if (this.#isNear) return;
    this.#isNear = true;
    this.#viewport.disconnect();
    this.requestUpdate();
    if (this.hasUpdated) this.#expect();
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return shieldFields(super.createRenderRoot());
  }

  protected override updated(): void {
    this.#second?.announce();
    if (this.#isNear && this.showPosts && !this.#thread.module && !this.#thread.hasFailed) this.#loadThread();
    this.#followPage();
    const { states } = this.internals;
    states[this.isClosed ? 'add' : 'delete']('closed');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The list is that of the thread.
    if (changed.has('showPosts') && !this.showPosts) this.list = {};
    this.#closedRole = this.isClosed ? this.#closedRole ?? (this.#isInUse && !this.parent ? 'alert' : nothing) : undefined;
  }

  protected override render(): TemplateResult {
    const strings = this.localizer.strings('core', coreStrings, this.strings);
    const { list, parent, replyTo } = this;
    const isClosed = this.isClosed;
    const second = this.#second?.render();
    const avatar = second?.avatar;
    const primary = second?.primary ?? (this.#isExpected ? 'post' : 'signIn');
    // Its key, or a phrase of the second stage.
    let label = primary in strings ? strings[primary as 'post'] : primary;
    if (parent && primary === 'post') label = strings.postReply;
    const field = parent ? strings.replyTo.replace('{name}', () => replyTo) : strings.message;
    return html`
      <section part="box" class="${this.showPosts ? 'held' : ''} ${this.#isFormExpected ? 'returning' : ''}" dir=${this.localizer.direction ?? nothing} role=${parent ? 'group' : nothing}
        aria-label=${parent ? field : nothing} aria-labelledby=${parent ? nothing : 'heading'}>
      <div id="heading" part="heading" role="heading" aria-level=${this.headingLevel} ?hidden=${!!parent} lang=${this.localizer.tag}>${words(strings.heading)}${
        list.total === undefined ? nothing : [' ', html`<span class="count" part="count"><span
          aria-hidden="true" .textContent=${list.total.toLocaleString(this.localizer.tag)}></span><span
          class="visually-hidden" .textContent=${list.label}></span></span>`]}</div>
      ${isClosed ? html`<p id="closed" class="closed" part="closed" tabindex="-1" role=${this.#closedRole}><bdi>${words(list.closed || strings.closed)}</bdi></p>` : nothing}
      <div class="composer" ?hidden=${isClosed && !this.draft?.text}>
      <div class="avatar ${avatar ? '' : 'none'}" part="avatar" aria-hidden="true" .style=${avatar?.style} .textContent=${avatar?.text ?? ''}></div>
      <div class="frame" part="frame">
      <label class="visually-hidden" part="label" for="text">${words(field)}</label>
      <textarea id="text" class="field" part="field" dir="auto" aria-describedby="closed status silent alert writer"
        placeholder=${this.placeholder || (parent ? field : strings.placeholder)} ?readonly=${second?.isReadOnly || isClosed}
        aria-invalid=${second?.isInvalid || nothing} @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
      <div class="bar" part="footer" lang=${this.localizer.tag}>
      <button type="button" class="primary ${second?.isPrimaryHidden || isClosed ? 'away' : ''}" part="primary-button" aria-disabled=${second?.isBusy || nothing}
        aria-describedby="status silent alert opens" @click=${this.#onSubmit}>${words(label)}</button>
      <span id="opens" hidden .textContent=${primary === 'signIn' && this.sync !== 'inline' ? strings.opensWindow : ''}></span>
      ${second?.counter}
      <div class="line"><span id="status" class=${second?.tone ?? ''} part="status" aria-live="polite" aria-atomic="true"></span>${second?.line}</div>
      </div>
      </div>
      </div>
      <slot name="rules"></slot>
      ${this.#stage.hasFailed && !second ? html`<div id="alert" part="alert" role="alert">${words(strings.notLoaded)}</div>` : second?.alert}
      ${second?.more}
      ${this.showPosts && this.#thread.module && this.draft
        ? this.#thread.module(this, this.draft.key.page, this.#second, this.ownPosts) : html`<slot name="posts"></slot>${this.#threadFailure}`}
      </section>
    `;
  }

  /** The form may follow the field as soon as the session is known. */
  get #isFormExpected(): boolean {
    return this.#isBack && this.sync === 'inline' && this.#second?.isSigningIn === undefined;
  }

  /** Also the reply boxes of its thread. */
  get #isInUse(): boolean {
    return this.#isWriting || this.contains((this.getRootNode() as Document | ShadowRoot).activeElement);
  }

  /** @internal */
  get isClosed(): boolean {
    return this.closed || this.list.closed !== undefined;
  }

  /** The second stage is loaded without intent: the reader may be signed in, or comes back from signing in. */
  get #isExpected(): boolean {
    return needsSecondStage(bffAddress(this.bff));
  }

  #draftKey(account = ''): DraftKey {
    return { bff: bffAddress(this.bff).href, forum: this.forum, page: pageIdentity(this.page), account, parent: this.parent };
  }

  /** In its place, unless the page has rendered the comments. */
  get #threadFailure(): unknown {
    if (!this.showPosts || !this.#thread.hasFailed || this.querySelector('[slot=posts]')) return nothing;
    const { failed } = this.localizer.strings('thread', threadFailure, this.strings);
    return html`<p part="thread-status" lang=${this.localizer.tag}>${words(failed)}</p>`;
  }

  #loadThread(isWanted = false): void {
    this.#thread.load(isWanted).catch(() => {});
  }

  /** Requests the phrases of the later stages beside `chunk`: its first texts are in the reader's language. */
  async #withPhrases<Module>(chunk: Promise<Module>): Promise<Module> {
    const phrases = this.localizer.loadLater();
    const module = await withShared(chunk);
    await Promise.race([phrases, new Promise((resolve) => { setTimeout(resolve, PHRASES_MS); })]);
    return module;
  }

  /** One event for one failure. */
  #report(error: unknown): void {
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error('Vestibule: a part of the box does not load (chunk-missing)', error);
    this.dispatchEvent(new VestibuleErrorEvent(networkProblem));
  }

  /** The browser is online again. */
  readonly #retry = (): void => {
    if (this.#stage.hasFailed) void this.#stage.load(true).catch(() => {});
    if (this.#thread.hasFailed) this.#loadThread(true);
  };

  /** Synchronous once the second stage is loaded: a browser opens a window only in the press itself.
   *  @param abandon runs instead of `action` where the second stage does not load, or the box was removed before */
  #act(action: (second: SecondStage) => void, isWanted = false, abandon?: () => void): void {
    if (this.#thread.hasFailed) this.#loadThread();
    this.localizer.retry(isWanted);
    if (this.#second) return action(this.#second);
    this.#approach();
    this.#stage.load(isWanted).then((second) => {
      if (this.isConnected) action(second);
      else abandon?.();
    }, abandon ?? (() => {}));
  }

  /** Signs in within the reader's press where the second stage is not there to do so: in the one window, or in the page. */
  #press(action: (second: SecondStage, opened: Window | null | undefined) => void): void {
    this.#stay();
    if (this.#second || this.#isExpected) return this.#act((second) => action(second, undefined), true);
    if (this.sync === 'inline' && this.hasUpdated && this.#leave()) return;
    const opened = this.sync === 'inline' ? undefined : this.#openWindow();
    this.#act((second) => action(second, opened), true, () => opened?.close());
  }

  /** Of an earlier press: further ones show it again. */
  #opened: Window | null = null;

  #openWindow(): Window | null {
    if (this.#opened?.closed === false) this.#opened.focus();
    else this.#opened = openSignInWindow(this.#authorizeUrl('popup'));
    return this.#opened;
  }

  /** The reader has left the page to sign in, until the browser shows the same page again: a second stage that loads meanwhile
   *  would take this for their return. */
  #left: Promise<void> | undefined;
  /** Ends that: the page is shown again, or the reader has stayed and presses again. */
  #stay = (): void => {};

  /** Leaves the page to sign in, if the text and the way back are stored. */
  #leave(): boolean {
    const { text, key: { bff, forum, page } } = this.draft;
    const isKept = (!text || this.draft.edit(text)) && write(RETURN_MARKER, { bff, forum, page, at: Date.now() }, 'sessionStorage');
    if (!isKept) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#left = promise;
    this.#stay = () => {
      removeEventListener('pageshow', this.#stay);
      remove(RETURN_MARKER, 'sessionStorage');
      resolve();
    };
    addEventListener('pageshow', this.#stay);
    location.assign(this.#authorizeUrl('page'));
    return true;
  }

  #authorizeUrl(display: SyncDisplay): string {
    return authorizeUrl(bffAddress(this.bff), this.forum, location.href, display, this.localizer.around);
  }

  readonly #prepare = (): void => this.#act(() => {});

  readonly #start = (): void => this.#act((second) => second.start());

  readonly #onInput = (): void => {
    this.#isWriting = true;
    this.draft.edit(this.field.value);
    this.#grow();
    this.#act((second) => second.onEdit());
  };

  /** Safari ends a composition before the key that ends it: its code is 229. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    const { key, keyCode, ctrlKey, metaKey, isComposing, repeat } = event;
    if (key === 'Enter' && (ctrlKey || metaKey) && !isComposing && keyCode !== 229 && !repeat) this.#onSubmit(event);
    else if (key === 'Escape' && this.parent && !isComposing && !(this.field.readOnly && !this.isClosed)) this.dispatchEvent(new Event('close'));
  };

  /** Ignores the second click of a double click. */
  readonly #onSubmit = ({ detail }: UIEvent): void => {
    if (detail > 1 || this.isClosed) return;
    const { value } = this.field;
    const isSignIn = !this.#second && !this.#isExpected;
    this.#press((second, opened) => isSignIn ? second.signIn(opened) : second.press(value, opened));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-comments': VestibuleComments;
  }
}
