/**
 * The outbox of a document: it stores entries and sends them. Boxes and threads only show them; one that leaves takes nothing
 * away.
 *
 * - `press` takes a text out of its field; `entries` are those to show at a place, `seeList` compares them with a list.
 * - The verbs of an entry's buttons: `tryNow`, `stop`, `tryAgain`, `postAgain`, `edit`, `cancelEdit`, `submitEdit`, `remove`,
 *   `undo`, `confirm`. Those that post are presses: a box dispatches `vestibule-before-post` first. A verb that its state does
 *   not have does nothing.
 * - `attach` adds a box. It is told when to render again, and of each change that is to be said (`tell`), once.
 * - `setAccount` says who is signed in: entries of this account that other documents have left are taken over.
 * - `signOut` follows a confirmed sign-out, after its record is written. `measure` takes the BFF's clock from `Date` of a
 *   response that is `no-store`.
 *
 * The document of the press sends, in the order of the presses, each entry under a lock of its id; another document takes over
 * what is due, or was left, if that lock is free. Each attempt reads the entry again under the lock: storage is what counts.
 * What is not in storage any more is not written again: another tab, or a sign-out, has removed it.
 */

import type { ListedPost, NewPost } from '@vestibule/shared';
import type { Environment, Wake } from './environment.ts';
import { matchList } from './match-list.ts';
import {
  entryStorageKey, isAt, isHeld, isSignedOut, type EntryKey, type EntryRoom, type OutboxEntry, type OutEntry, type Place, type SignOutMark,
} from './outbox-entry.ts';
import type { Press, PressAgain, ShownEntry } from './press.ts';
import { Reports, type Outlet, type Report } from './reports.ts';
import { StoredEntries } from './stored-entries.ts';
import { isFresh, PRESS_MS, rowOf, transition, type EntryEvent, type PressFacts } from './outbox-state.ts';

/** Longest `page` that the BFF accepts, in characters. */
const PAGE_MAX_LENGTH = 2048;
/** After so long without a response, in ms, an attempt counts as lost. */
const LATE_MS = 30_000;
/** How much later than the document of the press another one sends what is due, in ms. */
const GRACE_MS = 5_000;
/** Shortest time between two looks at the entries, in ms. */
const TICK_MS = 1_000;
export const UNDO_MS = 10_000;

type ShownArticle = Pick<Outlet, 'bff' | 'forum' | 'article' | 'visit'>;

/** An entry of this document. */
interface Visit {
  readonly visit: string;
  /** As it was last seen. */
  entry: OutboxEntry;
  /** Public, of an account that has signed out. */
  isAnybodys?: boolean;
}

export class Outbox {
  readonly #environment: Environment;
  readonly #transition: typeof transition;
  readonly #id: string;
  /** The one that was used last comes last. */
  readonly #outlets = new Set<Outlet>();
  /** The box that has left last. */
  #left: readonly ShownArticle[] = [];
  readonly #reports: Reports;
  /** Who is signed in, by BFF. */
  readonly #sessions = new Map<string, { readonly account: string; readonly session: string | undefined }>();
  /** Accounts of the presses of this document. */
  readonly #own = new Map<string, Pick<Place, 'bff' | 'account'>>();
  /** Of the presses of this document, by id. */
  readonly #visits = new Map<string, Visit>();
  readonly #stored: StoredEntries;
  readonly #deleted = new Map<string, { readonly entry: OutboxEntry; readonly until: number }>();
  /** Ids that a visit shows. Those of other documents come with its next list. */
  readonly #known = new Map<string, Set<string>>();
  readonly #running = new Set<string>();
  /** The BFF's clock minus this one, in ms. */
  readonly #clocks = new Map<string, number>();
  #unlisten: (() => void) | undefined;
  #cancelTimer = (): void => {};

