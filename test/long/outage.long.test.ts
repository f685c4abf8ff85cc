/** An outage of a minute, with every setting at its default. */

import { describe, it } from 'node:test';
import { sufferOutage } from '../load/_outage.ts';
import { assertPromises, figuresOf } from '../load/_promises.ts';

const outageMs = 60_000;

describe('an outage of 60 s under 200 posters', () => {
  it('that swallows everything leaves GET /session at speed, ends posts quickly, and is over when it is over', async (t) => {
    const outage = await sufferOutage({ kind: 'silent', beforeMs: 5_000, outageMs, afterMs: 10_000 });
    t.diagnostic(figuresOf(outage));
    assertPromises(outage);
  });

  it('that refuses connections does no more harm', async (t) => {
    const outage = await sufferOutage({ kind: 'refusing', beforeMs: 5_000, outageMs, afterMs: 10_000 });
    t.diagnostic(figuresOf(outage));
    assertPromises(outage);
  });
});
