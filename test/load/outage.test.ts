/** The outages of `npm test`: short ones, with a time limit for answers to match. The whole ones lie in `test/long`. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sufferOutage } from './_outage.ts';
import { assertPromises } from './_promises.ts';

const TIMEOUT_MS = 1_000;

/** From the first calls that time out to the first probe, by default. */
const FIRST_PROBE_AFTER_MS = 2_000;

describe('an outage of the service under 200 posters', () => {
  it('that swallows everything leaves GET /session at speed, ends posts quickly, and is over when it is over', async () => {
    const settings = { VESTIBULE_SERVICE_TIMEOUT_MS: String(TIMEOUT_MS) };
    const outage = await sufferOutage({ kind: 'silent', beforeMs: 800, outageMs: 4_000, afterMs: 2_500, settings });
    assertPromises(outage);
    const unsure = outage.posts.filter(({ problem }) => problem === 'outcome-unknown');
    const probedAt = outage.beganAt + TIMEOUT_MS + FIRST_PROBE_AFTER_MS;
    assert.ok(unsure.every(({ beganAt, ms }) => beganAt + ms < probedAt), 'probes leave nobody in doubt');
  });

  it('that refuses connections has no post in doubt but those that were under way', async () => {
    const outage = await sufferOutage({ kind: 'refusing', beforeMs: 800, outageMs: 1_500, afterMs: 1_500 });
    assertPromises(outage);
    const unsure = outage.posts.filter(({ problem }) => problem === 'outcome-unknown');
    assert.ok(unsure.every(({ beganAt }) => beganAt < outage.beganAt + 500));
  });
});
