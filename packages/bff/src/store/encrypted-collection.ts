/**
 * Typed records of one kind, encrypted in the store. The key is `kind:` and the SHA-256 of an identifier, so the store
 * reveals neither cookie values nor reader data. A record that cannot be decrypted counts as absent.
 */

import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/sha256.ts';
import type { RecordCipher } from './record-cipher.ts';
import type { Lifetime, Store, StoredEntry } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Milliseconds since the epoch; `undefined` if the record never expires. */
  readonly expiresAt: number | undefined;
  /** The stored text, unique to this write: the expected value of a compare-and-set. */
  readonly stored: string;
}

/** The key of a record and how to read it: an operand of `findTogether`. */
export interface RecordRef<T> {
  readonly key: string;
  read(entry: StoredEntry | undefined): Found<T> | undefined;
}

/** Reads records of any collections of one store with one `getMany`; results in the order of `refs`. */
export async function findTogether<const R extends readonly RecordRef<unknown>[]>(
  store: Pick<Store, 'getMany'>,
  refs: R,
): Promise<{ [I in keyof R]: ReturnType<R[I]['read']> }> {
  const entries = refs.length === 0 ? [] : await store.getMany(refs.map(({ key }) => key));
  return refs.map((ref, i) => ref.read(entries[i])) as { [I in keyof R]: ReturnType<R[I]['read']> };
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
    const { key, read } = this.ref(id);
    return read(await this.#store.get(key));
  }

  ref(id: string): RecordRef<T> {
    const key = this.#keyOf(id);
    return { key, read: (entry) => this.#read(key, entry) };
  }

  put(id: string, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#keyOf(id);
    return this.#store.set(key, this.#encrypt(key, record), lifetimeMs);
  }

  putIfAbsent(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#keyOf(id);
    return this.#store.setIfAbsent(key, this.#encrypt(key, record), lifetimeMs);
  }

  replace(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#keyOf(id);
    return this.#store.replace(key, this.#encrypt(key, record), lifetimeMs);
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
    if (!await this.#store.compareAndSet(key, found.stored, stored, lifetimeMs)) return undefined;
    return { record, stored, expiresAt: lifetimeMs === 'keep' ? found.expiresAt : lifetimeMs && this.#now() + lifetimeMs };
  }

  async take(id: string): Promise<T | undefined> {
    const key = this.#keyOf(id);
    const stored = await this.#store.take(key);
    return stored === undefined ? undefined : this.#decrypt(key, stored);
  }

  touch(id: string, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#keyOf(id), lifetimeMs);
  }

  delete(id: string): Promise<boolean> {
    return this.#store.delete(this.#keyOf(id));
  }

  async* all(): AsyncIterable<T> {
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:`)) {
      const record = this.#decrypt(key, stored);
      if (record !== undefined) yield record;
    }
  }

  #keyOf(id: string): string {
    return `${this.#kind}:${sha256(id)}`;
  }

  #read(key: string, entry: StoredEntry | undefined): Found<T> | undefined {
    const record = entry && this.#decrypt(key, entry.value);
    return record === undefined ? undefined : { record, expiresAt: entry?.expiresAt, stored: entry?.value as string };
  }

  #encrypt(key: string, record: T): string {
    return this.#cipher.encrypt(key, JSON.stringify(record));
  }

  #decrypt(key: string, stored: string): T | undefined {
    const json = this.#cipher.decrypt(key, stored);
    return json === undefined ? undefined : JSON.parse(json) as T;
  }
}
