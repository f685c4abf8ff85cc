/**
 * The outbox of a document: its entries, and what readers, boxes and lists do with them. `sender.ts` sends them,
 * `shown-entries.ts` has those that a box shows, `outbox-state.ts` is the table of their states. A box that leaves takes nothing
 * away.
 *
 * - `press` takes a text out of its field; `entries` are those to show at a place, `seeList` compares them with a list.
 * - The verbs of an entry's buttons: `pressAgain`, which posts it again, `tryNow`, `act`, `remove`, `undo`. A box dispatches
 *   `vestibule-before-post` before a press. A verb that the state of the entry does not have does nothing.
 * - `attach` adds a box. It is told when to render again, and of each change that is to be said (`tell`), once.
 * - `setAccount` says who is signed in: entries of this account that other documents have left are taken over.
 * - `showStored` shows entries that were stored besides.
 * - `signOut` follows a confirmed sign-out, after its record is written.
 *
 * What is not in storage any more is not written again: another tab, or a sign-out, has removed it.
 */

import type { ListedPost } from '@vestibule/shared';
import type { Environment, Wake } from './environment.ts';
import { matchList } from './match-list.ts';
import {
  entryStorageKey, isAt, isSignedOut, isTwin, type EntryKey, type EntryRoom, type OutboxEntry, type Place, type SignOutMark,
} from './outbox-entry.ts';
import { isFresh, transition, type EntryEvent, type ReaderEvent } from './outbox-state.ts';
import type { Press, PressAgain, ShownEntry } from './press.ts';
import { Reports, type Outlet, type Report } from './reports.ts';
import { Sender } from './sender.ts';
import { ShownEntries } from './shown-entries.ts';
import { StoredEntries } from './stored-entries.ts';

type ShownArticle = Pick<Outlet, 'bff' | 'forum' | 'article' | 'visit'>;

export class Outbox {
  readonly #environment: Environment;
  readonly #transition: typeof transition;
  readonly #id: string;
  /** The one that was used last comes last. */
  readonly #outlets = new Set<Outlet>();
  /** The one that has left last, or has asked for a visit before a box of its article was there. */
  #left: readonly ShownArticle[] = [];
  readonly #stored: StoredEntries;
  readonly #shown: ShownEntries;
  readonly #sender: Sender;
  readonly #reports: Reports;
  /** Who is signed in, by BFF. */
  readonly #sessions = new Map<string, { readonly account: string; readonly session: string | undefined }>();
  #unlisten: (() => void) | undefined;

