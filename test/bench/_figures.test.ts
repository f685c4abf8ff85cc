/** The figures that `npm run bench -- --publish` keeps. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStable, joinRuns, renderFigures } from './_figures.ts';
import type { BenchReport, BenchRow } from './_row.ts';

const ratioRow = (ratio: number): BenchRow => ({ name: 'signing', value: 1_000 * ratio, unit: 'ops/s', ratio, baseline: 'bare', goal: { atLeast: 0.8 } });
const runsOf = (...ratios: number[]): BenchReport[] => ratios.map((ratio) => (
  { at: '2026-01-01T00:00:00.000Z', node: '24', processor: 'a processor', cores: 2, rows: [ratioRow(ratio)] }
));

describe('joinRuns', () => {
  it('keeps the ratio of each run', () => {
    assert.deepEqual(joinRuns(runsOf(0.9, 0.91, 0.92, 0.93, 0.94)).rows[0]?.ratios, [0.9, 0.91, 0.92, 0.93, 0.94]);
  });

  it('refuses fewer than five runs', () => {
    assert.throws(() => joinRuns(runsOf(0.9, 0.9, 0.9, 0.9)), /needs 5 runs; there are 4/);
  });

  it('leaves out rows that a run lacks', () => {
    const runs = runsOf(1, 1, 1, 1, 1);
    assert.deepEqual(joinRuns([{ ...runs[0] as BenchReport, rows: [] }, ...runs.slice(1)]).rows, []);
  });
});

describe('isStable', () => {
  it('accepts runs within 15 %', () => {
    assert.equal(isStable({ name: '', unit: '', values: [1], ratios: [0.851, 1] }), true);
    assert.equal(isStable({ name: '', unit: '', values: [1], ratios: [0.84, 1] }), false);
  });
});

describe('renderFigures', () => {
  it('shows the range of a figure that all runs agree on', () => {
    assert.match(renderFigures(joinRuns(runsOf(0.9, 0.95, 0.92, 0.93, 0.91))), /^\| signing \(operations per second\) \| 0\.9 to 0\.95 \| bare \| ≥ 0\.8 \|$/m);
  });

  it('leaves out a figure that varies, unless it misses its goal', () => {
    assert.doesNotMatch(renderFigures(joinRuns(runsOf(0.9, 2, 0.9, 0.9, 0.9))), /signing/);
    assert.match(renderFigures(joinRuns(runsOf(0.7, 2, 0.9, 0.9, 0.9))), /^\| signing \(operations per second\) \| 0\.7 to 2 \| bare \| ≥ 0\.8, \*\*missed\*\* \|$/m);
  });
});
