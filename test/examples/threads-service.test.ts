import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectProblem, expectStatus, type Browser } from '../lib/bff.ts';
import { listPosts, signedIn, startExample } from './_example.ts';

const start = () => startExample('threads-service.mjs', { threads: true });

const post = (browser: Browser, body: object) => (
  browser.post('/posts', { forum: 'news', ...body }).set('Idempotency-Key', crypto.randomUUID())
);

describe('examples/threads-service.mjs', () => {
  it('posts into the thread of the article and lists that thread only', async () => {
    await using bff = await start();
    const [ada, jorg] = [await signedIn(bff), await signedIn(bff, 1)];
    const [article, other] = [`${bff.origin}/article?id=1`, `${bff.origin}/article?id=2`];
    expectStatus(await post(ada, { message: 'First\n<b>one</b>', page: article }), 201);
    expectStatus(await post(jorg, { message: 'Second', page: article }), 201);
    expectStatus(await post(jorg, { message: 'Elsewhere', page: other }), 201);
    const [first, second] = bff.service.posts;
    assert.deepEqual(await listPosts(bff, article), {
      posts: [
        { id: second?.id, author: { username: 'Jörg Ünterwald' }, message: 'Second', created_at: second?.createdAt },
        { id: first?.id, author: { username: 'Ada Quill' }, message: 'First\n<b>one</b>', created_at: first?.createdAt },
      ],
    });
    assert.deepEqual((await listPosts(bff, other)).posts.map(({ message }) => message), ['Elsewhere']);
  });

  it('lists a long thread in pages of 20', async () => {
    await using bff = await start();
    const ada = await signedIn(bff);
    const page = `${bff.origin}/article`;
    for (let i = 1; i <= 25; i += 1) expectStatus(await post(ada, { message: `Post ${i}`, page }), 201);
    const first = await listPosts(bff, page);
    const second = await listPosts(bff, page, first.next_cursor);
    assert.deepEqual([first.posts.length, second.posts.length, second.next_cursor], [20, 5, undefined]);
    assert.deepEqual([first.posts[0]?.message, second.posts.at(-1)?.message], ['Post 25', 'Post 1']);
  });

  it('refuses a post without an article, in words for the reader', async () => {
    await using bff = await start();
    const problem = expectProblem(await post(await signedIn(bff), { message: 'Nowhere' }), 'post-rejected');
    assert.equal(problem.detail, 'Comments are possible below an article only.');
    assert.deepEqual(bff.service.posts, []);
  });
});
