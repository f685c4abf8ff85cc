/**
 * The place of a thread in its box: until its comments are drawn, the end of the box stays a screen below the viewport. Then it
 * comes to the comments, where nothing that is seen moves. Few comments let the page's next part in: once, when they are there,
 * by what counts for a layout shift of 0.09, and only while the beginning of the box is on the screen.
 *
 * In a frame, which may be as high as its content, nothing is held.
 */

import type { LitElement, ReactiveController } from 'lit';
import { scaleOf } from '../lib/scale.ts';

/** Below few comments, in parts of the viewport. */
const SPACE = 0.36;
/** What a reader scrolls while a frame is drawn, likewise. */
const MARGIN = 0.25;
/** How far the page's next part comes up. A shift counts by the part of the viewport that is concerned, times the distance in
 *  parts of its longer side. */
const step = (): number => 0.3 * Math.sqrt(innerHeight * Math.max(innerWidth, innerHeight));

export class Place implements ReactiveController {
  readonly #host: LitElement;
  #isDrawn = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    this.#onScroll();
  }

  hostDisconnected(): void {
    removeEventListener('scroll', this.#onScroll, { capture: true });
  }

  /** The comments are in the document, or will not come. */
  release(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    // To the end of the viewport first, which is not seen: all of the distance of what comes into it would count. Comments have
    // their own heights a frame later, see `content-visibility`.
    this.#update(innerHeight);
    requestAnimationFrame(() => requestAnimationFrame(() => this.#update(innerHeight - step())));
  }

  readonly #onScroll = (): void => this.#update(innerHeight * (1 + MARGIN));

  /** @param least where the end may come to, in pixels of the viewport */
  #update(least: number): void {
    const section = this.#host.closest<HTMLElement>('section');
    // Not displayed.
    if (!section?.offsetHeight) return;
    const { top, bottom } = section.getBoundingClientRect();
    const content = this.#host.getBoundingClientRect().bottom;
    const screen = window === window.top ? innerHeight : 0;
    // Not seen, also where the reader scrolls meanwhile.
    const beyond = screen * (1 + MARGIN);
    let end = bottom;
    if (!this.#isDrawn && bottom > screen) end = Math.max(bottom, screen * 2);
    else if (this.#isDrawn && content >= beyond) {
      end = content;
      this.hostDisconnected();
    } else if (this.#isDrawn && bottom >= screen) {
      const space = Math.min(screen, content + screen * SPACE);
      const unmoved = top < -1 ? beyond : Math.max(least, bottom - roomBelow(this.#host));
      end = Math.min(bottom, Math.max(space, unmoved));
    }
    section.style.minBlockSize = `${Math.max(0, end - top) / scaleOf(section)}px`;
  }
}

/** How much shorter what scrolls can become without a move of what is seen. */
function roomBelow(element: Element): number {
  let room = Infinity;
  for (let node: Element | undefined = element; node;) {
    if (node.scrollTop > 0) room = Math.min(room, node.scrollHeight - node.clientHeight - node.scrollTop);
    node = node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host;
  }
  return room;
}
