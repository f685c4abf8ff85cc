/** Drafts of the comment box: whose they are, where they are, and who sees them. */

import { expect } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import {
  comeBack, fillStorage, letPass, openBox, openSignedIn, openTab, recordWindows, refuseStorage, replace, setCanonical,
  signedInBefore, stored, SIGN_IN, type Box, type Tab,
} from './_box.ts';

const ada = { user_id: '42', username: 'Ada' };
const bo = { user_id: '43', username: 'Bo' };
const DAY_MS = 86_400_000;
const SECOND_TEXT = 'There is another unposted text of yours for this page:';

/** Boxes of different pages, such as those of two tabs, have one article with it. */
const article = { page: 'https://www.example.com/article' };

async function becomes(box: Box, user: { user_id: string; username: string }): Promise<void> {
  await box.bff.signIn(user);
  comeBack();
  await box.isSignedIn(user.username);
}

async function expire(box: Box): Promise<void> {
  await box.bff.setSession({});
  comeBack();
  await box.isSignedOut();
}

describe('a draft after an explicit sign-out', () => {
  it('is seen by no other account, in this tab, in another tab, or in storage', async () => {
    const here = await openSignedIn({ attributes: article });
    const tab = await openTab();
    const elsewhere = await openSignedIn({ bff: here.bff, attributes: article, tab });
    here.write('the secret of Ada');
    await elsewhere.until(() => elsewhere.field.value === 'the secret of Ada', 'the text in the other tab');
    await here.signOutConfirmed();
    await elsewhere.isSignedOut();
    for (const box of [here, elsewhere]) expect(box.field.value).to.equal('');
    expect(stored()).not.to.contain('secret');
    await here.bff.signIn(bo);
    for (const view of [window, tab.view]) comeBack(view);
    for (const box of [here, elsewhere]) {
      await box.isSignedIn('Bo');
      expect(box.field.value).to.equal('');
    }
  });

  it('is removed from storage that is full', async () => {
    const box = await openSignedIn();
    box.write('the secret of Ada');
    fillStorage();
    await box.signOutConfirmed();
    expect(stored()).not.to.contain('secret');
  });

  it('is hidden in another tab, also where the clock was set back since the sign-in', async () => {
    const here = await openSignedIn({ attributes: article });
    const elsewhere = await openSignedIn({ bff: here.bff, attributes: article, tab: await openTab() });
    here.write('the secret of Ada');
    await elsewhere.until(() => elsewhere.field.value === 'the secret of Ada', 'the text in the other tab');
    letPass(-DAY_MS);
    await here.signOutConfirmed();
    elsewhere.turnTo();
    expect(elsewhere.field.value).to.equal('');
    expect(stored()).not.to.contain('secret');
  });

  it('is not kept for the way back from signing in, which the reader took to another page', async () => {
    const tab = await openTab();
    const left = await openBox({ attributes: { sync: 'inline', page: 'https://www.example.com/other' }, tab });
    await left.isSignedOut();
    left.write('the secret of Ada');
    await left.press('Sign in and post');
    await left.until(() => tab.view.location.pathname.includes('/sync/authorize'), 'another page');
    const box = await openSignedIn({ bff: left.bff, attributes: article });
    await box.element.signOut();
    expect(stored()).not.to.contain('secret');
  });

  it('is hidden in another tab that cannot read storage', async () => {
    const elsewhere = await openSignedIn({ attributes: article, tab: await openTab() });
    refuseStorage();
    const box = await openSignedIn({ bff: elsewhere.bff, attributes: article });
    box.write('the secret of Ada');
    await elsewhere.element.signOut();
    await box.isSignedOut();
    expect(box.field.value).to.equal('');
  });

  it('is deleted also if the response is lost, and the box asks again when its reader is back', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ carriedOut: true, problem: 'internal-error' }] } });
    box.write('the secret of Ada');
    await box.signOutConfirmed();
    await box.says('Your sign-out did not get through');
    expect([box.field.value, stored().includes('secret')]).to.deep.equal(['', false]);
    comeBack();
    await box.says('You are signed out.');
  });

  it('is not stored again by a box that was out of the page meanwhile', async () => {
    const box = await openSignedIn({ attributes: article });
    box.write('the secret of Ada');
    const { parentNode } = box.element;
    box.element.remove();
    const other = await openSignedIn({ bff: box.bff, attributes: article });
    await other.element.signOut();
    parentNode!.append(box.element);
    expect(box.field.value).to.equal('');
    box.turnTo();
    await box.isSignedOut();
    expect(stored()).not.to.contain('secret');
  });

  it('is not stored by a page that has missed the sign-out, and is gone there once its reader is back', async () => {
    const box = await openSignedIn();
    // A document gets no event of its own storage.
    localStorage.removeItem(`vestibule:session ${box.bff.url}`);
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, JSON.stringify({ v: 1, id: 'elsewhere', account: '42', isOpen: false }));
    box.write('the secret of Ada');
    expect(stored()).not.to.contain('secret');
    await box.bff.setSession({});
    comeBack();
    await box.isSignedOut();
    expect([box.field.value, stored().includes('Ada')]).to.deep.equal(['', false]);
    await box.says('You signed out in another tab.');
  });

  it('takes nothing of the next reader along, when a box that was out of the page comes back', async () => {
    const box = await openSignedIn({ attributes: article });
    const other = await openSignedIn({ bff: box.bff, attributes: article });
    const { parentNode } = box.element;
    box.element.remove();
    await other.element.signOut();
    await becomes(other, bo);
    await other.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected', detail: 'Please be kind.' }] } });
    await other.post('of Bo');
    await other.hasRow('Not posted: ');
    parentNode!.append(box.element);
    await box.isSignedIn('Bo');
    expect([other.row.startsWith('Not posted: '), stored().includes('of Bo')]).to.deep.equal([true, true]);
  });

  it('is deleted only after the reader has confirmed it, and then before the BFF responds', async () => {
    const box = await openSignedIn();
    box.write('not posted');
    await box.press('Sign out');
    await box.press('Stay signed in');
    expect(box.field.value).to.equal('not posted');
    expect(await box.bff.requests('DELETE /session')).to.deep.equal([]);
    await box.bff.set({ answers: { 'DELETE /session': [{ hold: 'sign-out' }] } });
    await box.press('Sign out');
    await box.says('Sign out? What is not posted is deleted.');
    await box.press('Sign out');
    await box.isSignedOut();
    expect([box.field.value, stored().includes('not posted')]).to.deep.equal(['', false]);
    expect(box.words).not.to.contain('You are signed out.');
    box.write('of the next reader');
    await box.bff.release('sign-out');
    await box.says('You are signed out.');
    expect(box.field.value).to.equal('of the next reader');
  });

  it('goes with every other text of this browser, not with what was written afterwards', async () => {
    const other = await openBox({ attributes: article });
    await other.isSignedOut();
    await becomes(other, bo);
    other.write('of Bo');
    await becomes(other, ada);
    expect(other.field.value).to.equal('');
    await other.post('my words');
    await other.says('Your comment is posted.');
    await other.press('Sign out');
    await other.isSignedOut();
    expect([stored().includes('my words'), stored().includes('of Bo')]).to.deep.equal([false, false]);
    other.write('of nobody');
    const { bff } = other;
    other.element.remove();
    const next = await openBox({ bff, attributes: article });
    await next.until(() => next.field.value === 'of nobody', 'the text');
  });

  it('of every account is deleted if it is not known which one signs out', async () => {
    const bff = await signedInBefore();
    const before = await openSignedIn({ bff });
    before.write('of Ada');
    await expire(before);
    before.element.remove();
    const box = await openBox({ bff, untouched: true });
    await box.element.signOut();
    expect(stored()).not.to.contain('of Ada');
  });

  it('includes what was written on another page before the session was known there', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    const elsewhere = await openBox({ bff: box.bff, attributes: article, tab: await openTab() });
    elsewhere.write('the secret of Ada');
    elsewhere.turnTo();
    const hasDraft = (): boolean => Object.keys(localStorage).some((key) => key.startsWith('vestibule:draft') && localStorage.getItem(key)!.includes('the secret'));
    await elsewhere.until(hasDraft, 'the record');
    await box.element.signOut();
    await elsewhere.until(() => elsewhere.field.value === '', 'the empty field');
    expect(stored()).not.to.contain('secret');
    await box.bff.release('late');
  });
});

