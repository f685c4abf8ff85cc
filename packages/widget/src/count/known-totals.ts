/**
 * Numbers of comments that the boxes of this document know: `<vestibule-count>` follows them. In a property of the document,
 * because the script of the box and that of the count may be two.
 */

import { articleKey } from '@vestibule/shared';

/** Its `change` event says that a number is another one. */
class KnownTotals extends EventTarget {
  readonly #totals = new Map<string, number>();

  get(key: string): number | undefined {
    return this.#totals.get(key);
  }

  set(key: string, total: number | undefined): void {
    if (total === this.#totals.get(key)) return;
    if (total === undefined) this.#totals.delete(key);
    else this.#totals.set(key, total);
    this.dispatchEvent(new Event('change'));
  }
}

const PROPERTY = Symbol.for('vestibule.totals');

export function knownTotals(): Pick<KnownTotals, 'get' | 'set' | 'addEventListener'> {
  const owner = document as { [PROPERTY]?: KnownTotals };
  return owner[PROPERTY] ??= new KnownTotals();
}

/** @param page URL of the article without a fragment */
export function totalKey(bff: URL, forum: string, page: string): string {
  return `${bff.href} ${forum} ${articleKey(page)}`;
}
