/** A press that signs in before the second stage is there to do so: in the one window, or in the page. */

import { openSignInWindow } from '../session/sign-in-window.ts';
import { remove, RETURN_MARKER, setReturnMarker, type PressRecord } from '../storage/storage.ts';

export class SignInPress {
  /** The reader has left the page to sign in, until the browser shows the same page again: a second stage that loads meanwhile
   *  would take this for their return. */
  left: Promise<void> | undefined;
  /** Of an earlier press: further ones show it again. */
  #opened: Window | null = null;

  /** The page is shown again, or the reader has stayed and presses again. */
  stay = (): void => {};

  openWindow(url: string): Window | null {
    if (this.#opened?.closed === false) this.#opened.focus();
    else this.#opened = openSignInWindow(url);
    return this.#opened;
  }

  /** Leaves the page, whose text is stored. Returns `false` where the browser does not store the way back. */
  leave(bff: URL, forum: string, url: string, press?: PressRecord): boolean {
    if (!setReturnMarker(bff, forum, { press })) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.stay = () => {
      removeEventListener('pageshow', this.stay);
      remove(RETURN_MARKER, 'sessionStorage');
      resolve();
    };
    addEventListener('pageshow', this.stay);
    location.assign(url);
    return true;
  }
}
