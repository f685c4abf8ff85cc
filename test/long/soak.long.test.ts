import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Timed } from '../load/_ask.ts';
import { startLongBff, type Census } from './_long-bff.ts';
import { shareOf } from './_share.ts';

const READERS = 100;
const SOAK_MS = shareOf(240_000);

/** What compiles and fills within this is no leak. */
const WARM_UP_MS = shareOf(40_000);
const CENSUS_EVERY_MS = shareOf(10_000);
const REQUEST_EVERY_MS = 10;
const MAX_GROWTH_BYTES_A_MINUTE = 1024 * 1024;

/** The service keeps connections for 5 s, undici a little less. */
const SOCKETS_CLOSE_WITHIN_MS = 10_000;

const faults = [
  { probability: 0.02, fault: { kind: 'hang-after-commit' } },
  { probability: 0.03, fault: { kind: 'reset-after-commit' } },
  { probability: 0.05, fault: { kind: 'status', status: 502 } },
  { probability: 0.1, fault: { kind: 'delay', delayMs: 200 } },
] as const;

interface Dated extends Census {
  readonly at: number;
}

describe(`${SOAK_MS / 1000} s at a steady rate before a service with faults`, () => {
  it('leave the heap level and no socket open', async (test) => {
    await using bff = await startLongBff(READERS, { VESTIBULE_SERVICE_TIMEOUT_MS: '1000' });
    bff.hangUp();
    const { sockets: baseline } = await closing(() => bff.census(), 0);
    bff.service.faults.mix('posts', faults, 7);

    const answers: Timed[] = [];
    const censuses: Dated[] = [];
    const underWay = new Set<Promise<unknown>>();
    const startedAt = performance.now();
    let censusAt = startedAt + WARM_UP_MS;
    for (let i = 0; performance.now() - startedAt < SOAK_MS; i += 1) {
      const reader = bff.readers[i % READERS];
      if (!reader) throw new Error('there are no readers');
      const asked = (i % 4 === 0 ? reader.post(`Comment ${i}`) : reader.session()).then((answer) => { answers.push(answer); });
      underWay.add(asked);
      void asked.finally(() => underWay.delete(asked));
      if (performance.now() >= censusAt) {
        censusAt += CENSUS_EVERY_MS;
        censuses.push({ ...await bff.census(), at: performance.now() });
      }
      await pause(REQUEST_EVERY_MS);
    }
    await Promise.all(underWay);

    const statuses = [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
    assert.deepEqual(statuses.filter((status) => ![200, 201, 503, 504].includes(status)), []);
    assert.ok(statuses.includes(504) && statuses.includes(201), `${statuses}`);
    const growth = growthAMinute(censuses);
    const story = censuses.map(({ heapBytes }) => (heapBytes / 1024 / 1024).toFixed(2)).join(', ');
    test.diagnostic(`${answers.length} answers; the heap grows by ${Math.round(growth / 1024)} KiB a minute: ${story} MiB`);
    assert.ok(growth <= MAX_GROWTH_BYTES_A_MINUTE, `the heap grows by ${Math.round(growth / 1024)} KiB a minute: ${story} MiB`);

    bff.hangUp();
    const { sockets } = await closing(() => bff.census(), baseline);
    test.diagnostic(`${sockets} sockets at the end, ${baseline} before`);
    assert.ok(sockets <= baseline, `${sockets} sockets, ${baseline} before`);
  });
});

/** The slope of the line that fits best. */
function growthAMinute(censuses: readonly Dated[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = mean(censuses.map(({ at }) => at));
  const meanBytes = mean(censuses.map(({ heapBytes }) => heapBytes));
  const covariance = mean(censuses.map(({ at, heapBytes }) => (at - meanAt) * (heapBytes - meanBytes)));
  const variance = mean(censuses.map(({ at }) => (at - meanAt) ** 2));
  return covariance / variance * 60_000;
}

/** The census once there are no more than `sockets`, or the last one of the time that they have. */
async function closing(census: () => Promise<Census>, sockets: number): Promise<Census> {
  const endsAt = performance.now() + SOCKETS_CLOSE_WITHIN_MS;
  for (;;) {
    const counted = await census();
    if (counted.sockets <= sockets || performance.now() >= endsAt) return counted;
    await pause(250);
  }
}
