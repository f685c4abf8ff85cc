/** `<vestibule-comments>`: the comment box (contract, section 1). Here is what a reader needs to see it and write;
 *  `engine.ts` brings the rest once that stands. */

import { html, LitElement, nothing, type PropertyValues, type ReactiveController, type TemplateResult } from 'lit';
import { bffAddress } from '../../api/bff-address.ts';
import { ReadyEvent } from '../../events/ready-event.ts';
import { Draft } from '../../lib/draft.ts';
import { hasSyncReturn, takeSyncReturn, type TakenSyncReturn } from '../../lib/sync-return.ts';
import { takeWayBack } from '../../lib/way-back.ts';
import { coreStrings } from '../../locales/en.ts';
import { Localizer } from '../../locales/localizer.ts';
import type { OwnStrings } from '../../locales/own-strings.ts';
import { controls, tokens } from '../../styles/tokens.ts';
import type {} from '../sync/vestibule-sync.ts';
import { styles } from './vestibule-comments.styles.ts';

/** What the comment box can do beyond taking text. */
export interface CommentsEngine extends ReactiveController {
  /** What the main button does now, in words; `undefined` while it posts. */
  readonly action: string | undefined;
  /** The main button takes no click. */
  readonly isBusy: boolean;
  /** Something else asks for the reader's decision in the main button's place. */
  readonly hidesAction: boolean;
  renderAccount(): unknown;
  renderStatus(): unknown;
  renderCounter(): unknown;
  renderAlert(): unknown;
  /** What stands beneath the box. */
  renderMore(): unknown;
  submit(): void;
  signIn(): void;
  signOut(): Promise<void>;
}

/**
 * The comment box. A reader can write at once, signed in or not.
 *
 * @tagname vestibule-comments
 *
 * @fires {ReadyEvent} vestibule-ready - The reader can type.
 * @fires {StateEvent} vestibule-state - The reader's session has come into another state: `detail.state`.
 * @fires {PostedEvent} vestibule-posted - A comment was posted: `detail.post` is the service's own record of it.
 * @fires {ErrorEvent} vestibule-error - Something failed, and the reader was told: `detail.problem`.
 * @fires {CompletedEvent} vestibule-completed - The page is about to leave for `detail.completionUrl`. Cancelable.
 *
 * @slot rules - Words of the page's own beneath the text field: house rules, a link to them.
 *
 * @csspart box - What surrounds everything.
 * @csspart heading
 * @csspart account - Who is posting.
 * @csspart sign-out
 * @csspart label
 * @csspart field - The text field.
 * @csspart footer - Main button, status and counter.
 * @csspart button
 * @csspart primary-button - The main button: sign in, post.
 * @csspart status - What is under way, and what came of it.
 * @csspart counter - Characters left, near the limit.
 * @csspart alert - What went wrong.
 * @csspart sign-in - The panel in which a sign-in goes on.
 * @csspart question - Of the form in that panel: one question.
 * @csspart problem - Of the form in that panel: what went wrong.
 * @csspart posts - What this reader has just posted.
 * @csspart post - One of these comments.
 *
 * @cssprop --vestibule-accent - Main button.
 * @cssprop --vestibule-on-accent - Text on the accent.
 * @cssprop --vestibule-danger - What went wrong.
 * @cssprop --vestibule-muted - Quiet text.
 * @cssprop --vestibule-line - Borders.
 * @cssprop --vestibule-tint - Background of fields.
 * @cssprop --vestibule-radius - Roundness of corners.
 * @cssprop --vestibule-space - Room between the parts.
 * @cssprop --vestibule-font - Font family.
 * @cssprop --vestibule-heading-font - Font of the heading.
 * @cssprop --vestibule-color - Text.
 * @cssprop --vestibule-background - Ground.
 * @cssprop --vestibule-padding - Room within the element.
 */
export class VestibuleComments extends LitElement {
  static override readonly styles = [tokens, controls, styles];

  static override readonly properties = {
    forum: {},
    sync: {},
    bff: {},
    lang: { reflect: true },
    theme: { reflect: true },
    maxLength: { attribute: 'max-length', type: Number },
    prefill: {},
    placeholder: {},
    headingLevel: { attribute: 'heading-level', type: Number },
    strings: { attribute: false },
  };

  /** Short name of the forum. */
  declare forum: string;
  /** Where the reader is validated: in a window of its own, or in the page. */
  declare sync: 'popup' | 'inline';
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  declare theme: 'auto' | 'light' | 'dark';
  /** Code points: a limit below the BFF's own. */
  declare maxLength: number | null;
  /** What the box begins with where there is no draft. */
  declare prefill: string;
  declare placeholder: string;
  /** 1 to 6; default 2. */
  declare headingLevel: number;
  /** Words of the page's own, part of them or all, in place of those of any language. */
  declare strings: OwnStrings | undefined;

