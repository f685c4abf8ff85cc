/** The thread of `show-posts`: the list, its failures, more of it, the reader's own posts, and posts of the page itself. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import { goTo } from '../box/_box.ts';
import { translate } from '../form/_sync-fixture.ts';
import { frames, listed, lists, minuteLater, openThread, own, PAGE, reply } from './_thread.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

describe('the thread', () => {
  it('requests the posts of its page without credentials, once', async () => {
    document.cookie = 'courier=1; path=/';
    const thread = await openThread([listed('100'), listed('99')]);
    expect((await thread.bff.requests()).map(({ path, query, cookie }) => [path, query, cookie])).to.deep.equal([['/posts', { forum: 'news', page: PAGE }, undefined]]);
    expect(thread.messages).to.deep.equal(['post 100', 'post 99']);
    document.cookie = 'courier=; path=/; max-age=0';
  });

  it('requests nothing before it comes near the viewport', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')] });
    const place = document.body.appendChild(document.createElement('div'));
    place.style.paddingBlockStart = '5000px';
    const thread = await openThread(undefined, { bff, place });
    window.scrollTo(0, 0);
    thread.element.page = `${PAGE}?2`;
    await frames();
    const early = (await thread.queries()).filter((query) => query!['page'] === `${PAGE}?2`);
    thread.element.scrollIntoView();
    await thread.says('post 1');
    place.remove();
    expect(early).to.deep.equal([]);
  });

  it('draws a long list in slices, from the top, and keeps what is drawn', async () => {
    const posts = Array.from({ length: 100 }, (_, index) => listed(String(100 - index)));
    const bff = new TestBff();
    await lists(bff, { posts });
    const thread = await openThread(undefined, { bff });
    const drawn: string[][] = [];
    const observer = new MutationObserver(() => drawn.push(thread.messages));
    observer.observe(thread.element.shadowRoot!, { childList: true, subtree: true });
    await thread.hasPosts(100);
    const expected = posts.map(({ message }) => message);
    const isBeginning = (some: string[]): boolean => some.join() === expected.slice(0, some.length).join();
    expect(new Set(drawn.map(({ length }) => length)).size).to.be.at.least(5);
    expect(drawn.every(isBeginning)).to.equal(true);
    expect(thread.messages).to.deep.equal(expected);
  });

  it('shows the author, the age up to a week, then the date, the exact time, and the text with its line breaks', async () => {
    const ages = [0, 59_000, MINUTE, HOUR - 30_000, HOUR, 23.9 * HOUR, DAY, 6.9 * DAY, -5 * MINUTE, 20 * DAY];
    const thread = await openThread(ages.map((age, index) => listed(String(index), 'one\n\n  two', { created_at: ago(age) })));
    const times = thread.posts.map((post) => post.querySelector('time')!);
    const year = new Date(Date.now() - 20 * DAY).getFullYear();
    expect(times.slice(0, 9).map(({ textContent }) => textContent)).to.deep.equal([
      'just now', 'just now', '1 minute ago', '59 minutes ago', '1 hour ago', '23 hours ago', 'yesterday', '6 days ago', 'just now',
    ]);
    expect(times[9]!.textContent).to.include(year);
    expect(times[9]!.title).to.include(year);
    expect(Date.now() - Date.parse(times[6]!.dateTime)).to.be.at.least(DAY);
    const [post] = thread.posts;
    await frames();
    expect([thread.headingOf(post!).textContent, thread.messageOf(post!).innerText]).to.deep.equal(['Reader 0', 'one\n\n  two']);
  });

  it('links http and https addresses, in a new tab and without endorsement', async () => {
    const thread = await openThread([listed('1', 'See https://a.example/b (or javascript:alert(1)).')]);
    const [post] = thread.posts;
    expect(thread.messages).to.deep.equal(['See https://a.example/b (or javascript:alert(1)).']);
    expect([...post!.querySelectorAll<HTMLAnchorElement>('.message a')].map(({ href, rel, target, dir }) => [href, rel, target, dir])).to.deep.equal([
      ['https://a.example/b', 'ugc nofollow noopener', '_blank', 'ltr'],
    ]);
  });

  it('does not put the language of its phrases on comments', async () => {
    const thread = await openThread([listed('1', 'Καλημέρα')], { lang: 'el' });
    expect([thread.messageOf(thread.posts[0]!), thread.headingOf(thread.posts[0]!)].map((text) => text.matches(':lang(en)'))).to.deep.equal([false, false]);
  });

  it('says in one live region that it loads, and that there is nothing, also on a page that a machine translates', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'list', json: { posts: [] } });
    const thread = await openThread(undefined, { bff });
    await thread.until(() => thread.threadStatus === 'Loading comments…', 'the status');
    const region = thread.part('thread-status')!;
    translate(region);
    await bff.release('list');
    await thread.until(() => thread.threadStatus === 'No comments yet. Be the first.', 'the status');
    expect([region.role, thread.part('thread-status') === region, thread.all('ol').length]).to.deep.equal(['status', true, 0]);
  });

  it('drops a response for another page', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'late', json: { posts: [listed('1', 'of the first page')] } }, { posts: [listed('2', 'of the second page')] });
    const thread = await openThread(undefined, { bff });
    await thread.hasAsked('GET /posts', 1);
    thread.element.page = `${PAGE}?2`;
    await thread.says('of the second page');
    await bff.release('late');
    await frames();
    expect([thread.messages, thread.details('error')]).to.deep.equal([['of the second page'], []]);
  });

  it('shows its posts after it was moved while they were loading', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'late', json: { posts: [listed('1')] } }, { posts: [listed('1')] });
    const thread = await openThread(undefined, { bff });
    await thread.hasAsked('GET /posts', 1);
    thread.element.parentElement!.append(thread.element);
    await bff.release('late');
    await thread.says('post 1');
  });

  it('is in the language of the page, with the page’s own phrases first', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' }, { lang: 'de' });
    await thread.says('Weitere Kommentare anzeigen');
    thread.element.strings = { thread: { showMore: 'Mehr davon' } };
    await thread.says('Mehr davon');
    thread.element.lang = 'ar';
    await thread.says('نسخ الرابط');
    expect(getComputedStyle(thread.part('thread-status')!).direction).to.equal('rtl');
  });
});

describe('the thread, when the list fails', () => {
  it('says so, and tries again at the reader’s wish and when the browser is online', async () => {
    const bff = new TestBff();
    await lists(bff, { problem: 'internal-error' }, { cut: true }, { posts: [listed('1')] });
    const thread = await openThread(undefined, { bff });
    await thread.says('The comments could not be loaded.');
    await thread.press('Try again');
    await thread.until(() => thread.details('error').length === 2, 'the second failure');
    dispatchEvent(new Event('online'));
    await thread.says('post 1');
    expect(thread.threadStatus).to.equal('');
  });

  it('offers no other try where there is no list', async () => {
    const thread = await openThread();
    await thread.says('The comments could not be loaded.');
    expect([thread.offers('Try again'), thread.details('error').map((detail) => (detail as { problem: { type: string } }).problem.type)]).to.deep.equal(
      [false, ['urn:vestibule:not-found']],
    );
  });
});

describe('the thread, with more posts', () => {
  it('adds them once at the reader’s wish, each once, and focuses the first of them', async () => {
    const thread = await openThread({ posts: [listed('100'), listed('99'), listed('98')], next_cursor: 'c 3' });
    await lists(thread.bff, { hold: 'more', json: { posts: [listed('98'), listed('5'), listed('4')] } });
    const more = thread.button('Show more comments')!;
    await thread.isLaidOut();
    const { top } = more.getBoundingClientRect();
    more.focus();
    more.click();
    await thread.until(() => more.ariaDisabled === 'true', 'a disabled button');
    more.click();
    expect([thread.focus, thread.threadStatus, more.getBoundingClientRect().top]).to.deep.equal(['Loading comments…', 'Loading comments…', top]);
    await thread.bff.release('more');
    await thread.says('post 4');
    expect((await thread.queries()).map((query) => query!['cursor'])).to.deep.equal([undefined, 'c 3']);
    expect(thread.messages).to.deep.equal(['post 100', 'post 99', 'post 98', 'post 5', 'post 4']);
    await thread.hasFocusOn('Reader 5');
    expect(thread.offers('Show more comments')).to.equal(false);
  });

  it('keeps what is there if they cannot be loaded, and tries again', async () => {
    const thread = await openThread({ posts: [listed('100')], next_cursor: 'c' });
    await lists(thread.bff, { problem: 'internal-error' }, { posts: [listed('5')] });
    await thread.press('Show more comments');
    await thread.says('The comments could not be loaded.');
    expect(thread.messages).to.deep.equal(['post 100']);
    await thread.press('Try again');
    await thread.says('post 5');
  });
});

describe('the thread, with entries of the outbox', () => {
  const byAda = (id: string, message: string, created_at = ago(0)): ListedPost => listed(id, message, { author: { username: 'Ada' }, created_at });

  it('shows a posted one above the list, and not its copy there, after which the reader keeps what is loaded', async () => {
    const thread = await openThread({ posts: [listed('3')], next_cursor: '3' });
    await lists(thread.bff, { posts: [listed('2')] }, { posts: [byAda('1', 'my own'), listed('3')], next_cursor: '3', total: 3 });
    await thread.press('Show more comments');
    await thread.says('post 2');
    thread.element.entries = [own('my own', { postId: '1' })];
    await thread.says('my own');
    expect(thread.messages).to.deep.equal(['my own', 'post 3', 'post 2']);
    minuteLater();
    await thread.until(() => thread.changes.at(-1)?.total === 3, 'the list that has it');
    expect(thread.messages).to.deep.equal(['my own', 'post 3', 'post 2']);
  });

  it('shows them over an empty list, in a list with a name', async () => {
    const thread = await openThread([]);
    await thread.says('No comments yet.');
    thread.element.entries = [own('second'), own('first')];
    thread.element.entriesName = 'Your comments';
    await thread.hasPosts(2);
    expect([thread.messages, thread.threadStatus, thread.all('ol').map(({ ariaLabel }) => ariaLabel)]).to.deep.equal(
      [['second', 'first'], '', ['Your comments']],
    );
  });

  it('shows a new one below the notice of new comments', async () => {
    const thread = await openThread([listed('1')]);
    await lists(thread.bff, { posts: [listed('2'), listed('1')] });
    minuteLater();
    await thread.says('1 new comment');
    thread.element.entries = [own('mine')];
    await thread.hasPosts(2);
    expect(thread.button('1 new comment')!.getBoundingClientRect().bottom).to.be.at.most(thread.post('mine').getBoundingClientRect().top);
    expect(thread.messages).to.deep.equal(['mine', 'post 1']);
  });

  it('gives one its actions as soon as its id is known, and moves nothing when it is listed', async () => {
    const entry = byAda('row 1', 'my own');
    const thread = await openThread({ posts: [listed('3')], replies: true });
    await lists(thread.bff, { posts: [entry, listed('3')], replies: true, total: 2 });
    thread.element.entries = [own('my own', { postId: '1', listed: { ...entry, state: 'published' } })];
    await thread.says('my own');
    const reply = thread.act('my own', 'Reply')!;
    reply.focus();
    const rows = (): number[] => thread.posts.map((post) => post.getBoundingClientRect().top);
    await thread.isLaidOut();
    const before = rows();
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    await thread.until(() => thread.changes.at(-1)?.total === 2, 'the listed one');
    await thread.isLaidOut();
    expect([rows(), thread.element.shadowRoot!.activeElement === reply]).to.deep.equal([before, true]);
  });

  it('keeps the place of the actions of one whose id is not known', async () => {
    const thread = await openThread([], { userKey: 'k' });
    await thread.says('No comments yet.');
    const entry = own('mine');
    thread.element.entries = [entry];
    await thread.hasPosts(1);
    await thread.isLaidOut();
    const { height } = thread.posts[0]!.getBoundingClientRect();
    await lists(thread.bff, { posts: [listed('1', 'mine', { author: { username: 'Ada', key: 'k' } })] });
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    thread.element.entries = [{ ...entry, entry: { ...entry.entry, postId: '1' } as typeof entry.entry }];
    await thread.until(() => thread.actsOf('mine').includes('Copy link'), 'the listed one');
    await thread.isLaidOut();
    expect(thread.posts[0]!.getBoundingClientRect().height).to.equal(height);
  });

  it('does not move when the first one comes', async () => {
    const thread = await openThread([]);
    await thread.says('No comments yet.');
    const { top } = thread.element.getBoundingClientRect();
    for (const message of ['first', 'second']) {
      thread.element.entries = [own(message), ...thread.element.entries];
      await thread.says(message);
      expect(thread.element.getBoundingClientRect().top).to.equal(top);
    }
  });

  it('shows one as anybody’s, once its account has signed out', async () => {
    const entry = byAda('row 1', 'my own');
    const thread = await openThread({ posts: [listed('3')], actions: ['edit', 'like'] }, { userKey: 'k' });
    thread.element.entries = [own('my own', { postId: 'row 1', listed: { ...entry, state: 'published' } })];
    await thread.until(() => thread.actsOf('my own').includes('Edit'), 'the reader’s own');
    Object.assign(thread.element, { account: '', userKey: undefined });
    await thread.until(() => thread.actsOf('my own').includes('Like'), 'anybody’s');
    expect(thread.actsOf('my own')).not.to.include('Edit');
  });

  it('gives the reader the same picture as the composer of a reply', async () => {
    const bff = new TestBff();
    await bff.signIn({ user_id: '42', username: 'Ada Quill' });
    const posts = [listed('1', 'mine', { author: { username: 'Ada Quill' } })];
    const thread = await openThread({ posts, replies: true }, { bff });
    await thread.press('Reply');
    await thread.until(() => thread.all('.avatar').filter(({ textContent }) => textContent === 'AQ').length === 2, 'two circles');
    const [one, other] = thread.all('.avatar').map((circle) => {
      const { backgroundColor, inlineSize, blockSize } = getComputedStyle(circle);
      return { backgroundColor, isRound: inlineSize === blockSize };
    });
    expect(one).to.deep.equal(other);
  });

  for (const [what, posts, expected, more] of [
    ['the same id, whatever its text', [byAda('1', 'edited')], ['edited'], { postId: '1' }],
    ['the id of its entry', [byAda('row 1', 'edited')], ['edited'], { postId: '1', listed: { ...byAda('row 1', 'a  b'), state: 'pending' }, isListed: true }],
    ['the same text, but another id', [byAda('row 9', 'a b')], ['a  b', 'a b'], { postId: '1', listed: { ...byAda('row 1', 'a  b'), state: 'published' } }],
    ['the same text, before it has an id', [byAda('9', 'a b')], ['a  b', 'a b'], {}],
  ] as const) {
    it(`shows one beside a listed one by ${what}: ${expected.length}`, async () => {
      const bff = new TestBff();
      await lists(bff, { posts });
      const thread = await openThread(undefined, { bff, entries: [own('a  b', more)] });
      await thread.until(() => thread.messages.join() === expected.join(), expected.join());
    });
  }

  it('shows a reply where its composer was: directly below the comment that it answers, the newest press first', async () => {
    const posts = [listed('2'), listed('1'), reply('3', '1'), reply('4', '1'), reply('5', '1'), reply('6', '1'), reply('7', '1')];
    const thread = await openThread(posts);
    const at = Date.now();
    thread.element.entries = [
      own('to 6 again', { parent: '6', pressedAt: at + 1 }), own('to 6', { parent: '6', pressedAt: at }), own('to 1', { parent: '1' }),
    ];
    await thread.hasPosts(10);
    const replies = ['to 1', 'post 3', 'post 4', 'post 5', 'post 6', 'to 6 again', 'to 6', 'post 7'];
    expect(thread.tree).to.deep.equal([['post 2'], ['post 1', replies.map((text) => [text])]]);
    expect(thread.post('to 6').querySelector('.reply-to')!.textContent).to.equal('In reply to Reader 6');
  });

  it('shows a reply to a comment that is not there among the other entries, with whom it answers', async () => {
    const thread = await openThread([listed('1')]);
    thread.element.entries = [own('mine'), own('to Grace', { parent: '9', inReplyTo: 'Grace' })];
    await thread.hasPosts(3);
    expect(thread.messages).to.deep.equal(['mine', 'to Grace', 'post 1']);
    expect(thread.post('to Grace').querySelector('.reply-to')!.textContent).to.equal('In reply to Grace');
  });
});

describe('the thread, with posts that the page has rendered', () => {
  afterEach(() => goTo(''));

  const rendered = '<ol><li data-post-id="9"><b>Ada Quill</b> <p>from the server</p></li></ol>';

  it('leaves them as they are and requests nothing, until the reader wants all: then the list takes their place', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'list', json: { posts: [listed('9'), listed('8')] } });
    const thread = await openThread(undefined, { bff, content: rendered });
    await thread.says('Show all comments');
    const first = thread.element.querySelector('li')!;
    minuteLater();
    await frames();
    expect([first.checkVisibility(), await thread.queries(), thread.posts]).to.deep.equal([true, [], []]);
    await thread.press('Show all comments');
    await thread.hasAsked('GET /posts', 1);
    expect(first.checkVisibility()).to.equal(true);
    await bff.release('list');
    await thread.hasFocusOn('Reader 9');
    expect([first.checkVisibility(), thread.messages]).to.deep.equal([false, ['post 9', 'post 8']]);
  });

  it('loads the list for a link to a comment that they do not have, at the reader’s wish', async () => {
    goTo('#vestibule-comment-8');
    const bff = new TestBff();
    await lists(bff, { posts: [listed('9'), listed('8')] });
    const thread = await openThread(undefined, { bff, content: rendered });
    await thread.press('Show the linked comment');
    await thread.hasFocusOn('Reader 8');
  });

  it('shows entries above them, and one that they have only there', async () => {
    const thread = await openThread(undefined, { content: rendered });
    await frames();
    thread.element.entries = [own('new'), own('from the server', { postId: '9' })];
    await thread.hasPosts(1);
    expect(thread.messages).to.deep.equal(['new']);
    expect(thread.posts[0]!.getBoundingClientRect().bottom).to.be.at.most(thread.element.querySelector('li')!.getBoundingClientRect().top);
  });

  it('takes over those of the next article, and requests the posts of one without', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('2', 'of the third article')] });
    const thread = await openThread(undefined, { bff, content: rendered });
    await frames();
    thread.element.page = `${PAGE}?2`;
    await frames();
    expect(await thread.queries()).to.deep.equal([]);
    thread.element.page = `${PAGE}?3`;
    await frames();
    thread.element.querySelector('ol')!.remove();
    await thread.says('of the third article');
  });
});
