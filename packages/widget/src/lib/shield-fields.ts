/** What the page does to keys, pointer, selection, clipboard, context menu, wheel, touch and drags elsewhere does not reach the
 *  fields of an element: such handlers of the page spare its own fields, but take the element itself for the target.
 *
 *  Nothing keeps the page's handlers in the capture phase away. `click`, and what ends a drag of the page, bubbles as usual. */

const KEYS = ['keydown', 'keypress', 'keyup'];
const OTHERS = ['beforeinput', 'contextmenu', 'copy', 'cut', 'dragover', 'dragstart', 'drop', 'mousedown', 'paste', 'pointerdown', 'selectstart',
  'touchend', 'touchmove', 'touchstart', 'wheel'];
const FIELDS = 'input,select,textarea';

export function shieldFields<Root extends HTMLElement | DocumentFragment>(root: Root): Root {
  const keep = (event: Event): void => {
    const { type, target } = event;
    const { key } = event as Partial<KeyboardEvent>;
    // Those that neither type nor edit bubble.
    if (key && /^(?:Tab|Escape|F\d+)$/.test(key)) return;
    // That of `selectstart` may be a text.
    const element = 'closest' in target! ? target as Element : (target as Node).parentElement;
    const kept = element?.closest(KEYS.includes(type) ? FIELDS : `${FIELDS},form`);
    // Not the page's own fields in a slot.
    if (kept?.getRootNode() === root) event.stopPropagation();
  };
  for (const type of [...KEYS, ...OTHERS]) root.addEventListener(type, keep, { passive: true });
  return root;
}
