/** Typed, sealed records of one kind in the store: `kind:` and the hash of an identifier is the key, so neither a cookie's
 *  value nor a reader's data is readable there. */

import { fingerprint } from '../lib/fingerprint.ts';
import { Memo } from '../lib/memo.ts';
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
  /** Whether identifiers are fingerprints already, and each is used but a few times. */
  readonly fingerprinted?: boolean;
  /** Default: every record is sealed. */
  readonly inTheClear?: InTheClear<T>;
  /** Whether what was opened is remembered, for kinds that are read more often than written. */
  readonly remembered?: boolean;
}

/** Of a kind, those that were asked for last. Opened sessions take some 3 MB. */
const REMEMBERED_PLACES = 2_000;

export class Records<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #sealer: Sealer;
  readonly #fingerprinted: boolean;
  readonly #inTheClear: InTheClear<T> | undefined;
  readonly #remembered: boolean;
  readonly #places = new Memo<Place<T>>(REMEMBERED_PLACES);

  constructor(kind: string, { store, sealer, fingerprinted = false, inTheClear, remembered = false }: RecordsOptions<T>) {
    this.#kind = kind;
    this.#store = store;
    this.#sealer = sealer;
    this.#fingerprinted = fingerprinted;
    this.#inTheClear = inTheClear;
    this.#remembered = remembered;
  }

  find(id: string): Promise<Found<T> | undefined> {
    const place = this.at(id);
    return this.#store.get(place.key).then((entry) => place.read(entry));
  }

  at(id: string): Place<T> {
    return this.#fingerprinted ? this.#placeAt(id) : this.#places.get(id, this.#place);
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

  readonly #place = (id: string): Place<T> => this.#placeAt(fingerprint(id));

  #keyOf(id: string): string {
    return this.#fingerprinted ? this.#keyAt(id) : this.at(id).key;
  }

  #keyAt(hash: string): string {
    return `${this.#kind}:${hash}`;
  }

  #placeAt(hash: string): Place<T> {
    const key = this.#keyAt(hash);
    const open = (sealed: string) => this.#open(key, sealed);
    return this.#remembered ? new RememberedPlace(key, open) : { key, read: (entry) => foundIn(entry, open) };
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

function foundIn<T>(entry: StoredEntry | undefined, open: (sealed: string) => T | undefined): Found<T> | undefined {
  const record = entry && open(entry.value);
  return record === undefined ? undefined : { record, expiresAt: entry?.expiresAt };
}

/** Opens again only what was sealed anew. */
class RememberedPlace<T> implements Place<T> {
  readonly key: string;
  readonly #open: (sealed: string) => T | undefined;
  #sealed: string | undefined;
  #record: T | undefined;

  constructor(key: string, open: (sealed: string) => T | undefined) {
    this.key = key;
    this.#open = open;
  }

  read(entry: StoredEntry | undefined): Found<T> | undefined {
    return foundIn(entry, (sealed) => {
      if (sealed !== this.#sealed) {
        this.#record = this.#open(sealed);
        this.#sealed = sealed;
      }
      return this.#record;
    });
  }
}
