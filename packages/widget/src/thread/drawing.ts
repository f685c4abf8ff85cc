/** Which comments are in the document: a few at a time, so that no task is long, and in the end all of them. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Branch } from './arrangement.ts';
import { nodeOf, type CommentNode } from './comment-tree.ts';

/** How many comments one task adds at most: each keeps a slow phone busy for 6 ms. The browser prepares the templates in the
 *  first one. */
const FIRST_SLICE = 3;
const SLICE = 6;
const FRAME_MS = 17;

export class Drawing implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #drawn = new Set<CommentNode>();
  #isDrawing = false;

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  /** Another article is shown. */
  reset(): void {
    this.#drawn.clear();
  }

  isDrawn({ comment }: Branch): boolean {
    return this.#drawn.has(nodeOf(comment));
  }

  /** The branches that are in the document, and the next ones: the reader's own comments first. */
  slice(branches: readonly Branch[]): readonly Branch[] {
    const all = branches.flatMap((branch) => [branch, ...branch.replies]);
    const rest = [...all.filter(({ comment }) => comment.entry), ...all].filter((branch) => !this.isDrawn(branch));
    const next = rest.slice(0, this.#drawn.size > 0 ? SLICE : FIRST_SLICE);
    for (const { comment } of next) this.#drawn.add(nodeOf(comment));
    this.#isDrawing = next.length < rest.length;
    return branches.filter((branch) => this.isDrawn(branch));
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
}
