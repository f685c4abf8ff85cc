import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ListContext, ListResult } from '../config/hooks.ts';
import { PostLists, type PostListsDeps } from './post-list.ts';

const query = { forum: 'news', page: 'https://www.example.com/a' };
const post = { id: '1', author: { username: 'Ada' }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };

interface Fixture {
  readonly lists: PostLists;
  readonly calls: ListContext[];
  readonly warnings: unknown[];
  passTime(seconds: number): void;
}

function create(list: (context: ListContext) => unknown, hookTimeoutMs = 10_000): Fixture {
  let now = 1_000_000;
  const calls: ListContext[] = [];
  const warnings: unknown[] = [];
  const lists = new PostLists({
    config: { hookTimeoutMs },
    list: (context) => { calls.push(context); return list(context) as ListResult; },
    service: { request: () => Promise.reject(new Error('not expected')) },
    now: () => now,
    log: { warn: (fields: object, message: string) => { warnings.push({ ...fields, message }); } } as PostListsDeps['log'],
  });
  return { lists, calls, warnings, passTime: (seconds) => { now += seconds * 1000; } };
}

/** A result whose JSON has so many bytes. */
function ofBytes(bytes: number): ListResult {
  const posts = Array.from({ length: 20 }, () => ({ ...post, message: 'x'.repeat(52_000) }));
  const missing = bytes - Buffer.byteLength(JSON.stringify({ posts }));
  return { posts: posts.map((listed, i) => (i === 0 ? { ...listed, message: listed.message + 'x'.repeat(missing) } : listed)) };
}

