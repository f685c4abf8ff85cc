/** The store: a map from string keys to string values with expiry and a few atomic operations. Every method rejects with
 *  `StoreUnavailableError` if the store does not answer: absence is never reported as a failure, nor a failure as absence. */

/** A value in a store, with its expiry. */
export interface StoredEntry {
  readonly value: string;
  /** Milliseconds since the epoch, by the clock of the instance (override `now`); `undefined` if the entry never expires. */
  readonly expiresAt: number | undefined;
}

/** Milliseconds from now, greater than 0; `undefined`: never expires. */
export type Lifetime = number | undefined;

/** Interface of a store. An expired entry is absent to every method. A settled write is durable as far as the store can be. */
export interface Store extends AsyncDisposable {
  /** For logs and checks, without credentials: `sqlite`, `redis`, `memory`. */
  readonly kind: string;

  /** What the operator should change, though the store works. Default: nothing. */
  readonly warnings?: readonly string[];

  /** `undefined` if the key is absent. */
  get(key: string): Promise<StoredEntry | undefined>;

  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void>;

  /** Writes if the key is absent. Of concurrent calls for one key, one resolves to `true`. */
  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean>;

  /** Writes if the value is exactly `expected`. Of concurrent calls with the same `expected` and a different `value`, at most one
   *  resolves to `true`. */
  compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean>;

  /** Sets the expiry of an existing entry. `false`, without effect, if the key is absent. */
  touch(key: string, lifetimeMs: number): Promise<boolean>;

  /** Deletes the entry; with `expected`, only if it has this value. Returns whether an entry was deleted. */
  delete(key: string, expected?: string): Promise<boolean>;

  /** Entries whose key starts with `prefix`, in any order. May miss entries written during the iteration, or yield one twice. */
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>;

  /** Resolves if the store accepts writes. `GET /readyz` waits a second for it. */
  ping(): Promise<void>;
}

/** Retries and pauses of the store within one request, in ms at most. */
export const STORE_MARGIN_MS = 5_000;

/** The store failed or did not respond in time. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** For the log and the operator. Contains no secret and no value. */
  readonly reason: string;

  constructor(cause: unknown, reason = 'the store did not answer') {
    super(`The store is not available: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** Pauses before the attempts of `writeLater`, in ms. */
const LATER_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Runs `write` again in the background until the store is back, for half a minute at most: the outcome of a request that lost
 *  its store. Each attempt must be harmless after one that was applied and whose reply was lost. Ends with the process. */
export function writeLater(write: () => Promise<unknown>, [pauseMs, ...later] = LATER_MS): void {
  if (pauseMs === undefined) return;
  setTimeout(() => { write().catch(() => { writeLater(write, later); }); }, pauseMs).unref();
}

/** For `catch`: goes on without what the store would have done. */
export function ignoreUnavailableStore(error: unknown): undefined {
  if (!(error instanceof StoreUnavailableError)) throw error;
}
