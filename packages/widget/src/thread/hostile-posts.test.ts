/** Posts that would do harm: they are text, and stay in their place. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { listed, openThread, type Thread } from './_thread.ts';

const open = (...posts: readonly ListedPost[]): Promise<Thread> => openThread(posts);

const box = (element: Element): DOMRect => element.getBoundingClientRect();

const nameOf = (thread: Thread, post: HTMLElement): Element => thread.headingOf(post).querySelector('bdi')!;

describe('a hostile post', () => {
  const markup = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script><b>bold</b>&lt;${1}<!--</p></li>';

  it('is text, whatever markup, id or name it has', async () => {
    const thread = await open(
      listed('1', markup, { author: { username: markup } }), listed('"><script>', 'a'), listed('__proto__', 'b', { author: { username: '\u200B' } }),
    );
    expect(thread.messages).to.deep.equal([markup, 'a', 'b']);
    expect(thread.posts.map((post) => thread.headingOf(post).textContent)).to.deep.equal([markup, 'Reader "><script>', '–']);
    expect([thread.all('img, script, b').length, 'hit' in window]).to.deep.equal([0, false]);
  });

  it('runs nothing by a link', async () => {
    const thread = await open(listed('1', [
      'javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'https://javascript:alert(1)',
      'https://user@evil.example', 'https://a.example/"onmouseover="alert(1)',
    ].join('\n')));
    expect(thread.all<HTMLAnchorElement>('.message a').map(({ href }) => href)).to.deep.equal(['https://a.example/']);
    expect(thread.all('[onmouseover]')).to.have.length(0);
  });

  it('reverses nothing outside itself with bidi controls that it does not end', async () => {
    const controls = '\u202E\u2067\u202B\u2066\u202D';
    const thread = await open(listed('1', `${controls}abc`, { author: { username: `${controls}evil` } }), listed('2', 'left to right'));
    const [first, second] = thread.posts;
    await thread.isLaidOut();
    expect(box(first!.querySelector('time')!).left).to.be.greaterThan(box(nameOf(thread, first!)).left);
    const message = thread.messageOf(second!);
    const range = document.createRange();
    range.setStart([...message.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!, 0);
    range.setEnd(range.startContainer, 4);
    expect([getComputedStyle(message).direction, range.toString()]).to.deep.equal(['ltr', 'left']);
    expect(range.getBoundingClientRect().left).to.be.closeTo(box(message).left, 1);
  });

  it('paints ten thousand combining marks inside its own box only', async () => {
    const marks = `a${'\u0316\u0301\u20DD'.repeat(3333)}`;
    const thread = await open(listed('1', `${marks} b`, { author: { username: marks } }), listed('2'));
    const [first, second] = thread.posts;
    await thread.isLaidOut([first!]);
    expect(getComputedStyle(thread.messageOf(first!).parentElement!).contain).to.equal('content');
    expect(box(second!).top).to.be.at.least(box(first!).bottom);
    expect(box(first!).height).to.be.lessThan(2000);
    expect(thread.element.scrollWidth).to.be.at.most(thread.element.clientWidth);
  });

  it('makes nothing wider than the page, and takes little of its height', async () => {
    const thread = await open(
      listed('1', 'x'.repeat(65_536)), listed('2', '\n'.repeat(65_536)), listed('3', `https://a.example/${'y'.repeat(60_000)}`),
      listed('4', '﷽'.repeat(5000)), listed('6', '﷽'.repeat(1000)), listed('7', '𒐫 '.repeat(500)), listed('5', 'name', { author: { username: 'W'.repeat(255) } }),
    );
    thread.element.style.inlineSize = '320px';
    await thread.element.updateComplete;
    expect(thread.element.scrollWidth).to.be.at.most(320);
    for (const post of thread.posts) expect(box(post).height).to.be.lessThan(window.innerHeight * 3);
  });
});
