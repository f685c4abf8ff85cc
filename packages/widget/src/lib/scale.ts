/**
 * Pixels of the viewport in a pixel of the element: CSS `zoom` and `transform: scale()` of the page. A rect is measured in
 * pixels of the viewport, a length in a style in those of the element.
 */
export function scaleOf(element: HTMLElement): number {
  return element.getBoundingClientRect().height / element.offsetHeight || 1;
}
