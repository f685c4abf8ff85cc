/** How far the service's clock is ahead of this machine's, told by the `Date` of its answers (RFC 9110, 6.6.1), and by how
 *  much nonces are corrected for it (interface, section 8: a nonce is good for five minutes of the service's clock).
 *  The median of the last few answers decides, so that one odd header changes nothing. */

import type { Clock } from '../lib/clock.ts';
import { Memo } from '../lib/memo.ts';

/** Drift that is left alone, and by which a correction must be wrong to be changed, in milliseconds. */
const TOLERANCE_MS = 2_000;

/** Beyond this a header is nonsense, in milliseconds. */
export const MAX_DRIFT_MS = 86_400_000;

/** Answers that are remembered. */
const MEMORY = 5;

/** `Date` is cut to whole seconds. */
const RESOLUTION_MS = 1_000;

export interface Exchanged {
  /** The `Date` field of the answer. */
  readonly date: string | undefined;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** The least drift that explains an answer, in milliseconds; `undefined` where it tells none. The service wrote `Date`
 *  between the sending of the request and the arrival of the answer, so a slow answer proves no drift. */
export function driftOf({ date, sentAt, receivedAt }: Exchanged): number | undefined {
  const at = date === undefined ? Number.NaN : times.get(date, timeOf);
  const least = at - receivedAt;
  const most = at + RESOLUTION_MS - sentAt;
  const drift = least > 0 ? least : Math.min(most, 0);
  return Math.abs(drift) <= MAX_DRIFT_MS ? drift : undefined;
}

/** Every answer of a second has the same. */
const times = new Memo<number>(10);

function timeOf(date: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date) ? Date.parse(date) : Number.NaN;
}

export class ClockDrift {
  readonly #onCorrection: (correctionMs: number) => void;
  #seen: number[] = [];
  #correctionMs = 0;

  /** @param onCorrection told of each change of the correction */
  constructor(onCorrection: (correctionMs: number) => void = () => undefined) {
    this.#onCorrection = onCorrection;
  }

  /** In milliseconds; `undefined` before the first answer. */
  get driftMs(): number | undefined {
    return this.#seen.length === 0 ? undefined : median(this.#seen);
  }

  /** What is added to this machine's clock where a nonce is made, in milliseconds. */
  get correctionMs(): number {
    return this.#correctionMs;
  }

  /** Takes what an answer told into account. */
  observe(driftMs: number): void {
    this.#seen = [...this.#seen.slice(1 - MEMORY), driftMs];
    this.#correct(median(this.#seen));
  }

  /** Believes this answer and forgets those before it. */
  adopt(driftMs: number): void {
    this.#seen = [driftMs];
    this.#correct(driftMs);
  }

  /** The service's clock as far as it is known. */
  readonly now: Clock = () => Date.now() + this.#correctionMs;

  #correct(driftMs: number): void {
    if (Math.abs(driftMs - this.#correctionMs) <= TOLERANCE_MS) return;
    this.#correctionMs = Math.abs(driftMs) <= TOLERANCE_MS ? 0 : driftMs;
    this.#onCorrection(this.#correctionMs);
  }
}

/** Of an even number, the one of the two in the middle that is nearer to no drift. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return Math.abs(low) <= Math.abs(high) ? low : high;
}
