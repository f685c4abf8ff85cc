/** Focus of the comment box. */

import { passFocus } from '../lib/pass-focus.ts';
import type { Box } from './box.ts';
import type { FocusTarget } from './box-state.ts';

/** The reader has put the focus elsewhere in the page. */
export function isFocusElsewhere({ element }: Box): boolean {
  const { activeElement } = document;
  // Not `:focus-within`: in Chromium nothing matches it until the window's `focus` event is over.
  const isWithin = element.contains((element.getRootNode() as Document | ShadowRoot).activeElement);
  return activeElement !== null && activeElement !== document.body && !isWithin;
}

/** Unless the focus is elsewhere; once this window has it. */
export function moveFocus(box: Box, target: FocusTarget, isPressed = false): void {
  if (!isPressed && isFocusElsewhere(box)) return;
  // The sign-in was started by an action of the thread.
  if (target === 'field-on-return' && box.root.activeElement?.localName === 'vestibule-thread') return;
  if (target !== 'field-on-return') focusOn(box, target);
  else if (document.hasFocus()) focusOn(box, 'field');
  else addEventListener('focus', () => moveFocus(box, target), { once: true });
}

/** The panel's primary action by way of the panel, or its form, or the panel itself while that loads. Where none of them takes
 *  the focus, the field does, or the notice of a closed article, which hides an empty field. */
export function focusOn({ root, text }: Box, target: 'field' | 'panel'): void {
  const panel = target === 'panel' ? root.querySelector<HTMLElement>('.panel') : null;
  const primary = (): HTMLElement | undefined => panel?.querySelector<HTMLElement>('.primary') ?? undefined;
  if (panel && primary()) {
    panel.scrollIntoView({ block: 'nearest' });
    void passFocus(panel, primary, Promise.resolve());
  } else {
    (panel?.querySelector<HTMLElement>('vestibule-sync:defined') ?? panel)?.focus();
  }
  if (panel?.matches(':focus-within')) return;
  text.element!.focus();
  if (!text.element!.checkVisibility()) root.querySelector<HTMLElement>('#closed')?.focus();
}

/** Moves the focus from the panel to its form, which has loaded. */
export function focusForm({ root }: Box): void {
  const form = root.querySelector('vestibule-sync');
  void form?.updateComplete.then(() => {
    if (root.activeElement?.matches('.panel')) form.focus();
  });
}
