/** The reader's session as one element lives with it: asks while the element is on the page, renders it again with each
 *  answer, and tells the page when the state becomes another. */

import type { LitElement, ReactiveController } from 'lit';
import type { Notice, SessionState, SessionView, SyncOffer, User } from '@vestibule/shared';
import { bffAddress } from '../api/bff-address.ts';
import type { BffClient } from '../api/bff-client.ts';
import type { BffError } from '../api/problem.ts';
import { SessionStore } from '../api/session-store.ts';
import { ErrorEvent } from '../events/error-event.ts';
import { StateEvent } from '../events/state-event.ts';

export interface SessionHost extends LitElement {
  readonly bff: string | null;
  readonly localizer: { readonly tag: string };
}

/** Called after the state has become known or another, before the page is told. */
export type StateChange = (from: SessionState | undefined, to: SessionState) => void;

export class SessionController implements ReactiveController {
  /** What the reader is told once, until they go on. */
  notice: Notice | undefined;
  readonly #host: SessionHost;
  readonly #onChange: StateChange;
  #store: SessionStore | undefined;
  #unsubscribe: (() => void) | undefined;
  #seen: SessionView | undefined;
  #isFailureTold = false;

  constructor(host: SessionHost, onChange: StateChange) {
    this.#host = host;
    this.#onChange = onChange;
  }

  get store(): SessionStore {
    return this.#store ??= SessionStore.at(bffAddress(this.#host.bff));
  }

  get client(): BffClient {
    return this.store.client;
  }

  /** `undefined` until the first answer. */
  get state(): SessionState | undefined {
    return this.#seen?.state;
  }

  get user(): User | undefined {
    return this.#seen?.user;
  }

  /** A sign-in that waits for the reader, beside a live session or without one. */
  get sync(): SyncOffer | undefined {
    return this.#seen?.sync;
  }

  /** Code points of a message; `undefined` until the first answer. */
  get limit(): number | undefined {
    return this.#seen?.limits.message_max_length;
  }

  get failure(): BffError | undefined {
    return this.store.failure;
  }

  /** Takes the session for over, as the answer to another request has shown. */
  markEnded(): void {
    if (this.#seen) this.store.adopt({ state: 'anonymous', limits: this.#seen.limits });
  }

  hostConnected(): void {
    this.#subscribe();
  }

  hostDisconnected(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  hostUpdate(): void {
    this.client.language = this.#host.localizer.tag;
    if (this.store.client.base.href === bffAddress(this.#host.bff).href) return;
    this.hostDisconnected();
    this.#store = this.#seen = undefined;
    this.#subscribe();
  }

  #subscribe(): void {
    this.#unsubscribe ??= this.store.subscribe(() => this.#take());
    if (this.store.view !== this.#seen) this.#take();
  }

  #take(): void {
    const from = this.#seen;
    const to = this.#seen = this.store.view;
    this.#host.requestUpdate();
    this.#tellFailure();
    if (!to || to === from) return;
    this.notice = to.notice ?? this.notice;
    const isSame = from?.state === to.state && from.user?.user_id === to.user?.user_id;
    if (isSame) return;
    this.#onChange(from?.state, to.state);
    if (from?.state !== to.state) this.#host.dispatchEvent(new StateEvent(to.state));
  }

  /** Once, not with each try. */
  #tellFailure(): void {
    const { failure } = this;
    if (failure && !this.#isFailureTold) this.#host.dispatchEvent(new ErrorEvent(failure.problem));
    this.#isFailureTold = failure !== undefined;
  }
}
