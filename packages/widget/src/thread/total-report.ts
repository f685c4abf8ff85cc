/** Tells the counts of the document the number of comments of the article. */

import type { LitElement, ReactiveController } from 'lit';
import { bffAddress } from '../client/address.ts';
import { knownTotals, totalKey } from '../count/known-totals.ts';

/** `<vestibule-thread>`, as far as the number needs it. */
interface TotalHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
}

export class TotalReport implements ReactiveController {
  readonly #host: TotalHost;
  /** Of the number that was reported last. */
  #key: string | undefined;

  constructor(host: TotalHost) {
    this.#host = host;
    host.addController(this);
  }

  /** A number that nobody keeps up to date is not followed. */
  hostDisconnected(): void {
    if (this.#key !== undefined) knownTotals().set(this.#key, undefined);
    this.#key = undefined;
  }

  /** @param total `undefined`: unknown */
  report(total: number | undefined): void {
    const { forum, page, bff } = this.#host;
    const url = URL.parse(page);
    if (!url) return;
    url.hash = '';
    const key = totalKey(bffAddress(bff), forum, url.href);
    if (key !== this.#key) this.hostDisconnected();
    knownTotals().set(key, total);
    this.#key = key;
  }
}
