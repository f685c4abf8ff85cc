/**
 * Room for the outcome of a press that takes long. Browsers count a move of the page as the reader's own for half a second after
 * a press only. So the room opens before that: below the field for an alert, and above the comments for the rest of the reader's
 * own. The outcome fills the room in this order, so that the first comment stays in its place. The field keeps its height. The
 * rest of the room is given back with the reader's next change of the text.
 */

import { scaleOf } from '../lib/scale.ts';
import type { CommentsHost } from './second-stage.ts';

export class Room {
  readonly #host: CommentsHost;
  #parts: readonly HTMLElement[] = [];
  /** Bottom of what stays in its place, from the top of the box, in pixels of the box. */
  #end = (): number => 0;
  #kept = 0;

  constructor(host: CommentsHost) {
    this.#host = host;
  }

  open(): void {
    const { field, renderRoot } = this.#host;
    const thread = this.#thread?.renderRoot;
    const [below, list] = [renderRoot.querySelector<HTMLElement>('.room')!, thread?.querySelector('ol')];
    const comment = list?.querySelector('li') ?? this.#host.querySelector('[slot=posts]');
    // Nothing follows.
    if (thread && !comment) return;
    this.close();
    this.#parts = list ? [below, list] : [below];
    const lines = field.scrollHeight - parseFloat(getComputedStyle(field).minBlockSize);
    // Both together have the size of a comment.
    below.style.paddingBlockStart = list ? '5.5em' : `calc(7.5em + ${lines}px)`;
    if (list) list.style.paddingBlockStart = `calc(2em + ${lines}px)`;
    field.style.minBlockSize = `${field.offsetHeight}px`;
    const last = comment ?? below;
    this.#end = () => (last.getBoundingClientRect().bottom - this.#host.getBoundingClientRect().top) / scaleOf(this.#host);
    this.#kept = this.#end();
  }

  /** After an update of the box. */
  async keep(): Promise<void> {
    await this.#thread?.updateComplete;
    if (this.#parts.length === 0) return;
    let added = Math.max(0, this.#end() - this.#kept);
    for (const part of this.#parts) {
      const size = parseFloat(getComputedStyle(part).paddingBlockStart);
      part.style.paddingBlockStart = `${Math.max(0, size - added)}px`;
      added = Math.max(0, added - size);
    }
  }

  close(): void {
    for (const { style } of this.#parts) style.paddingBlockStart = '';
    this.#host.field.style.minBlockSize = '';
    this.#parts = [];
  }

  get #thread(): Pick<CommentsHost, 'renderRoot' | 'updateComplete'> | null {
    return this.#host.renderRoot.querySelector('vestibule-thread');
  }
}
