/** Replies, and the entry of a new comment (contract, section 2: `POST /posts`; section 4: `posts.replies`, `created`). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CreatedContext, PostEntry, PrepareContext } from '@vestibule/bff';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';

const user = { user_id: '31007', username: 'Ada Quill' };
const entry: PostEntry = { id: '7', author: { username: 'Ada Quill' }, message: 'Hello', created_at: '2026-01-02T03:04:05' };

async function start(posts: NonNullable<BffSettings['posts']>) {
  const bff = await startBff({ posts });
  const browser = bff.browser();
  await browser.signIn();
  const post = (body: object = {}, key: string = crypto.randomUUID()) => (
    browser.post('/posts', { forum: 'news', message: 'Hello', page: `${bff.origin}/a`, ...body }).set('Idempotency-Key', key)
  );
  return { bff, post, [Symbol.asyncDispose]: () => bff[Symbol.asyncDispose]() };
}

describe('parent of POST /posts', () => {
  it('is refused without posts.replies, and nothing is sent', async () => {
    await using site = await start({});
    assert.match(expectProblem(await site.post({ parent: '1' }), 'invalid-request').detail, /replies/);
    assert.equal(site.bff.service.posts.length, 0);
  });

  it('reaches the hooks, and belongs to the body of the key', async () => {
    const seen: Partial<PrepareContext & CreatedContext>[] = [];
    await using site = await start({
      replies: true,
      prepare: ({ parent }) => { seen.push({ parent }); return { ok: true }; },
      created: ({ parent, page, forum, user: by }) => { seen.push({ parent, page, forum, user: by }); return entry; },
    });
    const key = crypto.randomUUID();
    expectStatus(await site.post({ parent: '41' }, key), 201);
    assert.deepEqual(seen, [{ parent: '41' }, { parent: '41', page: `${site.bff.origin}/a`, forum: 'news', user }]);
    for (const parent of ['42', undefined]) expectProblem(await site.post({ parent }, key), 'idempotency-key-reused');
  });

  it('has 1 to 255 characters', async () => {
    await using site = await start({ replies: true, prepare: () => ({ ok: true }) });
    for (const parent of ['', 'x'.repeat(256), 1]) expectProblem(await site.post({ parent }), 'invalid-request');
    expectStatus(await site.post({ parent: '🦊'.repeat(255) }), 201);
  });
});

describe('listed of POST /posts', () => {
  const listedOf = async (site: Awaited<ReturnType<typeof start>>, key?: string): Promise<unknown> => {
    const res = await site.post({}, key);
    expectStatus(res, 201);
    return (res.body as { listed?: unknown }).listed;
  };

  it('is the entry that the hook returns, for a repetition too', async () => {
    let calls = 0;
    await using site = await start({ created: () => { calls += 1; return { ...entry, state: calls === 1 ? 'pending' : undefined }; } });
    const key = crypto.randomUUID();
    assert.deepEqual(await listedOf(site, key), { ...entry, created_at: '2026-01-02T03:04:05Z', state: 'pending' });
    assert.deepEqual(await listedOf(site, key), { ...entry, created_at: '2026-01-02T03:04:05Z', state: 'published' });
    assert.equal(site.bff.service.posts.length, 1);
  });

  for (const [what, created] of Object.entries({
    throws: () => { throw new Error('canary'); },
    'returns another shape': () => ({ ...entry, id: 7.5 }) as never,
    'does not settle': () => new Promise<never>(() => undefined),
  })) {
    it(`is absent where the hook ${what}: the post is there, and a line of the log names the hook`, async () => {
      await using bff = await startBff({ posts: { created }, hookTimeoutMs: 1_000 });
      const browser = bff.browser();
      await browser.signIn();
      const res = await browser.createPost('Hello');
      expectStatus(res, 201);
      assert.equal('listed' in (res.body as object), false);
      const lines = bff.log.filter(({ level }) => Number(level) >= 40);
      assert.equal(lines.length, 1);
      assert.match(JSON.stringify(lines), /posts\.created/);
      assert.doesNotMatch(JSON.stringify(lines), /canary/);
    });
  }

  it('is the state alone where the service holds a post for approval and there is no hook', async () => {
    await using site = await start({});
    site.bff.service.faults.next('posts', { kind: 'status', status: 200, body: { code: 0, response: { id: '1', isApproved: false } } });
    assert.deepEqual(await listedOf(site), { state: 'pending' });
    assert.equal(await listedOf(site), undefined);
  });
});
