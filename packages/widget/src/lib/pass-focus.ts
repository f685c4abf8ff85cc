/** A focus that goes from an element which leaves the document to one that comes. */

/** How long what stays has it between, in ms: Orca with Chromium does not speak a focus that comes from an element which has
 *  gone, and Chromium reports the last focus of a frame alone. */
const PASS_MS = 100;

/** Focuses what stays, and then, where the reader has not moved the focus, what comes.
 *  @param isDrawn resolves once it is in the document */
export async function passFocus(
  stays: HTMLElement | undefined, comes: () => HTMLElement | undefined, isDrawn: Promise<unknown>,
): Promise<void> {
  stays?.focus({ preventScroll: true });
  await Promise.all([isDrawn, new Promise((resolve) => { setTimeout(resolve, PASS_MS); })]);
  if (!stays || stays.matches(':focus')) comes()?.focus({ preventScroll: true });
}
