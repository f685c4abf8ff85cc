/**
 * Requests the posts of a thread: the first ones when it comes near the viewport, more when the reader asks for them, and the
 * first ones again when a new post of the reader should be among them. A response for another forum, page or BFF is dropped.
 */

import type { LitElement, ReactiveController } from 'lit';
import { BffClient } from '../client/client.ts';
import { bffAddress } from '../client/address.ts';
import { BffError } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { append, refresh, toListed, type RenderedPost, type ThreadState } from './thread-state.ts';

/** How far below the viewport the first request is sent. */
const NEAR = '800px 0px';

/** The BFF serves a list for 15 s. */
const REFRESH_AFTER_MS = 16_000;

/** `<vestibule-thread>`, as far as the controller needs it. */
export interface ThreadHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
  readonly localizer: { readonly tag: string };
  readonly refreshAfterMs: number | undefined;
}

export class ThreadController implements ReactiveController {
  state: ThreadState = { name: 'waiting' };
  /** The posts that the page has rendered itself. */
  rendered: readonly RenderedPost[] = [];
  readonly #host: ThreadHost;
  /** BFF, forum and page that the state belongs to. */
  #key = '';
  /** The page has rendered the first posts itself. */
  #isAdopted = false;
  #request: AbortController | undefined;
  #observer: IntersectionObserver | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ThreadHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observeIfWaiting();
    addEventListener('online', this.retry);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    removeEventListener('online', this.retry);
    clearTimeout(this.#refreshTimer);
    this.#request?.abort();
    if (this.state.name === 'loading') this.#go({ name: 'waiting' });
    else if (this.state.name === 'listed' && this.state.more === 'loading') this.#go({ ...this.state, more: 'idle' });
  }

  hostUpdate(): void {
    const { forum, page } = this.#host;
    const key = JSON.stringify([this.#base.href, forum, page]);
    if (key === this.#key) return;
    this.#key = key;
    this.#reset();
  }

  /** Takes over the posts that the page has rendered itself. Nothing is requested until the reader asks for more. */
  adopt(rendered: readonly RenderedPost[], nextCursor: string | undefined): void {
    this.#isAdopted = true;
    this.rendered = rendered;
    this.#request?.abort();
    this.#observer?.disconnect();
    this.#go({ name: 'listed', posts: [], nextCursor, more: 'idle' });
  }

  /** The page has removed the posts that it had rendered. */
  release(): void {
    if (!this.#isAdopted) return;
    this.#reset();
    this.#host.requestUpdate();
  }

  /** After a failure. */
  readonly retry = (): void => {
    if (this.state.name === 'failed') void this.#loadFirst();
  };

  /** @returns id of the first post that was added; `undefined`: none was */
  async showMore(): Promise<string | undefined> {
    const { state } = this;
    if (state.name !== 'listed' || state.nextCursor === undefined || state.more === 'loading') return undefined;
    this.#go({ ...state, more: 'loading' });
    const count = state.posts.length;
    try {
      const next = await this.#list(state.nextCursor);
      if (!next || this.state.name !== 'listed') return undefined;
      const isKnown = (id: string): boolean => this.rendered.some((post) => post.id === id);
      this.#go(append(this.state, next, isKnown));
      return this.state.posts[count]?.id;
    } catch (error) {
      const problem = this.#report(error);
      if (this.state.name === 'listed') this.#go({ ...this.state, more: { problem } });
      return undefined;
    }
  }

  /** The reader has posted: requests the first list again once the BFF has a new one. */
  refreshSoon(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => void this.#refresh(), this.#host.refreshAfterMs ?? REFRESH_AFTER_MS);
  }

  get #base(): URL {
    return bffAddress(this.#host.bff);
  }

  #reset(): void {
    this.#request?.abort();
    clearTimeout(this.#refreshTimer);
    this.#isAdopted = false;
    this.rendered = [];
    this.state = { name: 'waiting' };
    this.#observeIfWaiting();
  }

  #observeIfWaiting(): void {
    this.#observer?.disconnect();
    if (this.state.name !== 'waiting' || !this.#host.isConnected || !this.#host.page) return;
    this.#observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting) && this.state.name === 'waiting') void this.#loadFirst();
    }, { rootMargin: NEAR });
    this.#observer.observe(this.#host);
  }

  async #loadFirst(): Promise<void> {
    this.#observer?.disconnect();
    this.#go({ name: 'loading' });
    try {
      const list = await this.#list();
      if (list) this.#go(toListed(list));
    } catch (error) {
      const problem = this.#report(error);
      this.#go({ name: 'failed', problem });
      if (!problem.type.endsWith(':not-found')) return;
      const { reportMistake } = await import('../client/hints.ts');
      reportMistake('no-posts-list', { bff: this.#base.href });
    }
  }

  /** A failure changes nothing: the list that is shown is a little older than it could be. */
  async #refresh(): Promise<void> {
    if (this.state.name !== 'listed' || this.state.more === 'loading' || this.rendered.length > 0) return;
    const list = await this.#list().catch(() => undefined);
    if (list && this.state.name === 'listed') this.#go(refresh(this.state, list));
  }

  /** `undefined`: the request was superseded. */
  async #list(cursor?: string) {
    this.#request?.abort();
    const { signal } = this.#request = new AbortController();
    const { forum, page, localizer } = this.#host;
    try {
      return await new BffClient(this.#base).listPosts({ forum, page, cursor }, { signal, language: localizer.tag });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #report(error: unknown) {
    if (!(error instanceof BffError)) throw error;
    this.#host.dispatchEvent(new VestibuleErrorEvent(error.problem));
    return error.problem;
  }

  #go(state: ThreadState): void {
    this.state = state;
    this.#host.requestUpdate();
  }
}
