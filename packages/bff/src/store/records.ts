/** Typed records of one kind, encrypted in the store. A key is the kind, the tag of a user where records belong to one, and a
 *  SHA-256. A record that cannot be decrypted counts as absent. */

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { Clock } from '../lib/time.ts';
import { sha256 } from '../lib/identifiers.ts';
import { ignoreUnavailableStore, type Lifetime, type Store } from './store.ts';

export interface Found<T> {
  readonly record: T;
  /** Rest of the lifetime as the store counts it, in ms; `Infinity`: the record never expires. */
  readonly restMs: number;
  /** The stored text, unique to this write: the expected value of a compare-and-set. */
  readonly stored: string;
}

/** Whether the record was written less than `ms` ago, by the clock of the store. A clock that was set back by more makes it old.
 *  @param lifetimeMs at the write */
export function isYounger({ restMs }: Pick<Found<unknown>, 'restMs'>, lifetimeMs: number, ms: number): boolean {
  return Math.abs(lifetimeMs - restMs) <= ms;
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
  /** Writes `record` unless something was written since. */
  readonly replace: (record: T, lifetimeMs: number) => Promise<boolean>;
}

export type Records<T> = ReturnType<typeof createRecords<T>>;

export interface RecordsDeps {
  readonly store: Store;
  readonly cipher: Cipher;
  readonly now: Clock;
}

/** Each method @throws {StoreUnavailableError} */
export function createRecords<T>(kind: string, { store, cipher, now }: RecordsDeps) {
  return { find, put, create, compareAndSet, touch, delete: remove, entries, list, countBySecret, reencrypt };

  async function find(id: RecordId): Promise<Found<T> | undefined> {
    const key = keyOf(id);
    const { value: stored, expiresAt = Infinity } = await store.get(key) ?? {};
    const record = stored === undefined ? undefined : decrypt(key, stored);
    return stored === undefined || record === undefined ? undefined : { record, stored, restMs: expiresAt - now() };
  }

  function put(id: RecordId, record: T, lifetimeMs: Lifetime): Promise<void> {
    const key = keyOf(id);
    return store.set(key, cipher.encrypt(key, JSON.stringify(record)), lifetimeMs);
  }

  /** `undefined`: there is one already. */
  function create(id: RecordId, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    return write(id, record, lifetimeMs, (key, stored) => store.setIfAbsent(key, stored, lifetimeMs));
  }

  /** Writes `record` if nothing was written since `found` was read. `undefined`: another writer was first.
   *  @throws {StoreUnavailableError} it is unknown whether the write was applied */
  function compareAndSet(id: RecordId, found: Pick<Found<T>, 'stored'>, record: T, lifetimeMs: number): Promise<Found<T> | undefined> {
    return write(id, record, lifetimeMs, (key, stored) => store.compareAndSet(key, found.stored, stored, lifetimeMs));
  }

  function touch(id: RecordId, lifetimeMs: number): Promise<boolean> {
    return store.touch(keyOf(id), lifetimeMs);
  }

  /** @param found deletes only if nothing was written since it was read */
  function remove(id: RecordId, found?: Pick<Found<T>, 'stored'>): Promise<boolean> {
    return store.delete(keyOf(id), found?.stored);
  }

  async function* entries(tag?: string): AsyncIterable<Entry<T>> {
    for await (const [key, stored] of store.entries(`${kind}:${tag ?? ''}`)) {
      yield {
        record: decrypt(key, stored),
        remove: () => store.delete(key),
        replace: (record, lifetimeMs) => (
          store.compareAndSet(key, stored, cipher.encrypt(key, JSON.stringify(record)), lifetimeMs)
        ),
      };
    }
  }

  async function list(tag?: string): Promise<readonly Entry<T>[]> {
    const all: Entry<T>[] = [];
    for await (const entry of entries(tag)) all.push(entry);
    return all;
  }

  /** Records by the index of the secret that encrypts them, 0 the newest; -1: no secret decrypts them. */
  async function countBySecret(): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for await (const [, stored] of store.entries(`${kind}:`)) {
      const secret = cipher.secretOf(stored);
      counts.set(secret, (counts.get(secret) ?? 0) + 1);
    }
    return counts;
  }

  /** Encrypts the records of older secrets under the newest; a concurrent change of a record wins. */
  async function reencrypt(): Promise<void> {
    for await (const [key, stored] of store.entries(`${kind}:`)) {
      if (cipher.secretOf(stored) === 0) continue;
      const plaintext = cipher.decrypt(key, stored);
      const entry = await store.get(key);
      if (plaintext === undefined || entry?.value !== stored) continue;
      const restMs = entry.expiresAt === undefined ? undefined : Math.max(entry.expiresAt - now(), 1);
      await store.compareAndSet(key, stored, cipher.encrypt(key, plaintext), restMs);
    }
  }

  /** If the reply of `apply` is lost, reads whether it was applied, and otherwise applies it once more: only the writer of the
   *  record may send. `put`, `touch` and `delete` need no such answer: their callers repeat them, or go on without. */
  async function write(
    id: RecordId, record: T, lifetimeMs: number, apply: (key: string, stored: string) => Promise<boolean>,
  ): Promise<Found<T> | undefined> {
    const key = keyOf(id);
    const stored = cipher.encrypt(key, JSON.stringify(record));
    const isWritten = await apply(key, stored).catch(async (error: unknown) => {
      ignoreUnavailableStore(error);
      const isOurs = async () => (await store.get(key))?.value === stored;
      // The last look: the store may apply the first write late, between the read and the second write.
      return await isOurs() || await apply(key, stored) || isOurs();
    });
    return isWritten ? { record, stored, restMs: lifetimeMs } : undefined;
  }

  function keyOf({ tag = '', id }: RecordId): string {
    return `${kind}:${tag}${tag && ':'}${sha256(id)}`;
  }

  function decrypt(key: string, stored: string): T | undefined {
    const json = cipher.decrypt(key, stored);
    return json === undefined ? undefined : JSON.parse(json) as T;
  }
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Authenticated encryption: AES-256-GCM, one key per cookie secret (HKDF-SHA-256). The store's key is the associated data: a
 *  value copied to another key does not decrypt. The newest secret encrypts. */
export class Cipher {
  /** Newest first. `id` identifies the key in stored text and reveals nothing about the secret. */
  readonly #keys: readonly { readonly id: string; readonly key: KeyObject }[];

  /** @param secrets cookie secrets, newest first, at least one */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => {
      const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, 'vestibule', info, length));
      return { id: derive('sealing key id', 6).toString('base64url'), key: createSecretKey(derive('sealing key', 32)) };
    });
  }

  /** `<key id>.<base64url of IV, ciphertext, tag>`. Each result is unique. */
  encrypt(storeKey: string, plaintext: string): string {
    const { id, key } = this.#keys[0] as { id: string; key: KeyObject };
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv);
    cipher.setAAD(Buffer.from(storeKey));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return `${id}.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /** `undefined` if the text was altered, moved to another key, or encrypted under an unknown secret. */
  decrypt(storeKey: string, stored: string): string | undefined {
    const dot = stored.indexOf('.');
    const key = this.#keys.find(({ id }) => id === stored.slice(0, dot))?.key;
    const bytes = Buffer.from(stored.slice(dot + 1), 'base64url');
    if (!key || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(storeKey));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  /** Index of the secret that a stored text names: 0 is the newest. -1: none of them. */
  secretOf(stored: string): number {
    return this.#keys.findIndex(({ id }) => stored.startsWith(`${id}.`));
  }
}
