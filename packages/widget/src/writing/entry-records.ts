/** The entries of a BFF in storage, one record each: all documents of the browser share them. */

import { expiryOf, type Entry } from './entry.ts';
import type { Environment } from './outbox.ts';

export class EntryRecords {
  readonly #environment: Environment;
  readonly #bff: string;
  /** All that this document has seen, by id: storage may be emptied without a sign-out. */
  #entries = new Map<string, Entry>();
  #isStale = true;
  /** The last sign-out of this browser that is known. */
  #signOut: string | undefined;

  constructor(bff: string, environment: Environment) {
    this.#bff = bff;
    this.#environment = environment;
    this.#signOut = this.#storedSignOut;
  }

  /** In another tab; cleared storage is no sign-out. */
  get isSignedOut(): boolean {
    const stored = this.#storedSignOut;
    return stored !== undefined && stored !== this.#signOut;
  }

  get all(): readonly Entry[] {
    this.#refresh();
    return [...this.#entries.values()];
  }

  read(id: string): Entry | undefined {
    this.#refresh();
    return this.#entries.get(id);
  }

  /** The browser has kept the record. */
  isKept(entry: Entry): boolean {
    return this.#environment.isKept(this.#keyOf(entry));
  }

  write(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.#environment.write(this.#markKey, {});
    this.#environment.write(this.#keyOf(entry), entry);
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#environment.remove(this.#keyOf(entry));
  }

  /** Another document may have written. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** The reader has signed out, here or elsewhere. What storage has is that of the next reader. */
  clear(): void {
    this.#signOut = this.#storedSignOut;
    for (const key of this.#keys()) if (!this.#environment.isKept(key)) this.#environment.remove(key);
    this.#entries.clear();
    this.#isStale = true;
  }

  /** What storage has. What was there before storage was emptied is stored again. */
  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    if (this.isSignedOut) return this.#entries.clear();
    const environment = this.#environment;
    const before = this.#entries;
    this.#entries = new Map();
    for (const key of this.#keys()) {
      const entry = environment.read<Entry>(key);
      const isValid = typeof entry?.text === 'string' && entry.state && entry.user && entry.id && environment.now() < expiryOf(entry as Entry);
      if (isValid) this.#entries.set(entry.id!, entry as Entry);
      else environment.remove(key);
    }
    if (before.size === 0 || environment.read(this.#markKey)) return;
    for (const entry of before.values()) if (!this.#entries.has(entry.id)) this.write(entry);
  }

  #keys(): string[] {
    return this.#environment.list().filter((key) => key.startsWith(this.#prefix));
  }

  /** Only the account may contain spaces. */
  #keyOf({ account, id }: Entry): string {
    return `${this.#prefix}${encodeURIComponent(account)} ${id}`;
  }

  get #prefix(): string {
    return `vestibule:entry ${this.#bff} `;
  }

  /** There as long as storage was not emptied. */
  get #markKey(): string {
    return `vestibule:entries ${this.#bff}`;
  }

  get #storedSignOut(): string | undefined {
    return this.#environment.read<{ id: string }>(`vestibule:signed-out ${this.#bff}`)?.id;
  }
}
