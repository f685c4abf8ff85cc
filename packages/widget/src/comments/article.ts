/**
 * The article that a box belongs to (`page-identity.ts`). Follows `pushState`, `popstate`,
 * an address that is replaced, and a canonical link that appears late.
 */

import type { LitElement, ReactiveController } from 'lit';
import { pageIdentity } from '../storage/page-identity.ts';

/** Its events include `pushState`. Older browsers have none, and a page may have a variable of this name. */
const { navigation } = globalThis as { navigation?: Partial<EventTarget> };

/** The comment box, as far as its article needs it. */
export interface ArticleHost extends Pick<LitElement, 'addController' | 'requestUpdate'> {
  readonly page: string | null;
  article: Article | undefined;
}

export class Article implements ReactiveController {
  /** Its identity: an absolute URL. */
  page: string;
  /** The last change of `page` has added no entry to the history: the same article has another name. */
  isRenamed = false;
  /** Called at once: the next letter belongs to the article that is shown. */
  onChange = (): void => {};
  /** Of the document at that time. */
  #address = location.href;
  readonly #host: ArticleHost;
  readonly #head = new MutationObserver(() => this.#follow());

  /** That of a box, which its thread shares. */
  static of(host: ArticleHost): Article {
    return host.article ??= new Article(host);
  }

  private constructor(host: ArticleHost) {
    this.#host = host;
    this.page = pageIdentity(host.page);
    host.addController(this);
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
    const { page } = this.#host;
    const identity = pageIdentity(page);
    if (identity === this.page) return;
    this.page = identity;
    this.isRenamed = !page && (isReplaced || this.#address === location.href);
    this.#address = location.href;
    this.onChange();
    this.#host.requestUpdate();
  }
}
