/**
 * Phase of the comment box (`comments-state.ts`) and what it announces. `go` is the only place where the phase changes: it
 * replaces the announcement, and moves the focus if the transition names a target. Every update of the element, also one
 * without a transition, moves the focus if it removes or hides the focused control.
 */

import { toView } from './comments-view.ts';
import { busyPhases, type Announcement, type CommentsState, type Phase } from './comments-state.ts';
import type { CommentsHost } from './second-stage.ts';

export type FocusTarget = 'field' | 'panel';

export interface Transition {
  readonly announce?: Announcement | undefined;
  readonly focus?: FocusTarget;
}

export class PhaseMachine {
  phase: Phase = { name: 'writing' };
  announcement: Announcement | undefined;
  readonly #host: CommentsHost;
  readonly #state: () => CommentsState;
  /** Before the update in progress. */
  #focused: Element | null = null;

  constructor(host: CommentsHost, state: () => CommentsState) {
    this.#host = host;
    this.#state = state;
  }

  get isBusy(): boolean {
    return this.is(...busyPhases);
  }

  is(...names: readonly Phase['name'][]): boolean {
    return names.includes(this.phase.name);
  }

  go(phase: Phase, { announce, focus }: Transition = {}): void {
    this.phase = phase;
    this.announcement = announce;
    this.#host.requestUpdate();
    if (!focus) return;
    void this.#host.updateComplete.then(() => {
      if (this.#isFocusFree) this.focus(focus);
    });
  }

  /** Announces something beside the present phase, until the reader acts. */
  announce(announcement: Announcement | undefined): void {
    this.announcement = announcement;
    this.#host.requestUpdate();
  }

  /** Focuses the panel's primary action or form, or the panel itself while its form loads. Where none of them takes the focus,
   *  the field does. */
  focus(target: FocusTarget): void {
    const { field, renderRoot } = this.#host;
    const inPanel = target === 'panel' ? ['.panel .primary', '.panel vestibule-sync:defined', '.panel[tabindex]'] : [];
    for (const selector of inPanel) {
      const element = renderRoot.querySelector<HTMLElement>(selector);
      element?.focus();
      if (element?.matches(':focus-within')) return;
    }
    field.focus();
  }

  /** Moves the focus from the panel to its form, which has loaded. */
  focusForm(): void {
    const root = this.#host.renderRoot as ShadowRoot;
    const form = root.querySelector('vestibule-sync');
    void form?.updateComplete.then(() => {
      if (root.activeElement?.matches('.panel')) form.focus();
    });
  }

  /** To be called before each update of the element. */
  rememberFocus(): void {
    this.#focused = (this.#host.renderRoot as ShadowRoot).activeElement;
  }

  /** To be called after each update of the element. */
  keepFocus(): void {
    if (this.#focused?.checkVisibility() === false) this.focus(toView(this.#state()).panel?.isPrimary ? 'panel' : 'field');
  }

  /** Focuses the field once this window has the focus, unless the reader has put it elsewhere in the page. */
  focusFieldWhenPossible(signal: AbortSignal): void {
    if (!this.#isFocusFree) return;
    if (document.hasFocus()) this.focus('field');
    else window.addEventListener('focus', () => this.focusFieldWhenPossible(signal), { once: true, signal });
  }

  get #isFocusFree(): boolean {
    const { activeElement } = document;
    return !activeElement || activeElement === document.body || this.#host.matches(':focus-within');
  }
}

export function message(key: Extract<Announcement, { kind: 'message' }>['message']): Announcement {
  return { kind: 'message', message: key };
}
