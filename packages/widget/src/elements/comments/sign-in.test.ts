import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import { TestBff } from '../../_bff.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { pageIdentity } from '../../drafts/page-identity.ts';
import { setReturnMarker, takeReturnMarker } from '../../session/return-marker.ts';
import { openBox, type Box } from './_box.ts';

const user = { user_id: '42', username: 'Ada' };
const RETURN = { code: 'c0de', ...user, audiencesync_uri: 'https://service.example/audiencesync/complete/' };
const form = { fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] } as const;

const addressOfTest = location.href;
const openWindow = window.open.bind(window);
let opened: (Window | null)[];

/** Lets windows open as they do, and remembers them, to be closed. */
beforeEach(() => {
  opened = [];
  window.open = (...args) => {
    const window = openWindow(...args);
    opened.push(window);
    return window;
  };
});

afterEach(() => {
  for (const window of opened) window?.close();
  window.open = openWindow;
  history.replaceState(null, '', addressOfTest);
  localStorage.clear();
  sessionStorage.clear();
});

function blockWindows(): void {
  window.open = () => {
    opened.push(null);
    return null;
  };
}

function comeWith(parameters: Record<string, string>): void {
  history.replaceState(null, '', `?${new URLSearchParams({ q: '1', ...parameters })}#part`);
}

/** A click as a reader makes it, so that the browser lets a window open. */
async function click(box: Box, name: string): Promise<void> {
  await box.until(() => box.button(name), `a button “${name}”`);
  await box.element.updateComplete;
  const { x, y, width, height } = box.button(name)!.getBoundingClientRect();
  await sendMouse({ type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)] });
}

const markerOf = ({ url }: TestBff) => ({ bff: url, forum: 'news', page: pageIdentity(null) });

describe('the comment box, sign-in in a window', () => {
  it('opens the window in the click itself, with the authorization request', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const button = box.button('Sign in to post')!;
    let openedInClick = 0;
    button.addEventListener('click', () => queueMicrotask(() => { openedInClick = opened.length; }));
    await click(box, 'Sign in to post');
    expect(openedInClick).to.equal(1);
    await box.until(async () => (await box.bff.requests('GET /sync/authorize')).length === 1, 'the request');
    await box.says('Finish signing in in the other window.');
  });

  it('gets the outcome from the form page, posts nothing by itself, and focuses the field', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /sync/authorize': [{ text: `<script>opener.postMessage({ vestibule: 'signed-in' }, '${location.origin}')</script>` }] } });
    const box = await openBox({ bff });
    await box.isSignedOut();
    box.write('my thoughts');
    await bff.signIn();
    await click(box, 'Sign in to post');
    await box.says('You are signed in as Ada. Your comment is not posted yet.');
    opened[0]!.close();
    window.dispatchEvent(new Event('focus'));
    await box.until(() => box.element.shadowRoot!.activeElement === box.field, 'the focus in the field');
    expect(box.field.value).to.equal('my thoughts');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('requests the session if no message arrives', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await click(box, 'Sign in to post');
    await box.says('Finish signing in in the other window.');
    await box.bff.signIn();
    await box.isSignedIn();
    expect(box.words).not.to.contain('the other window');
  });

  it('requests the session when the reader returns to the page', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await click(box, 'Sign in to post');
    await box.bff.signIn();
    window.dispatchEvent(new Event('focus'));
    await box.isSignedIn();
  });

  it('keeps waiting while the window looks closed, and stops on a message that nobody is signed in', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await click(box, 'Sign in to post');
    opened[0]!.close();
    window.dispatchEvent(new Event('focus'));
    await box.until(async () => (await box.bff.requests('GET /session')).length >= 2, 'a question');
    expect(box.words).to.contain('Finish signing in in the other window. Open it again');
    announceSessionChange(new URL(box.bff.url), 'signed-out');
    announceSessionChange(new URL('https://other.example/'), 'changed');
    await box.until(async () => (await box.bff.requests('GET /session')).length >= 3, 'a question');
    expect(box.words).to.contain('Finish signing in in the other window. Open it again');
    announceSessionChange(new URL(box.bff.url), 'changed');
    await box.until(() => !box.words.includes('the other window'), 'the end of the wait');
    expect(box.button('Sign in to post')).to.not.equal(undefined);
  });

  it('shows the reference of a failure that the window was told, which the BFF delivers once', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await click(box, 'Sign in to post');
    await box.says('Finish signing in in the other window.');
    announceSessionChange(new URL(box.bff.url), 'changed', [], 'urn:vestibule:request:0f9a3c51-7d1e-4c22-9a55-0123456789ab');
    await box.says('Access was not allowed, so you are not signed in. Reference: 0f9a3c51');
  });

  it('ignores messages of windows that it did not open', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const through = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
    window.postMessage({ vestibule: 'changed' }, location.origin);
    await through;
    const asked = await box.bff.requests('GET /session');
    expect(asked).to.have.length(1);
  });

  it('shows how to continue if the browser blocks the window', async () => {
    blockWindows();
    const box = await openBox();
    await box.isSignedOut();
    box.write('kept');
    await click(box, 'Sign in to post');
    await box.says('Your browser blocked the sign-in window. Your text is kept on this device.');
    expect(box.button('Continue in this page')).to.not.equal(undefined);
    box.element.remove();
  });
});

