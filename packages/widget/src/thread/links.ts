/**
 * Links to comments: that of the page's address, and those within the thread. A comment is looked for among those that are shown;
 * then the BFF is asked for its conversation, which stands above the list. A BFF without conversations is asked for more lists.
 */

import type { LitElement, ReactiveController } from 'lit';
import type { ListedPost, PostConversation } from '@vestibule/shared';
import type { ThreadStrings } from '../locales/en-thread.ts';
import type { Comment } from './comment-tree.ts';
import { postsIn } from './rendered-posts.ts';
import type { ThreadController } from './thread-controller.ts';
import { idsOfPosts } from './thread-state.ts';
import { fragmentOf, linkedId } from './comment-address.ts';

/** `<vestibule-thread>`, as far as links need it. */
export interface LinkHost extends LitElement {
  readonly page: string;
  readonly threadStrings: ThreadStrings;
  /** Elements of the page's own content. */
  readonly slotted: readonly Element[];
  say(text: string): void;
  /** Shows the replies among which the comment is. */
  unfoldFor(key: Comment['key']): void;
  find(key: Comment['key'], selector: string): HTMLElement | null | undefined;
}

/** A conversation of which the list has nothing. */
export interface LinkedConversation {
  /** The comment that the link names. */
  readonly id: string;
  readonly posts: readonly ListedPost[];
  /** Of the replies before and after these; `undefined`: there are none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Why the comment of a link is not there: it is further down than ten lists, the BFF has none, or it could not be asked. */
export type LinkOutcome = 'further' | 'absent' | 'failed';

export class LinkController implements ReactiveController {
  /** Id of the comment that a link has led to. */
  marked: string | undefined;
  outcome: LinkOutcome | undefined;
  linked: LinkedConversation | undefined;
  /** Replies are being loaded. */
  isLoading = false;
  /** What could not be loaded: the id of the comment whose replies are wanted. */
  failed: string | undefined;
  readonly #host: LinkHost;
  readonly #thread: ThreadController;
  /** Cursors of the replies that follow, by comments of the list; `undefined`: there are none. */
  readonly #rest = new Map<string, string | undefined>();

  constructor(host: LinkHost, thread: ThreadController) {
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

  /** Another article is shown. */
  reset(): void {
    this.linked = this.failed = undefined;
    this.isLoading = false;
    this.#rest.clear();
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
  async show(id = linkedId()): Promise<void> {
    const host = this.#host;
    this.marked = id;
    this.outcome = undefined;
    host.requestUpdate();
    if (id === undefined || !host.page) return;
    await this.#lookFor(id);
    const isLatest = (): boolean => this.marked === id && host.isConnected;
    if (!isLatest()) return;
    host.unfoldFor(id);
    host.requestUpdate();
    await host.updateComplete;
    if (!isLatest()) return;
    const author = host.find(id, '.author');
    const target = author ?? host.slotted.flatMap(postsIn).find(({ dataset }) => dataset['postId'] === id);
    if (!target && this.outcome) host.say(this.#words(this.outcome));
    (target ?? host.renderRoot.querySelector('.missing'))?.scrollIntoView({ block: 'center' });
    author?.focus({ preventScroll: true });
  }

  #words(outcome: LinkOutcome): string {
    const { linkFurther, linkNotFound, failed } = this.#host.threadStrings;
    return { further: linkFurther, absent: linkNotFound, failed }[outcome];
  }

  /** Shows the comment, or sets `outcome`. */
  async #lookFor(id: string): Promise<void> {
    const thread = this.#thread;
    await thread.start();
    if (this.marked !== id || this.#has(id)) return;
    await thread.find(id);
    const { state } = thread;
    // The failure of a list is told where it would stand.
    if (this.marked !== id || state.name !== 'listed' || typeof state.more === 'object' || this.#has(id)) return;
    if (state.article.conversation) await this.open(id, () => this.marked === id);
    else this.outcome = state.nextCursor === undefined ? 'absent' : 'further';
  }

  /** The reader has not asked for the news, but for this comment. */
  #has(id: string): boolean {
    const { state } = this.#thread;
    if (state.name === 'listed' && state.news.posts.some((post) => post.id === id)) this.#thread.showNews();
    return this.#thread.has(id) || this.ids.has(id);
  }

  /** Shows the conversation of the comment, where the BFF has conversations, or sets `outcome`.
   *  @param isWanted false: the reader wants something else meanwhile */
  async open(id: string, isWanted = (): boolean => this.marked === undefined): Promise<void> {
    const { state } = this.#thread;
    if (state.name !== 'listed' || !state.article.conversation) return;
    try {
      const conversation = await this.#thread.conversation(id);
      if (!conversation || !isWanted()) return;
      const { posts, before, after } = conversation;
      const root = posts.find(({ parent_id }) => parent_id === undefined) ?? posts[0];
      if (!root) this.outcome = this.marked === id ? 'absent' : undefined;
      else if (this.#thread.isListed(root.id)) this.#thread.insert(posts);
      else this.linked = { id, posts, before, after };
      this.#host.requestUpdate();
    } catch (error) {
      this.#thread.report(error);
      if (this.marked === id) this.outcome = 'failed';
    }
  }

  /** Loads the replies before or after those of the linked conversation. */
  async showMore(which: 'before' | 'after'): Promise<void> {
    const { linked } = this;
    if (!linked?.[which]) return;
    await this.#load(linked.id, async () => {
      const next = await this.#thread.conversation(linked.id, { [which]: linked[which] });
      if (!next || this.linked !== linked) return;
      const known = this.ids;
      const posts = next.posts.filter(({ id }) => !known.has(id));
      this.linked = { ...linked, posts: [...linked.posts, ...posts], [which]: next[which] };
    });
  }

  /** Whether replies to a comment of the list may follow those that are loaded. */
  hasRest(id: string): boolean {
    return !this.#rest.has(id) || this.#rest.get(id) !== undefined;
  }

  /** Loads more replies to a comment of the list. */
  async showRest(id: string): Promise<void> {
    await this.#load(id, async () => {
      for (let isAdded = false; !isAdded && this.hasRest(id);) {
        const after = this.#rest.get(id);
        const next: PostConversation | undefined = await this.#thread.conversation(id, after === undefined ? {} : { after });
        if (!next) return;
        this.#rest.set(id, next.after);
        isAdded = next.posts.some((post) => !this.#thread.has(post.id));
        this.#thread.insert(next.posts);
      }
    });
  }

  async #load(id: string, load: () => Promise<void>): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    this.failed = undefined;
    this.#host.requestUpdate();
    try {
      await load();
    } catch (error) {
      this.#thread.report(error);
      this.failed = id;
    }
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  readonly #onHashChange = (): void => void this.show();
}
