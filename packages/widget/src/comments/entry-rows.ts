/** The entries of the outbox in the document of a box and its thread: which of them has the focus. */

import type { ReactiveController } from 'lit';
import type { CommentsHost } from './box-host.ts';

/** What had the focus before an update. */
interface HeldFocus {
  readonly element: HTMLElement;
  /** Of its entry. */
  readonly id: string;
  /** Of all entries, in their order. */
  readonly ids: readonly string[];
}

export class EntryRows implements ReactiveController {
  readonly #host: CommentsHost;
  readonly #idsNow: () => readonly string[];
  #ids: readonly string[] = [];
  #held: HeldFocus | undefined;

  /** @param ids of the entries that are shown, in their order */
  constructor(host: CommentsHost, ids: () => readonly string[]) {
    this.#host = host;
    this.#idsNow = ids;
    host.addController(this);
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
    this.#host.requestUpdate();
    await this.#drawn();
    return this.#find(id, '.say')?.textContent.trim();
  }

  /** Focuses an element of the entry, else the field. */
  async focus(id: string, selector: string): Promise<void> {
    this.#host.requestUpdate();
    await this.#drawn();
    (this.#find(id, selector) ?? this.#host).focus({ preventScroll: true });
  }

  get #roots(): ShadowRoot[] {
    const root = this.#host.renderRoot as ShadowRoot;
    return [root, root.querySelector('vestibule-thread')?.shadowRoot].filter((one) => !!one);
  }

  get #focused(): HTMLElement | null {
    let focused = (this.#host.renderRoot as ShadowRoot).activeElement;
    if (focused?.localName === 'vestibule-thread') focused = focused.shadowRoot!.activeElement;
    return focused as HTMLElement | null;
  }

  /** The entries are in the document as they are. */
  async #drawn(): Promise<void> {
    await this.#host.updateComplete;
    await this.#host.renderRoot.querySelector('vestibule-thread')?.updateComplete;
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
    const [target = this.#host] = [id, ...ids.slice(ids.indexOf(id) + 1)].flatMap((one) => this.#find(one, '.say') ?? []);
    target.focus({ preventScroll: true });
  }
}
