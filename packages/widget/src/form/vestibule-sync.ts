/** `<vestibule-sync>`: the validation form, alone on a page or within the comment box (contract, section 1). */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { SessionView, SyncReturn, User } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { BffClient } from '../client/client.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { referenceStyles } from '../lib/reference-view.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { setText } from '../lib/live-text.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { syncStrings, type SyncStrings } from '../locales/en-sync.ts';
import { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { isSyncPage } from '../session/callback-address.ts';
import { takeCapturedCallback } from '../session/callback.ts';
import { controls, tokens } from '../styles/tokens.ts';
import { SyncController } from './sync-controller.ts';
import { statusText, syncView } from './sync-view.ts';
import { styles } from './sync.styles.ts';

/**
 * The validation form: shows the account and your questions, then opens the completion URL.
 *
 * It takes the callback from the page's address; without one it takes the sign-in of the BFF's page, or requests the session.
 * Nothing is sent before the reader continues.
 *
 * @tagname vestibule-sync
 *
 * @attr {string} lang - BCP 47 tag. Default: the nearest `lang` of the page, then the browser's languages, then English.
 *
 * @fires {VestibuleStateEvent} vestibule-state - The state of the session has changed: `detail.state`.
 * @fires {VestibuleErrorEvent} vestibule-error - A request failed or a part did not load: `detail.problem`.
 * @fires {VestibuleCompletedEvent} vestibule-completed - The page is about to navigate to `detail.completionUrl`. Cancelable.
 * @fires {Event} close - Within the comment box: the reader goes back to it. Does not bubble.
 *
 * @slot back - A link of the page, shown when the sign-in is over.
 *
 * @csspart card - Surface of every step.
 * @csspart heading - Heading of the element.
 * @csspart account - The account that signs in.
 * @csspart question - One question: label, help, control and error.
 * @csspart field - Control of a question, except a checkbox.
 * @csspart problem - The error above the buttons, with the list of answers to correct.
 * @csspart button - A button or link that is not the primary one.
 * @csspart primary-button - The primary action.
 *
 * @cssprop [--vestibule-accent=#3a6be8] - Main button and ticks.
 * @cssprop [--vestibule-on-accent=#fff] - Text on the accent. Contrast with the accent: 4.5 : 1 or more.
 * @cssprop [--vestibule-danger=color-mix(in oklab, #d00 60%, currentColor)] - Errors.
 * @cssprop [--vestibule-muted=color-mix(in srgb, currentColor 85%, transparent)] - Secondary text.
 * @cssprop [--vestibule-line=color-mix(in srgb, currentColor 66%, transparent)] - Borders.
 * @cssprop [--vestibule-tint=color-mix(in srgb, currentColor 4%, transparent)] - Background of fields.
 * @cssprop [--vestibule-radius=0.5em] - Radius of corners.
 * @cssprop [--vestibule-font=inherit] - Font family.
 * @cssprop [--vestibule-heading-font=inherit] - `font` of the heading.
 * @cssprop [--vestibule-color=inherit] - Text.
 * @cssprop [--vestibule-background=none] - Background. A `theme` sets its own.
 * @cssprop [--vestibule-padding=0] - Padding of the element. A `theme` sets 1.25em.
 */
export class VestibuleSync extends LitElement {
  static override readonly styles = [tokens, controls, referenceStyles, styles];

  static override readonly properties = {
    forum: {},
    bff: {},
    lang: { reflect: true },
    theme: { reflect: true },
    site: {},
    inline: { type: Boolean },
    openerOrigins: { attribute: 'opener-origins' },
    headingLevel: { attribute: 'heading-level', type: Number },
    strings: {},
    syncReturn: { attribute: false },
    mayLeave: { attribute: false },
    onAccepted: { attribute: false },
  };

  /** Short name of the forum; default: the BFF's first. */
  declare forum: string | null;
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  /** `auto` takes the colors of the page, `light` and `dark` give the element a surface of its own. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Name of the site, as the form calls it; default: the BFF's name of it, else the page's host. */
  declare site: string | null;
  /** Within a comment box, which has the surface and the way back. */
  declare inline: boolean;
  /** Origins of the pages that open this one in a window and get a message when the sign-in ends, separated by spaces. */
  declare openerOrigins: string | null;
  /** 1 to 6; default: 1 on a page without a first heading, else 2. */
  declare headingLevel: number | null;
  /** The page's own phrases, also as JSON; they take precedence over those of any language. */
  declare strings: OwnStrings | string | undefined;
  /** A callback that another script has taken from the address. */
  declare syncReturn: SyncReturn | undefined;
  /** Whether the page may be left without the reader's click: the comment box may hold text that the browser cannot keep.
   *  @internal */
  declare mayLeave: () => boolean;
  /** Posts the text that waits in the comment box, in the name of the reader who was accepted; absent: none waits. @internal */
  declare onAccepted: ((user: User) => Promise<unknown>) | undefined;

  /** @internal */
  client!: BffClient;
  readonly #localizer = new Localizer(this, () => this.dispatchEvent(new VestibuleErrorEvent(networkProblem)));
  readonly #sync = new SyncController(this);

  constructor() {
    super();
    this.inline = false;
    this.mayLeave = () => true;
  }

  /** @internal */
  get openers(): readonly string[] {
    return this.openerOrigins?.match(/\S+/g) ?? [];
  }

  /** @internal */
  get tag(): string {
    return this.#localizer.tag;
  }

  /** Focuses the heading of the current step. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('#heading')?.focus(options);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return shieldFields(super.createRenderRoot());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { syncReturn, inline } = this;
    const isOtherBff = !this.hasUpdated || changed.has('bff');
    if (isOtherBff) this.client = new BffClient(bffAddress(this.bff));
    if (!isOtherBff && !(changed.has('syncReturn') && syncReturn)) return;
    const callback = syncReturn ? { kind: 'granted', syncReturn } as const : inline ? undefined : takeCapturedCallback(this.client.base);
    this.#sync.begin(callback, callback || inline ? undefined : takePageData());
  }

  get #strings(): SyncStrings {
    return this.#localizer.strings('sync', syncStrings, this.strings);
  }

  protected override updated(): void {
    setText(this.renderRoot.querySelector('[role=status]')!, statusText(this.#sync.state, this.#strings));
    if (this.site && isSyncPage(this.client.base)) this.#nameWindow(this.site);
  }

  /** The BFF's own page has an English title at first. */
  #nameWindow(site: string): void {
    const { documentElement: root } = document;
    if (root.lang !== this.tag) root.lang = this.tag;
    document.title = `${this.#strings.confirm.heading} – ${site}`;
  }

  protected override render(): TemplateResult {
    const { tag, around, direction } = this.#localizer;
    return html`
      <section
        class=${this.inline ? 'inline' : 'card'}
        part="card"
        lang=${tag}
        dir=${direction ?? nothing}
        aria-labelledby="heading"
        aria-busy=${this.#sync.state.request ? 'true' : 'false'}
      >${syncView({
        sync: this.#sync,
        host: this,
        strings: this.#strings,
        problems: this.#localizer.strings('problems', problemStrings, this.strings),
        tag,
        lang: around,
        headingLevel: this.headingLevel ?? (document.querySelector('h1') ? 2 : 1),
      })}</section>
    `;
  }
}

/** The sign-in that the BFF's page carries, once. Where a session is live as well, the page does not have it. */
function takePageData(): SessionView | undefined {
  const block = document.querySelector('script#vestibule-data');
  block?.remove();
  const data = JSON.parse(block?.textContent ?? '{}') as Pick<SessionView, 'sync' | 'limits'>;
  return data.sync && { state: 'validating', ...data };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-sync': VestibuleSync;
  }
}
