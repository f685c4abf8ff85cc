/** Drafts of the comment box, in the words of the faults that they once had. */

import { expect, fixture, html } from '@open-wc/testing';
import { TestBff } from '../../_bff.ts';
import { Draft, type DraftKey } from '../../drafts/draft.ts';
import { pageIdentity } from '../../drafts/page-identity.ts';
import { forgetAccount } from '../../drafts/sign-out-cleanup.ts';
import { setReturnMarker } from '../../session/return-marker.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { openBox, openSignedIn, type Box } from './_box.ts';

const addressOfTest = location.href;
const comeBack = (): boolean => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', addressOfTest);
  document.querySelector('link[rel=canonical]')?.remove();
});

/** Everything that storage holds, as one text. */
const stored = (): string => JSON.stringify({ ...localStorage, ...sessionStorage });

function keyOf(box: Box, account = ''): DraftKey {
  return { bff: box.bff.url, forum: 'news', page: pageIdentity(null), account };
}

function setCanonical(href: string): void {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'canonical' }));
  document.querySelector('link[rel=canonical]')!.setAttribute('href', href);
}

/** Storage as another tab of this browser has it: its writes reach this one as `storage` events. */
async function otherTab(): Promise<Storage> {
  return (await fixture<HTMLIFrameElement>(html`<iframe title="another tab"></iframe>`)).contentWindow!.localStorage;
}

function refuseStorage(): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(window, 'localStorage')!;
  Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });
  return () => Object.defineProperty(window, 'localStorage', descriptor);
}

async function signOutConfirmed(box: Box): Promise<void> {
  await box.press('Sign out');
  await box.says('Signing out deletes your unposted text from this browser.');
  box.panelButton('Sign out').click();
  await box.isSignedOut();
}

describe('the text field during a sign-out', () => {
  it('takes no text, which the sign-out would delete', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ hold: 'sign-out' }] } });
    await box.press('Sign out');
    await box.until(() => box.field.readOnly, 'a field that takes no text');
    await box.bff.release('sign-out');
    await box.isSignedOut();
    expect(box.field.readOnly).to.equal(false);
  });
});

describe('a draft after an explicit sign-out', () => {
  it('does not leak to another account, in this tab, in another tab, or in storage', async () => {
    const ada = await openSignedIn();
    const sameArticle = await openSignedIn({ bff: ada.bff });
    ada.write('the secret of Ada');
    sameArticle.turnTo();
    await sameArticle.until(() => sameArticle.field.value === 'the secret of Ada', 'the text in the other box');
    await signOutConfirmed(ada);
    await sameArticle.isSignedOut();
    for (const box of [ada, sameArticle]) expect(box.field.value).to.equal('');
    expect(stored()).not.to.contain('secret');
    await ada.bff.signIn({ user_id: '43', username: 'Jörg' });
    comeBack();
    for (const box of [ada, sameArticle]) {
      await box.says('Commenting as Jörg');
      expect(box.field.value).to.equal('');
    }
  });

  it('is hidden in a tab that missed the message, and no account is named, before the BFF responds', async () => {
    const box = await openSignedIn();
    box.write('the secret of Ada');
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, String(Date.now() + 1));
    comeBack();
    expect(box.field.value).to.equal('');
    await box.until(() => !box.words.includes('Commenting as'), 'no account');
    await box.bff.release('late');
  });

  it('is removed from storage that is full', async () => {
    const box = await openSignedIn();
    box.write('the secret of Ada');
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    try {
      await signOutConfirmed(box);
      expect(stored()).not.to.contain('secret');
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('is hidden on the message of another tab where storage cannot be read', async () => {
    const restore = refuseStorage();
    try {
      const box = await openSignedIn();
      box.write('the secret of Ada');
      await box.bff.setSession({});
      announceSessionChange(new URL(box.bff.url), 'signed-out');
      await box.isSignedOut();
      expect(box.field.value).to.equal('');
    } finally {
      restore();
    }
  });

  it('is deleted if the response was lost and the session has ended', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ carriedOut: true, problem: 'internal-error' }] } });
    box.write('the secret of Ada');
    await signOutConfirmed(box);
    await box.says('You are signed out.');
    expect(box.field.value).to.equal('');
    expect(stored()).not.to.contain('secret');
  });

  it('is not stored again by a box that was out of the page during the sign-out', async () => {
    const box = await openSignedIn();
    box.write('the secret of Ada');
    const { parentNode } = box.element;
    box.element.remove();
    forgetAccount(new URL(box.bff.url), '42');
    await box.bff.setSession({});
    parentNode!.append(box.element);
    expect(box.field.value).to.equal('');
    box.turnTo();
    await box.isSignedOut();
    expect(stored()).not.to.contain('secret');
  });

  it('is shown again if the BFF says that the reader is signed in after all', async () => {
    const box = await openSignedIn();
    box.write('the secret of Ada');
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, String(Date.now() + 1));
    window.dispatchEvent(new Event('focus'));
    expect(box.field.value).to.equal('');
    await box.until(() => box.field.value === 'the secret of Ada', 'the text');
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }]);
  });

  it('is deleted only after the reader has confirmed it', async () => {
    const box = await openSignedIn();
    box.write('not posted');
    await box.press('Sign out');
    await box.press('Stay signed in');
    expect(box.field.value).to.equal('not posted');
    expect(await box.bff.requests('DELETE /session')).to.deep.equal([]);
    await signOutConfirmed(box);
    expect(box.field.value).to.equal('');
  });

  it('leaves what was written signed out, and nothing of the reader’s own posts', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('before anybody');
    const other = await openSignedIn();
    other.write('my words');
    await other.press('Post comment');
    await other.says('Your recent comments');
    await other.press('Sign out');
    await other.isSignedOut();
    expect(stored()).not.to.contain('my words');
    expect(stored()).to.contain('before anybody');
  });
});

