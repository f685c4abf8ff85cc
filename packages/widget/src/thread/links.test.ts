/** Links to comments that the loaded lists do not have, and what replies without their parent show. */

import { expect } from '@open-wc/testing';
import type { ListedPost, PostConversation } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import { goTo } from '../box/_box.ts';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { frames, listed, lists, minuteLater, openThread, reply, shape } from './_thread.ts';

const linkTo = (id: string): void => goTo(`#vestibule-comment-${id}`);

const follow = (id: string): void => {
  linkTo(id);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** Scripts the answers to the requests for the conversation of `id`. */
const conversations = (bff: TestBff, id: string, ...answers: readonly (PostConversation | ScriptedAnswer)[]): Promise<void> => (
  bff.set({ answers: { [`GET /posts/${id}/conversation`]: answers.map((answer) => ('posts' in answer ? { json: answer } : answer)) } })
);

const FIRST: readonly ListedPost[] = [listed('9'), listed('8')];
const MORE = { next_cursor: 'c', conversation: true } as const;

describe('a link to a comment that the list does not have', () => {
  afterEach(() => goTo(''));

  it('shows its conversation first in the list, with one request beside the list', async () => {
    linkTo('3');
    const bff = new TestBff();
    await lists(bff, { posts: FIRST, ...MORE });
    await conversations(bff, '3', { posts: [listed('1'), reply('2', '1'), reply('3', '2')] });
    const thread = await openThread(undefined, { bff });
    await thread.hasFocusOn('Reader 3');
    expect([shape(thread.tree), thread.all('.marked').map(({ id }) => id)]).to.deep.equal(['1(2 3) 9 8', ['vestibule-comment-3']]);
    expect(thread.posts.map((post) => thread.messageOf(post).checkVisibility())).to.deep.equal([true, true, true, true, true]);
    expect(await bff.requests()).to.have.length(2);
  });

  it('has its size from the first frame; the others are laid out as they come near', async () => {
    linkTo('3');
    const bff = new TestBff();
    await lists(bff, { posts: FIRST, ...MORE });
    await conversations(bff, '3', { posts: [listed('1'), reply('3', '1')] });
    const thread = await openThread(undefined, { bff });
    await thread.hasFocusOn('Reader 3');
    const roots = thread.posts.filter((post) => !post.parentElement!.closest('li'));
    expect(roots.map((post) => getComputedStyle(post).contentVisibility)).to.deep.equal(['visible', 'auto', 'auto']);
  });

  it('is drawn together with the list, which waits for its conversation', async () => {
    linkTo('3');
    const bff = new TestBff();
    await lists(bff, { posts: FIRST, ...MORE });
    await conversations(bff, '3', { hold: 'conversation', json: { posts: [listed('3')] } });
    const thread = await openThread(undefined, { bff });
    await thread.hasAsked('GET /posts', 1);
    await thread.hasAsked('GET /posts/3/conversation', 1);
    await frames();
    expect(thread.posts).to.have.length(0);
    const shapes = new Set<string>();
    const observer = new MutationObserver(() => { if (thread.posts.length > 0) shapes.add(shape(thread.tree)); });
    observer.observe(thread.element.shadowRoot!, { childList: true, subtree: true });
    await bff.release('conversation');
    await thread.hasFocusOn('Reader 3');
    expect([...shapes]).to.deep.equal(['3 9 8']);
  });

  it('shows each comment once, also when a list brings it later', async () => {
    const thread = await openThread({ posts: [listed('9'), reply('2', '1')], ...MORE });
    await conversations(thread.bff, '1', { posts: [listed('1'), reply('2', '1')] });
    follow('1');
    await thread.hasFocusOn('Reader 1');
    expect(shape(thread.tree)).to.equal('1(2) 9');
    await lists(thread.bff, { posts: [reply('2', '1'), listed('1'), listed('0')] });
    await thread.press('Show more comments');
    await thread.until(() => shape(thread.tree) === '1(2) 9 0', 'each once');
  });

  it('adds to a conversation that is in the list, where it stands', async () => {
    const thread = await openThread({ posts: [listed('9'), listed('1'), reply('2', '1')], ...MORE });
    await conversations(thread.bff, '25', { posts: [listed('1'), reply('24', '1'), reply('25', '24')] });
    follow('25');
    await thread.hasFocusOn('Reader 25');
    expect(shape(thread.tree)).to.equal('9 1(2 24 25)');
  });

  it('says that the comment is not shown where the BFF says so, and asks for no lists', async () => {
    linkTo('gone');
    const bff = new TestBff();
    await lists(bff, { posts: FIRST, ...MORE });
    await conversations(bff, 'gone', { posts: [] });
    const thread = await openThread(undefined, { bff });
    await thread.until(() => thread.threadStatus === 'This comment is not shown here.', 'the status');
    expect(await thread.queries()).to.have.length(1);
  });

  it('says that it could not be loaded where the BFF does not answer, and tries again', async () => {
    const thread = await openThread({ posts: FIRST, ...MORE });
    await conversations(thread.bff, '1', { problem: 'internal-error' }, { posts: [listed('1')] });
    follow('1');
    await thread.says('The comments could not be loaded.');
    expect([thread.words.includes('not shown'), thread.details('error').length]).to.deep.equal([false, 1]);
    await thread.press('Try again');
    await thread.hasFocusOn('Reader 1');
  });

  it('drops the answer to an earlier link', async () => {
    const thread = await openThread({ posts: FIRST, ...MORE });
    await conversations(thread.bff, '1', { hold: 'early', json: { posts: [listed('1')] } });
    await conversations(thread.bff, '2', { posts: [listed('2')] });
    follow('1');
    await thread.hasAsked('GET /posts/1/conversation', 1);
    follow('2');
    await thread.hasFocusOn('Reader 2');
    await thread.bff.release('early');
    await frames();
    expect(shape(thread.tree)).to.equal('2 9 8');
  });

  it('says without conversations that it is further down, and asks for no further list', async () => {
    linkTo('wanted');
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1')], next_cursor: 'c' });
    const thread = await openThread(undefined, { bff });
    await thread.says('This comment is further down.');
    expect([(await thread.queries()).length, thread.words.includes('not shown')]).to.deep.equal([1, false]);
  });

  it('that is new shows what is new', async () => {
    const thread = await openThread({ posts: [listed('1')], next_cursor: 'c' });
    await lists(thread.bff, { posts: [listed('2'), listed('1')], next_cursor: 'c' });
    minuteLater();
    await thread.says('1 new comment');
    follow('2');
    await thread.hasFocusOn('Reader 2');
  });
});

describe('a reply without its parent', () => {
  afterEach(() => goTo(''));

  const lonely = { ...reply('2', '1'), in_reply_to: { username: 'Jörg Ünterwald', message: 'Keep her. The new lamps at the station hum in B flat.' } };

  it('names whom it answers, in one line, which leads to the conversation', async () => {
    const thread = await openThread({ posts: [listed('9'), lonely], ...MORE });
    const link = thread.all<HTMLAnchorElement>('.reply-to a')[0]!;
    expect(link.textContent).to.equal('In reply to Jörg Ünterwald');
    thread.element.parentElement!.style.inlineSize = '320px';
    await thread.isLaidOut();
    expect(link.getBoundingClientRect().height).to.be.lessThan(30);
    await conversations(thread.bff, '1', { posts: [listed('1'), lonely] });
    link.click();
    await thread.hasFocusOn('Reader 1');
    expect([shape(thread.tree), thread.all('.reply-to').length]).to.deep.equal(['1(2) 9', 0]);
  });

  for (const [lang, direction, letters] of [['ar', 'rtl', 'Latin '], ['en', 'ltr', 'مصباح ']] as const) {
    it(`shows the beginning of a name that is written in the other direction: on a page in ${lang}`, async () => {
      const quoted = { ...lonely, in_reply_to: { username: letters.repeat(30), message: '' } };
      const thread = await openThread({ posts: [quoted], ...MORE }, { lang });
      const [link] = thread.all<HTMLAnchorElement>('.reply-to a');
      await thread.until(() => getComputedStyle(link!).direction === direction, direction);
      const line = link!.getBoundingClientRect();
      for (const part of link!.querySelectorAll('bdi')) {
        const range = document.createRange();
        const text = [...part.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!;
        range.setStart(text, 0);
        range.setEnd(text, 1);
        const letter = range.getBoundingClientRect();
        const isSeen = letter.width > 0 && letter.left >= line.left && letter.right <= line.right;
        expect(isSeen, part.textContent.slice(0, 10)).to.equal(true);
        expect(part.getBoundingClientRect().width).to.be.at.most(line.width);
      }
    });
  }

  it('leads to a parent that “Show more comments” has brought', async () => {
    const thread = await openThread({ posts: [lonely], ...MORE });
    await lists(thread.bff, { posts: [listed('1')] });
    await thread.press('Show more comments');
    await thread.hasPosts(2);
    thread.all('.reply-to a')[0]!.click();
    await thread.hasFocusOn('Reader 1');
    expect([shape(thread.tree), await thread.bff.requests('GET /posts/1/conversation')]).to.deep.equal(['2 1', []]);
  });
});

describe('a conversation of the list', () => {
  it('has all its replies', async () => {
    const replies = Array.from({ length: 7 }, (_, index) => reply(`r${index}`, '1'));
    const thread = await openThread({ posts: [listed('1'), ...replies], ...MORE });
    expect(shape(thread.tree)).to.equal('1(r0 r1 r2 r3 r4 r5 r6)');
  });
});
