/**
 * After a reload or the Back button, the comment that was read stands where it stood: the lists that were there are loaded again,
 * five at most, and beyond them its conversation. In sessionStorage. A page that scrolls by itself is left alone, and a wheel, a
 * touch or a key of the reader ends it.
 */

import type { ReactiveController } from 'lit';
import { articleKey } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import type { Part } from '../lib/part.ts';
import { read, remove, write } from '../storage/storage.ts';
import type { LinkController } from './links.ts';
import type { ReadingPlaceHost, ReadPlace } from './reading-place-host.ts';
import type { ThreadController } from './thread-controller.ts';
import { elementId } from './comment-address.ts';
import type * as ReturnedPlace from './returned-place.ts';
import { threadPart } from './thread-part.ts';

const MAX_LISTS = 5;

/** The reader scrolls by themselves. */
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** In the viewport, in pixels. */
const authorTop = (item: HTMLElement): number => item.querySelector('.author')!.getBoundingClientRect().top;

export class ReadingPlace implements ReactiveController {
  readonly #host: ReadingPlaceHost;
  readonly #thread: ThreadController;
  readonly #links: LinkController;
  /** Aborted when the comment is in its place, or the reader scrolls by themselves. */
  #end: AbortController | undefined;
  readonly #part: Part<typeof ReturnedPlace>;
  /** The thread has shown no article yet. */
  #isFirst = true;

  constructor(host: ReadingPlaceHost, thread: ThreadController, links: LinkController) {
    this.#host = host;
    this.#thread = thread;
    this.#links = links;
    this.#part = threadPart(host, () => import('./returned-place.ts'));
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('pagehide', this.#keep);
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#keep);
    this.#end?.abort();
  }

  hostUpdated(): void {
    if (!this.#isFirst || !this.#host.page) return;
    this.#isFirst = false;
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const isBack = navigation?.type === 'reload' || navigation?.type === 'back_forward';
    // A router leads to other addresses.
    const isArrival = navigation?.name.split('#')[0] === location.href.split('#')[0];
    if (isBack && isArrival && history.scrollRestoration === 'auto') this.#restore();
  }

  get #key(): string {
    const { bff, forum, page } = this.#host;
    return `vestibule:place ${bffAddress(bff).href} ${forum} ${articleKey(page)}`;
  }

  readonly #keep = (): void => {
    const { state } = this.#thread;
    const items = [...this.#host.renderRoot.querySelectorAll<HTMLElement>('li:not([hidden])')];
    const first = items.find((item) => item.getBoundingClientRect().bottom > 0 && item.checkVisibility());
    // The reader is above the comments.
    const isRead = first !== undefined && items[0]!.getBoundingClientRect().top < 0 && authorTop(first) < innerHeight;
    if (state.name !== 'listed' || !isRead) return remove(this.#key, 'sessionStorage');
    // An item has the replies in it.
    const replies = [...first.querySelectorAll<HTMLElement>('li:not([hidden])')];
    const item = replies.findLast((reply) => authorTop(reply) < 0) ?? first;
    const { order } = state;
    write(this.#key, {
      id: item.id.slice(elementId('').length), top: authorTop(item), scrollY, order, lists: Math.min(this.#thread.lists, MAX_LISTS),
    } satisfies ReadPlace, 'sessionStorage');
  };

  /** Brings the comment that was read to its place, until the reader scrolls. */
  #restore(): void {
    const place = read<ReadPlace>(this.#key, 'sessionStorage');
    remove(this.#key, 'sessionStorage');
    if (place?.id === undefined || place.top === undefined || scrollY > (place.scrollY ?? 0) + 2) return;
    const host = this.#host;
    this.#links.isReturn = true;
    const end = this.#end = new AbortController();
    for (const type of INPUTS) addEventListener(type, () => end.abort(), { passive: true, signal: end.signal });
    const from = { boxTop: host.getBoundingClientRect().top, scrollY };
    this.#part.load().then(({ returnTo }) => returnTo(place as ReadPlace, {
      host, end, from, thread: this.#thread, links: this.#links, topOf: authorTop,
      find: () => host.shadowRoot!.getElementById(elementId(place.id!)),
    }), () => end.abort());
  }
}
