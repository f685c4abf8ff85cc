/** What an outage of the service may cost readers, and what not. */

import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { quantile, type Timed } from './_ask.ts';
import type { Outage } from './_outage.ts';

const SESSION_MS = 50;
const FAILED_POST_MS = 2_500;
const RECOVERY_MS = 6_000;

/** What was measured, in words. */
export function figuresOf({ delays, sessionsBefore, sessions, posts, beganAt, endedAt }: Outage): string {
  const ms = (timed: readonly Pick<Timed, 'ms'>[], share: number) => `${quantile(timed, share).toFixed(1)} ms`;
  const failed = posts.filter((post) => post.beganAt > beganAt && post.beganAt < endedAt && post.status !== 201);
  const slow = failed.filter((post) => post.ms >= FAILED_POST_MS);
  return [
    `GET /session before: p50 ${ms(sessionsBefore, 0.5)}, p99 ${ms(sessionsBefore, 0.99)}`,
    `then: ${sessions.length}, p50 ${ms(sessions, 0.5)}, p99 ${ms(sessions, 0.99)}, worst ${ms(sessions, 1)}`,
    `posts that failed: ${failed.length}, p50 ${ms(failed, 0.5)}, p99 ${ms(failed, 0.99)}, worst ${ms(failed, 1)}, ${slow.length} over ${FAILED_POST_MS} ms`,
    `recovered after ${recoveryOf(posts, endedAt).toFixed(0)} ms`,
    `timers late: p99 ${ms(delays, 0.99)}; load ${loadavg().map((load) => load.toFixed(1)).join(' ')}`,
  ].join('; ');
}

/** @param share of `GET /session` that end in time */
export function assertPromises(outage: Outage, share: number): void {
  const { delays, sessionsBefore, sessions, posts, beganAt, endedAt, service } = outage;
  assert.deepEqual(sessions.filter(({ status }) => status !== 200), [], 'every GET /session is answered');
  const [inTime, late, before] = [quantile(sessions, share), quantile(delays, share), quantile(sessionsBefore, share)];
  const words = `${inTime.toFixed(1)} ms, before ${before.toFixed(1)} ms, timers ${late.toFixed(1)} ms late`;
  assert.ok(inTime < Math.max(SESSION_MS, 5 * late, 2 * before), `GET /session: p${share * 100} ${words}`);

  const during = posts.filter((post) => post.beganAt > beganAt && post.beganAt < endedAt);
  const failed = posts.filter(({ status }) => status !== 201);
  assert.ok(failed.length > 0 && failed.every(isHonest), 'a post that failed says what became of it');
  const waits = new Set(failed.map(({ headers }) => headers['retry-after']).filter((seconds) => seconds !== undefined));
  assert.ok(waits.size > 1, 'those who were sent away together are not told to come back together');
  assert.deepEqual(during.filter((post) => post.ms >= FAILED_POST_MS), [], `every post ends in ${FAILED_POST_MS} ms`);

  const taken = posts.filter((post) => post.status === 201);
  const recoveredMs = recoveryOf(posts, endedAt);
  assert.ok(recoveredMs < RECOVERY_MS, `the first post after ${recoveredMs.toFixed(0)} ms`);
  const refused = posts.filter((post) => post.beganAt > endedAt + RECOVERY_MS && post.status !== 201);
  assert.deepEqual(refused, [], 'every post of later is taken');

  const unsure = posts.filter(({ problem }) => problem === 'outcome-unknown' || problem === 'post-in-progress');
  assert.ok(service.posts.length >= taken.length && service.posts.length <= taken.length + unsure.length, 'no post is lost');
  assert.equal(new Set(service.posts.map(({ message }) => message)).size, service.posts.length, 'no post is doubled');
}

/** `service-unavailable` invites to try again, and so does what is still on its way; what may have been carried out does not. */
function isHonest({ status, problem, headers }: Timed): boolean {
  if (problem === 'outcome-unknown') return status === 504 && headers['retry-after'] === undefined;
  const seconds = Number(headers['retry-after']);
  const isPassing = (problem === 'service-unavailable' && status === 503) || (problem === 'post-in-progress' && status === 409);
  return isPassing && seconds >= 1 && seconds <= 10;
}

/** From the end of the outage to the first post that was taken. */
function recoveryOf(posts: readonly Timed[], endedAt: number): number {
  return Math.min(...posts.filter(({ status }) => status === 201).map((post) => endOf(post) - endedAt).filter((ms) => ms > 0));
}

function endOf({ beganAt, ms }: Timed): number {
  return beganAt + ms;
}
