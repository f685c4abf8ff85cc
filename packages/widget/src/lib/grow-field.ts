/** Lets a text field grow with its text where the browser does not do so itself (`field-sizing`). */
export function growField(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  const { style } = field;
  style.blockSize = 'auto';
  style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}
