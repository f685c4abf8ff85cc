/** `<vestibule-count>` without its text. `widget.js` loads that with the first one of a page: a count may appear at any time,
 *  such as after a client-side navigation. */

/** A server has no elements. */
const BaseElement = ('HTMLElement' in globalThis ? HTMLElement : Object) as typeof HTMLElement;

export abstract class CountElement extends BaseElement {
  static readonly observedAttributes = ['forum', 'page', 'bff', 'lang', 'strings'];
  /** Stands for the update that began last. */
  #latest: object | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
  }

  /** The number in words; `undefined`: there is none. Rejects if its script cannot be loaded. */
  abstract text(): Promise<HTMLElement | undefined>;

  connectedCallback(): void {
    void this.update();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.update();
  }

  /** The update that began last wins. After a failed load, tries again when the browser is online. @internal */
  async update(): Promise<void> {
    const update = {};
    this.#latest = update;
    let text: HTMLElement | undefined;
    try {
      text = await this.text();
    } catch {
      addEventListener('online', () => this.attributeChangedCallback(), { once: true });
    }
    if (update === this.#latest) this.shadowRoot!.replaceChildren(text ?? document.createElement('slot'));
  }
}
