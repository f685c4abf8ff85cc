import { expect } from '@open-wc/testing';
import { TestBff } from '../../_bff.ts';
import { Draft } from '../../drafts/draft.ts';
import { addOwnPost } from '../../drafts/own-posts.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { setReturnMarker } from '../../session/return-marker.ts';
import { SessionStore } from '../../session/session-store.ts';
import { openBox, openSignedIn, type Box } from './_box.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

const ada = { user_id: '42', username: 'Ada' };
const callback = { code: 'c0de', ...ada, audiencesync_uri: 'https://service.example/audiencesync/complete/' };
const nextPage = 'https://www.example.com/next';
const address = location.href;
const { open } = window;
const { navigation } = globalThis as unknown as { navigation: EventTarget };

beforeEach(() => {
  window.open = () => ({ closed: false, close() {}, location: { replace() {} } }) as unknown as Window;
});

afterEach(() => {
  window.open = open;
  history.replaceState(null, '', address);
  localStorage.clear();
  sessionStorage.clear();
});

function comeWith(parameters: Record<string, string>): void {
  history.replaceState(null, '', `?${new URLSearchParams(parameters)}`);
}

async function turnPage({ element }: Box): Promise<void> {
  element.page = nextPage;
  await element.updateComplete;
}

const focused = (box: Box): Element | null => box.element.shadowRoot!.activeElement;
const form = (box: Box): Element | null => box.element.shadowRoot!.querySelector('vestibule-sync');
const storeOf = (box: Box): SessionStore => SessionStore.at(new URL(box.element.bff!));

/** The reader has pressed “Post comment”, and the BFF responds when `post` is released. */
async function whilePosting(answer: object = {}): Promise<Box> {
  const box = await openSignedIn();
  await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', ...answer }] } });
  box.write('hello');
  await box.press('Post comment');
  await box.until(async () => (await box.bff.requests('POST /posts')).length === 1, 'the request');
  return box;
}

/** What the reader is in the middle of, and whether they still are. */
const inProgress: Readonly<Record<string, { readonly begin: () => Promise<Box>; readonly isSo: (box: Box) => boolean }>> = {
  'a submission': { begin: whilePosting, isSo: (box) => box.field.readOnly },
  'a question about a comment': {
    async begin() {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
      box.write('perhaps');
      await box.press('Post comment');
      await box.says('I can see it');
      return box;
    },
    isSo: (box) => box.panelButton('I can see it') !== undefined,
  },
  'a wait for a window': {
    async begin() {
      const box = await openBox();
      await box.press('Sign in to post');
      await box.says('Finish signing in in the other window.');
      return box;
    },
    isSo: (box) => box.words.includes('other window') || storeOf(box).isWatching,
  },
  'a question before a sign-out': {
    async begin() {
      const box = await openSignedIn();
      box.write('hello');
      await box.press('Sign out');
      await box.says('Stay signed in');
      return box;
    },
    isSo: (box) => box.panelButton('Stay signed in') !== undefined,
  },
};

