/** Wait before a request is repeated: `Retry-After`, else exponential backoff; with jitter, so that many pages do not return at
 *  the same moment. */

const LONGEST_SECONDS = 60;

/** Milliseconds before attempt `attempt` + 1; `attempt` starts at 1. */
export function backoffMs(attempt: number, retryAfterSeconds = Math.min(2 ** (attempt - 1), LONGEST_SECONDS)): number {
  return retryAfterSeconds * 1000 * (1 + Math.random() / 4) + Math.random() * 250;
}
