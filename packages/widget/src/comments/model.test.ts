/**
 * Random sequences of what a reader, the BFF and the pages do to the comment boxes of two tabs. After each step:
 * - each box has exactly one primary action beside the editor of an entry, or is busy;
 * - each word is in a field or in storage, unless its reader deleted, replaced or posted it, or signed out;
 * - no box shows a word that is not posted to another account than the one that wrote it;
 * - what was posted is what a field contained when its reader submitted, of the account that the box showed then.
 * At the end of each sequence a removed box asks nothing more; the outbox may still send. Its own model has the other rules.
 */

import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type ProblemType, type SessionView, type User } from '@vestibule/shared';
import { openTab, replace } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

type View = Window & typeof globalThis;

const { isLong } = globalThis as unknown as { readonly isLong: boolean };

const ada = { user_id: '42', username: 'Ada' };
const bo = { user_id: '43', username: 'Bo' };
const limits = { message_max_length: 60 };
const problems = [
  'service-unavailable', 'not-signed-in', 'outcome-unknown', 'post-rejected', 'internal-error', 'cross-site-request', 'too-many-requests',
] as const satisfies readonly ProblemType[];

/** The BFF, in this page. */
class World {
  session: SessionView = { state: 'anonymous', limits };
  problem: ProblemType | 'network' | undefined;
  isHeld = false;
  requests = 0;
  readonly posts: { readonly message: string; readonly account: string }[] = [];
  /** Successful sign-outs. */
  signOuts = 0;
  readonly #held: (() => void)[] = [];

  release(): void {
    this.isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  async answer(method: string, path: string, { signal, body }: RequestInit): Promise<Response> {
    if (path !== 'posts') this.requests += 1;
    if (this.isHeld) {
      await new Promise<void>((resolve, reject) => {
        this.#held.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }
    if (this.problem === 'network') throw new TypeError('Failed to fetch');
    if (this.problem) return this.#fail(this.problem);
    switch (`${method} ${path}`) {
      case 'GET session': return Response.json(this.session);
      case 'DELETE session':
        this.signOuts += 1;
        this.session = { state: 'anonymous', limits };
        return new Response(null, { status: 204 });
      case 'POST posts': {
        const { state, user } = this.session;
        if (state !== 'signed-in') return this.#fail('not-signed-in');
        const { message, expected_user_id } = JSON.parse(String(body)) as NewPost;
        if (expected_user_id !== user!.user_id) return this.#fail('user-changed', user);
        this.posts.push({ message, account: user!.username });
        return Response.json({ post: {} }, { status: 201 });
      }
      case 'POST sync/cancel':
        this.session = { ...this.session, state: this.session.user ? 'signed-in' : 'anonymous' };
        delete (this.session as { sync?: unknown }).sync;
        return Response.json({ outcome: 'cancelled', completion_url: 'https://service.example/' });
      default: return this.#fail('not-found');
    }
  }

  #fail(type: ProblemType, user?: User): Response {
    const body = { type: PROBLEM_TYPE_PREFIX + type, ...problemTypes[type], detail: 'A detail', ...(user && { user }) };
    return Response.json(body, { status: body.status, headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '50' } });
  }
}

/** A window with a box of its own modules. */
class Tab {
  readonly element: VestibuleComments;
  readonly #window: View;

  constructor(view: View, bff: string) {
    this.#window = view;
    this.element = view.document.createElement('vestibule-comments');
    Object.assign(this.element, { forum: 'news', page: 'https://www.example.com/article', bff });
    view.document.body.append(this.element);
  }

  get root(): ShadowRoot {
    return this.element.shadowRoot!;
  }

  get field(): HTMLTextAreaElement {
    return this.root.querySelector('textarea')!;
  }

  get buttons(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('button')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }) && !button.textContent.match(/^Sign in (?:on|in) /));
  }

  /** Name of the account that the box shows. */
  get account(): string | undefined {
    return { A: 'Ada', B: 'Bo' }[this.root.querySelector('[part=avatar]')?.textContent ?? ''];
  }

  /** Everything that it shows of the reader's texts. */
  get shown(): string {
    const others = [...this.root.querySelectorAll('[part~=panel] q, .entries [part=message]')];
    return `${this.field.value} ${others.map(({ textContent }) => textContent).join(' ')}`;
  }

  dispatch(type: string): void {
    const { Event, PageTransitionEvent } = this.#window;
    this.#window.dispatchEvent(type === 'pageshow' ? new PageTransitionEvent(type, { persisted: true }) : new Event(type));
  }

  type(text: string): void {
    const { field } = this;
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }
}

