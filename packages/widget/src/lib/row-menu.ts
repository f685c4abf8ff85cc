/**
 * The row of a comment: its buttons, and the menu "…" with the others. The account of the box has such a menu, too.
 *
 * The menu is a `popover`, which no ancestor clips and no ancestor closes: a dialog or a popover of the page stays open. It is
 * placed here, because anchors of CSS are too young. Transforms do not reach the top layer; CSS `zoom` does.
 */

import { css, html, nothing, type TemplateResult } from 'lit';

/** How long a menu outlasts its focus, in ms: Orca with Firefox looks for a focus of its own where a focused element goes, and
 *  does not speak the one that comes there. */
export const HIDE_AFTER_MS = 100;

/** Timers of the menus that are about to be hidden. */
const closing = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

export interface RowButton {
  readonly label: string;
  readonly click: () => void;
  /** It destroys something. */
  readonly isDanger?: boolean;
  /** What it did before is on its way. */
  readonly isBusy?: boolean;
}

/** @param author id of an element that says whose comment it is @param kind class names */
export function buttonView({ label, click, isDanger = false, isBusy }: RowButton, author?: string, kind = ''): TemplateResult {
  return html`<button class="quiet ${kind} ${isDanger ? 'danger' : ''}" part="button" aria-describedby=${author ?? nothing}
    aria-disabled=${isBusy || nothing} @click=${click} .textContent=${label}></button>`;
}

export interface Menu {
  /** Of the popover, in its root. */
  readonly id: string;
  /** Of the button. */
  readonly content: unknown;
  /** Name of the button, where the content is a sign. */
  readonly label?: string;
  /** Class of the button. */
  readonly kind?: string;
  /** Part of the button. */
  readonly part?: string;
  /** Id of an element that describes the button. */
  readonly author?: string | undefined;
}

/** @param items buttons and links */
export function menuView({ id, content, label, kind = 'dots', part = '', author }: Menu, items: unknown): TemplateResult {
  return html`
    <button type="button" class="quiet ${kind}" part="button ${part}" popovertarget=${id} aria-label=${label ?? nothing}
      aria-describedby=${author ?? nothing} @click=${toggle}>${content}</button>
    <div class="menu" part="menu" id=${id} popover @click=${close} @keydown=${onKey}>${items}</div>
  `;
}

function close({ currentTarget }: Event): void {
  (currentTarget as HTMLElement).hidePopover();
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('button, a')].filter((item) => item.checkVisibility());
}

