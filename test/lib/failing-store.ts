/** A store in memory that fails at one operation, before or after it applied it: for every operation of a flow in turn. */

import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from '@vestibule/bff';

export class FailingStore implements Store {
  readonly kind = 'memory';
  /** Operations since `failAt`. */
  operations = 0;
  /** Whether the failure came. */
  hasFailed = false;
  readonly #now: () => number;
  readonly #entries = new Map<string, StoredEntry>();
  #failure: { readonly at: number; readonly applied: boolean; readonly times: number } | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** From now on, the operations `at` to `at + times - 1` fail, counted from 1. `applied`: only their replies are lost. */
  failAt(at: number, { applied, times = 1 }: { readonly applied: boolean; readonly times?: number }): void {
    this.operations = 0;
    this.hasFailed = false;
    this.#failure = { at, applied, times };
  }

  recover(): void {
    this.#failure = undefined;
  }

  get(key: string): Promise<StoredEntry | undefined> {
    return this.#run(() => this.#alive(key));
  }

  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    return this.#run(() => { this.#put(key, value, lifetimeMs); });
  }

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#run(() => {
      if (this.#alive(key)) return false;
      this.#put(key, value, lifetimeMs);
      return true;
    });
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean> {
    return this.#run(() => {
      const entry = this.#alive(key);
      if (entry?.value !== expected) return false;
      if (lifetimeMs === 'keep') this.#entries.set(key, { ...entry, value });
      else this.#put(key, value, lifetimeMs);
      return true;
    });
  }

  touch(key: string, lifetimeMs: number): Promise<boolean> {
    return this.#run(() => {
      const entry = this.#alive(key);
      if (entry) this.#put(key, entry.value, lifetimeMs);
      return entry !== undefined;
    });
  }

  take(key: string): Promise<string | undefined> {
    return this.#run(() => {
      const entry = this.#alive(key);
      this.#entries.delete(key);
      return entry?.value;
    });
  }

  delete(key: string, expected?: string): Promise<boolean> {
    return this.#run(() => {
      const entry = this.#alive(key);
      return entry !== undefined && (expected ?? entry.value) === entry.value && this.#entries.delete(key);
    });
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    for (const [key, { value }] of [...this.#entries]) if (key.startsWith(prefix)) yield [key, value];
  }

  async ping(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #run<T>(apply: () => T): Promise<T> {
    const failure = this.#failure;
    this.operations += 1;
    if (failure === undefined || this.operations < failure.at || this.operations >= failure.at + failure.times) return apply();
    this.hasFailed = true;
    if (failure.applied) apply();
    throw new StoreUnavailableError(new Error('The connection is lost.'));
  }

  #put(key: string, value: string, lifetimeMs: Lifetime): void {
    this.#entries.set(key, { value, expiresAt: lifetimeMs === undefined ? undefined : this.#now() + lifetimeMs });
  }

  #alive(key: string): StoredEntry | undefined {
    const entry = this.#entries.get(key);
    return entry?.expiresAt !== undefined && entry.expiresAt <= this.#now() ? undefined : entry;
  }
}
