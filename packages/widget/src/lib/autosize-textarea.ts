/**
 * Lets a text field grow with its text in browsers without `field-sizing`. Only grows, and begins anew when the text is
 * gone, so that the page does not scroll while it is measured; a height that the reader has dragged stays.
 */
export function autosizeTextarea(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  const { style, dataset, scrollHeight, clientHeight, offsetHeight } = field;
  if (style.height !== (dataset['autosize'] ?? '')) return;
  if (!field.value) style.height = '';
  else if (scrollHeight > clientHeight) style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
  dataset['autosize'] = style.height;
}
