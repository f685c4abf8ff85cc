/** `GET /posts`: the list of an article's comments from the publisher's hook (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '@vestibule/bff';
import type { PostList } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectProblem, expectStatus, setCookies } from '../lib/reader.ts';
import { until } from '../lib/until.ts';

type PostsHooks = NonNullable<VestibuleConfig['posts']>;

const start = (posts: PostsHooks = {}): Promise<Bff> => startBff({ posts });

describe('GET /posts', () => {
  const post = { id: '1', author: { username: 'Ada' }, message: '<b>Hello</b>', created_at: '2026-01-02T03:04:05Z' };
  const address = (bff: Bff, more = '') => `/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/a`)}${more}`;

  it('lists the posts of a page, publicly, for any origin, cacheable for 15 s', async () => {
    await using bff = await start({ list: ({ cursor }) => ({ posts: [post], ...(cursor === undefined && { nextCursor: '2' }) }) });
    const res = await bff.browser().get(address(bff)).set('Origin', 'https://elsewhere.example');
    expectStatus(res, 200);
    const { next_cursor: cursor, ...rest } = res.body as PostList;
    assert.deepEqual(rest, { posts: [post], order: 'newest' });
    assert.ok(cursor);
    assert.equal(res.headers['cache-control'], 'public, max-age=15');
    assert.equal(res.headers['access-control-allow-origin'], '*');
    assert.equal(res.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(setCookies(res), []);
    assert.deepEqual((await bff.browser().get(address(bff, `&cursor=${encodeURIComponent(cursor)}`))).body, { posts: [post], order: 'newest' });
  });

  it('answers 304 to its own entity tag', async () => {
    await using bff = await start({ list: () => ({ posts: [post] }) });
    const { headers } = await bff.browser().get(address(bff));
    const again = await bff.browser().get(address(bff)).set('If-None-Match', headers['etag'] ?? '');
    expectStatus(again, 304);
    assert.equal(again.headers['etag'], headers['etag']);
    assert.equal(again.text, '');
  });

  it('serves a stale list while the hook fails', async () => {
    let isDown = false;
    await using bff = await start({ list: () => { if (isDown) throw new Error('down'); return { posts: [post] }; } });
    await bff.browser().get(address(bff));
    isDown = true;
    bff.passTime(45);
    const stale = await bff.browser().get(address(bff));
    expectStatus(stale, 200);
    assert.deepEqual((stale.body as PostList).posts, [post]);
  });

  it('is kept as long as 32 MiB have room for it', async () => {
    const read = new Set<string>();
    const message = 'x'.repeat(9_000);
    await using bff = await start({
      list: ({ page }) => {
        read.add(page);
        return { posts: Array.from({ length: 100 }, (_, i) => ({ ...post, id: i, message })) };
      },
    });
    const readAnew = async (pages: readonly number[]) => {
      read.clear();
      for (const i of pages) expectStatus(await bff.browser().get(`/posts?forum=news&page=${bff.origin}/${i}`), 200);
      return [...read].map((page) => Number(page.split('/').at(-1)));
    };
    const all = Array.from({ length: 50 }, (_, i) => i);
    assert.deepEqual(await readAnew(all), all);
    assert.deepEqual(await readAnew([0, 49]), [0]);
  });

  it('shares one call of the hook between identical reads at the same time', async () => {
    let calls = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using bff = await start({ list: async () => { calls += 1; await held; return { posts: [post] }; } });
    let requests = 0;
    bff.server.on('request', () => { requests += 1; });
    const reads = Promise.all(Array.from({ length: 5 }, () => bff.browser().get(address(bff))));
    await until('five requests, and a call of the hook', () => requests === 5 && calls > 0);
    release();
    for (const res of await reads) expectStatus(res, 200);
    assert.equal(calls, 1);
  });

  it('counts readers who wait for one call once within the limit', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    const list = async () => { calls += 1; await held; return { posts: [] }; };
    await using bff = await startBff({ rateLimits: { lists: 2 }, posts: { list } });
    let requests = 0;
    bff.server.on('request', () => { requests += 1; });
    const reads = Promise.all(Array.from({ length: 5 }, () => bff.browser().get(address(bff))));
    await until('five requests, and a call of the hook', () => requests === 5 && calls > 0);
    release();
    assert.deepEqual((await reads).map(({ status }) => status), [200, 200, 200, 200, 200]);
  });

  it('is cached by the spelling of the address, which the hook receives', async () => {
    const threads = new Map<string, typeof post[]>();
    await using bff = await start({ list: ({ page }) => ({ posts: threads.get(page) ?? [], nextCursor: 'more' }) });
    threads.set(`${bff.origin}/%E6%96%87~`, [post]);
    const list = async (path: string, cursor?: string) => (
      bff.browser().get('/posts').query({ forum: 'news', page: `${bff.origin}/${path}`, ...(cursor && { cursor }) }));
    for (const _ of ['first', 'cached', 'refreshed', 'after the refresh']) {
      assert.deepEqual((await list('%e6%96%87%7E')).body.posts, []);
      const { posts, next_cursor: cursor } = (await list('%E6%96%87~')).body as PostList;
      assert.deepEqual(posts, [post]);
      expectStatus(await list('%E6%96%87~', cursor), 200);
      expectProblem(await list('%e6%96%87%7E', cursor), 'invalid-request');
      bff.passTime(16);
    }
  });

  it('needs no store, also with the cookie of a session', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ posts: { list: () => ({ posts: [] }) } }, { store });
    const browser = bff.browser();
    await browser.signIn();
    store.failAt(1, { applied: false, times: Infinity });
    expectStatus(await browser.get(address(bff)), 200);
  });

  it('carries replies, badges, total and a reason of closing, but no pending entry', async () => {
    const reply = { ...post, id: '2', parent_id: '1', author: { username: 'Jörg', badge: 'Editor' } };
    const list = () => ({ posts: [post, reply, { ...post, id: '3', state: 'pending' as const }], total: 3, closed: 'Closed at night.' });
    await using bff = await start({ list, replies: true, prepare: () => ({ ok: true }) });
    const res = await bff.browser().get(address(bff));
    expectStatus(res, 200);
    assert.deepEqual(res.body, { posts: [post, reply], order: 'newest', replies: true, total: 3, closed: 'Closed at night.' });
  });

  it('asks the hook for the order, newest unless the query names another', async () => {
    const orders: unknown[] = [];
    const list = (context: object) => {
      orders.push('order' in context && context.order);
      return { posts: [post] };
    };
    await using bff = await start({ list });
    for (const query of ['', '&order=newest', '&order=oldest']) expectStatus(await bff.browser().get(address(bff, query)), 200);
    assert.deepEqual(orders, ['newest', 'oldest']);
  });

  it('keeps the order of a cursor', async () => {
    const orders: string[] = [];
    const list: PostsHooks['list'] = ({ order, cursor = '' }) => {
      orders.push(order + cursor);
      return { posts: [post], nextCursor: `${cursor}x` };
    };
    await using bff = await start({ list });
    const { next_cursor: cursor = '' } = (await bff.browser().get(address(bff, '&order=oldest'))).body as PostList;
    for (const query of ['', '&order=newest']) {
      expectStatus(await bff.browser().get(address(bff, `&cursor=${encodeURIComponent(cursor)}${query}`)), 200);
    }
    assert.deepEqual(orders, ['oldest', 'oldestx']);
  });

  it('takes an instant without an offset as UTC, and the spelling of databases', async () => {
    const instants = ['2026-01-02T03:04:05', '2026-01-02 03:04:05', '2026-01-02 04:04:05+01', '2026-01-02 03:04:05.000+00:00'];
    await using bff = await start({ list: () => ({ posts: instants.map((created_at) => ({ ...post, created_at })) }) });
    const { posts } = (await bff.browser().get(address(bff))).body as PostList;
    const expected = instants.map(() => Date.UTC(2026, 0, 2, 3, 4, 5));
    assert.deepEqual(posts.map(({ created_at }) => new Date(created_at).getTime()), expected);
  });

  it('takes whole numbers as ids, null as absent, and ignores further members', async () => {
    const row = { id: 7, parent_id: 1n, author: { username: 'Ada', badge: null, karma: 3 }, likes: null, removed: null, score: 9 };
    const posts = [{ ...post, ...row }, { ...post, parent_id: null }];
    await using bff = await start({ list: () => ({ posts, total: null, nextCursor: null }) });
    assert.deepEqual((await bff.browser().get(address(bff))).body, { posts: [{ ...post, id: '7', parent_id: '1' }, post], order: 'newest' });
  });

  it('sends a removed post without its name and text', async () => {
    const author = { username: 'Ada', badge: 'Editor', user_id: '31007' };
    const removed = { id: '2', removed: true, author, message: 'secret', created_at: post.created_at };
    const bare = { id: '3', removed: true, created_at: post.created_at } as never;
    await using bff = await start({ list: () => ({ posts: [removed, bare] }) });
    const entry = { author: { username: '' }, message: '', created_at: post.created_at, removed: true };
    assert.deepEqual((await bff.browser().get(address(bff))).body, { posts: [{ id: '2', ...entry }, { id: '3', ...entry }], order: 'newest' });
  });

  it('leaves out an entry that is not valid, and names it once in the log with the members at fault', async () => {
    const odd = [
      { ...post, id: 5, created_at: null }, { ...post, id: '6', author: null }, { ...post, id: null, message: '\ud800' }, 'text',
      { ...post, id: '8', author: { username: 'x'.repeat(256) }, likes: -1 },
    ] as never[];
    await using bff = await start({ list: () => ({ posts: [...odd, post] }) });
    assert.deepEqual((await bff.browser().get(address(bff))).body, { posts: [post], order: 'newest' });
    bff.passTime(61);
    await bff.browser().get(address(bff));
    const lines = bff.log.filter(({ level }) => Number(level) >= 40);
    assert.deepEqual(lines.map(({ hook, entries }) => [hook, entries]), [
      ['posts.list', 'id 5 (created_at); id 6 (author); item 3 (id, message); item 4 (no object); id 8 (author.username, likes)'],
    ]);
  });

  it('leaves out an entry whose id cannot stand in a path', async () => {
    const ids = ['a/b', 'a\\b', 'a?b', 'a#b', 'a%2fb', 'a\nb', '..', 'x'.repeat(256)];
    await using bff = await start({ list: () => ({ posts: [...ids.map((id) => ({ ...post, id })), { ...post, id: 'a b~ü:1' }] }) });
    const { posts } = (await bff.browser().get(address(bff))).body as PostList;
    assert.deepEqual(posts.map(({ id }) => id), ['a b~ü:1']);
    const lines = bff.log.filter(({ entries }) => entries !== undefined);
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]?.['entries']), /^item 1 \(id\); item 2 \(id\)/);
  });

  it('refuses a result of another shape', async () => {
    for (const result of [undefined, [], { posts: 'none' }, { posts: [], total: -1 }, { posts: Array.from({ length: 101 }, () => post) }]) {
      await using bff = await start({ list: () => result as never });
      expectProblem(await bff.browser().get(address(bff)), 'internal-error');
    }
  });

  it('is not-found without a hook, whatever the query', async () => {
    await using bff = await start();
    for (const path of [address(bff), '/posts', '/posts?forum=other&page=https://evil.example/']) {
      expectProblem(await bff.browser().get(path), 'not-found');
    }
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

  it('is not read anew for a post of this process', async () => {
    let calls = 0;
    await using bff = await start({ list: () => { calls += 1; return { posts: [{ ...post, id: calls }] }; } });
    const reader = bff.browser();
    await reader.signIn();
    const idOf = async () => ((await bff.browser().get(address(bff))).body as PostList).posts[0]?.id;
    assert.equal(await idOf(), '1');
    const draft = { forum: 'news', message: 'Here', page: `${bff.origin}/a` };
    expectStatus(await reader.post('/posts', draft).set('Idempotency-Key', crypto.randomUUID()), 201);
    assert.equal(await idOf(), '1');
    bff.passTime(61);
    assert.equal(await idOf(), '2');
  });

  it('serves what is cached while the hook is asked again', async () => {
    let calls = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using bff = await start({ list: async () => {
      calls += 1;
      if (calls > 1) await released;
      return { posts: [{ ...post, id: String(calls) }] };
    } });
    const idOf = async () => ((await bff.browser().get(address(bff))).body as PostList).posts[0]?.id;
    assert.equal(await idOf(), '1');
    bff.passTime(16);
    assert.deepEqual([await idOf(), await idOf(), calls], ['1', '1', 2]);
    release();
    await until('the newer list', async () => await idOf() === '2');
  });

  it('waits for the hook where the list is older than a minute', async () => {
    let calls = 0;
    await using bff = await start({ list: () => { calls += 1; return { posts: [{ ...post, id: calls }] }; } });
    const idOf = async () => ((await bff.browser().get(address(bff))).body as PostList).posts[0]?.id;
    assert.equal(await idOf(), '1');
    bff.passTime(61);
    assert.equal(await idOf(), '2');
  });

  it('asks a hook that fails once in 15 s, and serves the earlier list for ten minutes', async () => {
    let calls = 0;
    await using bff = await start({ list: () => { calls += 1; if (calls > 1) throw new Error('down'); return { posts: [post] }; } });
    const status = async () => (await bff.browser().get(address(bff))).status;
    assert.equal(await status(), 200);
    bff.passTime(120);
    assert.deepEqual([await status(), await status(), calls], [200, 200, 2]);
    bff.passTime(481);
    assert.deepEqual([await status(), await status(), calls], [500, 500, 4]);
  });

  it('is read anew after the clock was set back, and never cacheable for more than 15 s', async () => {
    let calls = 0;
    await using bff = await start({ list: () => {
      calls += 1;
      if (calls === 2) bff.passTime(-7200);
      return { posts: [{ ...post, id: calls }] };
    } });
    const read = async () => {
      const { body, headers } = await bff.browser().get(address(bff));
      return [(body as PostList).posts[0]?.id, headers['cache-control']];
    };
    assert.deepEqual(await read(), ['1', 'public, max-age=15']);
    bff.passTime(-7200);
    assert.deepEqual(await read(), ['2', 'public, max-age=15']);
    assert.deepEqual(await read(), ['3', 'public, max-age=15']);
  });

  it('shares a call between concurrent listPosts of the library', async () => {
    let calls = 0;
    await using bff = await start({ list: async () => { calls += 1; return { posts: [post] }; } });
    const query = { page: `${bff.origin}/a` };
    await Promise.all([bff.vestibule.listPosts(query), bff.vestibule.listPosts(query), bff.vestibule.listPosts(query)]);
    assert.equal(calls, 1);
  });

  it('shares its results with listPosts of the library', async () => {
    let calls = 0;
    await using bff = await start({ list: () => { calls += 1; return { posts: [post] }; } });
    const page = `${bff.origin}/a`;
    assert.deepEqual(await bff.vestibule.listPosts({ page }), { posts: [post], order: 'newest' });
    await bff.browser().get(address(bff));
    assert.equal(calls, 1);
    await assert.rejects(bff.vestibule.listPosts({ page: 'https://evil.example/' }), { type: 'invalid-request' });
  });
});
