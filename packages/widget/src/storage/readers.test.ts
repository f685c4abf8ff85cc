/** Records of the browser, as readers meet them in the comment box. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { openBox, openSignedIn, openTab, replace, SIGN_IN } from '../box/_box.ts';

const MINUTE_MS = 60_000;
const article = 'https://www.example.com/article';

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

  it('has no text there that was sent more than a week ago', async () => {
    const bff = new TestBff();
    for (const [account, days] of [['43', 8], ['44', 6]] as const) store(bff, account, Date.now() - days * 24 * 60 * MINUTE_MS);
    await openSignedIn({ bff, attributes: { page: article } });
    expect(['43', '44'].map((account) => localStorage.getItem(key(bff, account))?.includes('Edited'))).to.deep.equal([false, true]);
    expect(localStorage.getItem(key(bff, '43'))).to.contain('"liked":["1"]');
  });
});

describe('a browser whose storage does nothing and throws nothing', () => {
  it('has the comment posted, and the box says that a text is not kept', async () => {
    const setItem = Storage.prototype.setItem;
    replace(Storage.prototype, { setItem: () => {} });
    const box = await openSignedIn();
    box.write('not kept');
    await box.says('This browser cannot keep your text.');
    await box.post('posted all the same');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ message }) => message)).to.deep.equal(['posted all the same']);
    replace(Storage.prototype, { setItem });
  });
});
