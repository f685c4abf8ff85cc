/** `VESTIBULE_THREADS=sqlite:PATH` (contract, section 4), before the emulated service in both shapes. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ProblemError } from '@vestibule/bff';
import type { PostCounts, PostCreated } from '@vestibule/shared';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { realWorldShapes, type RealWorldShape } from '../service/index.ts';
import { ARTICLE, listOf, messagesOf, startThread, Writer, type Listed } from './_thread.ts';

/** Shapes of a service that proves the user. Without it a comment has no owner. */
const provingShapes = realWorldShapes.filter((shape) => shape !== 'access-token-only');

const services: Readonly<Record<string, readonly RealWorldShape[]>> = {
  'the service of the interface': [], 'a service with real shapes': provingShapes,
};

for (const [name, shapes] of Object.entries(services)) {
  describe(`a thread of our own before ${name}`, () => {
    const shared = suiteResource(() => startThread({ shapes }));
    let articles = 0;
    const newPage = () => `${ARTICLE}?id=${articles += 1}`;

    it('lists the comments of an article by its key, with the name that the service gives', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 0, `${page}&%7euser=%c3%a9`);
      await ada.write('First\n<b>one</b>');
      await (await Writer.signIn(bff, 1, `${page}&~user=%C3%A9`)).write('Second');
      await (await Writer.signIn(bff, 1, newPage())).write('Elsewhere');
      const { posts, total, replies } = await listOf(bff, { page: `${page}&~user=%C3%A9` });
      assert.deepEqual(posts.map(({ author, message }) => [author.username, message]), [
        ['Jörg Ünterwald', 'Second'], ['Ada Quill', 'First\n<b>one</b>'],
      ]);
      assert.deepEqual([total, replies], [2, true]);
    });

    it('lists 20 conversations at a time in both orders, each with its first 20 replies', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 0, page);
      const roots: string[] = [];
      for (let i = 1; i <= 22; i += 1) roots.push((await ada.write(`Comment ${i}`)).id);
      for (let i = 1; i <= 21; i += 1) await ada.write(`Reply ${i}`, roots[21]);
      const first = await listOf(bff, { page });
      assert.deepEqual(messagesOf(first), ['Comment 22', ...Array.from({ length: 20 }, (_, i) => `Reply ${i + 1}`), ...Array.from({ length: 19 }, (_, i) => `Comment ${21 - i}`)]);
      const second = await listOf(bff, { page, cursor: first.next_cursor });
      assert.deepEqual([messagesOf(second), second.next_cursor], [['Comment 2', 'Comment 1'], undefined]);
      const oldest = await listOf(bff, { page, order: 'oldest' });
      assert.equal(messagesOf(oldest)[0], 'Comment 1');
      assert.deepEqual(messagesOf(await listOf(bff, { page, order: 'oldest', cursor: oldest.next_cursor })).slice(0, 3), ['Comment 21', 'Comment 22', 'Reply 1']);
    });

    it('counts, and returns the entry of a new comment and of a reply', async () => {
      const bff = shared();
      const [page, other] = [newPage(), newPage()];
      const ada = await Writer.signIn(bff, 0, page);
      const first = await ada.write('First');
      const reply = await ada.write('Reply', first.id);
      const { posts } = await listOf(bff, { page });
      const own = [first, reply].map(({ state, ...entry }) => (assert.equal(state, 'published'), entry));
      assert.deepEqual(own.map((entry) => ({ ...entry, author: '' })), posts.map(({ reply_count: _, ...entry }) => ({ ...entry, author: '' })));
      const res = await bff.browser().get(`/posts/counts?${new URLSearchParams([['forum', 'news'], ['page', page], ['page', other]])}`);
      assert.deepEqual((res.body as PostCounts).counts, [2, 0]);
    });

    it('takes a reply to a comment of the article only, and no comment without an article', async () => {
      const bff = shared();
      const first = await (await Writer.signIn(bff, 0, newPage())).write('First');
      const elsewhere = await Writer.signIn(bff, 0, newPage());
      for (const parent of [first.id, 'unknown']) expectProblem(await elsewhere.post('Astray', parent), 'post-rejected');
      expectProblem(await elsewhere.browser.post('/posts', { forum: 'news', message: 'Nowhere' }).set('Idempotency-Key', crypto.randomUUID()), 'post-rejected');
      const line = bff.log.findLast(({ msg }) => msg === 'post failed');
      assert.deepEqual([line?.['reason'], line?.['setting']], ['the thread or the hook posts.prepare refused the post, which has no page', 'VESTIBULE_THREADS, VESTIBULE_CONFIG']);
      assert.equal(bff.service.posts.some(({ message }) => message === 'Astray' || message === 'Nowhere'), false);
    });

    it('has a repeated comment once, and nothing that the service refused', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 0, page);
      const [once, again] = [await ada.post('Once', undefined, 'the-same-key'), await ada.post('Once', undefined, 'the-same-key')];
      assert.deepEqual(once.body, again.body);
      bff.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'closed' } });
      expectProblem(await ada.post('Refused'), 'service-refused');
      assert.deepEqual(messagesOf(await listOf(bff, { page })), ['Once']);
    });

    it('keeps a comment that the service holds for its author, until it is approved', async () => {
      const bff = shared();
      const page = newPage();
      const ada = await Writer.signIn(bff, 2, page);
      const user = bff.service.readers[2]?.user_id ?? '';
      bff.service.premoderated.add(user);
      const held = await ada.write('Held');
      bff.service.premoderated.delete(user);
      const isHeld = shapes.includes('moderation-flags');
      assert.equal(held.state, isHeld ? 'pending' : 'published');
      assert.deepEqual(messagesOf(await listOf(bff, { page })), isHeld ? [] : ['Held']);
      assert.equal(await bff.vestibule.comments?.approve(held.id), isHeld);
      const { posts, total } = await listOf(bff, { page });
      assert.deepEqual([posts.map(({ message }) => message), total], [['Held'], 1]);
    });
  });
}

