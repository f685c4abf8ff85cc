/** Which transaction may exchange a code (interface 4.4). The first claim on a code wins, so a code that leaks after the
 *  reader handed it in is worthless; and only the claim's owner can spend it, once. */

import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { withStoreRetries } from '../store/store.ts';

export interface CodeClaim {
  /** Key of the transaction. */
  readonly owner: string;
  /** Secret of the request that made the claim; absent without one. Whoever repeats it gets the same transaction. */
  readonly requestKey?: string;
  readonly spent: boolean;
}

/** How long a spent code is remembered, in ms: longer than a service keeps a code valid. */
const SPENT_MS = 24 * 3_600_000;

export class CodeClaims {
  readonly #claims: EncryptedCollection<CodeClaim>;
  readonly #claimMs: number;

  /** @param claimMs lifetime of an unspent claim, in ms: longer than that of a transaction */
  constructor(claims: EncryptedCollection<CodeClaim>, claimMs: number) {
    this.#claims = claims;
    this.#claimMs = claimMs;
  }

  /** @returns `false`: another transaction holds the claim */
  claim(code: string, claim: Omit<CodeClaim, 'spent'>): Promise<boolean> {
    return withStoreRetries(async (earlierAttempts) => (
      await this.#claims.putIfAbsent(code, { ...claim, spent: false }, this.#claimMs)
      || (earlierAttempts > 0 && await this.#rewrite(code, claim.owner, false, this.#claimMs))
    ));
  }

  async find(code: string): Promise<CodeClaim | undefined> {
    return (await this.#claims.find(code))?.record;
  }

  /** Marks the code as spent, before it is sent. @returns `false`: `owner` holds no claim on it */
  spend(code: string, owner: string): Promise<boolean> {
    return withStoreRetries((earlierAttempts) => this.#rewrite(code, owner, true, SPENT_MS, earlierAttempts > 0));
  }

  /** Takes `spend` back, where the code certainly was not sent. @throws {StoreUnavailableError} */
  async unspend(code: string, owner: string): Promise<void> {
    await withStoreRetries(() => this.#rewrite(code, owner, false, this.#claimMs));
  }

  /** Writes a claim that `owner` holds. A claim of an earlier attempt is written again: replicas may lack it.
   *  @returns `false`: `owner` holds no claim, or it is spent already */
  async #rewrite(code: string, owner: string, spent: boolean, lifetimeMs: number, isRepeated = true): Promise<boolean> {
    const found = await this.#claims.find(code);
    if (found?.record.owner !== owner || (found.record.spent && spent && !isRepeated)) return false;
    return await this.#claims.compareAndSet(code, found, { ...found.record, spent }, lifetimeMs) !== undefined;
  }
}
