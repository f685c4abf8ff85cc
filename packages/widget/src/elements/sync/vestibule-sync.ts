/** `<vestibule-sync>`: the validation form, alone on a page or within the comment box (contract, section 1). */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { SyncReturn } from '@vestibule/shared';
import { bffAddress } from '../../api/bff-address.ts';
import { BffClient } from '../../api/bff-client.ts';
import { announceSessionChange } from '../../api/sync-channel.ts';
import { CompletedEvent } from '../../events/completed-event.ts';
import { ErrorEvent } from '../../events/error-event.ts';
import { StateEvent } from '../../events/state-event.ts';
import { takeHeldReturn } from '../../lib/held-return.ts';
import type { TakenSyncReturn } from '../../lib/sync-return.ts';
import { problemStrings } from '../../locales/en-problems.ts';
import { syncStrings } from '../../locales/en-sync.ts';
import { Localizer } from '../../locales/localizer.ts';
import { withOwn, type OwnStrings } from '../../locales/own-strings.ts';
import { controls, tokens } from '../../styles/tokens.ts';
import { readControl, type AnswerControl, type RawAnswers } from './answers.ts';
import { languageAround } from './language-around.ts';
import { SyncController } from './sync-controller.ts';
import { styles } from './vestibule-sync.styles.ts';
import { confirmView } from './views/confirm-view.ts';
import { endingView, failedView } from './views/ending-view.ts';
import { loadingView } from './views/loading-view.ts';
import { leavingView, rejectedView } from './views/outcome-view.ts';
import { questionsView } from './views/questions-view.ts';
import type { SyncView } from './views/sync-view.ts';
import { findWaysOut } from './way-out.ts';

/**
 * The validation form: who is about to be signed in, the publisher's questions, and the way to the completion URL.
 *
 * It takes the service's return from the page's address; without one it asks the BFF what is under way. Nothing is sent
 * before the reader goes on.
 *
 * @tagname vestibule-sync
 *
 * @fires {StateEvent} vestibule-state - The reader's session has come into another state: `detail.state`.
 * @fires {ErrorEvent} vestibule-error - Something failed, and the reader was told: `detail.problem`.
 * @fires {CompletedEvent} vestibule-completed - The browser is about to go to `detail.completionUrl`. Cancelable.
 * @fires {Event} close - Within the comment box: the reader goes back to it. Does not bubble.
 *
 * @slot back - A link of the page's own that leads on where nothing is left to do.
 *
 * @csspart card - What surrounds every step.
 * @csspart heading
 * @csspart account - The account that signs in.
 * @csspart question - One question: label, help, control and fault.
 * @csspart field - The control of a question, but for a checkbox.
 * @csspart problem - What went wrong, above the buttons, and the list of answers to look at again.
 * @csspart button
 * @csspart primary-button
 *
 * @cssprop --vestibule-accent - Main button and ticks.
 * @cssprop --vestibule-on-accent - Text on the accent.
 * @cssprop --vestibule-danger - Faults.
 * @cssprop --vestibule-muted - Help and other quiet text.
 * @cssprop --vestibule-line - Borders.
 * @cssprop --vestibule-tint - Background of fields.
 * @cssprop --vestibule-radius - Roundness of corners.
 * @cssprop --vestibule-font - Font family.
 * @cssprop --vestibule-heading-font - Font of the heading.
 * @cssprop --vestibule-color - Text.
 * @cssprop --vestibule-background - Ground.
 * @cssprop --vestibule-padding - Room within the element.
 */
export class VestibuleSync extends LitElement {
  static override readonly styles = [tokens, controls, styles];

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
  declare theme: 'auto' | 'light' | 'dark';
  /** Origins of the pages that open this one in a window and are told when the sync is over, separated by spaces. */
  declare openerOrigins: string | null;
  /** 1 to 6; default: 1 on a page without a first heading, else 2. */
  declare headingLevel: number | null;
  /** Words of the page's own, part of them or all, in place of those of any language. */
  declare strings: OwnStrings | undefined;
  /** A return that somebody else has taken from the address. */
  declare syncReturn: SyncReturn | undefined;

  /** What the element does to its window, for a test to put its own in place. @internal */
  readonly browser = {
    replace: (url: string): void => location.replace(url),
    assign: (url: string): void => location.assign(url),
    /** Whether the browser let it be closed. */
    close: (): boolean => (close(), closed),
  };

