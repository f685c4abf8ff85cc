/** After a reload, the comment that was read stands where it stood. */

import { expect } from '@open-wc/testing';
import type { PostList } from '@vestibule/shared';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import { openBox, openTab, type Box, type Tab } from '../comments/_box.ts';
import { listed, lists, reply } from './_thread.ts';

const pages = [0, 1, 2].map((page) => ({
  posts: Array.from({ length: 20 }, (_, index) => listed(`p${page}-${index}`, 'word '.repeat(60))), ...(page < 2 && { next_cursor: `c${page}` }),
}));

/** Twenty replies to each comment, of which three are shown. */
const conversations = [0, 1].map((page) => ({
  posts: Array.from({ length: 20 }, (_, index) => listed(`p${page}-${index}`, 'word '.repeat(60))).flatMap((root) => [
    root, ...Array.from({ length: 20 }, (_, index) => reply(`${root.id}-${index}`, root.id, 'word '.repeat(30))),
  ]),
  ...(page < 1 && { next_cursor: `c${page}` }),
}));

async function open(bff: TestBff, tab: Tab, answers: readonly PostList[] = pages): Promise<Box> {
  await lists(bff, ...answers);
  const box = await openBox({ bff, tab, attributes: { 'show-posts': '', page: 'https://www.example.com/article' }, untouched: true });
  tab.view.scrollTo(0, 0);
  await box.until(() => box.all('li').length >= 20, 'the first list');
  return box;
}

const authorOf = (box: Box, id: string): HTMLElement | undefined => box.all(`#vestibule-comment-${id} .author`)[0];

const topOf = (box: Box, id: string): number => Math.round(authorOf(box, id)?.getBoundingClientRect().top ?? Infinity);

/** The comment stands where a reader reads it. */
async function read(box: Box, tab: Tab, id: string): Promise<void> {
  await box.until(() => {
    tab.view.scrollBy(0, topOf(box, id) + 30);
    return Math.abs(topOf(box, id) + 30) <= 1;
  }, 'the comment at the top');
}

async function reload(tab: Tab, script: () => void = () => {}): Promise<void> {
  const { document } = tab.view;
  tab.view.location.reload();
  await until('the page', () => tab.view.document !== document && tab.view.document.readyState === 'complete');
  script();
  await tab.load('/packages/widget/src/define.ts');
}

/** The reader reads a comment of the second list, and reloads. */
async function readAndReload(bff: TestBff, tab: Tab, script?: () => void, before = async (): Promise<void> => {}): Promise<Box> {
  const box = await open(bff, tab);
  await box.press('Show more comments');
  await box.until(() => box.all('li').length === 40, 'the second list');
  await read(box, tab, 'p1-10');
  await reload(tab, script);
  await before();
  return open(bff, tab);
}

describe('a reload', () => {
  it('returns to the comment that was read, in the lists that were there', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await readAndReload(bff, tab);
    await box.until(() => Math.abs(topOf(box, 'p1-10') + 30) <= 3, 'the comment where it was');
    expect(box.all('li').length).to.equal(40);
  });

  it('returns to the comment also where the browser has gone to the end of the page, which keeps what stands there', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const isBack = (box: Box): Promise<void> => box.until(() => Math.abs(topOf(box, 'p1-10') + 30) <= 3, 'the comment where it was');
    // The first time the comments had their own heights.
    await isBack(await readAndReload(bff, tab));
    const { scrollY } = tab.view;
    await reload(tab);
    await lists(bff, ...pages);
    const again = await openBox({ bff, tab, attributes: { 'show-posts': '', page: 'https://www.example.com/article' }, untouched: true });
    again.element.parentElement!.after(Object.assign(tab.view.document.createElement('p'), { textContent: 'foot', style: 'height: 600px' }));
    let lastY = 0;
    tab.view.addEventListener('scroll', () => { lastY = Math.max(lastY, tab.view.scrollY); });
    tab.view.scrollTo(0, 1_000_000);
    await again.until(() => again.all('li').length === 40, 'the second list');
    await isBack(again);
    expect(lastY, 'further down than the comment').to.be.above(scrollY);
  });

  it('returns to the comment also where the address names another one, which has the focus', async () => {
    const bff = new TestBff();
    const tab = await openTab('#vestibule-comment-p0-2');
    const box = await readAndReload(bff, tab);
    await box.until(() => Math.abs(topOf(box, 'p1-10') + 30) <= 3 && box.all('.marked').length === 1, 'the comment where it was');
    expect(box.element.contains(tab.view.document.activeElement)).to.equal(true);
  });

  it('returns to the comment also where it is in the second thread of the page', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await readAndReload(bff, tab, undefined, async () => {
      await lists(bff, { posts: [listed('other')] });
      const other = await openBox({ bff, tab, attributes: { 'show-posts': '', page: 'https://www.example.com/other' }, untouched: true });
      await other.until(() => other.all('li').length === 1, 'the other thread');
    });
    await box.until(() => Math.abs(topOf(box, 'p1-10') + 30) <= 3, 'the comment where it was');
  });

  it('is left alone where a router has led to another address meanwhile', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await readAndReload(bff, tab, () => { tab.view.history.pushState(null, '', '?next'); });
    await box.says('Show more comments');
    // Nothing has asked for the place.
    expect(Object.keys(tab.view.sessionStorage).filter((key) => key.startsWith('vestibule:place'))).to.have.length(1);
  });

  it('returns to a folded reply of a long conversation', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await open(bff, tab, conversations);
    await box.press('Show more comments');
    await box.until(() => authorOf(box, 'p1-18'), 'the second list');
    box.all<HTMLElement>('#vestibule-comment-p1-18 .more')[0]!.click();
    await box.until(() => authorOf(box, 'p1-18-12')?.checkVisibility(), 'the replies');
    await read(box, tab, 'p1-18-12');
    await reload(tab);
    const again = await open(bff, tab, conversations);
    await again.until(() => Math.abs(topOf(again, 'p1-18-12') + 30) <= 3, 'the reply where it was');
  });

  it('is left alone where the page restores its own place', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await readAndReload(bff, tab, () => { tab.view.history.scrollRestoration = 'manual'; });
    await box.says('Show more comments');
    expect([tab.view.scrollY, box.all('li').length]).to.deep.equal([0, 20]);
  });
});
