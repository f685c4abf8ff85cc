/**
 * Typed records of one kind, encrypted in the store. The key is `kind:` and the SHA-256 of an identifier, so the store
 * reveals neither cookie values nor reader data. A record that cannot be decrypted counts as absent, except in `all()`.
 */

import type { Clock } from '../lib/time.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { RecordCipher } from './record-cipher.ts';
import type { Lifetime, Store } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Milliseconds since the epoch; `undefined` if the record never expires. */
  readonly expiresAt: number | undefined;
  /** The stored text, unique to this write: the expected value of a compare-and-set. */
  readonly stored: string;
}

/** Records that no configured secret decrypts: their secret was dropped, or they were altered. */
export class UndecryptableRecordsError extends Error {
  override readonly name = 'UndecryptableRecordsError';
  readonly count: number;

  constructor(count: number) {
    super(`${count} ${count === 1 ? 'record' : 'records'} cannot be decrypted.`);
    this.count = count;
  }
}

export interface EncryptedCollectionOptions {
  readonly store: Store;
  readonly cipher: RecordCipher;
  readonly now?: Clock;
}

export class EncryptedCollection<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #cipher: RecordCipher;
  readonly #now: Clock;

  constructor(kind: string, { store, cipher, now = Date.now }: EncryptedCollectionOptions) {
    this.#kind = kind;
    this.#store = store;
    this.#cipher = cipher;
    this.#now = now;
  }

  async find(id: string): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const entry = await this.#store.get(key);
    if (!entry) return undefined;
    const record = this.#decrypt(key, entry.value);
    return record === undefined ? undefined : { record, expiresAt: entry.expiresAt, stored: entry.value };
  }

  put(id: string, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#keyOf(id);
    return this.#store.set(key, this.#encrypt(key, record), lifetimeMs);
  }

  /** Writes `record` if there is none. `undefined`: another writer was first. */
  async putIfAbsent(id: string, record: T, lifetimeMs: Lifetime): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const stored = this.#encrypt(key, record);
    const isWritten = await this.#store.setIfAbsent(key, stored, lifetimeMs);
    return isWritten ? { record, stored, expiresAt: lifetimeMs && this.#now() + lifetimeMs } : undefined;
  }

  /** Writes `record` if nothing was written since `found` was read. `undefined`: another writer was first. */
  async compareAndSet(
    id: string,
    found: Pick<Found<T>, 'stored'> & Partial<Pick<Found<T>, 'expiresAt'>>,
    record: T,
    lifetimeMs: Lifetime | 'keep' = 'keep',
  ): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const stored = this.#encrypt(key, record);
    const write = (expected: string) => this.#store.compareAndSet(key, expected, stored, lifetimeMs);
    const isWritten = await this.#ifUnchanged(key, found.stored, write);
    if (!isWritten) return undefined;
    return { record, stored, expiresAt: lifetimeMs === 'keep' ? found.expiresAt : lifetimeMs && this.#now() + lifetimeMs };
  }

  /** Repeats a write that failed because the record it expects was re-encrypted under the newest secret. */
  async #ifUnchanged(key: string, expected: string, write: (expected: string) => Promise<boolean>): Promise<boolean> {
    if (await write(expected)) return true;
    if (this.#cipher.secretOf(expected) === 0) return false;
    const present = (await this.#store.get(key))?.value;
    if (present === undefined || this.#cipher.decrypt(key, present) !== this.#cipher.decrypt(key, expected)) return false;
    return write(present);
  }

  async take(id: string): Promise<T | undefined> {
    const key = this.#keyOf(id);
    const stored = await this.#store.take(key);
    return stored === undefined ? undefined : this.#decrypt(key, stored);
  }

  touch(id: string, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#keyOf(id), lifetimeMs);
  }

  /** @param found deletes only if nothing was written since it was read */
  delete(id: string, found?: Pick<Found<T>, 'stored'>): Promise<boolean> {
    const key = this.#keyOf(id);
    const remove = (expected?: string) => this.#store.delete(key, expected);
    return found ? this.#ifUnchanged(key, found.stored, remove) : remove();
  }

  /** Every record, in any order. @throws {UndecryptableRecordsError} at the end, after every readable record */
  async* all(): AsyncIterable<T> {
    let undecryptable = 0;
    for await (const [, record] of this.#entries()) {
      if (record === undefined) undecryptable += 1;
      else yield record;
    }
    if (undecryptable > 0) throw new UndecryptableRecordsError(undecryptable);
  }

  /** The records that match, in any order. @throws {UndecryptableRecordsError} if it cannot be known which do */
  async findMatching(matches: (record: T) => boolean): Promise<readonly T[]> {
    const found: T[] = [];
    for await (const record of this.all()) if (matches(record)) found.push(record);
    return found;
  }

  /** Deletes the readable records that match. @returns how many, and how many others are not readable */
  async deleteMatching(matches: (record: T) => boolean): Promise<{ readonly deleted: number; readonly undecryptable: number }> {
    let [deleted, undecryptable] = [0, 0];
    for await (const [key, record] of this.#entries()) {
      if (record === undefined) undecryptable += 1;
      else if (matches(record) && await this.#store.delete(key)) deleted += 1;
    }
    return { deleted, undecryptable };
  }

  /** The stored keys, each once, with their records; `undefined` for one that cannot be decrypted. */
  async* #entries(): AsyncIterable<readonly [key: string, record: T | undefined]> {
    const seen = new Set<string>();
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:`)) {
      if (!seen.has(key)) yield [key, this.#decrypt(key, stored)];
      seen.add(key);
    }
  }

  #keyOf(id: string): string {
    return `${this.#kind}:${sha256(id)}`;
  }

  #encrypt(key: string, record: T): string {
    return this.#cipher.encrypt(key, JSON.stringify(record));
  }

  #decrypt(key: string, stored: string): T | undefined {
    const json = this.#cipher.decrypt(key, stored);
    return json === undefined ? undefined : JSON.parse(json) as T;
  }
}

/** The kind of record that a key of the store belongs to; `undefined` for entries that are not records. */
export function kindOfKey(key: string): string | undefined {
  return /^([a-z]+):[\w-]{43}$/.exec(key)?.[1];
}
