/**
 * Sends the entries of a document, in the order of the presses, each under a lock of its id. Takes over what is due, or what
 * another document has left, if that lock is free. Each attempt reads the entry again under the lock: storage is what counts.
 */

import type { NewPost } from '@vestibule/shared';
import type { Environment, Wake } from './environment.ts';
import { isAt, isTwin, type EntryKey, type OutboxEntry, type OutEntry, type Place } from './outbox-entry.ts';
import { isFresh, PRESS_MS, type EntryEvent } from './outbox-state.ts';
import type { Report } from './reports.ts';
import type { StoredEntries } from './stored-entries.ts';

/** Longest `page` that the BFF accepts, in characters. */
const PAGE_MAX_LENGTH = 2048;
/** After so long without a response, in ms, an attempt counts as lost. */
const LATE_MS = 30_000;
/** How much later than the document of the press another one sends what is due, in ms. */
const GRACE_MS = 5_000;
/** Shortest time between two looks at the entries, in ms. */
const TICK_MS = 1_000;

type Account = Pick<Place, 'bff' | 'account'>;

/** The outbox, as far as its sender needs it. */
export interface SenderHost {
  /** Id of the document. */
  readonly id: string;
  /** What the table makes of the entry, stored and told. `undefined`: nothing is left of it. */
  apply(key: EntryKey, event: EntryEvent, about?: Pick<Report, 'problem' | 'created'>): OutboxEntry | undefined;
  /** The entry is gone. @param twin that of another tab, with the same text */
  onGone(entry: OutboxEntry, twin?: OutboxEntry): void;
  /** Nothing is on its way or waits. */
  onIdle(): void;
  /** Whose entries are shown. */
  accounts(): readonly Account[];
  isSignedIn(account: Account): boolean;
  /** BCP 47 tag of reasons; empty: the browser's. */
  languageOf(entry: OutboxEntry): string;
}

export class Sender {
  readonly #environment: Environment;
  readonly #stored: StoredEntries;
  readonly #host: SenderHost;
  /** Accounts of the presses of this document. */
  readonly #own = new Map<string, Account>();
  readonly #running = new Set<string>();
  #cancelTimer = (): void => {};

  constructor(environment: Environment, stored: StoredEntries, host: SenderHost) {
    this.#environment = environment;
    this.#stored = stored;
    this.#host = host;
  }

