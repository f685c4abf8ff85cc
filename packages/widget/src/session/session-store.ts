/**
 * The session of the reader with a BFF, shared by all boxes of a document. The first request is that of `start`. Later ones
 * follow when the reader returns to the tab, when the browser comes online, and after a failure that may pass.
 *
 * Until the first answer, the reader is the one who was signed in last in this browser (`storage/readers.ts`).
 *
 * A sign-out ends the session here at once. Each request for the session first sends the sign-out that has not reached the BFF.
 */

import type { SessionState, SessionUser, SessionView, User } from '@vestibule/shared';
import { BffClient, BffError } from '../client/client.ts';
import { backoffMs } from '../lib/backoff.ts';
import {
  followSignOut, hintedUser, isSignedOut, needsSession, readSignOut, signOut, writeHint, writeSignOut,
} from '../storage/readers.ts';
import { read, write } from '../storage/storage.ts';
import { announceSessionChange } from './session-channel.ts';

/** An older answer is requested again when the reader comes back to the page. */
const STALE_AFTER_MS = 30_000;
/** Attempts after a failure, in about five minutes. The next ones follow when the reader comes back, or the browser online. */
const ATTEMPTS = 10;

const stores = new Map<string, SessionStore>();

export class SessionStore {
  /** The last answer; a later failure leaves it as it was. `undefined`: not known. */
  view: SessionView | undefined;
  /** Why the last request failed. */
  failure: BffError | undefined;
  /** A box has reported it: once, not each of them, nor with each attempt. */
  isFailureReported = false;
  /** Of the texts in an answer, which all boxes share: that of the box that has set it last. */
  language = '';
  /** A sign-in has begun in another window: who is signed in may change with each return of the reader. */
  isSigningIn = false;
  /** Grows with each sign-out, here or in another document. */
  signOuts = 0;
  /** Called once for each sign-out, whatever boxes are in the page. */
  readonly onEmpty = new Set<() => void>();
  readonly client: BffClient;
  readonly #listeners = new Set<() => void>();
  #life: AbortController | undefined;
  #request: AbortController | undefined;
  #response: Promise<void> = Promise.resolve();
  #owner: SessionUser | undefined;
  #failures = 0;
  #answeredAt = 0;
  /** Who is signed in may have changed since this page was loaded: a cache may have an old response. */
  #isChanged: boolean;
  #ending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The document's one store for the BFF at `base`. */
  static at(base: URL): SessionStore {
    const store = stores.get(base.href) ?? new SessionStore(base);
    stores.set(base.href, store);
    return store;
  }

  constructor(base: URL) {
    this.client = new BffClient(base);
    this.#isChanged = needsSession(base.href) || readSignOut(base.href) !== undefined;
    this.follow();
  }

  get bff(): string {
    return this.client.base.href;
  }

  get state(): SessionState | undefined {
    return this.view?.state;
  }

  /** Who is signed in; before the first answer, who was. */
  get user(): SessionUser | undefined {
    if (this.view) return this.view.state === 'signed-in' ? this.view.user : undefined;
    return this.isSignOutOpen ? undefined : hintedUser(this.bff);
  }