describe('a draft that was written before the session was known', () => {
  /** Ada is signed in and the BFF does not respond; she writes and leaves. */
  async function leaveText(tab: Tab): Promise<TestBff> {
    const bff = await signedInBefore();
    await tab.open();
    // The clock has stepped back.
    const { now } = tab.view.Date;
    replace(tab.view.Date, { now: () => now() - 3_600_000 });
    await bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    const box = await openBox({ bff, attributes: article, tab });
    box.write('of Ada');
    await box.until(() => stored().includes('of Ada'), 'the text in storage');
    await bff.setSession({});
    await tab.open();
    await bff.release('late');
    return bff;
  }

  for (const user of [undefined, bo]) {
    it(`belongs to the account whose name the box showed, ${user ? 'and no other sees it' : 'and stays in sight when the session is over'}`, async () => {
      const tab = await openTab();
      const bff = await leaveText(tab);
      await (user ? bff.signIn(user) : bff.setSession({}));
      const box = await openBox({ bff, attributes: article, tab });
      await (user ? box.isSignedIn('Bo') : box.isSignedOut());
      expect(box.field.value).to.equal(user ? '' : 'of Ada');
      await bff.signIn();
      comeBack(tab.view);
      await box.until(() => box.field.value === 'of Ada', 'the text of Ada');
    });
  }
});

