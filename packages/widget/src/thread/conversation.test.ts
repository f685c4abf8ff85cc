/** The conversation: replies, order, links to comments, new comments, and what the list says of the article. */

import { expect } from '@open-wc/testing';
import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import { comeBack, goTo, openBox, replace } from '../box/_box.ts';
import '../define.ts';
import { frames, listed, lists, minuteLater, openThread, own, PAGE, reply, shape } from './_thread.ts';

const fragment = (id: string): string => `#vestibule-comment-${encodeURIComponent(id)}`;

describe('replies', () => {
  for (const [what, posts, expected] of [
    ['stand below their parent, the oldest first', [reply('2', '1'), reply('3', '1'), listed('1'), listed('0')], '1(2 3) 0'],
    ['to replies stay on the second level', [listed('1'), reply('2', '1'), reply('3', '2'), reply('4', '3')], '1(2 3 4)'],
    ['to a comment of another list are there', [reply('2', 'x'), reply('3', '2'), listed('1')], '2(3) 1'],
    ['to themselves stand on the first level', [reply('1', '1'), reply('2', '1')], '1(2)'],
    ['to ids of any form', [listed('"> b'), reply('__proto__', '"> b'), reply('constructor', '__proto__')], '"> b(__proto__ constructor)'],
    ['that are listed twice are there once', [listed('1'), reply('2', '1'), reply('2', '1')], '1(2)'],
  ] as const) {
    it(what, async () => {
      const bff = new TestBff();
      await lists(bff, { posts });
      const thread = await openThread(undefined, { bff });
      await thread.until(() => shape(thread.tree) === expected, expected);
    });
  }

  for (const [what, conversation, href] of [
    ['with a link where the BFF has its conversation', true, `${PAGE}#vestibule-comment-x%20y`], ['as text where it has not', undefined, undefined],
  ] as const) {
    it(`name whom they reply to where they do not stand below it: with a link to one that is loaded, another one ${what}`, async () => {
      const posts = [listed('1'), reply('2', '1'), reply('3', '2'), reply('4', 'x y'), { ...reply('5', 'z'), in_reply_to: { username: 'Zoe', message: 'z' } }];
      const thread = await openThread({ posts, ...conversation && { conversation } });
      const lines = thread.posts.map((post) => post.querySelector(':scope > div > div > .text > .reply-to'));
      expect(lines.map((line) => line && [line.textContent, line.querySelector('a')?.href])).to.deep.equal([
        null, null, ['In reply to Reader 2', `${PAGE}${fragment('2')}`], ['In reply to an earlier comment', href],
        ['In reply to Zoe', href && `${PAGE}${fragment('z')}`],
      ]);
    });
  }

  it('that wait at another article name whom they answer without a link: it would lead to this article', async () => {
    const reply = { state: 'failed', parent: 'p', inReplyTo: 'Bob' } as const;
    const entries = [own('here', reply), own('elsewhere', { ...reply, address: `${PAGE}/2`, article: `${PAGE}/2` })];
    const thread = await openThread({ posts: [], conversation: true }, { entries }, 2);
    const lineOf = (text: string): HTMLElement => thread.post(text).querySelector<HTMLElement>('.reply-to')!;
    await thread.until(() => lineOf('here').querySelector('a')?.href === `${PAGE}${fragment('p')}`, 'the link');
    expect([lineOf('elsewhere').textContent, lineOf('elsewhere').querySelector('a')]).to.deep.equal(['In reply to Bob', null]);
  });

  it('that were shown alone stay where they are when their parent comes, and join it at the next load', async () => {
    const first = { posts: [reply('2', '1'), listed('3')], next_cursor: 'c' };
    const thread = await openThread(first);
    await lists(thread.bff, { posts: [reply('4', '1'), listed('1'), reply('5', '2')] });
    await thread.press('Show more comments');
    await thread.hasPosts(5);
    expect([shape(thread.tree), thread.words.includes('In reply to Reader 1')]).to.deep.equal(['2(5) 3 1(4)', true]);
    await lists(thread.bff, { posts: [...first.posts, reply('4', '1'), listed('1')] });
    await thread.choose('Oldest first');
    await thread.until(() => shape(thread.tree) === '3 1(2 4)', 'the next load');
  });

  it('that come later stand behind those that are shown, whatever their times', async () => {
    const [early, late] = [reply('early', '1'), reply('late', '1')];
    const thread = await openThread({ posts: [listed('1'), late], next_cursor: 'c' });
    await lists(thread.bff, { posts: [early, listed('2')] });
    await thread.press('Show more comments');
    await thread.hasPosts(4);
    expect(shape(thread.tree)).to.equal('1(late early) 2');
  });

  for (const [what, more, properties] of [
    ['takes none', {}, {}], ['is closed', { replies: true, closed: 'Over.' }, {}], ['is closed by the page', { replies: true }, { closed: true }],
  ] as const) {
    it(`are not offered where the article ${what}`, async () => {
      const thread = await openThread({ posts: [listed('1')], ...more }, properties);
      await thread.says('…');
      expect(thread.offers('Reply')).to.equal(false);
    });
  }

  it('are written in a composer below the comment, one at a time, which gives the focus back', async () => {
    const bff = new TestBff();
    const strings = { core: { post: 'Send' } };
    const properties = { sync: 'inline', maxLength: 100, theme: 'dark', headingLevel: 4, strings } as const;
    const thread = await openThread({ posts: [listed('1'), listed('2')], replies: true }, { bff, ...properties });
    const [first, second] = ['post 1', 'post 2'].map((message) => thread.act(message, 'Reply')!);
    first!.click();
    await thread.until(() => thread.composer, 'a composer');
    const { composer } = thread;
    expect(composer).to.include({ parent: '1', replyTo: 'Reader 1', forum: 'news', page: PAGE, bff: bff.url, ...properties });
    expect([composer!.closest('li') === thread.posts[0], first!.ariaExpanded]).to.deep.equal([true, 'true']);
    second!.click();
    await thread.until(() => thread.composer?.parent === '2', 'the other composer');
    expect([thread.all('vestibule-comments').length, first!.ariaExpanded]).to.deep.equal([1, 'false']);
    thread.composer!.dispatchEvent(new CustomEvent('close'));
    await thread.hasFocusOn('Reply');
    expect([thread.composer, thread.element.shadowRoot!.activeElement === second]).to.deep.equal([undefined, true]);
    second!.click();
    await thread.until(() => thread.composer, 'a composer');
    second!.click();
    await thread.until(() => !thread.composer, 'no composer');
  });

  it('name their addressee as it is written', async () => {
    const thread = await openThread({ posts: [listed('1', 'a', { author: { username: '$& Cash$$' } })], replies: true });
    await thread.press('Reply');
    await thread.until(() => thread.composer?.shadowRoot!.querySelector('label')?.textContent.trim() === 'Reply to $& Cash$$', 'the name');
  });

  it('are written in a field whose focus ring is whole, within the comment, which clips', async () => {
    const thread = await openThread({ posts: [listed('1')], replies: true });
    await thread.press('Reply');
    await thread.until(() => thread.composer?.shadowRoot?.activeElement, 'the focus');
    const frame = thread.composer!.shadowRoot!.querySelector('.frame')!;
    const { outlineWidth, outlineOffset } = getComputedStyle(frame);
    const ring = frame.getBoundingClientRect().right + Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    expect([outlineWidth, ring <= thread.posts[0]!.getBoundingClientRect().right]).to.deep.equal(['2px', true]);
  });

  it('are styled by the page as the box is', async () => {
    const style = document.head.appendChild(document.createElement('style'));
    style.textContent = 'vestibule-comments::part(primary-button), vestibule-comments::part(field) { color: rgb(1, 2, 3) }';
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')], replies: true });
    const box = await openBox({ bff, attributes: { 'show-posts': '' } });
    await box.press('Reply');
    await box.until(() => box.all('textarea').length === 2, 'a composer');
    const colors = box.all('textarea, .primary').map((control) => getComputedStyle(control).color);
    style.remove();
    expect(colors).to.deep.equal(Array.from({ length: 4 }, () => 'rgb(1, 2, 3)'));
  });

  it('that is being written is not for an article that is closed meanwhile, nor for the next article', async () => {
    const thread = await openThread({ posts: [listed('1')], replies: true });
    await thread.press('Reply');
    await thread.until(() => thread.composer, 'a composer');
    await lists(thread.bff, { posts: [listed('1')], replies: true, closed: 'Over.' }, { posts: [listed('1')], replies: true });
    minuteLater();
    await thread.until(() => thread.composer!.matches(':state(closed)'), 'a closed composer');
    expect(thread.composer!.shadowRoot!.querySelector('#closed')!.role, 'said by the box of the thread').to.equal(null);
    thread.element.page = `${PAGE}?2`;
    await thread.until(() => thread.offers('Reply'), 'the next article');
    expect(thread.composer).to.equal(undefined);
  });
});