  /** @param rules the table, in tests of it */
  constructor(environment: Environment, rules = transition) {
    this.#environment = environment;
    this.#transition = rules;
    this.#id = environment.randomKey();
    this.#stored = new StoredEntries(environment);
    this.#reports = new Reports(this.#outlets, {
      read: (key) => this.#stored.read(key), visitOf: ({ id }) => this.#visits.get(id)?.visit,
    });
  }

  /** @returns what removes it */
  attach(outlet: Outlet): () => void {
    this.#outlets.add(outlet);
    this.#unlisten ??= this.#environment.listen((wake) => this.#wake(wake));
    this.#removeOver(outlet.bff);
    this.#reports.flush();
    this.#look(true);
    return () => {
      this.#outlets.delete(outlet);
      const { bff, forum, article, visit } = outlet;
      this.#left = [{ bff, forum, article, visit }];
      this.#schedule();
    };
  }

  /** That of another box of the article, or of the one that has left last; else a new one. */
  visitOf(outlet: ShownArticle): string {
    const { bff, forum, article } = outlet;
    const others = [...this.#outlets, ...this.#left].filter((one) => one !== outlet);
    return others.find((one) => one.bff === bff && one.forum === forum && one.article === article)?.visit ?? this.#environment.randomKey();
  }

  /** The reader uses this box. */
  use(outlet: Outlet): void {
    if (this.#outlets.delete(outlet)) this.#outlets.add(outlet);
  }

  /** @param account that is signed in; empty: none @param session its opaque id */
  setAccount(bff: string, account: string, session?: string): void {
    this.#sessions.set(bff, { account, session });
    this.#removeOver(bff);
    this.#reports.flush();
    this.#look(true);
  }

  /** @param date of a response that just arrived, in milliseconds since the epoch */
  measure(bff: string, date: number): void {
    this.#clocks.set(bff, date - this.#now);
  }

  /** Id of the last sign-out that is known; empty: none. */
  signOutId(bff: string): string {
    return this.#stored.mark(bff)?.id ?? '';
  }

  signOut(bff: string, mark: SignOutMark): void {
    this.#stored.signOut(bff, mark);
    this.#removeOver(bff);
    this.#notify();
  }

  /** Returns the entry, that of another tab if it has taken the same text; `undefined`: the reader has signed out, or the press
   *  is too old, and the text stays in the field. */
  press(press: Press): OutboxEntry | undefined {
    const { bff, account, forum, article, visit, take, at = this.#now, ...text } = press;
    const place = { bff, account, forum, article };
    if (isSignedOut(press, this.#stored.mark(bff)) || !isFresh({ pressedAt: at }, this.#now)) return undefined;
    const twin = this.#stored.list(place).find((entry) => isAt(entry, place) && isTwin(entry, press));
    const id = this.#environment.randomKey();
    const entry: OutboxEntry = twin ?? {
      ...place, ...text, id, key: id, state: 'out', sender: this.#id, attempt: 1, pressedAt: at, notBefore: this.#notBefore(bff, at),
    };
    this.#visits.set(entry.id, { visit, entry });
    if (!twin) this.#write(entry);
    take();
    if (twin) {
      this.#notify();
      return twin;
    }
    // The draft has made room.
    if (!this.#stored.isKept(entry)) this.#write(entry);
    this.#own.set(`${bff} ${account}`, { bff, account });
    this.#reports.tell(entry);
    this.#notify();
    this.#start(entry);
    return entry;
  }

  tryAgain(key: EntryKey, press: PressAgain): void {
    this.#pressAgain(key, press, (facts) => ({ type: 'try-again', press: facts }));
  }

  postAgain(key: EntryKey, press: PressAgain): void {
    this.#pressAgain(key, press, (facts) => ({ type: 'post-again', press: facts }));
  }

  submitEdit(key: EntryKey, text: string, press: PressAgain): void {
    this.#pressAgain(key, press, (facts) => ({ type: 'submit-edit', text, press: facts }));
  }

  edit(key: EntryKey, text: string): void {
    this.#apply(key, { type: 'edit', text });
  }

  cancelEdit(key: EntryKey): void {
    this.#apply(key, { type: 'cancel-edit' });
  }

  stop(key: EntryKey): void {
    this.#apply(key, { type: 'stop' });
  }

  tryNow(key: EntryKey): void {
    this.#takeOver(key, { type: 'try-now' });
  }

  /** The next visit holds the place of the entry from its first frame on. */
  keepRoom(key: EntryKey, room: EntryRoom): void {
    if (this.#stored.read(key)) this.#environment.store.write(entryStorageKey(key, 'room'), room);
  }

  /** “It's there”. */
  confirm(key: EntryKey): void {
    this.#apply(key, { type: 'confirm' });
  }

  /** Can be undone for `UNDO_MS`. */
  remove(key: EntryKey): void {
    const entry = this.#stored.read(key);
    if (!entry) return;
    this.#deleted.set(key.id, { entry, until: this.#now + UNDO_MS });
    this.#apply(key, { type: 'remove' });
    // The table has kept it.
    if (this.#stored.read(key)) this.#deleted.delete(key.id);
    this.#schedule();
  }

  undo({ id }: EntryKey): void {
    const deleted = this.#deleted.get(id);
    this.#deleted.delete(id);
    if (deleted && !this.#stored.isSignedOut(deleted.entry)) this.#write(deleted.entry);
    this.#schedule();
    this.#notify();
  }

  /** The entries to show, those of this visit first, the newest press first. */
  entries(place: Place, visit: string): readonly ShownEntry[] {
    const isHere = (entry: OutboxEntry): boolean => isAt(entry, place) || this.#visits.get(entry.id)?.visit === visit;
    const stored = this.#stored.list(place).filter(isHere);
    const known = this.#knownIn(place, visit, stored);
    const deleted = [...this.#deleted.values()].map(({ entry }) => entry)
      .filter((entry) => entry.account === place.account && isHere(entry));
    const ofVisit = [...this.#visits.values()].filter((one) => one.visit === visit).toReversed();
    const all = new Map([...deleted, ...stored].map((entry) => [entry.id, entry]));
    // A posted entry that storage has not any more stays in its visit.
    for (const { entry, isAnybodys } of ofVisit) {
      const isLeft = !all.has(entry.id) && entry.state === 'posted';
      if (isLeft && (isAnybodys || entry.account === place.account)) all.set(entry.id, entry);
    }
    const first = ofVisit.flatMap(({ entry: { id } }) => all.get(id) ?? []);
    const rest = [...all.values()].filter((entry) => (
      !first.includes(entry) && known.has(entry.id) && !(entry.state === 'posted' && entry.isListed)
    ));
    return [...first, ...rest.toSorted((one, other) => other.pressedAt - one.pressedAt)].map((entry) => ({
      entry, row: rowOf(entry), isKept: this.#stored.isKept(entry), isDeleted: deleted.includes(entry),
    }));
  }

  /** A list of the place has been read just now. */
  seeList(place: Place, visit: string, posts: readonly ListedPost[]): void {
    const now = this.#now;
    const entries = this.#stored.list(place).filter((entry) => isAt(entry, place));
    for (const [id, postId] of matchList(entries, posts, now)) this.#apply({ ...place, id }, { type: 'listed', id: postId });
    this.#known.delete(knownKey(place, visit));
    for (const entry of entries) {
      // Since an earlier list: other tabs have seen it.
      const isOver = entry.state === 'posted' && entry.isListed && !this.#visits.has(entry.id);
      // Its comment must not stand for an entry in doubt.
      const isNeeded = entries.some((other) => other.state !== 'posted' && other.text === entry.text && other.parent === entry.parent);
      if (isOver && !isNeeded) this.#stored.forget(entry);
    }
    this.#notify();
  }

  get #now(): number {
    return this.#environment.now();
  }

  #notBefore(bff: string, at: number): number | undefined {
    const clock = this.#clocks.get(bff);
    return clock === undefined ? undefined : at + clock;
  }

  #pressAgain(key: EntryKey, press: PressAgain, eventOf: (facts: PressFacts) => EntryEvent): void {
    const now = this.#now;
    const { at = now, session, signOut } = press;
    if (isSignedOut({ ...key, signOut }, this.#stored.mark(key.bff)) || !isFresh({ pressedAt: at }, now)) return;
    const facts = { at, session, signOut, key: this.#environment.randomKey(), notBefore: this.#notBefore(key.bff, at) };
    const entry = this.#apply(key, eventOf(facts));
    if (entry?.state !== 'out' || entry.sender !== this.#id) return;
    this.#own.set(`${key.bff} ${key.account}`, key);
    this.#start(entry);
  }

  /** What the table makes of the entry, stored and told. Returns it; `undefined`: nothing is left of it. */
  #apply(key: EntryKey, event: EntryEvent, about: Pick<Report, 'problem' | 'created'> = {}): OutboxEntry | undefined {
    const entry = this.#stored.read(key);
    if (!entry) return undefined;
    const { session } = this.#sessions.get(key.bff) ?? {};
    const next = this.#transition(entry, event, { now: this.#now, sender: this.#id, session });
    if (next === entry) return entry;
    if (next === 'removed') this.#stored.forget(entry);
    else {
      this.#write(next);
      if (next.state !== entry.state || next.pressedAt !== entry.pressedAt) this.#reports.tell(next, about);
    }
    this.#schedule();
    this.#notify();
    return next === 'removed' ? undefined : next;
  }

  /** Sends an entry of this document. */
  #start(entry: OutboxEntry): void {
    if (this.#running.has(entry.id)) return;
    this.#running.add(entry.id);
    this.#finish(entry, this.#environment.hold(lockOf(entry), () => this.#send(entry)));
  }

  /** What becomes of the entry by `event`, if no other document sends it. */
  #takeOver(key: EntryKey, event: EntryEvent): void {
    if (this.#running.has(key.id)) return;
    this.#running.add(key.id);
    this.#finish(key, this.#environment.ifFree(lockOf(key), async () => {
      this.#apply(key, event);
      await this.#send(key);
    }));
  }

  #finish({ id }: EntryKey, work: Promise<void>): void {
    work.catch((error: unknown) => this.#environment.reportError(error)).finally(() => {
      this.#running.delete(id);
      this.#schedule();
    });
  }

  /** Under the lock. */
  async #send(key: EntryKey): Promise<void> {
    const environment = this.#environment;
    const entry = await this.#claim(key);
    if (!entry) return;
    const { bff, forum, text: message, address, parent, account } = entry;
    const post: NewPost = {
      forum, message, expected_user_id: account,
      ...(address.length <= PAGE_MAX_LENGTH && { page: address }), ...(parent !== undefined && { parent }),
    };
    const wasOnline = environment.isOnline();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waitMs = (seconds?: number): number => environment.backoffMs(entry.attempt, seconds);
    let isLate = false;
    const cancel = environment.after(LATE_MS, () => {
      isLate = true;
      if (this.#isOut(entry)) this.#apply(entry, { type: 'late', waitMs: waitMs() });
      resolve();
    });
    environment.post(bff, post, entry.key, this.#languageOf(entry)).then((answer) => {
      if (answer.date !== undefined) this.measure(bff, answer.date);
      if ('created' in answer) {
        const post = async (): Promise<void> => {
          this.#apply(entry, { type: 'created', key: entry.key, created: answer.created }, answer);
        };
        // The lock may be another document's meanwhile.
        return isLate ? environment.hold(lockOf(entry), post) : post();
      }
      if (this.#isOut(entry) && !(answer.problem.status === 0 && environment.isLeft())) {
        const { problem, retryAfterSeconds } = answer;
        const refused = { problem, waitMs: waitMs(retryAfterSeconds), wasOnline, isOnline: environment.isOnline() };
        this.#apply(entry, { type: 'refused', ...refused }, { problem });
      }
    }).catch((error: unknown) => environment.reportError(error)).finally(() => {
      cancel();
      resolve();
    });
    await promise;
  }

  /** The entry, if its request leaves now. */
  async #claim(key: EntryKey): Promise<OutEntry | undefined> {
    const entry = this.#stored.read(key);
    if (entry?.state !== 'out' || entry.sender !== this.#id || entry.sentAt !== undefined) return undefined;
    if (this.#stored.isSignedOut(entry)) {
      this.#stored.forget(entry);
      this.#notify();
      return undefined;
    }
    let claimed: OutboxEntry | undefined;
    const claim = async (): Promise<void> => {
      const twin = entry.firstSentAt === undefined && this.#stored.list(entry).find((other) => (
        other.id !== entry.id && isAt(other, entry) && isTwin(other, entry) && !(other.state === 'out' && other.sentAt === undefined)
      ));
      claimed = twin ? this.#yield(entry, twin) : this.#apply(entry, { type: 'claim' });
    };
    // Two tabs may have taken the same text at the same time.
    await (entry.taken === undefined ? claim() : this.#environment.hold(`taken ${entry.account} ${entry.taken}`, claim));
    return claimed?.state === 'out' && claimed.sender === this.#id && claimed.sentAt !== undefined ? claimed : undefined;
  }

  /** The entry of another tab stands where the own one stood. */
  #yield(entry: OutboxEntry, twin: OutboxEntry): undefined {
    const own = this.#visits.get(entry.id);
    this.#stored.forget(entry);
    this.#visits.delete(entry.id);
    if (own) this.#visits.set(twin.id, { ...own, entry: twin });
    this.#notify();
  }

  /** The request of `entry` is the last one. */
  #isOut(entry: OutEntry): boolean {
    const stored = this.#stored.read(entry);
    return stored?.state === 'out' && stored.sender === this.#id && stored.sentAt === entry.sentAt && stored.key === entry.key;
  }

  #wake(wake: Wake): void {
    for (const { bff } of this.#outlets) this.#removeOver(bff);
    for (const visit of this.#visits.values()) visit.entry = this.#stored.read(visit.entry) ?? visit.entry;
    this.#look(wake === 'return');
    // The document of the press comes first.
    if (wake === 'online') this.#environment.after(GRACE_MS, () => this.#look(true));
    this.#notify();
  }

  /** Sends what is due. @param isReturn also what another document may have left */
  #look(isReturn: boolean): void {
    const now = this.#now;
    for (const [id, { until }] of this.#deleted) if (until <= now) this.#deleted.delete(id);
    for (const entry of this.#all()) {
      const isOver = !isFresh(entry, now);
      if (entry.state === 'waiting' && isOver) this.#takeOver(entry, { type: 'expire' });
      else if (entry.state === 'waiting' && this.#maySend(entry)) {
        const isOwn = entry.sender === this.#id;
        if (this.#dueAt(entry) <= now) this.#takeOver(entry, { type: 'due' });
        else if (entry.until === undefined && this.#environment.isOnline() && (isOwn || isReturn)) {
          this.#takeOver(entry, { type: 'online' });
        }
      } else if (entry.state === 'out' && (isReturn || this.#dueAt(entry) <= now)) {
        if (this.#maySend(entry) || isOver || entry.isRepeated) this.#takeOver(entry, { type: 'left' });
      }
    }
    this.#schedule();
  }

  #maySend(entry: OutboxEntry): boolean {
    const isOwn = 'sender' in entry && entry.sender === this.#id;
    return isOwn || this.#sessions.get(entry.bff)?.account === entry.account;
  }

  /** When the entry is looked at next. */
  #dueAt(entry: OutboxEntry): number {
    const endsAt = entry.pressedAt + PRESS_MS;
    if (entry.state === 'out') return (entry.sentAt ?? entry.pressedAt) + LATE_MS + GRACE_MS;
    if (entry.state !== 'waiting') return Infinity;
    return Math.min(endsAt, entry.until === undefined ? endsAt : entry.until + (entry.sender === this.#id ? 0 : GRACE_MS));
  }

  #schedule(): void {
    const now = this.#now;
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    const entries = this.#all().filter(({ id }) => !this.#running.has(id));
    const at = Math.min(...entries.map((entry) => this.#dueAt(entry)), ...[...this.#deleted.values()].map(({ until }) => until));
    if (at < Infinity) {
      this.#cancelTimer = this.#environment.after(Math.max(at - now, TICK_MS), () => {
        this.#look(false);
        this.#notify();
      });
    }
    const isIdle = this.#outlets.size === 0 && this.#running.size === 0 && at === Infinity;
    if (!isIdle) return;
    this.#unlisten?.();
    this.#unlisten = undefined;
  }

  /** The entries of the accounts that this document shows or has posted for, the first press first. */
  #all(): OutboxEntry[] {
    const accounts = new Map(this.#own);
    for (const { bff, account } of this.#outlets) if (account) accounts.set(`${bff} ${account}`, { bff, account });
    for (const [bff, { account }] of this.#sessions) if (account) accounts.set(`${bff} ${account}`, { bff, account });
    return [...accounts.values()].flatMap((one) => this.#stored.list(one))
      .toSorted((one, other) => one.pressedAt - other.pressedAt);
  }

  #write(entry: OutboxEntry): void {
    const visit = this.#visits.get(entry.id);
    if (visit) visit.entry = entry;
    this.#stored.write(entry);
  }

  /** What an account that has signed out leaves: its public comments, as anybody's. */
  #removeOver(bff: string): void {
    this.#stored.removeOver(bff);
    for (const [id, { entry }] of this.#deleted) if (this.#stored.isSignedOut(entry)) this.#deleted.delete(id);
    for (const [id, one] of this.#visits) {
      if (!this.#stored.isSignedOut(one.entry)) continue;
      if (one.entry.state === 'posted' && !isHeld(one.entry)) one.isAnybodys = true;
      else this.#visits.delete(id);
    }
    this.#reports.drop((entry) => this.#stored.isSignedOut(entry));
  }

  #knownIn(place: Place, visit: string, entries: readonly OutboxEntry[]): ReadonlySet<string> {
    const key = knownKey(place, visit);
    const known = this.#known.get(key) ?? new Set(entries.map(({ id }) => id));
    this.#known.set(key, known);
    return known;
  }

  #languageOf(entry: OutboxEntry): string {
    const outlets = [...this.#outlets].toReversed();
    return (outlets.find((outlet) => isAt(entry, outlet)) ?? outlets[0])?.language ?? '';
  }

  #notify(): void {
    for (const outlet of this.#outlets) outlet.onChange();
  }
}

const lockOf = ({ bff, account, id }: EntryKey): string => `entry ${bff} ${account} ${id}`;
const knownKey = ({ account, article }: Place, visit: string): string => `${visit} ${account} ${article}`;

/** Both have taken the same text of the same draft. */
function isTwin(one: Pick<OutboxEntry, 'taken' | 'text' | 'parent'>, other: Pick<OutboxEntry, 'taken' | 'text' | 'parent'>): boolean {
  return one.taken !== undefined && one.taken === other.taken && one.text === other.text && one.parent === other.parent;
}
