import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClockDrift, driftOf } from './clock-drift.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

const exchanged = (offsetMs: number, tookMs = 40) => (
  { date: new Date(NOON + offsetMs + tookMs / 2).toUTCString(), sentAt: NOON, receivedAt: NOON + tookMs }
);

describe('driftOf', () => {
  it('tells a drift of either sign within the second that the header leaves open', () => {
    for (const offset of [4_000_000, -4_000_000, 2_500, -2_500]) {
      const drift = driftOf(exchanged(offset)) ?? Number.NaN;
      assert.ok(Math.abs(drift - offset) <= 1_040, `${offset}: ${drift}`);
      assert.ok(Math.abs(drift) <= Math.abs(offset), 'never more than there is');
    }
  });

  it('tells none where the time that the answer took explains the header', () => {
    assert.equal(driftOf(exchanged(0)), 0);
    assert.equal(driftOf(exchanged(4_000, 9_000)), 0);
    assert.equal(driftOf(exchanged(-4_000, 9_000)), 0);
  });

  it('knows nothing from a header that is missing, that is no date of HTTP, or more than a day off', () => {
    for (const date of [undefined, '', 'now', '2026-03-01T12:00:00Z', 'Sun, 99 Mar 2026 12:00:00 GMT', '1772366400']) {
      assert.equal(driftOf({ date, sentAt: NOON, receivedAt: NOON }), undefined);
    }
    assert.equal(driftOf(exchanged(86_500_000)), undefined);
    assert.equal(driftOf(exchanged(-86_500_000)), undefined);
  });
});

describe('ClockDrift', () => {
  it('corrects nothing within two seconds, and beyond them from the first answer on', () => {
    const drift = new ClockDrift();
    assert.deepEqual([drift.driftMs, drift.correctionMs], [undefined, 0]);
    drift.observe(1_900);
    assert.deepEqual([drift.driftMs, drift.correctionMs], [1_900, 0]);
    const other = new ClockDrift();
    other.observe(-4_000_000);
    assert.equal(other.correctionMs, -4_000_000);
    assert.ok(Math.abs(other.now() - (Date.now() - 4_000_000)) < 50);
  });

  it('is not moved by one odd answer among others', () => {
    const drift = new ClockDrift();
    for (const seen of [0, 0, 3_600_000, 0, -3_600_000, 0]) drift.observe(seen);
    assert.equal(drift.correctionMs, 0);
    const first = new ClockDrift();
    first.observe(3_600_000);
    first.observe(0);
    assert.equal(first.correctionMs, 0);
  });

  it('follows a clock that was set', () => {
    const drift = new ClockDrift();
    for (const seen of [0, 0, 0, 0, 0, 60_000, 60_000, 60_000]) drift.observe(seen);
    assert.equal(drift.correctionMs, 60_000);
  });

  it('believes an answer alone where it is told to', () => {
    const drift = new ClockDrift();
    for (let i = 0; i < 5; i += 1) drift.observe(0);
    drift.adopt(4_000_000);
    assert.equal(drift.correctionMs, 4_000_000);
  });

  it('tells of each change once, and of no wavering around a value', () => {
    const told: number[] = [];
    const drift = new ClockDrift((correctionMs) => { told.push(correctionMs); });
    for (const seen of [2_100, 1_900, 2_100, 1_000, 3_000, 2_500, 4_000]) drift.observe(seen);
    assert.deepEqual(told, [2_100]);
    for (let i = 0; i < 5; i += 1) drift.observe(0);
    assert.deepEqual(told, [2_100, 0]);
  });
});
