/**
 * The life of a comment between the moments: random schedules over virtual days of what a reader, the network and the BFF do to
 * two tabs of one article. Pages are left and come back after seconds, minutes, hours or days; requests and responses are lost;
 * keys and sessions run out; machines sleep. After each step:
 * 1. one press makes at most one comment; one more is made only by “Post again” with a key that is spent or forgotten;
 * 2. no request leaves unless its text was pressed within the last ten minutes by the account that it is sent for;
 * 3. after a confirmed sign-out no text of the account is on the screen, among the reader's comments, or in storage;
 * 4. a text that was typed and not posted is in a field, in a panel or in storage;
 * 5. a text that may have been posted is asked about until its reader decides.
 *
 * Clock, timers, storage, messages, locks and requests of the pages are virtual: a page that is left is another frame later.
 */

import * as fc from 'fast-check';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type ProblemType, type User } from '@vestibule/shared';
import { openTab, replace } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

type View = Window & typeof globalThis;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PRESS_MS = 10 * MINUTE;

const users = [{ user_id: '42', username: 'Ada' }, { user_id: '43', username: 'Bo' }] as const;
const limits = { message_max_length: 10_000 };
const schedules = 2_000;

/** What becomes of a request. */
const fates = ['ok', 'busy', 'unknown', 'unknown-done', 'failed', 'lost-request', 'lost-response'] as const;
type Fate = typeof fates[number];

interface Press {
  readonly at: number;
  /** Where the text was pressed, now and before. */
  readonly pages: readonly Page[];
  readonly account: string;
  /** How many comments there may be of its text. */
  readonly allowed: number;
  /** Requests of other pages. */
  repeated: number;
}

interface Comment {
  readonly text: string;
  readonly account: string;
}

/** A page that holds a lock, or waits for it. */
interface Holder {
  readonly page: Page;
  readonly grant: () => void;
}

/** Time, and what the browser shares between its pages. */
class Browser {
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

/** The BFF, and the service behind it. */
class World {
  readonly browser: Browser;
  session: { readonly id: string; readonly user: User; readonly until: number } | undefined;
  fate: Fate = 'ok';
  isSlow = false;
  readonly comments: Comment[] = [];
  /** Texts, and the last press of each: when, by whom, and how many comments it may make. */
  readonly presses = new Map<string, Press>();
  readonly firstSentAt = new Map<string, number>();
  /** Texts whose key is of no use. */
  readonly spent = new Set<string>();
  /** Texts that may have been posted, for all that their reader was told, by account. */
  readonly unsure = new Map<string, string>();
  readonly records = new Map<string, { readonly body: string; readonly at: number; isDone: boolean }>();
  /** What goes on at the BFF. */
  readonly held: { readonly page: Page; readonly text: string | undefined; readonly go: () => void }[] = [];
  fault: string | undefined;

  constructor(browser: Browser) {
    this.browser = browser;
  }

  isOut(text: string, page?: Page): boolean {
    return this.held.some((request) => request.text === text && (!page || request.page === page));
  }

  async answer(page: Page, method: string, path: string, query: URLSearchParams, init: RequestInit): Promise<Response> {
    const { fate } = this;
    const post = path === 'posts' ? JSON.parse(String(init.body)) as NewPost : undefined;
    if (post) this.#onPost(page, post);
    if (fate === 'lost-request') {
      if (post) this.#tell(post, 'unknown');
      throw new TypeError('Failed to fetch');
    }
    const key = new Headers(init.headers).get('Idempotency-Key') ?? '';
    const carryOut = post && this.#begin(post, key, fate);
    if (this.isSlow) {
      await new Promise<void>((go, fail) => {
        this.held.push({ page, text: post?.message, go });
        init.signal?.addEventListener('abort', () => { if (!post) fail(init.signal!.reason as Error); });
        page.onLeave.push(() => fail(new TypeError('Failed to fetch')));
      });
    }
    if (post) return this.#end(post, carryOut!, fate);
    if (method === 'DELETE') {
      const session = query.get('session');
      if (['busy', 'failed', 'unknown'].includes(fate)) return problem('service-unavailable');
      if (!session || session === this.session?.id) this.session = undefined;
      if (fate === 'lost-response') throw new TypeError('Failed to fetch');
      return new Response(null, { status: 204 });
    }
    if (fate !== 'ok') return problem('service-unavailable');
    if (this.session && this.session.until < this.browser.now) this.session = undefined;
    const { id, user } = this.session ?? {};
    return Response.json({ limits, ...(user ? { state: 'signed-in', session: id, user } : { state: 'anonymous' }) });
  }

