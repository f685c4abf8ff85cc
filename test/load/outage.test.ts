/** Short outages with a short time limit for responses. `test/long` has those at full length. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sufferOutage } from './_outage.ts';
import { assertPromises } from './_promises.ts';

const TIMEOUT_MS = 1_000;

/** From the first calls that time out to the first probe, by default. */
const FIRST_PROBE_AFTER_MS = 2_000;

/** Of `GET /session`. All posts that wait fail together when the breaker opens: 60 ms of work and more, 1 % of a measurement
 *  this short. */
const SESSIONS_IN_TIME = 0.97;

describe('an outage of the service under 200 posters', () => {
  it('without responses: GET /session stays fast, posts end within 2.5 s, service recovers within 6 s', async () => {
    const settings = { VESTIBULE_SERVICE_TIMEOUT_MS: String(TIMEOUT_MS) };
    const outage = await sufferOutage({ kind: 'silent', beforeMs: 800, outageMs: 4_000, afterMs: 2_500, settings });
    assertPromises(outage, SESSIONS_IN_TIME);
    const unsure = outage.posts.filter(({ problem }) => problem === 'outcome-unknown');
    const probedAt = outage.beganAt + TIMEOUT_MS + FIRST_PROBE_AFTER_MS;
    assert.ok(unsure.every(({ beganAt, ms }) => beganAt + ms < probedAt), 'no probe ends as outcome-unknown');
  });

  it('with refused connections: only posts in flight end as outcome-unknown', async () => {
    const outage = await sufferOutage({ kind: 'refusing', beforeMs: 800, outageMs: 1_500, afterMs: 1_500 });
    assertPromises(outage, SESSIONS_IN_TIME);
    const unsure = outage.posts.filter(({ problem }) => problem === 'outcome-unknown');
    assert.ok(unsure.every(({ beganAt }) => beganAt < outage.beganAt + 500));
  });
});