describe('a box that is connected', () => {
  it('requests the session if it got the focus before its code was loaded', async () => {
    const isFocused = (event: Event): void => event.stopImmediatePropagation();
    document.addEventListener('focusin', isFocused, { capture: true });
    const box = await openBox({ untouched: true });
    box.field.focus();
    document.removeEventListener('focusin', isFocused, { capture: true });
    box.element.dispatchEvent(new PointerEvent('pointerenter'));
    await box.isSignedOut();
  });

  it('requests nothing without the focus, a callback or an earlier sign-in', async () => {
    const box = await openBox({ untouched: true });
    box.element.dispatchEvent(new PointerEvent('pointerenter'));
    await box.until(() => box.element.shadowRoot!.adoptedStyleSheets.length > 3, 'the second stage');
    expect(await box.bff.requests('GET /session')).to.deep.equal([]);
  });

  it('requests the session for a callback', async () => {
    comeWith(callback);
    const box = await openBox({ untouched: true });
    await box.says('You are about to sign in as Ada.');
    await box.until(() => box.details('state').length === 1, 'the state');
  });

  it('requests the session of a reader who comes back from a sign-in', async () => {
    const bff = new TestBff();
    setReturnMarker({ bff: bff.url, forum: 'news', page: nextPage });
    const box = await openBox({ bff, untouched: true, page: nextPage });
    await box.isSignedOut();
  });

  it('keeps a callback while it is moved', async () => {
    comeWith(callback);
    const box = await openBox();
    await box.says('You are about to sign in as Ada.');
    box.element.after(box.element);
    box.element.parentElement!.append(box.element);
    await box.element.updateComplete;
    expect(box.words).to.contain('You are about to sign in as Ada.');
  });

  it('says that a callback is incomplete, also beside a form of the page', async () => {
    const own = document.createElement('vestibule-sync');
    own.bff = new TestBff().url;
    document.body.append(own);
    comeWith({ ...callback, username: '' });
    const box = await openBox();
    await box.until(() => box.alert !== '', 'an alert');
    expect(own.syncReturn).to.equal(undefined);
    own.remove();
  });
});

describe('the main button of the box', () => {
  it('is disabled for assistive technology while a comment is posted', async () => {
    const box = await whilePosting();
    const button = box.element.shadowRoot!.querySelector('.primary')!;
    expect(button.ariaDisabled).to.equal('true');
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    expect(button.hasAttribute('aria-disabled')).to.equal(false);
  });
});

describe('another page of the article', () => {
  for (const [what, { begin, isSo }] of Object.entries(inProgress)) {
    it(`ends ${what}`, async () => {
      const box = await begin();
      expect(isSo(box)).to.equal(true);
      await turnPage(box);
      expect(isSo(box)).to.equal(false);
      comeWith(callback);
      box.element.sync = 'inline';
      box.element.page = `${nextPage}/2`;
      await box.until(() => form(box), 'the form of a sign-in');
      box.element.remove();
    });
  }

  it('leaves the form of a sign-in', async () => {
    const bff = new TestBff();
    await bff.offer();
    const box = await openBox({ bff, sync: 'inline' });
    await box.until(() => form(box), 'the form');
    const before = form(box);
    await turnPage(box);
    expect(form(box) === before).to.equal(true);
  });

  it('takes away what is said about the text', async () => {
    const box = await openSignedIn();
    await box.press('Post comment');
    await box.until(() => box.alert !== '', 'an alert');
    await turnPage(box);
    await box.until(() => box.alert === '', 'no alert');
  });

  it("has the reader's own posts of that page", async () => {
    const box = await openSignedIn();
    const draft = new Draft({ ...box.element.draft.key, page: nextPage });
    addOwnPost(draft, [], { user: ada, message: 'said before', at: Date.now() });
    await turnPage(box);
    await box.says('said before');
  });

  it('may come with a callback, which a box outside the page leaves', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const parent = box.element.parentElement!;
    box.element.remove();
    comeWith(callback);
    await turnPage(box);
    expect(location.search).to.contain('code=');
    parent.append(box.element);
    await box.says('You are about to sign in as Ada.');
    expect(location.search).to.equal('');
  });
});

