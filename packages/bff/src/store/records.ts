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
  readonly read: (entry: StoredEntry | undefined) => Found<T> | undefined;
}

/** The records of several places, of whatever kinds, looked up in one step. */
export async function findTogether<const P extends readonly Place<unknown>[]>(
  store: Pick<Store, 'getMany'>,
  places: P,
): Promise<{ [I in keyof P]: ReturnType<P[I]['read']> }> {
  const entries = places.length === 0 ? [] : await store.getMany(places.map(({ key }) => key));
  return places.map(({ read }, i) => read(entries[i])) as { [I in keyof P]: ReturnType<P[I]['read']> };
}

interface Opened<T> {
  /** What is sealed opens under its own key only. */
  readonly key: string;
  readonly record: T;
}

/** Of identifiers, which are looked up again and again. */
const fingerprints = new Memo<string>(5_000);

export interface RecordsOptions {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Whether identifiers are fingerprints already. */
  readonly fingerprinted?: boolean;
  /** How many opened records are remembered, for kinds that are read more often than written. Default: none. */
  readonly remembered?: number;
}

export class Records<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #sealer: Sealer;
  readonly #fingerprinted: boolean;

  /** By what was sealed, which is new with every writing. */
  readonly #opened: Memo<Opened<T>> | undefined;

  constructor(kind: string, { store, sealer, fingerprinted = false, remembered }: RecordsOptions) {
    this.#kind = kind;
    this.#opened = remembered === undefined ? undefined : new Memo(remembered);
    this.#store = store;
    this.#sealer = sealer;
    this.#fingerprinted = fingerprinted;
  }

  async find(id: string): Promise<Found<T> | undefined> {
    const { key, read } = this.at(id);
    return read(await this.#store.get(key));
  }

  at(id: string): Place<T> {
    const key = this.#key(id);
    return {
      key,
      read: (entry) => {
        const record = entry && this.#recall(key, entry.value);
        return record === undefined ? undefined : { record, expiresAt: entry?.expiresAt };
      },
    };
  }

  async put(id: string, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#key(id);
    await this.#store.set(key, this.#sealer.seal(key, JSON.stringify(record)), lifetimeMs);
  }

  async putIfAbsent(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#key(id);
    return this.#store.setIfAbsent(key, this.#sealer.seal(key, JSON.stringify(record)), lifetimeMs);
  }

  async replace(id: string, record: T, lifetimeMs: Lifetime): Promise<boolean> {
    const key = this.#key(id);
    return this.#store.replace(key, this.#sealer.seal(key, JSON.stringify(record)), lifetimeMs);
  }

  async take(id: string): Promise<T | undefined> {
    const key = this.#key(id);
    const value = await this.#store.take(key);
    return value === undefined ? undefined : this.#open(key, value);
  }

  touch(id: string, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#key(id), lifetimeMs);
  }

  delete(id: string): Promise<boolean> {
    return this.#store.delete(this.#key(id));
  }

  async* all(): AsyncIterable<T> {
    for await (const [key, value] of this.#store.entries(`${this.#kind}:`)) {
      const record = this.#open(key, value);
      if (record !== undefined) yield record;
    }
  }

  #key(id: string): string {
    return `${this.#kind}:${this.#fingerprinted ? id : fingerprints.get(id, fingerprint)}`;
  }

  #recall(key: string, value: string): T | undefined {
    const opened = this.#opened?.get(value, () => {
      const record = this.#open(key, value);
      return record === undefined ? undefined : { key, record };
    });
    return opened?.key === key ? opened.record : this.#open(key, value);
  }

  #open(key: string, value: string): T | undefined {
    const text = this.#sealer.open(key, value);
    return text === undefined ? undefined : JSON.parse(text) as T;
  }
}