  readonly #localizer = new Localizer(this);
  readonly #sync = new SyncController(this, {
    client: () => this.#client,
    forum: () => this.forum,
    onState: (state) => this.dispatchEvent(new StateEvent(state)),
    onProblem: (problem) => this.dispatchEvent(new ErrorEvent(problem)),
    onOver: () => announceSessionChange(this.#openers),
    onCompleted: (completionUrl) => this.#complete(completionUrl),
  });

  #client = new BffClient(bffAddress(null));
  #taken: TakenSyncReturn | undefined;
  #isHandedOver = false;
  #isStuckOpen = false;
  #shownStep: string | undefined;
  #shownFaultRounds = 0;

  override connectedCallback(): void {
    if (!this.hasUpdated && !this.syncReturn && !this.#isInline) this.#taken = takeHeldReturn();
    super.connectedCallback();
  }

  /** Puts the focus on the step that is shown. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('#heading')?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.hasUpdated || changed.has('bff')) this.#client = new BffClient(bffAddress(this.bff));
    this.#client.language = languageAround(this);
    if (!this.hasUpdated || changed.has('bff') || (changed.has('syncReturn') && this.syncReturn)) {
      this.#sync.begin(this.syncReturn ? { kind: 'granted', syncReturn: this.syncReturn } : this.#taken);
    }
  }

  protected override update(changed: PropertyValues<this>): void {
    const hadFocus = Boolean(this.shadowRoot?.activeElement);
    super.update(changed);
    this.#moveFocus(hadFocus);
  }

  protected override render(): TemplateResult {
    const view = this.#view();
    const { wait, slow } = this.#sync;
    const busyWords = view.words.wait[slow ? 'slow' : wait ?? 'asking'];
    return html`
      <section
        class=${this.#isInline ? 'inline' : 'card'}
        part="card"
        lang=${this.#localizer.tag}
        dir=${this.#localizer.direction ?? nothing}
        aria-labelledby="heading"
        aria-busy=${wait ? 'true' : 'false'}
      >
        ${this.#step(view)}
        <p class="quiet status ${slow ? 'shown' : ''}" role="status">${wait ? busyWords : ''}</p>
      </section>
    `;
  }

  #step(view: SyncView): TemplateResult {
    const { step } = this.#sync;
    switch (step.name) {
      case 'loading': return loadingView(step, view);
      case 'confirm': return confirmView(step, view);
      case 'questions': return questionsView(step, view);
      case 'leaving': return leavingView(step, view);
      case 'rejected': return rejectedView(step.outcome, view);
      case 'ended': return endingView(step.ending, step.user, view);
      case 'failed': return failedView(step.problem, view);
    }
  }

  #view(): SyncView {
    const sync = this.#sync;
    return {
      words: withOwn(this.#localizer.strings('sync', syncStrings), this.strings?.sync),
      commonProblems: withOwn(this.#localizer.strings('problems', problemStrings), this.strings?.problems),
      tag: this.#localizer.tag,
      headingLevel: this.headingLevel ?? (document.querySelector('h1') ? 2 : 1),
      wait: sync.wait,
      problem: sync.problem,
      isSuperseded: sync.isSuperseded,
      faults: sync.faults,
      isHandedOver: this.#isHandedOver,
      isStuckOpen: this.#isStuckOpen,
      waysOut: findWaysOut({
        inline: this.#isInline,
        openerOrigins: this.#openers,
        hasOpener: window.opener !== null,
        origin: location.origin,
      }),
      startAgain: this.#startAgainUrl ? this.#onStartAgain : undefined,
      retry: () => void sync.find(),
      start: () => void sync.start(),
      cancel: () => void sync.cancel(),
      acknowledge: () => sync.acknowledge(),
      leaveAgain: () => sync.leaveAgain(),
      submit: this.#onSubmit,
      edit: this.#onEdit,
      focusField: (id) => this.renderRoot.querySelector<HTMLElement>(`#${id}`)?.focus(),
      closeWindow: this.#onCloseWindow,
      backToComments: () => this.dispatchEvent(new Event('close')),
    };
  }

  get #openers(): readonly string[] {
    return this.openerOrigins?.split(/\s+/).filter(Boolean) ?? [];
  }

  get #isInline(): boolean {
    const root = this.getRootNode();
    return root instanceof ShadowRoot && root.host.localName === 'vestibule-comments';
  }

  /** Where the standard variant begins anew, if the forum is known: back in this window, or in this page. */
  get #startAgainUrl(): string | undefined {
    const forum = this.forum ?? this.#sync.forum;
    if (!forum || this.#isInline) return undefined;
    const [opener] = this.#openers;
    return this.#client.authorizeUrl(opener
      ? { forum, returnTo: `${opener}/`, display: 'popup' }
      : { forum, returnTo: location.href, display: 'page' });
  }

  #complete(completionUrl: string): void {
    this.#isHandedOver = !this.dispatchEvent(new CompletedEvent(completionUrl));
    this.requestUpdate();
    if (!this.#isHandedOver) this.browser.replace(completionUrl);
  }

  /** To a new step once the reader has begun, and to the first answer at fault. Never on the first sight of the page. */
  #moveFocus(hadFocus: boolean): void {
    const { step, faultRounds } = this.#sync;
    if (step.name !== this.#shownStep) {
      const isFirstSight = this.#shownStep === undefined || this.#shownStep === 'loading';
      if (hadFocus || !isFirstSight) this.focus();
      this.#shownStep = step.name;
    }
    if (faultRounds !== this.#shownFaultRounds) {
      this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true], #summary:not(:has(button))')?.focus();
      this.#shownFaultRounds = faultRounds;
    }
  }

  #readAnswers(): RawAnswers {
    const controls = this.renderRoot.querySelectorAll<AnswerControl>('input, select');
    return new Map([...controls].map((control) => [control.name, readControl(control)]));
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#sync.submit(this.#readAnswers());
  };

  readonly #onEdit = ({ target }: Event): void => {
    const control = target as AnswerControl;
    this.#sync.keep(this.#readAnswers());
    this.#sync.recheck(control.name, readControl(control));
  };

  readonly #onStartAgain = (): void => {
    if (this.#startAgainUrl) this.browser.assign(this.#startAgainUrl);
  };

  readonly #onCloseWindow = (): void => {
    this.#isStuckOpen = !this.browser.close();
    this.requestUpdate();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-sync': VestibuleSync;
  }
}
