/**
 * The stored entries, as a document sees them. An entry that storage refuses lasts as long as the document. Entries of an
 * account that has signed out since their press are not there, whether they are removed yet or not.
 */

import type { Environment } from './environment.ts';
import {
  entryStorageKey, isSignedOut, listEntries, readEntry, readSignOutMark, removeEntry, removeOverEntries, writeEntry,
  type EntryKey, type OutboxEntry, type Place, type SignOutMark,
} from './outbox-entry.ts';

export class StoredEntries {
  readonly #environment: Pick<Environment, 'store' | 'now'>;
  /** What storage has refused, by storage key. `wasStored`: an earlier state is there. */
  readonly #unkept = new Map<string, { readonly entry: OutboxEntry; readonly wasStored: boolean }>();
  /** Sign-outs that storage has refused, by BFF. */
  readonly #signOuts = new Map<string, SignOutMark>();

  constructor(environment: Pick<Environment, 'store' | 'now'>) {
    this.#environment = environment;
  }

  read(key: EntryKey): OutboxEntry | undefined {
    const unkept = this.#unkept.get(entryStorageKey(key));
    const stored = readEntry(this.#environment.store, key, this.#environment.now());
    return unkept && (stored || !unkept.wasStored) ? unkept.entry : stored;
  }

  write(entry: OutboxEntry): void {
    const { store, now } = this.#environment;
    const storageKey = entryStorageKey(entry);
    if (writeEntry(store, entry)) this.#unkept.delete(storageKey);
    else this.#unkept.set(storageKey, { entry, wasStored: readEntry(store, entry, now()) !== undefined });
  }

  forget(entry: OutboxEntry): void {
    removeEntry(this.#environment.store, entry);
    this.#unkept.delete(entryStorageKey(entry));
  }

  /** The browser has kept it. */
  isKept(entry: OutboxEntry): boolean {
    return !this.#unkept.has(entryStorageKey(entry));
  }

  /** Those of an account at all articles. */
  list({ bff, account }: Pick<Place, 'bff' | 'account'>): OutboxEntry[] {
    const { store, now } = this.#environment;
    const stored = listEntries(store, { bff, account }, now())
      .map((entry) => this.#unkept.get(entryStorageKey(entry))?.entry ?? entry);
    const unkept = [...this.#unkept.values()].flatMap(({ entry, wasStored }) => (
      !wasStored && entry.bff === bff && entry.account === account ? [entry] : []
    ));
    return [...stored, ...unkept].filter((entry) => !this.isSignedOut(entry));
  }

  /** The last sign-out that is known. */
  mark(bff: string): SignOutMark | undefined {
    return this.#signOuts.get(bff) ?? readSignOutMark(this.#environment.store, bff);
  }

  /** To be called after the record of the sign-out is written. */
  signOut(bff: string, mark: SignOutMark): void {
    if (readSignOutMark(this.#environment.store, bff)?.id !== mark.id) this.#signOuts.set(bff, mark);
  }

  isSignedOut(entry: OutboxEntry): boolean {
    return isSignedOut(entry, this.mark(entry.bff));
  }

  /** Removes those that no reader sees any more. */
  removeOver(bff: string): void {
    const { store, now } = this.#environment;
    removeOverEntries(store, bff, this.mark(bff), now());
    for (const [key, { entry }] of this.#unkept) if (this.isSignedOut(entry)) this.#unkept.delete(key);
  }
}
