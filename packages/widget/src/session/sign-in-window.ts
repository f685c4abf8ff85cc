/** The sign-in window, in the middle of this one. On a screen to the left or above, its coordinates are negative. */

const NAME = 'vestibule-sync';
const WIDTH = 480;
const HEIGHT = 720;

/** The window of this page: there is one of this name. */
let opened: Window | null = null;

/** Opens the window, or returns the one that is open; `null` if the browser blocks it, or a function of the page stands in for
 *  `open`. Call it in a click handler before any `await`. */
export function openSignInWindow(url = 'about:blank'): Window | null {
  const left = window.screenX + (window.outerWidth - WIDTH) / 2;
  const top = window.screenY + (window.outerHeight - HEIGHT) / 2;
  // A reader may go on in a sign-in window that stayed open: it must not replace itself.
  const name = isSignInWindow() ? '_blank' : NAME;
  opened = null;
  try {
    const given = window.open(url, name, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
    if (given?.closed === false) opened = given;
  } catch {}
  return opened;
}

/** The window that this page has opened, also by an element that is gone. */
export function signInWindow(): Window | null {
  return opened;
}

/** Whether this window is the sign-in window of another page, whose redirect URI is a page with a box. */
export function isSignInWindow(): boolean {
  return window.name === NAME;
}
