/** The entries of a BFF in storage, one record each: all documents of the browser share them. */

import { expiryOf, type Entry } from './entry.ts';

/** The records of the browser: `storage.ts`. */
export interface RecordStorage {
  read<Kept extends object>(key: string): Partial<Kept> | undefined;
  write(key: string, record: object): boolean;
  /** The browser has kept the record. */
  isKept(key: string): boolean;
  remove(key: string): void;
  /** Keys of all records. */
  list(): string[];
  /** Milliseconds since the epoch. */
  now(): number;
}

export class EntryRecords {
  readonly #storage: RecordStorage;
  readonly #bff: string;
  /** All that this document has seen, by id: storage may be emptied without a sign-out. */
  #entries = new Map<string, Entry>();
  #isStale = true;
  /** The last sign-out of this browser that is known. */
  #signOut: string | undefined;

  constructor(bff: string, storage: RecordStorage) {
    this.#bff = bff;
    this.#storage = storage;
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
    return this.#storage.isKept(this.#keyOf(entry));
  }

  write(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.#storage.write(this.#markKey, {});
    this.#storage.write(this.#keyOf(entry), entry);
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#storage.remove(this.#keyOf(entry));
  }

  /** Another document may have written. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** The reader has signed out, here or elsewhere. What storage has is that of the next reader. */
  clear(): void {
    this.#signOut = this.#storedSignOut;
    for (const key of this.#keys()) if (!this.#storage.isKept(key)) this.#storage.remove(key);
    this.#entries.clear();
    this.#isStale = true;
  }

  /** What storage has. What was there before storage was emptied is stored again. */
  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    if (this.isSignedOut) return this.#entries.clear();
    const storage = this.#storage;
    const before = this.#entries;
    this.#entries = new Map();
    for (const key of this.#keys()) {
      const entry = storage.read<Entry>(key);
      const isValid = typeof entry?.text === 'string' && entry.state && entry.user && entry.id && storage.now() < expiryOf(entry as Entry);
      if (isValid) this.#entries.set(entry.id!, entry as Entry);
      else storage.remove(key);
    }
    if (before.size === 0 || storage.read(this.#markKey)) return;
    for (const entry of before.values()) if (!this.#entries.has(entry.id)) this.write(entry);
  }

  #keys(): string[] {
    return this.#storage.list().filter((key) => key.startsWith(this.#prefix));
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
    return this.#storage.read<{ id: string }>(`vestibule:signed-out ${this.#bff}`)?.id;
  }
}
