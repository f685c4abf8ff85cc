/** The table that `npm run bench` prints. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meetsGoal, renderTable } from './_table.ts';

const row = { name: 'signing', value: 345_678.9, unit: 'ops/s', ratio: 0.8123, baseline: 'bare', spread: [0.79, 0.85] } as const;

describe('renderTable', () => {
  it('aligns the figures of a row in one line', () => {
    const lines = renderTable([{ ...row, goal: { atLeast: 0.8 } }]).split('\n');
    assert.match(lines[2] ?? '', /\| signing +\| 345,679 ops\/s \| 0\.812 \| bare \| 0\.79 to 0\.85 \| ≥ 0\.8 \| kept/);
    assert.equal(new Set(lines.map((line) => line.length)).size, 1);
  });

  it('marks a goal that is missed', () => {
    assert.match(renderTable([{ ...row, goal: { atLeast: 0.9 } }]), /MISSED/);
  });
});

describe('meetsGoal', () => {
  it('judges the ratio where there is one and the value where there is none', () => {
    assert.equal(meetsGoal({ ...row, goal: { atMost: 1 } }), true);
    assert.equal(meetsGoal({ name: 'widget.js', value: 8500, unit: 'bytes', goal: { atMost: 8400 } }), false);
  });

  it('is undefined without a goal', () => {
    assert.equal(meetsGoal(row), undefined);
  });
});
