/** Focus of the comment box. */

import type { FocusTarget } from './comments-state.ts';
import type { CommentsHost } from './box-host.ts';

/** Unless the reader has put the focus elsewhere in the page; once this window has it. */
export function moveFocus(host: CommentsHost, target: FocusTarget, isPressed = false): void {
  const { activeElement } = document;
  // Not `:focus-within`: in Chromium nothing matches it until the window's `focus` event is over.
  const isWithin = host.element.contains((host.element.getRootNode() as Document | ShadowRoot).activeElement);
  if (!isPressed && activeElement && activeElement !== document.body && !isWithin) return;
  // The sign-in was started by an action of the thread.
  if (target === 'field-on-return' && (host.renderRoot as ShadowRoot).activeElement?.localName === 'vestibule-thread') return;
  if (target !== 'field-on-return') focusOn(host, target);
  else if (document.hasFocus()) focusOn(host, 'field');
  else addEventListener('focus', () => moveFocus(host, target), { once: true });
}

/** The panel's primary action or form, or the panel itself while its form loads. Where none of them takes the focus, the field
 *  does, or the notice of a closed article, which hides an empty field. */
export function focusOn({ field, renderRoot }: CommentsHost, target: 'field' | 'panel'): void {
  for (const selector of target === 'panel' ? ['.panel .primary', '.panel vestibule-sync:defined', '.panel[tabindex]'] : []) {
    const element = renderRoot.querySelector<HTMLElement>(selector);
    element?.focus();
    if (element?.matches(':focus-within')) return;
  }
  field.focus();
  if (!field.checkVisibility()) renderRoot.querySelector<HTMLElement>('#closed')?.focus();
}

/** Moves the focus from the panel to its form, which has loaded. */
export function focusForm({ renderRoot }: CommentsHost): void {
  const form = renderRoot.querySelector('vestibule-sync');
  void form?.updateComplete.then(() => {
    if ((renderRoot as ShadowRoot).activeElement?.matches('.panel')) form.focus();
  });
}