describe('a draft after an expired session', () => {
  it('stays in sight of its reader, and with the account that wrote it', async () => {
    const box = await openSignedIn();
    box.write('of Ada');
    await expire(box);
    expect(box.field.value).to.equal('of Ada');
    await becomes(box, bo);
    expect(box.field.value).to.equal('');
    await becomes(box, ada);
    expect(box.field.value).to.equal('of Ada');
  });
});

describe('a draft and its article', () => {
  it('is kept for its forum, BFF and page only', async () => {
    const box = await openBox();
    box.write('of the news');
    const { bff } = box;
    for (const [options, text] of [
      [{ bff }, 'of the news'], [{ bff, attributes: { forum: 'sports' } }, ''], [{ bff, attributes: article }, ''], [{}, ''],
    ] as const) {
      const next = await openBox(options);
      await next.isSignedOut();
      await next.hasText(text);
    }
  });

  it('is kept where the attribute page is no well-formed URL', async () => {
    const box = await openBox({ attributes: { page: 'https://www.example.com/a 100%' }, untouched: true });
    box.write('about a hundred');
    box.turnTo();
    await box.until(() => stored().includes('vestibule:draft') && !stored().includes('vestibule:typed'), 'the draft');
    expect(Object.keys(localStorage).filter((key) => key.includes(box.bff.url)).map((key) => key.split(' ')[0])).to.deep.equal(['vestibule:draft']);
  });

  it('stays with its forum and page when the attribute changes', async () => {
    for (const [name, value] of [['forum', 'sports'], ['page', 'https://www.example.com/b']] as const) {
      const box = await openBox({ attributes: article });
      box.write('of the first');
      const before = box.element.getAttribute(name)!;
      box.element.setAttribute(name, value);
      await box.until(() => box.field.value === '', `the draft of ${value}`);
      box.element.setAttribute(name, before);
      await box.until(() => box.field.value === 'of the first', 'the draft of the first');
    }
  });

  it('follows pushState to the next article and back', async () => {
    const box = await openBox();
    const { pathname } = location;
    box.write('of the first');
    history.pushState(null, '', `${pathname}?article=2`);
    await box.until(() => box.field.value === '', 'the empty draft of the second article');
    box.write('of the second');
    history.back();
    await box.until(() => box.field.value === 'of the first', 'the first article’s draft');
    history.forward();
    await box.until(() => box.field.value === 'of the second', 'the second article’s draft');
  });

  it('follows pushState while the box is out of the page, before any intent', async () => {
    const box = await openBox({ untouched: true });
    const { parentNode } = box.element;
    box.element.remove();
    history.pushState(null, '', `${location.pathname}?article=2`);
    const second = await openBox({ bff: box.bff, untouched: true });
    second.write('of the second');
    second.element.remove();
    parentNode!.append(box.element);
    await box.until(() => box.field.value === 'of the second', 'the draft of the second article');
  });

  it('stays with its article when the reader goes back with the cursor in the field, as with a new entry', async () => {
    for (const go of [() => history.back(), () => history.pushState(null, '', `${location.pathname}?article=3`)]) {
      history.pushState(null, '', `${location.pathname}?article=2`);
      const box = await openBox();
      box.field.focus();
      box.write('about the second');
      const second = location.href;
      go();
      await box.until(() => box.field.value === '' && location.href !== second, 'the empty draft of the other article');
      box.element.remove();
      const fresh = await openBox({ bff: box.bff, attributes: { page: second } });
      await fresh.until(() => fresh.field.value === 'about the second', 'the draft');
    }
  });

  it('moves along with an address that is replaced, and with a canonical link that appears late', async () => {
    for (const change of [
      () => history.replaceState(null, '', `${location.pathname}?name=other`), () => setCanonical('/articles/lamplighter'),
    ]) {
      const box = await openBox();
      box.write('half a sentence');
      box.field.blur();
      change();
      await box.until(() => stored().includes('name=other') || stored().includes('lamplighter'), 'the move');
      expect(box.field.value).to.equal('half a sentence');
      localStorage.clear();
      box.element.remove();
    }
  });

  it('stays with the article that the page has named, when the page names none', async () => {
    const box = await openBox({ attributes: { page: 'https://www.example.com/named' } });
    box.write('of the named one');
    box.element.removeAttribute('page');
    await box.until(() => box.field.value === '', 'the empty draft of the address');
    box.element.page = 'https://www.example.com/named';
    await box.hasText('of the named one');
  });

  it('moves along also where it was only restored', async () => {
    const earlier = await openBox();
    earlier.write('of the first');
    earlier.element.remove();
    const box = await openBox({ bff: earlier.bff });
    await box.until(() => box.field.value === 'of the first', 'the draft');
    history.replaceState(null, '', `${location.pathname}?name=other`);
    await box.until(() => stored().includes('name=other'), 'the move');
    expect(box.field.value).to.equal('of the first');
  });

  it('that was written signed out belongs to the account that signs in, at every article, also in a box that is reused', async () => {
    const [one, two] = ['https://www.example.com/one', 'https://www.example.com/two'];
    const box = await openBox({ attributes: { page: one } });
    await box.isSignedOut();
    box.write('of the first');
    box.element.setAttribute('page', two);
    await box.until(() => box.field.value === '', 'the second article');
    box.write('of the second');
    box.element.setAttribute('page', one);
    await becomes(box, ada);
    box.element.setAttribute('page', two);
    await box.until(() => box.field.value === 'of the second', 'the draft of the second article');
    await box.signOutConfirmed();
    await becomes(box, bo);
    for (const page of [one, two]) {
      box.element.setAttribute('page', page);
      await box.element.updateComplete;
      expect(box.field.value).to.equal('');
    }
  });

  it('belongs to that account also where the reader has gone on to another article before the session was there', async () => {
    const [one, two] = ['https://www.example.com/one', 'https://www.example.com/two'];
    const box = await openBox({ attributes: { page: one } });
    await box.isSignedOut();
    box.write('of the first');
    recordWindows();
    await box.press(SIGN_IN);
    box.element.setAttribute('page', two);
    await box.until(() => box.field.value === '', 'the second article');
    await becomes(box, ada);
    box.element.setAttribute('page', one);
    await box.until(() => box.field.value === 'of the first', 'the draft of the first article');
  });

  for (const isKnown of [true, false]) {
    it(`asks for one more step where its reader has signed in ${isKnown ? 'at another page' : 'elsewhere'} meanwhile`, async () => {
      const before = await openBox({ tab: await openTab() });
      const { bff } = before;
      await before.isSignedOut();
      before.write('written signed out');
      before.element.remove();
      await bff.signIn();
      if (isKnown) await (await openBox({ bff, attributes: article, tab: await openTab() })).isSignedIn('Ada');
      const box = await openBox({ bff, tab: await openTab() });
      await box.says('One more step: post your comment.');
      expect([box.field.value, await bff.posts()]).to.deep.equal(['written signed out', []]);
    });
  }

  it('that moves along leaves the comment that was sent before on the screen, with its own address and key', async () => {
    const box = await openSignedIn();
    const page = location.href;
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    await box.post('of the first');
    await box.hasRow('We could not confirm that this was posted.');
    box.write('later');
    setCanonical('/articles/lamplighter');
    await box.until(() => stored().includes('/articles/lamplighter'), 'the move');
    expect([box.field.value, box.words.includes('of the first')]).to.deep.equal(['later', true]);
    await box.press('Post comment');
    await box.hasAsked('POST /posts', 2);
    const requests = await box.bff.requests('POST /posts');
    expect(requests.map(({ body }) => (body as { page: string }).page)).to.deep.equal([page, new URL('/articles/lamplighter', page).href]);
    expect(requests[0]!.key).not.to.equal(requests[1]!.key);
  });

  it('expires after 30 days', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('an old text');
    box.element.remove();
    letPass(29 * DAY_MS);
    const inTime = await openBox({ bff: box.bff, untouched: true });
    await inTime.until(() => inTime.field.value === 'an old text', 'the draft');
    inTime.element.remove();
    letPass(2 * DAY_MS);
    const again = await openBox({ bff: box.bff });
    await again.isSignedOut();
    expect([again.field.value, stored().includes('an old text')]).to.deep.equal(['', false]);
  });
});