describe('the comment box with a callback in the address', () => {
  it('takes the callback from the address at once, and sends nothing before the reader continues', async () => {
    comeWith(RETURN);
    const box = await openBox();
    await box.says('You are about to sign in as Ada.');
    expect(location.href.slice(location.origin.length)).to.equal(`${new URL(addressOfTest).pathname}?q=1#part`);
    await box.until(() => box.details('state').length === 1, 'the state');
    expect((await box.bff.requests()).map(({ method }) => method)).to.deep.equal(['GET']);
    expect(JSON.stringify({ ...localStorage })).not.to.contain('c0de');
  });

  it('sends the callback in the click, and shows the form in a window', async () => {
    comeWith(RETURN);
    const box = await openBox();
    await click(box, 'Continue as Ada');
    await box.until(async () => (await box.bff.requests('GET /sync/form')).length === 1, 'the form');
    expect((await box.bff.requests('POST /sync')).map(({ body }) => body)).to.deep.equal([{ ...RETURN, forum: 'news' }]);
    expect(box.details('state').at(-1)).to.deep.equal({ state: 'validating' });
    await box.says('Your sign-in as Ada is not finished yet.');
  });

  it('sends nothing if the reader is not that user', async () => {
    comeWith(RETURN);
    const box = await openBox();
    await box.press('Not you?');
    await box.isSignedOut();
    expect(await box.bff.requests('POST /sync')).to.deep.equal([]);
  });

  it('shows why a callback was refused, and lets the reader sign in again', async () => {
    comeWith(RETURN);
    const bff = new TestBff();
    await bff.set({ answers: { 'POST /sync': [{ problem: 'code-already-used' }] } });
    const box = await openBox({ bff });
    await click(box, 'Continue as Ada');
    await box.until(() => box.alert === 'This sign-in has already been used. Please sign in again.', 'the reason');
    await box.isSignedOut();
    expect(opened[0]!.closed).to.equal(true);
    expect(box.details('error')).to.have.length(1);
  });

  it('keeps the callback for another attempt if the BFF is busy', async () => {
    comeWith(RETURN);
    const bff = new TestBff();
    await bff.set({ answers: { 'POST /sync': [{ problem: 'service-unavailable' }] } });
    const box = await openBox({ bff });
    await click(box, 'Continue as Ada');
    await box.says('The comment service is not available right now.');
    await click(box, 'Continue as Ada');
    await box.until(async () => (await bff.requests('GET /sync/form')).length === 1, 'the form');
  });

  it('carries no sign-in over to another BFF whose address the box gets before the response, and closes the window', async () => {
    comeWith(RETURN);
    const bff = new TestBff();
    await bff.set({ answers: { 'POST /sync': [{ hold: 'start' }] } });
    const box = await openBox({ bff });
    await click(box, 'Continue as Ada');
    await box.until(async () => (await bff.requests('POST /sync')).length === 1, 'the request');
    const other = new TestBff();
    await other.signIn({ user_id: '43', username: 'Bo' });
    box.element.bff = other.url;
    await box.says('Commenting as Bo');
    await bff.release('start');
    await box.until(() => opened[0]!.closed, 'the end of the window');
    expect(box.words).to.contain('Commenting as Bo');
    expect(box.details('state').at(-1)).to.deep.equal({ state: 'signed-in' });
  });

  it('shows the form in the box if the browser blocks the window', async () => {
    blockWindows();
    comeWith(RETURN);
    const box = await openBox();
    await click(box, 'Continue as Ada');
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync'), 'the form');
    expect(box.element.shadowRoot!.querySelector('vestibule-sync')!.syncReturn).to.deep.equal(RETURN);
  });

  it('refuses an incomplete callback', async () => {
    history.replaceState(null, '', `?${new URLSearchParams(RETURN)}&code=other`);
    const box = await openBox();
    await box.says('This sign-in link is incomplete. Please sign in again.');
    expect(location.search).to.equal('');
    await box.isSignedOut();
  });

  it('leaves an address with some of the parameters unchanged', async () => {
    for (const parameters of [{ error: 'access_denied' }, { code: '1', username: 'x' }, { success: '1' }] as Record<string, string>[]) {
      comeWith(parameters);
      await openBox();
      for (const name of Object.keys(parameters)) expect(location.search).to.contain(`${name}=`);
    }
  });

  it("leaves the return to the page's own form", async () => {
    const own = document.createElement('vestibule-sync');
    own.bff = new TestBff().url;
    document.body.append(own);
    comeWith(RETURN);
    const box = await openBox();
    await box.until(() => own.syncReturn, 'the callback');
    expect(own.syncReturn).to.deep.equal(RETURN);
    await box.isSignedOut();
    own.remove();
  });
});

