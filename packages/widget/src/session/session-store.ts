/**
 * The last response to `GET /session`, shared by all elements of a page that use the same BFF. The first request is that of
 * `refresh` or `start`. Later ones follow when the reader returns to the tab or the page is restored from the back/forward cache,
 * when the browser comes online, after a retryable failure while the page is visible, and every few seconds during a sign-in in
 * another window.
 *
 * A sign-out ends the session here at once, and at the BFF as soon as that can be reached: the request is repeated when the
 * browser comes online, when the reader comes back, and at the next visit. The session is never adopted again.
 */

import type { SessionState, SessionView } from '@vestibule/shared';
import { BffClient, BffError } from '../client/client.ts';
import { alone } from '../lib/alone.ts';
import { backoffMs } from '../lib/backoff.ts';
import { randomKey } from '../lib/random-key.ts';
import { claimUnownedDrafts, forgetReaders, readSignOut, writeSignOut } from '../storage/reader-records.ts';
import {
  readSessionHint, removeSessionHint, removeSignInHint, SIGN_IN_MS, writeSessionHint, writeSignInHint,
} from '../storage/session-hint.ts';
import { needsSession, read, write } from '../storage/storage.ts';
import { announceSessionChange } from './session-channel.ts';

/** An older answer is requested again when the reader comes back to the page. */
const STALE_AFTER_MS = 30_000;
/** Attempts after a failure, in about five minutes. The next ones follow when the reader comes back, or the browser online. */
const ATTEMPTS = 10;
/** During a sign-in in another window, whose message may not arrive. */
const WATCH_EVERY_MS = 5_000;

/** Stands for a watcher that was removed from the page. */
const LEFT = {};

const stores = new Map<string, SessionStore>();

