/** Template of a menu: a button, and a popover of plain buttons beside it. Escape and a press elsewhere close it, the browser's own. */

import { html, type TemplateResult } from 'lit';
import { scaleOf } from './scale.ts';

export interface MenuItem {
  readonly label: string;
  readonly click: () => void;
  readonly part?: string;
  /** It destroys something. */
  readonly isDanger?: boolean;
}

export interface Menu {
  /** Of the popover, in its root. */
  readonly id: string;
  /** Class and part of the button. */
  readonly kind: string;
  readonly part: string;
  readonly label: unknown;
  readonly items: readonly MenuItem[];
}

export function menuView({ id, kind, part, label, items }: Menu): TemplateResult {
  return html`
    <button type="button" class="quiet ${kind}" part="button ${part}" popovertarget=${id}>${label}</button>
    <div id=${id} class="menu" part="menu" popover @beforetoggle=${onToggle}>${items.map((item) => html`
      <button type="button" class=${item.isDanger ? 'danger' : ''} part="button ${item.part ?? ''}" @click=${(event: Event) => {
        (event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')!.hidePopover();
        item.click();
      }} .textContent=${item.label}></button>`)}</div>
  `;
}

/** Beside its button: below it, or above where there is no room. A scroll would part them: it closes the menu. */
function onToggle({ currentTarget, newState }: Event & { readonly newState?: string }): void {
  if (newState !== 'open') return;
  const menu = currentTarget as HTMLElement;
  const button = menu.previousElementSibling as HTMLElement;
  const life = new AbortController();
  menu.addEventListener('toggle', () => place(menu, button), { once: true });
  menu.addEventListener('beforetoggle', () => life.abort(), { once: true });
  addEventListener('scroll', ({ target }) => {
    if ((target as Node).contains(button.getRootNode() as Node) || (target as Node).contains((button.getRootNode() as ShadowRoot).host)) menu.hidePopover();
  }, { capture: true, signal: life.signal });
}

function place(menu: HTMLElement, button: HTMLElement): void {
  const scale = scaleOf(menu);
  const at = button.getBoundingClientRect();
  const own = menu.getBoundingClientRect();
  const isRtl = getComputedStyle(button).direction === 'rtl';
  const left = isRtl ? at.right - own.width : at.left;
  const top = at.bottom + own.height < innerHeight || at.top < own.height ? at.bottom : at.top - own.height;
  menu.style.inset = `${top / scale}px auto auto ${Math.min(Math.max(0, left), innerWidth - own.width) / scale}px`;
}

