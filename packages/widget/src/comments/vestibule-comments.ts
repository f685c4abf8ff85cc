/** `<vestibule-comments>`, first stage: shows the box and takes text. `comments-controller.ts` is loaded on intent. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { authorizeUrl, bffAddress } from '../client/address.ts';
import type { SyncCallback } from '../session/callback.ts';
import { networkProblem } from '../client/network-problem.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { Draft, draftStorageKey, type DraftKey } from '../storage/draft.ts';
import type { OwnPost } from '../storage/own-posts.ts';
import { pageIdentity } from '../storage/page-identity.ts';
import { openSignInWindow } from '../session/sign-in-window.ts';
import { VestibuleReadyEvent } from '../events.ts';
import { coreStrings, type CoreStrings } from '../locales/en.ts';
import { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { registerLanguage } from '../locales/register-language.ts';
import { needsSecondStage } from '../storage/session-hint.ts';
import { controls, tokens } from '../styles/tokens.ts';
import type { SecondStage, SecondStageParts } from './second-stage.ts';
import { styles } from './vestibule-comments.styles.ts';

/** Its events include `pushState`. Older browsers have none. */
const { navigation } = globalThis as { navigation?: EventTarget };

/**
 * The comment box. A reader can write at once, signed in or not.
 *
 * @tagname vestibule-comments
 *
 * @attr {string} lang - BCP 47 tag. Default: the nearest `lang` of the page, then the browser's languages, then English.
 *
 * @fires {VestibuleReadyEvent} vestibule-ready - The reader can type.
 * @fires {VestibuleStateEvent} vestibule-state - The state of the session has become known or has changed: `detail.state`.
 * @fires {VestibulePostedEvent} vestibule-posted - A comment was posted: `detail.post` is the service's record of it.
 * @fires {VestibuleErrorEvent} vestibule-error - A request failed or a part did not load: `detail.problem`.
 * @fires {VestibuleCompletedEvent} vestibule-completed - The page is about to navigate to `detail.completionUrl`. Cancelable.
 *
 * @slot rules - The page's own text below the field, such as house rules.
 * @slot posts - Posts that the page has rendered itself. With `show-posts` the reader can ask for more: an element in it
 *   names the cursor of the next posts in `data-next-cursor`, and the id of each post in `data-post-id`.
 *
 * @csspart box - The element's whole content.
 * @csspart heading - Heading of the element.
 * @csspart account - Who is posting.
 * @csspart sign-out - Button that signs the reader out.
 * @csspart label - Label of the text field.
 * @csspart field - The text field.
 * @csspart footer - Main button, status and counter.
 * @csspart button - A secondary button.
 * @csspart primary-button - The primary action, in the footer or in a panel.
 * @csspart status - Progress and outcome.
 * @csspart counter - Characters left, near the limit.
 * @csspart alert - Errors.
 * @csspart panel - A question that needs the reader's decision.
 * @csspart sign-in - The panel of a sign-in.
 * @csspart question - One question of the form in the panel of a sign-in.
 * @csspart problem - An error of the form in the panel of a sign-in.
 * @csspart posts - The reader's own recent comments, without `show-posts`.
 * @csspart thread - The comments of the page, with `show-posts`.
 * @csspart thread-heading - Heading of the thread.
 * @csspart thread-status - Progress and errors of the thread.
 * @csspart post - A comment, in the thread or among the reader's own.
 * @csspart message - Text of a comment in the thread.
 *
 * @cssprop [--vestibule-accent=light-dark(#2b59c3, #9db8ff)] - Main button and ticks.
 * @cssprop [--vestibule-on-accent=light-dark(#fff, #0d1530)] - Text on the accent. Contrast with the accent: 4.5 : 1 or more.
 * @cssprop [--vestibule-danger=light-dark(#b3261e, #ffb4ab)] - Errors.
 * @cssprop [--vestibule-muted=color-mix(in srgb, currentColor 72%, transparent)] - Secondary text.
 * @cssprop [--vestibule-line=color-mix(in srgb, currentColor 45%, transparent)] - Borders.
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
    sync: {},
    bff: {},
    lang: { reflect: true },
    theme: { reflect: true },
    maxLength: { attribute: 'max-length', type: Number },
    prefill: {},
    placeholder: {},
    headingLevel: { attribute: 'heading-level', type: Number },
    showPosts: { attribute: 'show-posts', type: Boolean },
    strings: { attribute: false },
  };

  /** Adds a language, or replaces one, for both elements: for pages with the script tag. */
  static async registerLanguage(...args: Parameters<typeof registerLanguage>): Promise<void> {
    (await import('../locales/register-language.ts')).registerLanguage(...args);
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
  /** Placeholder of the text field. */
  declare placeholder: string;
  /** 1 to 6; default 2. */
  declare headingLevel: number;
  /** Lists the posts of the page below the box. */
  declare showPosts: boolean;
  /** The page's own phrases; they take precedence over those of any language. */
  declare strings: OwnStrings | undefined;

  /** @internal */
  readonly localizer: Localizer = new Localizer(this, () => this.#onLoadError());
  /** @internal */
  declare draft: Draft;
  /** The reader's own recent posts on the page, oldest first. @internal */
  declare ownPosts: readonly OwnPost[] | undefined;
  /** The callback that the page's address carried, until the reader has decided. @internal */
  declare callback: SyncCallback | undefined;
  #second: SecondStage | undefined;
  #loading: Promise<SecondStage> | undefined;
  #thread: Promise<void> | undefined;
  #hasFailed = false;
  /** Of the page when its draft was opened. */
  #address = '';
  readonly #followAddress = (): void => void (this.hasUpdated && this.followPage());
  readonly #head = new MutationObserver(this.#followAddress);

  constructor() {
    super();
    this.forum = this.prefill = this.placeholder = '';
    this.page = this.bff = this.maxLength = null;
    this.sync = 'popup';
    this.theme = 'auto';
    this.headingLevel = 2;
    this.showPosts = false;
    this.addEventListener('pointerenter', this.#prepare);
    this.addEventListener('focusin', this.#start);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('popstate', this.#followAddress);
    navigation?.addEventListener('currententrychange', this.#followAddress);
    // A canonical link that appears late. Where a browser does not report `pushState`, the title that changes with it.
    this.#head.observe(document.head, { childList: true, subtree: true, attributeFilter: ['href'] });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#prepare);
    removeEventListener('popstate', this.#followAddress);
    navigation?.removeEventListener('currententrychange', this.#followAddress);
    this.#head.disconnect();
  }

  /** Starts to sign the reader in. Call it in a click handler, so that the browser opens the window. */
  signIn(): void {
    this.#press((second, opened) => second.signIn(opened));
  }

  /** Signs the reader out and removes their drafts from this browser. Rejects only if the element could not be loaded. */
  signOut(): Promise<void> {
    return this.#load().then((second) => second.signOut());
  }

  /** Focuses the text field. */
  override focus(options?: FocusOptions): void {
    if (this.hasUpdated) this.field.focus(options);
    else void this.updateComplete.then(() => this.field.focus(options));
  }

  /** The text field. Its state and that of the main button are the second stage's. @internal */
  get field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  /** Shows the draft of `account` for the page, forum and BFF of this element. @internal */
  openDraft(account?: string): void {
    this.draft = new Draft(this.#draftKey(account));
    this.showDraft();
  }

  /** @internal */
  showDraft(): void {
    this.field.value = this.draft.text || this.prefill;
  }

  /** Shows the draft of another page, forum or BFF, if one of them has changed. Loads the second stage without intent with a
   *  draft, with a callback, after a sign-in, or if this browser was signed in before. @internal */
  followPage(): void {
    const { draft } = this as { draft?: Draft };
    const key = this.#draftKey(draft?.key.account);
    // A text that is being posted stays until its outcome is known.
    if (draft?.storageKey === draftStorageKey(key) || this.field.readOnly) return;
    // The same address under another name, or a text that is being written: the text moves along. An attribute names another one.
    const isMoved = !!draft?.text && !this.page && key.bff === draft.key.bff && key.forum === draft.key.forum
      && (this.#address === location.href || this.renderRoot.querySelector(':focus') === this.field);
    this.#address = location.href;
    if (isMoved) draft.moveTo(this.draft = new Draft(key));
    else this.openDraft(key.account);
    this.requestUpdate();
    if (draft) this.#second?.onDraftChange(isMoved);
    else this.dispatchEvent(new VestibuleReadyEvent());
    if (this.callback || this.draft.text || this.#isExpected) this.#prepare();
  }

  protected override updated(): void {
    if (this.showPosts && !this.#thread) this.#thread = import('../thread/vestibule-thread.ts').then(() => {}, this.#onLoadError);
    this.followPage();
  }

  protected override render(): TemplateResult {
    const strings = { ...this.localizer.strings('core', coreStrings), ...this.strings?.core };
    const second = this.#second?.render();
    return html`
      <section part="box" lang=${this.localizer.tag} dir=${this.localizer.direction ?? nothing} aria-labelledby="heading">
      <div id="heading" part="heading" role="heading" aria-level=${this.headingLevel}>${strings.heading}</div>
      <div id="account" part="account">${second?.account}</div>
      <label part="label" for="text">${strings.message}</label>
      <textarea id="text" class="field" part="field" dir="auto" aria-describedby="writer" placeholder=${this.placeholder}
        @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
      <slot name="rules"></slot>
      <div class="row" part="footer">
      <button class="primary" part="button primary-button" @click=${this.#onSubmit}>${this.#label(strings, second?.primary)}</button>
      <div id="status" part="status" role="status">${second?.status}</div>
      ${second?.footer}
      </div>
      <div id="alert" part="alert" role="alert">${this.#hasFailed && !second ? strings.notLoaded : second?.alert}</div>
      ${second?.more}
      ${this.showPosts ? html`
        <vestibule-thread part="thread" exportparts="thread-status, post, message, button, badge" .forum=${this.forum} .page=${pageIdentity(this.page)}
          .bff=${this.bff} .headingLevel=${this.headingLevel} .strings=${this.strings} .ownPosts=${this.ownPosts}
        ><slot name="posts"></slot></vestibule-thread>
      ` : html`<slot name="posts"></slot>`}
      </section>
    `;
  }

  #label({ post, signIn }: CoreStrings, primary: SecondStageParts['primary'] = this.#isExpected ? 'post' : 'signIn'): string {
    return typeof primary === 'object' ? primary.label : { post, signIn }[primary];
  }

  /** Whether the browser has a hint of a session. */
  get #isExpected(): boolean {
    return needsSecondStage(bffAddress(this.bff));
  }

  /** Opens the sign-in window in the reader's press if the second stage is not there to do so: a browser opens it in the press
   *  only. `undefined`: the second stage decides. */
  #openWindow(): Window | null | undefined {
    if (this.#second || this.#isExpected || this.sync === 'inline') return undefined;
    const { forum } = this;
    return openSignInWindow(authorizeUrl(bffAddress(this.bff), { forum, returnTo: location.href, display: 'popup' }));
  }

  #draftKey(account = ''): DraftKey {
    return { bff: bffAddress(this.bff).href, forum: this.forum, page: pageIdentity(this.page), account };
  }

  #load(): Promise<SecondStage> {
    return this.#loading ??= this.updateComplete
      .then(() => import('./comments-controller.ts'))
      .then(({ CommentsController }) => this.#second = new CommentsController(this))
      .catch((error: unknown) => {
        this.#loading = undefined;
        this.#hasFailed = true;
        this.#onLoadError();
        throw error;
      })
      .finally(() => this.requestUpdate());
  }

  /** The next attempt follows when the browser is online, or on the reader's next intent. */
  readonly #onLoadError = (): void => {
    this.dispatchEvent(new VestibuleErrorEvent(networkProblem));
    if (this.isConnected) addEventListener('online', this.#prepare);
  };

  /** Synchronous once the second stage is loaded: a browser opens a window only in the click itself. The update follows the
   *  page's address and loads what is missing. A box that is removed before that forgets the action. */
  #act(action: (second: SecondStage) => void): void {
    this.#thread = undefined;
    this.localizer.retry();
    this.requestUpdate();
    if (this.#second) action(this.#second);
    else this.#load().then((second) => this.isConnected && action(second), reportError);
  }

  /** Opens the window if that cannot wait, and passes on what the BFF's page in it sends before the second stage listens. */
  #press(action: (second: SecondStage, opened: Window | null | undefined) => void): void {
    const opened = this.#openWindow();
    const early: MessageEvent[] = [];
    const keep = (event: MessageEvent): void => {
      if (event.origin === bffAddress(this.bff).origin) early.push(event);
    };
    if (opened) addEventListener('message', keep);
    this.#act((second) => {
      removeEventListener('message', keep);
      action(second, opened);
      for (const { data, origin, source } of early) dispatchEvent(new MessageEvent('message', { data, origin, source }));
    });
  }

  readonly #prepare = (): void => this.#act(() => {});

  readonly #start = (): void => this.#act((second) => second.start());

  readonly #onInput = (): void => {
    this.draft.text = this.field.value;
    this.draft.save();
    this.#act((second) => second.onEdit());
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing && !event.repeat) this.#onSubmit(event);
  };

  /** Ignores the second click of a double click. */
  readonly #onSubmit = ({ detail }: UIEvent): void => {
    if (detail > 1) return;
    const { value } = this.field;
    const isSignIn = !this.#second && !this.#isExpected;
    this.#press((second, opened) => isSignIn ? second.signIn(opened) : second.submit(value));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-comments': VestibuleComments;
  }
}