describe('the order of the thread', () => {
  it('is the attribute’s, and the reader’s', async () => {
    const thread = await openThread([listed('1'), listed('2')], { order: 'oldest' });
    await lists(thread.bff, { hold: 'list', json: { posts: [listed('2'), listed('1')], next_cursor: 'c' } }, { posts: [listed('0')] });
    await thread.choose('Newest first');
    await thread.hasAsked('GET /posts', 2);
    expect([shape(thread.tree), thread.threadStatus]).to.deep.equal(['1 2', 'Loading comments…']);
    await thread.bff.release('list');
    await thread.until(() => shape(thread.tree) === '2 1', 'the other order');
    await thread.press('Show more comments');
    await thread.says('post 0');
    const article = { forum: 'news', page: PAGE };
    expect(await thread.queries()).to.deep.equal([{ ...article, order: 'oldest' }, article, { ...article, cursor: 'c' }]);
  });

  it('that fails to load leaves the comments, the choice and an open reply as they are', async () => {
    const thread = await openThread({ posts: [listed('2'), listed('1')], replies: true });
    await thread.press('Reply');
    await thread.until(() => thread.composer, 'a composer');
    await lists(thread.bff, { problem: 'too-many-requests' });
    await thread.choose('Oldest first');
    await thread.says('The comments could not be loaded.');
    const [select] = thread.all<HTMLSelectElement>('select');
    expect([shape(thread.tree), select!.value, thread.composer !== undefined]).to.deep.equal(['2 1', 'newest', true]);
    await lists(thread.bff, { posts: [listed('1'), listed('2')], replies: true });
    await thread.choose('Oldest first');
    await thread.until(() => shape(thread.tree) === '1 2', 'the other order');
    expect([select!.value, thread.threadStatus, thread.composer !== undefined]).to.deep.equal(['oldest', '', true]);
  });

  it('that fails to load leaves what the page has rendered', async () => {
    const thread = await openThread(undefined, { content: '<ol><li data-post-id="3">from the server</li></ol>' });
    await lists(thread.bff, { problem: 'internal-error' });
    await thread.press('Show all comments');
    await thread.says('Try again');
    expect(thread.element.querySelector('li')!.checkVisibility()).to.equal(true);
  });

  it('that fails to load can be tried again', async () => {
    const thread = await openThread([listed('2'), listed('1')]);
    await lists(thread.bff, { problem: 'internal-error' }, { posts: [listed('1'), listed('2')] });
    await thread.choose('Oldest first');
    await thread.press('Try again');
    await thread.until(() => shape(thread.tree) === '1 2', 'the other order');
  });
});

