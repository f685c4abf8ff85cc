/** The entries of the outbox in the document of a box and its thread: which of them has the focus, and which sentence is cut. */

import type { ReactiveController } from 'lit';
import type { EntryKey } from '../outbox/outbox-entry.ts';
import type { CommentsHost } from './second-stage.ts';

/** What had the focus before an update. */
interface HeldFocus {
  readonly element: HTMLElement;
  /** Of its entry. */
  readonly id: string;
  /** Of all entries, in their order. */
  readonly ids: readonly string[];
}

/** A line of text is higher. */
const MIN_LINE_PX = 4;

export class EntryRows implements ReactiveController {
  readonly #host: CommentsHost;
  readonly #idsNow: () => readonly string[];
  #ids: readonly string[] = [];
  #held: HeldFocus | undefined;
  /** Not before the next frame: a change of the size within the observer is an error of the page. */
  readonly #width = new ResizeObserver(() => requestAnimationFrame(() => this.#foldSentences()));

  /** @param ids of the entries that are shown, in their order */
  constructor(host: CommentsHost, ids: () => readonly string[]) {
    this.#host = host;
    this.#idsNow = ids;
    host.addController(this);
  }

  hostConnected(): void {
    this.#width.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#width.disconnect();
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
    void this.#drawn().then(() => {
      this.#foldSentences();
      if (held) this.#passFocus(held);
    });
  }

  /** What the row of the entry says. */
  async textOf({ id }: EntryKey): Promise<string | undefined> {
    this.#host.requestUpdate();
    await this.#drawn();
    return this.#find(id, '.say')?.textContent.trim();
  }

  /** Of the entry, with its margins and those of its list, which its first entry has; 0 for one that is within a comment. */
  heightOf({ id }: EntryKey): number {
    const item = this.#find(id, '.say')?.closest('li');
    const list = item?.parentElement;
    if (!item || !list || list.parentElement?.closest('li')) return 0;
    return outerHeight(item) + (list.firstElementChild === item ? outerHeight(list) - list.offsetHeight : 0);
  }

  /** Focuses an element of the entry, else the field. */
  async focus({ id }: EntryKey, selector: string): Promise<void> {
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

  /** Only a sentence that is cut has “Show more”. */
  #foldSentences(): void {
    for (const fold of this.#roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>('.fold')])) {
      const { scrollHeight, clientHeight, classList } = fold.closest('.entry')!.querySelector('.say')!;
      // Less than a line is due to rounding.
      fold.hidden = scrollHeight - clientHeight < MIN_LINE_PX && classList.contains('cut');
    }
  }
}

/** Without the pixels of a zoomed page. */
function outerHeight(element: HTMLElement): number {
  const { marginBlockStart, marginBlockEnd } = getComputedStyle(element);
  return element.offsetHeight + parseFloat(marginBlockStart) + parseFloat(marginBlockEnd);
}