describe('the comment box, sign-in in the page', () => {
  it('shows the form in the box with the callback of the address', async () => {
    comeWith(RETURN);
    const bff = new TestBff();
    await bff.set({ form });
    const box = await openBox({ bff, sync: 'inline' });
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot, 'the form');
    const sync = box.element.shadowRoot!.querySelector('vestibule-sync')!;
    await box.until(() => sync.shadowRoot!.textContent.includes('Continue as'), 'the question');
    await box.until(() => box.details('state').length === 1, 'the session');
    expect(await bff.requests('POST /sync')).to.deep.equal([]);
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    sync.shadowRoot!.querySelector<HTMLButtonElement>('.primary')!.click();
    await box.until(() => sync.shadowRoot!.textContent.includes('Your age'), 'the questions');
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }]);
    await bff.release('session');
    await box.until(() => box.details('state').length === 2, 'the states');
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }, { state: 'validating' }]);
  });

  it('opens no window for a callback whose form has gone', async () => {
    comeWith(RETURN);
    const box = await openBox({ sync: 'inline' });
    const sync = (): Element | null => box.element.shadowRoot!.querySelector('vestibule-sync');
    await box.until(sync, 'the form');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await click(box, 'Continue as Ada');
    await box.until(sync, 'the form again');
    expect(opened).to.deep.equal([]);
  });

  it('shows the form again after a reload', async () => {
    const bff = new TestBff();
    await bff.offer(form);
    const box = await openBox({ bff, sync: 'inline' });
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.textContent.includes('Your age'), 'the questions');
    expect(await bff.requests('POST /sync')).to.deep.equal([]);
  });

  it('continues if the page cancels the navigation', async () => {
    const bff = new TestBff();
    await bff.offer();
    const box = await openBox({ bff, sync: 'inline' });
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    const sync = (): Element | null | undefined => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.querySelector('.primary');
    await box.until(sync, 'the form');
    (sync() as HTMLButtonElement).click();
    await box.isSignedIn();
    await box.until(() => !box.element.shadowRoot!.querySelector('vestibule-sync'), 'the box alone');
    expect(box.details('completed')).to.deep.equal([{ completionUrl: 'https://service.example/audiencesync/complete/?success=1' }]);
  });

  it('does not leave the page without a click while the browser keeps no text', async () => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    try {
      const bff = new TestBff();
      await bff.offer();
      const box = await openBox({ bff, sync: 'inline' });
      await box.write('my text');
      await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.querySelector('.primary'), 'the form');
      const sync = box.element.shadowRoot!.querySelector('vestibule-sync')!;
      const left: string[] = [];
      sync.browser.replace = (url) => void left.push(url);
      const primary = () => sync.shadowRoot!.querySelector<HTMLButtonElement>('.primary');
      primary()!.click();
      await box.until(() => primary()?.textContent.includes('Continue') && sync.shadowRoot!.textContent.includes('You are signed in'), 'the way on');
      await box.says('This browser cannot keep your text. Copy it before you leave this page.');
      expect([left, box.details('completed'), box.element.shadowRoot!.querySelector('textarea')!.value]).to.deep.equal([[], [], 'my text']);
      primary()!.click();
      expect(left).to.have.length(1);
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('removes the form when the reader returns to the comments', async () => {
    comeWith(RETURN);
    const box = await openBox({ sync: 'inline' });
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync'), 'the form');
    box.element.shadowRoot!.querySelector('vestibule-sync')!.dispatchEvent(new Event('close'));
    await box.isSignedOut();
    expect(box.element.shadowRoot!.querySelector('vestibule-sync')).to.equal(null);
  });
});

