/** A window as a reader uses it: finds by words, clicks and writes. */

import { until } from '../lib/until.ts';
import type { EngineBrowser, EngineWindow } from './engine.ts';

interface Target {
  /** `button`: links too. `field`: by its label. `text`: any element. */
  readonly kind: 'button' | 'label' | 'field' | 'text';
  /** Source of a regular expression over the element's text, white space collapsed. */
  readonly text: string;
}

interface Sight {
  /** The middle, in pixels of the viewport. */
  readonly x: number;
  readonly y: number;
  /** Of a field. */
  readonly value?: string;
}

export class Tab {
  readonly #window: EngineWindow;

  constructor(window: EngineWindow) {
    this.#window = window;
  }

  get id(): string {
    return this.#window.id;
  }

  /** Engines do not draw a page in the background. */
  show = (): Promise<void> => this.#window.show();

  goTo = (url: string): Promise<void> => this.#window.goTo(url);

  userAgent = async (): Promise<string> => String(await this.#window.evaluate('navigator.userAgent'));

  /** Resolves when the new document has loaded. */
  async reload(): Promise<void> {
    await this.#window.evaluate('void (window.isBeforeReload = true, location.reload())');
    await this.#until('a reload', () => this.#window.evaluate('!window.isBeforeReload && document.readyState === "complete"'));
  }

  async sees(text: RegExp): Promise<void> {
    await this.#until(`the text ${text}`, () => this.#look({ kind: 'text', text: text.source }));
  }

  /** From now on: changes of the box's live regions that are spoken, and alerts that are inserted with their text. */
  async listen(): Promise<void> {
    await this.#window.evaluate(`(${listen})()`);
  }

  async heard(): Promise<readonly string[]> {
    return await this.#window.evaluate('window.heard') as string[];
  }

  async isAt(address: RegExp): Promise<void> {
    await this.#until(`the address ${address}`, async () => address.test(String(await this.#window.evaluate('location.href'))));
  }

  /** Clicks a button or a link once it stands still. */
  async press(text: RegExp): Promise<void> {
    await this.#click({ kind: 'button', text: text.source });
  }

  async choose(label: RegExp): Promise<void> {
    await this.#click({ kind: 'label', text: label.source });
  }

  async write(label: RegExp, text: string): Promise<void> {
    await this.#click({ kind: 'field', text: label.source });
    await this.#window.evaluate(`document.execCommand("insertText", false, ${JSON.stringify(text)})`);
    await this.holds(label, text);
  }

  async holds(label: RegExp, text: string): Promise<void> {
    await this.#until(`${JSON.stringify(text)} in the field ${label}`, async () => (
      (await this.#look({ kind: 'field', text: label.source }))?.value === text
    ));
  }

  async #click(target: Target): Promise<void> {
    let before: Sight | null = null;
    const { x, y } = await this.#until(`${target.kind} ${target.text}`, async () => {
      const now = await this.#look(target);
      const isStill = now?.x === before?.x && now?.y === before?.y;
      before = now;
      return isStill ? now : null;
    });
    await this.#window.clickAt(x, y);
  }

  async #look(target: Target): Promise<Sight | null> {
    return await this.#window.evaluate(`(${look})(${JSON.stringify(target)})`) as Sight | null;
  }

  async #until<T>(what: string, check: () => Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
    try {
      return await until(what, check);
    } catch (error) {
      throw new Error(`No ${what}. The page shows: ${String(await this.#window.evaluate(`(${wordsOfPage})()`).catch(() => ''))}`, { cause: error });
    }
  }
}

/** The window that opens during `act`. */
export async function opens(browser: EngineBrowser, act: () => Promise<void>): Promise<Tab> {
  const before = new Set((await browser.windows()).map(({ id }) => id));
  await act();
  return new Tab(await until('a window opens', async () => (await browser.windows()).find(({ id }) => !before.has(id))));
}

/** Resolves when the window has closed by itself and `page` is in front. */
export async function returns(browser: EngineBrowser, page: Tab, { id }: Tab): Promise<void> {
  await until('the window closes', async () => (await browser.windows()).every((window) => window.id !== id));
  await page.show();
}

/** Runs in the page. Finds the first visible match, shadow roots included. A target of a click is scrolled into view, and nothing
 *  covers it. */
function look({ kind, text }: Target): Sight | null {
  const pattern = new RegExp(text, 'u');
  const selector = { button: 'button, a[href]', label: 'label', field: 'label', text: 'body *' }[kind];
  const findAll = (root: Document | ShadowRoot): Element[] => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(root === document ? selector : selector.replace('body ', '')) ? [element] : []),
    ...(element.shadowRoot ? findAll(element.shadowRoot) : []),
  ]);
  const hitAt = (root: Document | ShadowRoot, x: number, y: number): Element | null => {
    const hit = root.elementFromPoint(x, y);
    return hit?.shadowRoot && hit.shadowRoot !== root ? hitAt(hit.shadowRoot, x, y) ?? hit : hit;
  };
  for (const element of findAll(document)) {
    if (!pattern.test(element.textContent.replace(/\s+/g, ' ').trim()) || !element.checkVisibility()) continue;
    if (kind === 'text') return { x: 0, y: 0 };
    const target = kind === 'field' ? (element as HTMLLabelElement).control : element;
    if (!target || target.ariaDisabled === 'true') continue;
    target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    if (width > 0 && target.contains(hitAt(document, x, y))) return { x, y, ...('value' in target && { value: String(target.value) }) };
  }
  return null;
}

/** Runs in the page. */
function wordsOfPage(): string {
  const box = document.querySelector('vestibule-comments, vestibule-sync')?.shadowRoot;
  return `${location.pathname}: ${box?.textContent ?? document.body.innerText}`.replace(/\s+/g, ' ').slice(0, 600);
}

/** Runs in the page. */
function listen(): void {
  const heard: string[] = (window as { heard?: string[] }).heard = [];
  const textOf = ({ textContent }: { textContent: string | null }): string => (textContent ?? '').replace(/\s+/g, ' ').trim();
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLElement && node.role === 'alert') heard.push(`alert: ${textOf(node)}`);
      const region = (target instanceof Element ? target : target.parentElement)?.closest('[role=alert], #status[aria-live=polite], #said');
      const text = region && textOf(region);
      if (text && region.getAttribute('role') === 'alert') heard.push(`filled: ${text}`);
      else if (text && heard.at(-1) !== `status: ${text}`) heard.push(`status: ${text}`);
    }
  }).observe(document.querySelector('vestibule-comments')!.shadowRoot!, { subtree: true, childList: true, characterData: true });
}
