import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceResponse } from './http-transport.ts';
import { driftOf, ServiceClock } from './service-clock.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

const reading = (offsetMs: number, tookMs = 40) => (
  { date: new Date(NOON + offsetMs + tookMs / 2).toUTCString(), sentAt: NOON, receivedAt: NOON + tookMs }
);

const responseWith = ({ date, ...times }: ReturnType<typeof reading>, headers: Record<string, string> = {}): ServiceResponse => (
  { status: 200, headers: { date, ...headers }, body: Buffer.alloc(0), ...times }
);

describe('driftOf', () => {
  it('is the drift of either sign, within the second that the header leaves open', () => {
    for (const offset of [4_000_000, -4_000_000, 2_500, -2_500]) {
      const drift = driftOf(reading(offset)) ?? Number.NaN;
      assert.ok(Math.abs(drift - offset) <= 1_040, `${offset}: ${drift}`);
      assert.ok(Math.abs(drift) <= Math.abs(offset), 'never more than the offset');
    }
  });

  it('is 0 if the duration of the exchange explains the header', () => {
    assert.equal(driftOf(reading(0)), 0);
    assert.equal(driftOf(reading(4_000, 9_000)), 0);
    assert.equal(driftOf(reading(-4_000, 9_000)), 0);
  });

  it('is undefined without a header, without an HTTP date, or more than a day off', () => {
    for (const date of [undefined, '', 'now', '2026-03-01T12:00:00Z', 'Sun, 99 Mar 2026 12:00:00 GMT', '1772366400', 'a Sun, 01 Mar 2026 12:00:00 GMT', 'Sun, 01 Mar 2026 12:00:00 GMT+1']) {
      assert.equal(driftOf({ date, sentAt: NOON, receivedAt: NOON }), undefined);
    }
    assert.equal(driftOf({ date: new Date(NOON + 86_400_000).toUTCString(), sentAt: NOON, receivedAt: NOON }), 86_400_000);
    assert.equal(driftOf(reading(86_500_000)), undefined);
    assert.equal(driftOf(reading(-86_500_000)), undefined);
  });
});

describe('ServiceClock', () => {
  it('does not correct anything because of a Date header', () => {
    const clock = new ServiceClock();
    assert.equal(clock.driftMs, undefined);
    clock.observe(responseWith(reading(HOUR_MS)));
    assert.ok(Math.abs((clock.driftMs ?? 0) - HOUR_MS) <= 1_040);
    assert.equal(clock.correctionMs, 0);
  });

  it('ignores the Date header of a cached response, and keeps the last drift without a valid header', () => {
    const clock = new ServiceClock();
    clock.observe(responseWith(reading(HOUR_MS), { age: '3600' }));
    assert.equal(clock.driftMs, undefined);
    clock.observe(responseWith(reading(HOUR_MS)));
    const drift = clock.driftMs;
    clock.observe({ ...responseWith(reading(0)), headers: { date: 'nonsense' } });
    assert.equal(clock.driftMs, drift);
  });

  it('offers the drift as an alternative if the nonce may have been too old or too new by it', () => {
    const clock = new ServiceClock();
    assert.equal(clock.alternativeTo(0), undefined);
    clock.observe(responseWith(reading(29_000)));
    assert.equal(clock.alternativeTo(0), undefined);
    clock.observe(responseWith(reading(-HOUR_MS)));
    assert.equal(clock.alternativeTo(0), clock.driftMs);
  });

  it('takes a drift of up to two seconds for the resolution of the header', () => {
    const clock = new ServiceClock();
    clock.observe({ ...responseWith(reading(0, 0)), headers: { date: new Date(NOON + 2_000).toUTCString() } });
    assert.deepEqual([clock.driftMs, clock.alternativeTo(HOUR_MS)], [2_000, 0]);
    clock.observe({ ...responseWith(reading(0, 0)), headers: { date: new Date(NOON + 3_000).toUTCString() } });
    assert.deepEqual([clock.driftMs, clock.alternativeTo(HOUR_MS)], [3_000, 3_000]);
  });

  it('offers no alternative within 30 s, the shortest validity of a nonce', () => {
    const clock = new ServiceClock();
    clock.observe({ ...responseWith(reading(0, 0)), headers: { date: new Date(NOON + 30_000).toUTCString() } });
    assert.equal(clock.driftMs, 30_000);
    assert.deepEqual([0, 30_000, -1].map((correctionMs) => clock.alternativeTo(correctionMs)), [undefined, undefined, 30_000]);
  });

  it('offers to drop a correction that the service refuses', () => {
    const clock = new ServiceClock();
    clock.observe(responseWith(reading(0)));
    assert.equal(clock.alternativeTo(HOUR_MS), 0);
    clock.observe(responseWith(reading(HOUR_MS)));
    assert.equal(clock.alternativeTo(clock.driftMs ?? 0), 0, 'although the header agrees with it');
  });

  it('reports each adopted correction once', () => {
    const corrections: number[] = [];
    const clock = new ServiceClock((correctionMs) => { corrections.push(correctionMs); });
    for (const correctionMs of [0, HOUR_MS, HOUR_MS, 0]) clock.adopt(correctionMs);
    assert.deepEqual([corrections, clock.correctionMs], [[HOUR_MS, 0], 0]);
  });
});
