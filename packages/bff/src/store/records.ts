/** Typed, sealed records of one kind in the store: `kind:` and the hash of an identifier is the key, so neither a cookie's
 *  value nor a reader's data is readable there. */

import { fingerprint } from '../lib/fingerprint.ts';
import type { Sealer } from './sealed.ts';
import type { Lifetime, Store } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Milliseconds since the epoch; `undefined` where it never expires. */
  readonly expiresAt: number | undefined;
}

export class Records<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #sealer: Sealer;

  constructor(kind: string, { store, sealer }: { store: Store; sealer: Sealer }) {
    this.#kind = kind;
    this.#store = store;
    this.#sealer = sealer;
  }

  async find(id: string): Promise<Found<T> | undefined> {
    const key = this.#key(id);
    const entry = await this.#store.get(key);
    const record = entry && this.#open(key, entry.value);
    return record === undefined ? undefined : { record, expiresAt: entry?.expiresAt };
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
    return `${this.#kind}:${fingerprint(id)}`;
  }

  #open(key: string, value: string): T | undefined {
    const text = this.#sealer.open(key, value);
    return text === undefined ? undefined : JSON.parse(text) as T;
  }
}
