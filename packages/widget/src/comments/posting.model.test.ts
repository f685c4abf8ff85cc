/**
 * The life of a comment between the moments: random schedules over virtual days of what a reader, the network and the BFF do to
 * two tabs of one article. Pages are left and come back after seconds, minutes, hours or days; requests and responses are lost;
 * keys and sessions run out; machines sleep. After each step:
 * 1. one press makes at most one comment; one more is made only by “Post again” with a key that is spent or forgotten;
 * 2. no request leaves unless its text was pressed within the last ten minutes by the account that it is sent for; one tab
 *    sends;
 * 3. after a confirmed sign-out no text of the account is on the screen, among the reader's comments, or in storage; no box takes
 *    its session, which ends as soon as the BFF can be reached, and no other reader's does;
 * 4. a text that was typed and not posted is in a field, in a panel or in storage;
 * 5. a text that may have been posted is asked about until its reader decides; one of whom nothing has left is asked nothing.
 */

import * as fc from 'fast-check';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type ProblemType, type SessionView, type User } from '@vestibule/shared';
import type { Draft, DraftRecord } from '../storage/draft.ts';
import type { SessionHint } from '../storage/storage.ts';
import { DAY, HOUR, MINUTE, SECOND, respond, settle, users, Browser, Page, type Server } from './_pages.ts';

const PRESS_MS = 10 * MINUTE;
const LOCK_MS = 30 * SECOND;

const limits = { message_max_length: 10_000 };
const schedules = 2_000;
/** The same schedules each time: a failure is a change of the code. Another seed explores others. */
const seed = 1;

/** What becomes of a request. */
const fates = ['ok', 'busy', 'refused', 'unknown', 'unknown-done', 'failed', 'lost-request', 'lost-response'] as const;
type Fate = typeof fates[number];

interface Press {
  readonly at: number;
  /** Where the text was pressed, now and before. */
  readonly pages: readonly Page[];
  /** Empty: that of the next request. */
  account: string;
  /** How many comments there may be of its text. */
  readonly allowed: number;
  /** Requests of other pages. */
  repeated: number;
}

interface Comment {
  readonly text: string;
  readonly account: string;
}

/** The BFF, and the service behind it. */
class World implements Server {
  readonly browser: Browser;
  session: { readonly id: string; readonly user: User; readonly until: number } | undefined;
  fate: Fate = 'ok';
  slow: 'nothing' | 'posts' | 'everything' = 'nothing';
  /** A request has left while another one with its key was out. */
  isOvertaken = false;

  readonly comments: Comment[] = [];
  /** Texts, and the last press of each: when, by whom, and how many comments it may make. */
  readonly presses = new Map<string, Press>();
  readonly firstSentAt = new Map<string, number>();
  /** Texts whose key is of no use, and those keys. */
  readonly spent = new Set<string>();
  readonly #spentKeys = new Set<string>();
  readonly #postedKeys = new Set<string>();
  /** Texts that may have been posted, for all that their reader was told, by account. */
  readonly unsure = new Map<string, string>();
  /** The same, whatever their readers have decided, with the key of the request. */
  readonly doubts = new Map<string, { readonly account: string; readonly key: string }>();
  /** Texts that no answer makes a doubt of: their reader has signed out, or has said that they are posted. */
  readonly left = new Set<string>();
  /** Ids of sessions that their readers have ended. */
  readonly signedOut = new Set<string>();
  /** The account whose reader presses “Sign out”. */
  mayEnd: string | undefined;
  /** Accounts that have signed out while the page did not know the name of their session: a later one may be taken for it. */
  readonly unnamed = new Set<string>();
  /** Accounts of which a request has left. */
  readonly senders = new Set<string>();
  /** Ids of the last sessions, by account. */
  readonly sessions = new Map<string, string>();
  readonly records = new Map<string, { readonly body: string; readonly at: number; isDone: boolean }>();
  /** What goes on at the BFF. */
  readonly held: {
    readonly page: Page; readonly post?: NewPost | undefined; readonly key?: string; readonly at: number; readonly go: () => void;
  }[] = [];

  fault: string | undefined;

  constructor(browser: Browser) {
    this.browser = browser;
  }

  isOut(text: string): boolean {
    return this.held.some(({ page, post }) => page.element && post?.message === text);
  }