describe('a sign-out', () => {
  it('deletes the drafts and own posts of its account, and keeps those of another account', async () => {
    const box = await openSignedIn();
    box.write('of Ada');
    const ofBo = new Draft(keyOf(box, '43'));
    ofBo.text = 'of Bo';
    ofBo.save();
    await signOutConfirmed(box);
    expect(stored()).not.to.contain('of Ada');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    comeBack();
    await box.says('Commenting as Bo');
    expect(box.field.value).to.equal('of Bo');
  });

  it('deletes every draft of an account if it is not known which one signs out', async () => {
    const box = await openBox({ untouched: true });
    const ofAda = new Draft(keyOf(box, '42'));
    ofAda.text = 'of Ada';
    ofAda.save();
    await box.element.signOut();
    expect(stored()).not.to.contain('of Ada');
  });

  it('deletes what its account wrote on another page before the session was known there', async () => {
    const box = await openSignedIn();
    const elsewhere = new Draft({ ...keyOf(box), page: 'https://www.example.com/offline' });
    elsewhere.text = 'the secret of Ada';
    elsewhere.save();
    await box.element.signOut();
    expect(stored()).not.to.contain('secret');
  });

  it('in another tab hides what was written before the session was known', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    const box = await openBox({ bff });
    box.write('the secret of Ada');
    const { storageKey } = new Draft(keyOf(box));
    await box.until(() => box.button('Delete draft'), 'the second stage');
    const other = await otherTab();
    other.setItem(`vestibule:signed-out ${bff.url}`, String(Date.now()));
    other.removeItem(storageKey);
    await box.until(() => box.field.value === '', 'the empty field');
    expect(stored()).not.to.contain('secret');
    await bff.release('late');
  });
});

