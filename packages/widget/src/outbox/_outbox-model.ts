/**
 * Documents of one browser over virtual days, for the model of the outbox: clock, timers, storage, locks and requests are
 * virtual. Each document has its own view of storage: what another one writes arrives with the next lock, or a moment later.
 */

import type { ListedPost, NewPost, PostCreated, ProblemType, SessionUser } from '@vestibule/shared';
import { problemTypes, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { Answer, Environment, Wake } from './environment.ts';
import { isHeld, type OutboxEntry, type Place } from './outbox-entry.ts';
import { type Row, type transition } from './outbox-state.ts';
import { Outbox } from './outbox.ts';
import type { Outlet, Report } from './reports.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const PRESS_MS = 10 * MINUTE;
const LATE_MS = 30 * SECOND;
/** `POST_TIMEOUT_MS` of the client. */
const TIMEOUT_MS = 60 * SECOND;

export const BFF = 'https://bff.example/';
const SIGNED_OUT = `vestibule:signed-out ${BFF}`;
export const articles = ['https://www.example.com/one', 'https://www.example.com/two'] as const;
/** The last one is not proven: the BFF knows its keys within one session. */
export const users: readonly SessionUser[] = [
  { user_id: '42', username: 'Ada', key: 'Ada' }, { user_id: '43', username: 'Bo', key: 'Bo' }, { user_id: '44', username: 'Di' },
];

/** What becomes of a request. */
export const fates = ['ok', 'held', 'busy', 'refused', 'unknown', 'unknown-done', 'failed', 'lost-request', 'lost-response'] as const;
export type Fate = typeof fates[number];

/** A text that was typed once. */
interface Writing {
  readonly name: string;
  /** How many comments there may be of it. */
  allowed: number;
  made: number;
}

/** What is true of an entry, whatever its documents store. */
interface Truth {
  readonly id: string;
  readonly place: Place;
  readonly visit: string;
  readonly parent: string | undefined;
  writing: Writing;
  text: string;
  pressedAt: number;
  /** The first press of this text, by the BFF's clock. */
  firstAt: number;
  /** A response said so, or a list. */
  isPosted: boolean;
  /** Keys of requests that may have been carried out, for all that the documents were told. */
  readonly doubts: Set<string>;
  /** `deleted`: by its reader, or a sign-out, or because another tab had taken the text. */
  fate: 'open' | 'deleted' | 'signed-out';
}

interface Comment {
  readonly id: string;
  readonly post: NewPost;
  readonly key: string;
  readonly at: number;
  isPending: boolean;
  isRemoved: boolean;
}

interface Held {
  readonly doc: Doc;
  readonly truth: Truth;
  readonly key: string;
  readonly at: number;
  readonly go: () => void;
  /** The document has been left. */
  readonly fail: () => void;
  hasFailed: boolean;
}

export class World {
  /** By the BFF's clock. */
  time = 1_800_000_000_000;
  /** This browser's clock minus the BFF's. */
  skew = 0;
  isOnline = true;
  isFull = false;
  isClockMoved = false;
  session: { readonly id: string; readonly user: SessionUser } | undefined = { id: 's0', user: users[0]! };
  fate: Fate = 'ok';
  isSlow = false;
  fault: string | undefined;
  docs: Doc[] = [];
  timers: { readonly doc: Doc; readonly at: number; readonly act: () => void }[] = [];
  held: Held[] = [];
  readonly stored = new Map<string, string>();
  readonly truths = new Map<string, Truth>();
  readonly writings = new Map<string, Writing>();
  readonly comments: Comment[] = [];
  readonly told = new Map<string, number>();
  readonly rules: typeof transition | undefined;
  /** The entry whose press makes the next keys. */
  presser: Truth | undefined;
  #count = 0;
  readonly #keys = new Map<string, Truth>();
  readonly #records = new Map<string, { readonly body: string; readonly at: number; comment?: Comment | undefined }>();
  readonly #spent = new Set<string>();
  readonly #sentAt = new Map<string, number>();
  readonly #locks = new Map<string, { readonly doc: Doc; readonly grant: () => void }[]>();
  #pending: { readonly doc: Doc; readonly key: string; readonly value: string | undefined }[] = [];

  constructor(rules?: typeof transition) {
    this.rules = rules;
  }

  get now(): number {
    return this.time + this.skew;
  }

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  // Storage

  write(doc: Doc, key: string, value: string | undefined): void {
    if (!doc.isAlive) return;
    if (value === undefined) doc.view.delete(key);
    else doc.view.set(key, value);
    this.#pending.push({ doc, key, value });
  }

  /** What the documents have written arrives at the others. */
  propagate(): void {
    for (const { doc, key, value } of this.#pending.splice(0)) {
      if (value === undefined) this.stored.delete(key);
      else this.stored.set(key, value);
      for (const other of this.docs) {
        if (other === doc) continue;
        if (value === undefined) other.view.delete(key);
        else other.view.set(key, value);
        if (!other.isFrozen) queueMicrotask(() => other.wake('storage'));
      }
    }
  }

  // Locks

  hold(doc: Doc, name: string, act: () => Promise<void>): Promise<void> {
    const queue = this.#locks.get(name) ?? [];
    this.#locks.set(name, queue);
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = { doc, grant: resolve };
    queue.push(own);
    if (queue.length === 1) resolve();
    // A document that is suspended keeps its locks.
    else this.timers.push({ doc, at: this.time + LATE_MS, act: resolve });
    return promise.then(async () => {
      this.propagate();
      if (!doc.isAlive) return;
      try {
        await act();
      } finally {
        this.#release(queue, (one) => one === own);
      }
    });
  }

  async ifFree(doc: Doc, name: string, act: () => Promise<void>): Promise<void> {
    if ((this.#locks.get(name) ?? []).length === 0) await this.hold(doc, name, act);
  }

  #release(queue: { readonly doc: Doc; readonly grant: () => void }[], isGone: (one: { readonly doc: Doc }) => boolean): void {
    const [first] = queue;
    queue.splice(0, queue.length, ...queue.filter((one) => !isGone(one)));
    if (queue[0] !== first) queue[0]?.grant();
  }

  // Documents

  async settle(): Promise<void> {
    for (let round = 0; round < 60; round += 1) await Promise.resolve();
    this.propagate();
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  }

  /** @param isAsleep timers fire at the end, all together */
  async pass(ms: number, isAsleep = false): Promise<void> {
    const end = this.time + ms;
    if (isAsleep) this.time = end;
    for (let turn = 0; turn < 5_000; turn += 1) {
      const due = this.timers.filter(({ at, doc }) => at <= end && !doc.isFrozen);
      const next = due.toSorted((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.act();
      await this.settle();
    }
    this.time = end;
  }

  async leave(doc: Doc): Promise<void> {
    doc.hide();
    doc.isLeft = true;
    const left = this.held.filter((one) => one.doc === doc && !one.hasFailed && !this.#isLate(doc, one.at));
    for (const one of this.held) if (one.doc === doc) one.fail();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    for (const { truth: { id, text } } of left) {
      const [, stored] = [...doc.view].find(([key]) => key.endsWith(` ${id}`)) ?? [];
      if (stored && ['failed', 'waiting'].includes((JSON.parse(stored) as OutboxEntry).state)) this.fault ??= `2: “${text}” waits in a page that is left`;
    }
    doc.isAlive = false;
    this.docs = this.docs.filter((one) => one !== doc);
    this.timers = this.timers.filter((timer) => timer.doc !== doc);
    for (const queue of this.#locks.values()) this.#release(queue, (one) => one.doc === doc);
    this.propagate();
  }

  release(): void {
    for (const { go } of this.held.splice(0)) go();
  }

  // Presses

  lastKey = '';
  /** Ids that a response has told. */
  readonly answered = new Set<string>();
  /** What must hold after the present step. */
  expectations: (() => string | undefined)[] = [];

  randomKey(): string {
    const key = this.next('k');
    this.lastKey = key;
    if (this.presser) this.#keys.set(key, this.presser);
    return key;
  }

  /** The reader presses “Post again”: a new key is made where the old one is of no use. */
  mayPostTwice({ key, firstSentAt = 0, user, session }: OutboxEntry, truth: Truth): boolean {
    const isOver = this.#spent.has(key) || key === '' || this.now - firstSentAt >= DAY;
    // The row has said that the comment may appear twice.
    const isTold = user.key === undefined && session !== this.session?.id;
    if (isOver || isTold) truth.writing.allowed += 1;
    return isOver;
  }

  own(entry: OutboxEntry, truth: Truth): void {
    this.truths.set(entry.id, truth);
    this.#keys.set(entry.key, truth);
  }

  signOut(account: string): void {
    for (const truth of this.truths.values()) {
      if (truth.place.account === account) truth.fate = 'signed-out';
    }
  }

  // The BFF

  async post(doc: Doc, post: NewPost, key: string): Promise<Answer> {
    const truth = this.#keys.get(key);
    this.#check(doc, post, key, truth);
    if (!truth) return failure('outcome-unknown');
    const fate = this.isOnline ? this.fate : 'lost-request';
    const wasOnline = this.isOnline;
    const sentAt = this.time;
    // A document that has not heard of the new session yet: a limit, which the documentation states.
    if (doc.session !== this.session?.id) truth.writing.allowed += this.session?.user.key === undefined ? 1 : 0;
    const record = this.#recordOf(key);
    const carryOut = fate === 'lost-request' ? 'lost' : this.#begin(post, record, fate);
    const slow = this.isSlow && fate !== 'lost-request';
    if (!slow && carryOut === 'carry out') this.#create(post, key, record, fate);
    if (slow) {
      const { promise, resolve } = Promise.withResolvers<'answer' | 'left'>();
      const go = (): void => {
        if (carryOut === 'carry out') this.#create(post, key, record, fate);
        resolve('answer');
      };
      const held: Held = { doc, truth, key, at: sentAt, go, hasFailed: false, fail: () => {
        held.hasFailed = true;
        truth.doubts.add(key);
        resolve('left');
      } };
      this.held.push(held);
      if (await promise === 'left') return lost;
      // The browser has given up.
      if (this.time - sentAt > TIMEOUT_MS) {
        truth.doubts.add(key);
        return lost;
      }
    }
    if (!doc.isAlive) return new Promise(() => {});
    const isLate = this.#isLate(doc, sentAt);
    if (isLate) truth.doubts.add(key);
    if (fate === 'lost-request' || fate === 'lost-response') {
      if (wasOnline || this.isOnline) truth.doubts.add(key);
      return lost;
    }
    const answer = this.#answer(record, carryOut, fate);
    if ('created' in answer) this.answered.add(String(answer.created.post['id']));
    if ('created' in answer && !doc.isLeft && truth.text === post.message) truth.isPosted = true;
    const type = 'problem' in answer ? answer.problem.type.slice(PROBLEM_TYPE_PREFIX.length) : 'created';
    if (/unknown|internal|progress|reused/.test(type)) truth.doubts.add(key);
    if (/unknown|reused/.test(type) && !isLate) this.#spent.add(key);
    if (type === 'post-rejected' && !isLate) truth.doubts.delete(key);
    return answer;
  }

  /** The document has waited for a response for 30 s; one that is suspended does not notice. */
  #isLate(doc: Doc, sentAt: number): boolean {
    const until = doc.isFrozen ? Math.min(doc.frozenAt, this.time) : this.time;
    return until - sentAt >= LATE_MS;
  }

  #check(doc: Doc, { message, expected_user_id, page, parent }: NewPost, key: string, truth: Truth | undefined): void {
    const say = (what: string): void => { this.fault ??= `2: sent “${message}” ${what}`; };
    if (!truth) return say('without a press');
    const { place, text, pressedAt, id } = truth;
    if (text !== message || place.account !== expected_user_id || place.article !== page) say('as another one');
    if (parent !== truth.parent) say('as another reply');
    const age = this.now - pressedAt;
    if (age < 0 || age >= PRESS_MS) say(`${age} ms after its press`);
    if (truth.fate !== 'open') say(`which is ${truth.fate}`);
    if (this.#spent.has(key)) say('with a key that is spent');
    const other = this.held.find((one) => one.truth === truth && !one.hasFailed && this.time - one.at < LATE_MS);
    if (other) say('while it is out');
    if (!this.#sentAt.has(key)) this.#sentAt.set(key, this.now);
    if (!doc.pressed.has(id)) doc.pressed.add(id);
  }

  /** The response to a request with a key that is known, or how it is carried out. */
  #begin(post: NewPost, record: string, fate: Fate): ProblemType | Comment | 'carry out' {
    if (fate === 'busy') return 'service-unavailable';
    if (!this.session) return 'not-signed-in';
    if (this.session.user.user_id !== post.expected_user_id) return 'user-changed';
    const body = JSON.stringify(post);
    const known = this.#records.get(record);
    if (known && this.time - known.at < DAY) {
      if (known.body !== body) return 'idempotency-key-reused';
      return known.comment ?? 'post-in-progress';
    }
    this.#records.set(record, { body, at: this.time });
    return 'carry out';
  }

  /** Names the BFF's record of a post: an unproven reader has one in each session. */
  #recordOf(key: string): string {
    const { id, user } = this.session ?? {};
    return user && user.key === undefined ? `${id} ${key}` : key;
  }

  #create(post: NewPost, key: string, record: string, fate: Fate): void {
    const known = this.#records.get(record)!;
    if (fate === 'failed' || fate === 'refused') this.#records.delete(record);
    if (['unknown', 'failed', 'refused'].includes(fate)) return;
    known.comment = { id: this.next('c'), post, key, at: this.time, isPending: fate === 'held', isRemoved: false };
    this.comments.push(known.comment);
    const { writing, id } = this.#keys.get(key)!;
    writing.made += 1;
    // Tabs that take a text at the same moment learn of each other by storage.
    if (writing.made > writing.allowed && !this.unkept.has(id)) this.fault ??= `1: ${writing.made} comments “${post.message}”`;
  }

  #answer(record: string, begun: ProblemType | Comment | 'carry out' | 'lost', fate: Fate): Answer {
    if (typeof begun === 'object') return { created: createdOf(begun) };
    if (begun !== 'carry out') return failure(begun as ProblemType);
    const { comment } = this.#records.get(record) ?? {};
    if (comment && fate !== 'unknown-done') return { created: createdOf(comment) };
    return failure(fate === 'refused' ? 'post-rejected' : fate === 'failed' ? 'internal-error' : 'outcome-unknown');
  }

  list(article: string): ListedPost[] {
    const shown = this.comments.filter(({ post, isPending, isRemoved }) => post.page === article && !isPending && !isRemoved);
    return shown.map(listedOf).toReversed();
  }

  authorOf({ key }: Comment): Truth | undefined {
    return this.#keys.get(key);
  }

  /** A comment “same” that this browser has not sent. */
  addForeign(account: string, article: string, parent: string): void {
    const post = { forum: 'news', message: 'same', page: article, expected_user_id: account, ...(parent && { parent }) };
    this.comments.push({ id: this.next('c'), post, key: '', at: this.time, isPending: false, isRemoved: false });
  }

  // What must hold

  check(step: string): void {
    try {
      this.#checkAll();
    } catch (error) {
      throw new Error(`${step}: ${(error as Error).message}`, { cause: error });
    }
  }

  #checkAll(): void {
    for (const { doc, truth, key, at } of this.held) if (this.#isLate(doc, at)) truth.doubts.add(key);
    if (this.fault) throw new Error(this.fault);
    for (const [report, count] of this.told) if (count > 1) throw new Error(`5: said ${count} times: ${report}`);
    const entries = this.entries();
    const ids = new Set(entries.map(({ id }) => id));
    for (const truth of this.truths.values()) if (this.#isYielded(truth, ids)) truth.fate = 'deleted';
    for (const doc of this.docs) doc.check();
    for (const truth of this.truths.values()) this.#checkTruth(truth, entries.filter(({ id }) => id === truth.id));
    // The comment of an entry that has expired stands for another one, if there is one in doubt.
    const posted = entries.flatMap((entry) => (
      entry.state === 'posted' && entry.postId && this.now - entry.postedAt < 7 * DAY ? [`${entry.postId} ${entry.id}`] : []
    ));
    const postIds = [...new Set(posted)].map((one) => one.split(' ')[0]!).filter((id) => !this.answered.has(id));
    // Of two equal texts on their way, the list may have given the comment of one to the other.
    if (new Set(postIds).size < postIds.length) throw new Error('a comment stands for two entries');
    for (const expect of this.expectations.splice(0)) {
      const fault = expect();
      if (fault) throw new Error(fault);
    }
    for (const entry of this.#storedEntries()) this.#checkLife(entry);
    for (const entry of entries) {
      const comment = entry.state === 'posted' ? this.comments.find(({ id }) => id === entry.postId) : undefined;
      const truth = this.truths.get(entry.id)!;
      if (comment && !isSame(entry, comment.post)) throw new Error(`takes “${comment.post.message}” for “${entry.text}”`);
      const isOld = comment && Math.floor(comment.at / SECOND) < Math.floor(truth.firstAt / SECOND);
      if (isOld && !this.isClockMoved) throw new Error(`takes an older comment for “${entry.text}”`);
      if (entry.state !== 'posted' || this.isClockMoved) continue;
      const same = this.comments.filter(({ post }) => isSame(entry, post)).length;
      const claimed = new Set(entries.filter((other) => other.state === 'posted' && isSame(other, postOf(entry))).map(({ id }) => id)).size;
      if (claimed > same && entry.text !== 'same') throw new Error(`says that “${entry.text}” is posted`);
    }
  }

  /** What waits is sent when its time has come. */
  #checkLife(entry: OutboxEntry): void {
    const isSuspended = this.docs.some(({ isFrozen }) => isFrozen);
    if (!('sender' in entry) || isSuspended || this.isClockMoved || this.unkept.size > 0) return;
    const doc = this.docs.find(({ id }) => id === entry.sender);
    const isShown = doc?.boxes.some(({ account }) => account === entry.account);
    if (!doc || !isShown || doc.isLeft || this.truths.get(entry.id)?.fate !== 'open') return;
    const about = `4: “${entry.text}” is ${entry.state}`;
    if (entry.state === 'out' && (entry.sentAt === undefined || this.now - entry.sentAt > 40 * SECOND)) throw new Error(`${about} for ever`);
    if (entry.state !== 'waiting') return;
    if (entry.until !== undefined && this.now - entry.until > 3 * SECOND) throw new Error(`${about} after its time`);
    if (entry.until === undefined && this.isOnline) throw new Error(`${about} for a network that is there`);
  }

  #checkTruth(truth: Truth, entries: readonly OutboxEntry[]): void {
    const { id, fate, doubts, text } = truth;
    const about = `“${text}” (${id})`;
    if (fate !== 'open') {
      const left = entries.filter((entry) => !(entry.state === 'posted' && !isHeld(entry)));
      if (left.length > 0) throw new Error(`3: ${about} is ${fate} and ${left[0]!.state}`);
      if ([...this.stored.keys()].some((key) => key.endsWith(` ${id}`))) throw new Error(`3: ${about} is ${fate} and stored`);
      return;
    }
    const own = this.comments.filter((comment) => this.authorOf(comment) === truth && comment.post.message === text);
    for (const entry of entries) {
      if (entry.state === 'failed' && (own.length > 0 || doubts.size > 0)) throw new Error(`4: ${about} is called failed`);
      if (entry.state === 'unsure' && doubts.size === 0) throw new Error(`4: a doubt about nothing: ${about}`);
      if (entry.state === 'posted') truth.isPosted = true;
      else if (truth.isPosted) throw new Error(`4: ${about} is posted, and called ${entry.state}`);
      if (entry.text !== text) throw new Error(`4: ${about} has become “${entry.text}”`);
    }
    const isExpired = this.now - truth.pressedAt >= 7 * DAY;
    const isPosted = own.length > 0 || this.told.has(`${id} ${truth.pressedAt} posted`);
    if (entries.length === 0 && !isExpired && !isPosted && !this.unkept.has(id)) throw new Error(`4: lost ${about}`);
  }

  /** Entries that storage has refused once. */
  readonly unkept = new Set<string>();

  /** Another tab has taken the same text. */
  #isYielded(truth: Truth, ids: ReadonlySet<string>): boolean {
    if (truth.fate !== 'open' || ids.has(truth.id) || this.unkept.has(truth.id)) return false;
    return [...this.truths.values()].some((other) => other !== truth && other.writing === truth.writing && ids.has(other.id));
  }

  /** Every entry that is stored or shown. */
  entries(): OutboxEntry[] {
    return this.docs.flatMap((doc) => [
      ...doc.isFrozen ? [] : doc.boxes.flatMap(({ shown }) => shown.flatMap(({ entry, isDeleted }) => (isDeleted ? [] : entry))),
    ]).concat(this.#storedEntries());
  }

  #storedEntries(): OutboxEntry[] {
    return [...this.stored].flatMap(([key, value]) => {
      const [kind, bff, account = '', forum = '', article, id] = key.split(' ');
      if (kind !== 'vestibule:entry') return [];
      const entry = { ...JSON.parse(value) as object, bff, account, forum, article, id } as OutboxEntry;
      return entry.state === 'posted' && this.now - entry.postedAt >= 7 * DAY ? [] : [entry];
    });
  }
}

const lost: Answer = { problem: { type: 'urn:vestibule:network', title: '', status: 0, detail: '', retryable: true } };

function failure(type: ProblemType): Answer {
  const problem: WidgetProblem = { type: `${PROBLEM_TYPE_PREFIX}${type}`, detail: '', ...problemTypes[type] };
  return { problem, ...(problem.retryable && { retryAfterSeconds: 20 }) };
}

function createdOf({ id, isPending }: Comment): PostCreated {
  return { post: { id }, ...(isPending && { listed: { state: 'pending' } }) };
}

function listedOf({ id, post, at }: Comment): ListedPost {
  const { username, key } = users.find(({ user_id }) => user_id === post.expected_user_id) ?? { username: 'Cy', key: 'Cy' };
  return {
    id, author: { username, ...(key !== undefined && { key }) }, message: post.message, created_at: new Date(at).toISOString(),
    ...(post.parent !== undefined && { parent_id: post.parent }),
  };
}

function isSame(entry: OutboxEntry, post: Partial<NewPost>): boolean {
  const { text, account, article, parent } = entry;
  return text === post.message && account === post.expected_user_id && article === post.page && parent === post.parent;
}

function postOf({ text, account, article, parent }: OutboxEntry): Partial<NewPost> {
  return { message: text, expected_user_id: account, page: article, ...(parent !== undefined && { parent }) };
}

/** A document, with an outbox of its own. */
export class Doc {
  readonly world: World;
  readonly name: string;
  readonly view: Map<string, string>;
  readonly outbox: Outbox;
  /** That of its outbox. */
  readonly id: string;
  /** The session that it knows. */
  session: string | undefined;
  /** Entries that it has sent. */
  readonly pressed = new Set<string>();
  /** Places that it has shown: what other tabs add there comes with a list. */
  readonly seen = new Map<string, ReadonlySet<string>>();
  boxes: Box[] = [];
  isAlive = true;
  isLeft = false;
  isFrozen = false;
  frozenAt = 0;
  /** It has missed what other tabs did. */
  wasFrozen = false;
  article = 0;
  visit = '';
  ends: readonly {
    readonly id: string; readonly account: string; readonly article: string; readonly told: string; readonly row: Row;
  }[] = [];

  #listener: ((wake: Wake) => void) | undefined;

  constructor(world: World, article: number) {
    this.world = world;
    this.name = world.next('doc');
    world.propagate();
    this.view = new Map(world.stored);
    world.docs.push(this);
    this.article = article;
    this.visit = world.next('visit');
    this.outbox = new Outbox(this.#environment(), world.rules);
    this.id = world.lastKey;
  }

  #environment(): Environment {
    const { world, view } = this;
    return {
      store: {
        read: <Kept extends object>(key: string) => (view.has(key) ? JSON.parse(view.get(key)!) as Partial<Kept> : undefined),
        write: (key, record) => {
          if (key.startsWith('vestibule:entry ')) this.#note(key, record as OutboxEntry);
          if (world.isFull && !view.has(key)) return false;
          world.write(this, key, JSON.stringify(record));
          return true;
        },
        remove: (key) => { if (view.has(key)) world.write(this, key, undefined); },
        list: () => [...view.keys()],
      },
      now: () => world.now,
      after: (ms, act) => {
        const timer = { doc: this as Doc, at: world.time + ms, act };
        if (this.isAlive) world.timers.push(timer);
        return () => { world.timers = world.timers.filter((one) => one !== timer); };
      },
      randomKey: () => world.randomKey(),
      backoffMs: (attempt, seconds = Math.min(2 ** (attempt - 1), 60)) => seconds * SECOND,
      isOnline: () => world.isOnline,
      isLeft: () => this.isLeft,
      post: (_, post, key) => (this.isAlive ? world.post(this, post, key) : new Promise(() => {})),
      hold: (name, act) => (this.isAlive ? world.hold(this, name, act) : new Promise(() => {})),
      ifFree: (name, act) => (this.isAlive ? world.ifFree(this, name, act) : new Promise(() => {})),
      listen: (onWake) => {
        this.#listener = onWake;
        return () => { this.#listener = undefined; };
      },
      reportError: (error) => { world.fault ??= String(error); },
    };
  }

  #note(storageKey: string, entry: OutboxEntry): void {
    const [, , account = '', , article = '', id = ''] = storageKey.split(' ');
    const { world } = this;
    if (world.isFull && !this.view.has(storageKey)) world.unkept.add(id);
    if (world.unkept.has(id)) return;
    const { state, pressedAt } = JSON.parse(this.view.get(storageKey) ?? '{}') as Partial<OutboxEntry>;
    if (!['failed', 'unsure', 'posted'].includes(entry.state) || (state === entry.state && pressedAt === entry.pressedAt)) return;
    const row: Row = entry.state === 'failed' ? entry.problem?.type === 'urn:vestibule:not-signed-in' ? 'session-over' : 'not-posted'
      : entry.state === 'unsure' ? 'unsure' : isHeld(entry) ? 'held' : 'posted';
    this.ends = [...this.ends, { id, account, article, row, told: `${id} ${entry.pressedAt} ${row}` }];
  }

  /** The page is hidden: the heights of its entries are stored. */
  hide(): void {
    for (const { shown } of this.isFrozen ? [] : this.boxes) {
      for (const { entry } of shown) this.outbox.keepRoom(entry, { address: entry.article, height: 90 });
    }
  }

  freeze(): void {
    this.hide();
    if (!this.isFrozen) this.frozenAt = this.world.time;
    this.isFrozen = true;
  }

  wake(wake: Wake): void {
    if (!this.isAlive || this.isFrozen) return;
    for (const box of this.boxes) box.follow();
    this.#listener?.(wake);
  }

  /** The reader comes back, or the document is loaded: the box learns who is signed in. */
  refresh(): void {
    const { world: { session }, outbox } = this;
    this.session = session?.id;
    for (const box of this.boxes) {
      if (session) box.account = session.user.user_id;
      box.signOut = outbox.signOutId(BFF);
      box.follow();
    }
    outbox.setAccount(BFF, session?.user.user_id ?? '', session?.id);
  }

  addBox(): void {
    const box = new Box(this);
    this.boxes.push(box);
    if (this.world.session) box.account = this.world.session.user.user_id;
    box.signOut = this.outbox.signOutId(BFF);
    box.follow();
    box.detach = this.outbox.attach(box);
  }

  removeBoxes(): void {
    for (const box of this.boxes) box.detach();
    this.boxes = [];
  }

  check(): void {
    const { ends } = this;
    this.ends = [];
    for (const { id, account, article, told, row } of ends) {
      if (this.world.told.has(told) || this.world.truths.get(id)?.fate !== 'open') continue;
      const boxes = this.boxes.filter((box) => box.account === account);
      const isFailure = row !== 'posted' && row !== 'held';
      if (boxes.some((box) => box.article === article || isFailure)) throw new Error(`5: not said: ${told}`);
    }
    if (this.isFrozen) return;
    for (const box of this.boxes) box.check();
  }
}

export class Box implements Outlet {
  readonly bff = BFF;
  readonly forum = 'news';
  readonly language = '';
  readonly doc: Doc;
  account = '';
  signOut = '';
  detach = (): void => {};
  /** By parent. */
  readonly fields = new Map<string, { readonly text: string; readonly revision: string }>();

  constructor(doc: Doc) {
    this.doc = doc;
  }

  get article(): string {
    return articles[this.doc.article]!;
  }

  get visit(): string {
    return this.doc.visit;
  }

  get place(): Place {
    const { bff, account, forum, article } = this;
    return { bff, account, forum, article };
  }

  get #seenKey(): string {
    return `${this.visit} ${this.article} ${this.account}`;
  }

  get shown(): ReturnType<Outbox['entries']> {
    const { doc, account, article } = this;
    if (!doc.seen.has(this.#seenKey)) {
      const stored = [...doc.view.keys()].filter((key) => key.startsWith(`vestibule:entry ${BFF} ${account} news ${article} `));
      doc.seen.set(this.#seenKey, new Set(stored.map((key) => key.split(' ').at(-1)!)));
    }
    return this.doc.outbox.entries(this.place, this.visit);
  }

  onChange(): void {
    void this.shown;
  }

  tell({ entry, row }: Report): void {
    const { told } = this.doc.world;
    const isEnd = ['failed', 'unsure', 'posted'].includes(entry.state);
    const report = `${entry.id} ${entry.pressedAt} ${row}${isEnd ? '' : this.doc.name}`;
    told.set(report, (told.get(report) ?? 0) + 1);
    if (entry.account !== this.account) this.doc.world.fault ??= `5: said to ${this.account}: ${report}`;
  }

  /** What the draft is now. A box whose account has signed out elsewhere shows nobody's. */
  follow(): void {
    const mark = this.doc.view.get(SIGNED_OUT);
    const { id, account } = mark ? JSON.parse(mark) as { id: string; account: string } : { id: '', account: '' };
    if (mark && id !== this.signOut && account === this.account) {
      this.account = '';
      this.signOut = id;
      this.doc.outbox.setAccount(BFF, '');
    }
    for (const parent of ['', 'p']) {
      const draft = this.doc.view.get(this.#draftKey(parent));
      if (draft) this.fields.set(parent, JSON.parse(draft) as { text: string; revision: string });
      else this.fields.delete(parent);
    }
  }

  #draftKey(parent: string): string {
    return `draft ${this.account} ${this.article} ${parent}`;
  }

  type(parent: string, isSame: boolean): void {
    const { world } = this.doc;
    if (!this.account) return;
    const revision = world.next('r');
    const field = { text: isSame ? 'same' : world.next('text'), revision };
    world.writings.set(revision, { name: field.text, allowed: 1, made: 0 });
    this.fields.set(parent, field);
    world.write(this.doc, this.#draftKey(parent), JSON.stringify(field));
  }

  press(parent: string): void {
    const { doc, doc: { world, outbox }, place, visit, signOut } = this;
    const field = this.fields.get(parent);
    const user = users.find(({ user_id }) => user_id === this.account);
    if (!field || !user) return;
    const truth: Truth = {
      id: '', place, visit, parent: parent || undefined, writing: world.writings.get(field.revision)!, text: field.text, pressedAt: world.now,
      firstAt: world.time, isPosted: false, doubts: new Set(), fate: 'open',
    };
    world.presser = truth;
    let isTaken = false;
    const entry = outbox.press({
      ...place, visit, text: field.text, parent: parent || undefined, address: this.article, user, signOut,
      session: world.session?.id,
      taken: `${parent} ${field.revision}`,
      take: () => {
        isTaken = true;
        this.fields.delete(parent);
        if (doc.view.get(this.#draftKey(parent))?.includes(`"${field.revision}"`)) world.write(doc, this.#draftKey(parent), undefined);
      },
    });
    world.presser = undefined;
    if (isTaken !== (entry !== undefined)) world.fault ??= '4: took a text without an entry';
    if (!entry || world.truths.has(entry.id)) return;
    const own = Object.assign(truth, { id: entry.id });
    world.own(entry, own);
    doc.pressed.add(entry.id);
    if (!this.#shows(entry.id)) world.fault ??= `4: “${field.text}” is not shown at its press`;
  }

  #shows(id: string): boolean {
    return this.shown.some(({ entry, isDeleted }) => entry.id === id && !isDeleted);
  }

  /** Presses a button of the entry that stands at `index`. */
  button(name: string, index: number): void {
    const { doc: { world, outbox }, signOut } = this;
    const rows = this.shown.filter(({ row, isDeleted }) => (name === 'Undo' ? isDeleted : !isDeleted && buttons[row].includes(name)));
    const entry = rows[index % Math.max(rows.length, 1)]?.entry;
    const truth = entry && world.truths.get(entry.id);
    // A public comment of somebody who has signed out has no buttons of its outbox.
    if (!entry || !truth || entry.account !== this.account) return;
    const press = { session: world.session?.id, signOut };
    const isPress = ['Try again', 'Sign in and post', 'Post again', 'Edit'].includes(name);
    const before = { ...truth };
    const isKeyOver = name === 'Post again' && world.mayPostTwice(entry, truth);
    if (isPress) Object.assign(truth, { pressedAt: world.now });
    if (name === 'Edit') {
      const text = world.next('edited');
      const editedNow = (): string | undefined => this.shown.find((one) => one.entry.id === entry.id)?.entry.edited;
      outbox.act(entry, { type: 'edit', text });
      if (editedNow() !== text) world.fault ??= '4: what is edited is lost';
      outbox.act(entry, { type: 'cancel-edit' });
      if (editedNow() !== undefined) world.fault ??= '4: an edit goes on';
      Object.assign(truth, { text, firstAt: world.time, writing: { name: text, allowed: 1, made: 0 } });
    }
    if (name === 'Try again' || name === 'Sign in and post') truth.firstAt = world.time;
    if (name === 'Delete' || name === "It's there") truth.fate = 'deleted';
    if (name === 'Undo' && truth.fate === 'deleted') truth.fate = 'open';
    world.presser = truth;
    switch (name) {
      case 'Try now': outbox.tryNow(entry); break;
      case 'Stop': outbox.act(entry, { type: 'stop' }); break;
      case 'Try again': case 'Sign in and post': case 'Post again': outbox.pressAgain(entry, press); break;
      case 'Edit': outbox.pressAgain(entry, { ...press, text: truth.text }); break;
      case 'Delete': outbox.remove(entry); break;
      case 'Undo': {
        outbox.undo(entry);
        // Its reader has seen its end: what comes back is not said.
        this.doc.ends = this.doc.ends.filter(({ id }) => id !== entry.id);
        break;
      }
      case "It's there": outbox.act(entry, { type: 'confirm' }); break;
    }
    world.presser = undefined;
    const after = this.shown.find((one) => one.entry.id === entry.id);
    if (name === 'Stop' && !['failed', 'unsure'].includes(after?.entry.state ?? '')) world.fault ??= '4: “Stop” does nothing';
    if (name === 'Try now') {
      world.expectations.push(() => {
        const now = this.shown.find((one) => one.entry.id === entry.id)?.entry;
        const isFree = !world.docs.some(({ isFrozen }) => isFrozen);
        return isFree && now?.state === 'waiting' && 'attempt' in entry && now.attempt === entry.attempt ? '4: “Try now” does nothing' : undefined;
      });
    }
    if (isPress && after?.entry.state === 'out' && (after.entry.key === entry.key) !== (name === 'Post again' && !isKeyOver)) {
      world.fault ??= `2: “${name}” takes the wrong key`;
    }
    if (isPress && after?.entry.state !== 'out') {
      // The reader has signed out elsewhere.
      if (signOut === outbox.signOutId(BFF)) world.fault ??= `4: “${name}” does nothing`;
      Object.assign(truth, before);
    }
  }

  /** A list is read, which may be `old`. */
  list(old?: readonly ListedPost[]): void {
    const { world, outbox } = this.doc;
    const posts = old ?? world.list(this.article);
    outbox.seeList(this.place, this.visit, posts);
    world.propagate();
  }

  check(): void {
    const { doc: { world }, shown } = this;
    const seen = this.doc.seen.get(this.#seenKey)!;
    const ids = new Set(shown.map(({ entry }) => entry.id));
    if (ids.size < shown.length) throw new Error('4: an entry is shown twice');
    for (const { entry } of shown) {
      if (entry.account !== this.account && world.truths.get(entry.id)!.fate !== 'signed-out') {
        throw new Error(`3: “${entry.text}” of ${entry.account} for ${this.account}`);
      }
    }
    for (const { id, place, visit, fate, pressedAt, text } of world.truths.values()) {
      const isHere = place.account === this.account && place.article === this.article;
      const isOfVisit = visit === this.visit && place.account === this.account;
      const isPosted = world.told.has(`${id} ${pressedAt} posted`);
      const isListed = isPosted && !isOfVisit;
      const isGone = fate !== 'open' || world.now - pressedAt >= 7 * DAY || world.unkept.has(id) || isListed;
      if (isGone || !(isOfVisit || (isHere && seen.has(id))) || ids.has(id)) continue;
      if (world.comments.some((comment) => world.authorOf(comment)?.id === id)) continue;
      throw new Error(`4: “${text}” (${id}) is not shown`);
    }
    for (const truth of world.truths.values()) {
      // A public comment stays where it is, also after a sign-out.
      const isPublic = world.told.has(`${truth.id} ${truth.pressedAt} posted`) && truth.visit === this.visit;
      const isAnybodys = truth.fate === 'signed-out' || (truth.fate === 'open' && truth.place.account === this.account);
      if (isPublic && isAnybodys && !ids.has(truth.id) && !this.doc.wasFrozen) throw new Error(`4: the public comment “${truth.text}” has left the screen`);
    }
  }
}

const buttons: { readonly [Name in Row]: readonly string[] } = {
  posting: [], 'not-posted-yet': ['Try now', 'Stop'], 'not-confirmed-yet': ['Try now', 'Stop'], offline: ['Try now', 'Stop'],
  'not-posted': ['Try again', 'Edit', 'Delete'], 'session-over': ['Sign in and post', 'Edit', 'Delete'],
  unsure: ["It's there", 'Post again', 'Delete'], held: [], posted: [],
};
