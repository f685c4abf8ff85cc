/** Orders of the list, and picks. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { listed, lists, openThread, reply, shape, type Thread } from './_thread.ts';

const ordersOf = async (thread: Thread): Promise<unknown[]> => (await thread.queries()).map((query) => query!['order'] ?? 'newest');

const chosen = (thread: Thread): string => thread.all<HTMLSelectElement>('select')[0]!.selectedOptions[0]!.text;

describe('the order of the thread', () => {
  const posts = [listed('2'), listed('1')];

  it('is the page’s until the reader chooses another one', async () => {
    const bff = new TestBff();
    const thread = await openThread(posts, { bff, order: 'newest' });
    expect(chosen(thread)).to.equal('Newest first');
    await lists(bff, { posts: posts.toReversed(), order: 'oldest' });
    await thread.choose('Oldest first');
    await thread.until(() => shape(thread.tree) === '1 2', 'the other order');
    expect([chosen(thread), await ordersOf(thread)]).to.deep.equal(['Oldest first', ['newest', 'oldest']]);
  });

  it('is offered with the first comments that are drawn, so that it moves none', async () => {
    const bff = new TestBff();
    // The first conversation fills a frame.
    const conversations = ['a', 'b', 'c'].flatMap((id) => [listed(id), ...Array.from({ length: 9 }, (_, index) => reply(`${id}${index}`, id))]);
    await lists(bff, { hold: 'list', json: { posts: conversations } });
    const thread = await openThread(undefined, { bff });
    const isOffered = new Set<boolean>();
    new MutationObserver(() => {
      if (thread.all('li').length > 0) isOffered.add(thread.all('select').length === 1);
    }).observe(thread.element.shadowRoot!, { childList: true, subtree: true });
    await bff.release('list');
    await thread.hasPosts(30);
    expect([...isOffered]).to.deep.equal([true]);
  });

  it('is that of the list which is shown where another one does not load', async () => {
    const bff = new TestBff();
    const thread = await openThread(posts, { bff });
    await lists(bff, { problem: 'internal-error' });
    await thread.choose('Oldest first');
    await thread.says('The comments could not be loaded.');
    expect(chosen(thread)).to.equal('Newest first');
  });

  it('is “Top comments” where the list offers it', async () => {
    const orders = ['newest', 'top'] as const;
    const thread = await openThread({ posts, orders, order: 'newest', total: 9, next_cursor: 'c' });
    await thread.says('Show more comments');
    expect([...thread.all<HTMLSelectElement>('select')[0]!.options].map(({ text }) => text)).to.deep.equal(['Newest first', 'Top comments']);
    await lists(thread.bff, { posts: posts.toReversed(), orders, order: 'top', total: 9, next_cursor: 'c' });
    await thread.choose('Top comments');
    await thread.until(() => shape(thread.tree) === '1 2', 'the top comments');
    expect([await ordersOf(thread), thread.offers('Show more comments')]).to.deep.equal([['newest', 'top'], true]);
  });

  it('is the newest where the page wants the top and the list has none', async () => {
    const thread = await openThread({ posts, order: 'newest' }, { order: 'top' });
    expect([await ordersOf(thread), chosen(thread)]).to.deep.equal([['top'], 'Newest first']);
  });

  it('that lacks the comment which the reader answers shows it first', async () => {
    const thread = await openThread({ posts, replies: true, next_cursor: 'c' });
    thread.act('post 1', 'Reply')!.click();
    await thread.until(() => thread.composer, 'a composer');
    await lists(thread.bff, { posts: [listed('4'), listed('3')], replies: true, next_cursor: 'c' });
    await thread.choose('Oldest first');
    await thread.until(() => shape(thread.tree) === '1 4 3', 'the other order');
    expect(thread.composer!.closest('li') === thread.posts[0]).to.equal(true);
  });
});

describe('an editors’ pick', () => {
  it('is marked where it stands', async () => {
    const thread = await openThread([listed('2'), { ...listed('1'), pick: true }]);
    expect([shape(thread.tree), ...thread.posts.map((post) => post.querySelector('.pick')?.textContent)]).to.deep.equal(['2 1', undefined, 'Editors’ pick']);
  });
});
