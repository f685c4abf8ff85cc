/** Records of the browser, as readers meet them in the comment box: of other releases, sign-ins and accounts. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { openBox, openSignedIn, openTab, recordWindows, replace, stored, SIGN_IN, type Box, type Tab } from '../comments/_box.ts';

const MINUTE_MS = 60_000;
const article = 'https://www.example.com/article';

describe('the hint of a sign-in that was started', () => {
  async function start(tab: Tab): Promise<Box> {
    recordWindows(tab.view);
    const box = await openBox({ tab });
    await box.isSignedOut();
    await box.press(SIGN_IN);
    await box.says('Continue in the sign-in window');
    return box;
  }

  for (const [minutes, requests] of [[14, 1], [16, 0]] as const) {
    it(`is ${requests ? 'followed' : 'over'} ${minutes} minutes later in another page`, async () => {
      const tab = await openTab();
      const { bff } = await start(tab);
      await tab.open();
      const before = (await bff.requests()).length;
      const { now } = tab.view.Date;
      replace(tab.view.Date, { now: () => now() + minutes * MINUTE_MS });
      const box = await openBox({ bff, tab, untouched: true });
      await box.until(() => box.offers(SIGN_IN), 'the button');
      if (requests) await box.isSignedOut();
      expect((await bff.requests()).length - before).to.equal(requests);
    });
  }

  it('outlasts reloads while nobody is signed in or questions wait, until the reader is signed in', async () => {
    const tab = await openTab();
    const { bff } = await start(tab);
    for (const state of ['anonymous', 'validating', 'anonymous'] as const) {
      if (state === 'validating') await bff.offer();
      else await bff.setSession({});
      await tab.open();
      const box = await openBox({ bff, tab, untouched: true });
      await box.until(() => box.details('state').length === 1, state);
    }
    await bff.signIn();
    await tab.open();
    await (await openBox({ bff, tab, untouched: true })).isSignedIn('Ada');
  });

  it('ends with the wait of the box', async () => {
    const box = await start(await openTab());
    const hint = `vestibule:session ${box.bff.url}`;
    expect(stored()).to.contain(hint);
    const channel = new BroadcastChannel(`vestibule ${box.bff.url}`);
    channel.postMessage({ vestibule: 'already-granted' });
    await box.says('You allowed this before');
    channel.close();
    expect(stored()).not.to.contain(hint);
  });
});

describe('two boxes in two languages', () => {
  it('send each post in the language of its own box', async () => {
    const one = await openSignedIn();
    const two = await openSignedIn({ bff: one.bff, attributes: { page: article } });
    for (const [{ element }, lang] of [[one, 'de'], [two, 'fr']] as const) {
      element.lang = lang;
      await one.until(() => element.shadowRoot!.querySelector<HTMLElement>('[part=footer]')!.lang === lang, lang);
    }
    await Promise.all([one, two].map(({ element }) => element.updateComplete));
    for (const [index, box] of [one, two].entries()) {
      box.write('hello');
      box.pressKeys();
      await box.hasAsked('POST /posts', index + 1);
    }
    expect((await one.bff.requests('POST /posts')).map(({ language }) => language)).to.deep.equal(['de', 'fr']);
  });
});

describe('the sign-in window', () => {
  it('is on the screen of the page, also if that is to the left of the first', async () => {
    const tab = await openTab();
    const features: string[] = [];
    const open = (_url: string, _name: string, ...rest: string[]) => (features.push(...rest), null);
    replace(tab.view, { screenX: -1920, screenY: -200, outerWidth: 1000, outerHeight: 800, open });
    const box = await openBox({ tab });
    await box.isSignedOut();
    await box.press(SIGN_IN);
    expect(features).to.deep.equal(['popup,width=480,height=720,left=-1660,top=-160']);
  });
});

describe('what a reader did with comments', () => {
  const key = ({ url }: TestBff, account: string): string => `vestibule:likes ${url} ${account} news ${article}`;
  const store = (bff: TestBff, account: string, at = Date.now()): void => (
    localStorage.setItem(key(bff, account), JSON.stringify({ v: 1, liked: ['1'], done: { 1: { at, message: 'Edited' } }, at }))
  );

  it('leaves the browser at a sign-out of any account', async () => {
    const bff = new TestBff();
    store(bff, '42');
    store(bff, '43');
    const box = await openSignedIn({ bff, attributes: { page: article } });
    await box.press('Sign out');
    await box.isSignedOut();
    expect(['42', '43'].map((account) => localStorage.getItem(key(bff, account)))).to.deep.equal([null, null]);
  });

  it('leaves it half a year later, and has no text that was sent more than a week ago', async () => {
    const bff = new TestBff();
    for (const [account, days] of [['43', 8], ['44', 6], ['45', 181]] as const) store(bff, account, Date.now() - days * 24 * 60 * MINUTE_MS);
    await openSignedIn({ bff, attributes: { page: article } });
    expect(['43', '44', '45'].map((account) => localStorage.getItem(key(bff, account))?.includes('Edited'))).to.deep.equal([false, true, undefined]);
    expect(localStorage.getItem(key(bff, '43'))).to.contain('"liked":["1"]');
  });
});
