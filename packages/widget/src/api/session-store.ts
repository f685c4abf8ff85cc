/** What `GET /session` said last, shared by all boxes of a page that talk to the same BFF, so that a notice that is told
 *  once reaches each of them. Asks again when the page comes back to life, and for a while after a sign-in has begun.
 *  Knows nothing of elements. */

import type { SessionState, SessionView } from '@vestibule/shared';
import { BffClient } from './bff-client.ts';
import { BffError } from './problem.ts';
import { backoffMs } from '../lib/backoff.ts';

/** An answer older than this is not believed when the reader comes back to the page. */
const STALE_AFTER_MS = 30_000;
const WATCH_FOR_MS = 10 * 60_000;
/** Of a watch: the first minute, and the rest. */
const WATCH_EVERY_MS = [3_000, 10_000] as const;

const stores = new Map<string, SessionStore>();

export class SessionStore {
  /** The last answer; a later failure leaves it as it was. */
  view: SessionView | undefined;
  /** Why the last question had no answer. */
  failure: BffError | undefined;
  readonly client: BffClient;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | undefined;
  #asking: Promise<void> | undefined;
  /** Counts what is newer than an answer still on its way. */
  #generation = 0;
  #failures = 0;
  #askedAt = 0;
  #watchUntil = 0;
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

  /** Calls `listener` after each answer, each failure, and when the browser goes offline, until the returned function
   *  is called. The first listener starts the asking; the last to leave ends it, unless another comes at once, as with
   *  an element that is only moved. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#life) this.#start();
    return () => {
      this.#listeners.delete(listener);
      queueMicrotask(() => {
        if (this.#listeners.size === 0) this.#stop();
      });
    };
  }

  /** Asks once more; what is asked while a question is under way is answered after it. */
  refresh(): Promise<void> {
    this.#generation += 1;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Takes a view that another request brought, and drops older answers that are still on their way. */
  adopt(view: SessionView): void {
    if (this.#asking) void this.refresh();
    this.#take(view, undefined);
  }

  /** Asks every few seconds, for ten minutes at most, until the reader is signed in or `endWatch` is called. */
  watch(): void {
    this.#watchUntil = Date.now() + WATCH_FOR_MS;
    this.#schedule();
  }

  endWatch(): void {
    this.#watchUntil = 0;
    this.#schedule();
  }

  #start(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const askAgain = (): void => void this.refresh();
    const askIfStale = (): void => {
      if (document.visibilityState === 'visible' && this.#isStale) askAgain();
    };
    window.addEventListener('online', askAgain, { signal });
    window.addEventListener('offline', () => this.#tell(), { signal });
    window.addEventListener('focus', askIfStale, { signal });
    window.addEventListener('pageshow', ({ persisted }) => persisted && askAgain(), { signal });
    document.addEventListener('visibilitychange', askIfStale, { signal });
    askAgain();
  }

  #stop(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#watchUntil = 0;
    clearTimeout(this.#timer);
  }

  /** An answer that is overtaken while it is on its way is dropped, but not its notice, which is told only once. */
  async #ask(): Promise<void> {
    let told: Pick<SessionView, 'notice'> = {};
    while (this.#life) {
      const generation = this.#generation;
      const { signal } = this.#life;
      try {
        const view = await this.client.getSession({ signal });
        told = view.notice ? { notice: view.notice } : told;
        if (generation === this.#generation) return this.#take({ ...view, ...told }, undefined);
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
    this.#askedAt = Date.now();
    if (this.state === 'signed-in') this.#watchUntil = 0;
    this.#schedule();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  get #isStale(): boolean {
    return this.#isWatching || this.failure !== undefined || Date.now() - this.#askedAt > STALE_AFTER_MS;
  }

  get #isWatching(): boolean {
    return Date.now() < this.#watchUntil;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const ms = this.#msToNextQuestion();
    if (this.#life && ms !== undefined) this.#timer = setTimeout(() => void this.refresh(), ms);
  }

  #msToNextQuestion(): number | undefined {
    const { failure } = this;
    if (failure?.problem.retryable) return backoffMs(this.#failures, failure.retryAfterSeconds);
    if (!this.#isWatching) return undefined;
    return this.#watchUntil - Date.now() > WATCH_FOR_MS - 60_000 ? WATCH_EVERY_MS[0] : WATCH_EVERY_MS[1];
  }
}
