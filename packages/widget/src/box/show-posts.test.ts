/** `show-posts`: the thread in the comment box. */

import { expect } from '@open-wc/testing';
import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import type { VestibuleThread } from '../thread/vestibule-thread.ts';
import { Box, openBox, openSignedIn, openTab, setCanonical, type BoxOptions } from './_box.ts';

const listed = (id: string, message = `post ${id}`): ListedPost => (
  { id, author: { username: 'Grace' }, message, created_at: new Date().toISOString() }
);
const lists = (bff: TestBff, ...answers: readonly PostList[]): Promise<void> => bff.set({ answers: { 'GET /posts': answers.map((json) => ({ json })) } });

const pagesOf = async ({ bff }: Box): Promise<unknown[]> => (await bff.requests('GET /posts')).map(({ query }) => query!['page']);

const messagesOf = (box: Box): string[] => box.all('[part~=message]').map(({ textContent }) => textContent);
const namesOf = (box: Box): (string | null)[] => box.all('ol').map(({ ariaLabel }) => ariaLabel);

const openWithThread = ({ attributes = {}, ...options }: BoxOptions): Promise<Box> => (
  openBox({ ...options, attributes: { ...attributes, 'show-posts': '' }, untouched: true })
);

describe('show-posts', () => {
  it('is off by default: no thread and no request for posts', async () => {
    const box = await openSignedIn();
    expect([box.part('thread'), await box.bff.requests('GET /posts')]).to.deep.equal([undefined, []]);
  });

  it('lists the posts of the page, without asking for the session', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    const page = 'https://www.example.com/article';
    const box = await openWithThread({ bff, attributes: { page, 'heading-level': '4' } });
    await box.says('post 1');
    expect((await bff.requests()).map(({ method, path, query }) => [method, path, query])).to.deep.equal([['GET', '/posts', { forum: 'news', page }]]);
    expect(box.all('[aria-level]').map(({ ariaLevel }) => ariaLevel)).to.deep.equal(['4', '5']);
  });

  for (const [when, isThere] of [['at load', true], ['later', false]] as const) {
    it(`asks for the thread of a link to a comment, wherever the box is: ${when}`, async () => {
      const place = document.body.appendChild(document.createElement('div'));
      place.style.paddingBlockStart = '5000px';
      const { href } = location;
      const link = (): void => history.replaceState(null, '', '#vestibule-comment-2');
      if (isThere) link();
      const bff = new TestBff();
      await lists(bff, { posts: [listed('1'), listed('2')] });
      const box = await openWithThread({ bff, place, isFar: !isThere });
      if (!isThere) {
        expect(await bff.requests()).to.deep.equal([]);
        link();
        dispatchEvent(new HashChangeEvent('hashchange'));
      }
      await box.says('post 2');
      history.replaceState(null, '', href);
      place.remove();
    });
  }

  it('asks for one thread for a link to a comment, where a page has several boxes', async () => {
    const { href } = location;
    history.replaceState(null, '', '#vestibule-comment-1');
    const place = document.body.appendChild(document.createElement('div'));
    place.style.paddingBlockStart = '5000px';
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    for (const page of ['https://www.example.com/1', 'https://www.example.com/2']) {
      const box = Object.assign(document.createElement('vestibule-comments'), { forum: 'news', bff: bff.url, page, showPosts: true });
      box.style.cssText = 'display: block; margin-block-end: 5000px';
      place.append(box);
    }
    const seen = new Box(bff, place.querySelector('vestibule-comments')!);
    await seen.until(() => seen.all('.marked').length === 1, 'the comment');
    expect(await pagesOf(seen)).to.deep.equal(['https://www.example.com/1']);
    history.replaceState(null, '', href);
    place.remove();
  });

  it('lists the posts before the box is seen, also where the page scrolls in an element', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    place.style.cssText = 'block-size: 200px; overflow: auto; position: fixed; inset: 0 0 auto';
    place.innerHTML = '<div style="block-size: 500px"></div>';
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    const element = Object.assign(document.createElement('vestibule-comments'), { forum: 'news', bff: bff.url, showPosts: true });
    place.append(element);
    await new Box(bff, element).says('post 1');
    expect([place.scrollTop, element.getBoundingClientRect().top]).to.deep.equal([0, 500]);
    place.remove();
  });

  it('shows a new comment once: above the list, through its visit; after a load first until a list has it, then where that does', async () => {
    const attributes = { page: 'https://www.example.com/article' };
    const bff = new TestBff();
    await bff.signIn();
    await lists(bff, { posts: [listed('9')] });
    const box = await openWithThread({ bff, attributes });
    await box.says('post 9');
    box.turnTo();
    await box.isSignedIn();
    await box.post('brand new');
    await box.says('Your comment is posted.');
    expect([messagesOf(box), namesOf(box)]).to.deep.equal([['brand new', 'post 9'], ['Your comments', 'Readers’ comments']]);
    box.element.remove();
    const id = String((await bff.posts())[0]!['id']);
    const ofAda = { ...listed(id, 'brand new'), author: { username: 'Ada' } };
    const [without, withIt] = [{ posts: [listed('9')] }, { posts: [listed('9'), ofAda] }];
    const tab = await openTab();
    for (const [isReload, list, messages] of [
      [true, without, ['brand new', 'post 9']], [false, withIt, ['brand new', 'post 9']], [true, withIt, ['post 9', 'brand new']],
    ] as const) {
      await lists(bff, list);
      if (isReload) await tab.open();
      const again = await openWithThread({ bff, attributes, ...(isReload && { tab }) });
      await again.says('post 9');
      await again.says('brand new');
      expect(messagesOf(again)).to.deep.equal(messages);
      again.element.remove();
    }
  });

  it('is not rendered again with the letters of a reader who has sent nothing', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await lists(bff, { posts: [listed('1')] });
    const box = await openWithThread({ bff });
    box.turnTo();
    await box.isSignedIn('Ada');
    await box.says('post 1');
    const thread = box.part('thread') as VestibuleThread;
    await thread.updateComplete;
    let [letters, updates] = [0, 0];
    box.element.addController({ hostUpdated: () => { letters += 1; } });
    thread.addController({ hostUpdated: () => { updates += 1; } });
    for (const text of ['I', 'I a', 'I agree']) {
      box.write(text);
      await box.element.updateComplete;
    }
    expect([letters > 0, updates]).to.deep.equal([true, 0]);
  });

  for (const content of ['<ol slot="posts"><li data-post-id="1">from the server</li></ol>', '<article slot="posts" data-post-id="1">from the server</article>']) {
    it(`shows the page’s own posts with and without the thread’s script: ${content}`, async () => {
      const box = await openWithThread({ content });
      const item = box.element.querySelector('[data-post-id]')!;
      expect(item.getBoundingClientRect().height).to.be.greaterThan(0);
      await box.says('Show all comments');
      expect(item.getBoundingClientRect().height).to.be.greaterThan(0);
      expect(await box.bff.requests()).to.deep.equal([]);
    });
  }

  it('follows the page attribute, pushState and a canonical link that appears late, in a box that nobody has touched', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] }, { posts: [listed('2')] }, { posts: [listed('3')] }, { posts: [listed('4')] });
    const page = 'https://www.example.com/1';
    const box = await openWithThread({ bff, attributes: { page } });
    await box.says('post 1');
    box.element.removeAttribute('page');
    await box.says('post 2');
    const { href, pathname, origin } = location;
    history.pushState(null, '', `${pathname}?article=2`);
    await box.says('post 3');
    setCanonical('/articles/2');
    await box.says('post 4');
    expect(box.words).not.to.contain('post 3');
    expect(await pagesOf(box)).to.deep.equal([page, href, `${origin}${pathname}?article=2`, `${origin}/articles/2`]);
  });
});