  #onPost(page: Page, { message, expected_user_id }: NewPost): void {
    const press = this.presses.get(message);
    if (!press || ![expected_user_id, ''].includes(press.account)) this.fault ??= `2: sent “${message}” for ${expected_user_id} without a press`;
    else if (this.browser.now - press.at > PRESS_MS) this.fault ??= `2: sent “${message}” ${this.browser.now - press.at} ms after the press`;
    else if (!press.pages.includes(page) && (press.repeated += 1) > 1) this.fault ??= `2: repeated “${message}” again`;
    if (!this.firstSentAt.has(message)) this.firstSentAt.set(message, this.browser.now);
  }

  /** The response of a request with the key that is known, or how it is carried out. */
  #begin(post: NewPost, key: string, fate: Fate): ProblemType | 'posted' | 'carry out' {
    const { now } = this.browser;
    if (fate === 'busy') return 'service-unavailable';
    if (!this.session || this.session.until < now) return 'not-signed-in';
    if (this.session.user.user_id !== post.expected_user_id) return 'user-changed';
    const body = JSON.stringify(post);
    const known = this.records.get(key);
    if (known && now - known.at < DAY) {
      if (known.body !== body) return 'idempotency-key-reused';
      return known.isDone ? 'posted' : 'post-in-progress';
    }
    this.records.set(key, { body, at: now, isDone: false });
    if (!this.isSlow) this.#create(post, key, fate);
    else this.held.push({ page: NOBODY, text: undefined, go: () => this.#create(post, key, fate) });
    return 'carry out';
  }

  #create({ message, expected_user_id }: NewPost, key: string, fate: Fate): void {
    if (fate === 'failed') this.records.delete(key);
    if (fate === 'unknown' || fate === 'failed') return;
    this.records.set(key, { ...this.records.get(key)!, isDone: true });
    this.comments.push({ text: message, account: expected_user_id! });
    const made = this.comments.filter(({ text }) => text === message).length;
    if (made > (this.presses.get(message)?.allowed ?? 0)) this.fault ??= `1: ${made} comments “${message}”`;
  }

  #end(post: NewPost, begun: ProblemType | 'posted' | 'carry out', fate: Fate): Response {
    if (fate === 'lost-response') {
      this.#tell(post, 'unknown');
      throw new TypeError('Failed to fetch');
    }
    const type = begun !== 'carry out' ? begun : fate === 'ok' ? 'posted' : fate === 'failed' ? 'internal-error' : 'outcome-unknown';
    this.#tell(post, type);
    // The repetition waits for the first request.
    if (type === 'post-in-progress' && this.presses.has(post.message)) this.presses.get(post.message)!.repeated = 0;
    if (type !== 'posted') return problem(type, type === 'user-changed' ? this.session!.user : undefined);
    return Response.json({ post: {} }, { status: 201 });
  }

  #tell({ message, expected_user_id }: NewPost, outcome: string): void {
    if (outcome === 'posted') this.unsure.delete(message);
    if (/unknown|internal|progress|reused/.test(outcome)) this.unsure.set(message, expected_user_id!);
    if (/outcome-unknown|reused/.test(outcome)) this.spent.add(message);
  }
}

function problem(type: ProblemType, user?: User): Response {
  const body = { type: PROBLEM_TYPE_PREFIX + type, ...problemTypes[type], detail: 'A detail', ...(user && { user }) };
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '20' };
  return Response.json(body, { status: body.status, headers });
}

