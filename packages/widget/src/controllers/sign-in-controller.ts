/** The comment box's part of the sync (contract, "Ways through the sync"): opens the window in the reader's click, goes
 *  on in the page where the browser opens none, and finds out how it ended: by a hint from the form page, else by
 *  asking. Whether the window is closed says nothing: a `Cross-Origin-Opener-Policy` makes it look so. */

import type { LitElement, ReactiveController } from 'lit';
import { BffError, type WidgetProblem } from '../api/problem.ts';
import { hearSessionChanges } from '../api/sync-channel.ts';
import { ErrorEvent } from '../events/error-event.ts';
import { defineSync } from '../lib/define-sync.ts';
import { openSignInWindow } from '../lib/sign-in-window.ts';
import type { TakenSyncReturn } from '../lib/sync-return.ts';
import { markWayBack } from '../lib/way-back.ts';
import type { SessionController } from './session-controller.ts';

export interface SignInHost extends LitElement {
  readonly forum: string;
  readonly sync: 'popup' | 'inline';
  /** What the page's address brought along, until the reader has decided. */
  taken: TakenSyncReturn | undefined;
}

/** What a sign-in that is under way shows in the box. */
export type SignInStep =
  | 'none'
  /** Who would be signed in; nothing has been sent. */
  | 'confirm'
  /** The BFF waits for the reader's answers. */
  | 'unfinished'
  /** The form stands in the box. */
  | 'form';

/** Time to read that the page itself is about to leave. */
const LEAVE_AFTER_MS = 2_500;

export class SignInController implements ReactiveController {
  /** A window is open, and how it ends is not known yet. */
  isWaiting = false;
  /** The browser opened no window. */
  isBlocked = false;
  /** Something is on its way to the BFF. */
  isBusy = false;
  /** The form's script could not be loaded. */
  isFormLost = false;
  problem: WidgetProblem | undefined;
  readonly #host: SignInHost;
  readonly #session: SessionController;
  #showsForm = false;
  #window: Window | null = null;
  #life: AbortController | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(host: SignInHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
  }

  get step(): SignInStep {
    if (this.#showsForm) return 'form';
    if (this.#host.taken?.kind === 'granted') return 'confirm';
    return this.#session.sync ? 'unfinished' : 'none';
  }

  /** The page is about to go to the service. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  hostConnected(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const isOwnWindow = (source: MessageEventSource | null): boolean => source !== null && source === this.#window;
    const origins = [this.#session.client.base.origin, location.origin];
    hearSessionChanges({ origins, isOwnWindow, signal }, () => void this.#hear());
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack(), { signal });
    if (this.#host.taken?.kind === 'granted' && this.#host.sync === 'inline') this.showForm();
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    this.#life?.abort();
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#stay();
    });
  }

  /** Takes the way that fits. Where that needs a window, it is open before this returns. */
  start(): void {
    if (this.isBusy) return;
    this.problem = this.#session.notice = undefined;
    this.isFormLost = false;
    const { taken, sync } = this.#host;
    if (taken?.kind === 'granted') void this.#handOver(taken);
    else if (this.#session.sync) this.#resume();
    else if (sync === 'inline') this.leave();
    else if (!this.#open(this.#authorizeUrl('popup'))) this.#leaving = setTimeout(() => this.leave(), LEAVE_AFTER_MS);
    this.#host.requestUpdate();
  }

  /** Goes to the service in this page. The draft is in storage already. */
  leave(): void {
    this.#stay();
    markWayBack(this.#host.forum);
    location.assign(this.#authorizeUrl('page'));
  }

  showForm(): void {
    this.#showsForm = true;
    this.#host.requestUpdate();
    defineSync().then(() => this.#host.requestUpdate(), () => {
      this.#showsForm = false;
      this.isFormLost = true;
      this.#host.requestUpdate();
    });
  }

  hideForm(): void {
    this.#showsForm = this.isBlocked = false;
    this.#host.taken = undefined;
    this.#host.requestUpdate();
    void this.#session.store.refresh();
  }

  /** The form in the box has come further: the box asks for itself, and tells the page. */
  followForm(event: Event): void {
    event.stopPropagation();
    void this.#session.store.refresh();
  }

  /** The form's end: a page that navigates by itself keeps the box, and the box goes on. */
  endForm(event: Event): void {
    queueMicrotask(() => {
      if (event.defaultPrevented) this.hideForm();
    });
  }

  /** Forgets the return that the address brought. Nothing was sent. */
  refuse(): void {
    this.#host.taken = this.problem = undefined;
    this.#host.requestUpdate();
  }

  /** Ends a sync that is under way. The service hears of it in the window where the reader would have signed in. */
  async cancel(): Promise<void> {
    const { sync } = this.#session;
    if (this.isBusy || !sync) return;
    const opened = openSignInWindow();
    await this.#send(async () => {
      const { completion_url } = await this.#session.client.cancelSync({ sync: sync.id });
      if (/^https?:\/\//i.test(completion_url)) opened?.location.replace(completion_url);
    });
    if (this.problem) opened?.close();
    this.endWait();
    await this.#session.store.refresh();
  }

  endWait(): void {
    this.isWaiting = this.isBlocked = false;
    this.#session.store.endWatch();
    this.#host.requestUpdate();
  }

  /** Hands the return over while the window waits, empty, for its address. */
  async #handOver({ syncReturn }: Extract<TakenSyncReturn, { kind: 'granted' }>): Promise<void> {
    if (!this.#open()) return this.showForm();
    await this.#send(async () => {
      const view = await this.#session.client.startSync({ ...syncReturn, forum: this.#host.forum });
      this.#host.taken = undefined;
      this.#session.store.adopt(view);
      this.#window?.location.replace(this.#session.client.formUrl());
    });
    if (!this.problem) return;
    if (!this.problem.retryable) this.#host.taken = undefined;
    this.#window?.close();
    this.endWait();
  }

  #resume(): void {
    if (this.#host.sync === 'inline' || !this.#open(this.#session.client.formUrl())) this.showForm();
  }

  /** Opens the window and begins to ask how it ends. */
  #open(url?: string): boolean {
    this.#window = openSignInWindow(url);
    this.isWaiting = this.#window !== null;
    this.isBlocked = !this.isWaiting;
    if (this.isWaiting) this.#session.store.watch();
    return this.isWaiting;
  }

  #stay(): void {
    clearTimeout(this.#leaving);
    this.#leaving = undefined;
  }

  async #hear(): Promise<void> {
    await this.#session.store.refresh();
    if (this.isWaiting && !this.#session.sync) this.endWait();
  }

  /** The browser brought the page back as it was left. */
  #comeBack(): void {
    this.#stay();
    this.isBlocked = this.#showsForm = false;
    this.#host.requestUpdate();
  }

  async #send(send: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.problem = undefined;
    this.#host.requestUpdate();
    try {
      await send();
    } catch (error) {
      if (!(error instanceof BffError)) throw error;
      this.problem = error.problem;
      this.#host.dispatchEvent(new ErrorEvent(error.problem));
    } finally {
      this.isBusy = false;
      this.#host.requestUpdate();
    }
  }

  #authorizeUrl(display: 'popup' | 'page'): string {
    return this.#session.client.authorizeUrl({ forum: this.#host.forum, returnTo: location.href, display });
  }
}
