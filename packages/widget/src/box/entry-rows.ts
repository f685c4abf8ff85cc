/** The entries of the outbox in the document of a box and its thread: which of them has the focus. */

import { passFocus } from '../lib/pass-focus.ts';
import type { Box } from './box.ts';

/** What had the focus before an update. */
interface HeldFocus {
  readonly element: HTMLElement;
  /** Of its entry. */
  readonly id: string;
  /** Of all entries, in their order. */
  readonly ids: readonly string[];
}

export class EntryRows {
  readonly #box: Box;
  readonly #idsNow: () => readonly string[];
  #ids: readonly string[] = [];
  #held: HeldFocus | undefined;

  /** @param ids of the entries that are shown, in their order */
  constructor(box: Box, ids: () => readonly string[]) {
    this.#box = box;
    this.#idsNow = ids;
  }

  hostUpdate(): void {
    const element = this.#focused;
    const id = element?.closest<HTMLElement>('[data-entry]')?.dataset['entry'];
    if (id !== undefined) this.#held = { element: element!, id, ids: this.#ids };
    this.#ids = this.#idsNow();
  }

  hostUpdated(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) void this.#drawn().then(() => this.#passFocus(held));
  }

  /** What the row of the entry says. */
  async textOf(id: string): Promise<string | undefined> {
    this.#box.requestUpdate();
    await this.#drawn();
    return this.#find(id, '.say')?.textContent.trim();
  }

  /** Focuses an element of the entry, else the field. */
  async focus(id: string, selector: string): Promise<void> {
    this.#box.requestUpdate();
    await passFocus(this.#find(id, '.say'), () => this.#find(id, selector) ?? this.#box.element, this.#drawn());
  }

  get #roots(): ShadowRoot[] {
    const { root } = this.#box;
    return [root, root.querySelector('vestibule-thread')?.shadowRoot].filter((one) => !!one);
  }

  get #focused(): HTMLElement | null {
    let focused = this.#box.root.activeElement;
    if (focused?.localName === 'vestibule-thread') focused = focused.shadowRoot!.activeElement;
    return focused as HTMLElement | null;
  }

  /** The entries are in the document as they are. */
  async #drawn(): Promise<void> {
    await this.#box.element.updateComplete;
    await this.#box.root.querySelector('vestibule-thread')?.updateComplete;
  }

  /** An element of the entry, else its row, else the name of its author. */
  #find(id: string, selector: string): HTMLElement | undefined {
    const of = `[data-entry='${id}']`;
    const found = [`${of} ${selector}`, `${of} .say`, `${of}[tabindex]`].flatMap((one) => (
      this.#roots.flatMap((root) => root.querySelector<HTMLElement>(one) ?? [])
    ));
    return found.find((element) => element.checkVisibility());
  }

  /** What had the focus is gone: the row of its entry has it, else the next entry, else the field. */
  #passFocus({ element, id, ids }: HeldFocus): void {
    const { activeElement } = document;
    const isElsewhere = activeElement !== null && activeElement !== document.body && this.#focused !== element;
    if (element.checkVisibility() || isElsewhere) return;
    const [target = this.#box.element] = [id, ...ids.slice(ids.indexOf(id) + 1)].flatMap((one) => this.#find(one, '.say') ?? []);
    target.focus({ preventScroll: true });
  }
}
