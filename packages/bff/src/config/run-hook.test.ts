import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { ValidateContext } from './hooks.ts';
import { runHook } from './run-hook.ts';

const context: Omit<ValidateContext, 'signal'> = {
  user: { user_id: '7', username: 'Ada' },
  answers: { age: 18 },
  forum: 'news',
  service: { request: () => Promise.reject(new Error('unasked')) },
};

describe('runHook', () => {
  it('hands the context over, with a signal, and gives what the hook gives', async () => {
    const { signal, ...rest } = await runHook('validate', (given) => given, context, 1_000);
    assert.deepEqual(rest, context);
    assert.equal(signal.aborted, false);
  });

  it('is internal-error where the hook throws or rejects, with the place and without the words, which may be a reader\'s', async () => {
    const cause = new Error('canary');
    for (const hook of [() => { throw cause; }, () => Promise.reject(cause)]) {
      await assert.rejects(runHook('validate', hook, context, 1_000), (error: Error & { type: string; detail: string }) => {
        assert.equal(error.type, 'internal-error');
        assert.match((error.cause as Error).stack ?? '', /run-hook\.test\.ts/);
        assert.doesNotMatch(inspect(error), /canary/);
        assert.match(error.detail, /try again/);
        assert.doesNotMatch(error.detail, /canary/);
        return true;
      });
    }
  });

  it('is internal-error where the hook hangs, and its signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const hanging = (given: ValidateContext) => { ({ signal } = given); return new Promise<void>(() => undefined); };
    await assert.rejects(runHook('onAccepted', hanging, context, 5), (error: Error & { type: string }) => {
      assert.equal(error.type, 'internal-error');
      assert.equal((error.cause as Error).message, 'The hook onAccepted did not settle within 5 ms.');
      return true;
    });
    assert.equal(signal?.aborted, true);
  });
});
