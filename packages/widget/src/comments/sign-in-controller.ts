/**
 * Sign-in of the comment box: opens the window in the reader's click, shows the form in the box, or leaves the page on the
 * reader's click. A message of the form page reports the outcome; otherwise the box requests the session. `window.closed` is no
 * evidence: with `Cross-Origin-Opener-Policy` it is always true.
 */

import type { ReactiveController } from 'lit';
import type { SyncReturn } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { networkProblem } from '../client/network-problem.ts';
import { openSignInWindow } from '../session/sign-in-window.ts';
import { setReturnMarker, takeReturnMarker } from '../storage/reader-records.ts';
import { listenForRefusals, listenForSessionChanges, type SessionChange } from '../session/session-channel.ts';
import type { SessionStore } from '../session/session-store.ts';
import { loadSync } from '../sync/load-sync.ts';
import { reportProblem, request, type CommentsContext } from './comments-context.ts';
import type { Announcement, Phase } from './comments-state.ts';
import { message } from './phase-machine.ts';

export class SignInController implements ReactiveController {
  readonly #context: CommentsContext;
  #window: Window | null = null;
  #life: AbortController | undefined;

  constructor(context: CommentsContext) {
    this.#context = context;
  }

  get #store(): SessionStore {
    return this.#context.store;
  }

  hostConnected(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const { base } = this.#store.client;
    const origins = [base.origin, location.origin];
    // A window of another site that has closed since it sent the message has no reference any more. Its origin is checked.
    const isOwnWindow = (source: MessageEventSource | null): boolean => source === this.#window || source === null;
    listenForSessionChanges(base, { origins, isOwnWindow, signal }, (...change) => void this.#onSessionChange(...change));
    listenForRefusals({ origins, isOwnWindow, signal }, (problem) => this.#onRefusal(problem));
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#onPageRestored(), { signal });
  }

  hostDisconnected(): void {
    this.#life?.abort();
  }

  /** The box uses another BFF. */
  reconnect(): void {
    this.hostDisconnected();
    this.hostConnected();
  }

  /** Takes the variant that fits. If that needs a window, it is open before this returns.
   *  @param opened the window that the first stage has opened with the authorization request; `null`: the browser blocked it */
  start(opened?: Window | null): void {
    const { machine, drafts, host: { callback, sync } } = this.#context;
    if (machine.isBusy) return;
    machine.announce(undefined);
    if (opened) return this.#waitFor(opened);
    if (opened === null) return machine.go({ name: 'confirming-leave', isWindowBlocked: true }, { focus: 'panel' });
    if (callback?.kind === 'granted') return void this.#startSync(callback.syncReturn);
    const isInline = sync === 'inline';
    if (this.#store.view?.sync) {
      if (isInline || !this.#openWindow(this.#store.client.formUrl())) this.showForm();
    } else if (isInline && drafts.isSafe) {
      this.leavePage();
    } else if (isInline || !this.#openWindow(this.#authorizeUrl('popup'))) {
      machine.go({ name: 'confirming-leave', isWindowBlocked: !isInline }, { focus: 'panel' });
    }
  }

  leavePage(): void {
    setReturnMarker(this.#context.host.draft.key);
    location.assign(this.#authorizeUrl('page'));
  }

  showForm(syncReturn?: SyncReturn): void {
    const { machine } = this.#context;
    machine.go({ name: 'validating', syncReturn });
    loadSync().then(() => machine.focusForm(), (error: unknown) => {
      if (machine.is('validating')) machine.go({ name: 'writing' }, { announce: { kind: 'error', error: 'formNotLoaded' }, focus: 'field' });
      this.#onFormLoadError(error);
    });
  }

  closeForm(): void {
    this.#context.host.callback = undefined;
    this.#context.machine.go({ name: 'writing' }, { focus: 'field' });
    void this.#store.refresh();
  }

  /** The form in the box has changed the session: the box requests it, and its event replaces the form's. */
  onFormState(event: Event): void {
    event.stopPropagation();
    void this.#store.refresh();
  }

  /** If the page cancels the navigation, the box stays. */
  onFormCompleted(event: Event): void {
    queueMicrotask(() => {
      if (event.defaultPrevented) this.closeForm();
    });
  }

  refuseCallback(): void {
    this.#context.host.callback = undefined;
    this.#context.machine.go({ name: 'writing' }, { focus: 'field' });
  }

  async cancelSync(): Promise<void> {
    const { machine, store } = this.#context;
    const { client, view } = store;
    const sync = view?.sync;
    if (!sync || machine.isBusy) return;
    const opened = openSignInWindow();
    const phase: Phase = { name: 'cancelling-sync' };
    machine.go(phase);
    const outcome = await request(this.#context, () => client.cancelSync({ sync: sync.id }));
    if (outcome && /^https?:\/\//i.test(outcome.completion_url)) opened?.location.replace(outcome.completion_url);
    else opened?.close();
    if (machine.phase === phase) this.#endWait(machine.announcement, 'field');
    await store.refresh();
  }

  /** The window is not needed: the browser has a session already. */
  closeWindow(): void {
    this.#window?.close();
  }

  /** The box no longer waits for a window: ends the requests that its wait causes, and closes a window without a form. */
  stopWaiting(): void {
    const { machine } = this.#context;
    if (machine.is('starting-sync')) this.#window?.close();
    if (machine.is('starting-sync', 'waiting-for-window')) this.#store.endWatch(this);
  }

  /** Called after each change of the session: a wait ends after ten minutes, or with the sign-in. */
  onSession(): void {
    const { machine } = this.#context;
    const { isWatching, state } = this.#store;
    if (!machine.is('waiting-for-window') || isWatching) return;
    machine.go({ name: 'writing' }, { announce: state === 'signed-in' ? machine.announcement : message('signInTimedOut') });
  }

  /** Sends the callback to the BFF while the window that will show the form is open and empty. */
  async #startSync(syncReturn: SyncReturn): Promise<void> {
    const { machine, host, store } = this.#context;
    if (host.sync === 'inline' || !this.#openWindow()) return this.showForm(syncReturn);
    const phase: Phase = { name: 'starting-sync', syncReturn };
    machine.go(phase);
    const { client } = store;
    const view = await request(this.#context, () => client.startSync({ ...syncReturn, forum: host.forum }));
    // The page, the BFF or the reader may have ended the phase.
    if (machine.phase !== phase) return;
    if (view) {
      host.callback = undefined;
      machine.go({ name: 'waiting-for-window' });
      store.adopt(view);
      this.#window?.location.replace(client.formUrl());
      return;
    }
    const { announcement } = machine;
    if (announcement?.kind === 'problem' && !announcement.problem.retryable) host.callback = undefined;
    this.#window?.close();
    this.#endWait(announcement, host.callback ? 'panel' : 'field');
  }

  /** The window shows the problem too. */
  #onRefusal(problem: WidgetProblem): void {
    const { machine, host } = this.#context;
    this.#store.client.reportRefusal(problem, host.forum);
    if (!machine.is('waiting-for-window')) return;
    this.#window?.close();
    this.#endWait({ kind: 'problem', problem }, 'field');
    reportProblem(this.#context, problem);
  }

  #onFormLoadError(error: unknown): void {
    reportError(error);
    window.addEventListener('online', this.#prepareForm, { once: true, signal: this.#life!.signal });
    reportProblem(this.#context, networkProblem);
  }

  /** Loads the form, which the reader's next click shows. */
  readonly #prepareForm = (): void => void loadSync().catch((error: unknown) => this.#onFormLoadError(error));

  /** Opens the sign-in window in the reader's click; `false` if the browser blocks it. */
  #openWindow(url?: string): boolean {
    const opened = openSignInWindow(url);
    this.#window = opened;
    if (!opened) return false;
    this.#waitFor(opened);
    return true;
  }

  #waitFor(opened: Window): void {
    this.#window = opened;
    this.#store.watch(this);
    this.#context.machine.go({ name: 'waiting-for-window' });
  }

  #endWait(announce: Announcement | undefined, focus?: 'field' | 'panel'): void {
    this.#store.endWatch(this);
    this.#context.machine.go({ name: 'writing' }, { announce, ...(focus && { focus }) });
  }

  async #onSessionChange(change: SessionChange, instance?: string): Promise<void> {
    const { machine, drafts } = this.#context;
    if (change === 'signed-out') drafts.hideIfSignedOut(true);
    await this.#store.refresh();
    if (!machine.is('waiting-for-window') || change === 'signed-out') return;
    const { view, failure, state } = this.#store;
    if (change === 'signed-in' && state === 'anonymous' && !failure) return this.#reportBlockedCookie();
    if (change === 'already-granted') this.#endWait({ kind: 'notice', notice: 'already-granted' });
    else if (view && !view.sync) this.#endWait(instance === undefined ? machine.announcement : { kind: 'notice', notice: 'declined', instance });
  }

  /** The form page has signed the reader in, but this page has no session. */
  #reportBlockedCookie(): void {
    this.#store.endWatch(this);
    this.#context.machine.go({ name: 'cookie-blocked' }, { focus: 'panel' });
    const { base } = this.#store.client;
    import('../client/hints.ts').then(({ reportMissingCookie }) => reportMissingCookie(base), reportError);
  }

  /** The reader has come back without a sign-in by this page. */
  #onPageRestored(): void {
    const { machine, host } = this.#context;
    takeReturnMarker(host.draft.key);
    this.stopWaiting();
    if (machine.is('confirming-leave', 'starting-sync', 'validating', 'waiting-for-window')) machine.go({ name: 'writing' });
  }

  #authorizeUrl(display: 'popup' | 'page'): string {
    return this.#store.client.authorizeUrl({ forum: this.#context.host.forum, returnTo: location.href, display });
  }
}
