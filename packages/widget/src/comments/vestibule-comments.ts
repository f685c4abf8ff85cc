/** `<vestibule-comments>`, first stage: shows the box and takes text. `comments-controller.ts` is loaded on intent. */

import type { ListedPost } from '@vestibule/shared';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { authorizeUrl, bffAddress } from '../client/address.ts';
import { VestibuleReadyEvent } from '../events.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { words } from '../lib/words.ts';
import { coreStrings } from '../locales/en.ts';
import { Localizer, registerLanguage } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { SyncCallback } from '../session/callback.ts';
import type { Draft } from '../storage/draft.ts';
import type { PressRecord } from '../storage/storage.ts';
import { TypedText } from '../storage/typed.ts';
import { controls, tokens } from '../styles/tokens.ts';
import type { ThreadChange } from '../thread/thread-state.ts';
import type { Article } from './article.ts';
import { BoxParts } from './box-parts.ts';
import type { SecondStage } from './second-stage.ts';
import { SignInPress } from './sign-in-press.ts';
import { styles } from './vestibule-comments.styles.ts';

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
 * @slot posts - Posts that the page has rendered itself, each with its id in `data-post-id`. They stand as they are; with
 *   `show-posts` a button below them loads the thread in their place.
 *
 * @cssstate signed-in - A reader is signed in.
 * @cssstate busy - The box waits for the BFF.
 * @cssstate closed - The article takes no comments.
 *
 * @csspart box - The element's whole content.
 * @csspart heading - Heading of the element.
 * @csspart count - Number of comments, in the heading.
 * @csspart closed - Why the article takes no comments.
 * @csspart avatar - The reader's initials, in `account`.
 * @csspart frame - Frame of the text field and its line.
 * @csspart label - Label of the text field, for screen readers.
 * @csspart field - The text field, or one of the form in the panel of a sign-in.
 * @csspart footer - The row below the text, or beside it at rest: account, status, counter, main button.
 * @csspart status - Progress and outcome.
 * @csspart account - Button: who is posting. Opens a menu.
 * @csspart menu - The menu of the account, or of a comment.
 * @csspart sign-out - Button that signs the reader out, in the menu of `account`.
 * @csspart counter - Characters left, near the limit.
 * @csspart button - A secondary button.
 * @csspart primary-button - The primary action, in the footer or in a panel.
 * @csspart alert - Errors.
 * @csspart panel - A question that needs the reader's decision, or the form of a sign-in.
 * @csspart question - One question of the form in the panel of a sign-in.
 * @csspart problem - An error of the form in the panel of a sign-in.
 * @csspart posts - The reader's own recent comments, without `show-posts`.
 * @csspart thread - The comments of the page, with `show-posts`.
 * @csspart order - Choice of the order of the thread.
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
 * @cssprop [--vestibule-sticky-top=0px] - Height of the page's sticky header: the notice of new comments stands below it.
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
    list: { state: true },
    isOpen: { state: true },
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
  /** Order of the thread, until the reader changes it; `top` where the list offers it, otherwise the newest first. */
  declare order: 'newest' | 'oldest' | 'top';
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
  readonly typed = new TypedText(this);
  /** @internal */
  readonly signInPress = new SignInPress();
  /** @internal */
  readonly localizer: Localizer = new Localizer(this, {
    isWanted: () => this.#parts.isNear, onLoadError: (error) => this.#parts.report(error),
  });

  /** @internal */
  readonly internals: ElementInternals = this.attachInternals();
  /** From the second stage or the thread on. @internal */
  article: Article | undefined;
  /** From the second stage on. @internal */
  declare draft: Draft;
  /** Of the last list that was read. @internal */
  posts: readonly ListedPost[] = [];
  /** What the thread's list says of the article. @internal */
  declare list: ThreadChange;
  /** The callback that the page's address carried, until the reader has decided. @internal */
  declare callback: SyncCallback | undefined;
  /** The reader writes the text that is in the field: it was not only restored. @internal */
  isWriting = false;
  /** The field has its full height and its row, also without a text. @internal */
  declare isOpen: boolean;
  /** At rest the composer has one row also in a narrow column. It changes in use only: at rest it would move the page. */
  #isCompact = false;
  readonly #parts: BoxParts;
  /** Of the notice that the article is closed, as long as it stands: a reader who uses the box hears it, not one who comes. */
  #closedRole: 'alert' | typeof nothing | undefined;

  get #second(): SecondStage | undefined {
    return this.#parts.second;
  }

  constructor() {
    super();
    this.forum = this.prefill = this.placeholder = this.parent = this.replyTo = '';
    this.page = this.bff = this.maxLength = this.reportUrl = null;
    this.sync = 'popup';
    this.theme = 'auto';
    this.headingLevel = 2;
    this.order = 'newest';
    this.showPosts = this.closed = this.isOpen = false;
    this.list = {};
    this.#parts = new BoxParts(this);
    this.addEventListener('pointerenter', this.#prepare);
    this.addEventListener('focusin', this.#start);
  }

  /** The element is moved in the page: nothing is disconnected. */
  connectedMoveCallback(): void {}

  /** Starts to sign the reader in. Call it in a click handler, so that the browser opens the window. */
  signIn(): void {
    this.#press((second, opened) => second.signIn(opened));
  }

  /** Signs the reader out and removes their texts from this browser. Rejects only if the element could not be loaded. */
  async signOut(): Promise<void> {
    return (await this.#parts.loadSecond()).signOut();
  }

  /** Requests the session again. @internal */
  refreshSession(): void {
    this.#parts.act((second) => second.refresh());
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

  /** Comments of a list that has been read. @internal */
  seeList(posts: readonly ListedPost[]): void {
    this.posts = posts;
    this.#second?.seeList(posts);
  }

  /** An assignment would move the caret and end a composition. @internal */
  show(text: string): void {
    const { field } = this;
    if (field.value === text) return;
    field.value = text;
    this.#grow();
  }

  /** Where the browser has no `field-sizing`. */
  #grow(): void {
    const { field } = this;
    if (CSS.supports('field-sizing', 'content')) return;
    field.style.blockSize = 'auto';
    field.style.blockSize = `${field.scrollHeight}px`;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return shieldFields(super.createRenderRoot());
  }

  protected override firstUpdated(): void {
    this.show(this.typed.read() || this.prefill);
    if (this.parent) this.focus();
    else this.dispatchEvent(new VestibuleReadyEvent());
    this.#parts.expect();
  }

  protected override updated(): void {
    const { states } = this.internals;
    states[this.isClosed ? 'add' : 'delete']('closed');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The composer of a reply is open from the start.
    if (!this.hasUpdated) this.isOpen ||= this.parent !== '';
    // The list is that of the thread.
    if (changed.has('showPosts') && !this.showPosts) this.list = {};
    this.#closedRole = this.isClosed ? this.#closedRole ?? (this.#isInUse && !this.parent ? 'alert' : nothing) : undefined;
  }

  protected override render(): TemplateResult {
    const strings = this.localizer.strings('core', coreStrings, this.strings);
    const { list, parent, replyTo } = this;
    const isClosed = this.isClosed;
    const second = this.#second?.render();
    const primary = second?.primary ?? (this.#parts.isExpected ? 'post' : this.isWriting && this.field.value ? 'signInAndPost' : 'signIn');
    // Its key, or a phrase of the second stage.
    let label = primary in strings ? strings[primary as 'post'] : primary;
    if (parent && primary === 'post') label = strings.postReply;
    const kind = second?.isPrimaryHidden ? 'asks' : this.isOpen ? '' : 'rest';
    this.#keepRows(kind === 'rest', primary === 'post');
    const field = parent ? strings.replyTo.replace('{name}', () => replyTo) : strings.message;
    return html`
      <section part="box" class=${this.showPosts ? 'held' : ''} dir=${this.localizer.direction ?? nothing} role=${parent ? 'group' : nothing}
        aria-label=${parent ? field : nothing} aria-labelledby=${parent ? nothing : 'heading'}>
      <div id="heading" part="heading" role="heading" aria-level=${this.headingLevel} ?hidden=${!!parent} lang=${this.localizer.tag}>${words(strings.heading)}${
        list.total === undefined ? nothing : [' ', html`<span class="count" part="count"><span
          aria-hidden="true" .textContent=${list.total.toLocaleString(this.localizer.tag)}></span><span
          class="visually-hidden" .textContent=${list.label}></span></span>`]}</div>
      ${isClosed ? html`<p id="closed" class="closed" part="closed" tabindex="-1" role=${this.#closedRole}><bdi>${words(list.closed || strings.closed)}</bdi></p>` : nothing}
      <div class="frame ${kind} ${primary === 'post' ? 'known' : ''} ${this.#isCompact ? 'compact' : ''}" part="frame"
        ?hidden=${isClosed && !((this.draft as Draft | undefined)?.text || this.typed.read())}>
      <label class="visually-hidden" part="label" for="text">${words(field)}</label>
      <textarea id="text" class="field" part="field" dir="auto" rows="1" aria-describedby="closed status alert writer"
        placeholder=${this.placeholder || (parent ? field : strings.placeholder)} ?readonly=${isClosed}
        aria-invalid=${second?.isInvalid || nothing} @focus=${this.#open} @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
      ${kind === 'asks' ? second?.question : nothing}
      <div class="bar" part="footer" lang=${this.localizer.tag}>
      <button type="button" class="primary ${isClosed ? 'away' : ''}" part="primary-button" aria-disabled=${second?.isBusy || nothing}
        aria-keyshortcuts="Control+Enter Meta+Enter" aria-describedby="status alert opens" @click=${this.#onSubmit}>${words(label)}</button>
      <span id="opens" hidden .textContent=${primary.startsWith('signIn') && this.sync !== 'inline' ? strings.opensWindow : ''}></span>
      <div class="line"><span id="status" class=${second?.tone ?? ''} part="status" .textContent=${second?.status ?? ''}></span>${second?.line}</div>
      </div>
      ${kind === 'asks' ? nothing : second?.question}
      </div>
      <slot name="rules"></slot>
      ${this.#parts.hasStageFailed ? html`<div id="alert" part="alert" role="alert">${words(strings.notLoaded)}</div>` : second?.alert}
      ${second?.more}
      ${this.showPosts && this.#parts.thread
        ? this.#parts.thread(this, this.#second)
        : html`<slot name="posts"></slot>${this.#threadFailure}`}
      </section>
    `;
  }

  /** At rest they change with the first update alone. */
  #keepRows(isAtRest: boolean, isKnown: boolean): void {
    if (!isAtRest || !this.hasUpdated) this.#isCompact = isKnown;
  }

  /** @internal */
  get hasThread(): boolean {
    return this.showPosts && this.#parts.thread !== undefined;
  }

  /** Also the reply boxes of its thread. */
  get #isInUse(): boolean {
    return this.isWriting || this.contains((this.getRootNode() as Document | ShadowRoot).activeElement);
  }

  /** @internal */
  get isClosed(): boolean {
    return this.closed || this.list.closed !== undefined;
  }

  /** In its place, unless the page has rendered the comments. */
  get #threadFailure(): unknown {
    if (!this.showPosts || !this.#parts.hasThreadFailed || this.querySelector('[slot=posts]')) return nothing;
    const { failed } = this.localizer.strings('thread', threadFailure, this.strings);
    return html`<p part="thread-status" lang=${this.localizer.tag}>${words(failed)}</p>`;
  }

  /** Signs in within the reader's press where the second stage is not there to do so: in the one window, or in the page. */
  #press(action: (second: SecondStage, opened: Window | null | undefined) => void, press?: PressRecord): void {
    const { signInPress } = this;
    const parts = this.#parts;
    const isInline = this.sync === 'inline';
    signInPress.stay();
    if (this.#second || parts.isExpected) return parts.act((second) => action(second, undefined), true);
    const base = bffAddress(this.bff);
    const url = authorizeUrl(base, this.forum, location.href, isInline ? 'page' : 'popup', this.localizer.around, press !== undefined);
    if (isInline && this.#isTextKept && signInPress.leave(base, this.forum, url, press)) return;
    const opened = isInline ? undefined : signInPress.openWindow(url);
    parts.act((second) => action(second, opened), true, () => opened?.close());
  }

  /** The page can be left without losing the text. */
  get #isTextKept(): boolean {
    const text = this.hasUpdated ? this.field.value : '';
    return !text || this.typed.write(text);
  }

  readonly #prepare = (): void => this.#parts.act(() => {});

  readonly #start = (): void => this.#parts.act((second) => second.start());

  readonly #open = (): void => {
    this.isOpen = true;
  };

  readonly #onInput = (): void => {
    this.isWriting = true;
    this.requestUpdate();
    if (!this.#second) this.typed.write(this.field.value);
    this.#grow();
    this.#parts.act((second) => second.onEdit());
  };

  /** Safari ends a composition before the key that ends it: its code is 229. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    const { key, keyCode, ctrlKey, metaKey, isComposing, repeat } = event;
    if (key === 'Enter' && (ctrlKey || metaKey) && !isComposing && keyCode !== 229 && !repeat) this.#onSubmit(event);
    else if (key === 'Escape' && this.parent && !isComposing) {
      // A dialog of the page stays open.
      event.preventDefault();
      this.dispatchEvent(new Event('close'));
    }
  };

  /** Ignores the second click of a double click. */
  readonly #onSubmit = ({ detail }: UIEvent): void => {
    if (detail > 1 || this.isClosed) return;
    this.isOpen = true;
    const { field: { value }, parent, replyTo } = this;
    const press = { text: value, at: Date.now(), reply: parent ? { parent, replyTo } : undefined };
    this.#press((second, opened) => second.press(value, opened), value.trim() ? press : undefined);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-comments': VestibuleComments;
  }
}
