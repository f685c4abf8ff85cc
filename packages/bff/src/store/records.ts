/** Typed records of one kind, encrypted in the store. A key is the kind, the tag of a user where records belong to one, and a
 *  SHA-256. A record that cannot be decrypted counts as absent. */

import type { Clock } from '../lib/time.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Cipher } from './cipher.ts';
import { ignoreUnavailableStore, type Lifetime, type Store } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Rest of the lifetime as the store counts it, in ms; `Infinity`: the record never expires. */
  readonly restMs: number;
  /** The stored text, unique to this write: the expected value of a compare-and-set. */
  readonly stored: string;
}

/** Identifies a record. `tag`: of the user it belongs to, which finds all records of a user. */
export interface RecordId {
  readonly tag?: string;
  readonly id: string;
}

/** A record of an iteration; `record` is `undefined` if it cannot be decrypted. */
export interface Entry<T> {
  readonly record: T | undefined;
  readonly remove: () => Promise<boolean>;
}

export interface RecordsDeps {
  readonly store: Store;
  readonly cipher: Cipher;
  readonly now: Clock;
}

export class Records<T> {
  readonly #kind: string;
  readonly #store: Store;
  readonly #cipher: Cipher;
  readonly #now: Clock;

  constructor(kind: string, { store, cipher, now }: RecordsDeps) {
    this.#kind = kind;
    this.#store = store;
    this.#cipher = cipher;
    this.#now = now;
  }

  /** @throws {StoreUnavailableError} as every method */
  async find(id: RecordId): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const { value: stored, expiresAt = Infinity } = await this.#store.get(key) ?? {};
    const record = stored === undefined ? undefined : this.#decrypt(key, stored);
    return stored === undefined || record === undefined ? undefined : { record, stored, restMs: expiresAt - this.#now() };
  }

  put(id: RecordId, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#keyOf(id);
    return this.#store.set(key, this.#cipher.encrypt(key, JSON.stringify(record)), lifetimeMs);
  }

  create(id: RecordId, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    return this.#write(id, record, lifetimeMs, (key, stored) => this.#store.setIfAbsent(key, stored, lifetimeMs));
  }

  /** Writes `record` if nothing was written since `found` was read. `undefined`: another writer was first.
   *  @throws {StoreUnavailableError} it is unknown whether the write was applied */
  compareAndSet(id: RecordId, found: Pick<Found<T>, 'stored'>, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    return this.#write(id, record, lifetimeMs, (key, stored) => this.#store.compareAndSet(key, found.stored, stored, lifetimeMs));
  }

  touch(id: RecordId, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#keyOf(id), lifetimeMs);
  }

  /** @param found deletes only if nothing was written since it was read */
  delete(id: RecordId, found?: Pick<Found<T>, 'stored'>): Promise<boolean> {
    return this.#store.delete(this.#keyOf(id), found?.stored);
  }

  async* entries(tag?: string): AsyncIterable<Entry<T>> {
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:${tag ?? ''}`)) {
      yield { record: this.#decrypt(key, stored), remove: () => this.#store.delete(key) };
    }
  }

  async list(tag?: string): Promise<readonly Entry<T>[]> {
    const entries: Entry<T>[] = [];
    for await (const entry of this.entries(tag)) entries.push(entry);
    return entries;
  }

  /** Records by the index of the secret that encrypts them, 0 the newest; -1: no secret decrypts them. */
  async countBySecret(): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for await (const [, stored] of this.#store.entries(`${this.#kind}:`)) {
      const secret = this.#cipher.secretOf(stored);
      counts.set(secret, (counts.get(secret) ?? 0) + 1);
    }
    return counts;
  }

  /** Encrypts the records of older secrets under the newest; a concurrent change of a record wins. */
  async reencrypt(): Promise<void> {
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:`)) {
      if (this.#cipher.secretOf(stored) === 0) continue;
      const plaintext = this.#cipher.decrypt(key, stored);
      const entry = await this.#store.get(key);
      if (plaintext === undefined || entry?.value !== stored) continue;
      const restMs = entry.expiresAt === undefined ? undefined : Math.max(entry.expiresAt - this.#now(), 1);
      await this.#store.compareAndSet(key, stored, this.#cipher.encrypt(key, plaintext), restMs);
    }
  }

  /** If the reply of `apply` is lost, reads whether it was applied, and otherwise applies it once more. */
  async #write(
    id: RecordId, record: T, lifetimeMs: number, apply: (key: string, stored: string) => Promise<boolean>,
  ): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const stored = this.#cipher.encrypt(key, JSON.stringify(record));
    const isWritten = await apply(key, stored).catch(async (error: unknown) => {
      ignoreUnavailableStore(error);
      return (await this.#store.get(key))?.value === stored || apply(key, stored);
    });
    return isWritten ? { record, stored, restMs: lifetimeMs } : undefined;
  }

  #keyOf({ tag = '', id }: RecordId): string {
    return `${this.#kind}:${tag}${tag && ':'}${sha256(id)}`;
  }

  #decrypt(key: string, stored: string): T | undefined {
    const json = this.#cipher.decrypt(key, stored);
    return json === undefined ? undefined : JSON.parse(json) as T;
  }
}
