/** Brings the comment that was read before a reload or the Back button to its place: `reading-place.ts`. */

import type { LinkController } from './links.ts';
import type { ReadingPlaceHost, ReadPlace } from './reading-place-host.ts';
import type { ThreadController } from './thread-controller.ts';

/** How long heights may change. */
const FRAMES = 10;

interface Return {
  readonly host: ReadingPlaceHost;
  readonly thread: ThreadController;
  readonly links: LinkController;
  /** Aborted when the reader scrolls by themselves, and in the end. */
  readonly end: AbortController;
  /** When the thread was there, in pixels. */
  readonly from: { readonly boxTop: number; readonly scrollY: number };
  /** The item of the comment. */
  find(): HTMLElement | null;
  /** Where a comment stands, in the viewport, in pixels. */
  topOf(item: HTMLElement): number;
}

export async function returnTo(place: ReadPlace, { host, thread, links, end, from, find, topOf }: Return): Promise<void> {
  let { boxTop, scrollY: lastY } = from;
  /** The browser goes down to where the document was, as far as its height allows, and keeps its end in sight while lists come
   *  above it: anything else is the page's doing. What changes its height above the viewport changes `scrollY`, too, but moves
   *  nothing on the screen. */
  const onScroll = (): void => {
    const { top } = host.getBoundingClientRect();
    const isEnd = scrollY >= document.documentElement.scrollHeight - innerHeight - 2;
    const isBack = isEnd || (scrollY >= lastY - 2 && scrollY <= place.scrollY + 2);
    if (!isBack && Math.abs(top - boxTop) > 2) end.abort();
    boxTop = top;
    lastY = scrollY;
  };
  const { signal } = end;
  // Since the thread was there.
  onScroll();
  addEventListener('scroll', onScroll, { passive: true, signal });
  await thread.start();
  // A link of the address may show a conversation above the list.
  await links.shown;
  const isWanted = (): boolean => !signal.aborted && thread.state.name === 'listed' && thread.state.order === place.order;
  while (isWanted() && thread.lists < place.lists && !thread.has(place.id)) {
    const before = thread.lists;
    await thread.showMore();
    if (thread.lists === before) break;
  }
  if (isWanted() && !thread.has(place.id)) await links.open(place.id);
  host.unfoldFor(place.id);
  host.requestUpdate();
  await host.updateComplete;
  const item = find();
  // A reply stands where it stands only in a conversation that has its own height.
  item?.closest<HTMLElement>('.thread > ol > li')?.style.setProperty('content-visibility', 'visible');
  removeEventListener('scroll', onScroll);
  // Other comments get their own heights when they come near the viewport.
  for (let frame = 0; item && frame < FRAMES && !signal.aborted; frame += 1) {
    const offset = topOf(item) - place.top;
    if (Math.abs(offset) > 1) scrollBy({ top: offset, behavior: 'instant' });
    await new Promise(requestAnimationFrame);
  }
  end.abort();
}