describe('a draft that was written before the session was known', () => {
  /** As an earlier page left it: Ada was signed in, and the BFF did not respond. */
  async function leaveText(bff: TestBff, since: number, updatedAt: number): Promise<void> {
    const key = { bff: bff.url, forum: 'news', page: pageIdentity(null), account: '' };
    localStorage.setItem(`vestibule:session ${bff.url}`, JSON.stringify({ account: '42', since: performance.timeOrigin + since }));
    localStorage.setItem(new Draft(key).storageKey, JSON.stringify({ text: 'of Ada', updatedAt: performance.timeOrigin + updatedAt }));
  }

  for (const [who, session] of [
    ['nobody', {}], ['another account', { state: 'signed-in', user: { user_id: '43', username: 'Bo' } }],
  ] as const) {
    it(`belongs to the account of that session, and is not shown when ${who} is signed in later`, async () => {
      const bff = new TestBff();
      await leaveText(bff, -60_000, -30_000);
      await bff.setSession(session);
      const box = await openBox({ bff });
      await box.until(() => box.field.value === '', 'an empty field');
      expect([new Draft(keyOf(box)).text, new Draft(keyOf(box, '42')).text]).to.deep.equal(['', 'of Ada']);
      await bff.signIn();
      comeBack();
      await box.until(() => box.field.value === 'of Ada', 'the text of Ada');
    });
  }

  it('is beside the account’s own draft of that page', async () => {
    const bff = new TestBff();
    const own = new Draft({ bff: bff.url, forum: 'news', page: pageIdentity(null), account: '42' });
    own.text = 'earlier';
    own.save();
    await leaveText(bff, -60_000, -30_000);
    const box = await openSignedIn({ bff });
    expect(box.field.value).to.equal('of Ada');
    await box.says('earlier');
  });

  it('stays signed out if it is older than the session', async () => {
    const bff = new TestBff();
    await leaveText(bff, -30_000, -60_000);
    const box = await openBox({ bff });
    await box.isSignedOut();
    expect(box.field.value).to.equal('of Ada');
  });

  it('in this page goes to the account that the session shows', async () => {
    const bff = new TestBff();
    localStorage.setItem(`vestibule:session ${bff.url}`, JSON.stringify({ account: '42', since: performance.timeOrigin - 60_000 }));
    await bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    const box = await openBox({ bff });
    box.write('of Bo, who types fast');
    await bff.signIn({ user_id: '43', username: 'Bo' });
    await bff.release('late');
    await box.says('Commenting as Bo');
    expect(box.field.value).to.equal('of Bo, who types fast');
    expect(['', '42', '43'].map((account) => new Draft(keyOf(box, account)).text)).to.deep.equal(['', '', 'of Bo, who types fast']);
  });
});

describe('a draft after an expired session', () => {
  it('stays in sight of its reader, and with the account that wrote it', async () => {
    const box = await openSignedIn();
    box.write('of Ada');
    await box.bff.setSession({});
    comeBack();
    await box.isSignedOut();
    expect(box.field.value).to.equal('of Ada');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    comeBack();
    await box.says('Commenting as Bo');
    expect(box.field.value).to.equal('');
    await box.bff.signIn();
    comeBack();
    await box.says('Commenting as Ada');
    expect(box.field.value).to.equal('of Ada');
  });
});

