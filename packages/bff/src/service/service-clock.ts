/**
 * Clock of the nonces (interface, section 8: a nonce is valid for five minutes of the service's clock).
 *
 * The `Date` header of a response shows how far the service's clock is ahead of this machine's, but the header may be
 * wrong. So nonces use this machine's clock until the service refuses one and accepts the same request with a corrected
 * nonce. The correction that worked is kept in memory, at most one day.
 */

import type { ServiceResponse } from './http-transport.ts';

/** A larger drift is an invalid header, in milliseconds. */
export const MAX_DRIFT_MS = 86_400_000;

/** Two readings of the same drift differ by less, in milliseconds. */
const TOLERANCE_MS = 2_000;

/** The service may lower the validity of nonces (interface, section 8). No service accepts less. */
const MIN_NONCE_VALIDITY_MS = 30_000;

/** `Date` has whole seconds. */
const DATE_RESOLUTION_MS = 1_000;

export interface DateReading {
  /** `Date` header of the response. */
  readonly date: string | undefined;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Smallest drift that explains the `Date` header, in milliseconds; `undefined` without a valid one. The service wrote the
 *  header between `sentAt` and `receivedAt`, so a slow response shows no drift. */
export function driftOf({ date = '', sentAt, receivedAt }: DateReading): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)) return undefined;
  const ahead = Date.parse(date) - receivedAt;
  const behind = Date.parse(date) + DATE_RESOLUTION_MS - sentAt;
  const drift = ahead > 0 ? ahead : Math.min(behind, 0);
  return Math.abs(drift) <= MAX_DRIFT_MS ? drift : undefined;
}

export class ServiceClock {
  readonly #onCorrection: (correctionMs: number) => void;
  #driftMs: number | undefined;
  #correctionMs = 0;

  constructor(onCorrection: (correctionMs: number) => void = () => undefined) {
    this.#onCorrection = onCorrection;
  }

  /** Drift of the latest response, in milliseconds; `undefined` before the first one with a `Date` header. */
  get driftMs(): number | undefined {
    return this.#driftMs;
  }

  /** Added to this machine's clock in a nonce, in milliseconds. */
  get correctionMs(): number {
    return this.#correctionMs;
  }

  /** Takes the drift from a response. A cached one (`Age`) has an old `Date`. */
  observe({ headers: { date, age }, sentAt, receivedAt }: ServiceResponse): void {
    if (typeof date === 'string' && age === undefined) this.#driftMs = driftOf({ date, sentAt, receivedAt }) ?? this.#driftMs;
  }

  /** Correction to try after the service refused a request whose nonce was made with `correctionMs`; `undefined` if the
   *  nonce was within its validity by both clocks. */
  alternativeTo(correctionMs: number): number | undefined {
    const driftMs = this.#driftMs === undefined || Math.abs(this.#driftMs) <= TOLERANCE_MS ? 0 : this.#driftMs;
    if (Math.abs(driftMs - correctionMs) > MIN_NONCE_VALIDITY_MS) return driftMs;
    return Math.abs(correctionMs) > MIN_NONCE_VALIDITY_MS ? 0 : undefined;
  }

  /** Keeps a correction that the service accepted. */
  adopt(correctionMs: number): void {
    if (correctionMs === this.#correctionMs) return;
    this.#correctionMs = correctionMs;
    this.#onCorrection(correctionMs);
  }
}
