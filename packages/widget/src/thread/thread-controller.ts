/**
 * Requests the posts of a thread: the first ones when it comes near the viewport, more when the reader asks for them, and the
 * first ones again to look for new ones. A response for another forum, page, BFF or order is dropped.
 */

import type { ReactiveController } from 'lit';
import type { ListedPost, PostConversation, PostList, PostOrder } from '@vestibule/shared';
import { BffClient, BffError } from '../client/client.ts';
import type { WidgetProblem } from '../client/problem.ts';
import { bffAddress } from '../client/address.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { near } from '../lib/near.ts';
import { plural } from '../locales/phrase.ts';
import { exactTime, relativeTime } from '../locales/relative-time.ts';
import { addFirst, append, showNews, toListed, withConversation, withNews, type ThreadState } from './thread-state.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

/** How long a list waits for the conversation of a link, in ms. */
const LINK_WAIT_MS = 1_000;

/** How far below the viewport the first request is sent. */
const NEAR = '800px 0px';

export class ThreadController implements ReactiveController {
  state: ThreadState = { name: 'waiting' };
  /** When each post was requested last, by ids, in milliseconds since the epoch. */
  readonly readAt = new Map<string, number>();
  readonly #host: VestibuleThread;
  /** BFF, forum and page that the state belongs to, and the order of its posts. */
  #key = '';
  #order: PostOrder | undefined;
  #request: AbortController | undefined;
  /** Of requests for the article that is shown. */
  #article = new AbortController();
  #first: Promise<void> | undefined;
  /** Whether the thread is near the viewport. */
  isNear = false;
  readonly #observer = new IntersectionObserver((entries) => {
    this.isNear = entries.at(-1)!.isIntersecting;
    if (!this.isNear) return;
    if (this.state.name === 'waiting' && this.#host.page && this.#host.rendered.size === 0) this.#load();
    else this.#onNear();
  }, near(NEAR));

  readonly #onNear: () => void;

  /** Of the last link. */
  #linked: { readonly id: string; readonly conversation: Promise<PostConversation | undefined> } | undefined;

  /** @param onNear a thread that is loaded has come near the viewport */
  constructor(host: VestibuleThread, onNear: () => void) {
    this.#host = host;
    this.#onNear = onNear;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('online', this.#onOnline);
    this.observe();
  }

  hostDisconnected(): void {
    removeEventListener('online', this.#onOnline);
    this.#observer.disconnect();
    this.#request?.abort();
    if (this.state.name === 'loading') this.#go({ name: 'waiting' });
    else if (this.state.name === 'listed' && this.state.more === 'loading') this.#go({ ...this.state, more: 'idle' });
  }

  hostUpdate(): void {
    const { forum, page, listOrder: order } = this.#host;
    const key = JSON.stringify([this.#base.href, forum, page]);
    const isOther = key !== this.#key;
    this.#key = key;
    if (isOther) this.#reset();
    else if (order !== this.#order && this.state.name !== 'waiting') this.#load();
    this.#order = order;
  }

  readonly #onOnline = (): void => {
    if (this.state.name === 'failed') this.#load();
  };

  /** After a failure of the first list, also of one in another order. */
  retry(): void {
    const { state } = this;
    if (state.name === 'listed' && typeof state.more === 'object' && state.more.order) this.#order = this.#host.chosenOrder = state.more.order;
    else if (state.name !== 'failed') return;
    this.#load();
  }

  async showMore(): Promise<void> {
    const { state } = this;
    if (state.name !== 'listed' || state.nextCursor === undefined || state.more === 'loading') return;
    this.#go({ ...state, more: 'loading' });
    try {
      const next = await this.#list(state.nextCursor);
      if (!next || this.state.name !== 'listed') return;
      this.#go(append(this.state, next));
    } catch (error) {
      const problem = this.report(error);
      if (this.state.name === 'listed') this.#go({ ...this.state, more: { problem } });
    }
  }

  /** Shows the posts that `look` has found; where there are more of them, the list as it is now: nothing is missing between. */
  async showNews(): Promise<void> {
    const { state } = this;
    if (state.name !== 'listed') return;
    if (!state.news.hasMore || state.order !== 'newest') return this.#go(showNews(state));
    this.#load();
    await this.#first;
  }

  /** Looks for new posts, in the list of the newest ones. A failure changes nothing: the list that is shown is a little older
   *  than it could be. */
  async look(): Promise<void> {
    if (this.state.name !== 'listed' || this.state.more === 'loading') return;
    const list = await this.#list(undefined, 'newest').catch(() => undefined);
    const { state } = this;
    if (list && state.name === 'listed') this.#go(withNews(state, this.#host.own, list));
  }

  /** Requests the first list, also far from the viewport. Resolves when it is there, or has failed.
   *  @param linked id of a comment: where the list lacks it, its conversation stands first, drawn together with the list */
  async start(linked?: string): Promise<void> {
    if (this.state.name === 'waiting' || this.state.name === 'failed') this.#load(linked);
    await this.#first;
  }

  /** Whether the post is among those that are shown. */
  has(id: string): boolean {
    const { state } = this;
    return state.name === 'listed' && state.posts.some((post) => post.id === id);
  }

  /** Adds the conversation of a link, in its place if its root is listed, otherwise first. */
  insert(posts: readonly ListedPost[]): void {
    if (this.state.name === 'listed') this.#go(withConversation(this.state, posts));
  }

  /** The conversation around a post, requested once unless that fails. @throws {BffError}
   *  @returns `undefined`: the thread shows another article meanwhile */
  conversation(id: string): Promise<PostConversation | undefined> {
    if (this.#linked?.id !== id) {
      const linked = this.#linked = { id, conversation: this.#requestConversation(id) };
      linked.conversation.catch(() => { if (this.#linked === linked) this.#linked = undefined; });
    }
    return this.#linked.conversation;
  }

  async #requestConversation(id: string): Promise<PostConversation | undefined> {
    const { forum, page, localizer } = this.#host;
    const key = this.#key;
    const { signal } = this.#article;
    try {
      const options = { signal, language: localizer.tag };
      const at = Date.now();
      const conversation = await new BffClient(this.#base).getConversation(id, { forum, page }, options);
      if (key !== this.#key) return undefined;
      for (const post of conversation.posts) this.readAt.set(post.id, at);
      return conversation;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Tells the page of a failure. @throws anything else */
  report(error: unknown): WidgetProblem {
    if (!(error instanceof BffError)) throw error;
    this.#host.dispatchEvent(new VestibuleErrorEvent(error.problem));
    return error.problem;
  }

  get #base(): URL {
    return bffAddress(this.#host.bff);
  }

  #reset(): void {
    this.#request?.abort();
    this.#article.abort();
    this.#article = new AbortController();
    this.readAt.clear();
    this.#linked = undefined;
    this.state = { name: 'waiting' };
    this.observe();
  }

  /** The browser reports anew whether the element is near. */
  observe(): void {
    this.#observer.disconnect();
    this.#observer.observe(this.#host);
  }

  /** Requests the first list. What is shown stays until then, and where the request fails. @param linked as of `start` */
  #load(linked?: string): void {
    this.#first = this.#loadFirst(linked);
  }

  async #loadFirst(linked?: string): Promise<void> {
    const { state } = this;
    // Without waiting for the list to say whether there are conversations. A failure is told by who needs the answer.
    const conversation = linked === undefined ? undefined : this.conversation(linked).catch(() => undefined);
    this.#go(state.name === 'listed' ? { ...state, more: 'loading' } : { name: 'loading' });
    prepareFormats(this.#host.localizer.tag);
    try {
      const list = await this.#list();
      if (!list) return;
      const { signal } = this.#request!;
      const isNeeded = conversation && list.posts.every(({ id }) => id !== linked);
      const { posts = [] } = isNeeded ? await Promise.race([conversation, longest()]) ?? {} : {};
      if (signal.aborted) return;
      const listed = toListed(list, this.#host.listOrder);
      const { state: before } = this;
      // The comment that is answered stays, with the composer.
      const answered = before.name === 'listed' ? before.posts.filter(({ id }) => id === this.#host.replyingTo) : [];
      this.#go(posts.length > 0 ? withConversation(listed, posts) : addFirst(listed, answered));
    } catch (error) {
      const problem = this.report(error);
      if (this.state.name === 'listed') {
        this.#go({ ...this.state, more: { problem, order: this.#host.listOrder } });
        this.#order = this.#host.chosenOrder = this.state.order;
      } else this.#go({ name: 'failed', problem });
      if (!problem.type.endsWith(':not-found')) return;
      const bff = this.#base.href;
      import('../client/hints.ts').then(({ reportMistake }) => reportMistake('no-posts-list', { bff }), () => {});
    }
  }

  /** `undefined`: the request was superseded. */
  async #list(cursor?: string, order: PostOrder = this.#host.listOrder): Promise<PostList | undefined> {
    this.#request?.abort();
    const { signal } = this.#request = new AbortController();
    const { forum, page, localizer } = this.#host;
    try {
      const at = Date.now();
      const list = await new BffClient(this.#base).listPosts({ forum, page, order, cursor }, { signal, language: localizer.tag });
      for (const { id } of list.posts) this.readAt.set(id, at);
      this.#host.dispatchEvent(new CustomEvent('list', { detail: list.posts }));
      return list;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #go(state: ThreadState): void {
    this.state = state;
    this.#host.requestUpdate();
  }
}

/** Resolves when the list waits no longer for the conversation of a link. */
const longest = (): Promise<undefined> => new Promise((resolve) => { setTimeout(() => resolve(undefined), LINK_WAIT_MS); });

/** Creates the formats while the request is on its way, each in a task of its own: a slow phone needs long for the browser's
 *  tables of them. */
function prepareFormats(tag: string): void {
  for (const prepare of [
    () => new Intl.Locale(tag).maximize(),
    () => relativeTime(tag, Date.now()),
    () => relativeTime(tag, 0),
    () => exactTime(tag, 0),
    () => plural(tag, { other: '' }, 0),
  ]) setTimeout(prepare);
}
