/** The menu "…" of a row: by keyboard, by mouse, in the places that pages put a thread. */

import { expect } from '@open-wc/testing';
import { emulateMedia, sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import { TestBff } from '../_bff.ts';
import { middleOf, openBox, openTab } from '../box/_box.ts';
import '../define.ts';
import { draftStorageKey } from '../storage/draft.ts';
import { HIDE_AFTER_MS } from '../lib/row-menu.ts';
import { languages } from '../locales/languages.ts';
import { frames, listed, lists, openThread, PAGE, type Thread, type ThreadOptions } from './_thread.ts';

const posts = ['1', '2', '3'].map((id) => listed(id));

async function open(options: ThreadOptions = {}): Promise<Thread> {
  const thread = await openThread({ posts, replies: true }, { reportUrl: 'https://a.example/{id}', ...options });
  await thread.isLaidOut();
  return thread;
}

const dots = (thread: Thread, message: string): HTMLElement => thread.act(message, '…')!;

const isOpen = (menu: HTMLElement): boolean => menu.matches(':popover-open');

/** Pixels of the viewport between the button and the menu: from below it and from its edge. */
function distance(button: HTMLElement, menu: HTMLElement): readonly [number, number] {
  const [at, { left, top }] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  return [Math.round(top - at.bottom), Math.round(left - at.left)];
}

/** A part of the page with this style, and a thread in it. */
async function openIn(style: string, tag = 'div'): Promise<{ readonly thread: Thread; readonly place: HTMLElement }> {
  const place = document.body.appendChild(document.createElement(tag));
  place.style.cssText = style;
  removals.push(() => place.remove());
  if (place instanceof HTMLDialogElement) place.showModal();
  return { thread: await open({ place }), place };
}

const removals: (() => void)[] = [];

afterEach(async () => {
  for (const remove of removals.splice(0)) remove();
  document.documentElement.style.zoom = '';
  await setViewport({ width: 800, height: 600 });
  scrollTo(0, 0);
});

describe('the menu of a comment', () => {
  it('and the order of the thread are styled by the page, by parts and by the radius', async () => {
    const style = document.head.appendChild(document.createElement('style'));
    style.textContent = `vestibule-comments { --vestibule-radius: 0px }
      vestibule-comments::part(menu), vestibule-comments::part(order) { color: rgb(1, 2, 3) }`;
    removals.push(() => style.remove());
    const bff = new TestBff();
    await lists(bff, { posts, total: 3 });
    const box = await openBox({ bff, attributes: { 'show-posts': '' } });
    await box.until(() => box.all('.bar select').length === 1, 'the order');
    const controls = box.all('.menu, .bar select').map((control) => getComputedStyle(control));
    expect(controls.map(({ color }) => color)).to.deep.equal(controls.map(() => 'rgb(1, 2, 3)'));
    expect(controls.map(({ borderRadius }) => borderRadius)).to.deep.equal(controls.map(() => '0px'));
    expect(controls.length).to.equal(4);
  });

  it('opens with a key and has the focus; Escape closes it, gives the focus back and leaves the dialogs of the page open', async () => {
    const { thread, place } = await openIn('', 'dialog');
    const keys: boolean[] = [];
    const record = ({ defaultPrevented }: Event): void => void keys.push(defaultPrevented);
    document.addEventListener('keydown', record);
    removals.push(() => document.removeEventListener('keydown', record));
    dots(thread, 'post 1').focus();
    await sendKeys({ press: 'Enter' });
    await thread.hasFocusOn('Copy link');
    const menu = thread.all('.menu')[0]!;
    expect(isOpen(menu)).to.equal(true);
    await expect(thread.element).to.be.accessible();
    const later = new Promise((resolve) => {
      dots(thread, 'post 1').addEventListener('focus', () => setTimeout(() => resolve(isOpen(menu))), { once: true });
    });
    await sendKeys({ press: 'Escape' });
    // A screen reader speaks the focus that comes, if the one before it is still there.
    expect(await later).to.equal(true);
    await thread.until(() => !isOpen(menu), 'the end of the menu');
    expect([thread.focus, (place as HTMLDialogElement).open, keys]).to.deep.equal(['…', true, [false, true]]);
  });

  it('moves the focus with the arrow keys, and the page stays where it is', async () => {
    const { thread } = await openIn('margin-block: 100vh');
    const button = dots(thread, 'post 1');
    button.scrollIntoView({ block: 'center' });
    button.focus();
    await sendKeys({ press: 'Enter' });
    await thread.hasFocusOn('Copy link');
    const at = scrollY;
    for (const [key, item] of [['ArrowDown', 'Report'], ['ArrowDown', 'Copy link'], ['ArrowUp', 'Report']] as const) {
      await sendKeys({ press: key });
      expect([thread.focus, isOpen(thread.all('.menu')[0]!), scrollY]).to.deep.equal([item, true, at]);
    }
  });

  it('that is opened again in the moment in which it closes stays open', async () => {
    const thread = await open();
    const button = dots(thread, 'post 1');
    const menu = await thread.openMenu('post 1');
    await sendKeys({ press: 'Escape' });
    expect(thread.focus).to.equal('…');
    button.click();
    // Timers of one length fire in their order.
    await new Promise((resolve) => { setTimeout(resolve, HIDE_AFTER_MS); });
    expect([isOpen(menu), thread.focus]).to.deep.equal([true, 'Copy link']);
  });

  it('has the report, and closes where the focus leaves it', async () => {
    const thread = await open();
    dots(thread, 'post 1').focus();
    await sendKeys({ press: 'Enter' });
    await sendKeys({ press: 'Tab' });
    expect(thread.focus).to.equal('Report');
    const menu = thread.all('.menu')[0]!;
    await sendKeys({ press: 'Tab' });
    expect([isOpen(menu), thread.focus]).to.deep.equal([false, 'Jun 9, 2026']);
  });

  it('closes with a second press of its button, with a press elsewhere, and with one of its own', async () => {
    const thread = await open();
    const button = dots(thread, 'post 1');
    const menu = thread.all('.menu')[0]!;
    const click = (element: Element): Promise<void> => sendMouse({ type: 'click', position: middleOf(element) });
    await click(button);
    expect(isOpen(menu)).to.equal(true);
    await click(button);
    expect(isOpen(menu)).to.equal(false);
    await click(button);
    // Takes no focus.
    await click(thread.messageOf(thread.posts[0]!));
    expect(isOpen(menu)).to.equal(false);
    await click(button);
    await click(menu.firstElementChild!);
    await thread.until(() => !isOpen(menu), 'no menu');
  });

  it('stands below its button in the first frame, within its row, and above it where the viewport ends', async () => {
    const thread = await open();
    const menu = await thread.openMenu('post 1');
    expect(distance(dots(thread, 'post 1'), menu)).to.deep.equal([0, 0]);
    thread.element.style.paddingBlockStart = '1500px';
    thread.posts[2]!.scrollIntoView({ block: 'end' });
    await frames();
    const other = await thread.openMenu('post 3');
    const [at, { bottom }] = [dots(thread, 'post 3').getBoundingClientRect(), other.getBoundingClientRect()];
    expect(Math.round(bottom - at.top)).to.equal(0);
  });

  it('ends at the edge of a narrow row, from right to left too', async () => {
    for (const lang of ['en', 'ar']) {
      const { thread, place } = await openIn('inline-size: 300px; container-type: inline-size');
      thread.element.lang = lang;
      await thread.until(() => thread.all('.acts')[0]?.lang === lang, 'the language');
      const menu = await thread.openMenu('post 1');
      const [row, { left, right }] = [menu.closest('.acts')!.getBoundingClientRect(), menu.getBoundingClientRect()];
      expect(Math.round(lang === 'en' ? right - row.right : left - row.left), lang).to.equal(0);
      place.remove();
    }
  });

  for (const [what, style] of [
    ['CSS zoom', 'zoom: 1.5'], ['a transform', 'transform: scale(0.8); transform-origin: 0 0'], ['CSS zoom of the page', ''],
    ['a filter and a containment', 'filter: opacity(0.99); contain: strict; block-size: 500px'],
  ] as const) {
    it(`stands below its button in ${what}`, async () => {
      if (!style) document.documentElement.style.zoom = '1.5';
      const { thread } = await openIn(style);
      const menu = await thread.openMenu('post 2');
      const [down, across] = distance(dots(thread, 'post 2'), menu);
      expect([Math.abs(down) <= 1, Math.abs(across) <= 1], `${down}, ${across}`).to.deep.equal([true, true]);
    });
  }

  for (const [what, style] of [
    ['the page', ''], ['an inner scroller', 'block-size: 300px; overflow: auto'],
  ] as const) {
    it(`closes when ${what} scrolls, and gives the focus back; one that moves nothing does not close it`, async () => {
      const { thread, place } = await openIn(style);
      place.append(Object.assign(document.createElement('p'), { style: 'block-size: 2000px' }));
      const menu = await thread.openMenu('post 1');
      const scroller = style ? place : document.scrollingElement!;
      (style ? place : document).dispatchEvent(new Event('scroll'));
      expect(isOpen(menu)).to.equal(true);
      scroller.scrollTop = 40;
      await thread.until(() => !isOpen(menu), 'no menu');
      expect(thread.focus).to.equal('…');
    });
  }

  it('closes when a scroller in a shadow tree of the page scrolls', async () => {
    const host = document.body.appendChild(document.createElement('div'));
    removals.push(() => host.remove());
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="block-size: 300px; overflow: auto"><main></main><p style="block-size: 2000px"></p></div>';
    const thread = await open({ place: root.querySelector('main')! });
    const menu = await thread.openMenu('post 1');
    root.querySelector('div')!.scrollTop = 40;
    await thread.until(() => !isOpen(menu), 'no menu');
  });

  it('leaves a popover of the page open', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    removals.push(() => place.remove());
    place.popover = 'auto';
    place.showPopover();
    const thread = await open({ place });
    const menu = await thread.openMenu('post 1');
    expect([isOpen(menu), isOpen(place)]).to.deep.equal([true, true]);
  });

  it('works in a frame that is as high as its content, and makes it no higher', async () => {
    const bff = new TestBff();
    await lists(bff, { posts });
    const tab = await openTab();
    const { view } = tab;
    const box = await openBox({ bff, tab, place: view.document.body, attributes: { 'show-posts': '', page: PAGE }, untouched: true });
    await box.until(() => box.all('li').length === 3, 'the comments');
    const root = view.document.documentElement;
    (view.frameElement as HTMLElement).style.blockSize = `${root.scrollHeight}px`;
    await frames();
    const height = root.scrollHeight;
    await box.press('…');
    const menu = box.all('.menu').find(isOpen)!;
    const { top, bottom } = menu.getBoundingClientRect();
    expect([top >= 0, bottom <= height, root.scrollHeight]).to.deep.equal([true, true, height]);
  });

  it('copies the link, and says so at its button', async () => {
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text: string) => { copied.push(text); } } });
    removals.push(() => Reflect.deleteProperty(navigator, 'clipboard'));
    const thread = await open();
    await thread.openMenu('post 2');
    thread.act('post 2', 'Copy link')!.click();
    await thread.says('Link copied');
    await thread.until(() => thread.act('post 2', '✓'), 'the mark');
    expect(copied.map((text) => text.slice(-20))).to.deep.equal(['#vestibule-comment-2']);
  });

  it('has targets of 44 pixels in a narrow column', async () => {
    const { thread } = await openIn('inline-size: 300px; container-type: inline-size');
    await thread.openMenu('post 1');
    for (const control of thread.all('.acts .quiet, .acts a').filter((one) => one.checkVisibility())) {
      const { width, height } = control.getBoundingClientRect();
      expect(Math.min(width, height), control.textContent).to.be.at.least(44);
    }
  });

  it('has a ring of the focus that leaves its word free in a narrow column', async () => {
    const { thread } = await openIn('inline-size: 300px; container-type: inline-size');
    thread.act('post 1', 'Reply')!.focus();
    for (const key of ['Tab', 'Enter', 'Escape']) {
      await sendKeys({ press: key });
      const focused = thread.element.shadowRoot!.activeElement!;
      const word = document.createRange();
      word.selectNodeContents(focused);
      const ring = focused.getBoundingClientRect().left - parseFloat(getComputedStyle(focused).outlineOffset);
      expect(word.getBoundingClientRect().left - ring, focused.textContent).to.be.at.least(2);
    }
  });

  // A page of 320 and of 390 pixels, with margins of 16 pixels.
  for (const width of [288, 358]) {
    it(`ends a row of one line in every language: ${width} pixels`, async () => {
      const place = document.body.appendChild(document.createElement('div'));
      removals.push(() => place.remove());
      place.style.cssText = `inline-size: ${width}px; container-type: inline-size`;
      const ada = { username: 'Ada', key: 'key of Ada' };
      const list = [listed('1', 'a', { likes: 12 }), listed('2', 'b', { author: ada, likes: 12 })];
      const thread = await openThread({ posts: list, replies: true, actions: ['edit', 'remove', 'like'] }, { place, userKey: ada.key });
      await thread.until(() => thread.all('.edit').length === 1, 'the actions');
      const faults: string[] = [];
      // A reply waits as a draft at the first one.
      const draft = { bff: thread.bff.url, forum: 'news', page: PAGE, account: thread.element.account, parent: String(list[0]!.id) };
      localStorage.setItem(draftStorageKey(draft), JSON.stringify({ v: 1, text: 'x', id: 'x', at: Date.now() }));
      dispatchEvent(new StorageEvent('storage', { key: draftStorageKey(draft) }));
      await thread.until(() => thread.words.includes('Continue your reply'), 'the draft');
      for (const lang of ['en', ...Object.keys(languages)]) {
        thread.element.lang = lang;
        await thread.until(() => thread.all('.acts')[0]!.lang === lang, lang);
        for (const row of thread.all('.acts')) if (row.offsetHeight > 44) faults.push(`${lang}: ${row.innerText}`);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('is legible in forced colours, where the ring of the focus shows', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const thread = await open();
    const menu = await thread.openMenu('post 1');
    await expect(thread.element).to.be.accessible();
    expect(getComputedStyle(menu).borderStyle).to.equal('solid');
    await emulateMedia({ forcedColors: 'none' });
  });
});