for (const [name, shapes] of Object.entries(services)) {
  it(`lets readers edit, remove and like their own comments before ${name}`, async () => {
    await using bff = await startThread({ shapes });
    const [ada, joerg] = [await Writer.signIn(bff), await Writer.signIn(bff, 1)];
    const { id } = await ada.write('First');
    for (const request of [joerg.edit(id, 'Stolen'), joerg.remove(id), ada.like(id)]) expectProblem(await request, 'post-rejected');
    const answers: unknown[] = [];
    for (const _ of ['first', 'repeated']) {
      answers.push((await ada.edit(id, 'Better')).body);
      assert.deepEqual((await joerg.like(id)).body, { likes: 1 });
    }
    assert.deepEqual(answers[0], { ...answers[1] as object, listed: { ...(answers[1] as { listed: object }).listed, likes: 0 } });
    const [entry] = (await listOf(bff)).posts;
    assert.deepEqual([entry?.message, entry?.likes, entry?.edited_at !== undefined], ['Better', 1, true]);
    assert.equal(entry?.author.key, (await ada.browser.session()).user?.key);
    assert.deepEqual((await joerg.like(id, false)).body, { likes: 0 });

    await ada.write('Reply', id);
    expectStatus(await ada.remove(id), 204);
    for (const request of [ada.edit(id, 'Late'), ada.remove(id), joerg.like(id)]) assert.equal(expectProblem(await request, 'not-found').status, 410);
    const { posts, actions, total } = await listOf(bff);
    assert.deepEqual(posts.map(({ message, removed, parent_id }) => [message, removed, parent_id === id]), [['', true, false], ['Reply', undefined, true]]);
    assert.deepEqual([actions, total], [['edit', 'remove', 'like'], 1]);
  });
}