  signIn(user: User): void {
    this.session = { id: crypto.randomUUID(), user, until: this.browser.now + 14 * DAY };
    this.sessions.set(user.user_id, this.session.id);
  }

  leave(page: Page): void {
    for (const { post, key, page: from } of this.held) if (post && from === page) this.#doubt(post, key!);
  }

  /** The reader posts again what may have been posted with a key that is of no use any more. */
  decide(account: string): void {
    for (const [text, { account: owner, key }] of this.doubts) {
      const isOver = this.#spentKeys.has(key) || this.browser.now - this.firstSentAt.get(text)! >= DAY;
      if (owner === account && isOver) this.doubts.delete(text);
    }
  }

  #doubt({ message, expected_user_id }: NewPost, key: string): void {
    if (this.left.has(message) || this.#postedKeys.has(key)) return;
    this.doubts.set(message, { account: expected_user_id!, key });
  }

  async answer(page: Page, method: string, path: string, query: URLSearchParams, init: RequestInit): Promise<Response> {
    const { fate } = this;
    const post = path === 'posts' ? JSON.parse(String(init.body)) as NewPost : undefined;
    const key = new Headers(init.headers).get('Idempotency-Key') ?? '';
    if (post) this.#onPost(page, post, key);
    if (fate === 'lost-request') {
      if (post) this.#tell(post, key, 'unknown');
      throw new TypeError('Failed to fetch');
    }
    const carryOut = post && this.#begin(post, key, fate);
    const view = this.#view;
    if (this.slow === 'everything' || (post && this.slow === 'posts')) {
      await new Promise<void>((go, fail) => {
        this.held.push({ page, post, key, at: this.browser.now, go });
        init.signal?.addEventListener('abort', () => { if (!post) fail(init.signal!.reason as Error); });
        page.onLeave.push(() => fail(new TypeError('Failed to fetch')));
      });
    }
    if (post) return this.#end(post, key, carryOut!, fate);
    if (method === 'DELETE') {
      const session = query.get('session');
      if (['busy', 'failed', 'unknown'].includes(fate)) return problem('service-unavailable');
      if (this.session && [null, this.session.id].includes(session)) {
        const { id, user: { user_id, username } } = this.session;
        if (!this.signedOut.has(id) && user_id !== this.mayEnd && !this.unnamed.has(user_id)) this.fault ??= `ended the session of ${username}`;
        this.session = undefined;
      }
      if (fate === 'lost-response') throw new TypeError('Failed to fetch');
      return new Response(null, { status: 204 });
    }
    return fate === 'ok' ? respond(view) : problem('service-unavailable');
  }

