/** Durations of store operations, by operation and result. */

import { Histogram, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

export class StoreMetrics {
  readonly #duration: Histogram<'operation' | 'result'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'vestibule_store_operation_duration_seconds',
      help: 'Durations of store operations; unavailable: the store did not answer.',
      labelNames: ['operation', 'result'],
      buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2],
      registers: [registry],
    });
  }

  /** A view of `store` whose operations are measured. */
  measure(store: Store): Store {
    return {
      kind: store.kind,
      get: this.#measured('get', (key) => store.get(key)),
      set: this.#measured('set', (key, value, lifetimeMs) => store.set(key, value, lifetimeMs)),
      setIfAbsent: this.#measured('setIfAbsent', (key, value, lifetimeMs) => store.setIfAbsent(key, value, lifetimeMs)),
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
    for (const result of ['ok', 'unavailable']) this.#duration.zero({ operation, result });
    return async (...args) => {
      const end = this.#duration.startTimer({ operation });
      try {
        const result = await run(...args);
        end({ result: 'ok' });
        return result;
      } catch (error) {
        end({ result: 'unavailable' });
        throw error;
      }
    };
  }
}
