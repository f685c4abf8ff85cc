/** What a person sees in a page and could click or read, across shadow roots. Runs in the page, as its own source. */

export interface Target {
  /** `button`: links too. `field`: by its label. `text`: any. */
  readonly kind: 'button' | 'label' | 'field' | 'text';
  /** Source of a regular expression over the text, white space as single blanks. */
  readonly text: string;
}

export interface Sight {
  /** Middle, in pixels of the viewport. */
  readonly x: number;
  readonly y: number;
  /** Of a field. */
  readonly value?: string;
}

/** The first that fits and can be seen; what is to be clicked is brought into view, and nothing lies over it. */
export function look({ kind, text }: Target): Sight | null {
  const pattern = new RegExp(text, 'u');
  const selector = { button: 'button, a[href]', label: 'label', field: 'label', text: '*' }[kind];
  for (const element of findAll(document)) {
    if (!pattern.test(element.textContent.replace(/\s+/g, ' ').trim()) || !element.checkVisibility()) continue;
    if (kind === 'text') return { x: 0, y: 0 };
    const target = kind === 'field' ? (element as HTMLLabelElement).control : element;
    if (!target || target.ariaDisabled === 'true') continue;
    target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    if (!width || !lies(target, x, y)) continue;
    return { x, y, ...('value' in target && { value: String(target.value) }) };
  }
  return null;

  function findAll(root: Document | ShadowRoot): Element[] {
    return [...root.querySelectorAll('*')].flatMap((element) => [
      ...(element.matches(selector) && !/^(?:SCRIPT|STYLE|HEAD|TITLE|HTML)$/.test(element.nodeName) ? [element] : []),
      ...(element.shadowRoot ? findAll(element.shadowRoot) : []),
    ]);
  }

  function lies(target: Element, x: number, y: number): boolean {
    let hit = document.elementFromPoint(x, y);
    for (let inner = within(hit, x, y); inner && inner !== hit; inner = within(hit, x, y)) hit = inner;
    return target.contains(hit);
  }

  function within(host: Element | null, x: number, y: number): Element | null | undefined {
    return host?.shadowRoot?.elementFromPoint(x, y);
  }
}
