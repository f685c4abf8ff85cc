/** `<vestibule-sync>`: the validation form, alone on a page or within the comment box (contract, section 1). */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { SyncReturn } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { BffClient } from '../client/client.ts';
import { networkProblem } from '../client/network-problem.ts';
import { announceSessionChange } from '../session/session-channel.ts';
import { writeSessionHint } from '../storage/reader-records.ts';
import { VestibuleCompletedEvent } from '../events.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { VestibuleStateEvent } from '../events.ts';
import { takeCapturedCallback } from '../session/captured-callback.ts';
import type { SyncCallback } from '../session/callback.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { syncStrings } from '../locales/en-sync.ts';
import { Localizer } from '../locales/localizer.ts';
import { withOwn, type OwnStrings } from '../locales/own-strings.ts';
import { controls, tokens } from '../styles/tokens.ts';
import { readControl, type AnswerControl, type RawAnswers } from './answers.ts';
import { referenceStyles } from '../lib/reference-view.ts';
import { languageAround } from './language-around.ts';
import { findExitActions } from './exit-actions.ts';
import { SyncController, type SyncFocus } from './sync-controller.ts';
import type { LeavingStep } from './sync-state.ts';
import { styles } from './vestibule-sync.styles.ts';
import { confirmView } from './views/confirm-view.ts';
import { endingView, failedView } from './views/ending-view.ts';
import { loadingView, unavailableView } from './views/loading-view.ts';
import { leavingView, rejectedView } from './views/outcome-view.ts';
import { questionsView } from './views/questions-view.ts';
import { toView, type SyncActions, type SyncView } from './views/sync-view.ts';

