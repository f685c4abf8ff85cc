/** The shipped example of a thread of one's own (`packages/bff/examples`), before the emulated service in both shapes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostConversation, PostCounts } from '@vestibule/shared';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { realWorldShapes, type RealWorldShape } from '../service/index.ts';
import { listOf, messagesOf, Writer } from './_thread.ts';

process.env['COMMENTS'] = ':memory:';

/** Without the shape whose readers are not proven: they own no comment. */
const shapesOf: Readonly<Record<string, readonly RealWorldShape[]>> = {
  'the names of the documentation': [], 'real shapes': realWorldShapes.filter((shape) => shape !== 'access-token-only'),
};

/** With an empty database. */
async function start(shapes: readonly RealWorldShape[]) {
  const { default: settings } = await import(`../../packages/bff/examples/own-database.mjs?${crypto.randomUUID()}`) as { default: BffSettings };
  return startBff({ ...settings, rateLimits: 'off', serviceOptions: { realWorldShapes: shapes } });
}

for (const [name, shapes] of Object.entries(shapesOf)) {
  describe(`examples/own-database.mjs, before a service with ${name}`, () => {
    const shared = suiteResource(() => start(shapes));
    let articles = 0;
    const signIn = (reader: number, page: string) => Writer.signIn(shared(), reader, page);
    const newPage = () => `${shared().origin}/article?${articles += 1}`;

    it('lists and counts what readers post, once, in both orders and in pages', async () => {
      const page = newPage();
      const ada = await signIn(0, page);
      for (let i = 0; i < 2; i += 1) assert.equal((await ada.post('Comment 1', undefined, 'the-same-key')).status, 201);
      for (let i = 2; i <= 51; i += 1) await ada.write(`Comment ${i}`);
      expectProblem(await ada.browser.createPost('Nowhere'), 'post-rejected');
      const first = await listOf(shared(), { page });
      const second = await listOf(shared(), { page, cursor: first.next_cursor });
      assert.deepEqual([first.posts.length, messagesOf(first)[0], first.total, messagesOf(second), second.next_cursor], [50, 'Comment 51', 51, ['Comment 1'], undefined]);
      const oldest = await listOf(shared(), { page, order: 'oldest' });
      assert.deepEqual([messagesOf(oldest)[0], messagesOf(await listOf(shared(), { page, order: 'oldest', cursor: oldest.next_cursor }))], ['Comment 1', ['Comment 51']]);
      const counts = await shared().browser().get(`/posts/counts?${new URLSearchParams([['forum', 'news'], ['page', page], ['page', newPage()]])}`);
      assert.deepEqual((counts.body as PostCounts).counts, [51, 0]);
    });

    it('takes replies to a comment of the article, and has the conversation of each', async () => {
      const page = newPage();
      const ada = await signIn(0, page);
      const root = await ada.write('Root');
      const reply = await ada.write('Reply', root.id);
      const deep = await ada.write('Deep', reply.id);
      await ada.write('Another');
      expectProblem(await (await signIn(0, newPage())).post('Astray', root.id), 'post-rejected');
      const { posts, replies, conversation } = await listOf(shared(), { page });
      assert.deepEqual(posts.map(({ message, parent_id, in_reply_to }) => [message, parent_id, in_reply_to?.message]), [
        ['Another', undefined, undefined], ['Deep', reply.id, 'Reply'], ['Reply', root.id, 'Root'], ['Root', undefined, undefined],
      ]);
      assert.deepEqual([replies, conversation], [true, true]);
      const conversationOf = async (id: string, at = page) => {
        const res = await shared().browser().get(`/posts/${id}/conversation?${new URLSearchParams({ forum: 'news', page: at })}`);
        return messagesOf(res.body as PostConversation);
      };
      assert.deepEqual(await conversationOf(deep.id), ['Root', 'Reply', 'Deep']);
      assert.deepEqual(await conversationOf(root.id), ['Root', 'Reply']);
      assert.deepEqual(await conversationOf(root.id, newPage()), []);
    });

    it('lets readers edit, remove and like, each only what they may; a removed comment with replies stays as a placeholder', async () => {
      const page = newPage();
      const [ada, joerg] = [await signIn(0, page), await signIn(1, page)];
      const { id } = await ada.write('First');
      await joerg.write('Reply', id);
      for (const request of [joerg.edit(id, 'Stolen'), joerg.remove(id), ada.like(id)]) expectProblem(await request, 'post-rejected');
      assert.equal(((await ada.edit(id, 'Better')).body as { listed: { message: string } }).listed.message, 'Better');
      for (const _ of [1, 2]) assert.deepEqual((await joerg.like(id)).body, { likes: 1 });
      assert.deepEqual((await joerg.like(id, false)).body, { likes: 0 });
      expectStatus(await ada.remove(id), 204);
      for (const request of [ada.edit(id, 'Late'), ada.remove(id), joerg.like(id)]) assert.equal(expectProblem(await request, 'not-found').status, 410);
      const { posts, total } = await listOf(shared(), { page });
      assert.deepEqual([posts.map(({ message, removed }) => [message, removed]), total], [[['Reply', undefined], ['', true]], 1]);
    });
  });
}

it('examples/own-database.mjs shows a comment that the service holds to its author alone', async () => {
  await using bff = await start(['moderation-flags']);
  const page = `${bff.origin}/held`;
  const ada = await Writer.signIn(bff, 0, page);
  bff.service.premoderated.add(bff.service.readers[0]!.user_id);
  const held = await ada.write('Waits');
  assert.equal(held.state, 'pending');
  assert.equal(((await ada.edit(held.id, 'Still waits')).body as { listed: { state: string } }).listed.state, 'pending');
  assert.deepEqual((await listOf(bff, { page })).posts, []);
});

it('examples/own-database.mjs lists no comment of a service that names no id: the author has the post alone', async () => {
  await using bff = await start([]);
  const page = `${bff.origin}/without-ids`;
  const ada = await Writer.signIn(bff, 0, page);
  bff.service.faults.always('posts', { kind: 'rewrite', change: (body: object) => ({ ...body, response: {} }) });
  for (const key of ['the-same-key', 'the-same-key', 'another-key']) assert.deepEqual((await ada.post('Hello', undefined, key)).body, { post: {} });
  assert.deepEqual((await listOf(bff, { page })).posts, []);
});
