/** Store in memory, for tests and demonstrations. Its contents end with the process. A read deletes what has expired. */

import type { Clock } from '../lib/time.ts';
import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from './store.ts';

export class MemoryStore implements Store {
  readonly kind = 'memory';
  readonly #now: Clock;
  readonly #entries = new Map<string, StoredEntry>();
  #isClosed = false;

  constructor(now: Clock = Date.now) {
    this.#now = now;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    return this.#alive(key);
  }

  async set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    this.#assertOpen();
    this.#entries.set(key, { value, expiresAt: lifetimeMs === undefined ? undefined : this.#now() + lifetimeMs });
  }

  async setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    if (this.#alive(key)) return false;
    await this.set(key, value, lifetimeMs);
    return true;
  }

  async compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    if (this.#alive(key)?.value !== expected) return false;
    await this.set(key, value, lifetimeMs);
    return true;
  }

  async touch(key: string, lifetimeMs: number): Promise<boolean> {
    const entry = this.#alive(key);
    if (entry) await this.set(key, entry.value, lifetimeMs);
    return entry !== undefined;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    const entry = this.#alive(key);
    return entry !== undefined && (expected ?? entry.value) === entry.value && this.#entries.delete(key);
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    this.#assertOpen();
    for (const key of [...this.#entries.keys()]) {
      const entry = key.startsWith(prefix) ? this.#alive(key) : undefined;
      if (entry) yield [key, entry.value];
    }
  }

  async ping(): Promise<void> {
    this.#assertOpen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
  }

  #alive(key: string): StoredEntry | undefined {
    this.#assertOpen();
    const entry = this.#entries.get(key);
    if (entry?.expiresAt === undefined || entry.expiresAt > this.#now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreUnavailableError(new Error('The store is closed.'));
  }
}