describe('a link to a comment', () => {
  const writes = (): string[] => {
    const texts: string[] = [];
    replace(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(texts.push(text)) } });
    return texts;
  };

  it('is its time, on the article’s address, and can be copied', async () => {
    const texts = writes();
    const thread = await openThread([listed('a/b "c"')]);
    const href = `${PAGE}#vestibule-comment-a%2Fb%20%22c%22`;
    expect(thread.all<HTMLAnchorElement>('a.time').map((link) => link.href)).to.deep.equal([href]);
    await thread.press('…');
    await thread.press('Copy link');
    await thread.until(() => thread.threadStatus === 'Link copied', 'the status');
    expect([texts, thread.offers('✓')]).to.deep.equal([[href], true]);
  });

  it('that is copied again is said to be for the whole time', async () => {
    writes();
    const notes: (() => void)[] = [];
    const { setTimeout } = window;
    replace(window, { setTimeout: (run: () => void, ms?: number, ...rest: []) => (
      ms === 4_000 ? notes.push(run) : setTimeout(run, ms, ...rest)
    ) });
    const thread = await openThread([listed('1'), listed('2')]);
    for (const message of ['post 1', 'post 2']) {
      await thread.openMenu(message);
      thread.act(message, 'Copy link')!.click();
      await thread.until(() => thread.act(message, '✓'), 'the note');
    }
    notes[0]!();
    await thread.element.updateComplete;
    expect(thread.threadStatus).to.equal('Link copied');
    notes[1]!();
    await thread.until(() => thread.threadStatus === '', 'no note');
  });

  it('that cannot be copied becomes the page’s address', async () => {
    replace(navigator, { clipboard: { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) } });
    const thread = await openThread([listed('1')]);
    await thread.press('…');
    await thread.press('Copy link');
    await thread.until(() => location.hash === fragment('1'), 'the address');
    expect(thread.words).not.to.contain('Link copied');
  });

  it('brings the comment into sight, focuses and marks it; so does a later one', async () => {
    goTo(fragment('x y'));
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1', '\n'.repeat(15)), listed('2'), listed('3', '\n'.repeat(15)), reply('x y', '3'), listed('4')], next_cursor: 'c' });
    const place = document.body.appendChild(document.createElement('div'));
    place.style.paddingBlock = '3000px';
    const thread = await openThread(undefined, { bff, place });
    await thread.hasFocusOn('Reader x y');
    const { top, bottom } = thread.headingOf(thread.post('post x y')).getBoundingClientRect();
    expect([top > 0 && bottom < innerHeight, thread.all('.marked').map(({ id }) => id)]).to.deep.equal([true, ['vestibule-comment-x y']]);
    thread.all('a.time', thread.post('post 2'))[0]!.click();
    await thread.hasFocusOn('Reader 2');
    expect(thread.all('.marked').map(({ id }) => id)).to.deep.equal(['vestibule-comment-2']);
    place.remove();
  });

  it('that is none moves nothing', async () => {
    const thread = await openThread([listed('1')]);
    goTo('#vestibule-comment-%E0%A4%A');
    dispatchEvent(new HashChangeEvent('hashchange'));
    await frames();
    expect([(await thread.queries()).length, thread.focus]).to.deep.equal([1, 'elsewhere']);
  });

  it('that is not there any more says so once, where the reader sees it', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    place.style.paddingBlock = '3000px';
    goTo(fragment('gone'));
    const thread = await openThread([listed('1'), listed('2')], { place });
    const words = 'This comment is not shown here.';
    await thread.until(() => thread.threadStatus === words, 'the status');
    await thread.until(() => thread.threadStatus === '', 'the end of the note');
    const shown = (): HTMLElement | undefined => thread.all('p').find(({ textContent }) => textContent === words);
    const { top, bottom } = shown()!.getBoundingClientRect();
    expect([top > 0 && bottom < innerHeight, thread.focus]).to.deep.equal([true, 'elsewhere']);
    thread.all('a.time', thread.post('post 2'))[0]!.click();
    await thread.hasFocusOn('Reader 2');
    expect(shown()).to.equal(undefined);
    place.remove();
  });

  it('leads to one that the page has rendered', async () => {
    goTo(fragment('9'));
    const thread = await openThread(undefined, { content: `<ol><li style="padding-top: 4000px"></li><li data-post-id="9">from the server</li></ol>` });
    await thread.until(() => thread.element.querySelector('[data-post-id]')!.getBoundingClientRect().top < innerHeight, 'the comment');
    expect(await thread.queries()).to.deep.equal([]);
  });
});

