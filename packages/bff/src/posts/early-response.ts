/** Responds early to a post when the service stalls. The post continues; the same request with the same `Idempotency-Key`
 *  returns its result later. */

import { ProblemError } from '../http/problem-error.ts';

/** How long a reader waits in any case. */
export const EARLY_RESPONSE_AFTER_MS = 2_000;

const CHECK_INTERVAL_MS = 100;

/** `Retry-After` of the early response. Five attempts of the widget outlast the time limit of the service. */
export const STALLED_RETRY_SECONDS = 3;

/** Resolves or rejects as `work`, unless the service stalls. @throws {ProblemError} `post-in-progress` if it stalls */
export async function respondEarly<T>(work: Promise<T>, isStalled: () => boolean): Promise<T> {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(check, EARLY_RESPONSE_AFTER_MS);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }

  function check(): void {
    if (isStalled()) reject(new ProblemError('post-in-progress', { retryAfterSeconds: STALLED_RETRY_SECONDS }));
    else timer = setTimeout(check, CHECK_INTERVAL_MS);
  }
}
