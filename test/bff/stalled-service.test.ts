/** A stalled service: it accepts requests and sends no response, and the circuit breaker is not open yet. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import { INSTANCE_PREFIX } from '@vestibule/shared';
import { expectProblem, startBff, type Bff, type Browser } from './_bff.ts';

const WARN = 40;

const TIMEOUT_MS = 3_500;

async function startStalled(): Promise<{ bff: Bff; browser: Browser }> {
  const bff = await startBff({ serviceTimeoutMs: TIMEOUT_MS, rateLimits: 'off' });
  const browser = bff.browser();
  await browser.signIn();
  for (let i = 0; i < 5; i += 1) bff.service.faults.next('posts', { kind: 'hang' });
  return { bff, browser };
}

const keysOf = (posts: number): string[] => Array.from({ length: posts }, (_, i) => `idempotency-key-${i}`);

/** Repeats the request until the post is no longer in progress. */
async function outcomeOf(browser: Browser, key: string): Promise<Response> {
  const res = await browser.createPost('Hello', { key });
  return res.status === 409 ? outcomeOf(browser, key) : res;
}

describe('POST /posts while the service stalls', { concurrency: true }, () => {
  it('responds with post-in-progress before the time limit; the same request returns the outcome later', async () => {
    const { bff, browser } = await startStalled();
    await using _ = bff;
    const keys = keysOf(5);
    const startedAt = performance.now();
    const first = new Set<unknown>();
    await Promise.all(keys.map(async (key) => {
      const early = await browser.createPost('Hello', { key });
      const { instance } = expectProblem(early, 'post-in-progress');
      first.add(instance?.slice(INSTANCE_PREFIX.length));
      assert.equal(early.headers['retry-after'], '3');
      assert.ok(performance.now() - startedAt < TIMEOUT_MS);
    }));
    const again = await browser.createPost('Hello', { key: keys[0] as string });
    assert.deepEqual([again.status, again.headers['retry-after']], [409, '3']);
    for (const key of keys) expectProblem(await outcomeOf(browser, key), 'outcome-unknown');
    const failed = bff.log.filter(({ msg }) => msg === 'post failed');
    const warnings = failed.filter(({ level }) => level === WARN);
    assert.deepEqual([warnings.length, new Set(warnings.map(({ request_id: id }) => id))], [5, first]);
    assert.ok(warnings.every(({ err }) => err !== undefined));
    const replays = failed.filter(({ level }) => level !== WARN);
    assert.deepEqual([replays.length, new Set(replays.map(({ first_request_id: id }) => id))], [5, first]);
    assert.match(await bff.vestibule.metrics(), /^vestibule_failures_total\{operation="post",problem="outcome-unknown"\} 5$/m);
    assert.equal(bff.service.requests.filter(({ endpoint }) => endpoint === 'posts').length, 5);
  });

  it('waits for the outcome while too few posts are in flight to recognize a stall', async () => {
    const { bff, browser } = await startStalled();
    await using _ = bff;
    await Promise.all(keysOf(4).map(async (key) => {
      expectProblem(await browser.createPost('Hello', { key }), 'outcome-unknown');
    }));
  });
});
