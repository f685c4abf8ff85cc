/**
 * The store: a map from string keys to string values with expiry and a few atomic operations, small enough to implement on
 * a file, a server or a cluster. Every method rejects with `StoreUnavailableError` if the store does not answer: absence is
 * never reported as a failure, nor a failure as absence. Secret values arrive encrypted (`record-cipher.ts`).
 */

import { pause } from '../lib/time.ts';

/** A value in a store, with its expiry. */
export interface StoredEntry {
  readonly value: string;
  /** Milliseconds since the epoch, by this process's clock; `undefined` if the entry never expires. */
  readonly expiresAt: number | undefined;
}

/** Milliseconds from now, greater than 0; `undefined`: never expires. */
export type Lifetime = number | undefined;

/** Interface of a store. An expired entry is absent to every method. */
export interface Store extends AsyncDisposable {
  /** For logs and checks, without credentials: `sqlite`, `redis`, `memory`. */
  readonly kind: string;
  /** The same entries. A write settles only when it survives the loss of a server; `touch` may be an exception. Absent if
   *  every settled write does. */
  readonly replicated?: Store | undefined;

  /** `undefined` if the key is absent. */
  get(key: string): Promise<StoredEntry | undefined>;

  /** Writes unconditionally. A settled write is durable as far as the store can be; `touch` may be an exception. */
  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void>;

  /** Writes if the key is absent. Of concurrent calls for one key, one resolves to `true`. */
  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean>;

  /** Writes if the value is exactly `expected`; `'keep'` keeps the expiry. Of concurrent calls with the same `expected` and
   *  a different `value`, at most one resolves to `true`. */
  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime | 'keep'): Promise<boolean>;

  /** Sets the expiry of an existing entry. `false`, without effect, if the key is absent. */
  touch(key: string, lifetimeMs: number): Promise<boolean>;

  /** Removes and returns the value. Of concurrent calls, one receives it. */
  take(key: string): Promise<string | undefined>;

  /** Deletes the entry; with `expected`, only if it has this value. Returns whether an entry was deleted. */
  delete(key: string, expected?: string): Promise<boolean>;

  /** Entries whose key starts with `prefix`, in any order. May miss entries written during the iteration, or
   *  yield one twice. */
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>;

  /** Settles within a second; resolves if the store can read and write. */
  ping(): Promise<void>;
}

/** The store failed or did not respond in time. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** Whether a failed write may be in the store all the same: its reply was lost, or its commit failed. */
  readonly mayHaveApplied: boolean;

  constructor(cause: unknown, { mayHaveApplied = true }: { readonly mayHaveApplied?: boolean | undefined } = {}) {
    super('The store is not available.', { cause });
    this.mayHaveApplied = mayHaveApplied;
  }
}

/** For `catch`: goes on without what the store would have done. */
export function ignoreUnavailableStore(error: unknown): undefined {
  if (!(error instanceof StoreUnavailableError)) throw error;
}

/** Pauses between the attempts, in ms. */
const PAUSES_MS = [100, 400, 1_000] as const;

/** Runs `step` until it settles with anything but `StoreUnavailableError`, at most four times.
 *  @param step gets the number of earlier attempts, any of which may have been applied although its reply was lost
 *  @throws {StoreUnavailableError} after the last attempt */
export async function withStoreRetries<T>(step: (earlierAttempts: number) => Promise<T>): Promise<T> {
  for (const [attempt, pauseMs] of PAUSES_MS.entries()) {
    try {
      return await step(attempt);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await pause(pauseMs);
    }
  }
  return step(PAUSES_MS.length);
}
