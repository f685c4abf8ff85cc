/** The comment box, for a reader who signs in: in a window, or in the page. */

import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { TestBff } from '../_bff.ts';
import {
  blockWindows, devtools, fillStorage, FIELD, goTo, middleOf, openBox, openTab, recordWindows, replace,
  stored, SIGN_IN, type Box, type BoxOptions, type OpenedWindow, type Tab,
} from './_box.ts';

const user = { user_id: '42', username: 'Ada' };
const RETURN = { code: 'c0de', ...user, audiencesync_uri: 'https://service.example/audiencesync/complete/' };
const form = { fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] } as const;
const WAITING = 'Continue in the sign-in window.';

const comeWith = (parameters: Record<string, string>): void => goTo(`?${new URLSearchParams({ q: '1', ...parameters })}#part`);

/** A box of nobody, whose next windows are recorded. */
async function openAnonymous(options: BoxOptions = {}): Promise<{ box: Box; opened: OpenedWindow[] }> {
  const opened = recordWindows();
  const box = await openBox(options);
  await box.isSignedOut();
  return { box, opened };
}

/** A box that waits for the sign-in window. */
async function openWaiting(options?: BoxOptions): Promise<{ box: Box; opened: OpenedWindow[] }> {
  const { box, opened } = await openAnonymous(options);
  await box.press(SIGN_IN);
  await box.says(WAITING);
  return { box, opened };
}