  get #view(): SessionView {
    if (this.session && this.session.until < this.browser.now) this.session = undefined;
    const { id, user } = this.session ?? {};
    return { limits, ...(user ? { state: 'signed-in', session: id!, user } : { state: 'anonymous' }) };
  }

  #onPost(page: Page, { message, expected_user_id }: NewPost, key: string): void {
    this.senders.add(expected_user_id!);
    const other = this.held.find(({ page: from, post }) => from.element && post?.expected_user_id === expected_user_id);
    // A tab waits half a minute for another one, which may be suspended, and not for a request that its reader has stopped. What
    // is sent then has the key of the other request, and the doubt about that.
    if (other && (other.page === page || this.browser.now - other.at >= LOCK_MS)) this.isOvertaken = true;
    else if (other) this.fault ??= `2: sent “${message}” while another tab sends “${other.post!.message}”`;
    if (this.#spentKeys.has(key)) this.fault ??= `sent “${message}” with a key that is spent`;
    const press = this.presses.get(message);
    if (!press || ![expected_user_id, ''].includes(press.account)) this.fault ??= `2: sent “${message}” for ${expected_user_id} without a press`;
    else if (this.browser.now - press.at > PRESS_MS) this.fault ??= `2: sent “${message}” ${this.browser.now - press.at} ms after the press`;
    else if (!press.pages.includes(page) && (press.repeated += 1) > 1) this.fault ??= `2: repeated “${message}” again`;
    if (press) press.account = expected_user_id!;
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
    if (this.slow === 'nothing') this.#create(post, key, fate);
    else this.held.push({ page: NOBODY, at: now, go: () => this.#create(post, key, fate) });
    return 'carry out';
  }

  #create({ message, expected_user_id }: NewPost, key: string, fate: Fate): void {
    if (fate === 'failed' || fate === 'refused') this.records.delete(key);
    if (['unknown', 'failed', 'refused'].includes(fate)) return;
    this.records.set(key, { ...this.records.get(key)!, isDone: true });
    this.comments.push({ text: message, account: expected_user_id! });
    const made = this.comments.filter(({ text }) => text === message).length;
    if (made > (this.presses.get(message)?.allowed ?? 0)) this.fault ??= `1: ${made} comments “${message}”`;
  }

  #end(post: NewPost, key: string, begun: ProblemType | 'posted' | 'carry out', fate: Fate): Response {
    const type = begun === 'carry out' ? problems[fate] : begun;
    // This request met the first one and was not carried out; the first one has been refused meanwhile.
    const isNothing = begun === 'post-in-progress' && !this.records.has(key);
    if (!isNothing) this.#tell(post, key, fate === 'lost-response' ? 'unknown' : type);
    if (fate === 'lost-response') throw new TypeError('Failed to fetch');
    // The repetition waits for the first request.
    if (type === 'post-in-progress' && this.presses.has(post.message)) this.presses.get(post.message)!.repeated = 0;
    if (type !== 'posted') return problem(type, type === 'user-changed' ? this.session!.user : undefined);
    return respond({ post: {} }, { status: 201 });
  }

  #tell(post: NewPost, key: string, outcome: string): void {
    const { message, expected_user_id } = post;
    if (outcome === 'posted') this.#postedKeys.add(key);
    if (outcome === 'posted' || outcome === 'post-rejected') {
      // Also of an earlier version of the text.
      for (const [text, doubt] of [...this.doubts, [message, { key }] as const]) {
        if (doubt.key !== key) continue;
        this.unsure.delete(text);
        this.doubts.delete(text);
      }
    }
    if (/unknown|internal|progress/.test(outcome)) this.#doubt(post, key);
    // What the reader has decided was not carried out.
    if (this.doubts.get(message)?.key === key) this.unsure.set(message, expected_user_id!);
    if (!/outcome-unknown|reused/.test(outcome)) return;
    this.spent.add(message);
    this.#spentKeys.add(key);
  }
}

/** What the BFF says of a request that it has carried out. */
const problems: { readonly [Name in Fate]: ProblemType | 'posted' } = {
  ok: 'posted', busy: 'service-unavailable', refused: 'post-rejected', unknown: 'outcome-unknown', 'unknown-done': 'outcome-unknown',
  failed: 'internal-error', 'lost-request': 'outcome-unknown', 'lost-response': 'outcome-unknown',
};

function problem(type: ProblemType, user?: User): Response {
  const body = { type: PROBLEM_TYPE_PREFIX + type, ...problemTypes[type], detail: 'A detail', ...(user && { user }) };
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '20' };
  return respond(body, { status: body.status, headers });
}

const NOBODY = {} as Page;