describe('a thread of our own', () => {
  it('keeps its comments over a restart', async () => {
    await using directory = await temporaryDirectory();
    const threads = `sqlite:${join(directory.path, 'comments.db')}`;
    {
      await using bff = await startThread({ threads });
      await (await Writer.signIn(bff)).write('Before');
    }
    await using bff = await startThread({ threads });
    assert.deepEqual(messagesOf(await listOf(bff)), ['Before']);
  });

  it('of a reader who is not proven has the name that the service gives, otherwise that of a guest, and no owner', async () => {
    await using bff = await startThread({ shapes: ['access-token-only', 'author-without-username'] });
    const reader = await Writer.signIn(bff);
    const { id, author } = await reader.write('Hello');
    assert.equal(author.key, undefined);
    expectProblem(await reader.remove(id), 'post-rejected');
    const [entry] = (await listOf(bff)).posts;
    assert.deepEqual(entry?.author, { username: 'Ada Quill' });
    bff.service.faults.next('posts', { kind: 'status', status: 200, body: { code: 0, response: {} } });
    assert.deepEqual((await reader.write('Hello again')).author, { username: 'Guest' });
    for await (const { author: stored } of bff.vestibule.comments!.list()) assert.equal(stored.user_id, undefined);
  });

  it('shows a comment that is removed or held only where it has published replies, and a removed chain disappears with its last', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    const root = await ada.write('Root');
    const reply = await ada.write('Reply', root.id);
    const deep = await ada.write('Deep', reply.id);
    expectStatus(await ada.remove(reply.id), 204);
    expectStatus(await ada.remove(root.id), 204);
    const shown = await listOf(bff);
    assert.deepEqual([messagesOf(shown), shown.posts.map(({ removed }) => removed), shown.total], [['', '', 'Deep'], [true, true, undefined], 1]);
    expectStatus(await ada.remove(deep.id), 204);
    const { posts, total } = await listOf(bff);
    assert.deepEqual([posts, total], [[], 0]);
    assert.equal((await ada.post('Late', root.id)).status, 422);
  });

  it('gives a comment an id of its own where the service gives none, the same one when the request is repeated', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    bff.service.faults.next('posts', { kind: 'status', status: 200, body: { code: 0, response: {} } });
    const [first, again] = [await ada.post('Once', undefined, 'one-and-the-same'), await ada.post('Once', undefined, 'one-and-the-same')];
    assert.deepEqual(first.body, again.body);
    const { posts } = await listOf(bff);
    assert.match(posts[0]?.id ?? '', /^v-[\w-]{43}$/);
    const id = posts[0]!.id;
    await ada.write('Reply', id);
    assert.equal(bff.service.posts.at(-1)?.parent, undefined);
    const onService = await ada.write('Another');
    await ada.write('Reply', onService.id);
    assert.equal(bff.service.posts.at(-1)?.parent, onService.id);
  });

  it('runs prepare and created of the file in addition: edits too, and what was ever held is held again by an edit', async () => {
    const calls: unknown[] = [];
    await using bff = await startThread({
      shapes: ['moderation-flags'],
      posts: {
        prepare({ message, parent, isEdit, page }) {
          calls.push(['prepare', message, isEdit === true, parent]);
          return message.includes('spam') ? { ok: false, reason: 'No spam.' } : { ok: true, params: { thread: page } };
        },
        created({ message }) {
          calls.push(['created', message]);
          throw new Error('the mailer is away');
        },
      },
    });
    const ada = await Writer.signIn(bff);
    const first = await ada.write('First');
    assert.equal(first.message, 'First');
    const reply = await ada.write('Reply', first.id);
    assert.equal(expectProblem(await ada.edit(reply.id, 'spam'), 'post-rejected').detail, 'No spam.');
    expectStatus(await ada.edit(reply.id, 'Better'), 200);
    assert.deepEqual(calls, [
      ['prepare', 'First', false, undefined], ['created', 'First'], ['prepare', 'Reply', false, first.id], ['created', 'Reply'],
      ['prepare', 'spam', true, first.id], ['prepare', 'Better', true, first.id],
    ]);
    assert.equal(bff.service.posts[0]?.thread, ARTICLE);
    assert.equal(bff.log.filter(({ hook }) => hook === 'posts.created').length, 2);
    bff.service.premoderated.add(ARTICLE);
    const held = await ada.write('Held');
    bff.service.premoderated.delete(ARTICLE);
    assert.equal(await bff.vestibule.comments!.approve(held.id), true);
    const { listed } = (await ada.edit(held.id, 'Held, then changed')).body as { listed: Listed };
    assert.equal(listed.state, 'pending');
    assert.equal(messagesOf(await listOf(bff)).some((message) => message.startsWith('Held')), false);
  });

  it('takes long texts of many readers: a list stays below its limit', async () => {
    await using bff = await startThread();
    const ada = await Writer.signIn(bff);
    const root = await ada.write(`${'\u0001'.repeat(9_999)}a`);
    for (let i = 0; i < 30; i += 1) await ada.write(`${'\u0001'.repeat(9_999)}b`, i % 2 ? root.id : undefined);
    const first = await listOf(bff);
    assert.ok(first.posts.length > 5 && first.next_cursor);
  });

  it('has no unknown outcome of prepare, of an edit neither: nothing has happened yet', async () => {
    await using bff = await startThread({
      posts: { prepare: ({ isEdit }) => { if (isEdit) throw new ProblemError('outcome-unknown'); return { ok: true }; } },
    });
    const ada = await Writer.signIn(bff);
    const { id } = await ada.write('First');
    expectProblem(await ada.edit(id, 'Second'), 'service-unavailable');
    assert.deepEqual(messagesOf(await listOf(bff)), ['First']);
  });

  it('lists the longest text and the longest name that the BFF accepts', async () => {
    const name = '\u{1d5d4}'.repeat(255);
    const readers = [{ user_id: '31007', username: name }];
    await using bff = await startThread({ messageMaxLength: 100_000, serviceOptions: { threads: true, readers } });
    const text = 'x'.repeat(100_000);
    const { id, author } = await (await Writer.signIn(bff)).write(text);
    const { posts } = await listOf(bff);
    assert.deepEqual(posts.map((post) => [post.id, post.author.username, post.message === text]), [[id, author.username, true]]);
    assert.equal(author.username, name);
  });

  it('refuses posts while its file cannot be used: nothing is sent, and the request may be repeated', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'comments.db');
    await using bff = await startThread({ threads: `sqlite:${path}` });
    const ada = await Writer.signIn(bff);
    const { id } = await ada.write('First');
    rmSync(path);
    assert.equal(expectProblem(await ada.edit(id, 'Better'), 'service-unavailable').retryable, true);
    assert.equal(bff.log.findLast(({ level }) => Number(level) >= 40)?.['setting'], 'VESTIBULE_THREADS');
  });

  it('stores later what it could not store: with the repeated request, or in the next process', async () => {
    await using directory = await temporaryDirectory();
    const [threads, store] = ['comments.db', 'store.db'].map((name) => `sqlite:${join(directory.path, name)}`);
    const page = ARTICLE;
    {
      await using bff = await startThread({ threads: threads!, store: store! });
      const ada = await Writer.signIn(bff);
      using other = new DatabaseSync(join(directory.path, 'comments.db'));
      for (const [name, text] of [['once', 'Lost once'], ['longer', 'Lost for now']]) {
        other.exec(`CREATE TRIGGER ${name} BEFORE INSERT ON comment WHEN NEW.text = '${text}' BEGIN SELECT RAISE(ABORT, 'full'); END`);
      }
      const lost = await ada.post('Lost once', undefined, 'lost-once');
      assert.deepEqual([lost.status, (lost.body as PostCreated).listed], [201, undefined]);
      assert.match(await bff.vestibule.metrics(), /vestibule_failures_total\{operation="post",problem="service-unavailable"\} 1\n/);
      assert.equal((await ada.post('Lost for now')).status, 201);
      assert.deepEqual(messagesOf(await listOf(bff)), []);
      other.exec('DROP TRIGGER once');
      assert.equal(((await ada.post('Lost once', undefined, 'lost-once')).body as { listed: Listed }).listed.message, 'Lost once');
      assert.deepEqual(messagesOf(await listOf(bff)), ['Lost once']);
    }
    // Only now: a request tries again for half a minute.
    using other = new DatabaseSync(join(directory.path, 'comments.db'));
    other.exec('DROP TRIGGER longer');
    await using bff = await startThread({ threads: threads!, store: store! });
    await until('the thread has the post', async () => messagesOf(await listOf(bff, { page })).includes('Lost for now'));
    assert.deepEqual(messagesOf(await listOf(bff)).toSorted(), ['Lost for now', 'Lost once']);
  });
});
