/**
 * The sign-in window and the messages about a sign-in. `window.closed` alone is no evidence: with `Cross-Origin-Opener-Policy` it
 * is always true. The box then stops waiting when the reader is back, and takes the session when it comes.
 */

import type { SyncDisplay } from '@vestibule/shared';
import { authorizeUrl } from '../client/client.ts';
import { networkProblem } from '../client/problem.ts';
import { isSyncPage } from '../session/callback-address.ts';
import { hasCallback, takeCallback } from '../session/callback.ts';
import { isSignInWindow, openSignInWindow, signInWindow } from '../session/sign-in-window.ts';
import { listenForHints, type SessionChange } from '../session/session-channel.ts';
import { returnAddress } from '../storage/page-identity.ts';
import { setReturnMarker, takeReturnMarker } from '../storage/return-marker.ts';
import { loadSync } from './load-form.ts';
import type { Box } from './box.ts';
import { focusForm } from './focus.ts';

export type SignInTarget = 'authorize' | 'form';

/** How long a window may take to close, in ms. */
const RETURN_MS = 500;

export class SignIn {
  readonly #box: Box;
  /** The reader left this page to sign in and has come back. */
  isBack = false;

  constructor(box: Box) {
    this.#box = box;
  }

  /** @param signal ends it */
  connect(signal: AbortSignal): void {
    const { base } = this.#box.store.client;
    listenForHints(base, {
      // A window of another site that has closed since it sent the message has no reference any more. Its origin is checked.
      isOwnWindow: (source) => source === signInWindow() || source === null,
      onChange: (...change) => void this.#onSessionChange(...change),
      onWindowFinished: (account) => this.#box.pressed.accept(account),
      onRefusal: (problem) => {
        this.#box.send({ type: 'refused', problem });
        this.#box.store.client.reportRefusal(problem, this.#box.element.forum);
      },
      signal,
    });
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#onPageRestored(), { signal });
    window.addEventListener('focus', () => void this.#onReturn(), { signal });
    // The form is there again after a reload, Back or Forward, and its button posts.
    window.addEventListener('pagehide', () => this.#box.state.phase.name === 'form' && this.#box.pressed.record && this.#mark(), { signal });
  }

  /** Goes on after a sign-in to which the address or this tab leads back. Returns whether there is one. */
  resume(): boolean {
    const box = this.#box;
    const { store, store: { client: { base } } } = box;
    const callback = hasCallback(location) ? takeCallback(location, history, base) : undefined;
    if (callback?.kind === 'granted') box.send({ type: 'return', syncReturn: callback.syncReturn });
    else if (callback?.kind === 'invalid-return') box.send({ type: 'invalid-callback' });
    else if (callback) box.send({ type: 'notice', notice: { id: '', kind: callback.kind } });
    // A service worker of the site has answered the navigation of the sign-in window with a page that has a box.
    if (isSignInWindow() && isSyncPage(base)) box.send({ type: 'form-failed' });
    const marker = takeReturnMarker(box.text.key);
    this.isBack ||= marker !== undefined;
    if (marker?.press) box.pressed.replace(marker.press);
    const isReturn = callback !== undefined || this.isBack;
    if (isReturn) store.markChanged();
    return isReturn;
  }

  /** Opens the window in the reader's press; `null` if the browser blocks it. */
  open(target: SignInTarget): Window | null {
    return openSignInWindow(this.#urlOf(target));
  }

  /** In the window that is open and empty. */
  lead(target: SignInTarget): void {
    signInWindow()?.location.replace(this.#urlOf(target));
  }

  /** In place of a blocked window, a frame opens a tab: the service's pages are not shown in frames. */
  leave(): void {
    const isFramed = window.top !== window && this.#box.element.sync === 'popup';
    const url = this.#authorizeUrl('page', !isFramed);
    this.#mark();
    if (!isFramed) location.assign(url);
    // A sandbox without `allow-popups`.
    else if (!window.open(url, '_blank')) this.#box.send({ type: 'form-failed' });
  }

  /** The reader leaves the page to sign in. */
  #mark(): void {
    const { text: { key: { bff, forum, page } }, pressed } = this.#box;
    setReturnMarker({ bff, forum, page, press: pressed.record });
  }

  loadForm(): void {
    loadSync().then(() => focusForm(this.#box), (error: unknown) => {
      this.#box.send({ type: 'form-failed' });
      reportError(error);
      this.#box.report(networkProblem);
    });
  }

  /** The form in the box has changed the session: the box requests it, and its event replaces the form's. */
  onFormState(event: Event): void {
    event.stopPropagation();
    void this.#box.store.refresh();
  }

  /** If the page cancels the navigation, the box stays. Otherwise the reader comes back to it. */
  onFormCompleted(event: Event): void {
    this.#mark();
    queueMicrotask(() => {
      if (!event.defaultPrevented) return;
      takeReturnMarker(this.#box.text.key);
      this.#box.send({ type: 'form-closed' });
    });
  }

  hintCookie(): void {
    const { base } = this.#box.store.client;
    import('../client/hints.ts').then(({ reportMistake }) => reportMistake('cookies-blocked', { bff: base.href }), reportError);
  }

  async #onSessionChange(change: SessionChange, instance?: string): Promise<void> {
    const box = this.#box;
    const { store } = box;
    if (change === 'signed-out') {
      // A box of this page has sent the message, or storage has told of it already.
      if (store.user || box.text.key.account) store.follow(true);
      return undefined;
    }
    store.markChanged();
    await store.refresh();
    const { view, failure, state } = store;
    // The element may have been given another BFF meanwhile.
    if (box.store !== store) return undefined;
    if (change === 'signed-in' && state === 'anonymous' && !failure) return box.send({ type: 'cookie-missing' });
    // Every page of the browser gets the message: those that wait for no sign-in ignore it.
    if (change === 'already-granted' && box.state.phase.name !== 'waiting') return undefined;
    if (change === 'already-granted') box.send({ type: 'notice', notice: { id: '', kind: change } });
    else if (instance !== undefined) box.send({ type: 'notice', notice: { id: '', kind: 'declined', instance } });
    if (view && !view.sync) box.send({ type: 'sign-in-ended' });
    // The session may have come before the message.
    if (box.pressed.isAccepted) box.send({ type: 'window-finished' });
  }

  /** The page has the focus again. A window that closes gives it before it is closed. */
  async #onReturn(): Promise<void> {
    const { store } = this.#box;
    await new Promise((resolve) => setTimeout(resolve, RETURN_MS));
    if (this.#box.state.phase.name !== 'waiting' || !signInWindow()?.closed) return;
    await store.refresh();
    if (signInWindow()?.closed && store.state !== 'signed-in' && !store.failure) this.#box.send({ type: 'window-closed' });
  }

  /** The reader has come back without a sign-in by this page. */
  #onPageRestored(): void {
    takeReturnMarker(this.#box.text.key);
    this.#box.send({ type: 'restored' });
  }

  #urlOf(target: SignInTarget): string {
    const { store: { client }, localizer } = this.#box;
    return target === 'form' ? client.formUrl(globalThis.origin, localizer.around) : this.#authorizeUrl('popup');
  }

  /** @param hasPress its end can reach this box: the press posts */
  #authorizeUrl(display: SyncDisplay, hasPress = true): string {
    const { store: { client: { base } }, pressed, element, localizer } = this.#box;
    const returnTo = returnAddress() ?? location.origin;
    return authorizeUrl(base, element.forum, returnTo, display, localizer.around, hasPress && pressed.record !== undefined);
  }

  /** The BFF leads back to the page. */
  get canLeave(): boolean {
    return returnAddress() !== undefined;
  }

  /** The next sign-in takes place in a window. */
  get isInWindow(): boolean {
    return this.#box.element.sync !== 'inline' || !this.canLeave;
  }
}
