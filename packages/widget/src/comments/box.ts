/** The comment box: its view, and what the reader does with its field. `comments-controller.ts` has its state. */

import type { ListedPost } from '@vestibule/shared';
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent, VestibuleReadyEvent } from '../events.ts';
import { addStyles } from '../lib/add-styles.ts';
import { Part } from '../lib/part.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { words } from '../lib/words.ts';
import { coreStrings } from '../locales/en.ts';
import { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { Draft } from '../storage/draft.ts';
import { isReturn, needsSession } from '../storage/storage.ts';
import { controls, tokens } from '../styles/tokens.ts';
import type { threadInBox } from '../thread/thread-in-box.ts';
import type { ThreadChange } from '../thread/thread-state.ts';
import type { Article } from './article.ts';
import type { CommentsHost } from './box-host.ts';
import { styles } from './box.styles.ts';
import { CommentsController } from './comments-controller.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

export { registerLanguage } from '../locales/localizer.ts';

/** The thread's own phrases are in its chunk. */
const threadStrings = { failed: 'The comments could not be loaded.', tryAgain: 'Try again' };

export class Box implements CommentsHost {
  /** Resolves with its language. */
  static async create(element: VestibuleComments): Promise<Box> {
    const box = new Box(element);
    await box.localizer.ready();
    return box;
  }

  readonly element: VestibuleComments;
  readonly localizer: Localizer;
  article: Article | undefined;
  /** From the first update on. */
  declare draft: Draft;
  /** The reader writes the text that is in the field: it was not only restored. */
  isWriting = false;
  /** What the thread's list says of the article. */
  #list: ThreadChange = {};
  /** The field has its full height and its row, also without a text. */
  #isOpen: boolean;
  /** At rest the composer has one row also in a narrow column. It changes in use only: at rest it would move the page. */
  #isCompact = false;
  #hasUpdated = false;
  /** The reader comes back from signing in in this page. */
  readonly #isBack = isReturn();
  #second: CommentsController | undefined;
  readonly #thread: Part<typeof threadInBox>;
  /** Of the notice that the article is closed, as long as it stands: a reader who uses the box hears it, not one who comes. */
  #closedRole: 'alert' | typeof nothing | undefined;

  private constructor(element: VestibuleComments) {
    this.element = element;
    this.localizer = new Localizer(element, { onLoadError: (error) => this.#report(error) });
    this.#isOpen = element.parent !== '';
    this.#thread = new Part(async () => (await import('../thread/thread-in-box.ts')).threadInBox, {
      onChange: () => this.requestUpdate(), onFailure: (error) => this.#report(error),
    });
    const root = element.renderRoot as ShadowRoot;
    shieldFields(root);
    for (const one of [tokens, controls, styles]) addStyles(root, one);
    element.addEventListener('focusin', () => {
      this.localizer.retry();
      this.#second?.start();
    });
    addEventListener('online', () => {
      if (this.#thread.hasFailed) this.#loadThread(true);
    });
  }

  get forum(): string { return this.element.forum; }
  get page(): string | null { return this.element.page; }
  get sync(): 'popup' | 'inline' { return this.element.sync; }
  get bff(): string | null { return this.element.bff; }
  get theme(): 'auto' | 'light' | 'dark' { return this.element.theme; }
  get maxLength(): number | null { return this.element.maxLength; }
  get headingLevel(): number { return this.element.headingLevel; }
  get showPosts(): boolean { return this.element.showPosts; }
  get order(): VestibuleComments['order'] { return this.element.order; }
  get closed(): boolean { return this.element.closed; }
  get reportUrl(): string | null { return this.element.reportUrl; }
  get strings(): OwnStrings | string | undefined { return this.element.strings; }
  get placeholder(): string { return this.element.placeholder; }
  get parent(): string { return this.element.parent; }
  get replyTo(): string { return this.element.replyTo; }
  get internals(): ElementInternals { return this.element.internals; }
  get renderRoot(): ShadowRoot { return this.element.renderRoot as ShadowRoot; }
  get isConnected(): boolean { return this.element.isConnected; }
  get updateComplete(): Promise<boolean> { return this.element.updateComplete; }

  addController(controller: ReactiveController): void {
    this.element.addController(controller);
  }

  requestUpdate(): void {
    this.element.requestUpdate();
  }

  dispatchEvent(event: Event): boolean {
    return this.element.dispatchEvent(event);
  }

  get list(): ThreadChange {
    return this.#list;
  }

  set list(list: ThreadChange) {
    this.#list = list;
    this.requestUpdate();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.requestUpdate();
  }

  /** @param opened the window that the call has opened; `null`: the browser blocked it */
  signIn(opened?: Window | null): void {
    void this.#ready().then((second) => second.signIn(opened));
  }

  async signOut(): Promise<void> {
    await (await this.#ready()).signOut();
  }

  focus(options?: FocusOptions): void {
    if (this.#hasUpdated) this.field.focus(options);
    else void this.updateComplete.then(() => this.field.focus(options));
  }

  /** Synchronous once it has been drawn: a browser opens a window only in the press itself. */
  #ready(): { then<Result>(act: (second: CommentsController) => Result): Promise<Result> } {
    const second = this.#second;
    return second ? { then: async (act) => act(second) } : this.updateComplete.then(() => this.#second!);
  }

  /** Requests the session again: a response says that it is another one. */
  refreshSession(): void {
    this.#second?.refresh();
  }

  /** The text field. */
  get field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  /** Comments of a list that has been read. */
  seeList(posts: readonly ListedPost[]): void {
    this.#second?.seeList(posts);
  }

  /** An assignment would move the caret and end a composition. */
  show(text: string): void {
    const { field } = this;
    if (text) field.style.minBlockSize = '';
    if (field.value === text) return;
    field.value = text;
    this.#grow();
  }

  /** Gives the field the height of a text that the session may bring: what is below does not move then. */
  reserve(text: string): void {
    const { field } = this;
    if (!text || field.value) return;
    this.isOpen = true;
    this.show(text);
    const { offsetHeight } = field;
    this.show('');
    field.style.minBlockSize = `${offsetHeight}px`;
  }

  /** Where the browser has no `field-sizing`. */
  #grow(): void {
    const { field } = this;
    if (CSS.supports('field-sizing', 'content')) return;
    field.style.blockSize = 'auto';
    field.style.blockSize = `${field.scrollHeight}px`;
  }

  /** To be called after each update of the element. */
  updated(): void {
    this.internals.states[this.isClosed ? 'add' : 'delete']('closed');
    if (this.showPosts && !this.#thread.module && !this.#thread.hasFailed) this.#loadThread();
    if (this.#hasUpdated) return;
    this.#hasUpdated = true;
    this.#second = new CommentsController(this);
    this.requestUpdate();
    if (this.parent) this.field.focus();
    else this.dispatchEvent(new VestibuleReadyEvent());
  }

  #willUpdate(): void {
    // The list is that of the thread.
    if (!this.showPosts) this.#list = {};
    this.#closedRole = this.isClosed ? this.#closedRole ?? (this.#isInUse && !this.parent ? 'alert' : nothing) : undefined;
  }

  render(): TemplateResult {
    this.#willUpdate();
    const strings = this.localizer.strings('core', coreStrings, this.strings);
    const { list, parent, replyTo } = this;
    const isClosed = this.isClosed;
    const second = this.#second?.render();
    const primary = second?.primary ?? (needsSession(bffAddress(this.bff)) ? 'post' : 'signIn');
    // Its key, or a phrase of the second stage.
    let label = primary in strings ? strings[primary as 'post'] : primary;
    if (parent && primary === 'post') label = strings.postReply;
    const kind = second?.isPrimaryHidden ? 'asks' : this.isOpen ? '' : 'rest';
    this.#keepRows(kind === 'rest', primary === 'post');
    const field = parent ? strings.replyTo.replace('{name}', () => replyTo) : strings.message;
    return html`
      <section part="box" class="${this.showPosts ? 'held' : ''} ${this.#isFormExpected ? 'returning' : ''}" dir=${this.localizer.direction ?? nothing} role=${parent ? 'group' : nothing}
        aria-label=${parent ? field : nothing} aria-labelledby=${parent ? nothing : 'heading'}>
      <div id="heading" part="heading" role="heading" aria-level=${this.headingLevel} ?hidden=${!!parent} lang=${this.localizer.tag}>${words(strings.heading)}${
        list.total === undefined ? nothing : [' ', html`<span class="count" part="count"><span
          aria-hidden="true" .textContent=${list.total.toLocaleString(this.localizer.tag)}></span><span
          class="visually-hidden" .textContent=${list.label}></span></span>`]}</div>
      ${isClosed ? html`<p id="closed" class="closed" part="closed" tabindex="-1" role=${this.#closedRole}><bdi>${words(list.closed || strings.closed)}</bdi></p>` : nothing}
      <div class="frame ${kind} ${primary === 'post' ? 'known' : ''} ${this.#isCompact ? 'compact' : ''}" part="frame"
        ?hidden=${isClosed && !(this.draft as Draft | undefined)?.text}>
      <label class="visually-hidden" part="label" for="text">${words(field)}</label>
      <textarea id="text" class="field" part="field" dir="auto" rows="1" aria-describedby="closed status alert writer"
        placeholder=${this.placeholder || (parent ? field : strings.placeholder)} ?readonly=${isClosed}
        aria-invalid=${second?.isInvalid || nothing} @focus=${this.#open} @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
      ${kind === 'asks' ? second?.question : nothing}
      <div class="bar" part="footer" lang=${this.localizer.tag}>
      <button type="button" class="primary ${isClosed ? 'away' : ''}" part="primary-button" aria-keyshortcuts="Control+Enter Meta+Enter" aria-describedby="status alert opens" @click=${this.#onSubmit}>${words(label)}</button>
      <span id="opens" hidden .textContent=${primary.startsWith('signIn') && this.sync !== 'inline' ? strings.opensWindow : ''}></span>
      <div class="line"><span id="status" class=${second?.tone ?? ''} part="status" .textContent=${second?.status ?? ''}></span>${second?.line}</div>
      </div>
      ${kind === 'asks' ? nothing : second?.question}
      </div>
      <slot name="rules"></slot>
      ${second?.alert}
      ${second?.more}
      ${this.showPosts && this.#thread.module
        ? this.#thread.module(this, this.#second)
        : html`<slot name="posts"></slot>${this.#threadFailure}`}
      </section>
    `;
  }

  /** At rest they change with the first update alone. */
  #keepRows(isAtRest: boolean, isKnown: boolean): void {
    if (!isAtRest || !this.#hasUpdated) this.#isCompact = isKnown;
  }

  /** The form may follow the field as soon as the session is known. */
  get #isFormExpected(): boolean {
    return this.#isBack && this.sync === 'inline' && !this.#second?.store.view;
  }

  get hasThread(): boolean {
    return this.showPosts && this.#thread.module !== undefined;
  }

  /** Also the reply boxes of its thread. */
  get #isInUse(): boolean {
    const { element } = this;
    return this.isWriting || element.contains((element.getRootNode() as Document | ShadowRoot).activeElement);
  }

  get isClosed(): boolean {
    return this.closed || this.#list.closed !== undefined;
  }

  /** In its place, unless the page has rendered the comments. */
  get #threadFailure(): unknown {
    if (!this.showPosts || !this.#thread.hasFailed || this.hasThread || this.element.querySelector('[slot=posts]')) return nothing;
    const { failed, tryAgain } = this.localizer.strings('thread', threadStrings, this.strings);
    return html`<p part="thread-status" lang=${this.localizer.tag}>${words(failed)} <button type="button" class="secondary" part="button"
      @click=${() => this.#loadThread(true)}>${words(tryAgain)}</button></p>`;
  }

  #loadThread(isWanted = false): void {
    this.#thread.load(isWanted).catch(() => {});
  }

  /** One event for one failure. */
  #report(error: unknown): void {
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error('Vestibule: a part of the box does not load (chunk-missing)', error);
    this.dispatchEvent(new VestibuleErrorEvent(networkProblem));
  }

  readonly #open = (): void => {
    this.isOpen = true;
  };

  readonly #onInput = (): void => {
    this.isWriting = true;
    this.field.style.minBlockSize = '';
    this.requestUpdate();
    this.#grow();
    this.#second?.onEdit();
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
    this.#second?.press(this.field.value);
  };
}
