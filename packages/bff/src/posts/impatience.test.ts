import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { ProblemError } from '../http/problem-error.ts';
import { Impatience, PATIENCE_MS } from './impatience.ts';

const unlessSilent = <T>(work: Promise<T>, isSilent: () => boolean) => new Impatience(Date.now).unlessSilent(work, isSilent);

describe('Impatience', { concurrency: false }, () => {
  const timed = (name: string, test: () => Promise<void>) => it(name, async () => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    try {
      await test();
    } finally {
      mock.timers.reset();
    }
  });

  timed('gives what the work comes to, however long it takes, where the service is not silent', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = unlessSilent(promise, () => false);
    mock.timers.tick(60_000);
    resolve('done');
    assert.equal(await answer, 'done');
  });

  timed('is patient for a while, then says that the post is in progress as soon as the service is silent', async () => {
    let isSilent = true;
    const told: string[] = [];
    unlessSilent(new Promise(() => undefined), () => isSilent).catch(({ type }: ProblemError) => told.push(type));
    mock.timers.tick(PATIENCE_MS - 1);
    await Promise.resolve();
    isSilent = false;
    mock.timers.tick(500);
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
    isSilent = true;
    mock.timers.tick(100);
    await new Promise(setImmediate);
    assert.deepEqual(told, ['post-in-progress']);
  });

  timed('lets the failure of the work through, and looks no more', async () => {
    let looks = 0;
    await assert.rejects(unlessSilent(Promise.reject(new Error('no')), () => { looks += 1; return true; }), /no/);
    mock.timers.tick(10_000);
    assert.equal(looks, 0);
  });
});
