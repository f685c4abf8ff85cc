/** `GET /posts/{id}/conversation`, and what lists say of conversations and orders (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProblemError, type VestibuleConfig } from '@vestibule/bff';
import type { PostList } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';

type PostsHooks = NonNullable<VestibuleConfig['posts']>;

const post = { id: '1', author: { username: 'Ada' }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };
const reply = { ...post, id: '2', parent_id: '1' };
const list = () => ({ posts: [] });

const start = (posts: PostsHooks, settings: object = {}): Promise<Bff> => startBff({ posts: { list, ...posts }, ...settings });

const queryOf = (bff: Bff, more: Readonly<Record<string, string>> = {}) => (
  new URLSearchParams({ forum: 'news', page: `${bff.origin}/a`, ...more })
);
const conversation = async (bff: Bff, id: string, more?: Readonly<Record<string, string>>) => (
  bff.browser().get(`/posts/${id}/conversation?${queryOf(bff, more)}`)
);
const listOf = async (bff: Bff, more?: Readonly<Record<string, string>>) => (
  (await bff.browser().get(`/posts?${queryOf(bff, more)}`)).body as PostList
);

describe('GET /posts/{id}/conversation', () => {
  it('has what the hook returns for the comment, forum and page, publicly, cacheable for 15 s', async () => {
    const asked: unknown[] = [];
    await using bff = await start({
      conversation: ({ id, forum, page }) => {
        asked.push([id, forum, new URL(page).pathname]);
        return { posts: [post, reply, { ...reply, id: '3', state: 'pending' }] };
      },
    });
    const res = await bff.browser().get(`/posts/2/conversation?${queryOf(bff)}`).set('Origin', 'https://elsewhere.example');
    expectStatus(res, 200);
    assert.deepEqual(res.body, { posts: [post, reply] });
    assert.deepEqual([res.headers['cache-control'], res.headers['access-control-allow-origin']], ['public, max-age=15', '*']);
    await conversation(bff, '2');
    assert.deepEqual(asked, [['2', 'news', '/a']]);
  });

  it('is empty for a comment that is not there, and not-found without the hook only', async () => {
    await using bff = await start({ conversation: () => ({ posts: [] }) });
    assert.deepEqual((await conversation(bff, 'x')).body, { posts: [] });
    await using without = await start({});
    for (const query of [queryOf(without), '', 'forum=other&page=https://evil.example/']) {
      expectProblem(await without.browser().get(`/posts/x/conversation?${query}`), 'not-found');
    }
  });

  it('is empty for a comment that the hook marks as held, or leaves out', async () => {
    const held = { ...reply, state: 'pending' as const };
    for (const posts of [[post, held], [post]]) {
      await using bff = await start({ conversation: () => ({ posts }) });
      assert.deepEqual((await conversation(bff, '2')).body, { posts: [] });
      assert.deepEqual((await conversation(bff, '1')).body, { posts: [post] });
    }
  });

  it('refuses an id that could be a path, and a page that is not allowed, before the hook runs', async () => {
    let calls = 0;
    await using bff = await start({ conversation: () => { calls += 1; return { posts: [] }; } });
    for (const id of ['a%2Fb', '%2e%2e', 'a%3Fb', 'a%00']) expectProblem(await conversation(bff, id), 'invalid-request');
    expectProblem(await conversation(bff, '1', { page: 'https://evil.example/' }), 'invalid-request');
    expectProblem(await conversation(bff, '1', { forum: 'other' }), 'forum-not-allowed');
    assert.equal(calls, 0);
  });

  it('is cached under the spelling that was sent', async () => {
    const pages: string[] = [];
    await using bff = await start({ conversation: ({ page }) => { pages.push(new URL(page).pathname); return { posts: [] }; } });
    for (const path of ['/%7Ea', '/~a', '/%7Ea']) await conversation(bff, '1', { page: bff.origin + path });
    assert.deepEqual(pages, ['/%7Ea', '/~a']);
  });

  it('counts with the lists within the limit; results from the cache do not', async () => {
    await using bff = await start({ conversation: () => ({ posts: [] }) }, { rateLimits: { lists: 2 } });
    for (const id of ['1', '2', '1']) expectStatus(await conversation(bff, id), 200);
    expectProblem(await conversation(bff, '3'), 'too-many-requests');
    expectProblem(await bff.browser().get(`/posts?${queryOf(bff)}`), 'too-many-requests');
  });

  it('of a hook that fails is an earlier result, or a problem that leaves no outcome unknown', async () => {
    let isDown = false;
    await using bff = await start({
      conversation: () => {
        if (isDown) throw new ProblemError('outcome-unknown');
        return { posts: [post] };
      },
    });
    await conversation(bff, '1');
    isDown = true;
    bff.passTime(20);
    assert.deepEqual((await conversation(bff, '1')).body, { posts: [post] });
    expectProblem(await conversation(bff, '2'), 'service-unavailable');
  });
});

describe('a list of conversations', () => {
  const parent = { ...post, id: 'p' };
  const quote = { username: 'Ada', message: '🙂'.repeat(300) };

  it('has whom a reply answers, cut to 200 code points, and picks', async () => {
    await using bff = await start({ list: () => ({ posts: [
      { ...parent, pick: true }, { ...reply, parent_id: 'elsewhere', in_reply_to: quote, pick: false },
    ] }) });
    const { posts } = await listOf(bff);
    assert.deepEqual(posts, [
      { ...parent, pick: true },
      { ...reply, parent_id: 'elsewhere', in_reply_to: { username: 'Ada', message: '🙂'.repeat(200) } },
    ]);
  });

  it('quotes no comment that it shows as removed or held', async () => {
    for (const hidden of [{ ...parent, removed: true }, { ...parent, state: 'pending' as const }]) {
      await using bff = await start({ list: () => ({ posts: [{ ...reply, parent_id: 'p', in_reply_to: quote }, hidden] }) });
      const { posts } = await listOf(bff);
      assert.deepEqual(posts.find(({ id }) => id === '2'), { ...reply, parent_id: 'p' });
    }
  });

  it('names its order, the orders where they are not the two, and that there are conversations', async () => {
    const asked: string[] = [];
    const named = ({ order }: { order: string }) => { asked.push(order); return { posts: [] }; };
    await using plain = await start({ list: named });
    assert.deepEqual(await listOf(plain, { order: 'top' }), { posts: [], order: 'newest' });
    await using bff = await start({ list: named, orders: ['newest', 'oldest', 'top'], conversation: () => ({ posts: [] }) });
    const more = { orders: ['newest', 'oldest', 'top'], conversation: true };
    assert.deepEqual(await listOf(bff, { order: 'top' }), { posts: [], order: 'top', ...more });
    assert.deepEqual(asked, ['newest', 'top']);
    for (const order of ['best', 'latest']) expectProblem(await bff.browser().get(`/posts?${queryOf(bff, { order })}`), 'invalid-request');
  });

  it('keeps the order of a cursor, top too', async () => {
    await using bff = await start({
      orders: ['newest', 'top'],
      list: ({ order, cursor }) => ({ posts: [{ ...post, message: `${order} ${cursor ?? ''}` }], nextCursor: 'n' }),
    });
    const { next_cursor: cursor = '' } = await listOf(bff, { order: 'top' });
    const next = await listOf(bff, { order: 'newest', cursor });
    assert.deepEqual([next.order, next.posts[0]!.message], ['top', 'top n']);
  });
});