describe('the first press of the main button, without a hint of a session', () => {
  const presses: Readonly<Record<string, (box: Box) => unknown>> = {
    'a click': (box) => box.click(SIGN_IN),
    async 'a tap'(box) {
      const [x, y] = middleOf(box.primary!);
      await devtools('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      await devtools('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
    async 'the Enter key'(box) {
      box.primary!.focus();
      await sendKeys({ press: 'Enter' });
    },
    'Ctrl+Enter in the field'(box) {
      box.write('my thoughts');
      box.pressKeys();
    },
  };
  for (const [press, act] of Object.entries(presses)) {
    it(`opens the sign-in window, and no other: ${press}`, async () => {
      const opened = recordWindows();
      const box = await openBox({ untouched: true });
      await act(box);
      await box.until(() => opened.length > 0, 'a window');
      await box.says(WAITING);
      const [{ addresses }] = opened as [OpenedWindow];
      const url = new URL(addresses[0]!);
      expect([opened.length, addresses.length, url.href.startsWith(`${box.bff.url}sync/authorize?`)]).to.deep.equal([1, 1, true]);
      expect(Object.fromEntries(url.searchParams)).to.deep.equal({
        forum: 'news', return_to: `${location.origin}/`, display: 'popup', ...(box.field.value && { post: '1' }),
      });
    });
  }

  it('opens it in the language of the page, in which it has its questions, with either stage', async () => {
    const place = document.body.appendChild(Object.assign(document.createElement('div'), { lang: 'cy' }));
    for (const isKnown of [false, true]) {
      const opened = recordWindows();
      const box = await openBox({ untouched: !isKnown, place });
      if (isKnown) await box.isSignedOut();
      await box.press(SIGN_IN);
      await box.until(() => opened.length > 0, 'a window');
      expect(new URL(opened[0]!.addresses[0]!).searchParams.get('lang')).to.equal('cy');
      box.element.remove();
    }
    place.remove();
  });

  it('opens it in that very press, before any script or response has come, as signIn() does, also on a closed article', async () => {
    const signIn = (box: Box): void => box.element.signIn();
    for (const [press, attributes] of [
      [(box: Box) => box.button(SIGN_IN)!.click(), {}], [signIn, {}], [signIn, { closed: '' }],
    ] as const) {
      const tab = await openTab();
      const bff = new TestBff();
      await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
      const opened = recordWindows(tab.view);
      const box = await openBox({ bff, attributes, tab, untouched: true });
      press(box);
      expect(opened).to.have.length(1);
      await box.says(WAITING);
      await bff.release('session');
    }
  });

  it('goes on waiting for it when a router shows another article', async () => {
    const { href } = location;
    const opened = recordWindows();
    const box = await openBox();
    await box.isSignedOut();
    await box.press(SIGN_IN);
    await box.says(WAITING);
    try {
      history.replaceState(null, '', '?article=next');
      await box.element.updateComplete;
      await box.press('Show window');
      expect([opened[0]!.closed, box.status]).to.deep.equal([false, WAITING]);
    } finally {
      history.replaceState(null, '', href);
    }
  });

  it('closes the window if the session turns out to exist; the next press posts', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const opened = recordWindows();
    const box = await openBox({ bff, untouched: true });
    box.write('my thoughts');
    await box.press(SIGN_IN);
    await bff.release('session');
    await box.isSignedIn('Ada');
    await box.until(() => opened[0]!.closed, 'the end of the window');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
  });

  it('with sync="inline" saves the draft and navigates', async () => {
    const tab = await openTab();
    tab.view.history.replaceState(null, '', '?id=7&utm_source=letter#part');
    const box = await openBox({ attributes: { sync: 'inline' }, tab, untouched: true });
    box.write('on the way');
    await box.press(SIGN_IN);
    await box.until(() => tab.view.location.pathname.endsWith('/sync/authorize'), 'the service');
    const query = new URLSearchParams(tab.view.location.search);
    const { search, hash } = new URL(query.get('return_to')!);
    expect([query.get('display'), search, hash]).to.deep.equal(['page', '?id=7', '#part']);
    expect(stored()).to.contain('on the way');
  });
});

describe('a page whose address is too long for the BFF to lead back', () => {
  const long = `?${'q'.repeat(1_500)}`;

  it('signs in in a window also with sync="inline", without counting tracking parameters', async () => {
    for (const [query, isInWindow] of [[long, true], [`?q=1&utm_source=${'u'.repeat(1_500)}`, false]] as const) {
      const tab = await openTab();
      tab.view.history.replaceState(null, '', query);
      const opened = recordWindows(tab.view);
      const box = await openBox({ attributes: { sync: 'inline' }, tab });
      await box.press(SIGN_IN);
      if (isInWindow) await box.says(WAITING);
      else await box.until(() => tab.view.location.pathname.endsWith('/sync/authorize'), 'the service');
      expect(opened.map(({ addresses: [url] }) => new URL(url!).searchParams.get('return_to'))).to.deep.equal(
        isInWindow ? [`${location.origin}/`] : [],
      );
    }
  });

  it('offers the window again where the browser blocked it, and posts with that press', async () => {
    goTo(long);
    blockWindows();
    const box = await openBox();
    await box.isSignedOut();
    box.write('my thoughts');
    await box.press(SIGN_IN);
    await box.says('Your browser blocked the sign-in window.');
    expect(box.offers('Sign in on this page')).to.equal(false);
    const opened = recordWindows();
    await box.press('Sign in and post');
    await box.says(WAITING);
    const [url] = opened[0]!.addresses;
    expect([new URL(url!).searchParams.get('display'), new URL(url!).searchParams.get('post')]).to.deep.equal(['popup', '1']);
  });
});

describe('the wait for the sign-in window', () => {
  it('ends with the sign-in: the field has the focus, and a text that was written after the press is not posted', async () => {
    const { box } = await openWaiting();
    box.write('my thoughts');
    box.button('Show window')!.focus();
    // As in Chromium, while another window has the focus and until the event is over.
    replace(document, { hasFocus: () => false });
    replace(box.element, { matches: (selector: string) => selector !== ':focus-within' && Element.prototype.matches.call(box.element, selector) });
    const tab = await openTab();
    await box.bff.offer();
    const page = tab.openForm(box.bff);
    await page.press('Continue as Ada');
    await box.says('One more step: post your comment.');
    replace(document, { hasFocus: () => true });
    window.dispatchEvent(new Event('focus'));
    await box.hasFocusOn(FIELD);
    expect(box.field.value).to.equal('my thoughts');
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('ends without a message of the window when the reader returns to the page, also where its opener is cut', async () => {
    for (const isCut of [false, true]) {
      const { box, opened } = await openWaiting();
      box.write('my thoughts');
      // With `Cross-Origin-Opener-Policy` a window looks closed at once.
      if (isCut) {
        opened[0]!.closed = true;
        window.dispatchEvent(new Event('focus'));
        await box.until(() => box.offers(SIGN_IN) && box.status === '', 'the end of the wait');
      }
      await box.bff.signIn();
      window.dispatchEvent(new Event('focus'));
      await box.isSignedIn();
      await box.says('One more step: post your comment.');
      await box.press('Post comment');
      await box.says('Your comment is posted.');
      box.element.remove();
    }
  });

  it('ends when the reader did not allow access, not with a sign-out in another tab', async () => {
    const { box } = await openWaiting();
    const tab = await openTab();
    const other = await openBox({ bff: box.bff, tab });
    await other.element.signOut();
    await box.until(async () => (await box.bff.requests('GET /session')).length >= 3, 'a request after the message');
    expect(box.words).to.contain(WAITING);
    expect(box.offers('Show window')).to.equal(true);
    await tab.open('?error=access_denied');
    tab.openForm(box.bff);
    await box.until(() => box.status !== WAITING, 'the end of the wait');
    expect(box.offers(SIGN_IN)).to.equal(true);
  });

  it('ends with the next step after an earlier grant, and does not open the window again', async () => {
    const { box, opened } = await openWaiting();
    (await openTab('?success=1')).openForm(box.bff);
    await box.says('Remove this site in your account there, then try again.');
    expect([box.offers(SIGN_IN), opened.length]).to.deep.equal([true, 1]);
  });

  it('does not go on at another BFF', async () => {
    const { box } = await openWaiting();
    const other = new TestBff();
    box.element.bff = other.url;
    await box.until(() => box.status !== WAITING, 'the end of the wait');
    await box.isSignedOut();
  });
});

describe('a box that takes the place of one that waits for the sign-in window', () => {
  it('waits in its place, takes the session from the window’s message, and closes the window with the wait', async () => {
    for (const end of ['message', 'cancel'] as const) {
      const { box, opened } = await openWaiting();
      const container = box.element.parentElement!;
      box.element.remove();
      const again = await openBox({ bff: box.bff, untouched: true, place: container });
      await again.says(WAITING);
      if (end === 'cancel') {
        await again.press('Cancel');
        await again.isSignedOut();
        expect(opened[0]!.closed).to.equal(true);
      } else {
        await box.bff.signIn();
        const message = new MessageEvent('message', { data: { vestibule: 'signed-in' }, origin: location.origin });
        window.dispatchEvent(Object.defineProperty(message, 'source', { value: opened[0] }));
        await again.isSignedIn('Ada');
      }
      again.element.remove();
    }
  });
});

describe('a sign-in window that is closed', () => {
  it('ends the wait when the reader is back', async () => {
    const { box, opened } = await openWaiting();
    opened[0]!.closed = true;
    window.dispatchEvent(new Event('focus'));
    await box.until(() => box.offers(SIGN_IN) && box.status === '', 'the end of the wait');
  });

  it('after the wait causes no request for the session when the page gets the focus later', async () => {
    const { box } = await openWaiting();
    await box.press('Cancel');
    await box.isSignedOut();
    const { setTimeout } = window;
    replace(window, { setTimeout: (act: () => void) => setTimeout(act) });
    const before = await box.bff.requests();
    window.dispatchEvent(new Event('focus'));
    await new Promise((resolve) => { setTimeout(resolve); });
    expect(await box.bff.requests()).to.deep.equal(before);
  });
});

describe('a blocked window', () => {
  it('leaves the page only on the reader’s click, and lets them stay', async () => {
    blockWindows();
    const box = await openBox();
    await box.isSignedOut();
    box.write('still typing');
    await box.press(SIGN_IN);
    await box.says('Your browser blocked the sign-in window.');
    expect(box.offers('Sign in on this page')).to.equal(true);
    box.write('still typing, later');
    await box.press('Not now');
    await box.isSignedOut();
    expect(box.field.value).to.equal('still typing, later');
  });
});

describe('a BFF on another site, whose cookie does not reach the page', () => {
  /** The window signs in, the page has no session. */
  async function openBlocked(): Promise<Box> {
    const { box } = await openWaiting();
    box.write('kept');
    await box.bff.offer();
    await box.bff.set({ answers: { 'POST /sync/validation': [{ json: { outcome: 'accepted', completion_url: RETURN.audiencesync_uri } }] } });
    const page = (await openTab()).openForm(box.bff);
    await page.until(() => page.offers('Continue as Ada'), 'the form');
    await box.bff.setSession({});
    await page.press('Continue as Ada');
    await box.says('your browser does not let this page use the sign-in');
    return box;
  }

  it('is explained to the reader with a next step, and to developers; the box does not loop', async () => {
    const errors: string[] = [];
    replace(console, { error: (text: string) => void errors.push(text) });
    const box = await openBlocked();
    await box.until(() => errors.some((text) => text.includes('the browser does not send the cookie')), 'the message');
    expect(getComputedStyle(box.primary!).borderStyle, 'the edge of the button with forced colours').to.equal('solid');
    await box.press('Not now');
    await box.isSignedOut();
    expect(box.field.value).to.equal('kept');
  });

  it('has a page of its own, whose posts go to the same article', async () => {
    const box = await openBlocked();
    const { href, target } = box.primary as HTMLAnchorElement;
    expect(new URL(href).pathname).to.equal(new URL('comments', box.bff.url).pathname);
    expect(target).to.equal('_blank');
    expect(Object.fromEntries(new URL(href).searchParams)).to.deep.equal({ forum: 'news', page: location.href });
  });
});

describe('a box whose address carries the return of a sign-in', () => {
  it('takes the parameters from the address at once, and sends nothing before the reader continues', async () => {
    comeWith(RETURN);
    const box = await openBox();
    await box.until(() => box.offers('Continue as Ada'), 'the question');
    expect(location.href.slice(location.origin.length)).to.equal(`${location.pathname}?q=1#part`);
    await box.until(() => box.details('state').length === 1, 'the state');
    expect((await box.bff.requests()).map(({ method }) => method)).to.deep.equal(['GET']);
    expect(stored()).not.to.contain('c0de');
    await box.press('Not you? Cancel');
    await box.press('Back to the comments');
    await box.isSignedOut();
    expect(await box.bff.requests('POST /sync')).to.deep.equal([]);
  });

  it('refuses a duplicate parameter, and leaves an address that has only some of them', async () => {
    goTo(`?${new URLSearchParams(RETURN)}&code=other`);
    const box = await openBox();
    await box.says('This sign-in link is incomplete. Please sign in again.');
    expect(location.search).to.equal('');
    await box.isSignedOut();
    comeWith({ code: '1', username: 'x' });
    await openBox();
    expect(location.search).to.equal('?q=1&code=1&username=x');
  });

  it("leaves the return to the page's own form", async () => {
    const tab = await openTab(`?${new URLSearchParams(RETURN)}`);
    const bff = new TestBff();
    const own = tab.openForm(bff);
    const box = await openBox({ bff, tab });
    await own.says('Continue as Ada');
    await box.isSignedOut();
    expect(box.form).to.equal(undefined);
  });
});

describe('a sign-in in the page', () => {
  it('shows the form in the box with the return of the address, and its state once the box knows it', async () => {
    comeWith(RETURN);
    const bff = new TestBff();
    await bff.set({ form });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.until(() => box.offers('Continue as Ada') && box.details('state').length === 1, 'the question');
    expect(await bff.requests('POST /sync')).to.deep.equal([]);
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    await box.press('Continue as Ada');
    await box.says('Your age');
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }]);
    await bff.release('session');
    await box.until(() => box.details('state').length === 2, 'the states');
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }, { state: 'validating' }]);
  });

  it('goes on after a reload, and in the box if the page cancels the navigation', async () => {
    const bff = new TestBff();
    await bff.offer();
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.press('Continue as Ada');
    await box.isSignedIn();
    await box.until(() => !box.form, 'the box alone');
    expect(await bff.requests('POST /sync')).to.deep.equal([]);
    expect(box.details('completed')).to.deep.equal([{ completionUrl: 'https://service.example/audiencesync/complete/?success=1' }]);
  });

  it('that is rejected is told by the form, not by the box above it', async () => {
    const bff = new TestBff();
    const reason = 'You must be 18.';
    await bff.offer();
    await bff.set({ answers: { 'POST /sync/validation': [{ json: { outcome: 'rejected', reason, completion_url: 'https://service.example/' } }] } });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.press('Continue as Ada');
    await box.says(reason);
    await bff.setSession({ notice: { id: 'n', kind: 'rejected', reason } });
    window.dispatchEvent(new Event('online'));
    await box.until(() => box.details('state').length === 2, 'the session after it');
    await box.element.updateComplete;
    expect([box.alert, box.form === undefined]).to.deep.equal(['', false]);
  });

  it('does not leave the page without a click while the browser keeps no text', async () => {
    fillStorage();
    const bff = new TestBff();
    await bff.offer();
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    box.write('my text');
    await box.press('Continue as Ada');
    await box.says('This browser cannot keep your text. Copy it before you leave this page.');
    await box.until(() => box.offers('Continue'), 'the way on');
    expect([box.details('completed'), box.field.value]).to.deep.equal([[], 'my text']);
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.press('Continue');
    expect(box.details('completed')).to.have.length(1);
  });

  it('leads back to the box without a window if the reader is another one', async () => {
    comeWith(RETURN);
    const opened = recordWindows();
    const box = await openBox({ attributes: { sync: 'inline' } });
    await box.press('Not you? Cancel');
    await box.press('Back to the comments');
    await box.isSignedOut();
    expect([box.form, opened.length]).to.deep.equal([undefined, 0]);
  });
});

