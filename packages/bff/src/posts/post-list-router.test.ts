import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { ProblemError } from '../http/problem-error.ts';
import { serveApp, type Served } from '../http/_serve.ts';
import { createPostListRouter, parsePostListQuery } from './post-list-router.ts';
import { FRESH_SECONDS, PostLists, type PostListQuery } from './post-list.ts';

const config = { forums: ['news', 'sport'], origins: ['https://www.example.com', 'https://bff.example.com'] };
const rules = { forums: config.forums, origins: ['https://www.example.com'] };
const PAGE = 'https://www.example.com/a';
const post = { id: '1', author: { username: 'Ada' }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };

interface Fixture extends Served {
  readonly asked: PostListQuery[];
  passTime(seconds: number): void;
  failFromNowOn(): void;
}

const unlimited: RequestHandler = (_req, _res, next) => { next(); };

async function serveList(limit = unlimited): Promise<Fixture> {
  let now = 1_000_000;
  let fails = false;
  const asked: PostListQuery[] = [];
  const postLists = new PostLists({
    config: { hookTimeoutMs: 1_000 },
    list: async ({ forum, page, cursor }) => {
      asked.push({ forum, page, ...(cursor !== undefined && { cursor }) });
      if (fails) throw new Error('the hook fails');
      return { posts: [post] };
    },
    service: { request: () => Promise.reject(new Error('not expected')) },
    now: () => now,
    log: { warn: () => undefined },
  });
  const served = await serveApp((app) => { app.use(createPostListRouter({ config, postLists, limit })); });
  return { ...served, asked, passTime: (seconds) => { now += seconds * 1000; }, failFromNowOn: () => { fails = true; } };
}

const get = ({ request }: Served, query: string) => request.get(`/posts?${query}`);

describe('GET /posts', () => {
  it('sends the list to any page, with its freshness and entity tag', async () => {
    await using served = await serveList();
    const { status, headers, body } = await get(served, `forum=sport&page=${PAGE}&cursor=c`);
    assert.deepEqual([status, body, served.asked], [200, { posts: [post] }, [{ forum: 'sport', page: PAGE, cursor: 'c' }]]);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['cache-control'], `public, max-age=${FRESH_SECONDS}`);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-status'], undefined);
    assert.equal((await get(served, `forum=sport&page=${PAGE}&cursor=c`).set('If-None-Match', headers['etag'] ?? '')).status, 304);
  });

  it('lets any page read a failure and its headers too, also that of the rate limit', async () => {
    await using served = await serveList(() => { throw new ProblemError('too-many-requests', { retryAfterSeconds: 60 }); });
    const { status, headers } = await get(served, `forum=news&page=${PAGE}`);
    assert.deepEqual([status, headers['access-control-allow-origin'], headers['retry-after']], [429, '*', '60']);
    assert.match(headers['access-control-expose-headers'] ?? '', /Retry-After.*X-Request-Id/);
  });

  it('tells caches how long a result stays fresh, at least one second', async () => {
    await using served = await serveList();
    const query = `forum=news&page=${PAGE}`;
    await get(served, query);
    for (const [seconds, maxAge] of [[10, 5], [4.9, 1]] as const) {
      served.passTime(seconds);
      const { headers } = await get(served, query);
      assert.deepEqual([headers['cache-control'], headers['cache-status']], [`public, max-age=${maxAge}`, undefined]);
    }
  });

  it('marks a stale result with its age', async () => {
    await using served = await serveList();
    const query = `forum=news&page=${PAGE}`;
    await get(served, query);
    served.failFromNowOn();
    served.passTime(FRESH_SECONDS);
    assert.equal((await get(served, query)).headers['cache-status'], undefined);
    served.passTime(30);
    const { headers } = await get(served, query);
    assert.deepEqual([headers['cache-control'], headers['cache-status']], ['public, max-age=1', 'vestibule; hit; ttl=-30']);
  });

  it('refuses before it asks the hook, also without a hook', async () => {
    const deps = { config, postLists: undefined, limit: unlimited };
    await using without = await serveApp((app) => { app.use(createPostListRouter(deps)); });
    await using served = await serveList();
    for (const [query, type] of [
      ['forum=other&page=https://www.example.com/a', 'forum-not-allowed'], ['forum=news&page=https://elsewhere.example/a', 'invalid-request'],
      [`forum=news&forum=news&page=${PAGE}`, 'invalid-request'], [`forum=news&page=${PAGE}&page=${PAGE}`, 'invalid-request'],
      [`forum=news&page=${PAGE}&cursor=a&cursor=b`, 'invalid-request'],
    ] as const) {
      for (const one of [served, without]) {
        const { body, headers } = await get(one, query);
        assert.match((body as { type: string }).type, new RegExp(`:${type}$`), query);
        assert.equal(headers['access-control-allow-origin'], '*');
      }
    }
    assert.deepEqual(served.asked, []);
    const { status, body } = await get(without, `forum=news&page=${PAGE}`);
    assert.equal(status, 404);
    assert.match((body as { type: string }).type, /:not-found$/);
  });

  it('accepts pages of the public URL\'s origin, and answers one path in one spelling, in JSON', async () => {
    await using served = await serveList();
    assert.equal((await get(served, 'forum=news&page=https://bff.example.com/a')).status, 200);
    assert.equal((await served.request.get(`/Posts?forum=news&page=${PAGE}`)).status, 404);
    assert.equal((await get(served, `forum=news&page=${PAGE}`).set('Accept', 'text/html')).status, 406);
  });
});

describe('parsePostListQuery', () => {
  const parse = (query: Parameters<typeof parsePostListQuery>[1]) => parsePostListQuery(rules, { forum: 'news', page: PAGE, ...query });
  const refusal = (detail: string) => (error: unknown) => (
    error instanceof ProblemError && error.type === 'invalid-request' && error.detail === detail
  );

  it('returns forum, page and cursor, and the default forum', () => {
    assert.deepEqual(parse({ cursor: 'c' }), { forum: 'news', page: PAGE, cursor: 'c' });
    assert.deepEqual(parse({ forum: undefined }), { forum: 'news', page: PAGE, cursor: undefined });
  });

  it('requires a page', () => {
    assert.throws(() => parse({ page: undefined }), refusal('page is missing.'));
  });

  it('accepts a cursor of 1 to 512 characters', () => {
    for (const cursor of ['c', 'c'.repeat(512)]) assert.equal(parse({ cursor }).cursor, cursor);
    for (const cursor of ['', 'c'.repeat(513)]) assert.throws(() => parse({ cursor }), refusal('cursor must hold 1 to 512 characters.'));
  });
});
