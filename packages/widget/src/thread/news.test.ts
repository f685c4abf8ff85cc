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
  it('are looked for in the list of the newest, whatever the order is', async () => {
    const thread = await openThread({ posts: [listed('1')], order: 'oldest' }, { order: 'oldest' });
    await look(thread, { posts: [listed('2'), listed('1')], order: 'newest' });
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '2 1', 'the comment');
    expect((await thread.queries()).map((query) => query!['order'])).to.deep.equal(['oldest', undefined]);
  });

  for (const order of ['newest', 'oldest', 'top'] as const) {
    it(`stand first, and new replies behind those of their parent: ${order}`, async () => {
      const posts = [listed('1'), reply('2', '1'), listed('3')];
      const thread = await openThread({ posts, order, orders: ['newest', 'oldest', 'top'], next_cursor: 'c' }, { order });
      // In another order than the newest first, the first look tells what there was.
      await look(thread, { posts: [listed('7'), ...posts], order: 'newest', next_cursor: 'c' });
      await frames();
      const older = order === 'newest' ? ['7'] : [];
      expect(thread.words.includes('new comment')).to.equal(older.length > 0);
      await look(thread, { posts: [listed('6'), reply('5', 'x'), listed('7'), ...posts, reply('4', '1')], order: 'newest', next_cursor: 'c' });
      await thread.press(`${3 + older.length} new comments`);
      await thread.hasFocusOn('Reader 6');
      expect([shape(thread.tree), thread.words.includes('new comment')]).to.deep.equal([['6 5', ...older, '1(2 4) 3'].join(' '), false]);
    });
  }

  it('that were approved late are new', async () => {
    const posts = [listed('3'), listed('1')];
    const thread = await openThread({ posts, next_cursor: 'c' });
    await look(thread, { posts: [listed('3'), listed('2'), listed('1'), reply('old', 'elsewhere')], next_cursor: 'd' });
    await thread.press('1 new comment');
    await thread.until(() => shape(thread.tree) === '2 3 1', 'the comment');
  });

  it('of which the list of them has none that is known load the list anew: none is missing between', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' });
    const list = { posts: [listed('3'), listed('2')], next_cursor: 'd' };
    await look(thread, list);
    await thread.says('2 or more new comments');
    await lists(thread.bff, list, { posts: [listed('1')] });
    await thread.press('2 or more new comments');
    await thread.until(() => shape(thread.tree) === '3 2', 'the list');
    await thread.press('Show more comments');
    await thread.until(() => shape(thread.tree) === '3 2 1', 'the next list');
  });

  it('that the reader reaches by “Show more comments” are new no longer, and each is there once', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' }, { order: 'oldest' });
    const [two, three] = [fresh(listed('2')), fresh(listed('3'))];
    await look(thread, { posts: [listed('1')], order: 'newest', next_cursor: 'c' });
    await look(thread, { posts: [three, two, listed('1')], order: 'newest', next_cursor: 'c' });
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