describe('a sign-in that is not finished', () => {
  it('goes on in a window at the main button, until the wait is cancelled', async () => {
    const opened = recordWindows();
    const bff = new TestBff();
    await bff.offer(form);
    const box = await openBox({ bff, attributes: { lang: 'en-GB' } });
    await box.until(() => box.details('state').length === 1, 'the state');
    await box.press(SIGN_IN);
    const query = new URLSearchParams({ opener: location.origin, lang: 'en-GB' });
    expect(opened[0]!.addresses).to.deep.equal([`${bff.url}sync/form?${query}`]);
    await box.press('Cancel');
    await box.until(() => box.offers(SIGN_IN), 'the end of the wait');
    expect(opened[0]!.closed).to.equal(true);
  });

  it('is shown in the box, and has the focus, if the browser blocks the window', async () => {
    blockWindows();
    const bff = new TestBff();
    await bff.offer(form);
    const box = await openBox({ bff });
    await box.until(() => box.details('state').length === 1, 'the state');
    box.button(SIGN_IN)!.focus();
    await box.press(SIGN_IN);
    await box.says('Your age');
    await box.until(() => box.focus !== 'elsewhere', 'the focus in the box');
  });
});

describe('a reader who left the page to sign in', () => {
  async function leave(tab: Tab): Promise<TestBff> {
    const box = await openBox({ attributes: { sync: 'inline' }, tab });
    box.write('on the way');
    await box.press(SIGN_IN);
    await box.until(() => tab.view.location.pathname.endsWith('/sync/authorize'), 'the service');
    return box.bff;
  }

  it('comes back to the form', async () => {
    const tab = await openTab();
    const bff = await leave(tab);
    await bff.offer(form);
    await tab.open();
    const box = await openBox({ bff, tab, untouched: true });
    await box.says('Your age');
    await box.hasFocusOn('Before you comment');
  });

  it('comes back without a sign-in', async () => {
    const tab = await openTab();
    const bff = await leave(tab);
    await tab.open();
    const box = await openBox({ bff, attributes: { sync: 'inline' }, tab, untouched: true });
    await box.isSignedOut();
    expect(box.field.value).to.equal('on the way');
  });
});