/** A frame with modules of its own. The tabs of a schedule use each frame once. */
class Page {
  readonly view: View;
  /** What happens when the page is left. */
  onLeave: (() => void)[] = [];
  element: VestibuleComments | undefined;
  #browser!: Browser;
  #world!: World;
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
      localStorage: new Proxy(storage, {
        ownKeys: () => Object.keys(page.#browser.stored), getOwnPropertyDescriptor: () => ENUMERABLE,
      }),
      setTimeout: (act: () => void, ms = 0) => {
        const timer = { page, at: page.#browser.now + ms, act };
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
      request: (name: string, { signal }: { signal?: AbortSignal }, act: () => Promise<unknown>) => (
        page.#browser.lock(page, name, signal, act)
      ),
    } });
  }

  /** The reader opens the article. */
  open(world: World, bff: string): void {
    [this.#world, this.#browser, this.onLeave, this.#channels] = [world, world.browser, [], []];
    this.element = this.view.document.createElement('vestibule-comments');
    Object.assign(this.element, { forum: 'news', page: 'https://www.example.com/article', bff });
    this.view.document.body.append(this.element);
  }

  /** The browser fails the requests, then stops the scripts. */
  async leave(): Promise<void> {
    const { element } = this;
    if (!element) return;
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
      if (element && view !== this.view) queueMicrotask(() => view.dispatchEvent(Object.assign(new view.Event('storage'), { key })));
    }
  }

  get root(): ShadowRoot {
    return this.element!.shadowRoot!;
  }

  get field(): HTMLTextAreaElement {
    return this.root.querySelector('textarea')!;
  }

  get buttons(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('button:not(.away):not([aria-disabled=true])')];
  }

  button(name: string): HTMLElement | undefined {
    return this.buttons.findLast(({ textContent }) => textContent.trim() === name);
  }

  /** Id of the account that the box shows. */
  get account(): string | undefined {
    const initial = this.root.querySelector('[part=avatar]')!.textContent;
    return users.find(({ username }) => username.startsWith(initial) && initial)?.user_id;
  }

  get shown(): string {
    return `${this.field.value} ${[...this.root.querySelectorAll('q, .posts')].map(({ textContent }) => textContent).join(' ')}`;
  }

  dispatch(type: string): void {
    this.view.dispatchEvent(new this.view.Event(type));
  }

  type(text: string): void {
    const { field } = this;
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }
}

const ENUMERABLE = { enumerable: true, configurable: true };
const NOBODY = {} as Page;

const port = new MessageChannel();

