/**
 * Links to comments: that of the page's address, and those within the thread. What follows them, `linked-comment.ts`, is loaded
 * for the first link.
 */

import type { ReactiveController } from 'lit';
import type { Part } from '../lib/part.ts';
import type { LinkHost, LinkOutcome, Links } from './link-host.ts';
import type * as LinkedComment from './linked-comment.ts';
import { postsIn } from './rendered-posts.ts';
import type { ThreadController } from './thread-controller.ts';
import { threadPart } from './thread-part.ts';
import { fragmentOf, linkedId } from './comment-address.ts';

export class LinkController implements ReactiveController, Links {
  /** Id of the comment that a link has led to. */
  marked: string | undefined;
  outcome: LinkOutcome | undefined;
  readonly host: LinkHost;
  readonly thread: ThreadController;
  readonly #part: Part<typeof LinkedComment>;

  constructor(host: LinkHost, thread: ThreadController) {
    this.host = host;
    this.thread = thread;
    this.#part = threadPart(host, () => import('./linked-comment.ts'));
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('hashchange', this.#onHashChange);
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#onHashChange);
  }

  /** Another article is shown. */
  reset(): void {
    void this.show();
  }

  /** Follows a link within the thread. */
  goTo(id: string): void {
    // Where the fragment is a route, as of docsify, the page would take another one for an unknown page.
    if (linkedId() === id || /^#!?\//.test(location.hash)) void this.show(id);
    else location.hash = fragmentOf(id);
  }

  /** Brings the comment into sight, focuses and marks it. Default: that of the page's address. */
  async show(id = linkedId()): Promise<void> {
    const { host } = this;
    this.marked = id;
    this.outcome = undefined;
    host.requestUpdate();
    if (id === undefined || !host.page) return;
    try {
      const [{ showComment }] = await Promise.all([this.#part.load(true), this.thread.start()]);
      await showComment(this, id);
    } catch (error) {
      if (!this.#part.hasFailed) throw error;
      if (this.marked !== id) return;
      this.outcome = 'failed';
      host.requestUpdate();
      await host.updateComplete;
      host.say(host.threadStrings.failed);
      host.renderRoot.querySelector('.missing')?.scrollIntoView({ block: 'center' });
    }
  }

  /** The element of a post that the page has rendered itself. */
  findRendered(id: string): HTMLElement | undefined {
    return this.host.slotted.flatMap(postsIn).find(({ dataset }) => dataset['postId'] === id);
  }

  readonly #onHashChange = (): void => void this.show();
}