describe('a draft and its page', () => {
  it('works with a broken canonical link', async () => {
    for (const href of ['https://', 'http://[', 'javascript:1', 'mailto:a@b.c', '']) {
      setCanonical(href);
      const box = await openBox();
      box.write('hello');
      expect(new Draft(keyOf(box)).text, href).to.equal('hello');
      expect(pageIdentity(null), href).to.equal(addressOfTest.replace(/#.*/, ''));
      document.querySelector('link[rel=canonical]')!.remove();
    }
  });

  it('is the same at another query, with tracking parameters and a fragment, if the page has a canonical link', async () => {
    const bff = new TestBff();
    setCanonical('/articles/lamplighter');
    const before = await openBox({ bff });
    before.write('on the way');
    for (const query of ['?sync=inline', '?utm_source=letter&fbclid=1', '?code=1&error=2#comments']) {
      history.replaceState(null, '', query);
      expect((await openBox({ bff })).field.value, query).to.equal('on the way');
    }
  });

  it('has no tracking or callback parameters in its identity without a canonical link', () => {
    const identity = pageIdentity(null);
    history.replaceState(null, '', `${location.pathname}?utm_medium=x&gclid=1&code=c&user_id=1&username=a&audiencesync_uri=b&id=7#top`);
    expect(pageIdentity(null)).to.equal(`${identity.replace(/\?.*/, '')}?id=7`);
  });

  it('takes the page attribute before the canonical link', async () => {
    setCanonical('/articles/lamplighter');
    const box = await openSignedIn({ page: 'https://www.example.com/b?id=2#part' });
    box.write('hello');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts())[0]).to.deep.include({ page: 'https://www.example.com/b?id=2' });
  });

  it('follows pushState to the next article and back', async () => {
    const box = await openBox();
    const { pathname } = location;
    box.write('of the first');
    history.pushState(null, '', `${pathname}?article=2`);
    box.turnTo();
    await box.element.updateComplete;
    expect(box.field.value).to.equal('');
    box.write('of the second');
    history.back();
    await box.until(() => box.field.value === 'of the first', 'the first article’s draft');
    history.forward();
    await box.until(() => box.field.value === 'of the second', 'the second article’s draft');
  });

  it('follows pushState in a box that its reader has not turned to', async () => {
    const { pathname } = location;
    const first = await openBox({ untouched: true });
    first.write('about this article');
    first.element.remove();
    const box = await openBox({ bff: first.bff, untouched: true });
    await box.until(() => box.button('Delete draft'), 'the second stage');
    history.pushState(null, '', `${pathname}?article=2`);
    await box.until(() => box.field.value === '', 'the empty draft of the other article');
    history.back();
    await box.until(() => box.field.value === 'about this article', 'the draft of the first article');
    expect(await box.bff.requests()).to.deep.equal([]);
  });

  it('follows a changed page attribute', async () => {
    const box = await openBox({ page: 'https://www.example.com/a' });
    box.write('of a');
    box.element.page = 'https://www.example.com/b';
    await box.element.updateComplete;
    expect(box.field.value).to.equal('');
    box.element.page = 'https://www.example.com/a';
    await box.element.updateComplete;
    expect(box.field.value).to.equal('of a');
  });

  it('expires after 30 days', async () => {
    const box = await openBox();
    box.write('an old text');
    box.element.remove();
    const { storageKey } = new Draft(keyOf(box));
    const record = JSON.parse(localStorage.getItem(storageKey)!) as { updatedAt: number };
    localStorage.setItem(storageKey, JSON.stringify({ ...record, updatedAt: record.updatedAt - 31 * 86_400_000 }));
    expect(new Draft(keyOf(box)).text).to.equal('');
    const again = await openBox({ bff: box.bff });
    await again.isSignedOut();
    expect(stored()).not.to.contain('an old text');
  });
});

describe('a return marker', () => {
  it('of another article does not scroll this one to its comments, or cause a request', async () => {
    const bff = new TestBff();
    setReturnMarker({ bff: bff.url, forum: 'news', page: 'https://www.example.com/another-article' });
    const box = await openBox({ bff, untouched: true });
    let isScrolled = false;
    box.element.scrollIntoView = () => { isScrolled = true; };
    await box.until(() => box.element.shadowRoot!.adoptedStyleSheets.length > 3, 'the second stage');
    expect(await box.bff.requests()).to.deep.equal([]);
    expect(isScrolled).to.equal(false);
  });

  it('expires', async () => {
    sessionStorage.setItem('vestibule:return', JSON.stringify({ page: pageIdentity(null), at: Date.now() - 31 * 60_000 }));
    const box = await openBox({ untouched: true });
    await box.until(() => sessionStorage.length === 0, 'no marker');
    expect(await box.bff.requests()).to.deep.equal([]);
  });
});

