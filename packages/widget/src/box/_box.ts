/** The comment box in a test, found by roles, names and parts, as a reader does; other tabs of the same browser; and the page. */

import { executeServerCommand, sendMouse } from '@web/test-runner-commands';
import { until } from '../../../../test/lib/until.ts';
import type { DevtoolsCommand } from '../../testing/devtools.ts';
import { TestBff } from '../_bff.ts';
import '../define.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

const BLANK = '/packages/widget/testing/blank.html';

/** Main button of a reader who is signed out, without and with a text. */
export const SIGN_IN = /^Sign in (?:to comment|and post)$/;

/** Label of the text field. */
export const FIELD = 'Your comment';

const { href } = location;

type View = Window & typeof globalThis;

/** An element as its reader meets it, nested elements included. */
export class Seen<Kind extends HTMLElement = HTMLElement> {
  readonly element: Kind;
  readonly events: CustomEvent[] = [];

  constructor(element: Kind) {
    this.element = element;
    for (const type of ['state', 'posted', 'error', 'completed']) {
      element.addEventListener(`vestibule-${type}`, (event) => this.events.push(event as CustomEvent));
    }
  }

  get words(): string {
    return wordsOf(this.element.shadowRoot ?? this.element);
  }

  /** Where the keyboard is, if it is in the element: the text of a button, the label of a field. (A failed assertion on an
   *  element itself does not end: the runner describes the whole page.) */
  get focus(): string {
    let focused: Element | null = this.element.shadowRoot!.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const [label] = (focused as Partial<HTMLTextAreaElement> | null)?.labels ?? [];
    return focused ? (label ?? focused).textContent.trim() : 'elsewhere';
  }

  async hasFocusOn(name: string): Promise<void> {
    await this.until(() => this.focus === name, `the focus on “${name}”`);
  }

  all<Found extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = this.element.shadowRoot!): Found[] {
    return [...root.querySelectorAll<Found>('*')].flatMap((element) => [
      ...element.matches(selector) ? [element] : [], ...element.shadowRoot ? this.all<Found>(selector, element.shadowRoot) : [],
    ]);
  }

  /** The first part of this name that can be seen. */
  part(name: string): HTMLElement | undefined {
    return this.all(`[part~=${name}]`).find((element) => element.checkVisibility({ visibilityProperty: true }));
  }

  /** The last button or link with this name that can be seen, or is in a menu whose button can: a question stands below its
   *  subject. */
  button(name: string | RegExp): HTMLButtonElement | undefined {
    const isIt = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
    return this.all<HTMLButtonElement>('button, a').findLast((button) => (
      (menuButtonOf(button) ?? button).checkVisibility({ visibilityProperty: true }) && isIt(button.textContent.trim())
    ));
  }

  offers(name: string | RegExp): boolean {
    return this.button(name) !== undefined;
  }

  async press(name: string | RegExp): Promise<void> {
    await this.until(() => this.button(name), `a button “${String(name)}”`);
    const button = this.button(name)!;
    if (!button.checkVisibility()) menuButtonOf(button)!.click();
    button.click();
  }

  /** A click of the mouse. */
  async click(name: string | RegExp): Promise<void> {
    await this.until(() => this.button(name), `a button “${String(name)}”`);
    await sendMouse({ type: 'click', position: middleOf(this.button(name)!) });
  }

  async until(isSo: () => unknown, what: string): Promise<void> {
    await until(what, async () => Boolean(await isSo())).catch((error: Error) => {
      error.message += `; instead: ${this.words}`;
      throw error;
    });
  }

  async says(words: string): Promise<void> {
    await this.until(() => this.words.includes(words), `the words “${words}”`);
  }

  details(type: string): unknown[] {
    return this.events.filter((event) => event.type === `vestibule-${type}`).map(({ detail }) => detail as unknown);
  }
}

export class Box extends Seen<VestibuleComments> {
  readonly bff: TestBff;

  constructor(bff: TestBff, element: VestibuleComments) {
    super(element);
    this.bff = bff;
  }

  get field(): HTMLTextAreaElement {
    return this.element.shadowRoot!.querySelector('textarea')!;
  }

  get status(): string {
    return this.all('#status, #silent').map((one) => wordsOf(one).trim()).join('');
  }

  get alert(): string {
    const [alert] = this.all('#alert');
    return alert ? wordsOf(alert).trim() : '';
  }

  /** What the row of the newest entry tells of its state. */
  get row(): string {
    const [row] = this.all('.entry .say');
    return row ? wordsOf(row).trim() : '';
  }

  async hasRow(words: string | RegExp): Promise<void> {
    const isIt = (row: string): boolean => typeof words === 'string' ? row.startsWith(words) : words.test(row);
    await this.until(() => isIt(this.row), `a row “${String(words)}”`);
  }

