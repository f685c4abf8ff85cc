/** The one press that signs in and posts: what it posts, and when it only leads to “One more step”. */

import { expect } from '@open-wc/testing';
import type { ListedPost, SessionUser } from '@vestibule/shared';
import { until } from '../../../../test/lib/until.ts';
import type { BffScript } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import {
  Box, comeBack, fillStorage, letPass, openBox, openSignedIn, openTab, OpenedWindow, recordWindows, refuseStorage, replace,
  SIGN_IN, stored, type BoxOptions, type Tab,
} from './_box.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

const MINUTE_MS = 60_000;
const WAITING = 'Continue in the sign-in window.';
const ONE_MORE_STEP = 'One more step: post your comment.';
const OTHER_ACCOUNT = 'Not posted: You are signed in with another account now. You wrote this text as Ada.';

const ada: SessionUser = { user_id: '42', username: 'Ada', key: 'key of Ada', proven: true };
const unproven: SessionUser = { user_id: '42', username: 'Ada' };
const bo: SessionUser = { user_id: '43', username: 'Bo', key: 'key of Bo', proven: true };

/** The window says that its reader has signed in. */
function tell(opened: OpenedWindow | undefined, account: string | undefined = ada.user_id): void {
  const message = new MessageEvent('message', { data: { vestibule: 'signed-in', account }, origin: location.origin });
  window.dispatchEvent(Object.defineProperty(message, 'source', { value: opened }));
}

/** The reader signs in in the window that the last press has opened. */
async function finish({ bff }: Box, opened: readonly OpenedWindow[], user = ada): Promise<void> {
  await bff.signIn(user);
  tell(opened.at(-1), user.user_id);
}

/** A box of a reader who is signed out, pressed with a text. */
async function openPressed(text: string, options?: BoxOptions): Promise<{ box: Box; opened: OpenedWindow[] }> {
  const opened = recordWindows();
  const box = await openBox(options);
  await box.isSignedOut();
  await press(box, text);
  return { box, opened };
}

async function press(box: Box, text: string): Promise<void> {
  box.write(text);
  await box.press('Sign in and post');
  await box.says(WAITING);
}

async function messages({ bff }: Box): Promise<unknown[]> {
  return (await bff.posts()).map(({ message }) => message);
}

/** Nothing is posted before another press. */
async function hasOneMoreStep(box: Box, text: string): Promise<void> {
  await box.until(() => box.status === ONE_MORE_STEP, 'one more step');
  expect([box.field.value, box.part('status')!.className, await messages(box)]).to.deep.equal([text, '', []]);
  await box.press('Post comment');
  await box.says('Your comment is posted.');
  expect(await messages(box)).to.deep.equal([text]);
}