describe('PostLists.find', () => {
  it("returns the hook's result with an entity tag", async () => {
    const { lists, calls } = create(() => ({ posts: [post], nextCursor: 'n' }));
    const { body, list, etag } = await lists.find({ ...query, cursor: 'c' });
    assert.deepEqual(JSON.parse(body.toString()), { posts: [post], next_cursor: 'n' });
    assert.deepEqual(list, { posts: [post], next_cursor: 'n' });
    assert.match(etag, /^"[\w-]{22}"$/);
    const [{ forum, page, cursor, signal } = {} as ListContext] = calls;
    assert.deepEqual({ forum, page, cursor, aborted: signal?.aborted }, { ...query, cursor: 'c', aborted: false });
  });

  it('calls the hook once for 1,000 readers of one page within 15 s', async () => {
    const { lists, calls, passTime } = create(async () => ({ posts: [post] }));
    await Promise.all(Array.from({ length: 500 }, () => lists.find(query)));
    passTime(14.9);
    await Promise.all(Array.from({ length: 500 }, () => lists.find(query)));
    assert.equal(calls.length, 1);
    passTime(0.2);
    await lists.find(query);
    assert.equal(calls.length, 2);
  });

  it('keeps forums, pages and cursors apart', async () => {
    const { lists, calls } = create(({ page, cursor = '' }) => ({ posts: [{ ...post, message: page + cursor }] }));
    await lists.find(query);
    await lists.find({ ...query, page: 'https://www.example.com/b' });
    await lists.find({ ...query, cursor: 'x' });
    await lists.find({ ...query, forum: 'sport' });
    assert.equal(calls.length, 4);
  });

  it('serves the last good result for ten minutes while the hook fails, and calls it again each time', async () => {
    let isDown = false;
    const { lists, calls, warnings, passTime } = create(() => { if (isDown) throw new Error('down'); return { posts: [post] }; });
    const { body } = await lists.find(query);
    isDown = true;
    passTime(60);
    const stale = await lists.find(query);
    assert.deepEqual([stale.body, stale.ageMs], [body, 60_000]);
    passTime(9 * 60);
    assert.equal((await lists.find(query)).body, body);
    assert.equal(calls.length, 3);
    assert.partialDeepStrictEqual(warnings[0], { setting: 'VESTIBULE_CONFIG', message: 'posts.list failed; readers get an earlier list' });
    passTime(1);
    await assert.rejects(lists.find(query), { type: 'internal-error' });
    assert.equal(warnings.length, 2, 'a warning for each earlier list, none for the failure');
    isDown = false;
    assert.equal((await lists.find(query)).ageMs, 0);
  });

  it('calls the hook again for each list of a page that has a new post, and for no other page', async () => {
    const { lists, calls } = create(() => ({ posts: [post] }));
    const other = { ...query, page: 'https://www.example.com/b' };
    const reads = [query, { ...query, cursor: 'x' }, other, { ...query, forum: 'sport' }];
    for (const read of reads) await lists.find(read);
    lists.expire(query);
    for (const read of [...reads, ...reads]) await lists.find(read);
    assert.deepEqual(calls.slice(reads.length).map(({ forum, page, cursor }) => [forum, page, cursor]), [
      ['news', query.page, undefined], ['news', query.page, 'x'],
    ]);
  });

  it('does not serve a result whose call began before the post', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { lists, calls } = create(async () => {
      const id = String(calls.length);
      begun.resolve();
      if (id === '1') await held.promise;
      return { posts: [{ ...post, id }] };
    });
    const before = lists.find(query);
    await begun.promise;
    lists.expire(query);
    const after = lists.find(query);
    held.resolve();
    assert.deepEqual((await Promise.all([before, after])).map(({ list }) => list.posts[0]?.id), ['2', '2']);
    assert.equal(calls.length, 2);
  });

  it('does not serve such a result either when the call takes as long as it may', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { lists, calls, passTime } = create(async () => {
      const id = String(calls.length);
      begun.resolve();
      if (id === '1') await held.promise;
      return { posts: [{ ...post, id }] };
    });
    const reading = lists.find(query);
    await begun.promise;
    lists.expire(query);
    // The cache reads its clock at most once in a millisecond.
    await new Promise((resolve) => { setTimeout(resolve, 2); });
    passTime(9.9);
    held.resolve();
    assert.equal((await reading).list.posts[0]?.id, '2');
  });

  it('keeps an empty list of a page with a long address', async () => {
    const { lists, calls } = create(() => ({ posts: [] }));
    const long = { ...query, page: `${query.page}?${'x'.repeat(2_000)}` };
    await lists.find(long);
    assert.deepEqual((await lists.find(long)).list, { posts: [] });
    assert.equal(calls.length, 1);
  });

  it('calls the service in the partition of the hook', async () => {
    const partitions: unknown[] = [];
    const lists = new PostLists({
      config: { hookTimeoutMs: 10_000 },
      list: async ({ service }) => { await service.request('GET', '/posts'); return { posts: [] }; },
      service: {
        request: async (...[, , , options]: readonly unknown[]) => {
          partitions.push((options as { partition: string }).partition);
          return {} as never;
        },
      },
      now: Date.now,
      log: { warn: () => undefined },
    });
    await lists.find(query);
    assert.deepEqual(partitions, ['posts.list']);
  });

  it('serves the last good result when the hook fails after a new post', async () => {
    let isDown = false;
    const { lists, calls } = create(() => { if (isDown) throw new Error('down'); return { posts: [post] }; });
    const { body } = await lists.find(query);
    isDown = true;
    lists.expire(query);
    assert.equal((await lists.find(query)).body, body);
    assert.equal((await lists.find(query)).body, body);
    assert.equal(calls.length, 3);
  });

  const cyclicPost: Record<string, unknown> = { ...post };
  cyclicPost['author'] = { username: 'Ada', post: cyclicPost };
  const cyclic: Record<string, unknown> = { posts: [] };
  cyclic['self'] = cyclic;
  const hostile: Readonly<Record<string, () => unknown>> = {
    nothing: () => undefined,
    'a list': () => [post],
    'a cycle': () => cyclic,
    'a cycle within a post': () => ({ posts: [cyclicPost] }),
    true: () => true,
    'a text': () => JSON.stringify({ posts: [post] }),
    'posts as an object': () => ({ posts: { 0: post, length: 1 } }),
    'a cursor that is a number': () => ({ posts: [], nextCursor: 2 }),
    'an empty cursor': () => ({ posts: [], nextCursor: '' }),
    'a hole in the list': () => ({ posts: new Array(1) }),
    'a million posts': () => ({ posts: new Array(1_000_000).fill(post) }),
    'a name of 256 characters': () => ({ posts: [{ ...post, author: { username: 'x'.repeat(256) } }] }),
    'a getter that throws within a post': () => ({ posts: [{ ...post, get message(): never { throw new Error('canary'); } }] }),
    'a thenable whose `then` throws': () => ({ get then(): never { throw new Error('canary'); } }),
    'a thenable that resolves with nothing': () => ({ then: (resolve: (value: unknown) => void) => { resolve(undefined); } }),
    'an unknown member': () => ({ posts: [], html: '<b>' }),
    'a missing author': () => ({ posts: [{ ...post, author: undefined }] }),
    'a number as id': () => ({ posts: [{ ...post, id: 1 }] }),
    'a date that is none': () => ({ posts: [{ ...post, created_at: 'yesterday' }] }),
    'a lone surrogate': () => ({ posts: [{ ...post, message: '\ud800' }] }),
    '101 posts': () => ({ posts: Array.from({ length: 101 }, () => post) }),
    'a message over 64 KiB': () => ({ posts: [{ ...post, message: 'é'.repeat(33_000) }] }),
    'over 1 MiB in all': () => ({ posts: Array.from({ length: 17 }, () => ({ ...post, message: 'x'.repeat(64_000) })) }),
    'a getter that throws': () => ({ get posts(): never { throw new Error('canary'); } }),
    'a proxy that throws': () => ({ posts: new Proxy([], { get: () => { throw new Error('canary'); } }) }),
    'a thenable that rejects': () => ({ then: (_: unknown, reject: (error: Error) => void) => { reject(new Error('canary')); } }),
  };
  for (const [what, list] of Object.entries(hostile)) {
    it(`is internal-error that names the hook when it returns ${what}`, async () => {
      const { lists } = create(list);
      await assert.rejects(lists.find(query), (error: Error & { type: string; detail: string }) => {
        const { type, detail } = error;
        const cause = error.cause as Error;
        assert.equal(type, 'internal-error');
        assert.match(cause.message, /^The hook posts\.list (?:returned|threw)/);
        assert.doesNotMatch(`${cause.stack} ${detail}`, /canary|Hello/);
        return true;
      });
    });
  }

  const accepted: Readonly<Record<string, ListResult>> = {
    'a message of 64 KiB': { posts: [{ ...post, message: 'x'.repeat(64 * 1024) }] },
    'an id of 256 and a name of 255 characters': { posts: [{ ...post, id: 'i'.repeat(256), author: { username: 'n'.repeat(255) } }] },
    'a time with an offset': { posts: [{ ...post, created_at: '2026-01-02T03:04:05.678+02:00' }] },
    'a cursor of 512 characters': { posts: [], nextCursor: 'c'.repeat(512) },
    'exactly 1 MiB': ofBytes(1024 * 1024),
  };
  for (const [what, result] of Object.entries(accepted)) {
    it(`accepts ${what}`, async () => {
      assert.deepEqual((await create(() => result).lists.find(query)).list.posts, result.posts);
    });
  }

  it('refuses one byte more than 1 MiB', async () => {
    await assert.rejects(create(() => ofBytes(1024 * 1024 + 1)).lists.find(query), { type: 'internal-error' });
  });

  for (const isKnown of [false, true]) {
    it(`returns ${isKnown ? 'an old list, read again,' : 'a new list'} whose place in the cache others take meanwhile`, async () => {
      const { promise, resolve } = Promise.withResolvers<ListResult>();
      let isHeld = !isKnown;
      const { lists, passTime } = create(({ page }) => (page === query.page && isHeld ? promise : ofBytes(1024 * 1024)));
      if (isKnown) await lists.find(query);
      passTime(601);
      isHeld = true;
      const reading = lists.find(query);
      for (let other = 0; other < 33; other += 1) await lists.find({ ...query, page: `https://www.example.com/${other}` });
      resolve({ posts: [post] });
      assert.deepEqual((await reading).list.posts, [post]);
    });
  }

  it('passes no cursor to the hook for the first page, and returns none for the last', async () => {
    const { lists, calls } = create(() => ({ posts: [post] }));
    const { list, body } = await lists.find(query);
    assert.deepEqual(['cursor' in (calls[0] ?? {}), 'next_cursor' in list, body.includes('next_cursor')], [false, false, false]);
  });

  it('shows the reader that the comments cannot be loaded, and the operator the expected shape', async () => {
    await assert.rejects(create(() => true).lists.find(query), (error: Error & { detail: string }) => {
      assert.equal(error.detail, 'The comments cannot be loaded just now.');
      assert.match((error.cause as Error).message, /posts: \[\{ id, author: \{ username \}, message, created_at \}\], nextCursor\? \}: at most 100 posts, 64 KiB each/);
      return true;
    });
  });

  it('takes 100 posts', async () => {
    const { lists } = create(() => ({ posts: Array.from({ length: 100 }, () => post) }));
    assert.equal((await lists.find(query)).list.posts.length, 100);
  });

  it('is internal-error when the hook hangs', async () => {
    const { lists } = create(() => new Promise(() => undefined), 5);
    await assert.rejects(lists.find(query), { type: 'internal-error' });
  });
});