  /** The validation form in the box. */
  get form(): HTMLElement | undefined {
    return this.all('vestibule-sync')[0];
  }

  get primary(): HTMLElement | undefined {
    return this.part('primary-button');
  }

  /** The event of a focus that enters the box; the focus stays where it is. */
  turnTo(): void {
    this.element.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
  }

  /** A draft comes with the second stage. */
  async hasText(text: string): Promise<void> {
    await this.until(() => this.field.value === text, `the text “${text}”`);
  }

  write(text: string): void {
    this.field.value = text;
    this.field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  pressKeys(init: KeyboardEventInit = { ctrlKey: true }): void {
    this.field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, ...init }));
  }

  async post(text: string): Promise<void> {
    this.write(text);
    await this.press('Post comment');
  }

  async isSignedIn(name = ''): Promise<void> {
    await this.until(() => {
      const account = this.part('account')?.textContent;
      return this.element.matches(':state(signed-in)') && account?.includes(`Commenting as ${name}`);
    }, `a box of ${name}`);
  }

  async isSignedOut(): Promise<void> {
    await this.until(() => {
      const { state } = this.details('state').at(-1) as { state?: string } | undefined ?? {};
      return state === 'anonymous' && this.button(SIGN_IN);
    }, 'a box without an account');
  }

  /** @param request such as `GET /session` */
  async hasAsked(request: string, times: number): Promise<void> {
    await this.until(async () => (await this.bff.requests(request)).length === times, `${times} × ${request}`);
  }

  async signOutConfirmed(): Promise<void> {
    await this.press('Sign out');
    await this.says('Sign out? What is not posted is deleted.');
    await this.press('Sign out');
    await this.isSignedOut();
  }
}

export interface BoxOptions {
  readonly bff?: TestBff;
  /** Default: `forum="news"` and the address of `bff`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Children of the element, as HTML. */
  readonly content?: string;
  /** The box gets no focus. */
  readonly untouched?: boolean;
  /** Nothing of it is loaded. */
  readonly isFar?: boolean;
  /** Default: this one. */
  readonly tab?: Tab | undefined;
  /** Default: the body. */
  readonly place?: Node;
}

const removals: (() => void)[] = [];

export async function openBox({ bff = new TestBff(), attributes = {}, content = '', untouched, isFar, tab, place }: BoxOptions = {}): Promise<Box> {
  const { document } = tab?.view ?? window;
  const element = document.createElement('vestibule-comments');
  for (const [name, value] of Object.entries({ forum: 'news', bff: bff.url, ...attributes })) element.setAttribute(name, value);
  element.innerHTML = content;
  const box = new Box(bff, element);
  const { promise: isReady, resolve } = Promise.withResolvers<Event>();
  element.addEventListener('vestibule-ready', resolve, { once: true });
  const container = document.createElement('div');
  container.append(element);
  (place ?? document.body).appendChild(container);
  removals.push(() => container.remove());
  if (isFar) return box;
  element.scrollIntoView();
  await isReady;
  element.scrollIntoView();
  if (!untouched) box.turnTo();
  return box;
}

/** A box whose reader is signed in as Ada. */
export async function openSignedIn(options: BoxOptions = {}): Promise<Box> {
  const bff = options.bff ?? new TestBff();
  await bff.signIn();
  const box = await openBox({ ...options, bff });
  await box.isSignedIn('Ada');
  return box;
}

/** A BFF to which Ada was signed in from this browser before. */
export async function signedInBefore(): Promise<TestBff> {
  const { bff, element } = await openSignedIn();
  element.remove();
  return bff;
}

/** Another window of this browser, with modules of its own. */
export class Tab {
  readonly view: View;

  constructor(view: Window) {
    this.view = view as View;
  }

  /** Navigates to a page with the script of the elements. */
  async open(query = '', script = '/packages/widget/src/define.ts'): Promise<void> {
    await this.go(query);
    await this.load(script);
  }

  /** Navigates to a page. */
  async go(query = ''): Promise<void> {
    const { document: before, location } = this.view;
    location.assign(new URL(BLANK + query, href));
    await until('the page', () => this.view.document !== before && this.view.document.readyState === 'complete');
  }

  async load(address: string): Promise<void> {
    const { document } = this.view;
    const script = Object.assign(document.createElement('script'), { type: 'module', src: address });
    document.head.append(script);
    await new Promise((resolve, reject) => {
      script.addEventListener('load', resolve, { once: true });
      script.addEventListener('error', () => reject(new Error(`${address} does not load`)), { once: true });
    });
  }

