/**
 * The place of a thread in its box: until its comments are drawn, the end of the box stays a screen below the viewport. Then it
 * comes to a quarter of the viewport below it, and from there up to a space below the last comment: in small steps, because a
 * shift counts by what is seen of it and how far it goes, and only while the beginning of the box is on the screen and the reader
 * does not scroll. An end that is on the screen otherwise stays.
 *
 * In a frame, which may be as high as its content, nothing is held.
 */

import type { LitElement, ReactiveController } from 'lit';
import { scaleOf } from '../lib/scale.ts';

/** Below the comments, in parts of the viewport. */
const SPACE = 0.36;
/** What a reader scrolls while a frame is drawn, likewise. */
const MARGIN = 0.25;
/** That the end of the box rises in a frame, likewise. */
const STEP = 0.06;

export class Place implements ReactiveController {
  readonly #host: LitElement;
  #isDrawn = false;
  #frame = 0;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('scroll', this.#update, { capture: true, passive: true });
    this.#update();
  }

  hostDisconnected(): void {
    removeEventListener('scroll', this.#update, { capture: true });
    cancelAnimationFrame(this.#frame);
  }

  /** The comments are in the document, or will not come. */
  release(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.#update();
  }

  readonly #update = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#place((bottom, content, screen) => {
      if (!this.#isDrawn) return bottom <= screen ? bottom : Math.max(bottom, screen * 2);
      // A height is rounded.
      if (bottom < screen + 1) return bottom;
      // The comments themselves reach further.
      if (content >= screen) this.hostDisconnected();
      else this.#frame = requestAnimationFrame(this.#rise);
      return Math.min(bottom, Math.max(content, screen * (1 + MARGIN)));
    });
  };

  readonly #rise = (): void => this.#place((bottom, content, screen, top) => {
    const end = Math.max(content + screen * SPACE, bottom - roomBelow(this.#host));
    if (bottom <= end || top < -1) return bottom;
    this.#frame = requestAnimationFrame(this.#rise);
    return Math.max(end, bottom - screen * STEP);
  });

  /** @param endOf where the box is to end, in pixels of the viewport */
  #place(endOf: (bottom: number, content: number, screen: number, top: number) => number): void {
    const section = this.#host.closest<HTMLElement>('section');
    // Not displayed.
    if (!section?.offsetHeight) return;
    const { top, bottom } = section.getBoundingClientRect();
    const end = endOf(bottom, this.#host.getBoundingClientRect().bottom, window === window.top ? innerHeight : 0, top);
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
