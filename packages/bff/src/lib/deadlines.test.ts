import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadlines } from './deadlines.ts';

/** Settles when one that begins now is met: whatever began before has had its time then. */
function nextOf(deadlines: Deadlines): Promise<void> {
  return new Promise((resolve) => { deadlines.begin(resolve); });
}

describe('Deadlines', () => {
  it('are met in the order in which they began, none before its time', async () => {
    const deadlines = new Deadlines(30);
    const met: string[] = [];
    const times: number[] = [];
    const wait = (name: string) => new Promise<void>((resolve) => {
      const began = performance.now();
      deadlines.begin(() => {
        met.push(name);
        times.push(performance.now() - began);
        resolve();
      });
    });
    const first = wait('first');
    await nextOf(new Deadlines(10));
    await Promise.all([first, wait('second'), wait('third')]);
    assert.deepEqual(met, ['first', 'second', 'third']);
    for (const time of times) assert.ok(time >= 30, `${time} ms`);
  });

  it('say nothing where they are ended in time, whoever waits beside them', async () => {
    const deadlines = new Deadlines(20);
    const met: string[] = [];
    const before = deadlines.begin(() => met.push('before'));
    const last = new Promise<void>((resolve) => { deadlines.begin(() => { met.push('between'); resolve(); }); });
    const after = deadlines.begin(() => met.push('after'));
    before.end();
    after.end();
    await last;
    await nextOf(deadlines);
    assert.deepEqual(met, ['between']);
  });

  it('go on where nothing was left, and after one was met', async () => {
    const deadlines = new Deadlines(5);
    for (let i = 0; i < 3; i += 1) {
      deadlines.begin(() => undefined).end();
      await nextOf(deadlines);
      await nextOf(new Deadlines(10));
    }
  });

  it('may begin anew from within one that is met', async () => {
    const deadlines = new Deadlines(5);
    const began = performance.now();
    await new Promise<void>((resolve) => { deadlines.begin(() => { deadlines.begin(resolve); }); });
    assert.ok(performance.now() - began >= 10);
  });

  it('are met after one whose meeting failed', async (t) => {
    const deadlines = new Deadlines(5);
    const failures: unknown[] = [];
    const keep = (error: unknown) => failures.push(error);
    const others = process.rawListeners('uncaughtException') as ((error: Error) => void)[];
    process.removeAllListeners('uncaughtException').on('uncaughtException', keep);
    t.after(() => {
      process.off('uncaughtException', keep);
      for (const other of others) process.on('uncaughtException', other);
    });
    deadlines.begin(() => { throw new Error('no'); });
    await nextOf(deadlines);
    assert.equal(failures.length, 1);
  });

  it('keep no process alive', () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    new Deadlines(60_000).begin(() => undefined);
    assert.equal(timers(), before);
  });
});
