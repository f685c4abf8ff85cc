/** How the service is treated under load and in an outage. Each limit holds for one kind of call by itself: token
 *  exchanges, posts, other signed requests. */

import * as z from 'zod';

const whole = (rule: string) => z.number(rule).int(rule);

const count = whole('must be a whole number above 0').positive('must be a whole number above 0');

const MILLISECONDS = 'must be a whole number of milliseconds above 0';
const milliseconds = whole(MILLISECONDS).positive(MILLISECONDS);

export const serviceLimits = {
  /** Until a connection to the service stands, in milliseconds. */
  serviceConnectTimeoutMs: milliseconds.default(3_000),
  /** Until the whole answer of the service is there, in milliseconds. */
  serviceTimeoutMs: milliseconds.default(10_000),
  /** Calls under way at most. */
  serviceMaxInFlight: count.default(64),
  /** Calls that wait for one of those to end, at most; the next one is `service-unavailable`. */
  serviceMaxQueued: whole('must be a whole number, 0 or more').nonnegative('must be a whole number, 0 or more').default(1_000),
  /** For which a call waits at most, in milliseconds. */
  serviceQueueTimeoutMs: milliseconds.default(1_000),
  /** Calls in a row, without an answer or with a 5xx, after which the service is not asked for a while. */
  serviceBreakerFailures: count.default(5),
  /** That while, in milliseconds; then one call is let through to see. */
  serviceBreakerOpenMs: milliseconds.default(2_000),
  /** For the answer to that one, in milliseconds. */
  serviceProbeTimeoutMs: milliseconds.default(2_000),
};
