/** New comments: which they are, and where they stand. */

import { expect } from '@open-wc/testing';
import type { ListedPost, PostList } from '@vestibule/shared';
import { frames, listed, lists, minuteLater, openThread, reply, shape, type Thread } from './_thread.ts';

/** After the thread was opened. */
const fresh = (post: ListedPost): ListedPost => ({ ...post, created_at: new Date().toISOString() });

/** A minute later, `list` is what the BFF has. */
async function look(thread: Thread, list: PostList): Promise<void> {
  const asked = (await thread.queries()).length;
  await lists(thread.bff, list);
  minuteLater();
  await thread.hasAsked('GET /posts', asked + 1);
}

describe('new comments', () => {
  it('are looked for among the latest publications, and in the list of the newest where there are none', async () => {
    const thread = await openThread({ posts: [listed('1')], order: 'oldest' }, { order: 'oldest' });
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    expect((await thread.queries()).map((query) => query!['order'])).to.deep.equal(['oldest', 'latest']);
  });

  it('are looked for in the list of the newest at a BFF of release 0.3, which refuses any other and names no order', async () => {
    const thread = await openThread([listed('1')], { order: 'oldest' });
    await look(thread, { posts: [fresh(listed('2')), listed('1')] });
    await thread.press('1 new comment');
    expect((await thread.queries()).map((query) => query!['order'])).to.deep.equal(['oldest', undefined]);
  });

  for (const order of ['newest', 'oldest', 'top'] as const) {
    it(`stand first, and new replies behind those of their parent: ${order}`, async () => {
      const posts = [listed('1'), reply('2', '1'), listed('3')];
      const thread = await openThread({ posts, order, orders: ['newest', 'oldest', 'top'], next_cursor: 'c' }, { order });
      await look(thread, { posts: [fresh(listed('6')), fresh(reply('5', 'x')), fresh(reply('4', '1')), ...posts], order: 'latest' });
      await thread.press('3 new comments');
      await thread.hasFocusOn('Reader 6');
      expect([shape(thread.tree), thread.words.includes('new comment')]).to.deep.equal(['6 5 1(2 4) 3', false]);
    });
  }

  it('are not offered a second time below the comment that they reply to', async () => {
    const first = (count: number): ListedPost => ({ ...listed('1'), reply_count: count });
    const list = { conversation: true, replies: true } as const;
    const thread = await openThread({ ...list, posts: [first(1), reply('2', '1')], next_cursor: 'c' });
    await look(thread, { ...list, posts: [fresh(reply('3', '2')), first(2), reply('2', '1')], next_cursor: 'c' });
    await thread.says('1 new comment');
    await frames();
    expect(thread.words).not.to.contain('more reply');
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '1(2 3)', 'the reply');
    expect(thread.words).not.to.contain('more reply');
  });

  it('that were approved late are new from the second look on', async () => {
    const posts = [listed('3'), listed('1')];
    const thread = await openThread({ posts, next_cursor: 'c' });
    const latest = [listed('1'), reply('old', 'elsewhere'), listed('3')];
    await look(thread, { posts: latest, order: 'latest', next_cursor: 'd' });
    await frames();
    expect(thread.words).not.to.contain('new comment');
    await look(thread, { posts: [listed('2'), ...latest], order: 'latest', next_cursor: 'd' });
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '2 3 1', 'the comment');
  });

  it('are that many or more where the list of them has none that is known', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' });
    await look(thread, { posts: [fresh(listed('3')), fresh(listed('2'))], next_cursor: 'd' });
    await thread.press('2 or more new comments');
    await thread.until(() => shape(thread.tree) === '3 2 1', 'the comments');
  });

  it('that the reader reaches by “Show more comments” are new no longer, and each is there once', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' }, { order: 'oldest' });
    const [two, three] = [fresh(listed('2')), fresh(listed('3'))];
    await look(thread, { posts: [three, two, listed('1')], order: 'latest' });
    await thread.says('2 new comments');
    await lists(thread.bff, { posts: [two] });
    await thread.press('Show more comments');
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '3 1 2', 'the comments');
  });

  it('take nothing away: a comment that is removed meanwhile keeps its place, and shows what it says now', async () => {
    const thread = await openThread({ posts: [listed('3'), listed('2'), reply('r', '2'), listed('1')], total: 4 });
    await look(thread, { posts: [listed('4'), { ...listed('2', ''), removed: true, author: { username: '' } }, reply('r', '2'), listed('1', 'edited')], total: 3 });
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '4 3 (r) edited', 'the comments');
    expect(thread.headingOf(thread.posts[2]!).textContent.trim()).to.equal('This comment is not shown.');
  });

  it('do not take the focus from a comment that is removed meanwhile, nor from one of an article that is closed', async () => {
    const thread = await openThread({ posts: [listed('2'), listed('1')], replies: true });
    thread.act('post 2', 'Reply')!.focus();
    await look(thread, { posts: [{ ...listed('2', ''), removed: true, author: { username: '' } }, listed('1')], replies: true });
    await thread.hasFocusOn('This comment is not shown.');
    thread.act('post 1', 'Reply')!.focus();
    await look(thread, { posts: [listed('2'), listed('1')], closed: 'Over.' });
    await thread.hasFocusOn('Reader 1');
  });

  it('wait in a notice that is on the screen wherever in the thread the reader is, and that moves nothing', async () => {
    const thread = await openThread(Array.from({ length: 60 }, (_, index) => listed(String(index))));
    thread.posts[50]!.scrollIntoView();
    await frames();
    const place = (): string => thread.posts[50]!.getBoundingClientRect().top.toFixed(0).replace('-0', '0');
    const before = place();
    await look(thread, { posts: [fresh(listed('new')), listed('0')] });
    await thread.says('1 new comment');
    await frames();
    const notice = thread.button('1 new comment')!.getBoundingClientRect();
    expect([notice.top >= 0 && notice.bottom <= innerHeight, place()]).to.deep.equal([true, before]);
    // A header of the page stays on the screen.
    thread.element.parentElement!.style.setProperty('--vestibule-sticky-top', '4rem');
    expect(thread.button('1 new comment')!.getBoundingClientRect().top - notice.top).to.equal(64);
  });
});
