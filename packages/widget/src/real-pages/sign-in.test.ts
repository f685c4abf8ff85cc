/** Signing in in windows, frames and pages that are not the common ones. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import {
  blockWindows, FIELD, goTo, openBox, openPopup, openTab, recordWindows, Seen, SIGN_IN, type Box, type Tab,
} from '../box/_box.ts';

const RETURN = new URLSearchParams({
  code: 'c0de', user_id: '42', username: 'Ada', audiencesync_uri: 'https://service.example/audiencesync/complete/',
});
const form = { fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] } as const;

describe('a redirect URI that is an article', () => {
  it('shows the form in the sign-in window itself', async () => {
    const window = await openPopup('vestibule-sync', `?${RETURN}`);
    const bff = new TestBff();
    await bff.set({ form });
    const box = await openBox({ bff, tab: window });
    await box.press('Continue as Ada');
    await box.says('Your age');
  });
});

describe('the way back from signing in in the page', () => {
  const leave = (bff: TestBff, more: object): void => sessionStorage.setItem('vestibule:return', JSON.stringify(
    { v: 1, bff: bff.url, forum: 'news', ...more },
  ));

  it('leads to the article under another address, too, and to no other article of the site', async () => {
    const page = 'https://www.example.com/article';
    for (const [more, isHere] of [
      [{ address: `${location.href}?sync=inline`, page }, true], [{ address: location.href, page: `${page}/2` }, false],
    ] as const) {
      const bff = new TestBff();
      await bff.signIn();
      leave(bff, more);
      const box = await openBox({ bff, attributes: { page } });
      await box.isSignedIn('Ada');
      await box.until(() => (box.status === 'You are signed in.') === isHere, `a return: ${JSON.stringify(more)}`);
      box.element.remove();
      sessionStorage.clear();
    }
  });

  it('is forgotten with its text where the reader has signed out in another tab meanwhile', async () => {
    const bff = new TestBff();
    leave(bff, { address: location.href, page: 'https://www.example.com/article', press: { text: 'secret', at: Date.now() } });
    localStorage.setItem(`vestibule:signed-out ${bff.url}`, JSON.stringify({ v: 1, id: 'of another tab', account: '', isOpen: false }));
    await (await openBox({ bff })).isSignedOut();
    expect(sessionStorage.getItem('vestibule:return')).to.equal(null);
  });

  it('makes no return of another page: nothing is requested before its reader acts', async () => {
    const bff = new TestBff();
    leave(bff, { address: `${location.origin}/elsewhere` });
    const box = await openBox({ bff, untouched: true });
    await box.says('Sign in to comment');
    expect(await bff.requests('GET /session')).to.deep.equal([]);
  });
});

describe('a sign-in window in which a service worker shows an article', () => {
  it('says that the form did not load', async () => {
    const window = await openPopup('vestibule-sync');
    const bff = new TestBff();
    window.view.history.replaceState(null, '', `${bff.url}sync/authorize?forum=news`);
    const box = await openBox({ bff, tab: window, untouched: true });
    await box.says('The sign-in form could not be loaded.');
  });
});

describe('a box in a frame whose browser blocks the sign-in window', () => {
  it('goes on in a new tab, not in the frame', async () => {
    const tab = await openTab();
    blockWindows(tab.view);
    const box = await openBox({ tab });
    await box.press(SIGN_IN);
    await box.until(() => box.offers('Not now'), 'the question');
    const opened = recordWindows(tab.view);
    const way = box.primary as HTMLAnchorElement;
    if (way.localName === 'a') return expect(way.target).to.equal('_blank');
    way.click();
    return box.until(() => opened.at(-1)?.target === '_blank', 'a new tab');
  });
});

describe('a box in a frame whose sandbox allows no windows', () => {
  it('says so at the press that opens none', async () => {
    const tab = await openTab();
    blockWindows(tab.view);
    const box = await openBox({ tab });
    await box.press(SIGN_IN);
    await box.press('Sign in in a new tab');
    await box.says('The sign-in form could not be loaded. Please try again.');
  });
});

describe('two copies of the widget in a page', () => {
  it('lose no return that one of them has taken from the address', async () => {
    const tab = await openTab();
    await tab.go(`?${RETURN}`);
    const form = new Seen(tab.view.document.createElement('vestibule-sync'));
    form.element.setAttribute('bff', new TestBff().url);
    tab.view.document.body.append(form.element);
    await fetch('/copy/slow/packages/widget/testing/blank.html?hold=vestibule-sync.ts');
    try {
      await tab.load('/copy/slow/packages/widget/src/widget.ts');
      await form.until(() => tab.view.location.search === '', 'an address without parameters');
      await tab.load('/copy/fast/packages/widget/src/widget.ts');
      await form.says('Continue as Ada');
    } finally {
      await fetch('/copy/slow/packages/widget/testing/blank.html?release');
    }
  });
});

describe('a reader who signed in in the page', () => {
  async function openArticle(tab: Tab, bff: TestBff): Promise<Box> {
    await tab.open();
    tab.view.document.body.append(Object.assign(tab.view.document.createElement('div'), { style: 'block-size: 3000px' }));
    const content = '<div slot="posts" style="block-size: 3000px"></div>';
    return openBox({ bff, attributes: { sync: 'inline' }, content, tab, untouched: true });
  }

  it('is back at the box: it is in sight, and its field has the focus', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const isAway = (): boolean => tab.view.location.pathname.startsWith('/bff/');
    const box = await openArticle(tab, bff);
    box.write('on the way');
    await box.press(SIGN_IN);
    await box.until(isAway, 'the service');
    await bff.offer();
    const session = { state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits: { message_max_length: 10_000 } } as const;
    const completed = { outcome: 'accepted', completion_url: `${bff.url}sync/form` };
    await bff.set({ answers: { 'POST /sync/validation': [{ session, json: completed }] } });
    const form = await openArticle(tab, bff);
    await form.until(() => form.offers('Continue as Ada and post'), 'the form');
    const { top, bottom } = form.field.getBoundingClientRect();
    expect([top >= 0, bottom <= tab.view.innerHeight], `${top} to ${bottom}`).to.deep.equal([true, true]);
    await form.press('Continue as Ada and post');
    await box.until(isAway, 'the service again');
    const back = await openArticle(tab, bff);
    tab.view.scrollTo(0, 0);
    await back.isSignedIn('Ada');
    await back.says('You are signed in.');
    await back.hasFocusOn(FIELD);
    await back.says('on the way');
    expect(tab.view.scrollY).to.be.above(0);
  });
});

describe('a return without a code, in a page that has only the box', () => {
  for (const [query, words] of [['error=access_denied', 'You did not allow access'], ['success=1', 'You allowed this before']] as const) {
    it(`is taken from the address and explained: ${query}`, async () => {
      goTo(`?${query}`);
      const box = await openBox({ untouched: true });
      await box.says(words);
      expect(location.search).to.equal('');
    });
  }
});
