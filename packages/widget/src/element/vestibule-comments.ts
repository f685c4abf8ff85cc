/**
 * `<vestibule-comments>`: shows the page's own content, until the box is there. `box.ts` is the box: it loads one viewport before
 * the element is seen, and at once where something of this browser waits for it.
 */

import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { near } from '../lib/near.ts';
import { Part } from '../lib/part.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { openSignInWindow } from '../session/sign-in-window.ts';
import { isBoxAwaited } from './awaited.ts';
import type { Box } from '../box/box.ts';

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
  static override readonly styles = css`:host { display: block; }`;

  static override readonly properties = {
    forum: {},
    page: {},
    sync: { useDefault: true },
    bff: {},
    theme: { reflect: true, useDefault: true },
    maxLength: { attribute: 'max-length', type: Number },
    placeholder: { useDefault: true },
    headingLevel: { attribute: 'heading-level', type: Number, useDefault: true },
    showPosts: { attribute: 'show-posts', type: Boolean },
    order: { useDefault: true },
    closed: { type: Boolean },
    reportUrl: { attribute: 'report-url' },
    strings: {},
    parent: { attribute: false },
    replyTo: { attribute: false },
  };

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
  readonly internals: ElementInternals = this.attachInternals();
  readonly #part: Part<Box>;
  readonly #viewport = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void this.#load();
  }, near('100% 0px'));

  constructor() {
    super();
    this.forum = this.placeholder = this.parent = this.replyTo = '';
    this.page = this.bff = this.maxLength = this.reportUrl = null;
    this.sync = 'popup';
    this.theme = 'auto';
    this.headingLevel = 2;
    this.order = 'newest';
    this.showPosts = this.closed = false;
    this.#part = new Part(() => this.#request(), {
      onChange: () => this.requestUpdate(),
      onFailure: (error) => {
        // eslint-disable-next-line no-console -- the page's developers see it nowhere else
        console.error('Vestibule: the box does not load (chunk-missing)', error);
        this.dispatchEvent(new VestibuleErrorEvent(networkProblem));
      },
    });
  }

  /** The box, once it is there. @internal */
  get box(): Box | undefined {
    return this.#part.module;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('online', this.#retry);
    addEventListener('hashchange', this.#followLink);
    // The observer reports after a frame.
    const isSeen = this.checkVisibility() && Math.abs(this.getBoundingClientRect().top) < innerHeight;
    if (isSeen || this.parent || isBoxAwaited(bffAddress(this.bff).href)) void this.#load();
    else this.#viewport.observe(this);
    this.#followLink();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#retry);
    removeEventListener('hashchange', this.#followLink);
    this.#viewport.disconnect();
  }

  /** The element is moved in the page: nothing is disconnected. */
  connectedMoveCallback(): void {}

  /** Starts to sign the reader in. Call it in a click handler, so that the browser opens the window. */
  signIn(): void {
    if (this.box) return this.box.signIn();
    const opened = this.sync === 'inline' ? undefined : openSignInWindow();
    this.#load().then((box) => box.signIn(opened), () => opened?.close());
  }

  /** Signs the reader out and removes their texts from this browser. Rejects only if the box could not be loaded. */
  async signOut(): Promise<void> {
    await (await this.#load()).signOut();
  }

  /** Focuses the text field. */
  override focus(options?: FocusOptions): void {
    if (this.box) this.box.focus(options);
    else this.#load().then((box) => box.focus(options), () => {});
  }

  protected override render(): TemplateResult {
    if (this.box) return this.box.render();
    return html`<slot></slot><slot name="rules"></slot><slot name="posts"></slot>${this.#part.hasFailed ? html`
      <p part="alert" role="alert" lang="en">The comments could not be loaded. <button part="button" @click=${() => this.#load()}>Try again</button></p>
    ` : nothing}`;
  }

  protected override updated(): void {
    this.box?.updated();
  }

  /** Rejects if the box cannot be loaded. */
  #load(): Promise<Box> {
    this.#viewport.disconnect();
    const box = this.#part.load();
    box.catch(() => {});
    return box;
  }

  /** With its language; the thread at the same time. */
  async #request(): Promise<Box> {
    if (this.showPosts) import('../box/thread-in-box.ts').catch(() => {});
    const language = import('../box/beside-box.ts').then(({ loadLanguageOf }) => loadLanguageOf(this));
    const [{ Box }] = await Promise.all([import('../box/box.ts'), language]);
    await this.updateComplete;
    return new Box(this);
  }

  readonly #retry = (): void => {
    if (this.#part.hasFailed && !this.box) void this.#load();
  };

  /** A link to the box or to a comment asks for it, wherever it is. Of several boxes, the first is that of the address. */
  readonly #followLink = (): void => {
    const { hash } = location;
    const isFirst = this === (this.getRootNode() as ParentNode).querySelector('vestibule-comments');
    if (isFirst && (hash.startsWith('#vestibule-comment-') || (hash && hash === `#${this.id}`))) void this.#load();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-comments': VestibuleComments;
  }
}