/** Tells when a window has received what other windows have stored and announced: the browser delivers both in order. */
class Mailbox {
  readonly #view: View;
  readonly #channel: BroadcastChannel;
  readonly #expected = new Map<string, () => void>();

  constructor(view: View) {
    this.#view = view;
    this.#channel = new view.BroadcastChannel('test');
    this.#channel.onmessage = ({ data }) => this.#expected.get(`announced ${data}`)?.();
    view.addEventListener('storage', ({ key, newValue }) => {
      if (key === 'test') this.#expected.get(`stored ${newValue}`)?.();
    });
  }

  async expectFrom(sender: Mailbox): Promise<void> {
    const id = crypto.randomUUID();
    const names = [`stored ${id}`, `announced ${id}`];
    const received = names.map((name) => new Promise<void>((resolve) => { this.#expected.set(name, resolve); }));
    sender.#view.localStorage.setItem('test', id);
    sender.#channel.postMessage(id);
    await Promise.all(received);
    for (const name of names) this.#expected.delete(name);
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}

class Run {
  readonly world = new World();
  readonly bff = `https://${crypto.randomUUID()}.example/`;
  readonly tabs: readonly Tab[];
  /** Words that must not be lost, by the account that wrote them; `undefined`: not known yet. */
  readonly words = new Map<string, string | undefined>();
  /** Words that may be gone after the next step. */
  readonly released = new Set<string>();
  /** Words that the last check did not find, and its step: an event between the tabs may arrive after a check. */
  #missing = new Map<string, string>();
  /** Contents of fields when their readers submitted, and the account that the box showed; `undefined`: none yet. */
  readonly submitted = new Map<string, string | undefined>();
  readonly #mailboxes: readonly [Mailbox, Mailbox];
  #count = 0;
  /** Sign-outs until the last check, and until the one before: the box may handle the response after a check. */
  #signOuts: readonly [number, number] = [0, 0];

  constructor(views: readonly View[], mailboxes: readonly [Mailbox, Mailbox]) {
    this.#mailboxes = mailboxes;
    this.tabs = views.map((view) => new Tab(view, this.bff));
  }

  newWord(): string {
    this.#count += 1;
    return `word${this.#count}.`;
  }

  release(text: string): void {
    for (const word of this.words.keys()) if (text.includes(word)) this.released.add(word);
  }

  async settle(): Promise<void> {
    const [one, other] = this.#mailboxes;
    await this.#updated();
    await Promise.all([one.expectFrom(other), other.expectFrom(one)]);
    await this.#updated();
  }

  remove(): void {
    this.world.release();
    for (const { element } of this.tabs) element.remove();
  }

  async #updated(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      for (const { element } of this.tabs) await element.updateComplete;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  check(step: string): void {
    for (const { message, account } of this.world.posts) {
      expect(this.submitted.has(message), `${step}: posted “${message}”`).to.equal(true);
      expect(account, `${step}: account of “${message}”`).to.equal(this.submitted.get(message) ?? account);
      this.release(message);
    }
    for (const { root } of this.tabs) {
      const primaries = [...root.querySelectorAll<HTMLElement>('[part~=primary-button]')]
        .filter((button) => !button.closest('.editor') && button.checkVisibility({ visibilityProperty: true }));
      const form = root.querySelector('vestibule-sync');
      const isBusy = primaries.some((button) => button.getAttribute('aria-disabled') === 'true');
      // At rest the account of a signed-in reader stands in the place of the main button.
      if (root.querySelector('.known.rest')?.querySelector(':placeholder-shown')) continue;
      expect(isBusy || primaries.length + (form ? 1 : 0) === 1, `${step}: ${primaries.length} primary actions`).to.equal(true);
    }
    this.#checkWords(step);
  }

  #checkWords(step: string): void {
    const stored = JSON.stringify({ ...localStorage });
    const kept = `${stored} ${this.tabs.map(({ shown }) => shown).join(' ')}`;
    const isSignedOut = this.world.signOuts > this.#signOuts[1];
    this.#signOuts = [this.world.signOuts, this.#signOuts[0]];
    const missing = this.#missing;
    this.#missing = new Map();
    for (const [word, owner] of this.words) {
      if (!kept.includes(word)) {
        if (isSignedOut || this.released.has(word)) this.words.delete(word);
        else if (missing.has(word)) throw new Error(`${missing.get(word)}: lost “${word}” of ${owner}`);
        else this.#missing.set(word, step);
        continue;
      }
      const isPublic = this.world.posts.some(({ message }) => message.includes(word));
      for (const { account, shown } of isPublic ? [] : this.tabs) {
        if (!account || !shown.includes(word)) continue;
        expect(owner ?? account, `${step}: “${word}” of ${owner}`).to.equal(account);
        this.words.set(word, account);
      }
    }
  }
}

type Step = readonly [name: string, act: (run: Run, tab: Tab) => unknown];

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.boolean().map((isAppended): Step => ['type', (run, tab) => {
    const { field } = tab;
    // The box takes over the text of the other tab first.
    tab.element.dispatchEvent(new FocusEvent('focusin'));
    if (field.readOnly) return;
    const word = run.newWord();
    run.words.set(word, tab.account);
    if (!isAppended) run.release(field.value);
    tab.type(isAppended ? `${field.value}${word}` : word);
  }]) },
  { weight: 4, arbitrary: fc.nat(5).map((index): Step => ['press a button', (run, tab) => {
    const button = tab.buttons[index % Math.max(1, tab.buttons.length)];
    const label = button?.textContent.trim() ?? '';
    if (/Delete|It’s there/.test(label)) run.release(tab.shown);
    // A sign-out whose response fails may be found to have ended the session later.
    if (label.startsWith('Sign out')) for (const word of run.words.keys()) run.released.add(word);
    if (button?.closest('.bar') && /post|again/i.test(label)) run.submitted.set(tab.field.value, tab.account);
    button?.click();
  }]) },
  fc.option(fc.constantFrom(...problems, 'network'), { nil: undefined, freq: 2 }).map((problem): Step => [`the BFF fails: ${problem}`, (run) => {
    run.world.problem = problem;
  }]),
  fc.boolean().map((isHeld): Step => [isHeld ? 'the BFF is slow' : 'the BFF is fast', ({ world }) => {
    if (isHeld) world.isHeld = true;
    else world.release();
  }]),
  { weight: 3, arbitrary: fc.constantFrom<SessionView>(
    { state: 'anonymous', limits }, { state: 'signed-in', user: ada, limits }, { state: 'signed-in', user: bo, limits },
    { state: 'validating', limits, sync: { id: 's', user: ada, forum: 'news', form: { fields: [] } } },
    { state: 'signed-in', user: bo, limits, sync: { id: 's', user: ada, forum: 'news', form: { fields: [] } } },
    { state: 'anonymous', notice: { id: 'n', kind: 'declined' }, limits },
  ).map((session): Step => [`the session becomes ${session.state} ${session.user?.username}`, (run) => {
    run.world.session = session;
    for (const tab of run.tabs) tab.dispatch('pageshow');
  }]) },
  { weight: 3, arbitrary: fc.constantFrom(ada, bo).map((user): Step => [`${user.username} signs in elsewhere`, ({ world }) => {
    world.session = { state: 'signed-in', user, limits };
  }]) },
  fc.constantFrom('changed', 'signed-in', 'already-granted', 'signed-out').map((change): Step => [`a page says ${change}`, (run, tab) => {
    // The reader has confirmed a sign-out there: it deletes their entries.
    if (change === 'signed-out') for (const word of run.words.keys()) run.released.add(word);
    const channel = new BroadcastChannel(`vestibule ${tab.element.bff}`);
    channel.postMessage({ vestibule: change });
    channel.close();
  }]),
  fc.constantFrom('online', 'offline', 'focus').map((type): Step => [type, (_run, tab) => tab.dispatch(type)]),
  fc.constant<Step>(['the element is moved', (_run, { element }) => element.ownerDocument.body.append(element)]),
  fc.constant<Step>(['the element is removed and put back', async (_run, { element }) => {
    const { body } = element.ownerDocument;
    element.remove();
    await Promise.resolve();
    await Promise.resolve();
    body.append(element);
  }]),
  fc.boolean().map((isBlocked): Step => [isBlocked ? 'windows are blocked' : 'windows open', (_run, { element }) => {
    const opened = isBlocked ? null : { closed: false, close() {}, focus() {}, location: { replace() {} } } as unknown as Window;
    element.ownerDocument.defaultView!.open = () => opened;
  }]),
);

