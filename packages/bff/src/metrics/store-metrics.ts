/** How long the store takes, by operation and result. */

import { Histogram, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

/** The operations that settle. */
const operations = ['get', 'getMany', 'set', 'setIfAbsent', 'replace', 'touch', 'take', 'delete', 'ping'] as const satisfies readonly (keyof Store)[];

type Operation = (typeof operations)[number];

export class StoreMetrics {
  readonly #duration: Histogram<'operation' | 'result'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'vestibule_store_operation_duration_seconds',
      help: 'Operations of the store; unavailable where it did not answer.',
      labelNames: ['operation', 'result'],
      buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2],
      registers: [registry],
    });
  }

  /** A view of `store` whose operations are measured. */
  measure(store: Store): Store {
    const measured = Object.fromEntries(operations.map((operation) => [operation, this.#measured(store, operation)]));
    return new Proxy(store, {
      get: (target, name) => {
        if (typeof name === 'string' && Object.hasOwn(measured, name)) return measured[name];
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) as unknown : member;
      },
    });
  }

  #measured(store: Store, operation: Operation): (...args: never[]) => Promise<unknown> {
    const run = store[operation].bind(store) as (...args: never[]) => Promise<unknown>;
    return async (...args) => {
      const began = performance.now();
      let result = 'unavailable';
      try {
        const value = await run(...args);
        result = 'ok';
        return value;
      } finally {
        this.#duration.observe({ operation, result }, (performance.now() - began) / 1000);
      }
    };
  }
}
