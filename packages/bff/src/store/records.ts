/**
 * Typed records of one kind, encrypted in the store. A key is the kind, the tag of a user where records belong to one, and a
 * SHA-256: the store has neither cookie values nor plain ids. The stored text is unique to each write, which resolves a write
 * whose reply was lost. A record that cannot be decrypted counts as absent.
 */

import type { Logger } from 'pino';
import type { Clock } from '../lib/time.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Cipher } from './cipher.ts';
import { StoreUnavailableError, type Lifetime, type Store } from './store.ts';

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
    const entry = await this.#store.get(key);
    const record = entry && this.#decrypt(key, entry.value);
    if (!entry || record === undefined) return undefined;
    return { record, stored: entry.value, restMs: entry.expiresAt === undefined ? Infinity : entry.expiresAt - this.#now() };
  }

  put(id: RecordId, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = this.#keyOf(id);
    return this.#store.set(key, this.#encrypt(key, record), lifetimeMs);
  }

  /** Writes `record` if there is none. `undefined`: there is one. */
  async create(id: RecordId, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const stored = this.#encrypt(key, record);
    const isWritten = await this.#resolved(key, stored, () => this.#store.setIfAbsent(key, stored, lifetimeMs));
    return isWritten ? { record, stored, restMs: lifetimeMs } : undefined;
  }

  /** Writes `record` if nothing was written since `found` was read. `undefined`: another writer was first.
   *  @throws {StoreUnavailableError} it is unknown whether the write was applied */
  async compareAndSet(id: RecordId, found: Pick<Found<T>, 'stored'>, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    const key = this.#keyOf(id);
    const stored = this.#encrypt(key, record);
    const write = () => this.#store.compareAndSet(key, found.stored, stored, lifetimeMs);
    return await this.#resolved(key, stored, write) ? { record, stored, restMs: lifetimeMs } : undefined;
  }

  touch(id: RecordId, lifetimeMs: number): Promise<boolean> {
    return this.#store.touch(this.#keyOf(id), lifetimeMs);
  }

  /** @param found deletes only if nothing was written since it was read */
  delete(id: RecordId, found?: Pick<Found<T>, 'stored'>): Promise<boolean> {
    return this.#store.delete(this.#keyOf(id), found?.stored);
  }

  /** The records of a user's tag, or all. */
  async* entries(tag?: string): AsyncIterable<Entry<T>> {
    const seen = new Set<string>();
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:${tag ?? ''}`)) {
      if (seen.has(key)) continue;
      seen.add(key);
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

  /** Encrypts the records of older secrets under the newest; a concurrent change of a record wins.
   *  @returns how many were encrypted, and how many no secret decrypts */
  async reencrypt(): Promise<{ readonly reencrypted: number; readonly undecryptable: number }> {
    let [reencrypted, undecryptable] = [0, 0];
    for await (const [key, stored] of this.#store.entries(`${this.#kind}:`)) {
      if (this.#cipher.secretOf(stored) === 0) continue;
      const plaintext = this.#cipher.decrypt(key, stored);
      const entry = plaintext === undefined ? undefined : await this.#store.get(key);
      if (plaintext === undefined) undecryptable += 1;
      else if (entry?.value === stored) {
        const restMs = entry.expiresAt === undefined ? undefined : Math.max(entry.expiresAt - this.#now(), 1);
        reencrypted += Number(await this.#store.compareAndSet(key, stored, this.#cipher.encrypt(key, plaintext), restMs));
      }
    }
    return { reencrypted, undecryptable };
  }

  /** The result of `write`. If its reply is lost, reads whether it was applied, and otherwise writes once more. */
  async #resolved(key: string, stored: string, write: () => Promise<boolean>): Promise<boolean> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return (await this.#store.get(key))?.value === stored || write();
    }
  }

  #keyOf({ tag = '', id }: RecordId): string {
    return `${this.#kind}:${tag}${tag && ':'}${sha256(id)}`;
  }

  #encrypt(key: string, record: T): string {
    return this.#cipher.encrypt(key, JSON.stringify(record));
  }

  #decrypt(key: string, stored: string): T | undefined {
    const json = this.#cipher.decrypt(key, stored);
    return json === undefined ? undefined : JSON.parse(json) as T;
  }
}

/** Logs how many profiles an older secret had, and those that no secret decrypts. */
export async function reencryptProfiles(profiles: Records<unknown>, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  try {
    const { reencrypted, undecryptable } = await profiles.reencrypt();
    if (reencrypted > 0) log.info({ profiles: reencrypted }, 'profiles are encrypted under the newest cookie secret');
    if (undecryptable > 0) {
      log.warn({ profiles: undecryptable, setting: 'VESTIBULE_COOKIE_SECRETS' }, 'profiles cannot be decrypted: add the missing secret at the end of the list');
    }
  } catch (err) {
    log.warn({ err, setting: 'VESTIBULE_STORE' }, 'profiles cannot be encrypted anew: keep the older cookie secrets');
  }
}
