/** The session of the reader at a box: what becomes of the box with its changes, and the sign-out. */

import type { SessionView } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { VestibuleStateEvent } from '../events/events.ts';
import { SessionStore } from '../session/session-store.ts';
import type { Box } from './box.ts';

export class BoxSession {
  readonly #box: Box;
  /** The session with the BFF of the element. */
  store: SessionStore;
  /** The view that was adopted last. */
  #view: SessionView | undefined;
  #signOuts: number;
  #unsubscribe = (): void => {};
  /** The sign-out in progress, of this box. */
  #signingOut: Promise<void> | undefined;
  /** The reader has signed out in this box, or reads that it did not get through. */
  #isSignOutTold = false;

  constructor(box: Box) {
    this.#box = box;
    this.store = SessionStore.at(bffAddress(box.element.bff));
    this.#signOuts = this.store.signOuts;
  }

  connect(): void {
    this.#unsubscribe();
    this.#unsubscribe = this.store.subscribe(() => this.#onStore());
    this.#onStore();
  }

  disconnect(): void {
    this.#unsubscribe();
  }

  /** Another BFF has other accounts: nothing of the present one is carried over. */
  change(base: URL): void {
    this.store.isSigningIn = false;
    this.store = SessionStore.at(base);
    this.#signOuts = this.store.signOuts;
    this.#view = this.#signingOut = undefined;
    this.#isSignOutTold = false;
  }

  /** A second call joins the first. */
  async signOut(): Promise<void> {
    if (!this.#signingOut) this.#box.send({ type: 'sign-out' });
    await this.#signingOut;
  }

  /** Nothing of the account is left here when this returns, whatever comes of the request. */
  end(): void {
    this.#isSignOutTold = true;
    const ending: Promise<void> = this.#signingOut = this.store.signOut(this.#box.text.key.account).then(() => {
      if (this.#signingOut === ending) this.#signingOut = undefined;
    });
    this.#onStore();
  }

  #onStore(): void {
    const box = this.#box;
    const { view, failure, signOuts, isSignOutOpen } = this.store;
    if (signOuts !== this.#signOuts) this.#empty(signOuts);
    if (failure && !this.store.isFailureReported && !box.element.parent) {
      this.store.isFailureReported = true;
      box.report(failure.problem);
    }
    const from = this.#view;
    this.#view = view ?? from;
    if (view && view !== from) this.#adopt(view, from);
    if (this.#isSignOutTold && !isSignOutOpen && !box.account) box.send({ type: 'signed-out' });
    this.#isSignOutTold = isSignOutOpen && (this.#signingOut !== undefined || failure !== undefined);
    box.requestUpdate();
  }

  #adopt(view: SessionView, from: SessionView | undefined): void {
    const { account, element, text, entries, signIns, pressed } = this.#box;
    if (view.notice) this.#box.send({ type: 'notice', notice: view.notice });
    const shown = text.key.account;
    if (from?.state === view.state && from.user?.user_id === view.user?.user_id && (!account || account === shown)) return;
    const isFirst = from === undefined;
    const isBack = signIns.isBack && isFirst;
    text.followReader();
    entries.setReader();
    if (!account) entries.takeBack();
    this.#box.send({ type: 'session', isFirst, isBack, isOtherAccount: account !== '' && shown !== '' && account !== shown });
    // The message of the window may come later.
    if (pressed.isAccepted) pressed.drop();
    if (isBack) text.element!.scrollIntoView({ block: 'center' });
    if (from?.state !== view.state && !element.parent) element.dispatchEvent(new VestibuleStateEvent(view.state));
  }

  /** The reader has signed out, here or in another document. */
  #empty(signOuts: number): void {
    const { pressed, text } = this.#box;
    this.#signOuts = signOuts;
    pressed.drop();
    const hadAccount = text.key.account !== '';
    // Also one that was written signed out.
    text.reread();
    if (hadAccount && !this.#signingOut && !this.#isSignOutTold) this.#box.send({ type: 'signed-out-elsewhere' });
  }
}
