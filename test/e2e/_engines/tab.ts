/** A window as a reader uses it: looks, clicks and writes, each with a deadline. */

import { setTimeout } from 'node:timers/promises';
import type { EngineReader, EngineWindow } from './engine.ts';
import { look, type Sight, type Target } from './look.ts';

const DEADLINE_MS = 20_000;
const POLL_MS = 40;

export class Tab {
  readonly #window: EngineWindow;

  constructor(window: EngineWindow) {
    this.#window = window;
  }

  get id(): string {
    return this.#window.id;
  }

  /** A page in the background is not drawn, and what waits for its sight never comes. */
  show(): Promise<void> {
    return this.#window.show();
  }

  async goTo(url: string): Promise<void> {
    await this.show();
    await this.#window.goTo(url);
  }

  async userAgent(): Promise<string> {
    return String(await this.#window.evaluate('navigator.userAgent'));
  }

  /** Resolves once the new document is there. */
  async reload(): Promise<void> {
    await this.#window.evaluate('void (window.isBeforeReload = true, location.reload())');
    await until('the page is loaded again', async () => await this.#window.evaluate('!window.isBeforeReload && document.readyState === "complete"'));
  }

  async comeOnline(): Promise<void> {
    await this.#window.evaluate('void dispatchEvent(new Event("online"))');
  }

  /** Turns to the comment box, which requests the session then. */
  async turnToBox(): Promise<void> {
    await until('a comment box', async () => await this.#window.evaluate(
      `(() => {
        const box = document.querySelector("vestibule-comments:defined");
        box?.scrollIntoView({ block: "center", behavior: "instant" });
        box?.focus();
        return box !== null;
      })()`,
    ));
  }

  async sees(text: RegExp): Promise<void> {
    await until(`the text ${text}`, () => this.#look({ kind: 'text', text: text.source }), () => this.#words());
  }

  async isAt(address: RegExp): Promise<void> {
    await until(`the address ${address}`, async () => address.test(String(await this.#window.evaluate('location.href'))));
  }

  /** Clicks a button or a link once it stands still. */
  async press(text: RegExp): Promise<void> {
    await this.#click({ kind: 'button', text: text.source });
  }

  async choose(label: RegExp): Promise<void> {
    await this.#click({ kind: 'label', text: label.source });
  }

  async write(label: RegExp, text: string): Promise<void> {
    const field = await this.#click({ kind: 'field', text: label.source });
    const isAll = field.value === '' ? '' : 'document.execCommand("selectAll"), ';
    await this.#window.evaluate(`(${isAll}document.execCommand("insertText", false, ${JSON.stringify(text)}))`);
    await this.holds(label, text);
  }

  async holds(label: RegExp, text: string): Promise<void> {
    await until(`${JSON.stringify(text)} in the field ${label}`, async () => (
      (await this.#look({ kind: 'field', text: label.source }))?.value === text
    ), () => this.#words());
  }

  async #click(target: Target): Promise<Sight> {
    let before = '';
    const sight = await until(`${target.kind} ${target.text}`, async () => {
      const now = await this.#look(target);
      const isStill = now !== null && JSON.stringify(now) === before;
      before = JSON.stringify(now);
      return isStill ? now : undefined;
    }, () => this.#words());
    await this.#window.clickAt(sight.x, sight.y);
    return sight;
  }

  async #look(target: Target): Promise<Sight | null> {
    return await this.#window.evaluate(`(${look.toString()})(${JSON.stringify(target)})`) as Sight | null;
  }

  async #words(): Promise<string> {
    return String(await this.#window.evaluate(`(${wordsOfPage.toString()})()`));
  }
}

/** The window that opens while `act` runs. */
export async function opens(reader: EngineReader, act: () => Promise<void>): Promise<Tab> {
  const before = new Set((await reader.windows()).map(({ id }) => id));
  await act();
  return new Tab(await until('a window opens', async () => (await reader.windows()).find(({ id }) => !before.has(id))));
}

/** The window closes by itself, and the reader has the page before them again. */
export async function comesBack(reader: EngineReader, page: Tab, { id }: Tab): Promise<void> {
  await until('the window closes', async () => (await reader.windows()).every((window) => window.id !== id));
  await page.show();
}

/** What `ask` comes to, once that is something. A page that is on its way elsewhere answers later. */
async function until<T>(what: string, ask: () => Promise<T>, circumstances = () => Promise.resolve('')): Promise<NonNullable<T>> {
  const endsAt = performance.now() + DEADLINE_MS;
  let failure: unknown;
  while (performance.now() < endsAt) {
    try {
      const answer = await ask();
      failure = undefined;
      if (answer) return answer;
    } catch (error) {
      failure = error;
    }
    await setTimeout(POLL_MS);
  }
  throw new Error(`Waited for ${what} in vain. ${await circumstances().catch(() => '')}`, { cause: failure });
}

/** Runs in the page: where it is, and what the elements say, or the page where it has none. */
function wordsOfPage(): string {
  const wordsOf = (root: Document | ShadowRoot): string => [...root.querySelectorAll('*')]
    .map(({ shadowRoot }) => shadowRoot ? `${shadowRoot.textContent} ${wordsOf(shadowRoot)}` : '')
    .join('');
  return `${location.pathname}: ${wordsOf(document) || document.body.innerText}`.replace(/\s+/g, ' ').slice(0, 600);
}