/** The microtasks of all pages, and the modules that they import. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => {
      port.port1.onmessage = resolve;
      port.port2.postMessage(null);
    });
  }
}

class Run {
  readonly world = new World(new Browser());
  readonly bff = `https://${crypto.randomUUID()}.example/`;
  readonly tabs: Page[];
  /** Pages that this schedule has not used. */
  readonly #unused: Page[];
  /** Words that must not be lost, by the account that wrote them; empty: not known yet. */
  readonly words = new Map<string, string>();
  /** Words of which nothing may be left. */
  readonly forgotten = new Set<string>();
  #count = 0;

  constructor(pages: readonly Page[]) {
    this.world.browser.pages.push(...pages);
    this.#unused = [...pages];
    this.tabs = [this.#unused.pop()!, this.#unused.pop()!];
    for (const page of this.tabs) page.open(this.world, this.bff);
  }

  newWord(): string {
    this.#count += 1;
    return `word${this.#count}.`;
  }

  drop(text: string): void {
    for (const word of this.words.keys()) if (text.includes(word)) this.words.delete(word);
  }

  /** The reader leaves the tab's page and opens the article again. */
  async reload(index: number, afterMs: number, isAsleep: boolean): Promise<void> {
    const next = this.#unused.pop();
    if (!next) return;
    await this.tabs[index]!.leave();
    await settle();
    await this.world.browser.pass(afterMs, isAsleep);
    this.tabs[index] = next;
    next.open(this.world, this.bff);
  }

  /** What the pages still do has no effect. */
  async end(): Promise<void> {
    const { pages } = this.world.browser;
    const elements = pages.map((page) => page.stop());
    for (const element of elements) element?.remove();
    for (const page of pages) page.dispatch('pageshow');
    await settle();
  }

  async press(page: Page, name: string): Promise<void> {
    const button = page.button(name);
    if (!button) return;
    const { world, world: { browser: { now } } } = this;
    const { value } = page.field;
    // A reader whose session has ended still sees their text, and may sign out.
    const account = page.account ?? page.element!.draft.key.account;
    if (name === 'Post comment') {
      const { allowed = 1, pages = [] } = world.presses.get(value) ?? {};
      world.presses.set(value, { at: now, pages: [...pages, page], account, allowed, repeated: 0 });
    } else if (name === 'Post again') {
      for (const [text, owner] of world.unsure) if (owner === account) world.unsure.delete(text);
      const { allowed = 1, pages = [] } = world.presses.get(value) ?? {};
      const isKeyOver = world.spent.delete(value) || now - (world.firstSentAt.get(value) ?? now) >= DAY;
      world.presses.set(value, {
        at: now, pages: [...pages, page], account, allowed: isKeyOver ? allowed + 1 : allowed, repeated: 0,
      });
    } else if (name === 'I can see it') {
      for (const [text, owner] of world.unsure) if (owner === account) world.unsure.delete(text);
      this.drop(value);
    }
    this.#learnOwners();
    const isAsked = page.button('Stay signed in') !== undefined;
    button.click();
    await settle();
    // Without a text there is no question. The focus of the page may have found another account in place of an answer.
    const signOut = JSON.parse(world.browser.stored[`vestibule:signed-out ${this.bff}`] ?? '{}') as { at?: number };
    if (name === 'Sign out' && (isAsked || signOut.at === now)) this.#forget(account);
  }

  #forget(account: string): void {
    for (const [word, owner] of this.words) {
      // What was written before the session was known may be the account's.
      if (['', account].includes(owner)) this.words.delete(word);
      if (owner === account) this.forgotten.add(word);
    }
    for (const { text, account: owner } of this.world.comments) if (owner === account) this.forgotten.add(text);
    for (const [text, owner] of this.world.unsure) if (owner === account) this.world.unsure.delete(text);
  }

  /** A word belongs to the account under which it is stored. */
  #learnOwners(): void {
    for (const [key, value] of Object.entries(this.world.browser.stored)) {
      const [kind, , account = ''] = key.split(' ');
      if (kind !== 'vestibule:draft') continue;
      for (const word of this.words.keys()) if (account && value.includes(word)) this.words.set(word, account);
    }
  }

  check(step: string): void {
    try {
      this.#check(step);
    } catch (error) {
      const shown = this.tabs.map(({ root }) => root.querySelector('section')!.textContent.replace(/\s+/g, ' ')).join(' | ');
      const stored = JSON.stringify(this.world.browser.stored);
      throw new Error(`${(error as Error).message}; shown: ${shown}; stored: ${stored}`, { cause: error });
    }
  }

  #check(step: string): void {
    const { world } = this;
    if (world.fault) throw new Error(`${step}: ${world.fault}`);
    for (const { text } of world.comments) this.drop(text);
    this.#learnOwners();
    const stored = JSON.stringify(world.browser.stored);
    const shown = this.tabs.map((page) => page.shown).join(' ');
    for (const word of this.forgotten) {
      if (stored.includes(word)) throw new Error(`${step}: 3: “${word}” is stored`);
      if (shown.includes(word)) throw new Error(`${step}: 3: “${word}” is on the screen`);
    }
    for (const [word, owner] of this.words) {
      if (!stored.includes(word) && !shown.includes(word)) throw new Error(`${step}: 4: lost “${word}” of ${owner}`);
      for (const page of this.tabs) {
        const { account } = page;
        if (account && owner && account !== owner && page.shown.includes(word)) throw new Error(`${step}: “${word}” of ${owner} for ${account}`);
      }
    }
    for (const page of this.tabs) {
      for (const [text, owner] of world.unsure) {
        const isBusy = page.field.readOnly || world.isOut(text);
        const asks = page.button('Post again') ?? page.button('Stay signed in') ?? page.button('Stay here') ?? page.button('Show window');
        if (page.account === owner && !isBusy && !asks) throw new Error(`${step}: 5: “${text}” is not asked about`);
      }
    }
  }
}

interface Step {
  readonly name: string;
  readonly act: (run: Run, page: Page, index: number) => unknown;
  readonly [fc.toStringMethod]: () => string;
}

const step = (name: string, act: Step['act']): Step => ({ name, act, [fc.toStringMethod]: () => name });