describe('the press of “Sign in and post”', () => {
  it('posts once its reader has signed in in its window, in which the form says so; vestibule-before-post comes then', async () => {
    const { box, opened } = await openPressed('my thoughts');
    const asked: unknown[] = [];
    box.element.addEventListener('vestibule-before-post', ({ detail }) => asked.push(detail));
    expect(new URL(opened[0]!.addresses[0]!).searchParams.get('post')).to.equal('1');
    await box.hasAsked('GET /session', 1);
    expect([asked, await messages(box)]).to.deep.equal([[], []]);
    await finish(box, opened);
    await box.says('Your comment is posted.');
    expect(asked).to.deep.equal([{ message: 'my thoughts', parent: undefined }]);
    expect([box.field.value, box.status, await messages(box)]).to.deep.equal(['', '', ['my thoughts']]);
  });

  it('posts also for a reader whom the exchange has not proven, under the name that the form has shown', async () => {
    const { box, opened } = await openPressed('my thoughts');
    await finish(box, opened, unproven);
    await box.says('Your comment is posted.');
    expect(await messages(box)).to.deep.equal(['my thoughts']);
  });

  it('posts where the session came just before the message of the window', async () => {
    const { box, opened } = await openPressed('my thoughts');
    await box.bff.signIn(ada);
    window.dispatchEvent(new Event('focus'));
    await box.until(() => box.status === ONE_MORE_STEP, 'the session');
    tell(opened[0]);
    await box.says('Your comment is posted.');
    expect(await messages(box)).to.deep.equal(['my thoughts']);
  });

  it('counts with the text that it had last; further ones show the same window', async () => {
    const { box, opened } = await openPressed('the first');
    box.write('the second');
    await box.press('Show window');
    await finish(box, opened);
    await box.says('Your comment is posted.');
    expect([opened.length, opened[0]!.closed, await messages(box)]).to.deep.equal([1, false, ['the second']]);
  });

  it('posts the text of the box that was pressed last', async () => {
    const { box, opened } = await openPressed('of the first box');
    const other = await openBox({ bff: box.bff, attributes: { forum: 'sports' } });
    other.write('of the second');
    await other.press('Show window');
    await finish(box, opened);
    await other.says('Your comment is posted.');
    await box.until(() => box.status === ONE_MORE_STEP, 'one more step');
    expect([box.field.value, await messages(box)]).to.deep.equal(['of the first box', ['of the second']]);
  });

  it('is on its way from its request on, however long the sign-in has taken', async () => {
    const { box, opened } = await openPressed('my thoughts');
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    letPass(5 * MINUTE_MS);
    await finish(box, opened);
    await box.hasRow('Posting…');
    await box.bff.release('post');
    await box.says('Your comment is posted.');
  });

  it('posts nothing on an article that was closed meanwhile', async () => {
    const { box, opened } = await openPressed('my thoughts');
    box.element.closed = true;
    await finish(box, opened);
    await box.isSignedIn('Ada');
    await box.says('You are signed in.');
    expect([box.field.value, box.field.readOnly, await messages(box)]).to.deep.equal(['my thoughts', true, []]);
  });

  it('of a reply posts that, with its parent', async () => {
    const opened = recordWindows();
    const { box, reply } = await openReply();
    reply.write('I agree');
    await reply.press('Sign in and post');
    await reply.says(WAITING);
    expect(new URL(opened[0]!.addresses[0]!).searchParams.get('post')).to.equal('1');
    await finish(box, opened);
    await box.until(() => !composerOf(box) && box.words.includes('I agree'), 'the reply');
    await box.until(async () => (await messages(box)).length === 1, 'the post');
    expect((await box.bff.posts()).map(({ message, parent }) => [message, parent])).to.deep.equal([['I agree', '7']]);
  });

  it('posts a reply also where its composer was closed meanwhile', async () => {
    const opened = recordWindows();
    const { box, reply } = await openReply();
    reply.write('I agree');
    await reply.press('Sign in and post');
    await reply.says(WAITING);
    await box.press('Reply');
    await box.until(() => !composerOf(box), 'the thread alone');
    await finish(box, opened);
    await box.until(async () => (await messages(box)).length === 1, 'the post');
    expect((await box.bff.posts()).map(({ message, parent }) => [message, parent])).to.deep.equal([['I agree', '7']]);
    await box.says('I agree');
  });

  const failures: Readonly<Record<string, (box: Box, opened: OpenedWindow[]) => unknown>> = {
    async 'the text was changed'(box, opened) {
      box.write('my thoughts, changed');
      await finish(box, opened);
    },
    async 'the session came another way'({ bff }) {
      await bff.signIn(ada);
      window.dispatchEvent(new Event('focus'));
    },
    async 'the message is that of a window which this page has not opened'(box) {
      await finish(box, [new OpenedWindow()]);
      window.dispatchEvent(new Event('focus'));
    },
    async 'it was ten minutes ago'(box, opened) {
      letPass(10 * MINUTE_MS);
      await finish(box, opened);
    },
    async 'the clock was set back since'(box, opened) {
      letPass(-MINUTE_MS);
      await finish(box, opened);
    },
    async 'the window names no account'({ bff }, opened) {
      await bff.signIn(ada);
      tell(opened[0], '');
    },
    async 'the wait was cancelled'(box, opened) {
      await box.press('Cancel');
      await box.isSignedOut();
      await finish(box, opened);
    },
    async 'the window was closed'(box, opened) {
      opened[0]!.closed = true;
      window.dispatchEvent(new Event('focus'));
      await box.until(() => box.offers(SIGN_IN), 'the end of the wait');
      await finish(box, opened);
    },
    async 'signIn() was called after it'(box, opened) {
      box.element.signIn();
      await finish(box, opened);
    },
    async 'the page has canceled vestibule-before-post'(box, opened) {
      box.element.addEventListener('vestibule-before-post', (event) => event.preventDefault(), { once: true });
      await finish(box, opened);
    },
  };
  for (const [failure, act] of Object.entries(failures)) {
    it(`leads to one more step where ${failure}`, async () => {
      const { box, opened } = await openPressed('my thoughts');
      await act(box, opened);
      await hasOneMoreStep(box, failure === 'the text was changed' ? 'my thoughts, changed' : 'my thoughts');
    });
  }

  it('leads to one more step until another tab has posted the text', async () => {
    const attributes = { page: 'https://www.example.com/article' };
    const { box } = await openPressed('my thoughts', { attributes });
    await box.bff.signIn(ada);
    window.dispatchEvent(new Event('focus'));
    await box.until(() => box.status === ONE_MORE_STEP, 'one more step');
    const elsewhere = await openBox({ bff: box.bff, attributes, tab: await openTab() });
    await elsewhere.hasText('my thoughts');
    await elsewhere.press('Post comment');
    await box.until(() => box.field.value === '' && box.status === '', 'an empty box');
    await elsewhere.says('Your comment is posted.');
    expect(await messages(box)).to.deep.equal(['my thoughts']);
  });

  it('is told to be posted where it was made, whichever tab has sent the text', async () => {
    const attributes = { page: 'https://www.example.com/article' };
    const box = await openSignedIn({ attributes });
    const tab = await openTab();
    // The other tab is quicker.
    Object.defineProperty(tab.view.navigator, 'locks', { value: { request: async (_: string, __: object, act: (lock: null) => unknown) => act(null) } });
    const elsewhere = await openBox({ bff: box.bff, attributes, tab });
    await elsewhere.isSignedIn('Ada');
    elsewhere.write('my thoughts');
    await elsewhere.press('Post comment');
    await elsewhere.says('Your comment is posted.');
    expect(await messages(box)).to.deep.equal(['my thoughts']);
  });

  it('does not sign in for a text that is too long', async () => {
    const opened = recordWindows();
    const box = await openBox({ attributes: { 'max-length': '5' } });
    await box.isSignedOut();
    box.write('my thoughts');
    await box.press('Sign in and post');
    await box.until(() => box.status === 'Your comment is too long.', 'the error');
    expect([opened.length, box.field.value, box.field.ariaInvalid]).to.deep.equal([0, 'my thoughts', 'true']);
  });

  it('leaves a text that turns out to be too long in the field', async () => {
    const { box, opened } = await openPressed('my thoughts');
    await box.bff.set({ session: { state: 'signed-in', user: ada, limits: { message_max_length: 5 } } });
    tell(opened[0]);
    await box.until(() => box.status === ONE_MORE_STEP, 'one more step');
    expect([box.field.value, await box.bff.requests('POST /posts')]).to.deep.equal(['my thoughts', []]);
  });

  it('without a text signs in only, whatever is written meanwhile', async () => {
    const opened = recordWindows();
    const box = await openBox();
    await box.isSignedOut();
    await box.press('Sign in to comment');
    await box.says(WAITING);
    expect(new URL(opened[0]!.addresses[0]!).searchParams.has('post')).to.equal(false);
    box.write('written meanwhile');
    await finish(box, opened);
    await hasOneMoreStep(box, 'written meanwhile');
  });

  it('does not post under another account than the one that its window has accepted', async () => {
    const { box, opened } = await openPressed('of Ada');
    await box.bff.signIn(bo);
    tell(opened.at(-1), ada.user_id);
    await box.says(ONE_MORE_STEP);
    expect(await messages(box)).to.deep.equal([]);
  });

  it('does not post under another account than that of the text, which is kept for its own', async () => {
    const opened = recordWindows();
    const box = await openSignedIn();
    box.write('of Ada');
    await box.bff.setSession({});
    comeBack();
    await box.isSignedOut();
    await box.press('Sign in and post');
    await finish(box, opened, bo);
    await box.until(() => box.alert === OTHER_ACCOUNT, 'the outcome');
    expect([box.field.value, box.status, await messages(box)]).to.deep.equal(['', '', []]);
    await box.bff.signIn(ada);
    comeBack();
    await box.hasText('of Ada');
    expect(await messages(box)).to.deep.equal([]);
  });
});

