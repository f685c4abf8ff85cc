/** Which comments are in the document: a few at a time, so that no task is long. What is folded follows when the page is idle. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Branch } from './branches.ts';
import { nodeOf, type CommentNode } from './comment-tree.ts';

/** How many comments one task adds at most, with their replies: a hundred would keep a slow phone busy for 300 ms. The browser
 *  prepares the templates in the first one. */
const FIRST_SLICE = 3;
const SLICE = 8;
const FRAME_MS = 17;

/** Replies that are shown of each comment; the others follow at the reader's wish. */
export const FOLD_AFTER = 3;

const PRINTS = ['beforeprint', 'afterprint'] as const;

/** Find in page opens what is hidden that way. */
const canBeFound = 'onbeforematch' in globalThis;

/** Safari has no such callback. */
const whenIdle: (run: () => void) => void = (run) => ('requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run));

export class Drawing implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  /** Nodes of the comments at the top level that are in the document. */
  readonly #drawn = new Set<CommentNode>();
  /** How many replies to each are. */
  readonly #drawnReplies = new Map<CommentNode, number>();
  #isPrinting = false;
  #isDrawing = false;
  #isWaiting = false;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    for (const type of PRINTS) addEventListener(type, this.#onPrint);
  }

  hostDisconnected(): void {
    for (const type of PRINTS) removeEventListener(type, this.#onPrint);
  }

  /** Another article is shown. */
  reset(): void {
    this.#drawn.clear();
    this.#drawnReplies.clear();
  }

  /** The branches that are in the document, and the next ones. */
  slice(branches: readonly Branch[]): readonly Branch[] {
    let room = this.#isPrinting ? Infinity : this.#drawn.size > 0 ? SLICE : FIRST_SLICE;
    const slice = branches.filter(({ comment, replies }) => {
      const node = nodeOf(comment);
      if (this.#drawn.has(node)) return true;
      const isNext = room > 0;
      room -= 1 + replies.length;
      if (isNext) this.#drawn.add(node);
      return isNext;
    });
    this.#isDrawing = slice.length < branches.length;
    if (!this.#isDrawing) this.#drawReplies(branches);
    return slice;
  }

  /** How many replies to the comment are in the document at least, folded ones too. */
  countDrawn({ comment, replies }: Branch): number {
    return this.#isPrinting ? replies.length : this.#drawnReplies.get(nodeOf(comment)) ?? 0;
  }

  /** Where all others are drawn. */
  #drawReplies(branches: readonly Branch[]): void {
    const rest = branches.filter((branch) => (
      branch.replies.length > FOLD_AFTER && this.countDrawn(branch) < branch.replies.length
    ));
    if (rest.length === 0 || !canBeFound || this.#isWaiting) return;
    this.#isWaiting = true;
    whenIdle(() => {
      this.#isWaiting = false;
      let room = SLICE;
      for (const branch of rest) {
        const drawn = Math.max(FOLD_AFTER, this.countDrawn(branch));
        const count = Math.min(room, branch.replies.length - drawn);
        this.#drawnReplies.set(nodeOf(branch.comment), drawn + count);
        room -= count;
        if (room === 0) break;
      }
      this.#host.requestUpdate();
    });
  }

  hostUpdated(): void {
    // After the frame that lays this slice out.
    if (this.#isDrawing) setTimeout(() => this.#host.requestUpdate(), FRAME_MS);
  }

  /** Resolves when all comments are in the document. @param isUpdated resolves with the update in progress */
  async complete(isUpdated: () => Promise<unknown>): Promise<void> {
    while (this.#isDrawing && this.#host.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
      await isUpdated();
    }
  }

  readonly #onPrint = ({ type }: Event): void => {
    this.#isPrinting = type === 'beforeprint';
    this.#host.requestUpdate();
  };
}
