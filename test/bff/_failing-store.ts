/** A store whose operations fail on request, before or after they were applied. */

import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { StoreUnavailableError } from '../../packages/bff/src/store/store.ts';

type Operation = 'get' | 'set' | 'setIfAbsent' | 'compareAndSet' | 'touch' | 'take' | 'delete';

export interface StoreFailure {
  /** Default: any. */
  readonly operation?: Operation;
  /** Prefix of the key, such as `session:`. */
  readonly key: string;
  /** `true`: only the reply is lost. */
  readonly applied: boolean;
  /** Number of calls that fail. Default 1. */
  readonly times?: number;
  /** Number of matching calls that succeed before. Default 0. */
  readonly after?: number;
}

export class FailingStore extends MemoryStore {
  #failures: { readonly failure: StoreFailure; skip: number; left: number }[] = [];
  /** Calls that failed. */
  failed = 0;

  constructor(options?: ConstructorParameters<typeof MemoryStore>[0]) {
    super(options);
    const operations: readonly Operation[] = ['get', 'set', 'setIfAbsent', 'compareAndSet', 'touch', 'take', 'delete'];
    for (const operation of operations) {
      const original = this[operation].bind(this) as (...args: unknown[]) => Promise<unknown>;
      const failing = (...args: unknown[]) => this.#run(operation, String(args[0]), () => original(...args));
      Object.assign(this, { [operation]: failing });
    }
  }

  /** From now on. */
  fail(failure: StoreFailure): void {
    this.#failures.push({ failure, skip: failure.after ?? 0, left: failure.times ?? 1 });
  }

  recover(): void {
    this.#failures = [];
  }

  async #run(operation: Operation, key: string, call: () => Promise<unknown>): Promise<unknown> {
    const found = this.#failures.find(({ failure, left }) => (
      left > 0 && (failure.operation ?? operation) === operation && key.startsWith(failure.key)
    ));
    if (!found) return call();
    if (found.skip > 0) {
      found.skip -= 1;
      return call();
    }
    found.left -= 1;
    this.failed += 1;
    if (found.failure.applied) await call();
    throw new StoreUnavailableError(new Error('the connection is lost'));
  }
}