/**
 * The validation form: shows the account and your questions, then opens the completion URL.
 *
 * It takes the callback from the page's address; without one it requests the session. Nothing is sent before the reader
 * continues.
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
 * @csspart button - A secondary button.
 * @csspart primary-button - The primary action.
 *
 * @cssprop [--vestibule-accent=light-dark(#2b59c3, #9db8ff)] - Main button and ticks.
 * @cssprop [--vestibule-on-accent=light-dark(#fff, #0d1530)] - Text on the accent. Contrast with the accent: 4.5 : 1 or more.
 * @cssprop [--vestibule-danger=light-dark(#b3261e, #ffb4ab)] - Errors.
 * @cssprop [--vestibule-muted=color-mix(in srgb, currentColor 72%, transparent)] - Secondary text.
 * @cssprop [--vestibule-line=color-mix(in srgb, currentColor 45%, transparent)] - Borders.
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
    openerOrigins: { attribute: 'opener-origins' },
    headingLevel: { attribute: 'heading-level', type: Number },
    strings: { attribute: false },
    syncReturn: { attribute: false },
  };

  /** Short name of the forum; default: the BFF's first. */
  declare forum: string | null;
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  /** `auto` takes the colors of the page, `light` and `dark` give the element a surface of its own. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Origins of the pages that open this one in a window and get a message when the sign-in ends, separated by spaces. */
  declare openerOrigins: string | null;
  /** 1 to 6; default: 1 on a page without a first heading, else 2. */
  declare headingLevel: number | null;
  /** The page's own phrases; they take precedence over those of any language. */
  declare strings: OwnStrings | undefined;
  /** A callback that another script has taken from the address. */
  declare syncReturn: SyncReturn | undefined;

  /** Whether the page may be left without the reader's click. The comment box sets it: it may hold text that the browser cannot
   *  keep. @internal */
  mayLeave = (): boolean => true;

  /** What the element does to its window; tests replace it. @internal */
  readonly browser = {
    replace: (url: string): void => location.replace(url),
    assign: (url: string): void => location.assign(url),
    /** Returns whether the browser closed it. */
    close: (): boolean => (close(), closed),
  };

  readonly #localizer = new Localizer(this, () => this.dispatchEvent(new VestibuleErrorEvent(networkProblem)));
  readonly #sync = new SyncController(this, {
    client: () => this.#client,
    language: () => languageAround(this),
    forum: () => this.forum,
    onState: (state) => this.dispatchEvent(new VestibuleStateEvent(state)),
    onProblem: (problem) => this.dispatchEvent(new VestibuleErrorEvent(problem)),
    onOver: (change, instance) => {
      if (change === 'signed-in') writeSessionHint(this.#client.base, true);
      announceSessionChange(this.#client.base, change, this.#openers, instance);
    },
    onCompleted: (completionUrl, isClicked) => this.#complete(completionUrl, isClicked),
    closeWindow: () => this.browser.close(),
    isPopup: () => window.opener !== null && !this.#isInline,
    onFocus: (target) => void this.updateComplete.then(() => this.#focus(target)),
  });

  readonly #actions: SyncActions = {
    retry: () => void this.#sync.find(),
    start: () => void this.#sync.start(),
    cancel: () => void this.#sync.cancel(),
    acknowledge: () => this.#sync.acknowledge(),
    leaveNow: () => this.#sync.leaveNow(),
    startAgain: () => {
      if (this.#startAgainUrl) this.browser.assign(this.#startAgainUrl);
    },
    submit: (event) => {
      event.preventDefault();
      void this.#sync.submit(this.#readAnswers());
    },
    edit: ({ target }) => {
      const control = target as AnswerControl;
      this.#sync.keep(this.#readAnswers());
      this.#sync.recheck(control.name, readControl(control));
    },
    focusField: (id) => this.renderRoot.querySelector<HTMLElement>(`#${id}`)?.focus(),
    closeWindow: () => this.#sync.closeWindow(),
    backToComments: () => this.dispatchEvent(new Event('close')),
  };

  readonly #retryLanguage = (): void => this.#localizer.retry();

  #client = new BffClient(bffAddress(null));
  #callback: SyncCallback | undefined;

  constructor() {
    super();
    for (const intent of ['pointerenter', 'focusin', 'keydown']) this.addEventListener(intent, this.#retryLanguage);
  }

  override connectedCallback(): void {
    if (!this.hasUpdated && !this.syncReturn && !this.#isInline) this.#callback = takeCapturedCallback();
    super.connectedCallback();
    addEventListener('online', this.#retryLanguage);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#retryLanguage);
  }

  /** Focuses the heading of the current step. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('#heading')?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('bff')) this.#client = new BffClient(bffAddress(this.bff));
    if (!this.hasUpdated || changed.has('bff') || (changed.has('syncReturn') && this.syncReturn)) {
      this.#sync.begin(this.syncReturn ? { kind: 'granted', syncReturn: this.syncReturn } : this.#callback);
    }
  }

  /** If the focused control goes with its step, the heading of the next one takes the focus. */
  protected override update(changed: PropertyValues<this>): void {
    const root = this.renderRoot as ShadowRoot;
    const hadFocus = root.activeElement !== null;
    super.update(changed);
    if (hadFocus && !root.activeElement) this.focus();
  }

  protected override render(): TemplateResult {
    const view = this.#view();
    return html`
      <section
        class=${this.#isInline ? 'inline' : 'card'}
        part="card"
        lang=${this.#localizer.tag}
        dir=${this.#localizer.direction ?? nothing}
        aria-labelledby="heading"
        aria-busy=${view.wait ? 'true' : 'false'}
      >
        ${stepView(view, this.#actions)}
        <p class="quiet status ${view.isSlow ? 'shown' : ''}" role="status">${view.status}</p>
      </section>
    `;
  }

  #view(): SyncView {
    return toView(this.#sync.state, {
      words: withOwn(this.#localizer.strings('sync', syncStrings), this.strings?.sync),
      commonProblems: withOwn(this.#localizer.strings('problems', problemStrings), this.strings?.problems),
      tag: this.#localizer.tag,
      headingLevel: this.headingLevel ?? (document.querySelector('h1') ? 2 : 1),
      exitActions: findExitActions({
        inline: this.#isInline,
        openerOrigins: this.#openers,
        hasOpener: window.opener !== null,
        origin: location.origin,
      }),
      canStartAgain: this.#startAgainUrl !== undefined,
    });
  }

  get #openers(): readonly string[] {
    return this.openerOrigins?.match(/\S+/g) ?? [];
  }

  get #isInline(): boolean {
    const root = this.getRootNode();
    return root instanceof ShadowRoot && root.host.localName === 'vestibule-comments';
  }

  /** URL that starts the sign-in again, in this window for its opener or in this page; `undefined` if the forum is not known. */
  get #startAgainUrl(): string | undefined {
    const forum = this.forum ?? this.#sync.forum;
    if (!forum || this.#isInline) return undefined;
    const [opener] = this.#openers;
    return this.#client.authorizeUrl(opener
      ? { forum, returnTo: `${opener}/`, display: 'popup' }
      : { forum, returnTo: location.href, display: 'page' });
  }

  #complete(completionUrl: string, isClicked: boolean): LeavingStep['by'] {
    if (!isClicked && !this.mayLeave()) return 'reader';
    if (!this.dispatchEvent(new VestibuleCompletedEvent(completionUrl))) return 'page';
    this.browser.replace(completionUrl);
    return 'browser';
  }

  /** Leaves the focus in a field of the page, where the reader may be writing. */
  #focus(target: SyncFocus): void {
    if ((this.getRootNode() as Document | ShadowRoot).activeElement?.matches('input, textarea')) return;
    const selector = target === 'heading' ? '#heading' : '[aria-invalid=true], #summary:not(:has(button))';
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  #readAnswers(): RawAnswers {
    const controls = this.renderRoot.querySelectorAll<AnswerControl>('input, select');
    return new Map([...controls].map((control) => [control.name, readControl(control)]));
  }
}

function stepView(view: SyncView, actions: SyncActions): TemplateResult {
  const { step } = view;
  switch (step.name) {
    case 'loading': return loadingView(view);
    case 'unavailable': return unavailableView(view, actions);
    case 'confirm': return confirmView(step, view, actions);
    case 'questions': return questionsView(step, view, actions);
    case 'leaving': return leavingView(step, view, actions);
    case 'rejected': return rejectedView(step.outcome, view, actions);
    case 'ended': return endingView(step, view, actions);
    case 'failed': return failedView(step.problem, view, actions);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-sync': VestibuleSync;
  }
}
