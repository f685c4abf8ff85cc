import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownFault } from './lib/known-fault.ts';
import { until } from './lib/until.ts';

describe('knownFault', () => {
  it('passes while an assertion of the test fails', async () => {
    await knownFault('B0', () => { assert.equal(1, 2); })();
    await knownFault('B0', () => until('never', () => false))();
  });

  it('fails as soon as the test passes', async () => {
    await assert.rejects(knownFault('B0', () => {}), /B0 is fixed: remove knownFault/);
  });

  it('fails with an error that is no failed assertion', async () => {
    await assert.rejects(knownFault('B0', () => { throw new TypeError('a fault of the test'); }), TypeError);
  });
});
