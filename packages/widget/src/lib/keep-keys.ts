/** Listener for `keydown`, `keypress` and `keyup` of a field: keys that type or edit do not reach the page's hotkeys. Tab, Escape
 *  and function keys do. */
export function keepKeys(event: KeyboardEvent): void {
  if (!/^(?:Tab|Escape|F\d+)$/.test(event.key)) event.stopPropagation();
}
