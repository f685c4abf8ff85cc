/**
 * Random schedules of the outbox: documents of one browser, their readers, a BFF and a service. Clock, timers, storage, locks and
 * requests are virtual.
 */

import fc from 'fast-check';
import type { NewPost, SessionUser } from '@vestibule/shared';
import { networkProblem, type WidgetProblemType } from '../client/problem.ts';
import { isFresh, PRESS_MS, type Entry, type Place, type table } from './entry.ts';
import { Outbox, type Answer, type Environment, type Report } from './outbox.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BFF = 'https://bff.example/';
const ARTICLES = ['https://www.example.com/one', 'https://www.example.com/two'];

/** Bo has no key: the BFF knows him within a session only. */
const users: readonly SessionUser[] = [{ user_id: '42', username: 'Ada', key: 'a' }, { user_id: '43', username: 'Bo' }];

/** What becomes of the next request. `hold`: its answer comes later. */
const fates = [
  'ok', 'ok', 'busy', 'refused', 'lost-request', 'lost-answer', 'unknown-done', 'unknown-not-done', 'no-session', 'hold',
] as const;
type Fate = typeof fates[number];

interface Comment {
  readonly id: string;
  readonly account: string;
  readonly text: string;
}

/** A text that a reader has pressed. */
interface Truth {
  readonly account: string;
  readonly text: string;
  pressedAt: number;
  /** The reader has decided: it may not be sent until they press again. */
  isOver: boolean;
  /** It may be gone: deleted, or by a sign-out. */
  isGone: boolean;
  /** Nothing of it may be left. */
  isSignedOut: boolean;
  /** Presses of “Post again” with another key than before. */
  newKeys: number;
}

/** A rule that is taken away. */
export interface Without {
  readonly rules?: typeof table;
  /** Documents do not look for sign-outs. */
  readonly signOuts?: true;
  /** The key of a draft: each press has its own. */
  readonly draftKeys?: true;
}

class World {
  now = 1_800_000_000_000;
  isOnline = true;
  isFull = false;
  fate: Fate = 'ok';
  session: { readonly id: string; readonly user: SessionUser } | undefined = { id: 's0', user: users[0]! };
  /** Who was signed in last, and has not signed out. */
  hint: SessionUser | undefined = users[0];
  fault: string | undefined;
  readonly storage = new Map<string, object>();
  readonly comments: Comment[] = [];
  readonly truths = new Map<string, Truth>();
  docs: Doc[] = [];
  readonly #locks = new Set<string>();
  readonly #byKey = new Map<string, { readonly body: string; readonly comment: Comment }>();
  readonly held: { readonly doc: Doc; readonly answer: () => void }[] = [];
  #count = 0;
  readonly without: Without;

  constructor(without: Without) {
    this.without = without;
  }