describe('another BFF', () => {
  function changeBff({ element }: Box, bff = new TestBff()): Promise<boolean> {
    element.bff = bff.url;
    return element.updateComplete;
  }

  it('gets nothing of a submission at the former', async () => {
    const box = await whilePosting();
    await changeBff(box);
    await box.bff.release('post');
    await box.until(async () => (await box.bff.posts()).length === 1, 'the post');
    await box.isSignedOut();
    expect([box.words.includes('is posted'), box.details('posted')]).to.deep.equal([false, []]);
  });

  it('has a sign-out of its own', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ hold: 'sign-out' }] } });
    const former = box.element.signOut();
    const other = new TestBff();
    await other.signIn();
    await changeBff(box, other);
    await box.isSignedIn();
    await box.element.signOut();
    expect(await other.requests('DELETE /session')).to.have.length(1);
    await box.bff.release('sign-out');
    await former;
  });

  for (const [what, { begin, isSo }] of Object.entries(inProgress)) {
    it(`ends ${what}, and shows a callback of the address`, async () => {
      const box = await begin();
      box.element.sync = 'inline';
      comeWith(callback);
      await changeBff(box);
      expect(isSo(box)).to.equal(false);
      await box.until(() => form(box), 'the form');
      box.element.remove();
    });
  }

  it('is asked nothing by a box outside the page, which follows no message either', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.element.remove();
    comeWith(callback);
    const other = new TestBff();
    await changeBff(box, other);
    const store = storeOf(box);
    let refreshes = 0;
    store.refresh = async () => { refreshes += 1; };
    expect(location.search).to.include('code=');
    history.replaceState(null, '', address);
    const received = new BroadcastChannel(`vestibule ${other.url}`);
    announceSessionChange(new URL(other.url), 'changed');
    await new Promise((resolve) => { received.onmessage = resolve; });
    received.close();
    expect([refreshes, await other.requests()]).to.deep.equal([0, []]);
  });
});

describe('a sign-out in another tab', () => {
  it('ends a submission, and takes away the controls of the text at once', async () => {
    const box = await whilePosting();
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, String(Date.now() + 1));
    window.dispatchEvent(new Event('focus'));
    await box.element.updateComplete;
    expect([box.field.value, box.field.readOnly, box.button('Delete draft')]).to.deep.equal(['', false, undefined]);
    await box.bff.release('post', 'session');
    await box.isSignedIn();
    expect(box.words).not.to.contain('is posted');
  });

  it('takes away the controls of the text at once', async () => {
    const box = await openSignedIn();
    box.write('hello');
    await box.until(() => box.button('Delete draft'), 'the control');
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, String(Date.now() + 1));
    window.dispatchEvent(new Event('focus'));
    await box.element.updateComplete;
    expect(box.button('Delete draft')).to.equal(undefined);
    await box.bff.release('session');
  });
});

describe('signIn() of the box', () => {
  for (const what of ['a question about a comment', 'a question before a sign-out']) {
    it(`leads to ${what}`, async () => {
      const { begin, isSo } = inProgress[what]!;
      const box = await begin();
      box.field.focus();
      box.element.signIn();
      expect([isSo(box), focused(box)?.className]).to.deep.equal([true, 'primary']);
    });
  }

  it('leads to the form of a sign-in', async () => {
    comeWith(callback);
    const box = await openBox({ sync: 'inline' });
    await box.until(() => form(box)?.shadowRoot, 'the form');
    box.field.focus();
    box.element.signIn();
    expect(focused(box) === form(box)).to.equal(true);
  });
});

describe('a question that the reader puts off', () => {
  it('leads back to the field', async () => {
    const { begin, isSo } = inProgress['a question before a sign-out']!;
    const box = await begin();
    (document.activeElement as VestibuleComments).shadowRoot!.querySelector<HTMLElement>(':focus')!.blur();
    box.panelButton('Stay signed in').click();
    await box.until(() => focused(box) === box.field, 'the focus in the field');
    expect(isSo(box)).to.equal(false);
    comeWith(callback);
    box.element.sync = 'inline';
    await turnPage(box);
    await box.until(() => form(box), 'the form of a sign-in');
  });

  it('whether to leave the page, leaves it on the reader’s click', async () => {
    window.open = () => null;
    const box = await openBox();
    await box.press('Sign in to post');
    const left = new Promise<string>((resolve) => {
      navigation.addEventListener('navigate', (event) => {
        event.preventDefault();
        resolve((event as Event & { destination: { url: string } }).destination.url);
      }, { once: true });
    });
    await box.press('Continue in this page');
    expect(await left).to.contain(`${box.bff.url}sync/authorize?`);
    expect(await box.bff.requests('GET /sync/authorize')).to.deep.equal([]);
  });
});
