/** What a page says while another window has the focus, most screen readers drop. */

/** After the window has the focus: a screen reader speaks the window and the focus first. In ms. */
export const SAY_AFTER_MS = 200;

/** Runs `say` once this window has the focus. */
export function onceFocused(say: () => unknown): void {
  if (document.hasFocus()) say();
  else addEventListener('focus', () => setTimeout(say, SAY_AFTER_MS), { once: true });
}
