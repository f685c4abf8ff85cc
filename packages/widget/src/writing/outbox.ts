/**
 * The outbox of a document: the entries of one BFF, which all documents of the browser share in localStorage. `entry.ts` has the
 * table of their states.
 *
 * Whoever holds the lock of an entry sends it: the document of its press, or another one whose reader is signed in. Each
 * attempt reads the entry again under the lock: storage is what counts. Each box is told of changes (`onChange`), and one of
 * them says each change once (`tell`).
 */

import type { ListedPost, NewPost, PostCreated } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import {
  expiryOf, idsOf, isAt, isFresh, PRESS_MS, rowOf, table, transition, TRYING_AFTER_MS,
  type Entry, type EntryEvent, type Place, type Row,
} from './entry.ts';
import { EntryRecords, type RecordStorage } from './entry-records.ts';

/** Longest `page` that the BFF accepts, in characters. */
const PAGE_MAX_LENGTH = 2048;
/** How soon an entry is looked at again that another document sends, or whose attempt has thrown, in ms. */
const LOOK_AGAIN_MS = 5_000;

export type Answer =
  | { readonly created: PostCreated }
  | { readonly problem: WidgetProblem; readonly retryAfterSeconds?: number | undefined };

/** What the outbox needs of its document and browser. `browser-environment.ts` has the real one. */
export interface Environment extends RecordStorage {
  /** Calls `act` after `ms`, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
  randomKey(): string;
  backoffMs(attempt: number, retryAfterSeconds?: number): number;
  isOnline(): boolean;
  /** The document is being left: its requests fail, and what becomes of them is not known. */
  isLeft(): boolean;
  /** `POST /posts`. Never rejects. The request goes on when the document is left. */
  post(post: NewPost, key: string, language: string): Promise<Answer>;
  /** Runs `act`, unless another document runs one of this name. */
  lock(name: string, act: () => Promise<void>): Promise<void>;
  /** Calls `onWake` when the browser is online again (`isBack`) or offline, when the reader comes back, and when another document
   *  has written. */
  listen(onWake: (isBack?: boolean) => void): () => void;
  reportError(error: unknown): void;
}

/** A box, as it is now. */
export interface Outlet {
  readonly place: Place;
  /** BCP 47 tag of reasons; empty: the browser's. */
  readonly language: string;
  /** Entries may have changed. */
  onChange(): void;
  /** A change of state is to be said here. */
  tell(report: Report): void;
}

export interface Report {
  readonly entry: Entry;
  readonly row: Row;
  /** Of the response behind it. */
  readonly problem?: WidgetProblem | undefined;
  readonly created?: PostCreated | undefined;
}

export interface ShownEntry {
  readonly entry: Entry;
  readonly row: Row;
  /** Storage has refused it: it lasts as long as the document. */
  readonly isKept: boolean;
}

export interface Press extends Pick<Entry, 'id' | 'account' | 'forum' | 'article' | 'text' | 'parent' | 'inReplyTo' | 'address' | 'user'> {
  /** When the reader pressed: earlier if a sign-in has come between. */
  readonly at: number;
  /** Empties the field and removes its draft, once the entry is stored. */
  readonly take: () => void;
}

export class Outbox {
  readonly #environment: Environment;
  readonly #bff: string;
  readonly #records: EntryRecords;
  readonly #rules: typeof table;
  /** The box that was used last comes last. */
  readonly #outlets = new Set<Outlet>();
  /** Posted entries of presses of this document, which lists have: each stays where it is until its article is left. */
  readonly #standing = new Map<string, Entry>();
  /** The row that was said last, by ids of entries that this document has sent. */
  readonly #said = new Map<string, Row>();
  #untold: Report[] = [];
  /** By id of the entry that is being sent: resolves when its request has left, or when another document has the lock. */
  readonly #running = new Map<string, Promise<void>>();
  /** Not before, by id: another document sends it, or an attempt has thrown. */
  readonly #lookAt = new Map<string, number>();
  /** Who is signed in; empty: nobody, or it is not known. */
  #account = '';
  #session: string | undefined;
  #cancelTimer = (): void => {};
  #unlisten: (() => void) | undefined;

  /** @param rules the table, in tests of it */
  constructor(bff: string, environment: Environment, rules = table) {
    this.#bff = bff;
    this.#rules = rules;
    this.#environment = environment;
    this.#records = new EntryRecords(bff, environment);
  }

  /** @returns what removes it */
  attach(outlet: Outlet): () => void {
    this.#outlets.add(outlet);
    this.#unlisten ??= this.#environment.listen((isBack) => this.#wake(isBack));
    this.#flush();
    this.look();
    return () => {
      this.#outlets.delete(outlet);
      this.#schedule();
    };
  }

