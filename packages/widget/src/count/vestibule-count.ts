/** `<vestibule-count>`: a number of comments. Without Lit, so that lists of articles load little. */

/** Renders the number of an element: what its shadow root contains then. */
export type CountView = (element: HTMLElement) => Promise<Node>;

/**
 * The number of comments of an article, such as “12 comments”: for lists of articles. All elements of a document share requests.
 * Where there is no number, the element shows its content; it may be empty.
 *
 * @tagname vestibule-count
 *
 * @attr {string} forum - Short name of the forum.
 * @attr {string} page - URL of the article; a relative one counts from the document's base.
 * @attr {string} bff - Address of the BFF; default: the script's own.
 * @attr {string} lang - BCP 47 tag. Default: the nearest `lang` of the page, then the browser's languages, then English.
 * @attr {string} strings - JSON: the page's own phrase by plural category, such as
 *   `{"one": "{count} reply", "other": "{count} replies"}`; the number alone is `{"other": "{count}"}`.
 *
 * @slot - Shown until the number is known, and where there is none.
 *
 * @csspart text - The phrase with the number.
 */
export class VestibuleCount extends HTMLElement {
  static readonly observedAttributes = ['forum', 'page', 'bff', 'lang', 'strings'];
  /** @internal */
  static view: CountView;
  #latest: object | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
  }

  connectedCallback(): void {
    void this.#update();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.#update();
  }

  /** The last one wins. If the view cannot be loaded, the content stays. */
  async #update(): Promise<void> {
    const update = this.#latest = {};
    const view = await VestibuleCount.view(this).catch(() => undefined);
    if (view && update === this.#latest) this.shadowRoot!.replaceChildren(view);
  }
}

/** Registers the element, unless another script has. */
export function defineCount(view: CountView): void {
  VestibuleCount.view = view;
  if (!customElements.get('vestibule-count')) customElements.define('vestibule-count', VestibuleCount);
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-count': VestibuleCount;
  }
}