  next(): string {
    this.#count += 1;
    return String(this.#count);
  }

  say(fault: string): void {
    this.fault ??= fault;
  }

  async lock(doc: Doc, name: string, act: () => Promise<void>): Promise<void> {
    if (this.#locks.has(name)) return;
    this.#locks.add(name);
    doc.locks.add(name);
    try {
      await act();
    } finally {
      this.unlock(doc, name);
    }
  }

  unlock(doc: Doc, name: string): void {
    if (doc.locks.delete(name)) this.#locks.delete(name);
  }

  post(doc: Doc, { message, expected_user_id: account, page }: NewPost, key: string): Promise<Answer> {
    const truth = this.truths.get(message);
    const wrong = (what: string): void => this.say(`sent “${message}” ${what}`);
    if (!truth) wrong('without a press');
    else {
      if (truth.account !== account) wrong('as another account');
      if (!isFresh(truth, this.now)) wrong(`${this.now - truth.pressedAt} ms after its press`);
      if (truth.isOver || truth.isSignedOut) wrong('after its reader has ended it');
    }
    if (!page) wrong('without its page');
    const { fate } = this;
    this.fate = 'ok';
    const problem = (type: WidgetProblemType, status: number, retryable = false): Answer => (
      { problem: { type: `urn:vestibule:${type}`, title: '', status, detail: '', retryable } }
    );
    const lost: Answer = { problem: networkProblem };
    const recordKey = (): string => `${this.session?.user.key === undefined ? this.session?.id : account} ${key}`;
    const isRecorded = (): boolean => this.#byKey.has(recordKey());
    const carryOut = (): Answer => {
      const { session } = this;
      if (!session) return problem('not-signed-in', 401);
      if (session.user.user_id !== account) return problem('user-changed', 409);
      const before = this.#byKey.get(recordKey());
      if (before && before.body !== message) return problem('idempotency-key-reused', 422);
      const comment = before?.comment ?? { id: `c${this.next()}`, account: account!, text: message };
      if (!before) {
        this.comments.push(comment);
        this.#byKey.set(recordKey(), { body: message, comment });
      }
      return { created: { post: { id: comment.id } } };
    };
    const done = (): Answer => {
      switch (fate) {
        case 'busy': return problem('service-unavailable', 503, true);
        // A post that is recorded is not asked about again.
        case 'refused': return !this.session || isRecorded() ? carryOut() : problem('post-rejected', 422);
        case 'lost-request': return lost;
        case 'lost-answer': carryOut(); return lost;
        case 'unknown-done': carryOut(); return problem('outcome-unknown', 504);
        case 'unknown-not-done': return problem('outcome-unknown', 504);
        case 'no-session': return problem('not-signed-in', 401);
        default: return carryOut();
      }
    };
    if (fate !== 'hold') return Promise.resolve(this.isOnline ? done() : lost);
    const answer = carryOut();
    return new Promise((resolve) => { this.held.push({ doc, answer: () => resolve(answer) }); });
  }

  get entries(): readonly Entry[] {
    return [...this.storage].flatMap(([key, record]) => key.startsWith('vestibule:entry ') ? [record as Entry] : []);
  }

  /** The comments that the service has are at most one of each text, but for those that a reader has posted again. */
  check(): void {
    for (const [text, { newKeys }] of this.truths) {
      const count = this.comments.filter((comment) => comment.text === text).length;
      if (count > 1 + newKeys) this.say(`${count} comments of “${text}”`);
    }
    for (const { text, state } of this.entries) {
      if (state !== 'posted' && this.truths.get(text)?.isSignedOut) this.say(`“${text}” is stored after a sign-out`);
    }
    for (const doc of this.docs) {
      for (const [text, { isSignedOut, account }] of this.truths) {
        if (isSignedOut && !doc.isFrozen && doc.has(account, text, true)) this.say(`“${text}” is shown after a sign-out`);
      }
      for (const { entry: { text, isListed, postedAt = Infinity } } of doc.isFrozen ? [] : doc.outbox.entries(doc.place)) {
        if (!isListed && this.now - postedAt > PRESS_MS + SECOND) this.say(`“${text}” is still shown`);
      }
    }
    for (const [text, truth] of this.truths) {
      if (truth.isGone || this.comments.some((comment) => comment.text === text)) continue;
      const isStored = [...this.storage.values()].some((record) => (record as Partial<Entry>).text === text);
      const isShown = this.docs.some((doc) => doc.has(truth.account, text));
      if (!isStored && !isShown && !doc30(truth, this.now)) this.say(`“${text}” is lost`);
    }
  }
}

const doc30 = ({ pressedAt }: Truth, now: number): boolean => now - pressedAt >= 29 * 24 * 60 * MINUTE;

/** A document with a box. */
class Doc {
  readonly locks = new Set<string>();
  readonly world: World;
  readonly outbox: Outbox;
  isAlive = true;
  /** It learns nothing of other documents, as in the back/forward cache. */
  isFrozen = false;
  #signOut: string | undefined;
  article = ARTICLES[0]!;
  account = '';
  readonly reports: Report[] = [];
  #timers: { readonly at: number; readonly act: () => void }[] = [];
  #unkept = new Map<string, object>();
  #wake = (_isBack?: boolean): void => {};
  readonly #detach: () => void;

  constructor(world: World) {
    this.world = world;
    const environment: Environment = {
      read: <Kept extends object>(key: string) => {
        const isHidden = world.without.signOuts && key.startsWith('vestibule:signed-out');
        return isHidden ? undefined : (this.#unkept.get(key) ?? world.storage.get(key)) as Partial<Kept> | undefined;
      },
      write: (key, record) => {
        if (world.isFull && !world.storage.has(key)) this.#unkept.set(key, record);
        else {
          this.#unkept.delete(key);
          world.storage.set(key, record);
        }
        this.#propagate();
        return !this.#unkept.has(key);
      },
      isKept: (key) => !this.#unkept.has(key),
      remove: (key) => {
        this.#unkept.delete(key);
        world.storage.delete(key);
        this.#propagate();
      },
      list: () => [...new Set([...world.storage.keys(), ...this.#unkept.keys()])],
      now: () => world.now,
      after: (ms, act) => {
        const timer = { at: world.now + ms, act };
        this.#timers.push(timer);
        return () => { this.#timers = this.#timers.filter((one) => one !== timer); };
      },
      randomKey: () => `k${world.next()}`,
      backoffMs: (attempt, seconds = Math.min(2 ** (attempt - 1), 60)) => seconds * SECOND,
      isOnline: () => world.isOnline,
      isLeft: () => !this.isAlive,
      post: (post, key) => world.post(this, post, key),
      lock: (name, act) => this.isAlive ? world.lock(this, name, act) : Promise.resolve(),
      listen: (onWake) => {
        this.#wake = onWake;
        return () => {};
      },
      reportError: (error) => world.say(String(error)),
    };
    this.outbox = new Outbox(BFF, environment, world.without.rules);
    const place = (): Place => this.place;
    this.#detach = this.outbox.attach({
      get place() { return place(); }, language: '', onChange: () => {}, tell: (report) => this.reports.push(report),
    });
    this.#signOut = this.#storedSignOut;
    // Until the session is known, it is that of the last one.
    this.account = world.hint?.user_id ?? '';
    this.outbox.setAccount(this.account);
  }

  get #storedSignOut(): string | undefined {
    return (this.world.storage.get(`vestibule:signed-out ${BFF}`) as { id: string } | undefined)?.id;
  }

  get place(): Place {
    return { account: this.account, forum: 'news', article: this.article };
  }

  /** Another document of the browser has written. */
  #propagate(): void {
    for (const doc of this.world.docs) if (doc !== this && doc.isAlive) queueMicrotask(() => doc.isAlive && doc.wake());
  }

  wake(isBack = false): void {
    if (this.isFrozen) return;
    const { signOuts: isDeaf } = this.world.without;
    if (!isDeaf && this.#storedSignOut !== undefined && this.#storedSignOut !== this.#signOut) this.empty();
    this.#wake(isBack);
  }

  /** As the session does: `SessionStore.follow`. */
  empty(): void {
    this.#signOut = this.#storedSignOut;
    this.account = '';
    this.outbox.clear();
  }

  /** `GET /session`. */
  refresh(): void {
    const { world } = this;
    this.account = world.session?.user.user_id ?? '';
    world.hint = world.session?.user;
    this.outbox.setAccount(this.account, world.session?.id ?? '');
  }

  get nextAt(): number {
    return this.isFrozen ? Infinity : Math.min(...this.#timers.map(({ at }) => at));
  }

  run(): void {
    if (this.isFrozen) return;
    const due = this.#timers.filter(({ at }) => at <= this.world.now);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { act } of due) act();
  }

  leave(): void {
    this.isAlive = false;
    // The box has said that it must stay.
    for (const record of this.#unkept.values()) {
      const truth = this.world.truths.get((record as Partial<Entry>).text ?? '');
      const isElsewhere = this.world.docs.some((doc) => doc !== this && truth && doc.has(truth.account, truth.text));
      if (truth && !isElsewhere) truth.isGone = true;
    }
    this.#detach();
    for (const name of [...this.locks]) this.world.unlock(this, name);
    this.world.docs = this.world.docs.filter((doc) => doc !== this);
  }

  /** @param isUnposted public comments stay on the screen */
  has(account: string, text: string, isUnposted = false): boolean {
    const shown = this.outbox.entries({ ...this.place, account }).filter(({ entry }) => !isUnposted || entry.state !== 'posted');
    return shown.some(({ entry }) => entry.text === text);
  }

  press(text: string, id: string, user = users.find(({ user_id }) => user_id === this.account)): void {
    const { world } = this;
    if (!user || this.isFrozen) return;
    const isFirst = !world.truths.has(text);
    const truth = {
      account: this.account, text, pressedAt: world.now, isOver: false, isGone: false, isSignedOut: false, newKeys: 0,
    };
    if (isFirst) world.truths.set(text, truth);
    const entry = this.outbox.press({
      ...this.place, id: world.without.draftKeys ? `d${world.next()}` : id, text, user, address: this.article, at: world.now,
      take: () => {},
    });
    // The text is still in the field.
    if (!entry && isFirst) world.truths.delete(text);
  }
}

type Step = (run: Run, number: number) => void;

class Run {
  readonly world: World;

  constructor(without: Without) {
    this.world = new World(without);
    this.world.docs = [new Doc(this.world), new Doc(this.world)];
  }

  doc(number: number): Doc {
    const { docs } = this.world;
    if (docs.length === 0) docs.push(new Doc(this.world));
    return docs[number % docs.length]!;
  }

  entry(
    number: number, states: readonly Entry['state'][],
  ): { readonly doc: Doc; readonly entry: Entry; readonly truth: Truth } | undefined {
    const doc = this.doc(number);
    if (!doc.account || doc.isFrozen) return undefined;
    const found = doc.outbox.entries(doc.place).map(({ entry }) => entry).filter(({ state }) => states.includes(state));
    const entry = found[number % found.length];
    const truth = entry && this.world.truths.get(entry.text);
    return truth && { doc, entry, truth };
  }
}

const steps: Readonly<Record<string, Step>> = {
  press: (run, number) => run.doc(number).press(`text ${run.world.next()}`, `d${run.world.next()}`),
  'press in both tabs at once': ({ world }, number) => {
    const [text, id] = [`text ${world.next()}`, `d${world.next()}`];
    // Tabs share no draft that storage has refused.
    if (world.isFull) return;
    for (const doc of number % 2 ? world.docs : world.docs.toReversed()) {
      doc.article = ARTICLES[0]!;
      doc.press(text, id);
    }
  },
  'press two texts of one draft': ({ world }) => {
    const id = `d${world.next()}`;
    if (world.isFull) return;
    for (const doc of world.docs) doc.press(`text ${world.next()}`, id);
  },
  'post again': (run, number) => {
    const found = run.entry(number, ['failed', 'unknown']);
    if (!found) return;
    const { doc, entry, truth } = found;
    Object.assign(truth, { pressedAt: run.world.now, isOver: false, isGone: truth.isSignedOut });
    const { user } = run.world.session ?? {};
    const isForgotten = user?.key === undefined && entry.session !== run.world.session?.id;
    const isOld = run.world.now - (entry.firstSentAt ?? 0) >= 24 * 60 * MINUTE;
    if (entry.state === 'unknown' && (entry.isSpent || isForgotten || isOld)) truth.newKeys += 1;
    doc.outbox.pressAgain(entry.id);
  },
  stop: (run, number) => {
    const found = run.entry(number, ['sending']);
    if (!found) return;
    found.truth.isOver = true;
    found.doc.outbox.stop(found.entry.id);
  },
  delete: (run, number) => {
    const found = run.entry(number, ['failed', 'unknown']);
    if (!found) return;
    found.truth.isGone = found.truth.isOver = true;
    found.doc.outbox.remove(found.entry);
  },
  'read a list': (run, number) => {
    const doc = run.doc(number);
    const posts = run.world.comments.map(({ id, text }) => ({ id, message: text, author: { username: '' }, created_at: '' }));
    doc.outbox.seeList(doc.place, posts);
  },
  'leave the page': ({ world }, number) => world.docs[number % 4]?.leave(),
  'open a page': ({ world }) => { if (world.docs.length < 3) world.docs.push(new Doc(world)); },
  'go to another article': (run, number) => { run.doc(number).article = ARTICLES[number % 2]!; },
  'a fate': ({ world }, number) => { world.fate = fates[number % fates.length]!; },
  'an answer': ({ world }, number) => { for (const { answer } of world.held.splice(number % 3, 1)) answer(); },
  offline: ({ world }) => { world.isOnline = !world.isOnline; for (const doc of world.docs) doc.wake(world.isOnline); },
  'storage is full': ({ world }) => { world.isFull = !world.isFull; },
  'the page empties storage': ({ world }) => {
    // Both at once would leave a copy in the memory of each tab.
    if (world.isFull) return;
    // What no document shows is gone.
    const isShown = ({ account, text }: Truth): boolean => (
      world.docs.some((doc) => !doc.isFrozen && doc.account && doc.has(account, text))
    );
    for (const truth of world.truths.values()) truth.isGone ||= !isShown(truth);
    const signOut = [...world.storage].filter(([key]) => key.startsWith('vestibule:signed-out'));
    world.storage.clear();
    for (const [key, record] of signOut) world.storage.set(key, record);
    for (const doc of world.docs) doc.wake();
  },
  'sign out': ({ world }, number) => {
    const doc = world.docs[number % 3];
    if (!doc?.account || doc.isFrozen) return;
    for (const key of [...world.storage.keys()]) if (key.startsWith('vestibule:entry ')) world.storage.delete(key);
    world.storage.set(`vestibule:signed-out ${BFF}`, { id: world.next() });
    world.session = undefined;
    world.hint = undefined;
    for (const truth of world.truths.values()) Object.assign(truth, { isGone: true, isSignedOut: true });
    doc.empty();
    for (const other of world.docs) if (other !== doc) other.wake();
  },
  'sign in': ({ world }, number) => {
    world.session = { id: `s${world.next()}`, user: users[number % 2]! };
    for (const doc of world.docs) if (!doc.isFrozen) doc.refresh();
  },
  // Of a reader with a key: that of Bo would be forgotten with the session.
  'the form in the page is accepted, and the page is left': (run, number) => {
    const doc = run.doc(number);
    if (doc.isFrozen) return;
    const { user_id, username } = users[0]!;
    run.world.session = { id: `s${run.world.next()}`, user: users[0]! };
    run.world.hint = { user_id, username };
    doc.account = user_id;
    doc.outbox.setAccount(user_id, '');
    doc.press(`text ${run.world.next()}`, `d${run.world.next()}`, { user_id, username });
    doc.leave();
    for (const other of run.world.docs) if (!other.isFrozen) other.refresh();
  },
  'the session ends': ({ world }) => { world.session = undefined; },
  'the session is known': (run, number) => { if (!run.doc(number).isFrozen) run.doc(number).refresh(); },
  'a page sleeps': (run, number) => { run.doc(number).isFrozen = true; },
  'the reader comes back': ({ world }) => {
    for (const doc of world.docs) {
      doc.isFrozen = false;
      doc.wake();
      doc.refresh();
    }
  },
};

/** What the documents still do without a timer or a request that is held. */
async function settle(): Promise<void> {
  await new Promise((resolve) => { setImmediate(resolve); });
}

async function pass(world: World, ms: number): Promise<void> {
  const end = world.now + ms;
  for (let rounds = 0; rounds < 400; rounds += 1) {
    const at = Math.min(...world.docs.map(({ nextAt }) => nextAt));
    if (at > end) break;
    world.now = Math.max(world.now, at);
    for (const doc of world.docs) doc.run();
    await settle();
  }
  world.now = end;
}

const WAITS = [SECOND, 3 * SECOND, 20 * SECOND, MINUTE, PRESS_MS - 2 * SECOND, 25 * 60 * MINUTE];

async function runSchedule(sequence: readonly (readonly [string, number])[], without: Without): Promise<void> {
  const run = new Run(without);
  const { world } = run;
  for (const [name, number] of sequence) {
    if (name === 'wait') await pass(world, WAITS[number % WAITS.length]!);
    else steps[name]!(run, number);
    await settle();
    world.check();
    if (world.fault) throw new Error(`${world.fault} after “${name}”`);
  }
}

/** The first fault and its shortest schedule; `undefined`: none. */
export async function findFault(runs: number, seed: number, without: Without = {}): Promise<string | undefined> {
  const mixes = [
    [...Object.keys(steps), 'wait', 'wait', 'wait', 'press', 'press', 'a fate', 'a fate', 'an answer'],
    // One reader after another.
    ['press', 'a page sleeps', 'sign out', 'sign in', 'leave the page', 'open a page', 'the reader comes back', 'a fate', 'an answer'],
  ];
  const sequences = fc.oneof(...mixes.map((names) => (
    fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(11)), { minLength: 4, maxLength: 24 })
  )));
  const property = fc.asyncProperty(sequences, (sequence) => runSchedule(sequence, without));
  const details = await fc.check(property, { numRuns: runs, seed });
  if (!details.failed) return undefined;
  const [sequence] = details.counterexample!;
  return `${String(details.errorInstance)}: ${sequence.map(([name, number]) => `${name} ${number}`).join(', ')}`;
}
