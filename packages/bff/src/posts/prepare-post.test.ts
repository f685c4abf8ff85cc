import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostHooks } from '../config/hooks.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Param } from '../signing/normalize-params.ts';
import { preparePost, type PreparePostDeps } from './prepare-post.ts';

const draft = { forum: 'news', message: 'Hello' };
const user = { user_id: '7', username: 'Ada' };

const service: PreparePostDeps['service'] = { request: () => Promise.reject(new Error('not expected')) };

function prepare(result: unknown): Promise<Param[]> {
  return preparePost({ prepare: (() => result) as NonNullable<PostHooks['prepare']>, service, timeoutMs: 10_000 }, draft, user);
}

const withParams = (params: object) => prepare({ ok: true, params });

describe('preparePost', () => {
  it('returns the parameters in their order, and none without any', async () => {
    assert.deepEqual(await withParams({ thread: '9', 'a.b-c_D1': '' }), [['thread', '9'], ['a.b-c_D1', '']]);
    assert.deepEqual(await prepare({ ok: true }), []);
  });

  for (const name of ['forum', 'message', 'id', 'nonce', 'body-hash', 'mac', 'access_token', 'client_id', 'client_secret', 'api_key', 'api_secret', 'Mac']) {
    it(`refuses the reserved name ${name}`, async () => {
      await assert.rejects(withParams({ [name]: 'x' }), { type: 'internal-error' });
    });
  }

  it('refuses names other than a letter and at most 63 letters, digits and characters of "_.-"', async () => {
    assert.equal((await withParams({ [`x${'y'.repeat(63)}`]: '' })).length, 1);
    for (const name of ['', '1a', ' a', 'a b', 'a=', 'ä', `x${'y'.repeat(64)}`]) {
      await assert.rejects(withParams({ [name]: 'x' }), { type: 'internal-error' }, name);
    }
  });

  it('refuses more than 32 parameters, and values over 4,096 characters or with lone surrogates', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, '']));
    assert.equal((await withParams(many(32))).length, 32);
    await assert.rejects(withParams(many(33)), { type: 'internal-error' });
    assert.equal((await withParams({ thread: 'x'.repeat(4_096) }))[0]?.[1].length, 4_096);
    for (const thread of ['x'.repeat(4_097), '\ud800', 9]) await assert.rejects(withParams({ thread }), { type: 'internal-error' });
  });

  it('passes on the reason of a refusal, of at most 1,000 characters', async () => {
    const reason = 'x'.repeat(1_000);
    await assert.rejects(prepare({ ok: false, reason }), { type: 'post-rejected', detail: reason });
    await assert.rejects(prepare({ ok: false }), { type: 'post-rejected', detail: /./ });
    await assert.rejects(prepare({ ok: false, reason: `${reason}x` }), { type: 'internal-error' });
  });

  it('names the hook and what it may return in the log, and tells the reader that the text is kept', async () => {
    await assert.rejects(prepare({ ok: 'yes' }), (error: Error & { detail: string }) => {
      assert.equal(error.detail, 'This site could not check your comment just now. Your text is kept: please try again.');
      const expected = '{ ok: true, params? } with texts as values and no reserved names, or { ok: false, reason? }';
      assert.equal((error.cause as Error).message, `The hook posts.prepare returned an object with the members ok; expected ${expected}.`);
      return true;
    });
  });

  it('calls the service in the partition of the reader', async () => {
    const partitions: unknown[] = [];
    await preparePost({
      prepare: async ({ service: { request } }) => { await request('GET', '/threads'); return { ok: true }; },
      service: {
        request: async (...[, , , options]: readonly unknown[]) => {
          partitions.push((options as { partition: string }).partition);
          return {} as never;
        },
      },
      timeoutMs: 10_000,
    }, draft, user);
    assert.deepEqual(partitions, [sha256('user', '7')]);
  });
});
