/** Whether a refusal may be owed to the age of the nonce alone (interface, sections 7 and 8). The request was surely not
 *  carried out then, and may be sent again with a nonce of the service's own time. */

import type { ServiceAnswer } from './service-http.ts';

/** Statuses of a refusal. */
const REFUSALS: readonly number[] = [400, 401, 403];

/** A nonce is good for five minutes, which may be lowered. */
const LEAST_VALIDITY_MS = 30_000;

/** @param correctionMs by how much the clock was corrected that made the nonce
 *  @returns the drift that the refusal tells, where it is so far from the correction that the nonce may have been too old */
export function driftOfOutdated({ status, driftMs }: ServiceAnswer, correctionMs: number): number | undefined {
  if (driftMs === undefined || !REFUSALS.includes(status)) return undefined;
  return Math.abs(driftMs - correctionMs) > LEAST_VALIDITY_MS ? driftMs : undefined;
}
