/**
 * After a reload or the Back button, the comment that was read stands where it stood: the lists that were there are loaded again,
 * five at most, and beyond them its conversation. In sessionStorage. A page that scrolls by itself is left alone, and a wheel, a
 * touch or a key of the reader ends it.
 */

import type { LitElement, ReactiveController } from 'lit';
import { articleKey, type PostOrder } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { read, remove, write } from '../storage/storage.ts';
import type { LinkController } from './links.ts';
import type { ThreadController } from './thread-controller.ts';
import { elementId, linkedId } from './comment-address.ts';

/** What stood at the top of the viewport when the document was left. */
interface ReadPlace {
  readonly id: string;
  /** Of its element, in the viewport; in pixels. */
  readonly top: number;
  /** Of the document, in pixels. */
  readonly scrollY: number;
  readonly order: PostOrder;
  /** How many lists were there. */
  readonly lists: number;
}

const MAX_LISTS = 5;

/** How long heights may change. */
const FRAMES = 10;

/** The reader scrolls by themselves. */
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** `<vestibule-thread>`, as far as the place needs it. */
interface PlaceHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
  /** Shows the replies among which the comment is. */
  unfoldFor(id: string): void;
}

/** In the viewport, in pixels. */
const authorTop = (item: HTMLElement): number => item.querySelector('.author')!.getBoundingClientRect().top;

export class ReadingPlace implements ReactiveController {
  readonly #host: PlaceHost;
  readonly #thread: ThreadController;
  readonly #links: LinkController;
  #place: Partial<ReadPlace> | undefined;
  /** The thread has shown no article yet. */
  #isFirst = true;
  #isScrolled = false;
  /** At the last scroll. */
  #boxTop = 0;
  #scrollY = 0;

  constructor(host: PlaceHost, thread: ThreadController, links: LinkController) {
    this.#host = host;
    this.#thread = thread;
    this.#links = links;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('pagehide', this.#keep);
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#keep);
    this.#end();
  }

  hostUpdated(): void {
    if (!this.#isFirst || !this.#host.page) return;
    this.#isFirst = false;
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const isBack = navigation?.type === 'reload' || navigation?.type === 'back_forward';
    // A router leads to other addresses.
    const isArrival = navigation?.name.split('#')[0] === location.href.split('#')[0];
    if (isBack && isArrival && history.scrollRestoration === 'auto' && linkedId() === undefined) void this.restore();
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

  /** Brings the comment that was read to its place. */
  async restore(): Promise<void> {
    const place = this.#place = read<ReadPlace>(this.#key, 'sessionStorage');
    remove(this.#key, 'sessionStorage');
    if (place?.id === undefined || place.top === undefined || scrollY > (place.scrollY ?? 0) + 2) return;
    this.#boxTop = this.#host.getBoundingClientRect().top;
    this.#scrollY = scrollY;
    addEventListener('scroll', this.#onScroll, { passive: true });
    for (const type of INPUTS) addEventListener(type, this.#onInput, { passive: true });
    const thread = this.#thread;
    await thread.start();
    const isWanted = (): boolean => !this.#isScrolled && thread.state.name === 'listed' && thread.state.order === place.order;
    while (isWanted() && thread.lists < (place.lists ?? 1) && !thread.has(place.id)) {
      const before = thread.lists;
      await thread.showMore();
      if (thread.lists === before) break;
    }
    if (isWanted() && !thread.has(place.id)) await this.#links.open(place.id);
    this.#host.unfoldFor(place.id);
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    const item = this.#host.shadowRoot!.getElementById(elementId(place.id));
    // A reply stands where it stands only in a conversation that has its own height.
    item?.closest<HTMLElement>('.thread > ol > li')?.style.setProperty('content-visibility', 'visible');
    removeEventListener('scroll', this.#onScroll);
    // Other comments get their own heights when they come near the viewport.
    for (let frame = 0; item && frame < FRAMES && !this.#isScrolled; frame += 1) {
      const offset = authorTop(item) - place.top;
      if (Math.abs(offset) > 1) scrollBy({ top: offset, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    }
    this.#end();
  }

  #end(): void {
    removeEventListener('scroll', this.#onScroll);
    for (const type of INPUTS) removeEventListener(type, this.#onInput);
  }

  /** The browser goes down to where the document was, as far as its height allows: anything else is the page's doing. What
   *  changes its height above the viewport changes `scrollY`, too, but moves nothing on the screen. */
  readonly #onScroll = (): void => {
    const { top } = this.#host.getBoundingClientRect();
    const isEnd = scrollY >= document.documentElement.scrollHeight - innerHeight - 2;
    const isBack = (isEnd || scrollY >= this.#scrollY - 2) && scrollY <= this.#place!.scrollY! + 2;
    if (!isBack && Math.abs(top - this.#boxTop) > 2) this.#isScrolled = true;
    this.#boxTop = top;
    this.#scrollY = scrollY;
  };

  readonly #onInput = (): void => {
    this.#isScrolled = true;
  };
}
