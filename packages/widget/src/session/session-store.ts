/**
 * The last response to `GET /session`, shared by all elements of a page that use the same BFF: a notice that the BFF delivers
 * once reaches each of them. The first request is that of `refresh` or `start`. Later ones follow when the reader returns to the
 * tab or the page is restored from the back/forward cache, when the browser comes online, after a retryable failure, and every
 * few seconds during a sign-in in another window.
 */

import type { SessionState, SessionView } from '@vestibule/shared';
import { BffClient } from '../client/client.ts';
import { BffError } from '../client/problem.ts';
import { backoffMs } from '../lib/backoff.ts';
import { claimUnownedDrafts } from '../storage/draft-owner.ts';
import { writeSessionHint } from '../storage/stored-session-hint.ts';

/** An older answer is requested again when the reader comes back to the page. */
const STALE_AFTER_MS = 30_000;
const WATCH_FOR_MS = 10 * 60_000;
/** Of a watch: in its first minute, and after it. */
const WATCH_EVERY_MS = [3_000, 10_000] as const;

const stores = new Map<string, SessionStore>();

export class SessionStore {
  /** The last answer; a later failure leaves it as it was. `undefined` before the first one and after `invalidate`. */
  view: SessionView | undefined;
  /** Why the last request failed. */
  failure: BffError | undefined;
  readonly client: BffClient;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | undefined;
  #request: Promise<void> | undefined;
  /** Counts what is newer than an answer in flight. */
  #generation = 0;
  /** `#generation` of the last request. */
  #requested = 0;
  #failures = 0;
  #answeredAt = 0;
  #watchUntil = 0;
  /** The boxes that wait for the window of a sign-in. */
  readonly #watchers = new Set<object>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The page's one store for the BFF at `base`. */
  static at(base: URL): SessionStore {
    const store = stores.get(base.href) ?? new SessionStore(base);
    stores.set(base.href, store);
    return store;
  }

  constructor(base: URL) {
    this.client = new BffClient(base);
  }

  get state(): SessionState | undefined {
    return this.view?.state;
  }

  get isFetching(): boolean {
    return this.#request !== undefined;
  }

  /** The failed request will be repeated automatically. */
  get isRetrying(): boolean {
    return this.failure?.problem.retryable ?? false;
  }

  /** A sign-in is in progress in another window, and the ten minutes are not over. */
  get isWatching(): boolean {
    return Date.now() < this.#watchUntil;
  }

  /** Calls `listener` after each change until the returned function is called. Stops every timer and request with the last
   *  listener, unless another comes at once, as with an element that is moved. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#life) this.#connect();
    return () => {
      this.#listeners.delete(listener);
      queueMicrotask(() => {
        if (this.#listeners.size === 0) this.#disconnect();
      });
    };
  }

  /** Requests the session, unless it is known or a request is in flight. */
  start(): void {
    if (!this.view && !this.failure && !this.#request) void this.refresh();
  }

  /** Requests the session again. A call while a request is in flight waits for a response that is newer than the call. */
  refresh(): Promise<void> {
    this.#generation += 1;
    this.#request ??= this.#fetch().finally(async () => {
      this.#request = undefined;
      // A listener may have called this while the response was taken.
      if (this.#life && this.#requested !== this.#generation) await this.refresh();
      else this.#notify();
    });
    this.#notify();
    return this.#request;
  }

  /** Requests the session, and forgets until the response who is signed in. */
  invalidate(): Promise<void> {
    if (this.state === 'signed-in') this.view = this.failure = undefined;
    return this.refresh();
  }

