/** The parts of `phrase` with each `{name}` replaced by its value: a text or a template, ready to be rendered. */
export function fill(phrase: string, values: Readonly<Record<string, unknown>>): unknown[] {
  return phrase.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : part));
}
