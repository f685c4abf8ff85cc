import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDeadline } from './time.ts';

const tooLate = () => new Error('too late');

describe('withDeadline', () => {
  it('resolves with the result of synchronous and asynchronous work', async () => {
    assert.equal(await withDeadline(1000, () => 1, tooLate), 1);
    assert.equal(await withDeadline(1000, async () => 2, tooLate), 2);
  });

  it('rejects with the error of synchronous and asynchronous work', async () => {
    await assert.rejects(withDeadline(1000, () => { throw new Error('now'); }, tooLate), { message: 'now' });
    await assert.rejects(withDeadline(1000, () => Promise.reject(new Error('later')), tooLate), { message: 'later' });
  });

  it('rejects after the deadline and aborts the signal', async () => {
    let told: AbortSignal | undefined;
    await assert.rejects(withDeadline(5, (signal) => {
      told = signal;
      return new Promise<never>(() => undefined);
    }, tooLate), { message: 'too late' });
    assert.equal(told?.aborted, true);
  });

  it('does not abort the signal if the work settles in time', async () => {
    const signal = await withDeadline(1000, (given) => given, tooLate);
    assert.equal(signal.aborted, false);
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await withDeadline(60_000, () => 1, tooLate);
    await withDeadline(60_000, () => { throw new Error('now'); }, tooLate).catch(() => undefined);
    assert.equal(timers(), before);
  });
});
