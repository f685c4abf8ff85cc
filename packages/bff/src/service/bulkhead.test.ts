import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bulkhead } from './bulkhead.ts';

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const calls = { begun: 0 };
  return { resolve, reject, calls, run: () => { calls.begun += 1; return promise; } };
}

const busy = { name: 'NotAdmittedError', reason: 'busy' };

describe('Bulkhead', () => {
  it('does no more at once than its capacity, and what waits in the order of its arrival', async () => {
    const bulkhead = new Bulkhead({ capacity: 2, queue: 2, queueTimeoutMs: 60_000 });
    const works = [work(), work(), work(), work()];
    const results = works.map(({ run }) => bulkhead.run(run));
    assert.deepEqual(works.map(({ calls }) => calls.begun), [1, 1, 0, 0]);
    works[1]?.resolve('second');
    assert.equal(await results[1], 'second');
    assert.deepEqual(works.map(({ calls }) => calls.begun), [1, 1, 1, 0]);
    for (const { resolve } of works) resolve('done');
    await Promise.all(results);
    assert.deepEqual(works.map(({ calls }) => calls.begun), [1, 1, 1, 1]);
  });

  it('turns away what finds the queue full, and what waited too long, without beginning it', async () => {
    const bulkhead = new Bulkhead({ capacity: 1, queue: 1, queueTimeoutMs: 20 });
    const [first, second, third] = [work(), work(), work()];
    const held = bulkhead.run(first.run);
    const waiting = bulkhead.run(second.run);
    await assert.rejects(bulkhead.run(third.run), busy);
    await assert.rejects(waiting, busy);
    first.resolve('done');
    await held;
    assert.deepEqual([second.calls.begun, third.calls.begun], [0, 0]);
  });

  it('has room again after what waited too long, and after work that failed', async () => {
    const bulkhead = new Bulkhead({ capacity: 1, queue: 1, queueTimeoutMs: 20 });
    const [first, second, third] = [work(), work(), work()];
    const held = bulkhead.run(first.run);
    await assert.rejects(bulkhead.run(second.run), busy);
    const waiting = bulkhead.run(third.run);
    first.reject(new Error('failed'));
    await assert.rejects(held, { message: 'failed' });
    third.resolve('done');
    assert.equal(await waiting, 'done');
  });
});
