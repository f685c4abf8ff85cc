/**
 * The place of a thread in its box: held until the comments are drawn, and given back where nothing on the screen moves. Until
 * then the end of the box stays a screen below the viewport; afterwards it does not rise into the viewport. An end that is on the
 * screen stays there.
 *
 * In a frame, which may be as high as its content, nothing is held.
 */

import type { LitElement, ReactiveController } from 'lit';
import { scaleOf } from '../lib/scale.ts';

/** In parts of the viewport: what a reader scrolls while a frame is being drawn. */
const MARGIN = 0.25;

export class Place implements ReactiveController {
  readonly #host: LitElement;
  #isDrawn = false;

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
  }

  /** The comments are in the document, or will not come. */
  release(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.#update();
  }

  readonly #update = (): void => {
    const section = this.#host.closest<HTMLElement>('section');
    // Not displayed.
    if (!section?.offsetHeight) return;
    const screen = window === window.top ? innerHeight : 0;
    const { top, bottom } = section.getBoundingClientRect();
    const scale = scaleOf(section);
    const end = bottom <= screen ? bottom
      : this.#isDrawn ? Math.min(bottom, screen * (1 + MARGIN)) : Math.max(bottom, screen * 2);
    const size = Math.max(0, end - top) / scale;
    section.style.minBlockSize = `${size}px`;
    // The comments themselves reach further.
    if (this.#isDrawn && section.offsetHeight > Math.ceil(size)) this.hostDisconnected();
  };
}