  /** The reader uses this box. */
  use(outlet: Outlet): void {
    if (this.#outlets.delete(outlet)) this.#outlets.add(outlet);
  }

  /** @param account that is shown; empty: none
   *  @param session its opaque id; empty: the form in the page has begun it; `undefined`: not known */
  setAccount(account: string, session?: string): void {
    if (account === this.#account && session === this.#session) return;
    this.#account = account;
    this.#session = session;
    this.look();
  }

  /** The entry; `undefined`: the reader has signed out, or the press is too old, and the text stays in the field. A text that
   *  another tab has pressed has its entry already. */
  press({ at, take, ...press }: Press): Entry | undefined {
    const environment = this.#environment;
    const now = environment.now();
    if (this.#records.isSignedOut || !isFresh({ pressedAt: at }, now)) return undefined;
    // As storage has them: another tab may have pressed the same draft.
    this.#records.invalidate();
    const other = this.#records.read(press.id);
    const isPressed = other !== undefined && isAt(other, press) && other.text === press.text && other.parent === press.parent;
    const id = other ? environment.randomKey() : press.id;
    const entry: Entry = isPressed ? other : {
      ...press, id, key: id, session: this.#session, pressedAt: at, startedAt: now, state: 'sending', attempts: 0, nextAt: now,
    };
    if (!isPressed) this.#records.write(entry);
    take();
    // The draft has made room.
    if (!this.#records.isKept(entry)) this.#records.write(entry);
    this.#tell(entry);
    this.#notify();
    this.#send(entry.id);
    return entry;
  }

  pressAgain(id: string): void {
    if (this.#records.isSignedOut) return;
    const key = this.#environment.randomKey();
    if (this.#apply(id, { type: 'press', key, session: this.#session })) this.#send(id);
  }

  stop(id: string): void {
    this.#apply(id, { type: 'stop' });
  }

  /** Its text is deleted, or back in the field. */
  remove(entry: Entry): void {
    this.#records.remove(entry);
    this.#notify();
  }

  has({ id }: Entry): boolean {
    return this.#records.read(id) !== undefined;
  }

  /** The entries to show, the newest press first: those of the article, and those of any article that are not posted. */
  entries(place: Place): readonly ShownEntry[] {
    const { isOnline, now } = this.#environment;
    // In another tab: nothing of its reader is shown any more.
    if (this.#records.isSignedOut) this.clear();
    const shown = this.#records.all.filter((entry) => entry.account === place.account && (
      entry.state === 'posted' ? isAt(entry, place) && !this.#standing.has(entry.id) && now() < expiryOf(entry) : true
    ));
    const standing = [...this.#standing.values()].filter((entry) => isAt({ ...entry, account: place.account }, place));
    return [...shown, ...standing].toSorted((one, other) => other.pressedAt - one.pressedAt).map((entry) => ({
      entry, row: rowOf(entry, now(), isOnline()), isKept: this.#records.isKept(entry),
    }));
  }

  /** Resolves when the requests that are due have left. */
  get requested(): Promise<unknown> {
    return Promise.all(this.#running.values());
  }

  /** A list of the article has been read. */
  seeList({ forum, article }: Pick<Place, 'forum' | 'article'>, posts: readonly ListedPost[]): void {
    const listed = new Set(posts.map(({ id }) => id));
    for (const entry of this.#records.all) {
      if (entry.forum !== forum || entry.article !== article || !idsOf(entry).some((id) => listed.has(id))) continue;
      this.#standing.set(entry.id, transition(entry, { type: 'listed' }, this.#environment.now()));
      this.#records.remove(entry);
    }
    this.#notify();
  }

  /** The reader leaves the article: what its lists have stands where they have it. */
  leave({ forum, article }: Pick<Place, 'forum' | 'article'>): void {
    for (const [id, entry] of this.#standing) if (entry.forum === forum && entry.article === article) this.#standing.delete(id);
  }

  /** The reader has signed out, here or elsewhere: nothing of any account is left in this document but public comments on the
   *  screen. What storage has is that of the next reader. */
  clear(): void {
    this.#records.clear();
    this.#account = '';
    this.#session = undefined;
    this.#untold = [];
    this.#said.clear();
    this.#notify();
  }

  /** Sends what is due. What another document has written counts, and what has expired is gone. */
  look(): void {
    if (this.#records.isSignedOut) return;
    this.#records.invalidate();
    const { isOnline, now } = this.#environment;
    for (const entry of this.#records.all) {
      // Another document may have sent what was pressed here.
      if (this.#said.has(entry.id)) this.#tell(entry);
      if (entry.state !== 'sending') continue;
      const isDue = entry.nextAt <= now() && isOnline() && this.#maySend(entry);
      if ((isDue || !isFresh(entry, now())) && (this.#lookAt.get(entry.id) ?? 0) <= now()) this.#send(entry.id);
    }
    this.#schedule();
    this.#notify();
  }

  #wake(isBack = false): void {
    this.#records.invalidate();
    this.#lookAt.clear();
    if (isBack) for (const { id } of this.#records.all) this.#apply(id, { type: 'online' });
    this.look();
  }

  /** A reader whom the BFF cannot recognize is one within a session only, and waits for it. */
  #maySend({ account, user, session }: Entry): boolean {
    const isOfSession = this.#session !== undefined && (session || this.#session) === this.#session;
    return account === this.#account && (user.key !== undefined || isOfSession);
  }

  #send(id: string): void {
    if (this.#running.has(id)) return;
    // Not `withResolvers`: a page may have replaced `Promise`.
    let resolve = (): void => {};
    this.#running.set(id, new Promise<void>((settle) => { resolve = settle; }));
    let hasLock = false;
    this.#environment.lock(`entry ${this.#bff} ${id}`, () => {
      hasLock = true;
      const attempt = this.#attempt(id);
      resolve();
      return attempt;
    }).catch((error: unknown) => {
      hasLock = false;
      this.#environment.reportError(error);
    }).finally(() => {
      this.#running.delete(id);
      resolve();
      const next = this.#records.read(id);
      if (!hasLock) this.#lookAt.set(id, this.#environment.now() + LOOK_AGAIN_MS);
      // A press or another key has made it due meanwhile.
      else if (next?.state === 'sending' && next.nextAt <= this.#environment.now() && this.#environment.isOnline()) return this.look();
      this.#schedule();
    });
  }

  /** Under the lock. */
  async #attempt(id: string): Promise<void> {
    const environment = this.#environment;
    this.#records.invalidate();
    const entry = this.#records.read(id);
    if (entry?.state !== 'sending' || this.#records.isSignedOut) return;
    if (!isFresh(entry, environment.now())) return void this.#apply(id, { type: 'expire' });
    if (!this.#maySend(entry) || entry.nextAt > environment.now() || !environment.isOnline()) return;
    const { forum, text: message, address, parent, account, doubt, key } = entry;
    const post: NewPost = {
      forum, message, expected_user_id: account,
      ...(address.length <= PAGE_MAX_LENGTH && { page: address }), ...(parent !== undefined && { parent }),
    };
    this.#apply(id, { type: 'attempt', session: this.#session });
    const answer = await environment.post(post, key, this.#languageOf(entry));
    this.#records.invalidate();
    if ('created' in answer) return void this.#apply(id, { type: 'created', created: answer.created }, answer);
    const { problem, retryAfterSeconds } = answer;
    if (problem.status === 0 && environment.isLeft()) return;
    const waitMs = environment.backoffMs(entry.attempts + 2, retryAfterSeconds);
    this.#apply(id, { type: 'refused', problem, waitMs, doubt, key: environment.randomKey() }, { problem });
  }

  /** What the table makes of the entry, stored and told; `undefined`: it is gone. */
  #apply(id: string, event: EntryEvent, about: Pick<Report, 'problem' | 'created'> = {}): Entry | undefined {
    const entry = this.#records.read(id);
    if (!entry || this.#records.isSignedOut) return undefined;
    const next = transition(entry, event, this.#environment.now(), this.#rules);
    if (next === entry) return entry;
    this.#records.write(next);
    this.#tell(next, about);
    this.#schedule();
    this.#notify();
    return next;
  }

  /** Once for each press. */
  #tell(entry: Entry, about: Pick<Report, 'problem' | 'created'> = {}): void {
    const row = rowOf(entry, this.#environment.now(), this.#environment.isOnline());
    const said = `${entry.pressedAt} ${row}` as Row;
    if (this.#said.get(entry.id) === said) return;
    this.#said.set(entry.id, said);
    this.#untold.push({ entry, row, ...about });
    this.#flush();
  }

  /** At the box of the article, else at the one that was used last; otherwise when a box comes. */
  #flush(): void {
    const outlets = [...this.#outlets].toReversed();
    if (outlets.length === 0) return;
    for (const report of this.#untold.splice(0)) {
      (outlets.find(({ place }) => isAt(report.entry, place)) ?? outlets[0])!.tell(report);
    }
  }

  #languageOf(entry: Entry): string {
    const outlets = [...this.#outlets].toReversed();
    return (outlets.find(({ place }) => isAt(entry, place)) ?? outlets[0])?.language ?? '';
  }

  #schedule(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    if (this.#records.isSignedOut) return;
    const now = this.#environment.now();
    const times = this.#records.all.flatMap((entry) => {
      const { id, state, pressedAt, startedAt, nextAt } = entry;
      // Others than posted ones last longer than a timer can.
      if (state !== 'sending') return state === 'posted' ? [expiryOf(entry)] : [];
      const isDue = this.#maySend(entry) && this.#environment.isOnline();
      const nextLook = Math.max(Math.min(pressedAt + PRESS_MS, isDue ? nextAt : Infinity), this.#lookAt.get(id) ?? 0);
      return [
        ...(now < startedAt + TRYING_AFTER_MS ? [startedAt + TRYING_AFTER_MS] : []), ...(this.#running.has(id) ? [] : [nextLook]),
      ];
    });
    if (times.length > 0) this.#cancelTimer = this.#environment.after(Math.max(Math.min(...times) - now, 50), () => this.look());
    else if (this.#running.size === 0 && this.#outlets.size === 0) {
      this.#unlisten?.();
      this.#unlisten = undefined;
    }
  }

  #notify(): void {
    for (const outlet of this.#outlets) outlet.onChange();
  }
}