describe('one draft in several tabs and boxes', () => {
  it('is the same in two boxes of a page, and goes to the account with its latest words', async () => {
    const one = await openBox();
    const two = await openBox({ bff: one.bff });
    one.write('once');
    for (const box of [one, two]) await box.isSignedOut();
    two.turnTo();
    expect(two.field.value).to.equal('once');
    two.write('once more');
    one.turnTo();
    expect(one.field.value).to.equal('once more');
    one.write('once more!');
    await one.bff.signIn();
    comeBack();
    for (const box of [one, two]) {
      await box.isSignedIn('Ada');
      expect([box.field.value, box.words.includes(SECOND_TEXT)]).to.deep.equal(['once more!', false]);
    }
  });

  it('follows what another tab writes, deletes or posts', async () => {
    const box = await openSignedIn({ attributes: article });
    const elsewhere = await openSignedIn({ bff: box.bff, attributes: article, tab: await openTab() });
    const follows = (text: string): Promise<void> => box.until(() => box.field.value === text, `“${text}” of the other tab`);
    elsewhere.write('written twice');
    await follows('written twice');
    elsewhere.write('');
    await follows('');
    elsewhere.write('written again');
    await follows('written again');
    await elsewhere.press('Post comment');
    await follows('');
  });

  for (const [earlier, later] of [['earlier', 'later'], ['ok', 'look at this'], ['look at this', 'ok']] as const) {
    it(`of the account stands below what its reader has written signed out: “${later}” and “${earlier}”`, async () => {
      const before = await openSignedIn({ attributes: article });
      before.write(earlier);
      await expire(before);
      before.element.remove();
      const tab = await openTab();
      const box = await openBox({ bff: before.bff, attributes: article, tab });
      await box.isSignedOut();
      box.write(later);
      await box.bff.signIn(ada);
      comeBack(tab.view);
      await box.isSignedIn(ada.username);
      expect(box.field.value).to.equal(`${later}\n\n${earlier}`);
    });
  }

  it('of the account that arrives moves no caret, and waits for the end of a composition', async () => {
    for (const isComposing of [false, true]) {
      const before = await openSignedIn({ attributes: article });
      before.write('earlier');
      await expire(before);
      before.element.remove();
      const tab = await openTab();
      const box = await openBox({ bff: before.bff, attributes: article, tab });
      await box.isSignedOut();
      box.field.focus();
      if (isComposing) box.field.dispatchEvent(new CompositionEvent('compositionstart'));
      box.write('later');
      box.field.setSelectionRange(1, 3);
      await box.bff.signIn(ada);
      comeBack(tab.view);
      await box.isSignedIn(ada.username);
      if (isComposing) {
        expect(box.field.value).to.equal('later');
        box.write('later on');
        box.field.setSelectionRange(1, 3);
        box.field.dispatchEvent(new CompositionEvent('compositionend'));
      }
      const text = isComposing ? 'later on' : 'later';
      expect([box.field.value, box.field.selectionStart, box.field.selectionEnd]).to.deep.equal([`${text}\n\nearlier`, 1, 3]);
      box.element.remove();
      localStorage.clear();
    }
  });

  it('is stored again after storage was emptied, also where somebody signed out earlier', async () => {
    const box = await openSignedIn({ attributes: article });
    await box.press('Sign out');
    await box.isSignedOut();
    box.write('written afterwards');
    const record = localStorage.getItem(`vestibule:signed-out ${box.bff.url}`)!;
    localStorage.clear();
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, record);
    box.turnTo();
    expect(box.field.value).to.equal('written afterwards');
    expect(stored()).to.contain('written afterwards');
  });

  it('is stored again after storage was emptied', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('kept');
    (await openTab()).view.localStorage.clear();
    await box.until(() => stored().includes('kept'), 'the text in storage');
    expect(box.field.value).to.equal('kept');
  });

  it('is written beside records that no release of the widget can read', async () => {
    const bff = await signedInBefore();
    (await openSignedIn({ bff })).write('hello');
    for (const garbage of ['', 'null', '[]', '{"text":1}', '{']) {
      for (const key of Object.keys(localStorage)) localStorage.setItem(key, garbage);
      const box = await openBox({ bff });
      await box.isSignedIn('Ada');
      box.write(`after ${garbage}`);
      expect(stored()).to.contain('after');
    }
  });
});

