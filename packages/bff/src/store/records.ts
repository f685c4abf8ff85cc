/** Typed, sealed records of one kind in the store: `kind:` and the hash of an identifier is the key, so neither a cookie's
 *  value nor a reader's data is readable there. */

import { fingerprint } from '../lib/fingerprint.ts';
import type { Sealer } from './sealed.ts';
import type { Lifetime, Store, StoredEntry } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Milliseconds since the epoch; `undefined` where it never expires. */
  readonly expiresAt: number | undefined;
}

/** Where a record lies and how it is read. */
export interface Place<T> {
  readonly key: string;
  read(entry: StoredEntry | undefined): Found<T> | undefined;
}

/** The records of several places, of whatever kinds, looked up in one step. */
export async function findTogether<const P extends readonly Place<unknown>[]>(
  store: Pick<Store, 'getMany'>,
  places: P,
): Promise<{ [I in keyof P]: ReturnType<P[I]['read']> }> {
  const entries = places.length === 0 ? [] : await store.getMany(places.map(({ key }) => key));
  return places.map((place, i) => place.read(entries[i])) as { [I in keyof P]: ReturnType<P[I]['read']> };
}

/** The form of those records of a kind that hold no secret. */
export interface InTheClear<T> {
  /** `undefined` for a record that is to be sealed. */
  write(record: T): string | undefined;
  /** `undefined` for what is sealed. */
  read(text: string): T | undefined;
}

export interface RecordsOptions<T> {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Whether identifiers are fingerprints already. */
  readonly fingerprinted?: boolean;
  /** Default: every record is sealed. */
  readonly inTheClear?: InTheClear<T>;
}

export class Records<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #sealer: Sealer;
  readonly #fingerprinted: boolean;
  readonly #inTheClear: InTheClear<T> | undefined;

  constructor(kind: string, { store, sealer, fingerprinted = false, inTheClear }: RecordsOptions<T>) {
    this.#kind = kind;
    this.#store = store;
    this.#sealer = sealer;
    this.#fingerprinted = fingerprinted;
    this.#inTheClear = inTheClear;
  }

  find(id: string): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    return this.#store.get(key).then((entry) => this.#read(key, entry));
  }

  at(id: string): Place<T> {
    return this.#placeAt(this.#keyOf(id));
  }

  /** The place of what is kept under an identifier, for who looks up several kinds of it. */
  atFingerprint(hash: string): Place<T> {
    return this.#placeAt(this.#keyAt(hash));
  }

  put(id: string, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#keyOf(id);
    return this.#store.set(key, this.#text(key, record), lifetimeMs);
  }

  putIfAbsent(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#keyOf(id);
    return this.#store.setIfAbsent(key, this.#text(key, record), lifetimeMs);
  }

  replace(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#keyOf(id);
    return this.#store.replace(key, this.#text(key, record), lifetimeMs);
  }

  async take(id: string): Promise<T | undefined> {
    const key = this.#keyOf(id);
    const value = await this.#store.take(key);
    return value === undefined ? undefined : this.#open(key, value);
  }

  touch(id: string, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#keyOf(id), lifetimeMs);
  }

  delete(id: string): Promise<boolean> {
    return this.#store.delete(this.#keyOf(id));
  }

  async* all(): AsyncIterable<T> {
    for await (const [key, value] of this.#store.entries(`${this.#kind}:`)) {
      const record = this.#open(key, value);
      if (record !== undefined) yield record;
    }
  }

  #keyOf(id: string): string {
    return this.#keyAt(this.#fingerprinted ? id : fingerprint(id));
  }

  #keyAt(hash: string): string {
    return `${this.#kind}:${hash}`;
  }

  #placeAt(key: string): Place<T> {
    return { key, read: (entry) => this.#read(key, entry) };
  }

  #read(key: string, entry: StoredEntry | undefined): Found<T> | undefined {
    const record = entry && this.#open(key, entry.value);
    return record === undefined ? undefined : { record, expiresAt: entry?.expiresAt };
  }

  #text(key: string, record: T): string {
    return this.#inTheClear?.write(record) ?? this.#sealer.seal(key, JSON.stringify(record));
  }

  #open(key: string, value: string): T | undefined {
    const clear = this.#inTheClear?.read(value);
    if (clear !== undefined) return clear;
    const text = this.#sealer.open(key, value);
    return text === undefined ? undefined : JSON.parse(text) as T;
  }
}
