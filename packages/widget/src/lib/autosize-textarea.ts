/**
 * Grows a text field with its text in browsers without `field-sizing`. Never shrinks it before it is empty, because measuring
 * that would scroll the page. A height that the reader has dragged stays.
 */
export function autosizeTextarea(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  const { style, dataset, scrollHeight, clientHeight, offsetHeight } = field;
  if (style.height !== (dataset['autosize'] ?? '')) return;
  if (!field.value) style.height = '';
  else if (scrollHeight > clientHeight) style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
  dataset['autosize'] = style.height;
}
