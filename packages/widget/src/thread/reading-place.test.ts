/** After a reload, the comment that was read stands where it stood. */

import { expect } from '@open-wc/testing';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import { openBox, openTab, type Box, type Tab } from '../comments/_box.ts';
import { listed, lists } from './_thread.ts';

const pages = [0, 1, 2].map((page) => ({
  posts: Array.from({ length: 20 }, (_, index) => listed(`p${page}-${index}`, 'word '.repeat(60))), ...(page < 2 && { next_cursor: `c${page}` }),
}));

async function open(bff: TestBff, tab: Tab): Promise<Box> {
  await lists(bff, ...pages);
  const box = await openBox({ bff, tab, attributes: { 'show-posts': '', page: 'https://www.example.com/article' }, untouched: true });
  tab.view.scrollTo(0, 0);
  await box.until(() => box.all('li').length >= 20, 'the first list');
  return box;
}

const authorOf = (box: Box, id: string): HTMLElement | undefined => box.all(`#vestibule-comment-${id} .author`)[0];

const topOf = (box: Box, id: string): number => Math.round(authorOf(box, id)?.getBoundingClientRect().top ?? Infinity);

/** The reader reads a comment of the second list, and reloads. */
async function readAndReload(bff: TestBff, tab: Tab, script: () => void = () => {}): Promise<Box> {
  const box = await open(bff, tab);
  await box.press('Show more comments');
  await box.until(() => box.all('li').length === 40, 'the second list');
  await box.until(() => {
    const { view } = tab;
    view.scrollBy(0, topOf(box, 'p1-10') + 30);
    return Math.abs(topOf(box, 'p1-10') + 30) <= 1;
  }, 'the comment at the top');
  const { document } = tab.view;
  tab.view.location.reload();
  await until('the page', () => tab.view.document !== document && tab.view.document.readyState === 'complete');
  script();
  await tab.load('/packages/widget/src/define.ts');
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

  it('is left alone where the page restores its own place', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const box = await readAndReload(bff, tab, () => { tab.view.history.scrollRestoration = 'manual'; });
    await box.says('Show more comments');
    expect([tab.view.scrollY, box.all('li').length]).to.deep.equal([0, 20]);
  });
});