const asksBeforeUnload = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('a draft without storage', () => {
  it('is not called kept, and the page is left only after the reader has confirmed', async () => {
    refuseStorage();
    const box = await openBox({ attributes: { sync: 'inline' } });
    await box.isSignedOut();
    box.write('only here');
    await box.says('This browser cannot keep your text. Copy it before you leave this page.');
    expect(asksBeforeUnload()).to.equal(true);
    await box.press(SIGN_IN);
    await box.until(() => box.button('Sign in on this page'), 'a question');
    const [panel] = box.all('.panel');
    expect([panel!.ariaLabelledByElements![0]!.textContent.trim(), panel!.querySelector('p')])
      .to.deep.equal(['This browser cannot keep your text. Copy it before you leave this page.', null]);
    expect(box.words).not.to.contain('is kept');
    await box.press('Not now');
    expect(box.field.value).to.equal('only here');
    box.write('');
    await box.until(() => !asksBeforeUnload(), 'a page that can be left');
    const signedIn = await openSignedIn();
    await signedIn.post('hello');
    await signedIn.says('Your comment is posted.');
  });
});

describe('the reader’s own posts', () => {
  it('are there after a reload for that account, and leave the browser after 7 days', async () => {
    const box = await openSignedIn({ attributes: article });
    const { bff } = box;
    await box.post('my words');
    await box.until(() => box.details('posted').length === 1, 'the post');
    box.element.remove();
    const tab = await openTab();
    const reloaded = await openSignedIn({ bff, attributes: article, tab });
    await reloaded.says('my words');
    for (const [user, isShown] of [[bo, false], [ada, true]] as const) {
      await bff.signIn(user);
      comeBack(tab.view);
      await reloaded.isSignedIn(user.username);
      await reloaded.until(() => reloaded.words.includes('my words') === isShown, `the posts of ${user.username}`);
    }
    const time = (): string => reloaded.part('post')!.querySelector('time')!.textContent;
    const year = String(new Date().getFullYear());
    expect(time()).not.to.contain(year);
    const { Date: Today } = tab.view;
    replace(tab.view, { Date: class extends Today {
      constructor(...values: [] | [number]) { super(...(values.length > 0 ? values : [Today.now() + DAY_MS]) as [number]); }
    } });
    reloaded.element.requestUpdate();
    await reloaded.until(() => time().includes(year), 'the date of a day before');
    await tab.open();
    const { now } = tab.view.Date;
    replace(tab.view.Date, { now: () => now() + 8 * DAY_MS });
    const later = await openSignedIn({ bff, attributes: article, tab });
    expect([later.words.includes('my words'), stored().includes('my words')]).to.deep.equal([false, false]);
  });
});

describe('a reader who left for another page to sign in', () => {
  it('does not make this one scroll to its comments, or cause a request', async () => {
    const bff = new TestBff();
    const tab = await openTab();
    const left = await openBox({ bff, attributes: { sync: 'inline', page: 'https://www.example.com/other' }, tab });
    await left.isSignedOut();
    await left.press(SIGN_IN);
    await left.until(() => tab.view.location.pathname.includes('/sync/authorize'), 'another page');
    const before = await bff.requests();
    await tab.open();
    const here = await openBox({ bff, attributes: { sync: 'inline', ...article }, tab, untouched: true });
    here.element.dispatchEvent(new PointerEvent('pointerenter'));
    const other = await openBox({ bff, tab });
    await other.isSignedOut();
    expect((await bff.requests()).length - before.length).to.equal(1);
    expect(here.focus).to.equal('elsewhere');
  });
});
