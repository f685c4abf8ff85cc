/** A store in memory that fails at one operation, before or after it applied it: for every operation of a flow in turn. */

import { StoreUnavailableError, type Lifetime, type Store, type StoredEntry } from '@vestibule/bff';
import { openStore } from '../../packages/bff/src/store/open.ts';

/** Outlives the BFF that uses it. */
export class FailingStore implements Store {
  readonly kind = 'memory';
  /** Operations since `failAt`. */
  operations = 0;
  /** Whether the failure came. */
  hasFailed = false;
  readonly #memory: Promise<Store>;
  #failure: { readonly at: number; readonly applied: boolean; readonly times: number } | undefined;

  constructor(now: () => number = Date.now) {
    this.#memory = openStore('memory:', now);
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
    return this.#run((store) => store.get(key));
  }

  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void> {
    return this.#run((store) => store.set(key, value, lifetimeMs));
  }

  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#run((store) => store.setIfAbsent(key, value, lifetimeMs));
  }

  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#run((store) => store.compareAndSet(key, expected, value, lifetimeMs));
  }

  touch(key: string, lifetimeMs: number): Promise<boolean> {
    return this.#run((store) => store.touch(key, lifetimeMs));
  }

  delete(key: string, expected?: string): Promise<boolean> {
    return this.#run((store) => store.delete(key, expected));
  }

  async* entries(prefix: string): AsyncIterable<readonly [string, string]> {
    yield* (await this.#memory).entries(prefix);
  }

  async ping(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #run<T>(apply: (store: Store) => Promise<T>): Promise<T> {
    const failure = this.#failure;
    const operation = this.operations += 1;
    const store = await this.#memory;
    if (failure === undefined || operation < failure.at || operation >= failure.at + failure.times) return apply(store);
    this.hasFailed = true;
    if (failure.applied) await apply(store);
    throw new StoreUnavailableError(new Error('The connection is lost.'));
  }
}
