/** Texts of live regions. */

/** Firefox reports a change within a text in pieces, each of which Orca speaks: the old text goes first, for this long, in ms. */
const GONE_MS = 150;

/** The text that each region has, or will have when its timer ends. */
const texts = new WeakMap<Element, { readonly text: string; readonly timer?: ReturnType<typeof setTimeout> }>();

/** Changes the text of a live region, in the text node that it has. Each text is written once.
 *  @param isAgain also the text that the region has: it is true of something else */
export function setText(region: Element, text: string, isAgain = false): void {
  const { text: before, timer: waiting } = texts.get(region) ?? { text: '' };
  if (text === before && !isAgain) return;
  clearTimeout(waiting);
  write(region, before ? '' : text);
  const timer = before && text ? setTimeout(() => write(region, text), GONE_MS) : undefined;
  texts.set(region, { text, ...(timer !== undefined && { timer }) });
}

function write(region: Element, text: string): void {
  const [first, second] = region.childNodes;
  if (first?.nodeType !== Node.TEXT_NODE || second) region.textContent = text;
  else first.nodeValue = text;
}

/** Takes the description, or some of it, from a focused element until the focus leaves it: a live region says what changes in it,
 *  and Orca would speak the new description as well. @param muted ids of elements; default: all */
export function muteDescription(focused: Element | null | undefined, muted?: readonly string[]): void {
  const ids = focused?.getAttribute('aria-describedby');
  if (!focused || !ids) return;
  const rest = muted ? ids.split(' ').filter((id) => !muted.includes(id)).join(' ') : '';
  if (rest === ids) return;
  if (rest) focused.setAttribute('aria-describedby', rest);
  else focused.removeAttribute('aria-describedby');
  focused.addEventListener('blur', function restore() {
    // The window has lost the focus, not the element.
    if ((focused.getRootNode() as Document | ShadowRoot).activeElement === focused) return;
    focused.removeEventListener('blur', restore);
    focused.setAttribute('aria-describedby', ids);
  });
}
