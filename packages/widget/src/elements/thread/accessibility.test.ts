import { expect } from '@open-wc/testing';
import { a11ySnapshot, sendKeys } from '@web/test-runner-commands';
import { TestBff } from '../../_bff.ts';
import { listed, lists, openThread, type Thread } from './_thread.ts';

const created_at = new Date(Date.now() - 2 * 3_600_000).toISOString();
const posts = [
  listed('1', `See https://a.example/b\n\n${'word '.repeat(300)}`, { created_at }),
  listed('2', 'مرحبا', { author: { username: 'حنان الصايغ' }, created_at }),
];

async function openListed(): Promise<Thread> {
  const bff = new TestBff();
  await lists(bff, { posts, next_cursor: 'c' });
  const thread = await openThread({ bff, ownPosts: [{ user: { user_id: '42', username: 'Ada' }, message: 'mine', at: Date.now() }] });
  await thread.says('مرحبا');
  return thread;
}

describe('the thread, for everyone', () => {
  it('is a list of posts, each with a heading one level below the thread’s', async () => {
    const { element } = await openListed();
    Object.assign(element.parentElement!, { id: 'page', role: 'region', ariaLabel: 'Page' });
    const nodes = flatten(await a11ySnapshot({ selector: '#page' }) as unknown as Node);
    expect(nodes.filter(({ role }) => role === 'heading').map(({ name, level }) => [name, level])).to.deep.equal([
      ['Readers’ comments', 3], ['Ada', 4], ['Ada Quill', 4], ['حنان الصايغ', 4],
    ]);
    expect(nodes.filter(({ role }) => role === 'button').map(({ name }) => name)).to.deep.equal(['Show the whole comment', 'Show more comments']);
    expect(nodes.filter(({ role }) => role === 'link').map(({ name }) => name)).to.deep.equal(['https://a.example/b']);
    const list = element.shadowRoot!.querySelector('ol')!;
    expect([list.role, list.ariaLabelledByElements?.[0]?.textContent, list.children.length]).to.deep.equal(['list', 'Readers’ comments', 3]);
  });

  it('has its live region from the beginning', async () => {
    const bff = new TestBff();
    await lists(bff, { hold: 'list', json: { posts } });
    const thread = await openThread({ bff });
    const status = thread.root.querySelector('[role=status]')!;
    await thread.until(() => status.textContent === 'Loading comments…', 'the status');
    await bff.release('list');
    await thread.until(() => status.textContent === '', 'its end');
    expect(thread.root.querySelector('[role=status]')).to.equal(status);
  });

  it('can be used by keyboard alone', async () => {
    const thread = await openListed();
    await lists(thread.bff, { posts: [listed('3', 'the third')] });
    thread.button('Show more comments')!.focus();
    await sendKeys({ press: 'Enter' });
    await thread.says('the third');
    await thread.until(() => thread.root.activeElement === thread.items[3]!.querySelector('.author'), 'the focus on the first new post');
  });

  it('has buttons of 44 by 44 pixels', async () => {
    const thread = await openListed();
    for (const target of thread.root.querySelectorAll('button')) {
      const { width, height } = target.getBoundingClientRect();
      expect(Math.min(width, height), target.textContent).to.be.at.least(44);
    }
  });

  it('reads each text in its own direction, on a page of either', async () => {
    for (const lang of ['en', 'ar']) {
      const bff = new TestBff();
      await lists(bff, { posts: [listed('1', 'left to right.'), listed('2', 'من اليمين إلى اليسار.'), listed('3', 'first\nثانيًا')] });
      const thread = await openThread({ bff, lang });
      await thread.until(() => thread.items.length === 3 && getComputedStyle(thread.items[0]!).direction === (lang === 'ar' ? 'rtl' : 'ltr'), 'the posts');
      const [latin, arabic, mixed] = thread.items.map((item) => item.querySelector('.message')!);
      expect([latin, arabic].map((message) => getComputedStyle(message!).direction), lang).to.deep.equal(['ltr', 'rtl']);
      const [first, second] = lineBoxes(mixed!);
      expect(first!.left, lang).to.be.closeTo(mixed!.getBoundingClientRect().left, 1);
      expect(second!.right, lang).to.be.closeTo(mixed!.getBoundingClientRect().right, 1);
    }
  });
});

function lineBoxes(message: Element): DOMRect[] {
  const text = [...message.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!;
  const lineEnd = text.textContent!.indexOf('\n');
  return [[0, lineEnd], [lineEnd + 1, text.textContent!.length]].map(([start, end]) => {
    const range = document.createRange();
    range.setStart(text, start!);
    range.setEnd(text, end!);
    return range.getBoundingClientRect();
  });
}

interface Node {
  readonly role: string;
  readonly name?: string;
  readonly level?: number;
  readonly children?: readonly Node[];
}

function flatten(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}
