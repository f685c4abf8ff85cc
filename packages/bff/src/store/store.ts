/** What must outlive a request: a map from keys to texts with expiry and a few atomic steps. Small enough for a file, a
 *  server or a cluster to keep. Every method rejects with `StoreUnavailableError` where the store cannot answer; absence
 *  is never a failure and a failure never looks like absence. Values arrive sealed where they are secret (`sealed.ts`). */

export interface StoredEntry {
  readonly value: string;
  /** Milliseconds since the epoch; `undefined` where it never expires. */
  readonly expiresAt: number | undefined;
}

/** Milliseconds from now, above 0; `undefined`: never expires. */
export type Lifetime = number | undefined;

export interface Store extends AsyncDisposable {
  /** What stands in logs and checks, without credentials: `sqlite`, `redis`, `memory`. */
  readonly kind: string;

  /** `undefined` where the key is unknown, taken or expired. */
  get(key: string): Promise<StoredEntry | undefined>;

  /** As many `get`s, in one step where the kind of store has such: answers in the order of `keys`. */
  getMany(keys: readonly string[]): Promise<readonly (StoredEntry | undefined)[]>;

  /** Writes, whatever was there. Settled means durable, as far as the kind of store can be: so for every step but `touch`. */
  set(key: string, value: string, lifetimeMs: Lifetime): Promise<void>;

  /** Writes where nothing (alive) is there. Of concurrent calls for one key, one gets `true`. */
  setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean>;

  /** Writes only where something (alive) is there: what was deleted in the meantime stays deleted. */
  replace(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean>;

  /** Moves the expiry of what is there. `false`, and no effect, where nothing is. Settled it need not be durable. */
  touch(key: string, lifetimeMs: number): Promise<boolean>;

  /** Removes and returns the value in one step: of two concurrent takes only one gets it. */
  take(key: string): Promise<string | undefined>;

  /** Whether there was anything (alive) to delete. */
  delete(key: string): Promise<boolean>;

  /** All living entries whose key starts with `prefix`, in no promised order. What is written meanwhile may be missed. */
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>;

  /** Settles within a second where the store can read and write. */
  ping(): Promise<void>;
}

/** The store did not answer, or not in time: nothing is known about the key. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(cause: unknown) {
    super('The store is not available.', { cause });
  }
}