describe('the comment box, unfinished sign-in', () => {
  it('offers to continue in a window, and to cancel', async () => {
    const bff = new TestBff();
    await bff.offer(form);
    const box = await openBox({ bff });
    await box.says('Your sign-in as Ada is not finished yet.');
    expect(box.button('Sign in to post')).to.equal(undefined);
    await click(box, 'Continue signing in');
    await box.until(async () => (await bff.requests('GET /sync/form')).length === 1, 'the form');
    await click(box, 'Cancel');
    await box.isSignedOut();
    expect(await bff.requests('POST /sync/cancel')).to.have.length(1);
  });

  it('keeps a signed-in reader signed in, and offers the sign-in', async () => {
    const bff = new TestBff();
    await bff.offer({ fields: [] }, { state: 'signed-in', user: { user_id: '7', username: 'Grace' } });
    const box = await openBox({ bff });
    await box.says('Commenting as Grace');
    await box.says('Your sign-in as Ada is not finished yet.');
    box.write('hello');
    await click(box, 'Post comment');
    await box.says('Your comment is posted.');
    await click(box, 'Cancel');
    await box.until(() => !box.words.includes('is not finished yet'), 'no offer');
    expect((await bff.requests('POST /sync/cancel'))[0]!.body).to.deep.equal({ sync: 'sync-of-ada' });
    expect(box.words).to.include('Commenting as Grace');
  });

  it('shows the form in the page after a redirect, and scrolls into view', async () => {
    const bff = new TestBff();
    setReturnMarker(markerOf(bff));
    await bff.offer(form);
    const box = await openBox({ bff });
    await box.until(() => box.element.shadowRoot!.querySelector('vestibule-sync')?.shadowRoot?.textContent.includes('Your age'), 'the questions');
    expect(takeReturnMarker(markerOf(bff))).to.equal(false);
  });

  it('shows a reader who returns signed in that nothing is posted yet', async () => {
    const bff = new TestBff();
    const before = await openBox({ bff });
    before.write('on the way');
    before.element.remove();
    setReturnMarker(markerOf(bff));
    await bff.signIn();
    const box = await openBox({ bff });
    await box.says('You are signed in as Ada. Your comment is not posted yet.');
    expect(box.field.value).to.equal('on the way');
  });
});
