/** Remembers used nonces (interface 5.1, step 3, and section 8) while their timestamps are valid. Groups them by minute, so that
 *  expired ones are dropped together. */

const SHAPE = /^(\d{1,12}(?:\.\d{1,9})?):[\x21\x23-\x5b\x5d-\x7e]{1,32}$/;
const SLICE_SECONDS = 60;

export type NonceFault = 'malformed' | 'expired' | 'used';

export class NonceMemory {
  readonly #lifetimeSeconds: number;
  readonly #slices = new Map<number, Set<string>>();

  /** `lifetimeSeconds` is how far a timestamp may lie from the service's clock, on either side. */
  constructor(lifetimeSeconds: number) {
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  /** Nonces held at present. */
  get size(): number {
    return [...this.#slices.values()].reduce((sum, slice) => sum + slice.size, 0);
  }

  /** What is wrong with `nonce` at `nowSeconds`, without using it. */
  check(nonce: string, nowSeconds: number): NonceFault | undefined {
    const timestamp = timestampOf(nonce);
    if (timestamp === undefined) return 'malformed';
    if (Math.abs(nowSeconds - timestamp) > this.#lifetimeSeconds) return 'expired';
    return this.#slices.get(sliceOf(timestamp))?.has(nonce) ? 'used' : undefined;
  }

  /** Uses `nonce`, which `check` found good, and forgets the slices that are past. */
  use(nonce: string, nowSeconds: number): void {
    const slice = sliceOf(timestampOf(nonce) ?? nowSeconds);
    const known = this.#slices.get(slice);
    if (known) {
      known.add(nonce);
      return;
    }
    this.#slices.set(slice, new Set([nonce]));
    const oldest = sliceOf(nowSeconds - this.#lifetimeSeconds);
    for (const past of this.#slices.keys()) if (past < oldest) this.#slices.delete(past);
  }
}

function timestampOf(nonce: string): number | undefined {
  const shape = SHAPE.exec(nonce);
  return shape ? Number(shape[1]) : undefined;
}

function sliceOf(seconds: number): number {
  return Math.floor(seconds / SLICE_SECONDS);
}