describe('one draft in several tabs and boxes', () => {
  it('is the same in two boxes of a page', async () => {
    const bff = new TestBff();
    const [one, two] = [await openBox({ bff }), await openBox({ bff })];
    one.write('once');
    for (const box of [one, two]) await box.isSignedOut();
    two.turnTo();
    expect(two.field.value).to.equal('once');
    two.write('once more');
    one.turnTo();
    expect(one.field.value).to.equal('once more');
  });

  it('goes to the account with its latest words, and offers no older ones of another box', async () => {
    const bff = new TestBff();
    const [one, two] = [await openBox({ bff }), await openBox({ bff })];
    await two.isSignedOut();
    one.write('once');
    two.turnTo();
    one.write('once more');
    await bff.signIn();
    comeBack();
    for (const box of [one, two]) {
      await box.isSignedIn();
      expect(box.field.value).to.equal('once more');
    }
    expect([new Draft(keyOf(one, '42')), new Draft(keyOf(one))].map(({ text, other }) => [text, other])).to.deep.equal([['once more', ''], ['', '']]);
  });

  it('follows what another tab writes, posts or deletes', async () => {
    const box = await openSignedIn();
    box.write('twice written');
    const { storageKey } = new Draft(keyOf(box, '42'));
    const other = await otherTab();
    const record = JSON.parse(other.getItem(storageKey)!) as object;
    other.setItem(storageKey, JSON.stringify({ ...record, text: 'twice written!', updatedAt: Date.now() + 1 }));
    await box.until(() => box.field.value === 'twice written!', 'the text of the other tab');
    other.setItem(storageKey, JSON.stringify({ ...record, text: '', updatedAt: Date.now() + 2 }));
    await box.until(() => box.field.value === '', 'the empty field');
  });

  it('offers the text that lost, and drops neither', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('of this tab');
    const rival = new Draft(keyOf(box));
    rival.text = 'of a tab that was asleep';
    rival.save();
    box.write('of this tab, later');
    await box.says('There is another unposted text of yours for this page:');
    expect(box.words).to.contain('of a tab that was asleep');
    const reloaded = await openBox({ bff: box.bff });
    await reloaded.press('Insert it');
    expect(reloaded.field.value).to.equal('of this tab, later\n\nof a tab that was asleep');
    box.turnTo();
    await box.until(() => !box.words.includes('another unposted text'), 'no offer');
  });

  it('offers the draft of the account to a reader who has written something else signed out', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const earlier = new Draft(keyOf(box, '42'));
    earlier.text = 'earlier';
    earlier.save();
    box.write('later');
    await box.bff.signIn();
    comeBack();
    await box.isSignedIn();
    expect(box.field.value).to.equal('later');
    await box.press('Delete it');
    expect(new Draft(keyOf(box, '42'))).to.deep.include({ text: 'later', other: '' });
  });

  it('is stored again after storage was emptied', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('kept');
    (await otherTab()).clear();
    await box.until(() => stored().includes('kept'), 'the text in storage');
    expect(box.field.value).to.equal('kept');
  });
});

describe('a draft without storage', () => {
  it('is not called kept, and the page is left only after the reader has confirmed', async () => {
    const restore = refuseStorage();
    try {
      const box = await openBox({ sync: 'inline' });
      await box.isSignedOut();
      box.write('only here');
      await box.says('This browser cannot keep your text. Copy it before you leave this page.');
      await box.press('Sign in to post');
      await box.until(() => box.button('Continue in this page'), 'a question');
      expect(box.words).not.to.contain('is kept');
      await box.press('Stay here');
      expect(box.field.value).to.equal('only here');
    } finally {
      restore();
    }
  });
});

describe('a draft that is deleted', () => {
  it('is removed from field and storage, and can be restored with Ctrl+Z', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('never mind');
    await box.press('Delete draft');
    await box.says('Your draft was deleted.');
    expect([box.field.value, stored().includes('never mind')]).to.deep.equal(['', false]);
    document.execCommand('undo');
    expect(box.field.value).to.equal('never mind');
  });

  it('does not take with it a text of another tab that its reader has not seen here', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('seen');
    await box.until(() => box.button('Delete draft'), 'the second stage');
    box.field.blur();
    // A write in the same window fires no event, as a write of another tab whose event is on its way.
    const unseen = new Draft(keyOf(box));
    unseen.text = 'written in another tab';
    unseen.save();
    await box.press('Delete draft');
    expect(box.field.value).to.equal('written in another tab');
    expect(stored()).to.contain('written in another tab');
  });
});

describe('the reader’s own posts', () => {
  it('are there after a reload, for a day and for that account', async () => {
    const box = await openSignedIn();
    box.write('my words');
    await box.press('Post comment');
    await box.says('Your recent comments');
    const reloaded = await openSignedIn({ bff: box.bff });
    await reloaded.says('Your recent comments');
    expect(reloaded.words).to.contain('my words');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    comeBack();
    await reloaded.says('Commenting as Bo');
    expect(reloaded.words).not.to.contain('my words');
    for (const [key, record] of Object.entries({ ...localStorage } as Record<string, string>)) {
      if (key.startsWith('vestibule:posts')) localStorage.setItem(key, record.replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) - 90_000_000}`));
    }
    const nextDay = await openSignedIn({ bff: box.bff });
    expect(nextDay.words).not.to.contain('my words');
  });
});
