/** A service that takes requests and says nothing, before the circuit breaker can know. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectProblem, startBff, type Bff, type Browser } from './_bff.ts';

const TIMEOUT_MS = 3_500;

async function startSilenced(): Promise<{ bff: Bff; browser: Browser }> {
  const bff = await startBff({ serviceTimeoutMs: TIMEOUT_MS });
  const browser = bff.browser();
  await browser.signIn();
  for (let i = 0; i < 5; i += 1) bff.service.faults.next('posts', { kind: 'hang' });
  return { bff, browser };
}

const keysOf = (posts: number): string[] => Array.from({ length: posts }, (_, i) => `idempotency-key-${i}`);

describe('POST /posts before a service that has fallen silent', { concurrency: true }, () => {
  it('tells within 2.5 s that the post is in progress, and the same request, later, what became of it', async () => {
    const { bff, browser } = await startSilenced();
    await using _ = bff;
    const keys = keysOf(5);
    const began = performance.now();
    await Promise.all(keys.map(async (key) => {
      const told = await browser.createPost('Hello', { key });
      expectProblem(told, 'post-in-progress');
      assert.equal(told.headers['retry-after'], '3');
      assert.ok(performance.now() - began < 2_500);
    }));
    const again = await browser.createPost('Hello', { key: keys[0] as string });
    assert.deepEqual([again.status, again.headers['retry-after']], [409, '3']);
    await bff.vestibule.drain();
    for (const key of keys) expectProblem(await browser.createPost('Hello', { key }), 'outcome-unknown');
    assert.equal(bff.service.requests.filter(({ endpoint }) => endpoint === 'posts').length, 5);
  });

  it('waits for the end where too few posts are under way to tell silence from slowness', async () => {
    const { bff, browser } = await startSilenced();
    await using _ = bff;
    await Promise.all(keysOf(4).map(async (key) => {
      expectProblem(await browser.createPost('Hello', { key }), 'outcome-unknown');
    }));
  });
});