const delays = [2 * SECOND, 40 * SECOND, 5 * MINUTE, 11 * MINUTE, 3 * HOUR, 25 * HOUR, 3 * DAY] as const;

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.boolean().map((isAppended): Step => step('type', (run, page) => {
    const { field } = page;
    if (field.readOnly) return;
    page.element!.dispatchEvent(new FocusEvent('focusin'));
    const word = run.newWord();
    run.words.set(word, page.element!.draft.key.account);
    if (!isAppended) run.drop(field.value);
    page.type(isAppended ? `${field.value}${word}` : word);
  })) },
  { weight: 7, arbitrary: fc.constant(step('press “Post comment”', (run, page) => run.press(page, 'Post comment'))) },
  { weight: 4, arbitrary: fc.constant(step('press “Post again”', (run, page) => run.press(page, 'Post again'))) },
  { weight: 1, arbitrary: fc.constantFrom('I can see it', 'Stop trying', 'Stay signed in').map((name): Step => (
    step(`press “${name}”`, (run, page) => run.press(page, name))
  )) },
  { weight: 2, arbitrary: fc.constant(step('press “Sign out”', (run, page) => run.press(page, 'Sign out'))) },
  { weight: 6, arbitrary: fc.constantFrom(...fates).map((fate): Step => step(`requests are ${fate}`, ({ world }) => { world.fate = fate; })) },
  { weight: 3, arbitrary: fc.boolean().map((isSlow): Step => step(isSlow ? 'the BFF is slow' : 'the BFF is fast', ({ world }) => {
    world.isSlow = isSlow;
    if (!isSlow) for (const { go } of world.held.splice(0)) go();
  })) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean()).map(([ms, isAsleep]): Step => (
    step(`leave and return after ${ms / SECOND} s`, (run, _page, index) => run.reload(index, ms, isAsleep))
  )) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean()).map(([ms, isAsleep]): Step => (
    step(`${ms / SECOND} s pass${isAsleep ? ' asleep' : ''}`, ({ world }) => world.browser.pass(ms, isAsleep))
  )) },
  { weight: 5, arbitrary: fc.constantFrom(...users, users[0], users[0]).map((user): Step => step(`${user.username} signs in`, ({ world }, page) => {
    world.session = { id: crypto.randomUUID(), user, until: world.browser.now + 14 * DAY };
    page.element!.dispatchEvent(new FocusEvent('focusin'));
    page.dispatch('focus');
  })) },
  { weight: 1, arbitrary: fc.constant(step('the session runs out', ({ world }) => { world.session = undefined; })) },
  { weight: 2, arbitrary: fc.constantFrom('online', 'focus').map((type): Step => step(type, (_run, page) => page.dispatch(type))) },
);

describe('the life of a comment, in two tabs and over days', () => {
  it('has one comment for a press, nothing by itself, nothing left behind, nothing lost, and every doubt said', async () => {
    const pages: Page[] = [];
    for (let index = 0; index < 7; index += 1) pages.push(new Page((await openTab()).view));
    // Every page loads its modules first.
    let run = new Run(pages);
    for (const page of pages) {
      if (!page.element) page.open(run.world, run.bff);
      page.element!.dispatchEvent(new FocusEvent('focusin'));
      await new Promise((resolve) => page.element!.addEventListener('vestibule-state', resolve, { once: true }));
    }
    await run.end();
    const sequences = fc.array(fc.tuple(steps, fc.nat(3)), { minLength: 8, maxLength: 22, size: 'max' });
    await fc.assert(fc.asyncProperty(sequences, async (sequence) => {
      run = new Run(pages);
      run.world.session = { id: crypto.randomUUID(), user: users[0], until: run.world.browser.now + 14 * DAY };
      await settle();
      for (const { element } of run.tabs) element!.dispatchEvent(new FocusEvent('focusin'));
      await settle();
      for (const [{ name, act }, index] of sequence) {
        // A step takes time; three in four are of the first tab.
        run.world.browser.now += SECOND;
        const tab = index === 3 ? 1 : 0;
        await act(run, run.tabs[tab]!, tab);
        await settle();
        run.check(`${name} (tab ${tab})`);
      }
    }).afterEach(() => run.end()), { numRuns: schedules, includeErrorInReport: true });
  }).timeout(600_000);
});