  /** @internal */
  readonly localizer: Localizer = new Localizer(this);
  /** @internal */
  declare draft: Draft;
  /** What the page's address brought along, until the reader has decided. @internal */
  taken: TakenSyncReturn | undefined;
  /** The reader left this page to sign in and has come back. @internal */
  isBack = false;
  #engine: CommentsEngine | undefined;
  #loading: Promise<CommentsEngine> | undefined;
  #loadFailed = false;
  #nearby: IntersectionObserver | undefined;

  constructor() {
    super();
    this.forum = this.prefill = this.placeholder = '';
    this.bff = this.maxLength = null;
    this.sync = 'popup';
    this.theme = 'auto';
    this.headingLevel = 2;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (hasSyncReturn(location)) this.#takeReturn();
    this.isBack ||= takeWayBack(this.forum);
    this.#nearby = new IntersectionObserver((entries) => {
      if (entries.pop()!.isIntersecting || this.taken || this.isBack) this.#act();
    }, { rootMargin: '600px' });
    this.#nearby.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#nearby?.disconnect();
  }

  /** Begins to sign the reader in. Call it in the handler of a click, so that the browser opens the window. */
  signIn(): void {
    this.#act((engine) => engine.signIn());
  }

  async signOut(): Promise<void> {
    await (await this.#load()).signOut();
  }

  override focus(options?: FocusOptions): void {
    this.field.focus(options);
  }

  /** The text field. @internal */
  get field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }

  /** Shows the draft, or what a box without one begins with. @internal */
  showDraft(): void {
    this.field.value = this.draft.text || this.prefill;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('forum') && !changed.has('bff')) return;
    const draft = this.draft as Draft | undefined;
    this.draft = new Draft(bffAddress(this.bff), this.forum, draft?.account);
    this.showDraft();
    if (!draft) this.dispatchEvent(new ReadyEvent());
  }

  protected override render(): TemplateResult {
    const strings = { ...this.localizer.strings('core', coreStrings), ...this.strings?.core };
    const engine = this.#engine;
    return html`
      <section part="box" lang=${this.localizer.tag} dir=${this.localizer.direction ?? nothing} aria-labelledby="heading">
        <div id="heading" part="heading" role="heading" aria-level=${this.headingLevel}>${strings.heading}</div>
        <div id="account" part="account">${engine?.renderAccount()}</div>
        <label part="label" for="text">${strings.message}</label>
        <textarea id="text" class="field" part="field" dir="auto" aria-describedby="account alert status"
          placeholder=${this.placeholder || nothing} @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
        <slot name="rules"></slot>
        <div class="row" part="footer">
          <button class="primary" part="button primary-button" ?hidden=${engine?.hidesAction}
            aria-disabled=${engine?.isBusy || nothing} @click=${this.#onSubmit}>${engine?.action ?? strings.post}</button>
          <div id="status" part="status" role="status">${engine?.renderStatus()}</div>
          ${engine?.renderCounter()}
        </div>
        <div id="alert" part="alert" role="alert">${this.#loadFailed ? strings.notLoaded : engine?.renderAlert()}</div>
        ${engine?.renderMore()}
      </section>
    `;
  }

  /** Out of the address at once. Where the page has a form of its own, the return is the form's. */
  #takeReturn(): void {
    const taken = takeSyncReturn(location, history);
    const form = document.querySelector('vestibule-sync');
    if (form && taken?.kind === 'granted') form.syncReturn = taken.syncReturn;
    else this.taken = taken;
  }

  #load(): Promise<CommentsEngine> {
    this.#nearby?.disconnect();
    this.#loading ??= import('./engine.ts')
      .then(({ Engine }) => {
        this.#loadFailed = false;
        return this.#engine = new Engine(this);
      })
      .catch((error: unknown) => {
        this.#loading = undefined;
        this.#loadFailed = true;
        throw error;
      })
      .finally(() => this.requestUpdate());
    return this.#loading;
  }

  /** At once where the engine is there: a window opens only in the click itself. */
  #act(action?: (engine: CommentsEngine) => void): void {
    if (this.#engine) action?.(this.#engine);
    else this.#load().then(action, reportError);
  }

  readonly #onInput = (): void => {
    this.draft.text = this.field.value;
    this.draft.save();
    this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#onSubmit();
  };

  readonly #onSubmit = (): void => this.#act((engine) => engine.submit());
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-comments': VestibuleComments;
  }
}
