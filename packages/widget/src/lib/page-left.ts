/** Whether the page is being left: a browser fails its requests before it stops its scripts. It may restore the page. */

let isLeft = false;

// A server that imports the package has no window.
globalThis.addEventListener?.('pagehide', () => { isLeft = true; });
globalThis.addEventListener?.('pageshow', () => { isLeft = false; });

export function isPageLeft(): boolean {
  return isLeft;
}