export class SessionStore {
  /** The last answer; a later failure leaves it as it was. `undefined` before the first one and after `invalidate`. */
  view: SessionView | undefined;
  /** Why the last request failed. */
  failure: BffError | undefined;
  /** Of the texts in an answer, which all elements share: that of the element that has set it last. */
  language = '';
  /** Why the last request to end the session of a sign-out failed. */
  signOutFailure: BffError | undefined;
  readonly client: BffClient;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | undefined;
  #request: AbortController | undefined;
  #response: Promise<void> = Promise.resolve();
  #failures = 0;
  #answeredAt = 0;
  #watchUntil = 0;
  /** The boxes that wait for the window of a sign-in. `LEFT` stands for those that were removed from the page. */
  readonly #watchers = new Set<object>();
  /** Who is signed in may have changed since this page was loaded. */
  #isChanged = false;
  #ending: Promise<void> | undefined;
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
    return this.#failures < ATTEMPTS && (this.failure?.problem.retryable ?? false);
  }

  /** The reader has signed out, and the BFF has not ended the session yet. */
  get isSignOutOpen(): boolean {
    return readSignOut(this.client.base.href)?.isOpen ?? false;
  }

  /** The BFF is asked to end the session of a sign-out. */
  get isSigningOut(): boolean {
    return this.#ending !== undefined;
  }

  /** A sign-in is in progress in another window, and its time is not over. */
  get isWatching(): boolean {
    return this.#watchers.size > 0 && Date.now() < this.#watchUntil;
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

  /** Requests the session again, and drops a request in flight. Resolves with the response to the last call. */
  refresh(): Promise<void> {
    if (!this.#life) return Promise.resolve();
    this.#request?.abort();
    const { signal } = this.#request = new AbortController();
    this.#response = this.#fetch(signal);
    this.#notify();
    return this.#response;
  }

  /** Forgets who is signed in, and requests the session. */
  invalidate(): void {
    if (this.state !== 'signed-in') return;
    this.view = this.failure = undefined;
    void this.refresh();
  }

  /** Takes a view from the response to another request, and drops a request in flight. */
  adopt(view: SessionView): void {
    this.#abort();
    this.#take(view);
  }

  /** The session has ended. */
  markEnded(): void {
    if (this.view) this.adopt({ state: 'anonymous', limits: this.view.limits });
    else if (this.#request) void this.refresh();
  }

  /** Who is signed in may have changed: from now on a cache may have an old response. */
  markChanged(): void {
    this.#isChanged = true;
  }

  /** Ends the session: everything here before the first `await`. Resolves when the BFF has ended it, or with the failure.
   *  @param account empty: not known */
  async signOut(account: string): Promise<BffError | undefined> {
    const { client: { base }, view } = this;
    this.markChanged();
    forgetReaders(base, { id: randomKey(), at: Date.now(), session: view?.session, account, isOpen: true });
    announceSessionChange(base, 'signed-out');
    this.#abort();
    const ending = this.#endSession();
    if (view) this.markEnded();
    await ending;
    return this.signOutFailure;
  }

  /** Another tab has signed out. Its record cannot be read where the browser refuses storage. */
  followSignOut(account: string): void {
    const { href } = this.client.base;
    if (readSignOut(href)) return;
    writeSignOut(href, { id: randomKey(), at: Date.now(), session: this.view?.session, account, isOpen: true });
  }

  /** Repeats the request of a sign-out, for its session only: where that was not known, `GET /session` names it. */
  #finishSignOut(): void {
    if (!this.isSignOutOpen || this.#ending) return;
    if (readSignOut(this.client.base.href)?.session) void this.#endSession();
    else void this.refresh();
  }

  /** One tab asks. If the response is lost or a failure, `GET /session` tells whether the session has ended, and first what its
   *  name is. */
  #endSession(): Promise<void> {
    const { href } = this.client.base;
    this.#ending ??= alone(`sign-out ${href}`, new AbortController().signal, async () => {
      let failure: BffError | undefined;
      let hasAsked = false;
      // Another reader may sign out meanwhile.
      for (let record = readSignOut(href); record?.isOpen && !failure; record = readSignOut(href)) {
        // Without a name the request would end the session of whoever has signed in since.
        if (!record.session && !hasAsked) {
          hasAsked = true;
          await this.refresh();
          failure = this.failure;
          continue;
        }
        try {
          await this.client.signOut(record.session, { language: this.language });
          if (readSignOut(href)?.at === record.at) writeSignOut(href, { ...record, isOpen: false });
        } catch (error) {
          if (!(error instanceof BffError)) throw error;
          failure = error;
        }
      }
      await this.refresh();
      this.signOutFailure = this.isSignOutOpen ? failure : undefined;
    }).finally(() => {
      this.#ending = undefined;
      this.#notify();
    });
    return this.#ending;
  }

  /** Requests the session every few seconds, for `SIGN_IN_MS` at most, until the reader is signed in or `endWatch` is called for
   *  each watcher. */
  watch(watcher: object): void {
    if (!this.isWatching) this.#watchers.clear();
    this.#watchers.delete(LEFT);
    this.#watchers.add(watcher);
    this.markChanged();
    this.#watchUntil = Date.now() + SIGN_IN_MS;
    // After a reload in the meantime, the box requests the session automatically.
    writeSignInHint(this.client.base);
    this.#schedule();
  }

  endWatch(watcher: object): void {
    if (this.#watchers.delete(watcher) && this.#watchers.size === 0) removeSignInHint(this.client.base);
  }

  /** The watcher is removed from the page: the sign-in goes on, and the next box takes it over. */
  leaveWatch(watcher: object): void {
    if (this.#watchers.delete(watcher)) this.#watchers.add(LEFT);
  }

  #connect(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const revalidate = (): void => {
      this.#failures = 0;
      if (this.#answeredAt > 0 || this.#request) void this.refresh();
    };
    const revalidateIfStale = (): void => {
      const isStale = this.isWatching || this.failure || Date.now() - this.#answeredAt > STALE_AFTER_MS;
      if (!document.hidden && isStale && !this.isFetching) revalidate();
    };
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.#notify(), { signal });
    window.addEventListener('online', revalidate, { signal });
    window.addEventListener('focus', revalidateIfStale, { signal });
    window.addEventListener('pageshow', ({ persisted }) => persisted && revalidate(), { signal });
    document.addEventListener('visibilitychange', revalidateIfStale, { signal });
    const finish = (): void => void (document.hidden || this.#finishSignOut());
    for (const type of ['online', 'focus', 'pageshow']) window.addEventListener(type, finish, { signal });
    document.addEventListener('visibilitychange', finish, { signal });
    finish();
    revalidateIfStale();
  }

  #disconnect(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#abort();
    clearTimeout(this.#timer);
  }

  #abort(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#response = Promise.resolve();
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    try {
      const { base } = this.client;
      const isChanged = this.#isChanged || this.#answeredAt > 0 || needsSession(base) || readSignOut(base.href) !== undefined;
      const view = withNewNotice(await this.client.getSession({
        signal, language: this.language, isChanged,
      }));
      this.#request = undefined;
      this.#settleSignOut(view);
      this.#take(view);
    } catch (error) {
      if (signal.aborted) return this.#response;
      this.#request = undefined;
      if (!(error instanceof BffError)) throw error;
      this.#take(this.view, error);
    }
  }

  #take(given: SessionView | undefined, failure?: BffError): void {
    const view = given && this.#isEnded(given) ? withoutSession(given) : given;
    this.view = view;
    this.failure = failure;
    this.#failures = failure ? this.#failures + 1 : 0;
    this.#answeredAt = Date.now();
    if (view?.state === 'signed-in' && !view.sync) this.#watchers.clear();
    if (view && !failure) this.#writeHint(view);
    this.#schedule();
    this.#notify();
  }

  /** The session of a sign-out is nobody's, also where the BFF has not ended it yet or a response is late. */
  #isEnded({ session, user }: SessionView): boolean {
    const signOut = readSignOut(this.client.base.href);
    if (!user || !signOut) return false;
    return signOut.session ? signOut.session === session : signOut.isOpen === true && [user.user_id, ''].includes(signOut.account);
  }

  /** What the BFF says of an open sign-out: this browser has its session no more, or here is its name. */
  #settleSignOut(view: SessionView): void {
    const { href } = this.client.base;
    const signOut = readSignOut(href);
    if (!signOut?.isOpen) return;
    const isLive = this.#isEnded(view);
    // That of another reader is not the one.
    writeSignOut(href, { ...signOut, session: signOut.session ?? (isLive ? view.session : undefined), isOpen: isLive });
    if (isLive && !this.#ending) void this.#endSession();
  }

  #writeHint({ state, user }: SessionView): void {
    const { base } = this.client;
    const account = state === 'signed-in' ? user?.user_id : undefined;
    claimUnownedDrafts(base, account);
    if (account) return writeSessionHint(base, account);
    // The hint of a sign-in that goes on in another window stays.
    if (!this.isWatching && readSessionHint(base)) removeSessionHint(base);
    if (state === 'validating') writeSignInHint(base);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** A failed request is not repeated in a hidden page: it follows when the reader comes back. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const { isRetrying, isWatching } = this;
    if (!this.#life || !(isRetrying || isWatching)) return;
    this.#timer = setTimeout(() => {
      if (this.isRetrying ? document.hidden : !this.isWatching) this.#notify();
      else void this.refresh();
    }, isRetrying ? backoffMs(this.#failures, this.failure?.retryAfterSeconds) : WATCH_EVERY_MS);
  }
}

function withoutSession({ user: _, session: __, ...view }: SessionView): SessionView {
  return { ...view, state: view.sync ? 'validating' : 'anonymous' };
}

const NOTICE = 'vestibule:notice';

/** The BFF repeats a notice for a minute; a tab shows it once. */
function withNewNotice({ notice, ...view }: SessionView): SessionView {
  if (!notice || notice.id === read<{ id: string }>(NOTICE, 'sessionStorage')?.id) return view;
  write(NOTICE, { id: notice.id }, 'sessionStorage');
  return { ...view, notice };
}
