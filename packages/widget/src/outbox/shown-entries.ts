/**
 * Which entries a place shows: those of its visit first, and those that its account has stored there before. Entries of other
 * tabs come with the next list. One that its reader has deleted keeps its place as long as that can be undone; a public comment
 * that storage has not any more keeps it through its visit.
 */

import type { Environment } from './environment.ts';
import { isAt, isHeld, type EntryKey, type OutboxEntry, type Place } from './outbox-entry.ts';
import { rowOf } from './outbox-state.ts';
import type { ShownEntry } from './press.ts';
import type { StoredEntries } from './stored-entries.ts';

/** How long a deletion can be undone, in ms. */
const UNDO_MS = 10_000;

/** An entry of a press of this document. */
interface OwnEntry {
  readonly visit: string;
  /** As it was last seen. */
  entry: OutboxEntry;
  /** Public, of an account that has signed out. */
  isAnybodys?: boolean;
}

export class ShownEntries {
  readonly #environment: Pick<Environment, 'after'>;
  readonly #stored: StoredEntries;
  readonly #onChange: () => void;
  /** By id, in the order of the presses. */
  readonly #own = new Map<string, OwnEntry>();
  /** Ids that a visit shows. */
  readonly #known = new Map<string, ReadonlySet<string>>();
  readonly #deleted = new Map<string, { readonly entry: OutboxEntry; readonly cancel: () => void }>();

  constructor(environment: Pick<Environment, 'after'>, stored: StoredEntries, onChange: () => void) {
    this.#environment = environment;
    this.#stored = stored;
    this.#onChange = onChange;
  }

  /** The visit of the press, if that was in this document. */
  visitOf({ id }: Pick<EntryKey, 'id'>): string | undefined {
    return this.#own.get(id)?.visit;
  }

  /** The entry of a press. */
  add(entry: OutboxEntry, visit: string): void {
    this.#own.set(entry.id, { visit, entry });
  }

  /** The entry has changed. */
  update(entry: OutboxEntry): void {
    const own = this.#own.get(entry.id);
    if (own) own.entry = entry;
  }

  /** Other documents may have changed entries. */
  refresh(): void {
    for (const own of this.#own.values()) own.entry = this.#stored.read(own.entry) ?? own.entry;
  }

  /** The entry of another tab stands where `entry` stood. */
  replace(entry: OutboxEntry, twin: OutboxEntry): void {
    const own = this.#own.get(entry.id);
    this.#own.delete(entry.id);
    if (own) this.#own.set(twin.id, { ...own, entry: twin });
  }

  /** To be called when the entry is removed from storage by its reader. */
  addDeleted(entry: OutboxEntry): void {
    const cancel = this.#environment.after(UNDO_MS, () => {
      this.#deleted.delete(entry.id);
      this.#onChange();
    });
    this.#deleted.set(entry.id, { entry, cancel });
  }

  takeDeleted({ id }: EntryKey): OutboxEntry | undefined {
    const { entry, cancel } = this.#deleted.get(id) ?? {};
    cancel?.();
    this.#deleted.delete(id);
    return entry;
  }

  /** What an account that has signed out leaves: its public comments, as anybody's. */
  removeSignedOut(): void {
    for (const { entry } of [...this.#deleted.values()]) if (this.#stored.isSignedOut(entry)) this.takeDeleted(entry);
    for (const [id, own] of this.#own) {
      if (!this.#stored.isSignedOut(own.entry)) continue;
      if (own.entry.state === 'posted' && !isHeld(own.entry)) own.isAnybodys = true;
      else this.#own.delete(id);
    }
  }

  /** A list has been read: the entries that other tabs have added come with it. */
  onList(place: Place, visit: string): void {
    this.#known.delete(knownKey(place, visit));
  }

  /** Entries were stored besides: every visit shows them. */
  onStored(): void {
    this.#known.clear();
  }

  /** The newest press first. */
  at(place: Place, visit: string): readonly ShownEntry[] {
    const isHere = (entry: OutboxEntry): boolean => isAt(entry, place) || this.visitOf(entry) === visit;
    const stored = this.#stored.list(place).filter(isHere);
    const known = this.#knownIn(place, visit, stored);
    const deleted = [...this.#deleted.values()].map(({ entry }) => entry)
      .filter((entry) => entry.account === place.account && isHere(entry));
    const ofVisit = [...this.#own.values()].filter((one) => one.visit === visit).toReversed();
    const all = new Map([...deleted, ...stored].map((entry) => [entry.id, entry]));
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

  #knownIn(place: Place, visit: string, entries: readonly OutboxEntry[]): ReadonlySet<string> {
    const key = knownKey(place, visit);
    const known = this.#known.get(key) ?? new Set(entries.map(({ id }) => id));
    this.#known.set(key, known);
    return known;
  }
}

const knownKey = ({ account, article }: Place, visit: string): string => `${visit} ${account} ${article}`;
