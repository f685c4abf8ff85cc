/**
 * Links to comments: that of the page's address, and those within the thread; and the conversations that are shown. What follows
 * them, `linked-comment.ts`, is loaded for the first link, or for more replies.
 */

import type { ReactiveController } from 'lit';
import type { Part } from '../lib/part.ts';
import type { LinkedConversation, LinkHost, LinkOutcome, Links } from './link-host.ts';
import type * as LinkedComment from './linked-comment.ts';
import type { linkedView } from './linked-view.ts';
import { postsIn } from './rendered-posts.ts';
import type { ThreadController } from './thread-controller.ts';
import { threadPart } from './thread-part.ts';
import { idsOfPosts } from './thread-state.ts';
import { fragmentOf, linkedId } from './comment-address.ts';

export class LinkController implements ReactiveController, Links {
  /** Id of the comment that a link has led to. */
  marked: string | undefined;
  outcome: LinkOutcome | undefined;
  linked: LinkedConversation | undefined;
  /** Replies are being loaded. */
  isLoading = false;
  /** What could not be loaded: the id of the comment whose replies are wanted. */
  failed: string | undefined;
  readonly host: LinkHost;
  readonly thread: ThreadController;
  /** Cursors of the replies that follow, by comments of the list; `undefined`: there are none. */
  readonly rest = new Map<string, string | undefined>();
  /** The next link moves nothing: the reader comes back to a comment, which may be another one. */
  isReturn = false;
  /** Resolves when the last link has been followed. */
  shown: Promise<void> = Promise.resolve();
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
    this.linked = this.failed = undefined;
    this.isLoading = false;
    this.rest.clear();
    void this.show();
  }

  /** Ids of the comments in the linked conversation. */
  get ids(): ReadonlySet<string> {
    return idsOfPosts(this.linked?.posts ?? []);
  }

  /** Follows a link within the thread. */
  goTo(id: string): void {
    // Where the fragment is a route, as of docsify, the page would take another one for an unknown page.
    if (linkedId() === id || /^#!?\//.test(location.hash)) void this.show(id);
    else location.hash = fragmentOf(id);
  }

  /** Brings the comment into sight, focuses and marks it. Default: that of the page's address. */
  show(id = linkedId()): Promise<void> {
    return this.shown = this.#show(id);
  }

  async #show(id: string | undefined): Promise<void> {
    const { host, isReturn } = this;
    this.isReturn = false;
    this.marked = id;
    this.outcome = undefined;
    host.requestUpdate();
    if (id === undefined || !host.page) return;
    try {
      const [{ showComment }] = await Promise.all([this.#part.load(true), this.thread.start()]);
      await showComment(this, id, isReturn);
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

  /** Template of the linked conversation. */
  get linkedView(): typeof linkedView | undefined {
    return this.#part.module?.linkedView;
  }

  /** The element of a post that the page has rendered itself. */
  findRendered(id: string): HTMLElement | undefined {
    return this.host.slotted.flatMap(postsIn).find(({ dataset }) => dataset['postId'] === id);
  }

  /** Whether replies to a comment of the list may follow those that are loaded. */
  hasRest(id: string): boolean {
    return !this.rest.has(id) || this.rest.get(id) !== undefined;
  }

  /** Shows the conversation of the comment, unless a link leads elsewhere meanwhile. */
  async open(id: string): Promise<void> {
    await this.#part.load().then(({ openConversation }) => openConversation(this, id, () => this.marked === undefined), () => {});
  }

  /** Loads the replies before or after those of the linked conversation. */
  async showMore(which: 'before' | 'after'): Promise<void> {
    const { linked } = this;
    if (linked?.[which]) await this.#load(linked.id, ({ loadMore }) => loadMore(this, linked, which));
  }

  /** Loads more replies to a comment of the list. */
  async showRest(id: string): Promise<void> {
    await this.#load(id, ({ loadRest }) => loadRest(this, id));
  }

  async #load(id: string, load: (part: typeof LinkedComment) => Promise<void>): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    this.failed = undefined;
    this.host.requestUpdate();
    try {
      await load(await this.#part.load(true));
    } catch (error) {
      if (!this.#part.hasFailed) this.thread.report(error);
      this.failed = id;
    }
    this.isLoading = false;
    this.host.requestUpdate();
  }

  readonly #onHashChange = (): void => void this.show();
}
