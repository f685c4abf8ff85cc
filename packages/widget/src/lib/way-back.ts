/** Remembers, for this tab, which box the reader left to sign in, so that it can bring itself into view when they come
 *  back. */

const NAME = 'vestibule:way-back';

export function markWayBack(forum: string): void {
  try {
    sessionStorage.setItem(NAME, forum);
  } catch {}
}

/** Whether the reader is on the way back to the box of `forum`; true once. */
export function takeWayBack(forum: string): boolean {
  try {
    if (sessionStorage.getItem(NAME) !== forum) return false;
    sessionStorage.removeItem(NAME);
    return true;
  } catch {
    return false;
  }
}
