/**
 * The article that a box belongs to (`page-identity.ts`). Follows `pushState`, `popstate`,
 * an address that is replaced, and a canonical link that appears late.
 */

import type { LitElement, ReactiveController } from 'lit';
import { pageIdentity } from '../storage/page-identity.ts';

/** Its events include `pushState`. Older browsers have none, and a page may have a variable of this name. */
const { navigation } = globalThis as { navigation?: Partial<EventTarget> };

export class Article implements ReactiveController {
  /** Its identity: an absolute URL. */
  page: string;
  /** The last change of `page` has added no entry to the history: the same article has another name. */
  isRenamed = false;
  /** Of the document at that time. */
  #address = location.href;
  /** The page has named it, not the address. */
  #isNamed: boolean;
  readonly #element: LitElement & { readonly page: string | null };
  readonly #onChange: () => void;
  readonly #head = new MutationObserver(() => this.#follow());

  /** @param onChange called at once: the next letter belongs to the article that is shown */
  constructor(element: LitElement & { readonly page: string | null }, onChange: () => void) {
    this.#element = element;
    this.#onChange = onChange;
    this.page = pageIdentity(element.page);
    this.#isNamed = Boolean(element.page);
    element.addController(this);
  }

  hostConnected(): void {
    addEventListener('popstate', this.#onAddress);
    navigation?.addEventListener?.('currententrychange', this.#onAddress);
    // A canonical link that appears late. Where a browser does not report `pushState`, the title that changes with it.
    this.#head.observe(document.head, { childList: true, subtree: true, attributeFilter: ['href'] });
    this.#follow();
  }

  hostDisconnected(): void {
    removeEventListener('popstate', this.#onAddress);
    navigation?.removeEventListener?.('currententrychange', this.#onAddress);
    this.#head.disconnect();
  }

  /** An attribute has changed. */
  hostUpdate(): void {
    this.#follow();
  }

  readonly #onAddress = (event: object): void => {
    this.#follow((event as { navigationType?: string }).navigationType === 'replace');
  };

  /** @param isReplaced the address was replaced: without the Navigation API it is not known */
  #follow(isReplaced = false): void {
    const { page } = this.#element;
    const identity = pageIdentity(page);
    const isOfAddress = !page && !this.#isNamed;
    this.#isNamed = Boolean(page);
    if (identity === this.page) return;
    this.page = identity;
    this.isRenamed = isOfAddress && (isReplaced || this.#address === location.href);
    this.#address = location.href;
    this.#onChange();
    this.#element.requestUpdate();
  }
}
