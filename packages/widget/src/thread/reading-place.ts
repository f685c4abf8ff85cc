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
import { elementId, linkedId } from './thread-view.ts';

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

/** The reader scrolls by themselves. */
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Only the first article of a document is one that the reader comes back to: a router leads to the next ones. */
let isArrival = true;

/** `<vestibule-thread>`, as far as the place needs it. */
interface PlaceHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
}

export class ReadingPlace implements ReactiveController {
  readonly #host: PlaceHost;
  readonly #thread: ThreadController;
  readonly #links: LinkController;
  #place: Partial<ReadPlace> | undefined;
  #isScrolled = false;
  #boxTop = 0;

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
    if (!isArrival || !this.#host.page) return;
    isArrival = false;
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const isBack = navigation?.type === 'reload' || navigation?.type === 'back_forward';
    if (isBack && history.scrollRestoration === 'auto' && linkedId() === undefined) void this.restore();
  }

  get #key(): string {
    const { bff, forum, page } = this.#host;
    return `vestibule:place ${bffAddress(bff).href} ${forum} ${articleKey(page)}`;
  }

  readonly #keep = (): void => {
    const { state } = this.#thread;
    const items = [...this.#host.renderRoot.querySelectorAll<HTMLElement>('li:not([hidden])')];
    const first = items.find((item) => item.getBoundingClientRect().bottom > 0 && item.checkVisibility());
    const { top = Infinity } = first?.querySelector('.author')?.getBoundingClientRect() ?? {};
    // The reader is above the comments.
    const isRead = first !== undefined && items[0]!.getBoundingClientRect().top < 0 && top < innerHeight;
    if (state.name !== 'listed' || !isRead) return remove(this.#key, 'sessionStorage');
    const { order } = state;
    write(this.#key, {
      id: first.id.slice(elementId('').length), top, scrollY, order, lists: Math.min(this.#thread.lists, MAX_LISTS),
    } satisfies ReadPlace, 'sessionStorage');
  };

  /** Brings the comment that was read to its place. */
  async restore(): Promise<void> {
    const place = this.#place = read<ReadPlace>(this.#key, 'sessionStorage');
    if (place?.id === undefined || place.top === undefined || this.#isElsewhere()) return;
    this.#boxTop = this.#host.getBoundingClientRect().top;
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
    await this.#host.updateComplete;
    const element = this.#host.shadowRoot!.getElementById(elementId(place.id))?.querySelector('.author');
    const isDone = this.#isScrolled;
    this.#end();
    if (element && !isDone) scrollBy({ top: element.getBoundingClientRect().top - place.top, behavior: 'instant' });
  }

  #end(): void {
    removeEventListener('scroll', this.#onScroll);
    for (const type of INPUTS) removeEventListener(type, this.#onInput);
  }

  /** The browser returns to where the document was, as far as its height allows. */
  #isElsewhere(): boolean {
    const wanted = Math.min(this.#place?.scrollY ?? 0, document.documentElement.scrollHeight - innerHeight);
    return scrollY > 0 && Math.abs(scrollY - wanted) > 2;
  }

  /** What changes its height above the viewport changes `scrollY`, too, but moves nothing on the screen. */
  readonly #onScroll = (): void => {
    const { top } = this.#host.getBoundingClientRect();
    if (this.#isElsewhere() && Math.abs(top - this.#boxTop) > 2) this.#isScrolled = true;
    this.#boxTop = top;
  };

  readonly #onInput = (): void => {
    this.#isScrolled = true;
  };
}
