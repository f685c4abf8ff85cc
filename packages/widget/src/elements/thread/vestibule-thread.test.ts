import { expect } from '@open-wc/testing';
import { html } from 'lit';
import { TestBff } from '../../_bff.ts';
import { listed, lists, openThread, PAGE, type Thread } from './_thread.ts';

const ada = { user_id: '42', username: 'Ada Quill' };

/** Two animation frames: an observer has reported by then. */
const frames = (): Promise<void> => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
});

/** A lost response, and the one to the request that looks for a mistake of the page behind it. */
const unexplained = [{ cut: true }, { problem: 'not-found' }] as const;

async function openListed(count: number, next_cursor?: string): Promise<Thread> {
  const bff = new TestBff();
  const posts = Array.from({ length: count }, (_, index) => listed(String(100 - index)));
  await lists(bff, { posts, ...(next_cursor && { next_cursor }) });
  const thread = await openThread({ bff });
  await thread.until(() => thread.items.length === count, `${count} posts`);
  return thread;
}

describe('the thread', () => {
  it('requests the posts of its page without credentials, once', async () => {
    document.cookie = 'courier=1; path=/';
    const thread = await openListed(2);
    const requests = await thread.requests();
    expect(requests.map(({ query, cookie }) => [query, cookie])).to.deep.equal([[{ forum: 'news', page: PAGE }, undefined]]);
    expect(thread.messages).to.deep.equal(['post 100', 'post 99']);
    document.cookie = 'courier=; path=/; max-age=0';
  });

  it('requests nothing before it comes near the viewport', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    const thread = await openThread({ bff, top: 5000 });
    await frames();
    expect(await thread.requests()).to.deep.equal([]);
    expect(thread.text).to.equal('Readers’ comments');
    thread.element.scrollIntoView();
    await thread.says('post 1');
  });

  it('shows initials, name, relative and exact time, and the text with its line breaks', async () => {
    const bff = new TestBff();
    const created_at = new Date(Date.now() - 2 * 3_600_000).toISOString();
    await lists(bff, { posts: [listed('1', 'one\n\n  two', { created_at })] });
    const thread = await openThread({ bff });
    await thread.says('Ada Quill');
    const [item] = thread.items;
    const time = item!.querySelector('time')!;
    expect(item!.querySelector('.initials')!.textContent).to.equal('AQ');
    expect([time.dateTime, time.textContent]).to.deep.equal([created_at, '2 hours ago']);
    expect(time.title).to.contain(String(new Date(created_at).getFullYear()));
    expect(item!.querySelector<HTMLElement>('.message')!.innerText).to.equal('one\n\n  two');
  });

  it('links http and https addresses, in a new tab and without endorsement', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1', 'See https://a.example/b (or javascript:alert(1)).')] });
    const thread = await openThread({ bff });
    await thread.says('See https://a.example/b (or javascript:alert(1)).');
    const links = [...thread.root.querySelectorAll('a')];
    expect(links.map(({ href, rel, target, dir }) => [href, rel, target, dir])).to.deep.equal([['https://a.example/b', 'ugc nofollow noopener', '_blank', 'ltr']]);
  });

  it('shows a part of a long text, and the whole at the reader’s wish', async () => {
    const text = `${'word '.repeat(400)}end`;
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1', text), listed('2')] });
    const thread = await openThread({ bff });
    await thread.says('post 2');
    expect(thread.messages[0]!.length).to.be.lessThan(1300);
    await thread.press('Show the whole comment');
    await thread.says('end');
    expect(thread.messages[0]).to.equal(text);
    expect(thread.button('Show the whole comment')).to.equal(undefined);
    expect(thread.root.activeElement).to.equal(thread.items[0]!.querySelector('.author'));
  });

  it('says that it loads, and that there is nothing', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'list', json: { posts: [] } });
    const thread = await openThread({ bff });
    await thread.says('Loading comments…');
    await bff.release('list');
    await thread.says('No comments yet.');
    expect(thread.root.querySelector('ol, button')).to.equal(null);
  });

  it('says that it has failed, and tries again', async () => {
    const bff = new TestBff();
    await lists(bff, { problem: 'internal-error' }, ...unexplained, { posts: [listed('1')] });
    const thread = await openThread({ bff });
    await thread.says('The comments could not be loaded.');
    await thread.press('Try again');
    await thread.until(() => thread.errors.length === 2, 'the second failure');
    await thread.press('Try again');
    await thread.says('post 1');
    expect(thread.errors).to.deep.equal(['urn:vestibule:internal-error', 'urn:vestibule:network']);
    expect(thread.text).not.to.contain('could not');
  });

  it('tries again when the browser is online', async () => {
    const bff = new TestBff();
    await lists(bff, ...unexplained, { posts: [listed('1')] });
    const thread = await openThread({ bff });
    await thread.says('could not be loaded');
    dispatchEvent(new Event('online'));
    await thread.says('post 1');
  });

  it('offers no other try where there is no list', async () => {
    const thread = await openThread();
    await thread.says('The comments could not be loaded.');
    expect(thread.button('Try again')).to.equal(undefined);
    expect(thread.errors).to.deep.equal(['urn:vestibule:not-found']);
  });

  describe('with more posts', () => {
    it('adds them at the reader’s wish, and focuses the first of them', async () => {
      const thread = await openListed(3, 'c 3');
      await lists(thread.bff, { posts: [listed('98'), listed('5'), listed('4')] });
      await thread.press('Show more comments');
      await thread.says('post 4');
      expect((await thread.requests()).map(({ query }) => query?.['cursor'])).to.deep.equal([undefined, 'c 3']);
      expect(thread.messages).to.deep.equal(['post 100', 'post 99', 'post 98', 'post 5', 'post 4']);
      expect(thread.root.activeElement).to.equal(thread.items[3]!.querySelector('.author'));
      expect(thread.root.querySelector('button')).to.equal(null);
    });

    it('keeps what is there if they cannot be loaded, and tries again', async () => {
      const thread = await openListed(1, 'c');
      await lists(thread.bff, { problem: 'internal-error' }, { posts: [listed('5')] });
      await thread.press('Show more comments');
      await thread.says('The comments could not be loaded.');
      expect(thread.messages).to.deep.equal(['post 100']);
      await thread.press('Try again');
      await thread.says('post 5');
    });

    it('requests them once, however often it is asked to', async () => {
      const thread = await openListed(1, 'c');
      await lists(thread.bff, { hold: 'more', json: { posts: [listed('5')] } });
      await thread.press('Show more comments');
      await thread.until(() => thread.button('Show more comments')!.ariaDisabled === 'true', 'a disabled button');
      expect(thread.root.activeElement).to.equal(thread.button('Show more comments'));
      await thread.press('Show more comments');
      await thread.bff.release('more');
      await thread.says('post 5');
      expect(await thread.requests()).to.have.length(2);
    });
  });

  it('drops a response for another page', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'late', json: { posts: [listed('1', 'of the first page')] } }, { posts: [listed('2', 'of the second page')] });
    const thread = await openThread({ bff });
    await thread.until(async () => (await bff.requests('GET /posts')).length === 1, 'the request');
    thread.element.page = `${PAGE}?2`;
    await thread.says('of the second page');
    await bff.release('late');
    await frames();
    expect(thread.messages).to.deep.equal(['of the second page']);
    expect(thread.errors).to.deep.equal([]);
  });

  it('loads when it is put back after a removal in the middle of it', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'late', json: { posts: [] } }, { posts: [listed('2')] });
    const thread = await openThread({ bff });
    await thread.until(async () => (await bff.requests('GET /posts')).length === 1, 'the request');
    const { parentElement } = thread.element;
    thread.element.remove();
    parentElement!.append(thread.element);
    await thread.says('post 2');
    await bff.release('late');
  });

  describe('with a new post of the reader', () => {
    const own = (message: string, id?: string) => ({ user: ada, message, at: Date.now(), id });

    it('shows it on top at once, and the listed one in its place when it appears', async () => {
      const bff = new TestBff();
      await lists(bff, { posts: [listed('1')] });
      const thread = await openThread({ bff, refreshAfterMs: 0 });
      await thread.says('post 1');
      await lists(bff, { posts: [listed('7', 'my own', { created_at: new Date().toISOString() }), listed('1')] });
      thread.element.ownPosts = [own('my own', '7')];
      await thread.element.updateComplete;
      expect(thread.messages).to.deep.equal(['my own', 'post 1']);
      expect(thread.items[0]!.textContent).to.contain('Your new comment');
      await thread.until(() => !thread.text.includes('Your new comment'), 'the listed one');
      expect(thread.messages).to.deep.equal(['my own', 'post 1']);
      expect(thread.items[0]!.dataset['key']).to.equal('7');
    });

    it('shows it over an empty list and before the list is there', async () => {
      const bff = new TestBff();
      await lists(bff, { hold: 'list', json: { posts: [] } });
      const thread = await openThread({ bff, ownPosts: [own('early')] });
      await thread.says('early');
      await bff.release('list');
      await thread.until(() => !thread.text.includes('Loading'), 'the list');
      expect(thread.text).not.to.contain('No comments yet.');
    });

    it('shows it from an earlier visit until it is listed', async () => {
      const bff = new TestBff();
      await lists(bff, { posts: [listed('7', 'listed', { created_at: new Date().toISOString() })] });
      const thread = await openThread({ bff, ownPosts: [own('listed'), own('not listed')] });
      await thread.until(() => thread.messages.length === 2, 'both');
      expect(thread.messages).to.deep.equal(['not listed', 'listed']);
    });
  });

  describe('with posts that the page has rendered', () => {
    const rendered = (cursor = '') => html`
      <ol data-next-cursor=${cursor}><li data-post-id="9"><b>Ada Quill</b> <p>from the server</p></li></ol>
    `;

    it('shows them and requests nothing', async () => {
      const thread = await openThread({ rendered: rendered(), ownPosts: [{ user: ada, message: 'from the server', at: Date.now() }] });
      await frames();
      expect(await thread.requests()).to.deep.equal([]);
      expect(thread.element.querySelector('li')!.getBoundingClientRect().height).to.be.greaterThan(0);
      expect(thread.root.querySelector('ol, button')).to.equal(null);
      expect(thread.text).to.equal('Readers’ comments');
    });

    it('takes over those of the next article, and requests the posts of one without', async () => {
      const bff = new TestBff();
      await lists(bff, { posts: [listed('2', 'of the third article')] });
      const thread = await openThread({ bff, rendered: rendered() });
      await frames();
      thread.element.page = `${PAGE}?2`;
      await frames();
      expect(await thread.requests()).to.deep.equal([]);
      thread.element.page = `${PAGE}?3`;
      await frames();
      thread.element.querySelector('ol')!.remove();
      await thread.says('of the third article');
      thread.element.ownPosts = [{ user: ada, message: 'from the server', at: Date.now() }];
      await thread.says('Your new comment');
      expect(thread.messages).to.deep.equal(['from the server', 'of the third article']);
    });

    it('adds more below them at the reader’s wish', async () => {
      const bff = new TestBff();
      await lists(bff, { posts: [listed('9'), listed('8')] });
      const thread = await openThread({ bff, rendered: rendered('after 9'), ownPosts: [{ user: ada, message: 'mine', at: Date.now() }] });
      await thread.press('Show more comments');
      await thread.says('post 8');
      expect((await thread.requests()).map(({ query }) => query?.['cursor'])).to.deep.equal(['after 9']);
      expect(thread.messages).to.deep.equal(['mine', 'post 8']);
      const [first, slot, second] = [...thread.root.querySelectorAll('ol, slot')];
      expect([first!.localName, slot!.localName, second!.localName]).to.deep.equal(['ol', 'slot', 'ol']);
    });
  });

  it('is in the language of the page, with the page’s own phrases first', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')], next_cursor: 'c' });
    const thread = await openThread({ bff, lang: 'de' });
    await thread.says('Weitere Kommentare anzeigen');
    thread.element.strings = { thread: { showMore: 'Mehr davon' } };
    await thread.says('Mehr davon');
    thread.element.lang = 'ar';
    await thread.says('تعليقات القرّاء');
    expect(getComputedStyle(thread.root.querySelector('.thread')!).direction).to.equal('rtl');
  });
});
