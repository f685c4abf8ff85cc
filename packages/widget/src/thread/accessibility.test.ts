/** The thread for readers with assistive technology, a keyboard alone, or a small screen. */

import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import { snapshotOf } from '../_snapshot.ts';
import { listed, openThread, reply } from './_thread.ts';

const posts = [
  listed('1', `See https://a.example/b\n\n${'word '.repeat(300)}`),
  listed('2', 'مرحبا', { author: { username: 'حنان الصايغ' } }),
];

describe('the thread, for everyone', () => {
  it('is a list of comments with lists of replies, each with a heading below the box’s; controls have 44 by 44 pixels, those of a row and the order 36', async () => {
    const replies = [reply('3', '1', 'first'), reply('4', '3', 'second')];
    const thread = await openThread({ posts: [...posts, ...replies], next_cursor: 'c', replies: true }, { reportUrl: 'https://a.example/{id}' });
    Object.assign(thread.element.parentElement!, { id: 'page', role: 'region', ariaLabel: 'Page' });
    // Texts are folded a frame after they are laid out.
    await thread.until(() => thread.offers('Show more'), 'the fold');
    const nodes = flatten(await snapshotOf('#page') as unknown as Node);
    const names = (role: string): (string | undefined)[] => nodes.filter((node) => node.role === role).map(({ name }) => name);
    expect(nodes.filter(({ role }) => role === 'heading').map(({ name, level }) => [name, level])).to.deep.equal([
      ['Reader 1', 3], ['Reader 3', 4], ['Reader 4', 4], ['حنان الصايغ', 3],
    ]);
    const acts = ['Reply', 'More'];
    expect(names('button')).to.deep.equal(['Show more', ...acts, 'Skip the replies', ...acts, ...acts, ...acts, 'Show more comments']);
    expect(names('link').filter((name) => !/Report|ago|20/.test(name!))).to.deep.equal(['https://a.example/b', 'In reply to Reader 3']);
    expect(thread.tree.map((branch) => (branch as unknown[])[1])).to.deep.equal([[['first'], ['second']], undefined]);
    for (const control of thread.all('button, select, .acts a')) {
      const { width, height } = control.getBoundingClientRect();
      if (control.checkVisibility()) expect(Math.min(width, height), control.textContent).to.be.at.least(control.closest('.acts, .bar') ? 36 : 44);
    }
    await expect(thread.element).to.be.accessible();
  });

  it('describes the actions of a comment by its author, and says which of them opens a tab', async () => {
    const thread = await openThread({ posts: [listed('x y')], replies: true }, { reportUrl: 'https://a.example/{id}' });
    const root = thread.element.shadowRoot!;
    const described = thread.all('.acts .quiet').map((act) => [act.ariaLabel ?? act.textContent, ...act.getAttribute('aria-describedby')!.split(' ')
      .map((id) => root.getElementById(id)!.textContent)]);
    expect(described).to.deep.equal([
      ['Reply', 'Reader x y'], ['More', 'Reader x y'], ['Copy link', 'Reader x y'], ['Report', 'Reader x y', 'Opens in a new tab'],
    ]);
  });

  it('has one key press past a conversation, seen while it has the focus: to the next comment, and from the last one to what follows', async () => {
    const thread = await openThread({ posts: [listed('1'), reply('2', '1'), listed('3'), reply('4', '3')], next_cursor: 'c' });
    const skips = thread.all('button').filter(({ textContent }) => textContent === 'Skip the replies');
    const isSeen = (): boolean[] => skips.map((skip) => getComputedStyle(skip).clipPath === 'none');
    const conversation = skips[0]!.closest('li')!;
    thread.element.scrollIntoView();
    await thread.isLaidOut();
    const { height } = conversation.getBoundingClientRect();
    skips[0]!.focus();
    expect(isSeen()).to.deep.equal([true, false]);
    expect(conversation.getBoundingClientRect().height).to.equal(height);
    skips[0]!.click();
    await thread.hasFocusOn('Reader 3');
    skips[1]!.click();
    await thread.until(() => thread.element.shadowRoot!.activeElement === thread.part('thread-status'), 'the end');
    expect(isSeen()).to.deep.equal([false, false]);
    expect(thread.part('thread-status')!.compareDocumentPosition(thread.button('Show more comments')!)).to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('has rings of the focus around the words of a comment, in the colour of the theme, and nothing cuts them', async () => {
    const thread = await openThread({ posts: [listed('1'), reply('2', '1')], replies: true });
    thread.element.parentElement!.style.cssText = 'inline-size: 288px; --v-accent: red';
    await thread.isLaidOut();
    for (const item of thread.posts) {
      for (const focused of [thread.headingOf(item), item.querySelector<HTMLElement>('a.time')!]) {
        focused.focus();
        const { outlineOffset, outlineWidth, outlineColor } = getComputedStyle(focused);
        const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
        const [ring, room] = [focused, focused.closest('.text')!].map((element) => element.getBoundingClientRect());
        const margin = parseFloat(getComputedStyle(focused.closest('.text')!).overflowClipMargin);
        const least = reach - margin;
        const isWhole = [parseFloat(outlineOffset) >= 0, ring!.left - least >= room!.left, ring!.top - least >= room!.top];
        expect(isWhole, focused.textContent).to.deep.equal([true, true, true]);
        expect(outlineColor).to.equal('rgb(255, 0, 0)');
      }
    }
  });

  it('has a composer of replies that is a group with the name of the author', async () => {
    const thread = await openThread({ posts: [listed('1')], replies: true });
    Object.assign(thread.element.parentElement!, { id: 'page', role: 'region', ariaLabel: 'Page' });
    await thread.press('Reply');
    await thread.until(() => thread.composer?.shadowRoot?.querySelector('textarea'), 'a composer');
    const nodes = flatten(await snapshotOf('#page') as unknown as Node);
    const { role, ariaLabel } = thread.all('[part=box]')[0]!;
    expect([nodes.filter(({ role: name }) => name === 'region').length, role, ariaLabel]).to.deep.equal([1, 'group', 'Reply to Reader 1']);
    await expect(thread.element).to.be.accessible();
  });

  it('is printed without its controls', async () => {
    const thread = await openThread({ posts, next_cursor: 'c', replies: true }, { reportUrl: 'https://a.example/{id}' });
    await emulateMedia({ media: 'print' });
    try {
      const visible = thread.all('p, button, select, a:not(.time)').filter((element) => element.checkVisibility());
      expect(visible.map(({ localName }) => localName)).to.deep.equal(['p', 'a', 'p']);
    } finally {
      await emulateMedia({ media: 'screen' });
    }
  });

  for (const [lang, direction] of [['en', 'ltr'], ['ar', 'rtl']] as const) {
    it(`reads each text in its own direction: on a page in ${lang}`, async () => {
      const texts = [listed('1', 'left to right.'), listed('2', 'من اليمين إلى اليسار.'), listed('3', 'first\nثانيًا')];
      const thread = await openThread(texts, { lang });
      await thread.until(() => getComputedStyle(thread.posts[0]!).direction === direction, direction);
      await thread.isLaidOut();
      const [latin, arabic, mixed] = thread.posts.map((post) => thread.messageOf(post));
      expect([latin, arabic].map((message) => getComputedStyle(message!).direction)).to.deep.equal(['ltr', 'rtl']);
      const [first, second] = lineBoxes(mixed!);
      expect(first!.left).to.be.closeTo(mixed!.getBoundingClientRect().left, 1);
      expect(second!.right).to.be.closeTo(mixed!.getBoundingClientRect().right, 1);
    });
  }
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
