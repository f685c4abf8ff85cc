/**
 * Pages of one browser over virtual days, for models: clock, timers, storage, messages, locks and requests are virtual. A page
 * that is left is another frame later.
 */

import type { User } from '@vestibule/shared';
import { openTab, replace } from './_box.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

type View = Window & typeof globalThis;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export const users = [{ user_id: '42', username: 'Ada', key: 'key of Ada' }, { user_id: '43', username: 'Bo', key: 'key of Bo' }] as const satisfies (User & { key: string })[];

/** What the requests of the pages meet. */
export interface Server {
  readonly browser: Browser;
  answer(page: Page, method: string, path: string, query: URLSearchParams, init: RequestInit): Promise<Response>;
  /** The page is left: nobody learns what has become of its requests. */
  leave(page: Page): void;
}

/** A response whose body is there at once: that of the browser takes a time that no virtual clock knows. */
export function respond(body: object, init?: ResponseInit): Response {
  const text = JSON.stringify(body);
  return Object.assign(Response.json(body, init), { text: () => Promise.resolve(text) });
}

/** A page that holds a lock, or waits for it. */
interface Holder {
  readonly page: Page;
  readonly grant: () => void;
}

/** Time, and what the browser shares between its pages. */
export class Browser {
  now = 1_800_000_000_000;
  readonly pages: Page[] = [];
  /** Of localStorage. Its keys are the properties. */
  stored: Record<string, string> = {};
  timers: { readonly page: Page; readonly at: number; readonly act: () => void }[] = [];
  readonly #locks = new Map<string, Holder[]>();

  /** @param isAsleep timers fire at the end, all together */
  async pass(ms: number, isAsleep: boolean): Promise<void> {
    const end = this.now + ms;
    if (isAsleep) this.now = end;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.act();
      await settle();
    }
    this.now = end;
  }

  async lock(page: Page, name: string, signal: AbortSignal | undefined, act: () => Promise<unknown>): Promise<unknown> {
    if (!page.element) return new Promise(() => {});
    const queue = this.#locks.get(name) ?? [];
    this.#locks.set(name, queue);
    const turn = Promise.withResolvers<void>();
    const own = { page, grant: turn.resolve };
    signal?.addEventListener('abort', () => {
      if (queue.includes(own, 1)) turn.reject(signal.reason as Error);
    });
    queue.push(own);
    if (queue.length === 1) own.grant();
    try {
      await turn.promise;
      return await act();
    } finally {
      this.#release(queue, (holder) => holder === own);
    }
  }

  /** The page stops. */
  leave(page: Page): void {
    this.timers = this.timers.filter((timer) => timer.page !== page);
    for (const queue of this.#locks.values()) this.#release(queue, (holder) => holder.page === page);
  }

  #release(queue: Holder[], isGone: (holder: Holder) => boolean): void {
    const first = queue[0];
    queue.splice(0, queue.length, ...queue.filter((holder) => !isGone(holder)));
    if (queue[0] !== first) queue[0]?.grant();
  }
}

/** A frame with modules of its own. The tabs of a schedule use each frame once. */
export class Page {
  /** Opens frames, as many as the pages of a schedule. */
  static async openAll(count: number): Promise<Page[]> {
    const pages: Page[] = [];
    while (pages.length < count) pages.push(new Page((await openTab()).view));
    return pages;
  }

  readonly view: View;
  /** What happens when the page is left. */
  onLeave: (() => void)[] = [];
  element: VestibuleComments | undefined;
  /** `sessionStorage`, which the next page of a tab takes over. */
  tab = new Map<string, string>();
  #browser!: Browser;
  #world!: Server;
  #channels: { readonly name: string; readonly listeners: ((event: MessageEvent) => void)[] }[] = [];

