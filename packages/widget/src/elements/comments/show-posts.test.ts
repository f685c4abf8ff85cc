import { expect, fixture, html } from '@open-wc/testing';
import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../../_bff.ts';
import '../../define.ts';
import type { VestibuleThread } from '../thread/vestibule-thread.ts';
import { Box, openSignedIn } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

const listed = (id: string, message = `post ${id}`): ListedPost => (
  { id, author: { username: 'Grace' }, message, created_at: new Date().toISOString() }
);
const lists = (bff: TestBff, ...answers: readonly PostList[]): Promise<void> => bff.set({ answers: { 'GET /posts': answers.map((json) => ({ json })) } });

const threadOf = ({ element }: Box): VestibuleThread | null => element.shadowRoot!.querySelector('vestibule-thread');

async function says(box: Box, words: string): Promise<void> {
  await box.until(() => threadOf(box)?.shadowRoot?.textContent.includes(words), `a thread that says “${words}”`);
}

async function openWithThread(bff: TestBff): Promise<Box> {
  await bff.signIn();
  const element = await fixture<VestibuleComments>(html`<vestibule-comments forum="news" bff=${bff.url} show-posts></vestibule-comments>`);
  element.focus();
  const box = new Box(bff, element);
  await box.isSignedIn();
  return box;
}

afterEach(() => localStorage.clear());

describe('show-posts', () => {
  it('is off by default: no thread and no request for posts', async () => {
    const box = await openSignedIn();
    expect(threadOf(box)).to.equal(null);
    expect(await box.bff.requests('GET /posts')).to.deep.equal([]);
  });

  it('lists the posts of the page, without asking for the session', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    const element = await fixture<VestibuleComments>(html`
      <vestibule-comments forum="news" bff=${bff.url} page="https://www.example.com/article" heading-level="4" show-posts></vestibule-comments>
    `);
    const box = new Box(bff, element);
    await says(box, 'post 1');
    expect((await bff.requests()).map(({ method, path, query }) => [method, path, query])).to.deep.equal([
      ['GET', '/posts', { forum: 'news', page: 'https://www.example.com/article' }],
    ]);
    expect([...threadOf(box)!.shadowRoot!.querySelectorAll('[aria-level]')].map(({ ariaLevel }) => ariaLevel)).to.deep.equal(['5', '6']);
  });

  it('shows a new comment on top at once, and under “Your recent comments” no more', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('9')] });
    const box = await openWithThread(bff);
    await says(box, 'post 9');
    box.write('brand new');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    await says(box, 'brand new');
    const messages = [...threadOf(box)!.shadowRoot!.querySelectorAll('.message')].map(({ textContent }) => textContent);
    expect(messages).to.deep.equal(['brand new', 'post 9']);
    expect(box.words).not.to.contain('Your recent comments');
  });

  it('shows it once after a reload until it is listed', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [] });
    const box = await openWithThread(bff);
    box.write('mine');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    box.element.remove();
    const id = String((await bff.posts())[0]!['id']);
    await lists(bff, { posts: [listed('9')] }, { posts: [{ ...listed(id, 'mine'), author: { username: 'Ada' } }, listed('9')] });
    for (const mark of [true, false]) {
      const again = await openWithThread(bff);
      await says(again, 'post 9');
      await says(again, 'mine');
      expect(threadOf(again)!.shadowRoot!.querySelectorAll('li')).to.have.length(2);
      expect(threadOf(again)!.shadowRoot!.textContent.includes('Your new comment')).to.equal(mark);
      again.element.remove();
    }
  });

  it('shows the page’s own posts with and without the thread’s script', async () => {
    const bff = new TestBff();
    const element = await fixture<VestibuleComments>(html`
      <vestibule-comments forum="news" bff=${bff.url} show-posts>
        <ol slot="posts" data-next-cursor="c"><li data-post-id="1">from the server</li></ol>
      </vestibule-comments>
    `);
    const item = element.querySelector('li')!;
    expect(item.getBoundingClientRect().height).to.be.greaterThan(0);
    const box = new Box(bff, element);
    await says(box, 'Show more comments');
    expect(item.getBoundingClientRect().height).to.be.greaterThan(0);
    expect(await bff.requests()).to.deep.equal([]);
  });

  it('follows the page', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] }, { posts: [listed('2')] });
    const element = await fixture<VestibuleComments>(html`
      <vestibule-comments forum="news" bff=${bff.url} page="https://www.example.com/1" show-posts></vestibule-comments>
    `);
    const box = new Box(bff, element);
    await says(box, 'post 1');
    element.page = 'https://www.example.com/2';
    await says(box, 'post 2');
    expect((await bff.requests('GET /posts')).map(({ query }) => query!['page'])).to.deep.equal(['https://www.example.com/1', 'https://www.example.com/2']);
  });
});
