/** `VESTIBULE_THREADS=service` (contract, section 4): the thread endpoints that the service publishes, in both shapes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostCounts } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { realWorldShapes, type RealWorldShape, type StoredPost } from '../service/index.ts';
import { ARTICLE, listOf, messagesOf, startThread, Writer } from './_thread.ts';

/** Shapes of a service that names the author and proves the user. Without it a comment has no owner. */
const namingShapes = realWorldShapes.filter((shape) => shape !== 'author-without-username' && shape !== 'access-token-only');

const services: Readonly<Record<string, readonly RealWorldShape[]>> = {
  'with the names of its documentation': [], 'with real shapes': namingShapes,
};

const start = (shapes: readonly RealWorldShape[]) => startThread({ threads: 'service', shapes });

for (const [name, shapes] of Object.entries(services)) {
  describe(`a thread of the service ${name}`, () => {
    const shared = suiteResource(() => start(shapes));
    let articles = 0;
    const newPage = () => `${ARTICLE}?id=${articles += 1}`;

    it('lists the posts of an article in both orders and in pages, and counts them', async () => {
      const bff = shared();
      const [page, other] = [newPage(), newPage()];
      const ada = await Writer.signIn(bff, 0, page);
      for (let i = 1; i <= 51; i += 1) await ada.write(`Post ${i}`);
      const first = await listOf(bff, { page });
      const second = await listOf(bff, { page, cursor: first.next_cursor });
      assert.deepEqual([first.posts.length, messagesOf(first)[0], first.total, messagesOf(second), second.next_cursor], [50, 'Post 51', 51, ['Post 1'], undefined]);
      assert.equal(messagesOf(await listOf(bff, { page, order: 'oldest' }))[0], 'Post 1');
      assert.deepEqual((await listOf(bff, { page: other })).posts, []);
      const res = await bff.browser().get(`/posts/counts?${new URLSearchParams([['forum', 'news'], ['page', page], ['page', other]])}`);
      assert.deepEqual((res.body as PostCounts).counts, [51, 0]);
    });

    it('takes replies, and returns their entry', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 0, page);
      const first = await ada.write('First\n<b>one</b>');
      const reply = await ada.write('Reply', first.id);
      assert.deepEqual([reply.parent_id, reply.state, reply.author.key], [first.id, 'published', (await ada.browser.session()).user?.key]);
      const { posts, replies } = await listOf(bff, { page });
      assert.deepEqual([posts.map(({ message, parent_id }) => [message, parent_id]), replies], [[['Reply', first.id], ['First\n<b>one</b>', undefined]], true]);
      assert.notEqual((await (await Writer.signIn(bff, 0, newPage())).post('Astray', first.id)).status, 201);
    });

    it('says that an article is closed', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 0, page);
      await ada.write('Before');
      bff.service.closedThreads.add(page);
      const { closed, posts } = await listOf(bff, { page });
      assert.deepEqual([JSON.stringify(closed).includes('closed'), posts.length], [true, 1]);
      expectProblem(await ada.post('After'), 'service-refused');
    });

    it('lets readers edit, remove and like: the service knows whose comment it is', async () => {
      const bff = shared();
      const page = newPage();
      const [ada, joerg] = [await Writer.signIn(bff, 0, page), await Writer.signIn(bff, 1, page)];
      const { id } = await ada.write('First');
      for (const request of [joerg.edit(id, 'Stolen'), joerg.remove(id), ada.like(id)]) expectProblem(await request, 'post-rejected');
      assert.equal(((await ada.edit(id, 'Better')).body as { listed: { message: string } }).listed.message, 'Better');
      assert.deepEqual((await joerg.like(id)).body, { likes: 1 });
      assert.deepEqual((await joerg.like(id, false)).body, { likes: 0 });
      expectStatus(await ada.remove(id), 204);
      for (const request of [ada.edit(id, 'Late'), ada.remove(id), joerg.like(id)]) assert.equal(expectProblem(await request, 'not-found').status, 410);
    });
  });
}

describe('a thread of the service', () => {
  const stateOf = (bff: Bff, index: number, state: StoredPost['state']) => { (bff.service.posts[index] as StoredPost).state = state; };

  it('shows nothing that the service holds or has removed, and a held comment to its author', async () => {
    await using bff = await start(['moderation-flags']);
    const ada = await Writer.signIn(bff);
    for (const message of ['Held', 'Spam', 'Deleted', 'Shown']) await ada.write(message);
    for (const [i, state] of (['held', 'spam', 'deleted'] as const).entries()) stateOf(bff, i, state);
    assert.deepEqual(messagesOf(await listOf(bff)), ['Shown']);
    bff.service.premoderated.add(ARTICLE);
    assert.equal((await ada.write('Waits')).state, 'pending');
  });

  it('gives way to hooks of the file, each for itself, and to parameters of its prepare', async () => {
    await using bff = await startThread({
      threads: 'service',
      posts: { prepare: () => ({ ok: true, params: { thread: '42' } }), count: ({ pages }) => pages.map(() => 7) },
    });
    const ada = await Writer.signIn(bff);
    await ada.write('First');
    assert.equal(bff.service.posts[0]?.thread, '42');
    const res = await bff.browser().get(`/posts/counts?${new URLSearchParams({ forum: 'news', page: ARTICLE })}`);
    assert.deepEqual((res.body as PostCounts).counts, [7]);
    assert.deepEqual(messagesOf(await listOf(bff)), []);
  });

  it('on a service with the interface alone is a refusal that names the setting in one line', async () => {
    await using bff = await startBff({ threads: 'service', rateLimits: 'off' });
    const page = `${bff.origin}/article`;
    const problem = expectProblem(await bff.browser().get(`/posts?${new URLSearchParams({ forum: 'news', page })}`), 'service-refused');
    assert.equal(problem.detail, 'The comment service does not list comments.');
    const lines = bff.log.filter(({ level }) => Number(level) >= 40).map(({ reason, setting, hook }) => [reason, setting, hook]);
    assert.deepEqual(lines, [['the service has no thread endpoints', 'VESTIBULE_THREADS', 'posts.list']]);
  });
});
