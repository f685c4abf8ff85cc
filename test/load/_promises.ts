/** What an outage of the service may cost readers, and what not. */

import assert from 'node:assert/strict';
import { quantile, type Timed } from './_ask.ts';
import type { Outage } from './_outage.ts';

const SESSION_P99_MS = 50;
const FAILED_POST_MS = 2_500;
const RECOVERY_MS = 6_000;

/** @param knownAfterMs from the beginning of the outage until calls have failed and the breaker is open */
export function assertPromises(outage: Outage, knownAfterMs: number): void {
  const { delays, sessions, posts, beganAt, endedAt, service } = outage;
  assert.deepEqual(sessions.filter(({ status }) => status !== 200), [], 'every GET /session is answered');
  const p99 = quantile(sessions, 0.99);
  const noise = quantile(delays, 0.99);
  assert.ok(p99 < Math.max(SESSION_P99_MS, 5 * noise), `GET /session: p99 ${p99.toFixed(1)} ms, timers ${noise.toFixed(1)} ms late`);

  const during = posts.filter((post) => post.beganAt > beganAt && post.beganAt < endedAt);
  const failed = posts.filter(({ status }) => status !== 201);
  assert.ok(failed.length > 0 && failed.every(isHonest), 'a post that failed says what became of it');
  const slow = during.filter((post) => post.beganAt > beganAt + knownAfterMs && post.ms >= FAILED_POST_MS);
  assert.deepEqual(slow, [], `posts end in ${FAILED_POST_MS} ms once the outage is known`);

  const taken = posts.filter((post) => post.status === 201);
  const recoveredMs = Math.min(...taken.map((post) => endOf(post) - endedAt).filter((ms) => ms > 0));
  assert.ok(recoveredMs < RECOVERY_MS, `the first post after ${recoveredMs.toFixed(0)} ms`);
  const late = posts.filter((post) => post.beganAt > endedAt + RECOVERY_MS && post.status !== 201);
  assert.deepEqual(late, [], 'every post of later is taken');

  const unsure = posts.filter(({ problem }) => problem === 'outcome-unknown');
  assert.ok(service.posts.length >= taken.length && service.posts.length <= taken.length + unsure.length, 'no post is lost');
  assert.equal(new Set(service.posts.map(({ message }) => message)).size, service.posts.length, 'no post is doubled');
}

/** `service-unavailable` invites to try again; what may have been carried out does not. */
function isHonest({ status, problem, headers }: Timed): boolean {
  if (problem === 'outcome-unknown') return status === 504 && headers['retry-after'] === undefined;
  const seconds = Number(headers['retry-after']);
  return problem === 'service-unavailable' && status === 503 && seconds >= 1 && seconds <= 10;
}

function endOf({ beganAt, ms }: Timed): number {
  return beganAt + ms;
}
