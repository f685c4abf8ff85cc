import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { TestBff } from '../../_bff.ts';
import { listed, lists, openThread, type Thread } from './_thread.ts';

async function open(...posts: readonly ListedPost[]): Promise<Thread> {
  const bff = new TestBff();
  await lists(bff, { posts });
  const thread = await openThread({ bff });
  await thread.until(() => thread.items.length === posts.length, 'the posts');
  return thread;
}

const box = (element: Element): DOMRect => element.getBoundingClientRect();

describe('a hostile post', () => {
  const markup = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script><b>bold</b>&lt;${1}<!--</p></li>';

  it('is text, whatever markup it has', async () => {
    const thread = await open(listed('1', markup, { author: { username: markup } }), listed('2'));
    expect(thread.messages).to.deep.equal([markup, 'post 2']);
    expect(thread.items[0]!.querySelector('bdi')!.textContent).to.equal(markup);
    expect(thread.root.querySelector('img, script, b')).to.equal(null);
    expect('hit' in window).to.equal(false);
  });

  it('runs nothing by a link', async () => {
    const thread = await open(listed('1', [
      'javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'https://javascript:alert(1)',
      'https://user@evil.example', 'https://a.example/"onmouseover="alert(1)',
    ].join('\n')));
    expect([...thread.root.querySelectorAll('a')].map(({ href }) => href)).to.deep.equal(['https://a.example/']);
    expect(thread.root.querySelector('[onmouseover]')).to.equal(null);
  });

  it('reverses nothing outside itself with bidi controls that it does not end', async () => {
    const controls = '\u202E\u2067\u202B\u2066\u202D';
    const thread = await open(listed('1', `${controls}abc`, { author: { username: `${controls}evil` } }), listed('2', 'left to right'));
    const [first, second] = thread.items;
    const time = first!.querySelector('time')!;
    expect(box(time).left).to.be.greaterThan(box(first!.querySelector('bdi')!).left);
    expect(getComputedStyle(second!.querySelector('.message')!).direction).to.equal('ltr');
    const range = document.createRange();
    const text = [...second!.querySelector('.message')!.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!;
    range.setStart(text, 0);
    range.setEnd(text, 4);
    expect(range.getBoundingClientRect().left).to.be.closeTo(box(second!.querySelector('.message')!).left, 1);
  });

  it('paints ten thousand combining marks inside its own box only', async () => {
    const marks = `a${'\u0316\u0301\u20DD'.repeat(3333)}`;
    const thread = await open(listed('1', `${marks} b`, { author: { username: marks } }), listed('2'));
    const [first, second] = thread.items;
    expect(getComputedStyle(first!).contain).to.equal('content');
    for (const selector of ['.message', '.byline', '.initials']) expect(getComputedStyle(first!.querySelector(selector)!).overflow).to.equal('clip');
    expect(box(second!).top).to.be.at.least(box(first!).bottom);
    expect(box(first!).height).to.be.lessThan(2000);
    expect(thread.element.scrollWidth).to.be.at.most(thread.element.clientWidth);
  });

  it('makes nothing wider than the page, and takes little of its height', async () => {
    const thread = await open(
      listed('1', 'x'.repeat(65_536)), listed('2', '\n'.repeat(65_536)), listed('3', `https://a.example/${'y'.repeat(60_000)}`),
      listed('4', '﷽'.repeat(5000)), listed('5', 'name', { author: { username: 'W'.repeat(255) } }),
    );
    thread.element.style.inlineSize = '320px';
    await thread.element.updateComplete;
    expect(thread.element.scrollWidth).to.be.at.most(320);
    for (const item of thread.items) expect(box(item).height, item.dataset['key']!).to.be.lessThan(window.innerHeight * 3);
  });

  it('of the largest list there can be takes no more time than each of a short one', async () => {
    const msToRender = async (count: number): Promise<number> => {
      const posts = Array.from({ length: count }, (_, index) => listed(String(index), 'https://a.example/ '.repeat(550)));
      const startedAt = performance.now();
      const { element } = await open(...posts);
      const ms = performance.now() - startedAt;
      element.remove();
      return ms;
    };
    const leastOfThree = async (count: number): Promise<number> => (
      Math.min(await msToRender(count), await msToRender(count), await msToRender(count))
    );
    expect(await leastOfThree(100)).to.be.lessThan(30 * await leastOfThree(10));
  });

  it('may have any id and a name that shows nothing', async () => {
    const thread = await open(listed('"><script>', 'a'), listed('__proto__', 'b', { author: { username: '\u200B' } }));
    expect(thread.messages).to.deep.equal(['a', 'b']);
    expect(thread.items[1]!.querySelector('bdi')!.textContent).to.equal('–');
  });
});
