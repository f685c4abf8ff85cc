/** How long the store takes, by operation and result. */

import type { Registry } from 'prom-client';
import type { Store } from '../store/store.ts';
import { Histogram } from './histogram.ts';

export class StoreMetrics {
  readonly #duration: Histogram;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'vestibule_store_operation_duration_seconds',
      help: 'Operations of the store; unavailable where it did not answer.',
      labelNames: ['operation', 'result'],
      buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2],
      registry,
    });
  }

  /** A view of `store` whose operations are measured. */
  measure(store: Store): Store {
    return {
      kind: store.kind,
      get: this.#measured('get', (key) => store.get(key)),
      getMany: this.#measured('getMany', (keys) => store.getMany(keys)),
      set: this.#measured('set', (key, value, lifetimeMs) => store.set(key, value, lifetimeMs)),
      setIfAbsent: this.#measured('setIfAbsent', (key, value, lifetimeMs) => store.setIfAbsent(key, value, lifetimeMs)),
      replace: this.#measured('replace', (key, value, lifetimeMs) => store.replace(key, value, lifetimeMs)),
      compareAndSet: this.#measured('compareAndSet', (key, expected, value, lifetimeMs) => (
        store.compareAndSet(key, expected, value, lifetimeMs)
      )),
      touch: this.#measured('touch', (key, lifetimeMs) => store.touch(key, lifetimeMs)),
      take: this.#measured('take', (key) => store.take(key)),
      delete: this.#measured('delete', (key) => store.delete(key)),
      ping: this.#measured('ping', () => store.ping()),
      entries: (prefix) => store.entries(prefix),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  }

  #measured<A extends readonly unknown[], R>(
    operation: keyof Store & string,
    run: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R> {
    const answered = this.#duration.of(operation, 'ok');
    return (...args) => {
      const began = performance.now();
      const secondsSoFar = () => (performance.now() - began) / 1000;
      return run(...args).then((result) => {
        answered.observe(secondsSoFar());
        return result;
      }, (error: unknown) => {
        this.#duration.of(operation, 'unavailable').observe(secondsSoFar());
        throw error;
      });
    };
  }
}