  constructor(view: View) {
    this.view = view;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the classes and functions of its window refer to the page
    const page = this;
    class Channel {
      readonly name: string;
      readonly listeners: ((event: MessageEvent) => void)[] = [];
      constructor(name: string) {
        this.name = name;
        page.#channels.push(this);
      }

      addEventListener(_: string, listener: (event: MessageEvent) => void): void {
        this.listeners.push(listener);
      }

      postMessage(data: unknown): void {
        if (!page.element) return;
        const open = page.#browser.pages.flatMap((each) => each.element ? each.#channels : []);
        for (const channel of open.filter((other) => other !== this && other.name === this.name)) {
          queueMicrotask(() => { for (const listener of channel.listeners) listener({ data } as MessageEvent); });
        }
      }

      close(): void {
        page.#channels = page.#channels.filter((channel) => channel !== this);
      }
    }
    const storage = {
      getItem: (key: string) => page.#browser.stored[key] ?? null,
      setItem: (key: string, value: string) => page.#store(key, value),
      removeItem: (key: string) => page.#store(key, undefined),
    };
    replace(view, {
      BroadcastChannel: Channel,
      sessionStorage: {
        getItem: (key: string) => page.tab.get(key) ?? null,
        setItem: (key: string, value: string) => { page.tab.set(key, value); },
        removeItem: (key: string) => { page.tab.delete(key); },
      },
      localStorage: new Proxy(storage, {
        ownKeys: () => Object.keys(page.#browser.stored), getOwnPropertyDescriptor: () => ENUMERABLE,
      }),
      setTimeout: (act: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
        const timer = { page, at: page.#browser.now + ms, act: () => act(...values) };
        if (page.element) page.#browser.timers.push(timer);
        return timer;
      },
      clearTimeout: (timer: unknown) => { page.#browser.timers = page.#browser.timers.filter((each) => each !== timer); },
      fetch: (input: string, init: RequestInit = {}) => {
        const { pathname, searchParams } = new URL(input);
        if (!page.element) return new Promise(() => {});
        return page.#world.answer(page, init.method ?? 'GET', pathname.slice(1), searchParams, init);
      },
      open: () => ({ closed: false, close() {}, focus() {}, location: { replace() {} } }),
    });
    replace(view.Date, { now: () => page.#browser.now });
    replace(view.navigator, { locks: {
      request: (name: string, { signal }: { signal?: AbortSignal }, act: (lock: object) => Promise<unknown>) => (
        page.#browser.lock(page, name, signal, () => act({}))
      ),
    } });
  }

  /** The reader opens the article. @param tab that of the page before in the same tab */
  open(world: Server, bff: string, attributes: object = {}, tab = new Map<string, string>()): void {
    this.#world = world;
    this.#browser = world.browser;
    this.onLeave = [];
    this.#channels = [];
    this.tab = tab;
    this.element = this.view.document.createElement('vestibule-comments');
    Object.assign(this.element, { forum: 'news', page: 'https://www.example.com/article', bff, ...attributes });
    this.view.document.body.append(this.element);
  }

  /** The browser fails the requests, then stops the scripts. */
  async leave(): Promise<void> {
    const { element } = this;
    if (!element) return;
    this.#world.leave(this);
    this.dispatch('pagehide');
    for (const act of this.onLeave) act();
    await Promise.resolve();
    this.stop();
    element.remove();
  }

  stop(): VestibuleComments | undefined {
    const { element } = this;
    this.element = undefined;
    if (element) this.#browser.leave(this);
    return element;
  }

  #store(key: string, value: string | undefined): void {
    const { stored, pages } = this.#browser;
    if (!this.element || stored[key] === value) return;
    if (value === undefined) delete stored[key];
    else stored[key] = value;
    for (const { element, view } of pages) {
      // Another process is told of it a moment later.
      if (element && view !== this.view) soon(() => view.dispatchEvent(Object.assign(new view.Event('storage'), { key })));
    }
  }

  get root(): ShadowRoot {
    return this.element!.shadowRoot!;
  }

  button(name: string): HTMLElement | undefined {
    const buttons = [...this.root.querySelectorAll<HTMLElement>('button:not(.away):not([aria-disabled=true])')];
    return buttons.findLast(({ textContent }) => textContent.trim() === name);
  }

  /** Id of the account that the box shows. */
  get account(): string | undefined {
    const initial = this.root.querySelector('[part=avatar]')?.textContent;
    return users.find(({ username }) => initial && username.startsWith(initial))?.user_id;
  }

  dispatch(type: string): void {
    this.view.dispatchEvent(new this.view.Event(type));
  }
}

const ENUMERABLE = { enumerable: true, configurable: true };

const { port1, port2 } = new MessageChannel();
const tasks: (() => void)[] = [];
port1.onmessage = () => tasks.shift()!();

/** In the next task. */
function soon(act: () => void): void {
  tasks.push(act);
  port2.postMessage(null);
}

/** What all pages still do without a timer, a request that is held, or a module that is not loaded yet. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 6; round += 1) await new Promise<void>(soon);
}