  /** `user_id` of the reader whose texts are shown: who is signed in, or was until the session ended by itself. */
  get owner(): string {
    return (this.user ?? this.#owner)?.user_id ?? '';
  }

  get ownerName(): string {
    return (this.user ?? this.#owner)?.username ?? '';
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
    return readSignOut(this.bff)?.isOpen ?? false;
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

  /** The session has ended. */
  markEnded(): void {
    if (this.view) this.#adopt({ state: 'anonymous', limits: this.view.limits });
    else if (this.#request) void this.refresh();
  }

  /** The form in the page says who has signed in; what else there is to know follows with the next answer. */
  accept(user: User): void {
    this.#adopt({ state: 'signed-in', user, limits: this.view?.limits ?? { message_max_length: Infinity } });
  }

  /** Who is signed in may have changed. */
  markChanged(): void {
    this.#isChanged = true;
  }

  /** Ends the session: everything here before the first `await`. Resolves when the BFF has ended it, or with the failure. */
  async signOut(account: string): Promise<BffError | undefined> {
    signOut(this.bff, this.view?.session, account);
    announceSessionChange(this.client.base, 'signed-out');
    this.#empty();
    await this.refresh();
    return this.failure;
  }

  /** Empties this document if another one has signed the reader out. @param isSaid by a message: storage may be refused */
  follow(isSaid = false): void {
    if (!isSignedOut(this.bff) && !isSaid) return;
    followSignOut(this.bff);
    this.#empty();
  }

  #empty(): void {
    this.#isChanged = true;
    this.signOuts += 1;
    this.#abort();
    for (const empty of this.onEmpty) empty();
    this.#owner = undefined;
    if (this.view?.state !== 'signed-in') return this.#notify();
    // The reader is the owner no more.
    this.view = { state: 'anonymous', limits: this.view.limits };
    this.#take(this.view);
  }

  #connect(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const revalidate = (): void => {
      this.#failures = 0;
      if (this.#answeredAt > 0 || this.#request) void this.refresh();
    };
    const revalidateIfStale = (): void => {
      this.follow();
      const isStale = this.isSigningIn || this.failure || this.isSignOutOpen || Date.now() - this.#answeredAt > STALE_AFTER_MS;
      if (!document.hidden && isStale && !this.isFetching) revalidate();
    };
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.#notify(), { signal });
    window.addEventListener('online', revalidate, { signal });
    window.addEventListener('focus', revalidateIfStale, { signal });
    window.addEventListener('pageshow', ({ persisted }) => {
      this.follow();
      if (persisted) revalidate();
    }, { signal });
    window.addEventListener('storage', () => this.follow(), { signal });
    document.addEventListener('visibilitychange', revalidateIfStale, { signal });
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
      // The BFF is asked once, whoever waits for it.
      while (this.isSignOutOpen) await (this.#ending ??= this.#endSession().finally(() => { this.#ending = undefined; }));
      const isChanged = this.#isChanged || this.#answeredAt > 0;
      const view = withNewNotice(await this.client.getSession({ signal, language: this.language, isChanged }));
      this.#request = undefined;
      this.#take(view);
    } catch (error) {
      if (signal.aborted) return this.#response;
      this.#request = undefined;
      if (!(error instanceof BffError)) throw error;
      this.#take(this.view, error);
    }
  }

  /** Ends the session of the sign-out, and no other: where its name was not known, the BFF is asked first. */
  async #endSession(): Promise<void> {
    const record = readSignOut(this.bff)!;
    const options = { language: this.language };
    let { session } = record;
    if (session === undefined) {
      const { user, session: live } = await this.client.getSession({ ...options, isChanged: true });
      // Another reader may have signed in meanwhile.
      if (user && [user.user_id, ''].includes(record.account)) session = live;
    }
    if (session !== undefined) await this.client.signOut(session, options);
    if (readSignOut(this.bff)?.id === record.id) writeSignOut(this.bff, { ...record, session, account: '', isOpen: false });
  }

  /** Takes a view, and drops a request in flight. */
  #adopt(view: SessionView): void {
    this.#abort();
    this.#take(view);
  }

  #take(given: SessionView | undefined, failure?: BffError): void {
    if (isSignedOut(this.bff)) return this.follow();
    // A late response may have a session that has ended.
    const view = given?.session !== undefined && given.session === readSignOut(this.bff)?.session ? withoutSession(given) : given;
    this.#owner = this.user ?? this.#owner;
    this.view = view;
    this.failure = failure;
    this.#failures = failure ? this.#failures + 1 : 0;
    if (!failure) this.isFailureReported = false;
    this.#answeredAt = Date.now();
    if (view?.state === 'signed-in') this.isSigningIn = false;
    if (view && !failure) writeHint(this.bff, view.state === 'signed-in' ? view.user : undefined);
    this.#schedule();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** A failed request is not repeated in a hidden page: it follows when the reader comes back. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#life || !this.isRetrying) return;
    this.#timer = setTimeout(() => {
      if (document.hidden) this.#notify();
      else void this.refresh();
    }, backoffMs(this.#failures, this.failure?.retryAfterSeconds));
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
