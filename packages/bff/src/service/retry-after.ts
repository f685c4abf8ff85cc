/** When the same request is worth another try. Spread, so that readers who were sent away together do not come back
 *  together. */

import { randomInt } from 'node:crypto';

const LEAST_SECONDS = 2;
const MOST_SECONDS = 5;

/** Whole seconds, as `Retry-After` wants them. */
export function jitteredRetryAfter(): number {
  return randomInt(LEAST_SECONDS, MOST_SECONDS + 1);
}