describe('new comments', () => {
  const first: PostList = { posts: [listed('3'), listed('2')], next_cursor: 'c', total: 5 };
  const next: PostList = { posts: [listed('6'), listed('5'), reply('4', '3'), listed('3')], next_cursor: 'd', total: 8 };

  it('are announced a minute later, and shown at the reader’s wish without moving what is read', async () => {
    const thread = await openThread(first);
    await lists(thread.bff, next, { ...next, total: 9 });
    await thread.isLaidOut();
    const top = thread.posts[0]!.getBoundingClientRect().top;
    minuteLater();
    await thread.says('3 new comments');
    expect([thread.posts[0]!.getBoundingClientRect().top, shape(thread.tree)]).to.deep.equal([top, '3 2']);
    expect(thread.changes.map(({ total }) => total)).to.deep.equal([5, 8]);
    minuteLater();
    await thread.until(() => thread.changes.at(-1)!.total === 9, 'the latest list');
    await thread.press('3 new comments');
    await thread.hasFocusOn('Reader 6');
    expect([shape(thread.tree), thread.words.includes('new comment')]).to.deep.equal(['6 5 3(4) 2', false]);
  });

  it('are looked for on return from the back/forward cache, but not in a page that cannot be seen; on a closed article, too', async () => {
    const thread = await openThread(first);
    replace(document, { visibilityState: 'hidden' });
    minuteLater();
    replace(document, { visibilityState: 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
    await thread.hasAsked('GET /posts', 2);
    await lists(thread.bff, { ...first, total: 9, closed: { de: 'Zu.', en: 'Over.' } });
    comeBack();
    await thread.until(() => thread.changes.at(-1)?.closed, 'a closed article');
    minuteLater();
    await thread.hasAsked('GET /posts', 4);
    expect(thread.changes.at(-1)).to.deep.equal({ total: 9, label: '9 comments', closed: 'Over.' });
  });

  it('of the reader are not counted', async () => {
    const mine = listed('7', 'mine', { author: { username: 'Ada' }, created_at: new Date().toISOString() });
    const thread = await openThread(first);
    thread.element.entries = [own('mine', { postId: '7' })];
    await thread.says('mine');
    await lists(thread.bff, { ...next, posts: [mine, ...next.posts] });
    minuteLater();
    await thread.says('3 new comments');
    expect(shape(thread.tree)).to.equal('mine 3 2');
  });

  it('are not those that have moved up from the next list because another comment was removed', async () => {
    const thread = await openThread(first);
    await lists(thread.bff, { posts: [listed('2'), listed('1')], next_cursor: 'd', total: 4 });
    minuteLater();
    await thread.until(() => thread.changes.at(-1)!.total === 4, 'the list without the removed comment');
    expect([shape(thread.tree), thread.words.includes('new comment')]).to.deep.equal(['3 2', false]);
  });

  it('are said once by ear until they are shown', async () => {
    const thread = await openThread(first);
    const said: string[] = [];
    const note = thread.part('thread-status')!.querySelector('.note')!;
    const observer = new MutationObserver(() => said.push(note.textContent));
    observer.observe(note, { childList: true, characterData: true, subtree: true });
    await lists(
      thread.bff, { ...next, posts: [listed('4'), ...first.posts] }, next, { ...next, posts: [listed('7'), ...next.posts] },
    );
    minuteLater();
    await thread.until(() => thread.threadStatus === '1 new comment', 'the note');
    minuteLater();
    await thread.until(() => thread.offers('3 new comments'), 'more of them');
    await thread.until(() => thread.threadStatus === '', 'the end of the note');
    await thread.press('3 new comments');
    minuteLater();
    await thread.until(() => thread.threadStatus === '1 new comment', 'the next note');
    expect(said).to.deep.equal(['1 new comment', '', '1 new comment']);
  });

  it('are said when the window has the focus again, as many as there are then', async () => {
    const thread = await openThread(first);
    await lists(thread.bff, { ...next, posts: [listed('4'), ...first.posts] }, next);
    replace(document, { hasFocus: () => false });
    minuteLater();
    await thread.says('1 new comment');
    minuteLater();
    await thread.until(() => thread.offers('3 new comments'), 'more of them');
    expect(thread.threadStatus).to.equal('');
    replace(document, { hasFocus: () => true });
    window.dispatchEvent(new FocusEvent('focus'));
    await thread.until(() => thread.threadStatus === '3 new comments', 'the note');
  });

  it('that cannot be loaded change nothing', async () => {
    const thread = await openThread(first);
    await lists(thread.bff, { problem: 'internal-error' });
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    await frames();
    expect([thread.threadStatus, thread.details('error')]).to.deep.equal(['', []]);
  });
});

describe('a comment', () => {
  const badged: ListedPost = { ...listed('1'), author: { username: 'Courier', badge: 'Editor' } };

  for (const width of [320, 412]) {
    it(`leaves the name readable beside a long badge and a pick in ${width} pixels`, async () => {
      const author = { username: 'Margarethe', badge: 'Local history society' };
      const thread = await openThread([listed('1', 'a', { author, pick: true })]);
      thread.element.parentElement!.style.inlineSize = `${width}px`;
      const name = thread.all('.author bdi')[0]!;
      expect(name.scrollWidth).to.be.at.most(name.clientWidth);
      const right = thread.element.getBoundingClientRect().right;
      for (const badge of thread.all('[part~=badge]')) expect(badge.getBoundingClientRect().right).to.be.at.most(right);
    });
  }

  it('shows the badge of its author, whom a machine does not translate', async () => {
    const thread = await openThread([badged]);
    const [heading, badge] = ['[role=heading] > *', '[part~=badge]'].map((selector) => thread.all(selector)[0]!);
    expect([heading, badge].map((element) => [element!.textContent, element!.translate])).to.deep.equal([['Courier', false], ['Editor', false]]);
  });

  for (const [template, href] of [
    ['https://a.example/report/{id}?c={id}', 'https://a.example/report/a%2F%3F%22?c=a%2F%3F%22'], ['javascript:alert("{id}")', undefined],
    ['/report/{id}', undefined], ['https://{id}.example/', undefined],
  ] as const) {
    it(`can be reported with ${template}: ${href !== undefined}`, async () => {
      const thread = await openThread([listed('a/?"')], { reportUrl: template });
      await thread.press('…');
      const link = thread.button('Report') as unknown as HTMLAnchorElement | undefined;
      expect(link && [link.href, link.target, link.rel]).to.deep.equal(href && [href, '_blank', 'noopener']);
    });
  }

  for (const lang of ['en', 'ar']) {
    it(`has a gap between the name and the badge, whatever their direction: on a page in ${lang}`, async () => {
      const thread = await openThread([badged], { lang });
      await thread.until(() => getComputedStyle(thread.posts[0]!).direction === (lang === 'ar' ? 'rtl' : 'ltr'), 'the direction');
      await thread.isLaidOut();
      const [name, badge] = ['.author', '[part~=badge]'].map((selector) => thread.all(selector)[0]!.getBoundingClientRect());
      expect(lang === 'ar' ? name!.left - badge!.right : badge!.left - name!.right).to.be.closeTo(6, 1);
    });
  }

  it('cuts a name that is longer than its line, also where a reply names its author', async () => {
    const username = 'W'.repeat(255);
    const posts = [listed('1', 'a', { author: { username, badge: username } }), reply('2', '1'), listed('3', 'b', { parent_id: '2', author: { username } }), reply('4', '3')];
    const thread = await openThread(posts);
    thread.element.parentElement!.style.inlineSize = '320px';
    await thread.isLaidOut();
    const line = Number.parseFloat(getComputedStyle(thread.posts[0]!).lineHeight);
    const lines = (selector: string): number[] => (
      thread.all(selector).map((name) => Math.round(name.getBoundingClientRect().height / line))
    );
    expect([Math.max(...lines('.by > *')), Math.max(...lines('.by')), Math.max(...lines('.reply-to'))]).to.deep.equal([1, 2, 2]);
  });

  it('has the same distance to the next one with and without replies', async () => {
    const thread = await openThread([listed('1'), listed('2'), reply('3', '2'), listed('4')]);
    await thread.isLaidOut();
    const [first, second, , last] = thread.posts.map((post) => post.getBoundingClientRect());
    expect(last!.top - second!.bottom).to.be.closeTo(second!.top - first!.bottom, 0.5);
  });

  it('in another direction than the page stands beside the circle of its author', async () => {
    const thread = await openThread([listed('1', 'Left to right')], { lang: 'ar' });
    const { parentElement } = thread.headingOf(thread.post('Left to right'));
    await thread.until(() => {
      const circle = thread.all('.avatar')[0]!.getBoundingClientRect();
      return circle.left - parentElement!.getBoundingClientRect().right < circle.width && getComputedStyle(parentElement!).direction === 'rtl';
    }, 'a name beside its circle');
    expect(getComputedStyle(thread.messageOf(thread.posts[0]!)).direction).to.equal('ltr');
  });

  it('shows the beginning of a long name, also in another direction', async () => {
    const author = { username: 'Wolfeschlegelstein'.repeat(14) };
    const thread = await openThread([listed('1', 'a', { author })], { lang: 'ar' });
    await thread.until(() => getComputedStyle(thread.headingOf(thread.posts[0]!)).direction === 'rtl', 'the direction');
    const name = thread.headingOf(thread.posts[0]!);
    const range = document.createRange();
    range.setStart(name.querySelector('bdi')!.firstChild!, 0);
    range.setEnd(name.querySelector('bdi')!.firstChild!, 1);
    const [letter, { left, right }] = [range.getBoundingClientRect(), name.getBoundingClientRect()];
    expect([letter.left >= left, letter.right <= right, name.querySelector('bdi')!.scrollWidth > right - left]).to.deep.equal([true, true, true]);
  });

  it('is not linked again when only its age changes, nor shown again in a page that cannot be seen', async () => {
    const thread = await openThread({ posts: [listed('1', 'https://a.example/', { created_at: new Date().toISOString() })], closed: 'Over.' });
    const [link] = thread.all('.message a');
    const seen = new MutationObserver(() => {});
    seen.observe(thread.posts[0]!, { childList: true, characterData: true, subtree: true });
    replace(document, { visibilityState: 'hidden' });
    minuteLater();
    await frames();
    expect(seen.takeRecords()).to.have.length(0);
    replace(document, { visibilityState: 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
    await thread.says('1 minute ago');
    expect(seen.takeRecords().some(({ target }) => thread.messageOf(thread.posts[0]!).contains(target))).to.equal(false);
    expect(thread.all('.message a')[0] === link).to.equal(true);
  });
});

describe('a thread that is shown', () => {
  it('looks for new comments while it is near the viewport, and once when it comes back there', async () => {
    const far = document.body.appendChild(document.createElement('div'));
    const place = document.body.appendChild(document.createElement('div'));
    const thread = await openThread([listed('1')], { place });
    const asked = async (): Promise<number> => (await thread.queries()).length;
    await thread.hasPosts(1);
    far.style.blockSize = '5000px';
    scrollTo(0, 0);
    await frames();
    await frames();
    minuteLater();
    await frames();
    expect(await asked()).to.equal(1);
    await lists(thread.bff, { posts: [listed('2'), listed('1')] });
    far.style.blockSize = '';
    await thread.says('1 new comment');
    expect(await asked()).to.equal(2);
    far.remove();
    place.remove();
  });
});

describe('the thread, for the box', () => {
  it('says how many comments there are and that the article is closed, and takes it back for another article', async () => {
    const thread = await openThread({ posts: [listed('1')], total: 12, closed: '' });
    await thread.until(() => thread.changes.length === 1, 'a change');
    await lists(thread.bff, { posts: [listed('1'), listed('2')] }, { posts: [], next_cursor: 'c' });
    thread.element.page = `${PAGE}?2`;
    await thread.hasPosts(2);
    thread.element.page = `${PAGE}?3`;
    await thread.hasPosts(0);
    expect(thread.changes).to.deep.equal([{ total: 12, label: '12 comments', closed: '' }, {}, { total: 2, label: '2 comments' }, {}]);
  });

  it('counts the reader’s own comment at once, one that waits for approval not, and no comment twice', async () => {
    const thread = await openThread({ posts: [listed('1')], total: 12, next_cursor: 'c' });
    await lists(thread.bff, { posts: [listed('9', 'mine', { author: { username: 'Ada' } }), listed('1')], total: 13, next_cursor: 'c' });
    thread.element.entries = [own('mine', { postId: '9' }), own('held', { listed: { state: 'pending' } })];
    await thread.until(() => thread.changes.at(-1)?.total === 13, 'the number');
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    await frames();
    expect(thread.changes.map(({ total }) => total)).to.deep.equal([12, 13]);
  });

  it('does not repeat its request when it is moved as a whole', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'list', json: { posts: [listed('1')] } });
    const thread = await openThread(undefined, { bff });
    await thread.hasAsked('GET /posts', 1);
    const place = document.body.appendChild(document.createElement('div'));
    (place as unknown as { moveBefore(node: Node, before: null): void }).moveBefore(thread.element, null);
    await bff.release('list');
    await thread.says('post 1');
    expect(await thread.queries()).to.have.length(1);
    place.remove();
  });
});