/** The draft comes with the second stage. */
const accountOf = ({ element }: Page): string => (element!.draft as Draft | undefined)?.key.account ?? '';

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

  /** @param isFocused the cursor was in the field before */
  type(page: Page, isAppended: boolean, isFocused = false): void {
    const { field } = page;
    if (field.readOnly) return;
    if (!isFocused) page.element!.dispatchEvent(new FocusEvent('focusin'));
    const word = this.newWord();
    this.words.set(word, accountOf(page));
    if (!isAppended) this.drop(field.value);
    page.type(isAppended ? `${field.value}${word}` : word);
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

  /** The network is back, and so is the reader: no session of a sign-out is left. */
  async comeBack(): Promise<void> {
    const { world } = this;
    world.fate = 'ok';
    world.slow = 'nothing';
    for (const { go } of world.held.splice(0)) go();
    await settle();
    for (const page of this.tabs) page.dispatch('focus');
    await settle();
    for (const [text, { account }] of world.doubts) if (!world.isOvertaken) world.unsure.set(text, account);
    this.check('come back');
    if (world.session && world.signedOut.has(world.session.id)) throw new Error(`3: a session of ${world.session.user.username} goes on at the BFF`);
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
    const account = page.account ?? accountOf(page);
    if (name.startsWith('Post')) world.left.delete(value);
    if (name === 'Post comment') {
      const { allowed = 1, pages = [] } = world.presses.get(value) ?? {};
      world.presses.set(value, { at: now, pages: [...pages, page], account, allowed, repeated: 0 });
    } else if (name === 'Post again') {
      for (const [text, owner] of world.unsure) if (owner === account) world.unsure.delete(text);
      const { allowed = 1, pages = [] } = world.presses.get(value) ?? {};
      world.decide(account);
      const isKeyOver = world.spent.delete(value) || now - (world.firstSentAt.get(value) ?? now) >= DAY;
      world.presses.set(value, {
        at: now, pages: [...pages, page], account, allowed: isKeyOver ? allowed + 1 : allowed, repeated: 0,
      });
    } else if (name === 'I can see it') {
      for (const [text, owner] of world.unsure) if (owner === account) world.unsure.delete(text);
      for (const [text, { account: owner }] of world.doubts) if (owner === account) world.doubts.delete(text);
      for (const [text, { account: owner }] of world.presses) if (owner === account) world.left.add(text);
      this.drop(value);
    }
    this.#learnOwners();
    const unowned = this.#unownedWords(account);
    const isAsked = page.button('Stay signed in') !== undefined;
    world.mayEnd = name === 'Sign out' ? account : undefined;
    button.click();
    await settle();
    world.mayEnd = undefined;
    // Without a text there is no question. The focus of the page may have found another account in place of an answer.
    const signOut = JSON.parse(world.browser.stored[`vestibule:signed-out ${this.bff}`] ?? '{}') as { at?: number; session?: string };
    if (name === 'Sign out' && (isAsked || signOut.at === now)) this.#forget(account, signOut.session, unowned);
  }

  /** Words that were written before the session of the last account was known. */
  #unownedWords(account: string): string[] {
    const { stored } = this.world.browser;
    const hint = JSON.parse(stored[`vestibule:session ${this.bff}`] ?? '{}') as SessionHint;
    const records = Object.entries(stored).filter(([key]) => key.startsWith(`vestibule:draft ${this.bff} `));
    const isOfHint = ([key, value]: readonly [string, string]): boolean => (
      hint.account === account && key.split(' ')[2] === '' && (JSON.parse(value) as DraftRecord).visit === hint.visit
    );
    return [...this.words.keys()].filter((word) => {
      const having = records.filter(([, value]) => value.includes(word));
      return having.length > 0 && having.every(isOfHint);
    });
  }

  /** @param named session that the page knew */
  #forget(account: string, named: string | undefined, unowned: readonly string[]): void {
    for (const word of unowned) this.forgotten.add(word);
    if (named === undefined) this.world.unnamed.add(account);
    const session = named ?? this.world.sessions.get(account);
    if (session) this.world.signedOut.add(session);
    for (const [word, owner] of this.words) {
      // What was written before the session was known may be the account's.
      if (['', account].includes(owner)) this.words.delete(word);
      if (owner === account) this.forgotten.add(word);
    }
    for (const { text, account: owner } of this.world.comments) if (owner === account) this.forgotten.add(text);
    for (const [text, press] of this.world.presses) if (press.account === account) this.world.left.add(text);
    for (const text of this.world.left) {
      this.world.unsure.delete(text);
      this.world.doubts.delete(text);
    }
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
      const { account } = page;
      if (account && world.signedOut.has(world.sessions.get(account)!)) throw new Error(`${step}: 3: the session of ${account} goes on`);
      const isWaiting = [...world.browser.timers, ...world.held].some((one) => one.page === page);
      if (page.field.readOnly && !isWaiting) throw new Error(`${step}: waits for nothing`);
      if (account && page.button('Post again') && !world.senders.has(account)) throw new Error(`${step}: 5: a doubt about nothing`);
      for (const [text, owner] of world.unsure) {
        // A tab learns that the one which sends is gone when its reader comes to it.
        const isAway = (page.element!.draft as Draft | undefined)?.isOut === true && step !== 'come back';
        const isBusy = page.field.readOnly || world.isOut(text) || isAway;
        const asks = page.button('Post again') ?? page.button('Stay signed in') ?? page.button('Stay here') ?? page.button('Show window');
        if (account === owner && !isBusy && !asks) throw new Error(`${step}: 5: “${text}” is not asked about`);
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
  { weight: 4, arbitrary: fc.boolean().map((isAppended): Step => step('type', (run, page) => run.type(page, isAppended))) },
  { weight: 5, arbitrary: fc.constant(step('press “Post comment”', (run, page) => run.press(page, 'Post comment'))) },
  { weight: 6, arbitrary: fc.boolean().map((isSlow): Step => step(`post${isSlow ? ', slowly' : ''}`, async (run, page) => {
    if (isSlow) run.world.slow = 'posts';
    run.type(page, false);
    await settle();
    await run.press(page, 'Post comment');
  })) },
  { weight: 4, arbitrary: fc.constant(step('press “Post again”', (run, page) => run.press(page, 'Post again'))) },
  { weight: 1, arbitrary: fc.constantFrom('I can see it', 'Stop trying', 'Stay signed in').map((name): Step => (
    step(`press “${name}”`, (run, page) => run.press(page, name))
  )) },
  { weight: 1, arbitrary: fc.constant(step('press “Sign out”', (run, page) => run.press(page, 'Sign out'))) },
  { weight: 3, arbitrary: fc.constant(step('sign out', async (run, page) => {
    await run.press(page, 'Sign out');
    if (page.button('Stay signed in')) await run.press(page, 'Sign out');
  })) },
  { weight: 6, arbitrary: fc.constantFrom(...fates).map((fate): Step => step(`requests are ${fate}`, ({ world }) => { world.fate = fate; })) },
  { weight: 3, arbitrary: fc.constantFrom('nothing', 'nothing', 'posts', 'everything').map((slow): Step => step(`${slow} is slow`, ({ world }) => {
    world.slow = slow;
    if (slow === 'nothing') for (const { go } of world.held.splice(0)) go();
  })) },
  { weight: 2, arbitrary: fc.constant(step('type and post in one tab, and type in the other', async (run, page) => {
    run.type(page, true);
    await settle();
    const pressed = run.press(page, 'Post comment');
    // The request leaves; the other tab has not heard of it.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    for (const other of run.tabs) if (other !== page) run.type(other, true, true);
    await pressed;
  })) },
  { weight: 1, arbitrary: fc.constant(step('post in both tabs at once', async (run, page) => {
    run.type(page, true);
    await settle();
    await Promise.all(run.tabs.map((tab) => run.press(tab, 'Post comment')));
  })) },
  { weight: 2, arbitrary: fc.constant(step('write more and post again', async (run, page) => {
    if (!page.button('Post again')) return;
    run.type(page, true);
    await settle();
    await run.press(page, 'Post again');
    // The key was that of another text.
    await run.press(page, 'Post again');
  })) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean()).map(([ms, isAsleep]): Step => (
    step(`leave and return after ${ms / SECOND} s`, (run, _page, index) => run.reload(index, ms, isAsleep))
  )) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...delays), fc.boolean()).map(([ms, isAsleep]): Step => (
    step(`${ms / SECOND} s pass${isAsleep ? ' asleep' : ''}`, ({ world }) => world.browser.pass(ms, isAsleep))
  )) },
  { weight: 5, arbitrary: fc.constantFrom(...users, users[0], users[0]).map((user): Step => step(`${user.username} signs in`, ({ world }, page) => {
    world.signIn(user);
    page.element!.dispatchEvent(new FocusEvent('focusin'));
    page.dispatch('focus');
  })) },
  { weight: 1, arbitrary: fc.constant(step('the session runs out', ({ world }) => { world.session = undefined; })) },
  { weight: 2, arbitrary: fc.constantFrom('online', 'focus').map((type): Step => step(type, (_run, page) => page.dispatch(type))) },
);

describe('the life of a comment, in two tabs and over days', () => {
  it('has one comment for a press, nothing by itself, nothing left behind, nothing lost, and every doubt said', async () => {
    const pages = await Page.openAll(7);
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
      run.world.signIn(users[0]);
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
      await run.comeBack();
    }).afterEach(() => run.end()), { numRuns: schedules, seed, includeErrorInReport: true });
  }).timeout(600_000);
});
