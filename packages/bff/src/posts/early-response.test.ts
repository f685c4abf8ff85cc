import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { ProblemError } from '../http/problem-error.ts';
import { EARLY_RESPONSE_AFTER_MS, respondEarly, STALLED_RETRY_SECONDS } from './idempotency.ts';

const settle = () => new Promise<void>((resolve) => { setImmediate(resolve); });

describe('respondEarly', { concurrency: false }, () => {
  const timed = (name: string, test: () => Promise<void>) => it(name, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await test();
    } finally {
      mock.timers.reset();
    }
  });

  timed('returns the result however long it takes, unless the service stalls', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const response = respondEarly(promise, () => false);
    mock.timers.tick(60_000);
    resolve('done');
    assert.equal(await response, 'done');
  });

  timed('waits two seconds in any case, then rejects as soon as the service stalls', async () => {
    let isStalled = true;
    const problems: ProblemError[] = [];
    respondEarly(new Promise(() => undefined), () => isStalled).catch((error: ProblemError) => problems.push(error));
    mock.timers.tick(EARLY_RESPONSE_AFTER_MS - 1);
    await settle();
    isStalled = false;
    mock.timers.tick(500);
    await settle();
    assert.deepEqual(problems, []);
    isStalled = true;
    mock.timers.tick(100);
    await settle();
    assert.deepEqual(problems.map(({ type, retryAfterSeconds }) => [type, retryAfterSeconds]), [['post-in-progress', STALLED_RETRY_SECONDS]]);
  });

  timed('passes on a failure of the work and stops checking', async () => {
    let checks = 0;
    await assert.rejects(respondEarly(Promise.reject(new Error('no')), () => { checks += 1; return true; }), /no/);
    mock.timers.tick(10_000);
    assert.equal(checks, 0);
  });
});
