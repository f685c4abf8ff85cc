/** A comment belongs to an article: `page`, the `posts.prepare` and `posts.list` hooks, `GET /posts` (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PrepareContext, VestibuleConfig } from '@vestibule/bff';
import type { PostList } from '@vestibule/shared';
import { expectProblem, expectStatus, setCookies, startBff, type Bff, type BffSettings } from '../lib/bff.ts';

type PostsHooks = NonNullable<VestibuleConfig['posts']>;

const start = (posts: PostsHooks = {}, settings: BffSettings = {}): Promise<Bff> => startBff({ posts, ...settings });

const key = () => crypto.randomUUID();

async function signedIn(bff: Bff) {
  const browser = bff.browser();
  await browser.signIn();
  return {
    browser,
    post: (body: object, idempotencyKey = key()) => browser.post('/posts', { forum: 'news', message: 'Hello', ...body }).set('Idempotency-Key', idempotencyKey),
  };
}

describe('page of POST /posts', () => {
  it('is an http or https URL on an allowed origin, without credentials or fragment, of at most 2,048 characters', async () => {
    await using bff = await start();
    const { post } = await signedIn(bff);
    const { origin } = bff;
    expectStatus(await post({ page: `${origin}/article?id=1` }), 201);
    expectStatus(await post({ page: `${origin}/${'a'.repeat(2_047 - origin.length)}` }), 201);
    for (const page of [
      '', '/article', 'https://evil.example/', `${origin}.evil.example/`, 'javascript:alert(1)', 'ftp://127.0.0.1/', `${origin}/#comments`,
      `${origin}/#`, origin.replace('://', '://user:password@'), ` ${origin}/`, `${origin}/a b`, origin.replace('://', ':\\\\'),
      `${origin}/${'a'.repeat(2_048 - origin.length)}`, 5, null,
    ]) {
      expectProblem(await post({ page }), 'invalid-request');
    }
    assert.equal(bff.service.posts.length, 2);
  });

  it('belongs to the intent: another page under the same key is another post', async () => {
    await using bff = await start();
    const { post } = await signedIn(bff);
    const same = key();
    expectStatus(await post({ page: `${bff.origin}/a` }, same), 201);
    expectProblem(await post({ page: `${bff.origin}/b` }, same), 'idempotency-key-reused');
  });
});

describe('posts.prepare', () => {
  it('gets the proven user, the forum, the message and the page', async () => {
    const seen: Partial<PrepareContext>[] = [];
    await using bff = await start({
      prepare: ({ user, forum, message, page }) => {
        seen.push({ user, forum, message, page });
        return { ok: true };
      },
    });
    const { post } = await signedIn(bff);
    expectStatus(await post({ page: `${bff.origin}/a` }), 201);
    assert.deepEqual(seen, [{ user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news', message: 'Hello', page: `${bff.origin}/a` }]);
  });

  it('adds parameters that are signed and sent', async () => {
    await using bff = await start({ prepare: () => ({ ok: true, params: { thread: '42' } }) });
    const { post } = await signedIn(bff);
    await post({});
    const sent = bff.service.requests.findLast(({ endpoint }) => endpoint === 'posts');
    assert.match(sent?.body.toString() ?? '', /^forum=news&message=Hello&thread=42$/);
  });

  it('refuses with a reason that the reader sees, and nothing is sent', async () => {
    let calls = 0;
    await using bff = await start({ prepare: () => { calls += 1; return { ok: false, reason: 'Comments are closed.' }; } });
    const { post } = await signedIn(bff);
    const same = key();
    assert.equal(expectProblem(await post({}, same), 'post-rejected').detail, 'Comments are closed.');
    const again = await post({}, same);
    assert.equal(expectProblem(again, 'post-rejected').detail, 'Comments are closed.');
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual([calls, bff.service.posts.length], [1, 0]);
  });

  it('is not asked again for a repeated request', async () => {
    let calls = 0;
    await using bff = await start({ prepare: () => { calls += 1; return { ok: true }; } });
    const { post } = await signedIn(bff);
    const same = key();
    for (let i = 0; i < 3; i += 1) expectStatus(await post({}, same), 201);
    assert.deepEqual([calls, bff.service.posts.length], [1, 1]);
  });

  const cyclic: Record<string, unknown> = { ok: true };
  cyclic['params'] = { thread: cyclic };
  const hostile: Readonly<Record<string, unknown>> = {
    'a cycle': cyclic,
    'a getter that throws': { ok: true, get params(): never { throw new Error('canary'); } },
    'a thenable that rejects': { then: (_: unknown, reject: (error: Error) => void) => { reject(new Error('canary')); } },
    '33 parameters': { ok: true, params: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, ''])) },
    'a value of 4,097 characters': { ok: true, params: { thread: 'x'.repeat(4_097) } },
    'a reason of a megabyte': { ok: false, reason: 'x'.repeat(1_000_000) },
    true: true, nothing: undefined, 'a list': [], 'a reserved name': { ok: true, params: { message: 'other' } },
    'the forum': { ok: true, params: { forum: 'sport' } }, 'a name of the signature': { ok: true, params: { access_token: 'x' } },
    'a number as value': { ok: true, params: { thread: 42 } }, 'a name with a space': { ok: true, params: { 'a b': 'x' } },
    'a lone surrogate': { ok: true, params: { a: '\ud800' } }, 'an unknown member': { ok: true, thread: '42' },
  };
  for (const [what, result] of Object.entries(hostile)) {
    it(`is internal-error when it returns ${what}; the key can be used again`, async () => {
      let isHostile = true;
      await using bff = await start({ prepare: () => (isHostile ? result : { ok: true }) as never });
      const { post } = await signedIn(bff);
      const same = key();
      expectProblem(await post({}, same), 'internal-error');
      const log = JSON.stringify(bff.log);
      assert.match(log, /The hook posts\.prepare (?:returned|threw)/);
      assert.doesNotMatch(log, /canary|xxxx/);
      isHostile = false;
      expectStatus(await post({}, same), 201);
      assert.equal(bff.service.posts.length, 1);
    });
  }
});

describe('GET /posts', () => {
  const post = { id: '1', author: { username: 'Ada' }, message: '<b>Hello</b>', created_at: '2026-01-02T03:04:05Z' };
  const address = (bff: Bff, more = '') => `/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/a`)}${more}`;

  it('lists the posts of a page, publicly, for any origin, cacheable for 15 s', async () => {
    await using bff = await start({ list: ({ cursor }) => ({ posts: [post], ...(cursor === undefined && { nextCursor: '2' }) }) });
    const res = await bff.browser().get(address(bff)).set('Origin', 'https://elsewhere.example');
    expectStatus(res, 200);
    assert.deepEqual(res.body as PostList, { posts: [post], next_cursor: '2' });
    assert.equal(res.headers['cache-control'], 'public, max-age=15');
    assert.equal(res.headers['access-control-allow-origin'], '*');
    assert.equal(res.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(setCookies(res), []);
    assert.deepEqual((await bff.browser().get(address(bff, '&cursor=2'))).body, { posts: [post] });
  });

  it('answers 304 to its own entity tag', async () => {
    await using bff = await start({ list: () => ({ posts: [post] }) });
    const { headers } = await bff.browser().get(address(bff));
    const again = await bff.browser().get(address(bff)).set('If-None-Match', headers['etag'] ?? '');
    expectStatus(again, 304);
    assert.equal(again.headers['etag'], headers['etag']);
    assert.equal(again.text, '');
  });

  it('marks a stale response', async () => {
    let isDown = false;
    await using bff = await start({ list: () => { if (isDown) throw new Error('down'); return { posts: [post] }; } });
    assert.equal((await bff.browser().get(address(bff))).headers['cache-status'], undefined);
    isDown = true;
    bff.passTime(45);
    const stale = await bff.browser().get(address(bff));
    expectStatus(stale, 200);
    assert.equal(stale.headers['cache-status'], 'vestibule; hit; ttl=-30');
    assert.equal(stale.headers['cache-control'], 'public, max-age=1');
  });

  it('is not-found without a hook, and method-not-allowed for other methods', async () => {
    await using bff = await start();
    expectProblem(await bff.browser().get(address(bff)), 'not-found');
    const put = await bff.browser().agent.put('/vestibule/posts').set('Origin', bff.origin);
    expectProblem(put, 'method-not-allowed');
    assert.equal(put.headers['allow'], 'GET, HEAD, POST');
  });

  it('refuses a page of another site, an unknown forum, a repeated or a missing parameter', async () => {
    await using bff = await start({ list: () => ({ posts: [] }) });
    const browser = bff.browser();
    expectProblem(await browser.get('/posts?forum=news'), 'invalid-request');
    expectProblem(await browser.get('/posts?forum=news&page=https://evil.example/'), 'invalid-request');
    expectProblem(await browser.get(address(bff, '&page=x')), 'invalid-request');
    expectProblem(await browser.get(address(bff, `&cursor=${'x'.repeat(513)}`)), 'invalid-request');
    expectProblem(await browser.get(address(bff).replace('news', 'other')), 'forum-not-allowed');
  });

  it('lists a post that this process has created on the page, within the 15 s', async () => {
    const listed: { readonly id: string; readonly message: string }[] = [];
    await using bff = await start({
      prepare: ({ message }) => { listed.push({ ...post, id: String(listed.length), message }); return { ok: true }; },
      list: () => ({ posts: listed.map(({ id, message }) => ({ ...post, id, message })) }),
    });
    const { post: create } = await signedIn(bff);
    const read = async () => ((await bff.browser().get(address(bff))).body as PostList).posts.map(({ message }) => message);
    assert.deepEqual(await read(), []);
    expectStatus(await create({ message: 'Elsewhere', page: `${bff.origin}/b` }), 201);
    assert.deepEqual(await read(), []);
    expectStatus(await create({ message: 'Here', page: `${bff.origin}/a` }), 201);
    assert.deepEqual(await read(), ['Elsewhere', 'Here']);
  });

  it('answers HEAD with the headers of GET', async () => {
    await using bff = await start({ list: () => ({ posts: [post] }) });
    const { headers } = await bff.browser().get(address(bff));
    const head = await bff.browser().agent.head(`/vestibule${address(bff)}`);
    assert.deepEqual(
      [head.status, head.headers['etag'], head.headers['content-length'], head.text],
      [200, headers['etag'], headers['content-length'], undefined],
    );
  });

  it('shares its results with listPosts of the library', async () => {
    let calls = 0;
    await using bff = await start({ list: () => { calls += 1; return { posts: [post] }; } });
    const page = `${bff.origin}/a`;
    assert.deepEqual(await bff.vestibule.listPosts({ page }), { posts: [post] });
    await bff.browser().get(address(bff));
    assert.equal(calls, 1);
    await assert.rejects(bff.vestibule.listPosts({ page: 'https://evil.example/' }), { type: 'invalid-request' });
  });
});