  /** @param rules the table, in tests of it */
  constructor(environment: Environment, rules = transition) {
    this.#environment = environment;
    this.#transition = rules;
    const id = this.#id = environment.randomKey();
    this.#stored = new StoredEntries(environment);
    this.#shown = new ShownEntries(environment, this.#stored, () => this.#notify());
    this.#sender = new Sender(environment, this.#stored, {
      id,
      apply: (key, event, about) => this.#apply(key, event, about),
      onGone: (entry, twin) => this.#yield(entry, twin),
      onIdle: () => this.#onIdle(),
      accounts: () => [...this.#outlets, ...[...this.#sessions].map(([bff, { account }]) => ({ bff, account }))],
      isSignedIn: ({ bff, account }) => this.#sessions.get(bff)?.account === account,
      languageOf: (entry) => this.#languageOf(entry),
    });
    this.#reports = new Reports(this.#outlets, {
      read: (key) => this.#stored.read(key), visitOf: (key) => this.#shown.visitOf(key),
    });
  }

  /** @returns what removes it */
  attach(outlet: Outlet): () => void {
    this.#outlets.add(outlet);
    this.#unlisten ??= this.#environment.listen((wake) => this.#wake(wake));
    this.#removeOver(outlet.bff);
    this.#reports.flush();
    this.#sender.look(true);
    return () => {
      this.#outlets.delete(outlet);
      const { bff, forum, article, visit } = outlet;
      this.#left = [{ bff, forum, article, visit }];
      this.#sender.schedule();
    };
  }

  /** The visit of another box of the article, or of the one that has left last; else a new one. The composer of a reply may ask
   *  before its box does. */
  visitOf(outlet: ShownArticle): string {
    const { bff, forum, article } = outlet;
    const others = [...this.#outlets, ...this.#left].filter((one) => one !== outlet);
    const found = others.find((one) => one.bff === bff && one.forum === forum && one.article === article);
    if (found) return found.visit;
    const visit = this.#environment.randomKey();
    this.#left = [{ bff, forum, article, visit }];
    return visit;
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
    this.#sender.look(true);
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
    const now = this.#environment.now();
    const { visit, take, at = now, ...text } = press;
    if (isSignedOut(press, this.#stored.mark(press.bff)) || !isFresh({ pressedAt: at }, now)) return undefined;
    const twin = this.#stored.list(press).find((entry) => isAt(entry, press) && isTwin(entry, press));
    const id = this.#environment.randomKey();
    const entry: OutboxEntry = twin ?? {
      ...text, id, key: id, state: 'out', sender: this.#id, attempt: 1, pressedAt: at,
    };
    this.#shown.add(entry, visit);
    if (!twin) this.#write(entry);
    take();
    if (twin) {
      this.#notify();
      return twin;
    }
    // The draft has made room.
    if (!this.#stored.isKept(entry)) this.#write(entry);
    this.#reports.tell(entry);
    this.#notify();
    this.#sender.start(entry);
    return entry;
  }

  pressAgain(key: EntryKey, press: PressAgain): void {
    const now = this.#environment.now();
    const { at: pressedAt = now, session, signOut, text } = press;
    if (isSignedOut({ ...key, signOut }, this.#stored.mark(key.bff)) || !isFresh({ pressedAt }, now)) return;
    const facts = { pressedAt, session, signOut, text, key: this.#environment.randomKey() };
    const entry = this.#apply(key, { type: 'press-again', press: facts });
    if (entry?.state === 'out' && entry.sender === this.#id) this.#sender.start(entry);
  }

  act(key: EntryKey, event: ReaderEvent): void {
    this.#apply(key, event);
  }

  tryNow(key: EntryKey): void {
    this.#sender.takeOver(key, { type: 'try-now' });
  }

  /** The next visit holds the place of the entry from its first frame on. */
  keepRoom(key: EntryKey, room: EntryRoom): void {
    if (this.#stored.read(key)) this.#environment.store.write(entryStorageKey(key, 'room'), room);
  }

  /** Can be undone for ten seconds. */
  remove(key: EntryKey): void {
    const entry = this.#stored.read(key);
    if (!entry || this.#apply(key, { type: 'remove' })) return;
    this.#shown.addDeleted(entry);
    this.#notify();
  }

  undo(key: EntryKey): void {
    const entry = this.#shown.takeDeleted(key);
    if (entry && !this.#stored.isSignedOut(entry)) this.#write(entry);
    this.#notify();
  }

  /** The entries to show, those of this visit first, the newest press first. */
  entries(place: Place, visit: string): readonly ShownEntry[] {
    return this.#shown.at(place, visit);
  }

  /** Entries were stored besides: those of release 0.3. Visits show them at once, and not with their next list. */
  showStored(): void {
    this.#shown.onStored();
    this.#notify();
  }

  /** A list of the place has been read just now. */
  seeList(place: Place, visit: string, posts: readonly ListedPost[]): void {
    const entries = this.#stored.list(place).filter((entry) => isAt(entry, place));
    for (const [id, postId] of matchList(entries, posts, this.#environment.now())) {
      this.#apply({ ...place, id }, { type: 'listed', id: postId });
    }
    this.#shown.onList(place, visit);
    for (const entry of entries) {
      // Since an earlier list: other tabs have seen it.
      const isOver = entry.state === 'posted' && entry.isListed && this.#shown.visitOf(entry) === undefined;
      if (isOver) this.#stored.forget(entry);
    }
    this.#notify();
  }

  /** What the table makes of the entry, stored and told. Returns it; `undefined`: nothing is left of it. */
  #apply(key: EntryKey, event: EntryEvent, about: Pick<Report, 'problem' | 'created'> = {}): OutboxEntry | undefined {
    const entry = this.#stored.read(key);
    if (!entry) return undefined;
    const { session } = this.#sessions.get(key.bff) ?? {};
    const next = this.#transition(entry, event, { now: this.#environment.now(), sender: this.#id, session });
    if (next === entry) return entry;
    if (next === 'removed') this.#stored.forget(entry);
    else {
      this.#write(next);
      if (next.state !== entry.state || next.pressedAt !== entry.pressedAt) this.#reports.tell(next, about);
    }
    this.#sender.schedule();
    this.#notify();
    return next === 'removed' ? undefined : next;
  }

  #write(entry: OutboxEntry): void {
    this.#shown.update(entry);
    this.#stored.write(entry);
  }

  /** @param twin the entry of another tab, which has taken the same text */
  #yield(entry: OutboxEntry, twin?: OutboxEntry): void {
    this.#stored.forget(entry);
    if (twin) this.#shown.replace(entry, twin);
    this.#notify();
  }

  #wake(wake: Wake): void {
    for (const { bff } of this.#outlets) this.#removeOver(bff);
    this.#shown.refresh();
    this.#sender.wake(wake);
    this.#notify();
  }

  #removeOver(bff: string): void {
    this.#stored.removeOver(bff);
    this.#shown.removeSignedOut();
    this.#reports.drop((entry) => this.#stored.isSignedOut(entry));
  }

  #languageOf(entry: OutboxEntry): string {
    const outlets = [...this.#outlets].toReversed();
    return (outlets.find((outlet) => isAt(entry, outlet)) ?? outlets[0])?.language ?? '';
  }

  /** Without boxes, and without entries to send. */
  #onIdle(): void {
    if (this.#outlets.size > 0) return;
    this.#unlisten?.();
    this.#unlisten = undefined;
  }

  #notify(): void {
    for (const outlet of this.#outlets) outlet.onChange();
  }
}