  /** Sends an entry of this document. */
  start(entry: OutboxEntry): void {
    const { bff, account, id } = entry;
    this.#own.set(`${bff} ${account}`, { bff, account });
    if (this.#running.has(id)) return;
    this.#running.add(id);
    this.#finish(entry, this.#environment.hold(lockOf(entry), () => this.#send(entry)));
  }

  /** What becomes of the entry by `event`, if no other document sends it. */
  takeOver(key: EntryKey, event: EntryEvent): void {
    if (this.#running.has(key.id)) return;
    this.#running.add(key.id);
    this.#finish(key, this.#environment.ifFree(lockOf(key), async () => {
      this.#host.apply(key, event);
      await this.#send(key);
    }));
  }

  #finish({ id }: EntryKey, work: Promise<void>): void {
    work.catch((error: unknown) => this.#environment.reportError(error)).finally(() => {
      this.#running.delete(id);
      this.schedule();
    });
  }

  /** Under the lock. */
  async #send(key: EntryKey): Promise<void> {
    const environment = this.#environment;
    const host = this.#host;
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
      if (this.#isOut(entry)) host.apply(entry, { type: 'late', waitMs: waitMs() });
      resolve();
    });
    environment.post(bff, post, entry.key, host.languageOf(entry)).then((answer) => {
      if ('created' in answer) {
        const post = async (): Promise<void> => {
          host.apply(entry, { type: 'created', key: entry.key, created: answer.created }, answer);
        };
        // The lock may be another document's meanwhile.
        return isLate ? environment.hold(lockOf(entry), post) : post();
      }
      if (this.#isOut(entry) && !(answer.problem.status === 0 && environment.isLeft())) {
        const { problem, retryAfterSeconds } = answer;
        const refused = { problem, waitMs: waitMs(retryAfterSeconds), wasOnline, isOnline: environment.isOnline() };
        host.apply(entry, { type: 'refused', ...refused }, { problem });
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
    if (!entry || !this.#isOwn(entry) || entry.state !== 'out' || entry.sentAt !== undefined) return undefined;
    if (this.#stored.isSignedOut(entry)) {
      this.#host.onGone(entry);
      return undefined;
    }
    let claimed: OutboxEntry | undefined;
    const claim = async (): Promise<void> => {
      const twin = entry.firstSentAt === undefined && this.#stored.list(entry).find((other) => (
        other.id !== entry.id && isAt(other, entry) && isTwin(other, entry) && !(other.state === 'out' && other.sentAt === undefined)
      ));
      if (twin) this.#host.onGone(entry, twin);
      else claimed = this.#host.apply(entry, { type: 'claim' });
    };
    // Two tabs may have taken the same text at the same time.
    await (entry.taken === undefined ? claim() : this.#environment.hold(`taken ${entry.account} ${entry.taken}`, claim));
    return claimed?.state === 'out' && this.#isOwn(claimed) && claimed.sentAt !== undefined ? claimed : undefined;
  }

  #isOwn(entry: OutboxEntry): boolean {
    return 'sender' in entry && entry.sender === this.#host.id;
  }

  /** The request of `entry` is the last one. */
  #isOut(entry: OutEntry): boolean {
    const stored = this.#stored.read(entry);
    return stored?.state === 'out' && this.#isOwn(stored) && stored.sentAt === entry.sentAt && stored.key === entry.key;
  }

  wake(wake: Wake): void {
    this.look(wake === 'return');
    // The document of the press comes first.
    if (wake === 'online') this.#environment.after(GRACE_MS, () => this.look(true));
  }

  /** Sends what is due. @param isReturn also what another document may have left */
  look(isReturn: boolean): void {
    const now = this.#environment.now();
    for (const entry of this.#all()) {
      const isOver = !isFresh(entry, now);
      if (entry.state === 'waiting' && isOver) this.takeOver(entry, { type: 'expire' });
      else if (entry.state === 'waiting' && this.#maySend(entry)) {
        if (this.#dueAt(entry) <= now) this.takeOver(entry, { type: 'due' });
        else if (entry.until === undefined && this.#environment.isOnline() && (this.#isOwn(entry) || isReturn)) {
          this.takeOver(entry, { type: 'online' });
        }
      } else if (entry.state === 'out' && (isReturn || this.#dueAt(entry) <= now)) {
        if (this.#maySend(entry) || isOver || entry.isRepeated) this.takeOver(entry, { type: 'left' });
      }
    }
    this.schedule();
  }

  #maySend(entry: OutboxEntry): boolean {
    return this.#isOwn(entry) || this.#host.isSignedIn(entry);
  }

  /** When the entry is looked at next. */
  #dueAt(entry: OutboxEntry): number {
    const endsAt = entry.pressedAt + PRESS_MS;
    if (entry.state === 'out') return (entry.sentAt ?? entry.pressedAt) + LATE_MS + GRACE_MS;
    if (entry.state !== 'waiting') return Infinity;
    return Math.min(endsAt, entry.until === undefined ? endsAt : entry.until + (this.#isOwn(entry) ? 0 : GRACE_MS));
  }

  /** Looks at the entries when the next one is due. */
  schedule(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    const entries = this.#all().filter(({ id }) => !this.#running.has(id));
    const at = Math.min(...entries.map((entry) => this.#dueAt(entry)));
    if (at < Infinity) {
      this.#cancelTimer = this.#environment.after(Math.max(at - this.#environment.now(), TICK_MS), () => this.look(false));
    } else if (this.#running.size === 0) this.#host.onIdle();
  }

  /** The entries of the accounts that this document shows or has posted for, the first press first. */
  #all(): OutboxEntry[] {
    const accounts = new Map(this.#own);
    for (const { bff, account } of this.#host.accounts()) if (account) accounts.set(`${bff} ${account}`, { bff, account });
    return [...accounts.values()].flatMap((one) => this.#stored.list(one))
      .toSorted((one, other) => one.pressedAt - other.pressedAt);
  }
}

const lockOf = ({ bff, account, id }: EntryKey): string => `entry ${bff} ${account} ${id}`;
