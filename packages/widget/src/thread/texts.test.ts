/** Texts of comments: long ones are folded by their height, all of each is in the document, and on paper. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { devtools, openSignedIn } from '../box/_box.ts';
import { frames, listed, lists, openThread, reply } from './_thread.ts';

const LONG = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');

describe('a text', () => {
  it('that is long is folded by its height, with all of it in the document, and opens and closes at the reader’s wish', async () => {
    const thread = await openThread([listed('1', LONG), listed('2', 'short')]);
    await thread.until(() => thread.offers('Show more'), 'a folded text');
    const text = thread.messageOf(thread.posts[0]!);
    const height = (): number => Math.round(text.getBoundingClientRect().height);
    const line = Number.parseFloat(getComputedStyle(text).lineHeight);
    expect([text.textContent, Math.round(height() / line), thread.all('.whole').length]).to.deep.equal([LONG, 12, 1]);
    thread.act(LONG, 'Show more')!.focus();
    thread.act(LONG, 'Show more')!.click();
    await thread.hasFocusOn('Show less');
    expect([Math.round(height() / line), thread.act(LONG, 'Show less')!.ariaExpanded]).to.deep.equal([40, 'true']);
    thread.act(LONG, 'Show less')!.click();
    await thread.hasFocusOn('Show more');
    expect(Math.round(height() / line)).to.equal(12);
    const { top } = thread.headingOf(thread.posts[0]!).getBoundingClientRect();
    expect(top >= 0 && top < innerHeight).to.equal(true);
  });

  it('that is long moves nothing when its button comes', async () => {
    const thread = await openThread([listed('1', LONG), listed('2', 'short')]);
    await thread.until(() => thread.offers('Show more'), 'a folded text');
    await thread.isLaidOut();
    const gaps = thread.posts.map((post) => (
      post.querySelector('.acts')!.getBoundingClientRect().top - post.querySelector('.text')!.getBoundingClientRect().bottom
    ));
    expect(gaps[0]).to.equal(gaps[1]);
  });

  it('is seen in the box of a reader who is signed in', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1', 'short')] });
    const box = await openSignedIn({ bff, attributes: { 'show-posts': '' } });
    await box.says('short');
    box.write('a text, which renders the box again');
    await box.until(() => box.offers('Post comment'), 'the second stage');
    await frames();
    expect(box.part('message')?.checkVisibility()).to.equal(true);
  });

  it('is folded where the column is narrow, and not where it is wide', async () => {
    const thread = await openThread([listed('1', 'word '.repeat(150))]);
    const { style } = thread.element.parentElement!;
    style.inlineSize = '300px';
    await thread.until(() => thread.offers('Show more'), 'a folded text');
    style.inlineSize = '1200px';
    await thread.until(() => !thread.offers('Show more'), 'the whole text');
  });

  for (const [what, reach] of [
    ['the browser scrolls to what it has found in it', (text: HTMLElement) => { text.scrollTop = 400; }],
    ['a link in it gets the focus', (text: HTMLElement) => text.querySelector('a')!.focus()],
  ] as const) {
    it(`opens when ${what}, which stays on the screen`, async () => {
      const thread = await openThread([listed('1', `${LONG}\nhttps://a.example/`)]);
      await thread.until(() => thread.offers('Show more'), 'a folded text');
      reach(thread.messageOf(thread.posts[0]!));
      await thread.until(() => thread.offers('Show less'), 'the whole text');
      await frames();
      expect(thread.messageOf(thread.posts[0]!).scrollTop).to.equal(0);
    });
  }

  it('shows several blank lines as one', async () => {
    const thread = await openThread([listed('1', 'one\n\n \n\n\ntwo\r\n\r\n\r\nthree\n\nfour\nfive')]);
    expect(thread.messages).to.deep.equal(['one\n\ntwo\n\nthree\n\nfour\nfive']);
  });
});

describe('on paper', () => {
  afterEach(() => devtools('Emulation.setEmulatedMedia', { media: '' }));

  it('comments are there in full, dark, with their replies and without controls', async () => {
    const bff = new TestBff();
    await lists(bff, { posts: [listed('1', LONG), ...Array.from({ length: 9 }, (_, index) => reply(`r${index}`, '1'))], next_cursor: 'c', replies: true });
    const thread = await openThread(undefined, { bff });
    thread.element.style.color = '#eee';
    await thread.until(() => thread.offers('Show more'), 'a folded text');
    await devtools('Emulation.setEmulatedMedia', { media: 'print' });
    await thread.until(() => thread.all('li').length === 10, 'the replies');
    const text = thread.messageOf(thread.posts[0]!);
    const { color, maskImage, lineHeight } = getComputedStyle(text);
    expect([Math.round(text.getBoundingClientRect().height / Number.parseFloat(lineHeight)), color, maskImage]).to.deep.equal([40, 'rgb(0, 0, 0)', 'none']);
    expect(thread.all('li').every((post) => post.getBoundingClientRect().height > 20)).to.equal(true);
    expect(thread.all('button, select').filter((control) => control.checkVisibility())).to.have.length(0);
  });
});
