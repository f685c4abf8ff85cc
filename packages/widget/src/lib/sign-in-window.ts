/** The window that a reader signs in in. */

const NAME = 'vestibule-sync';
const WIDTH = 480;
const HEIGHT = 720;

/** Opens the window, or takes the one that is open already; `null` where the browser refuses. Call it in the handler
 *  of a click, before anything is awaited. */
export function openSignInWindow(url = 'about:blank'): Window | null {
  const left = Math.max(0, window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - HEIGHT) / 2);
  const opened = window.open(url, NAME, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  return opened && !opened.closed ? opened : null;
}