function onKey(event: KeyboardEvent): void {
  const step = { Escape: 0, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  // A dialog of the page stays open, and the page does not scroll.
  event.preventDefault();
  const menu = event.currentTarget as HTMLElement;
  const items = itemsOf(menu);
  const next = items.indexOf(event.target as HTMLElement) + step;
  if (step !== 0) return items.at(next % items.length)!.focus({ preventScroll: true });
  (menu.previousElementSibling as HTMLElement).focus({ preventScroll: true });
  closing.set(menu, setTimeout(() => {
    closing.delete(menu);
    menu.hidePopover();
  }, HIDE_AFTER_MS));
}

function toggle(event: Event): void {
  const button = event.currentTarget as HTMLButtonElement;
  const menu = button.popoverTargetElement as HTMLElement;
  // The browser would show it after this listener, when it can no longer be placed before its first frame.
  event.preventDefault();
  clearTimeout(closing.get(menu));
  if (!closing.delete(menu) || !menu.matches(':popover-open')) {
    if (!menu.togglePopover()) return;
    place(menu, button);
    closeWith(menu, button);
  }
  itemsOf(menu)[0]?.focus({ preventScroll: true });
}

/** Below the button and within its row, or the frame of the box (at rest its row has no rect); above it where the viewport
 *  ends. In the menu's own pixels: a rect has those of the viewport. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { left, right } = button.closest('.acts, .entry, .frame')!.getBoundingClientRect();
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const start = menu.matches(':dir(rtl)') ? at.right - width : at.left;
  const x = Math.max(0, left, Math.min(start, right - width));
  const y = at.bottom + height > innerHeight && at.top > height ? at.top - height : at.bottom;
  // Absent in older versions of Safari, whose rects have the element's own pixels.
  const zoom = (menu as { readonly currentCSSZoom?: number }).currentCSSZoom ?? 1;
  Object.assign(menu.style, { left: `${x / zoom}px`, top: `${y / zoom}px` });
}

/** What moves the row closes the menu, as does a focus that leaves it. From within, the focus goes back to the button. */
function closeWith(menu: HTMLElement, button: HTMLElement): void {
  const open = new AbortController();
  const { signal } = open;
  const { x, y } = button.getBoundingClientRect();
  const hide = (): void => {
    const now = button.getBoundingClientRect();
    // The event of a scroll before the press may come after it, and the menu itself scrolls where it is higher than the viewport.
    if (now.x === x && now.y === y) return;
    menu.hidePopover();
    open.abort();
  };
  menu.addEventListener('beforetoggle', () => {
    if (menu.matches(':focus-within')) button.focus({ preventScroll: true });
    open.abort();
  }, { signal });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    const isElsewhere = relatedTarget !== null && relatedTarget !== button && !menu.contains(relatedTarget as Node);
    if (isElsewhere) menu.hidePopover();
  }, { signal });
  addEventListener('resize', hide, { signal });
  // An event of a scroller stays in its own tree.
  for (let node: Node | undefined = menu; node;) {
    const root: Node = node.getRootNode();
    root.addEventListener('scroll', hide, { capture: true, passive: true, signal });
    node = root instanceof ShadowRoot ? root.host : undefined;
  }
}

export const rowStyles = css`
  .menu {
    --v-pad: 10px;
    inset: auto;
    inline-size: max-content;
    min-inline-size: 168px;
    max-inline-size: 100%;
    max-block-size: 100%;
    margin: 0;
    padding: 4px;
    border: 1px solid color-mix(in srgb, currentColor 22%, transparent);
    border-radius: calc(var(--v-radius) * 1.25);
    color: CanvasText;
    background: Canvas;
    box-shadow: 0 6px 20px rgb(0 0 0 / 0.18);
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .menu,
    li.own,
    .like[aria-pressed='true']::before {
      animation: appear 150ms;
    }
  }
  .menu .quiet.quiet {
    display: flex;
    justify-content: start;
    inline-size: 100%;
  }
  .menu * ~ .danger {
    position: relative;
    margin-block-start: 9px;
  }
  .menu * ~ .danger::before {
    content: '';
    position: absolute;
    inset: -5px var(--v-pad, 10px) auto;
    border-block-start: 1px solid color-mix(in srgb, CanvasText 22%, transparent);
  }
  .acts,
  .entry {
    --v-tap: 36px;
    --v-pad: 10px;
    font-size: 0.875em;
    line-height: 1.25;
  }
  :is(.acts, .entry) .quiet {
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    min-inline-size: var(--v-tap);
    min-block-size: var(--v-tap);
    margin: 0;
    padding: 0 var(--v-pad);
    border: 0;
    font: inherit;
    color: inherit;
    white-space: nowrap;
    text-decoration: none;
    cursor: pointer;
  }
  :is(.acts, .entry) .quiet:hover {
    text-decoration: underline;
  }
  .acts .dots:hover {
    text-decoration: none;
  }
  /* Within the word's own box: a ring around it would cover its neighbours. */
  :is(.acts, .entry) .quiet:focus-visible {
    outline: 2px solid var(--v-accent);
    outline-offset: -4px;
    box-shadow: none;
  }
  :is(.acts, .entry) .danger {
    color: var(--v-danger);
  }
  .acts .dots {
    font-size: 1.143em;
    font-weight: 600;
  }
  @container (inline-size < 30em) {
    .acts,
    .entry {
      --v-tap: 44px;
      --v-pad: 6px;
    }
  }
  @media (pointer: coarse) {
    .acts,
    .entry {
      --v-tap: 44px;
    }
  }
`;
