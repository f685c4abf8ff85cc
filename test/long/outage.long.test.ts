/** An outage of a minute, with every setting at its default. */

import { describe, it } from 'node:test';
import { sufferOutage } from '../load/_outage.ts';
import { assertPromises, figuresOf } from '../load/_promises.ts';

const outageMs = 60_000;

describe('an outage of 60 s under 200 posters', () => {
  it('without responses: GET /session stays fast, posts end within 2.5 s, service recovers within 6 s', async (t) => {
    const outage = await sufferOutage({ kind: 'silent', beforeMs: 5_000, outageMs, afterMs: 10_000 });
    t.diagnostic(figuresOf(outage));
    assertPromises(outage, 0.99);
  });

  it('with refused connections: GET /session stays fast, posts end within 2.5 s, service recovers within 6 s', async (t) => {
    const outage = await sufferOutage({ kind: 'refusing', beforeMs: 5_000, outageMs, afterMs: 10_000 });
    t.diagnostic(figuresOf(outage));
    assertPromises(outage, 0.99);
  });
});