/** Sends the requests of a window to the BFF in this page. */
function intercept(view: View, answer: (url: URL, init: RequestInit) => Promise<Response> | undefined): void {
  const { fetch } = view;
  replace(view, { fetch: (input: string | URL, init: RequestInit = {}) => (
    answer(new URL(String(input), view.location.href), init) ?? fetch.call(view, input, init)
  ) });
}

describe('the comment boxes of two tabs, in any sequence of events', () => {
  it('have one primary action or are busy, lose no text, show it to nobody else, post what is seen, and ask nothing once removed', async () => {
    const views = [window, (await openTab()).view] as const;
    using here = new Mailbox(views[0]);
    using there = new Mailbox(views[1]);
    let run = new Run(views, [here, there]);
    for (const view of views) {
      intercept(view, (url, init) => {
        if (url.href.startsWith(run.bff)) return run.world.answer(init.method ?? 'GET', url.pathname.slice(1), init);
        // A post of an earlier run that goes on without its box.
        return url.hostname.endsWith('.example') ? new Promise(() => {}) : undefined;
      });
    }
    // Both windows load everything first, so that a sequence which is replayed alone runs as it did among others.
    await Promise.all(run.tabs.map(({ element }) => new Promise((resolve) => {
      element.addEventListener('vestibule-state', resolve, { once: true });
      element.dispatchEvent(new FocusEvent('focusin'));
    })));
    run.remove();
    const sequences = fc.array(fc.tuple(steps, fc.nat(1)), { minLength: 10, maxLength: 25, size: 'max' });
    await fc.assert(fc.asyncProperty(fc.boolean(), sequences, async (isSignedIn, sequence) => {
      localStorage.clear();
      run = new Run(views, [here, there]);
      await run.settle();
      if (isSignedIn) {
        run.world.session = { state: 'signed-in', user: ada, limits };
        for (const { element } of run.tabs) element.dispatchEvent(new FocusEvent('focusin'));
        await run.settle();
      }
      for (const [[name, act], index] of sequence) {
        await act(run, run.tabs[index]!);
        await run.settle();
        run.check(`${name} (tab ${index})`);
      }
      await run.settle();
      run.check('nothing');
      run.remove();
      await run.settle();
      const { requests } = run.world;
      for (const tab of run.tabs) for (const type of ['pageshow', 'online', 'focus']) tab.dispatch(type);
      await run.settle();
      expect(run.world.requests, 'requests after the end').to.equal(requests);
    }).afterEach(() => run.remove()), { numRuns: isLong ? 100 : 25, includeErrorInReport: true });
  });
});