  /** Takes a view from the response to another request, and drops older answers in flight. */
  adopt(view: SessionView): void {
    if (this.#request) void this.refresh();
    this.#take(view, undefined);
  }

  /** The session has ended. */
  markEnded(): void {
    if (this.view) this.adopt({ state: 'anonymous', limits: this.view.limits });
    else if (this.#request) void this.refresh();
  }

  /** Requests the session every few seconds, for ten minutes at most, until the reader is signed in or `endWatch` is called for
   *  each watcher. */
  watch(watcher: object): void {
    if (!this.isWatching) this.#stopWatching();
    this.#watchers.add(watcher);
    this.#watchUntil = Date.now() + WATCH_FOR_MS;
    // After a reload in the meantime, the box requests the session automatically.
    writeSessionHint(this.client.base, true);
    this.#schedule();
  }

  endWatch(watcher: object): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#stopWatching();
    this.#schedule();
  }

  #stopWatching(): void {
    this.#watchers.clear();
    this.#watchUntil = 0;
  }

  #connect(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const revalidate = (): void => {
      if (this.#answeredAt > 0) void this.refresh();
    };
    const revalidateIfStale = (): void => {
      if (document.visibilityState === 'visible' && this.#isStale && !this.isFetching) revalidate();
    };
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.#notify(), { signal });
    window.addEventListener('online', revalidate, { signal });
    window.addEventListener('focus', revalidateIfStale, { signal });
    window.addEventListener('pageshow', ({ persisted }) => persisted && revalidate(), { signal });
    document.addEventListener('visibilitychange', revalidateIfStale, { signal });
    revalidateIfStale();
  }

  #disconnect(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#stopWatching();
    clearTimeout(this.#timer);
  }

  /** Drops an answer that a later call has overtaken. */
  async #fetch(): Promise<void> {
    while (this.#life) {
      const generation = this.#requested = this.#generation;
      const { signal } = this.#life;
      try {
        const view = await this.client.getSession({ signal });
        if (generation === this.#generation) return this.#take(withNewNotice(view), undefined);
      } catch (error) {
        if (error instanceof BffError && generation === this.#generation) return this.#take(this.view, error);
        if (!(error instanceof BffError) && !signal.aborted) throw error;
      }
    }
  }

  #take(view: SessionView | undefined, failure: BffError | undefined): void {
    this.view = view;
    this.failure = failure;
    this.#failures = failure ? this.#failures + 1 : 0;
    this.#answeredAt = Date.now();
    if (view?.state === 'signed-in' && !view.sync) this.#stopWatching();
    if (view && !failure) this.#writeHint(view);
    this.#schedule();
    this.#notify();
  }

  #writeHint({ state, user }: SessionView): void {
    const { base } = this.client;
    claimUnownedDrafts(base);
    if (state === 'signed-in') writeSessionHint(base, true, user?.user_id);
    else if (!this.isWatching) writeSessionHint(base, false);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  get #isStale(): boolean {
    return this.isWatching || this.failure !== undefined || Date.now() - this.#answeredAt > STALE_AFTER_MS;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const ms = this.#msToNextRequest();
    if (this.#life && ms !== undefined) this.#timer = setTimeout(() => this.#tick(), ms);
  }

  #tick(): void {
    if (this.isWatching || this.isRetrying) void this.refresh();
    else this.#notify();
  }

  #msToNextRequest(): number | undefined {
    const { failure } = this;
    if (failure?.problem.retryable) return backoffMs(this.#failures, failure.retryAfterSeconds);
    if (!this.isWatching) return undefined;
    const leftMs = this.#watchUntil - Date.now();
    return Math.min(leftMs, leftMs > WATCH_FOR_MS - 60_000 ? WATCH_EVERY_MS[0] : WATCH_EVERY_MS[1]);
  }
}

const NOTICE = 'vestibule:notice';
let lastNotice: string | undefined;

/** The BFF repeats a notice for a minute; a tab shows it once. */
function withNewNotice(view: SessionView): SessionView {
  const { notice, ...rest } = view;
  if (!notice) return view;
  try {
    lastNotice ??= sessionStorage.getItem(NOTICE) ?? undefined;
    sessionStorage.setItem(NOTICE, notice.id);
  } catch {}
  const isKnown = notice.id === lastNotice;
  lastNotice = notice.id;
  return isKnown ? rest : view;
}
