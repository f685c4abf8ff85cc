/** Conversations and orders of both ready-made threads (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostConversation } from '@vestibule/shared';
import type { Bff } from '../lib/bff.ts';
import { expectStatus } from '../lib/reader.ts';
import { realWorldShapes } from '../service/index.ts';
import { ARTICLE, listOf, messagesOf, startThread, Writer } from './_thread.ts';

async function conversationOf(bff: Bff, id: string, query: Readonly<Record<string, string>> = {}): Promise<PostConversation> {
  const res = await bff.browser().get(`/posts/${id}/conversation?${new URLSearchParams({ forum: 'news', page: ARTICLE, ...query })}`);
  expectStatus(res, 200);
  return res.body as PostConversation;
}

describe('a thread of our own', () => {
  it('orders by likes, and a list that was begun goes on as it began', async () => {
    await using bff = await startThread();
    const [ada, joerg, sophia] = [await Writer.signIn(bff), await Writer.signIn(bff, 1), await Writer.signIn(bff, 2)];
    const ids: string[] = [];
    for (let i = 0; i < 22; i += 1) ids.push((await ada.write(`Comment ${i}`)).id);
    for (const reader of [joerg, sophia]) await reader.like(ids[3]!);
    await joerg.like(ids[5]!);
    const first = await listOf(bff, { order: 'top' });
    assert.deepEqual(messagesOf(first).slice(0, 3), ['Comment 3', 'Comment 5', 'Comment 21']);
    await joerg.like(ids[0]!);
    await sophia.like(ids[0]!);
    bff.passTime(601);
    assert.deepEqual(messagesOf(await listOf(bff, { order: 'top' })).slice(0, 3), ['Comment 3', 'Comment 0', 'Comment 5']);
    const second = await listOf(bff, { order: 'top', cursor: first.next_cursor });
    assert.deepEqual(messagesOf(second), ['Comment 1', 'Comment 0']);
  });

  it('lists the news by publication: a comment that was held is new when it is approved', async () => {
    await using bff = await startThread({ shapes: ['moderation-flags'] });
    const ada = await Writer.signIn(bff);
    const user = bff.service.readers[0]!.user_id;
    bff.service.premoderated.add(user);
    const held = await ada.write('Held');
    bff.service.premoderated.delete(user);
    const root = await ada.write('Root');
    await ada.write('Reply', root.id);
    assert.deepEqual(messagesOf(await listOf(bff, { order: 'latest' })), ['Reply', 'Root']);
    await bff.vestibule.comments!.approve(held.id);
    const { posts } = await listOf(bff, { order: 'latest' });
    assert.deepEqual(posts.map(({ message, in_reply_to }) => [message, in_reply_to?.message]), [['Held', undefined], ['Reply', undefined], ['Root', undefined]]);
    assert.deepEqual(messagesOf(await listOf(bff)), ['Root', 'Reply', 'Held']);
  });

  it('has the conversation around a comment, in pages, of its article only', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    const root = await ada.write('Root');
    const ids: string[] = [];
    for (let i = 1; i <= 150; i += 1) ids.push((await ada.write(`Reply ${i}`, ids.at(-1) ?? root.id)).id);
    const read = (id: string, query?: Readonly<Record<string, string>>) => conversationOf(bff, id, query);
    const around = await read(ids[99]!);
    assert.equal(around.posts.length, 100);
    assert.deepEqual([messagesOf(around)[0], messagesOf(around).includes('Reply 100')], ['Root', true]);
    assert.deepEqual([around.posts[1]?.in_reply_to?.message, around.posts[2]?.in_reply_to], ['Reply 50', undefined]);
    const [earlier, later] = [await read(ids[99]!, { before: around.before! }), await read(ids[99]!, { after: around.after! })];
    const all = new Set([...messagesOf(around), ...messagesOf(earlier), ...messagesOf(later)]);
    assert.deepEqual([all.size, earlier.before, later.after], [151, undefined, undefined]);
    assert.deepEqual((await read('unknown')).posts, []);
    assert.deepEqual((await read(root.id, { page: `${ARTICLE}?other` })).posts, []);
  });

  it('tells the number of all comments below one, held and removed ones aside', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    const root = await ada.write('Root');
    for (let i = 1; i <= 21; i += 1) await ada.write(`Reply ${i}`, root.id);
    const reply = await ada.write('Last', root.id);
    expectStatus(await ada.remove(reply.id), 204);
    const { posts } = await listOf(bff);
    assert.deepEqual([posts[0]?.reply_count, posts.length], [21, 21]);
  });

  it('keeps the conversation below its limit, whatever readers write', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    const text = '\u0001'.repeat(9_999);
    const root = await ada.write(`${text}a`);
    for (let i = 0; i < 30; i += 1) await ada.write(`${text}b`, root.id);
    const { posts, after } = await conversationOf(bff, root.id);
    assert.ok(posts.length > 5 && after !== undefined);
  });
});

describe('a thread of the service', () => {
  for (const shapes of [[], realWorldShapes.filter((shape) => shape !== 'author-without-username' && shape !== 'access-token-only')]) {
    it(`has the parents of a linked comment, in ${shapes.length} shapes of a real service`, async () => {
      await using bff = await startThread({ threads: 'service', shapes });
      const ada = await Writer.signIn(bff);
      const first = await ada.write('First');
      const reply = await ada.write('Reply', first.id);
      await ada.write('Another');
      assert.deepEqual(messagesOf(await conversationOf(bff, reply.id)), ['First', 'Reply']);
      assert.deepEqual((await conversationOf(bff, reply.id, { page: `${ARTICLE}?other` })).posts, []);
    });
  }
});
