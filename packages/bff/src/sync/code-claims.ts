/** Which transaction may exchange a code (interface 4.4). The first claim on a code wins, so a code that leaks after the
 *  reader handed it in is worthless; and only the claim's owner can spend it, once. */

import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { withStoreRetries } from '../store/store.ts';

export interface CodeClaim {
  /** Key of the transaction. */
  readonly owner: string;
  /** Secret of the request that made the claim; absent without one. A request with the same secret gets the same transaction. */
  readonly requestKey?: string;
  readonly spent: boolean;
  /** The attempt that spent the code or took that back. Absent in claims of earlier releases. */
  readonly attempt?: string;
}

/** The attempt of a claim's owner to exchange the code. */
export type Spending = Required<Pick<CodeClaim, 'owner' | 'attempt'>>;

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
  claim(code: string, claim: Pick<CodeClaim, 'owner' | 'requestKey'>): Promise<boolean> {
    return withStoreRetries(async (earlierAttempts) => (
      await this.#claims.putIfAbsent(code, { ...claim, spent: false }, this.#claimMs) !== undefined
      || (earlierAttempts > 0 && await this.#rewrite(code, { ...claim, spent: false }, this.#claimMs))
    ));
  }

  async find(code: string): Promise<CodeClaim | undefined> {
    return (await this.#claims.find(code))?.record;
  }

  /** Marks the code as spent, before it is sent. @returns `false`: `owner` holds no claim on it, or another attempt spent it */
  spend(code: string, { owner, attempt }: Spending): Promise<boolean> {
    return withStoreRetries(() => this.#rewrite(code, { owner, attempt, spent: true }, SPENT_MS));
  }

  /** Takes `spend` of the same attempt back, where the code certainly was not sent. @throws {StoreUnavailableError} */
  async unspend(code: string, { owner, attempt }: Spending): Promise<void> {
    await withStoreRetries(() => this.#rewrite(code, { owner, attempt, spent: false }, this.#claimMs));
  }

  /** Writes a claim that its owner holds, also one that is stored already: replicas may lack it.
   *  @returns `false`: the owner holds no claim, or another attempt spent it */
  async #rewrite(code: string, claim: CodeClaim, lifetimeMs: number): Promise<boolean> {
    const found = await this.#claims.find(code);
    if (found?.record.owner !== claim.owner || (found.record.spent && found.record.attempt !== claim.attempt)) return false;
    return await this.#claims.compareAndSet(code, found, { ...found.record, ...claim }, lifetimeMs) !== undefined;
  }
}
