/** HTML as a tagged template: what is put in is escaped, unless it is HTML itself. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined | false;

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => `${text}${render(parts[i - 1])}${string}`));
}

/** ` name="value"` with the value escaped, or nothing where it is undefined. */
export function attribute(name: string, value: string | undefined): Html {
  return new Html(value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`);
}

/** `text` where markup may stand: in an element and in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((item) => item.text).join('');
  return escapeHtml(String(part));
}