const listed: ListedPost = { id: '7', author: { username: 'Grace' }, message: 'the first', created_at: new Date().toISOString() };

function composerOf(box: Box): Box | undefined {
  const element = box.all<VestibuleComments>('vestibule-comments')[0];
  return element && new Box(box.bff, element);
}

/** A thread with the composer of a reply. */
async function openReply(options: BoxOptions = {}): Promise<{ box: Box; reply: Box }> {
  const bff = options.bff ?? new TestBff();
  await bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed], replies: true } }] } });
  const box = await openBox({ ...options, bff, attributes: { 'show-posts': '', ...options.attributes } });
  await box.press('Reply');
  await box.until(() => composerOf(box)?.field && composerOf(box)!.offers(SIGN_IN), 'the composer');
  return { box, reply: composerOf(box)! };
}

describe('the press of “Sign in and post” in a page that is left for it', () => {
  const inline = { sync: 'inline' };

  const isAt = (tab: Tab, path: string) => (): boolean => tab.view.location.pathname.endsWith(path);

  async function leave(tab: Tab, text: string, isFirstStage = false): Promise<TestBff> {
    const box = await openBox({ attributes: inline, tab, untouched: isFirstStage });
    if (!isFirstStage) await box.isSignedOut();
    box.write(text);
    await box.press('Sign in and post');
    await box.until(isAt(tab, '/sync/authorize'), 'the service');
    expect(new URLSearchParams(tab.view.location.search).get('post')).to.equal('1');
    return box.bff;
  }

  /** The reader comes back to the form, and by it to the completion page of the service. */
  async function accept(tab: Tab, bff: TestBff, user = ada, answers: BffScript['answers'] = {}): Promise<void> {
    await tab.open();
    await bff.offer();
    const box = await openBox({ bff, attributes: inline, tab, untouched: true });
    await box.until(() => box.offers('Continue as Ada and post'), 'the form');
    await bff.set({ answers: { ...answers, 'POST /sync/validation': [{
      session: { state: 'signed-in', user, session: 'of Ada', limits: { message_max_length: 10_000 } },
      json: { outcome: 'accepted', completion_url: new URL('/packages/widget/testing/blank.html?done', location.href).href },
    }] } });
    await box.press('Continue as Ada and post');
    await box.until(() => tab.view.location.search === '?done' && tab.view.document.readyState === 'complete', 'the service');
  }

  /** And back to the page of `tab`. */
  async function goThrough(tab: Tab, bff: TestBff, user = ada): Promise<Box> {
    await accept(tab, bff, user);
    await tab.open();
    return openBox({ bff, attributes: inline, tab, untouched: true });
  }

  const sent = async (bff: TestBff): Promise<unknown[]> => (
    (await bff.requests('POST /posts')).map(({ key, body }) => [key, (body as { expected_user_id: string }).expected_user_id])
  );

  for (const [who, user] of [['', ada], [' of a reader whom the exchange has not proven', unproven]] as const) {
    it(`posts${who} when the form is accepted, before the page leaves, without waiting for the session; and once`, async () => {
      const tab = await openTab();
      const bff = await leave(tab, 'on the way');
      await accept(tab, bff, user, { 'GET /session': [{ hold: 'session' }, { hold: 'session' }] });
      await until('the post', async () => (await bff.posts()).length === 1);
      const [[key, account] = []] = await sent(bff) as string[][];
      expect(account).to.equal('42');
      await bff.release('session');
      await tab.open();
      const box = await openBox({ bff, attributes: inline, tab, untouched: true });
      await box.isSignedIn('Ada');
      await box.until(() => box.field.value === '' && box.words.includes('on the way'), 'the comment');
      await box.until(() => box.row === '', 'the end of its requests');
      expect([await messages(box), new Set((await sent(bff) as string[][]).map(([one]) => one))]).to.deep.equal([['on the way'], new Set([key])]);
    });
  }

  it('posts on the way back where the request has not left with the page', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await bff.set({ answers: { 'POST /posts': [{ status: 503, text: 'busy' }, { status: 503, text: 'busy' }] } });
    const box = await goThrough(tab, bff);
    await box.until(async () => (await messages(box)).length === 1, 'the post');
    expect(new Set((await sent(bff) as string[][]).map(([one]) => one)).size).to.equal(1);
  });

  it('is not offered to another account than that of the text, which is kept for its own', async () => {
    const tab = await openTab();
    const bff = new TestBff();
    await bff.signIn(ada);
    const box = await openBox({ bff, attributes: inline, tab });
    await box.isSignedIn('Ada');
    box.write('of Ada');
    await bff.setSession({});
    comeBack(tab.view);
    await box.isSignedOut();
    await box.press('Sign in and post');
    await box.until(isAt(tab, '/sync/authorize'), 'the service');
    await tab.open();
    await bff.setSession({ state: 'validating', sync: { id: 'sync-of-bo', user: { user_id: '43', username: 'Bo' }, forum: 'news', form: { fields: [] } } });
    const form = await openBox({ bff, attributes: inline, tab, untouched: true });
    form.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await form.until(() => form.offers('Continue as Bo'), 'the form');
    expect(form.offers('Continue as Bo and post')).to.equal(false);
    await form.press('Continue as Bo');
    await form.isSignedIn('Bo');
    expect([form.field.value, await messages(form), stored().includes('of Ada')]).to.deep.equal(['', [], true]);
  });

  it('is asked to be posted, and leaves the text to one more step, where it was changed beside the form', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await tab.open();
    await bff.offer();
    const box = await openBox({ bff, attributes: inline, tab, untouched: true });
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.until(() => box.offers('Continue as Ada and post'), 'the form');
    box.write('on the way, changed');
    await box.press('Continue as Ada');
    await box.isSignedIn('Ada');
    await hasOneMoreStep(box, 'on the way, changed');
  });

  it('leaves the page by the reader’s click only where the browser does not keep what is posted', async () => {
    const box = await openBox({ attributes: inline });
    await box.isSignedOut();
    fillStorage();
    box.write('only here');
    await box.bff.offer();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    comeBack();
    await box.hasAsked('GET /session', 2);
    await box.until(() => !box.element.matches(':state(busy)'), 'the session');
    await box.press('Sign in and post');
    await box.press('Continue as Ada and post');
    await box.until(() => box.offers('Continue'), 'the way on');
    expect(box.row).to.contain('Stay on this page until it is posted.');
  });

  it('posts also where the page of the form was loaded again', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await tab.open();
    await bff.offer();
    const form = await openBox({ bff, attributes: inline, tab, untouched: true });
    await form.until(() => form.offers('Continue as Ada and post'), 'the form');
    const box = await goThrough(tab, bff);
    await box.until(async () => (await messages(box)).length === 1, 'the post');
    expect(await messages(box)).to.deep.equal(['on the way']);
  });

  it('posts at once where the page keeps its reader after the form', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await tab.open();
    await bff.offer();
    await bff.set({ provenUser: ada });
    const box = await openBox({ bff, attributes: inline, tab, untouched: true });
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.press('Continue as Ada and post');
    await box.until(async () => (await messages(box)).length === 1, 'the post');
    await box.until(() => !box.form && box.field.value === '', 'the box alone');
  });

  it('of a reply posts that, with its parent', async () => {
    const tab = await openTab();
    const { box, reply } = await openReply({ tab, attributes: inline });
    reply.write('I agree');
    await reply.press('Sign in and post');
    await box.until(isAt(tab, '/sync/authorize'), 'the service');
    const back = await goThrough(tab, box.bff);
    await back.until(() => back.words.includes('I agree'), 'the reply');
    await back.until(async () => (await messages(back)).length === 1, 'the post');
    expect((await box.bff.posts()).map(({ message, parent }) => [message, parent])).to.deep.equal([['I agree', '7']]);
  });

  it('leads to one more step where the session came another way than by the form', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await bff.signIn(ada);
    await tab.open();
    const box = await openBox({ bff, attributes: inline, tab, untouched: true });
    await hasOneMoreStep(box, 'on the way');
  });

  it('leads to one more step where it was ten minutes ago', async () => {
    const tab = await openTab();
    const bff = await leave(tab, 'on the way');
    await tab.open();
    await bff.offer();
    const { now } = tab.view.Date;
    replace(tab.view.Date, { now: () => now() + 10 * MINUTE_MS });
    const box = await openBox({ bff, attributes: inline, tab, untouched: true });
    box.element.addEventListener('vestibule-completed', (event) => event.preventDefault());
    await box.until(() => box.offers('Continue as Ada'), 'the form');
    expect(box.offers('Continue as Ada and post')).to.equal(false);
    await box.press('Continue as Ada');
    await box.isSignedIn('Ada');
    await hasOneMoreStep(box, 'on the way');
  });

  it('leads to one more step in a browser without storage, which does not leave by itself', async () => {
    refuseStorage();
    const box = await openBox({ attributes: inline });
    await box.isSignedOut();
    box.write('only here');
    await box.press('Sign in and post');
    await box.press('Not now');
    await box.bff.signIn(ada);
    comeBack();
    await box.until(() => box.status === ONE_MORE_STEP, 'one more step');
    expect([box.field.value, await messages(box)]).to.deep.equal(['only here', []]);
  });
});
