/**
 * Links to comments: that of the page's address, and those within the thread. A comment that is loaded comes into sight. Of
 * another one the BFF is asked for its conversation, which stands first in the list.
 */

import type { ReactiveController } from 'lit';
import { fragmentOf, linkedId } from './comment-address.ts';
import type { ThreadController } from './thread-controller.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

/** Why the comment of a link is not there: it may be further down, the BFF has none, or it could not be asked. Names a phrase. */
export type LinkOutcome = 'linkFurther' | 'linkNotFound' | 'failed';

export class LinkController implements ReactiveController {
  /** Id of the comment that a link has led to. */
  marked: string | undefined;
  outcome: LinkOutcome | undefined;
  readonly #host: VestibuleThread;
  readonly #thread: ThreadController;

  constructor(host: VestibuleThread, thread: ThreadController) {
    this.#host = host;
    this.#thread = thread;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('hashchange', this.#onHashChange);
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#onHashChange);
  }

  /** Follows a link within the thread. */
  goTo(id: string): void {
    // Where the fragment is a route, as of docsify, the page would take another one for an unknown page.
    if (linkedId() === id || /^#!?\//.test(location.hash)) void this.show(id);
    else location.hash = fragmentOf(id);
  }

  /** Brings the comment into sight, focuses and marks it, or says why not. Default: that of the page's address.
   *  @param isAsked the reader wants the list, which takes the place of the posts that the page has rendered */
  async show(id = linkedId(), isAsked = false): Promise<void> {
    const host = this.#host;
    this.marked = id;
    this.outcome = undefined;
    host.requestUpdate();
    if (id === undefined || !host.page) return;
    if (host.rendered.size > 0 && !isAsked) return host.rendered.get(id)?.scrollIntoView({ block: 'center' });
    const isLatest = (): boolean => this.marked === id && host.isConnected;
    await this.#thread.start(id);
    if (isLatest()) await this.#lookFor(id, isLatest);
    if (!isLatest()) return;
    host.requestUpdate();
    await host.updateComplete;
    if (!isLatest()) return;
    const author = host.find(id, '.author');
    if (!author && this.outcome) host.say(host.threadStrings[this.outcome]);
    (author ?? host.renderRoot.querySelector('.missing'))?.scrollIntoView({ block: 'center' });
    author?.focus({ preventScroll: true });
  }

  /** Shows the comment, or sets `outcome`. */
  async #lookFor(id: string, isLatest: () => boolean): Promise<void> {
    const thread = this.#thread;
    const { state } = thread;
    // The failure of a list is told where it would stand.
    if (state.name !== 'listed') return;
    // The reader has not asked for the news, but for this comment.
    if (state.news.posts.some((post) => post.id === id)) await thread.showNews();
    if (thread.has(id)) return;
    if (!state.article.conversation) {
      this.outcome = state.nextCursor === undefined ? 'linkNotFound' : 'linkFurther';
      return;
    }
    try {
      const { posts } = await thread.conversation(id) ?? {};
      if (!posts || !isLatest()) return;
      if (posts.length === 0) this.outcome = 'linkNotFound';
      else thread.insert(posts);
    } catch (error) {
      thread.report(error);
      if (isLatest()) this.outcome = 'failed';
    }
  }

  readonly #onHashChange = (): void => void this.show();
}