  /** The page of the sign-in window: the form, until it would leave. */
  openForm({ url }: TestBff): Seen {
    const { document } = this.view;
    // The focus of another window leaves that of this one alone, other than that of a frame.
    this.view.HTMLElement.prototype.focus = () => {};
    const form = document.createElement('vestibule-sync');
    form.setAttribute('bff', url);
    form.addEventListener('vestibule-completed', (event) => event.preventDefault());
    document.body.append(form);
    return new Seen(form);
  }
}

/** Another tab, in a frame of this page. */
export async function openTab(query?: string): Promise<Tab> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'block-size: 400px; inline-size: 700px';
  document.body.append(frame);
  removals.push(() => frame.remove());
  const tab = new Tab(frame.contentWindow!);
  await tab.open(query);
  return tab;
}

/** Another window, which this one has opened under a name. */
export async function openPopup(name: string, query?: string): Promise<Tab> {
  const popup = window.open('about:blank', name)!;
  removals.push(() => popup.close());
  // An earlier test may have left a window of this name, which shows a page of another origin until it has navigated.
  await until('a page of this origin', () => popup.document);
  const tab = new Tab(popup);
  await tab.open(query);
  return tab;
}

/** Stands for a window that the page has opened. */
export class OpenedWindow {
  closed = false;
  /** Where it was sent, in order. */
  readonly addresses: string[];
  readonly target: string | undefined;
  readonly location = { replace: (url: string): void => void this.addresses.push(url) };

  constructor(url?: string | URL, target?: string) {
    this.addresses = [String(url)];
    this.target = target;
  }

  close(): void {
    this.closed = true;
  }

  focus(): void {}
}

/** What `window.open` opens from now on. */
export function recordWindows(view: View = window): OpenedWindow[] {
  const opened: OpenedWindow[] = [];
  const record: typeof open = (url, target) => opened[opened.push(new OpenedWindow(url, target)) - 1] as unknown as Window;
  replace(view, { open: record });
  return opened;
}

/** The browser blocks windows from now on. */
export function blockWindows(view: View = window): void {
  replace(view, { open: () => null });
}

/** Replaces properties until the end of the test. */
export function replace<Owner extends object>(owner: Owner, properties: Partial<Record<keyof Owner, unknown>>): void {
  for (const [name, value] of Object.entries(properties)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    removals.push(() => descriptor ? Object.defineProperty(owner, name, descriptor) : Reflect.deleteProperty(owner, name));
    Object.defineProperty(owner, name, { configurable: true, writable: true, value });
  }
}

export function refuseStorage(view: View = window): void {
  const descriptor = Object.getOwnPropertyDescriptor(view, 'localStorage')!;
  removals.push(() => Object.defineProperty(view, 'localStorage', descriptor));
  Object.defineProperty(view, 'localStorage', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });
}

/** The browser's storage takes nothing more. */
export function fillStorage(): void {
  replace(Storage.prototype, { setItem() { throw new DOMException('full', 'QuotaExceededError'); } });
}

/** The clock goes forward. */
export function letPass(ms: number): void {
  const { now } = Date;
  replace(Date, { now: () => now() + ms });
}

/** Everything that the browser has stored, as one text. */
export const stored = (): string => JSON.stringify({ ...localStorage, ...sessionStorage });

/** The reader comes back to the page by the Back button. */
export function comeBack(view: View = window): void {
  view.dispatchEvent(new view.PageTransitionEvent('pageshow', { persisted: true }));
}

/** The page's address gets a query. */
export function goTo(query: string): void {
  history.replaceState(null, '', location.pathname + query);
}

export function setCanonical(href: string): void {
  const link = document.querySelector('link[rel=canonical]') ?? document.createElement('link');
  link.setAttribute('rel', 'canonical');
  link.setAttribute('href', href);
  document.head.append(link);
  removals.push(() => link.remove());
}

export function middleOf(element: Element): [number, number] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

/** A command of the Chrome DevTools Protocol. */
export async function devtools(method: string, params: object = {}): Promise<void> {
  await executeServerCommand('devtools', { method, params } satisfies DevtoolsCommand as never);
}

/** The button that opens the menu of `button`. */
function menuButtonOf(button: Element): HTMLElement | undefined {
  const menu = button.closest('[popover]');
  const root = button.getRootNode() as ShadowRoot;
  return menu ? root.querySelector<HTMLElement>(`[popovertarget="${menu.id}"]`) ?? undefined : undefined;
}

function wordsOf(node: Node): string {
  const words = ({ nodeType, childNodes, textContent, shadowRoot }: Node & { shadowRoot?: ShadowRoot | null }): string => (
    nodeType === Node.TEXT_NODE ? textContent! : [...(shadowRoot ?? { childNodes }).childNodes].map(words).join('')
  );
  return words(node).replace(/\s+/g, ' ');
}

afterEach(() => {
  for (const remove of removals.splice(0).toReversed()) remove();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', href);
});
