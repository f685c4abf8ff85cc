/** The order of the list: the one that the reader has chosen, which the browser remembers by BFF and forum, else the page's. */

import type { LitElement } from 'lit';
import type { PostOrder } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { read, write } from '../storage/storage.ts';

/** `<vestibule-thread>`, as far as the choice needs it. */
interface OrderHost extends LitElement {
  readonly forum: string;
  readonly bff: string | null;
  /** The page's. */
  readonly order: PostOrder;
}

const ORDERS: readonly unknown[] = ['newest', 'oldest', 'top'];

export class OrderChoice {
  readonly #host: OrderHost;
  /** BFF and forum of the two below. */
  #key = '';
  #order: PostOrder | undefined;
  /** What the reader has chosen, until its list is there. */
  #chosen: PostOrder | undefined;

  constructor(host: OrderHost) {
    this.#host = host;
  }

  get order(): PostOrder {
    const key = `vestibule:order ${bffAddress(this.#host.bff).href} ${this.#host.forum}`;
    if (key !== this.#key) {
      const { order } = read<{ order: PostOrder }>(key) ?? {};
      this.#order = ORDERS.includes(order) ? order : undefined;
      this.#chosen = undefined;
    }
    this.#key = key;
    return this.#order ?? this.#host.order;
  }

  /** Where a list does not load, that of the list which is shown. */
  set order(order: PostOrder) {
    this.#order = order;
    this.#host.requestUpdate();
  }

  choose(order: PostOrder): void {
    this.#chosen = this.order = order;
  }

  /** The list is there: a choice that could not be loaded is none. */
  keep(): void {
    if (this.#chosen !== undefined && this.#chosen === this.#order) write(this.#key, { order: this.#chosen });
    this.#chosen = undefined;
  }
}
