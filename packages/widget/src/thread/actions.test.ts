/** The reader's own comments and likes: edit, remove, like; and what the list says of them. */

import { expect } from '@open-wc/testing';
import type { ListedPost, PostList } from '@vestibule/shared';
import { snapshotOf } from '../_snapshot.ts';
import { TestBff } from '../_bff.ts';
import { letPass, openBox, openTab, recordWindows, replace, stored, type Box, type Tab } from '../box/_box.ts';
import '../define.ts';
import { frames, listed, lists, minuteLater, openThread, own, PAGE, reply, type Thread, type ThreadOptions } from './_thread.ts';

const KEY = 'key of Ada';
const ADA = { username: 'Ada', key: KEY };
const mine = (id: string, message: string, more: Partial<ListedPost> = {}): ListedPost => (
  listed(id, message, { author: ADA, ...more })
);
const ACTIONS = ['edit', 'remove', 'like'] as const;

const article = (posts: readonly ListedPost[], more: Partial<PostList> = {}): PostList => (
  { posts, actions: ACTIONS, replies: true, ...more }
);

/** Ada is signed in. */
const open = (posts: readonly ListedPost[], options: ThreadOptions = {}, more: Partial<PostList> = {}): Promise<Thread> => (
  openThread(article(posts, more), { userKey: KEY, ...options }, posts.length + (options.entries?.length ?? 0))
);

const answer = (thread: Thread, request: string, ...answers: readonly object[]): Promise<void> => (
  thread.bff.set({ answers: { [request]: answers } })
);

const bodies = async (thread: Thread, request: string): Promise<unknown[]> => (
  (await thread.bff.requests(request)).map(({ body }) => body)
);

const isLoaded = (): boolean => performance.getEntriesByType('resource').some(({ name }) => name.includes('thread/actions.ts'));

const field = (thread: Thread): HTMLTextAreaElement => thread.all<HTMLTextAreaElement>('textarea')[0]!;

async function edit(thread: Thread, message: string, text: string): Promise<void> {
  await thread.until(() => thread.act(message, 'Edit'), 'the button');
  thread.act(message, 'Edit')!.click();
  await thread.until(() => thread.element.shadowRoot!.activeElement === field(thread), 'the field');
  field(thread).value = text;
  field(thread).dispatchEvent(new InputEvent('input'));
}

async function remove(thread: Thread, message: string): Promise<void> {
  await thread.until(() => thread.actsOf(message).includes('Delete'), 'the button');
  await thread.openMenu(message);
  thread.act(message, 'Delete')!.click();
  await thread.says('Delete this comment?');
}

const like = (thread: Thread, message: string): HTMLElement => (
  thread.all('.like', thread.post(message)).find((button) => button.closest('li') === thread.post(message))!
);

const likeOf = (thread: Thread, message: string): string => {
  const button = like(thread, message);
  return `${button.ariaPressed} ${button.querySelector('.number')?.textContent ?? ''}`;
};

const failures = (thread: Thread): string[] => thread.all('[role=alert]').map(({ textContent }) => textContent);

describe('the actions of the reader', () => {
  it('are not offered, nor loaded, where the list has no actions or no comment of the reader', async () => {
    const thread = await openThread({ posts: [mine('1', 'a', { likes: 3 })] }, { userKey: KEY });
    await open([listed('1'), listed('2', 'b', { author: { username: 'Ada', key: 'another Ada' } })]);
    expect([thread.offers('Like'), isLoaded()]).to.deep.equal([false, false]);
  });

  it('are not offered to a reader whom the BFF cannot recognize: it would refuse them', async () => {
    const entry = { ...listed('9', 'brand new'), state: 'published' } as const;
    const thread = await open([listed('1', 'a')], { userKey: undefined, entries: [own('brand new', { listed: entry })] });
    expect([thread.actsOf('a'), thread.actsOf('brand new')]).to.deep.equal([['Reply', 'More', 'Copy link'], ['Reply', 'More', 'Copy link']]);
    thread.element.account = '';
    await thread.until(() => thread.actsOf('a').includes('Like'), 'the like of anybody, which signs in');
  });

  it('are edit and delete at the reader’s own comments alone, those that were just posted included', async () => {
    const entry = { ...mine('9', 'brand new'), state: 'published' } as const;
    const thread = await open([listed('1'), mine('2', 'b')], { entries: [own('brand new', { listed: entry })] });
    await thread.until(() => thread.act('b', 'Edit'), 'the button');
    const acts = ['Reply', 'Edit', 'More', 'Copy link', 'Delete'];
    expect(['brand new', 'post 1', 'b'].map((message) => thread.actsOf(message)))
      .to.deep.equal([acts, ['Reply', 'Like', 'More', 'Copy link'], acts]);
    Object.assign(thread.element, { account: '', userKey: undefined, entries: [] });
    await thread.until(() => !thread.offers('Edit'), 'nothing to edit');
  });

  it('are neither a like nor a report at the reader’s own comments, which show their likes', async () => {
    const thread = await open([mine('1', 'a', { likes: 3 }), listed('2', 'b')], { reportUrl: 'https://a.example/{id}' });
    await thread.until(() => thread.act('a', 'Edit'), 'the button');
    expect([thread.actsOf('a').includes('Report'), thread.actsOf('b').includes('Report'), thread.all('.like').length]).to.deep.equal([false, true, 1]);
    await thread.isLaidOut();
    expect(thread.post('a').innerText).to.contain('3 likes');
  });

  it('are edit and delete at a post that waits for approval', async () => {
    const entry = { ...mine('9', 'brand new'), state: 'pending' } as const;
    const bff = new TestBff();
    await signInAda(bff);
    const box = await openArticle(bff, [listed('1')]);
    box.turnTo();
    await box.isSignedIn('Ada');
    await bff.set({ answers: { 'POST /posts': [{ status: 201, json: { post: { id: '9' }, listed: entry } }] } });
    await box.post('brand new');
    await box.says('Only you see this until it is approved.');
    await box.until(() => box.offers('Delete'), 'the buttons');
    expect([box.all('.entry-acts .quiet').filter((one) => one.checkVisibility({ visibilityProperty: true })).map(({ textContent }) => textContent)])
      .to.deep.equal([['Edit', 'Delete']]);
    await bff.set({ answers: { 'DELETE /posts/9': [{ status: 204, text: '' }] } });
    await box.press('Delete');
    await box.says('Delete this comment?');
    await box.press('Delete');
    await box.hasFocusOn('Your comment was deleted.');
  });

  it('dim no words while a removal is on its way: they keep their contrast', async () => {
    const thread = await open([mine('1', 'a')]);
    await answer(thread, 'DELETE /posts/1', { hold: 'removal', status: 204, text: '' });
    await remove(thread, 'a');
    await thread.press('Delete');
    await thread.hasFocusOn('Your comment was deleted.');
    const line = thread.headingOf(thread.posts[0]!);
    for (let node: Element | null = line; node; node = node.parentElement) {
      expect(getComputedStyle(node).opacity, node.className).to.equal('1');
    }
    const text = line.closest('.text')!;
    const room = text.getBoundingClientRect().bottom - line.getBoundingClientRect().bottom;
    expect(room + parseFloat(getComputedStyle(text).overflowClipMargin), 'room for the ring of the focus').to.be.at.least(4);
  });

  it('are there on an article that takes no comments, as is a like', async () => {
    const thread = await open([mine('1', 'a'), listed('2', 'b')], {}, { closed: 'Over.' });
    await thread.until(() => thread.actsOf('a').includes('Delete'), 'the button');
    expect([thread.offers('Edit'), thread.offers('Reply'), thread.all('.like').length]).to.deep.equal([true, false, 1]);
  });
});

describe('a like', () => {
  it('is shown at once, sent, and kept for the account in this browser', async () => {
    const thread = await open([listed('a/b', 'x', { likes: 3 }), listed('2')]);
    await answer(thread, 'PUT /posts/a%2Fb/like', { hold: 'like', json: { likes: 7 } });
    like(thread, 'x').click();
    await thread.until(() => likeOf(thread, 'x') === 'true 4', 'the like');
    await thread.bff.release('like');
    await thread.until(() => likeOf(thread, 'x') === 'true 7', 'the number');
    expect(await bodies(thread, 'PUT /posts/a%2Fb/like')).to.deep.equal([{ forum: 'news', page: PAGE, liked: true, expected_user_id: '42' }]);
    thread.element.account = '';
    await thread.until(() => likeOf(thread, 'x') === 'false 3', 'nobody’s like');
    const again = await open([listed('a/b', 'x', { likes: 3 })], { bff: thread.bff });
    await again.until(() => likeOf(again, 'x') === 'true 7', 'the like after a reload');
    const later = article([listed('a/b', 'x', { likes: 9 })]);
    await lists(again.bff, later, later);
    minuteLater();
    await again.until(() => likeOf(again, 'x') === 'true 9', 'the number of the list');
  });

  it('is pressed and gets its first number without a move of what is beside it', async () => {
    const thread = await open([listed('1', 'x')]);
    await answer(thread, 'PUT /posts/1/like', { json: { likes: 1 } });
    const places = (): number[] => ['.reply', '.dots'].map((name) => thread.all(name)[0]!.getBoundingClientRect().left);
    const before = places();
    like(thread, 'x').click();
    await thread.until(() => likeOf(thread, 'x') === 'true 1', 'the like');
    expect(places()).to.deep.equal(before);
  });

  it('has its noun by ear', async () => {
    const thread = await open([listed('1', 'x', { likes: 1 })]);
    Object.assign(thread.element.parentElement!, { id: 'page', role: 'region', ariaLabel: 'Page' });
    await frames();
    const snapshot = JSON.stringify(await snapshotOf('#page'));
    expect(snapshot).to.contain('"Like 1 like"');
    await expect(thread.element).to.be.accessible();
  });

  it('that is refused is taken back with a word', async () => {
    const thread = await open([listed('1', 'x', { likes: 3 })]);
    await answer(thread, 'PUT /posts/1/like', { problem: 'post-rejected', detail: 'Voting is over.' });
    like(thread, 'x').click();
    await thread.says('Voting is over.');
    expect([likeOf(thread, 'x'), failures(thread), thread.details('error').length]).to.deep.equal(['false 3', ['Voting is over.'], 1]);
  });

  it('that is pressed again before the answer follows the last press', async () => {
    const thread = await open([listed('1', 'x', { likes: 3 })]);
    await answer(thread, 'PUT /posts/1/like', { hold: 'like', json: {} }, { json: { likes: 3 } });
    like(thread, 'x').click();
    await thread.hasAsked('PUT /posts/1/like', 1);
    like(thread, 'x').click();
    await thread.until(() => likeOf(thread, 'x') === 'false 3', 'no like');
    await thread.bff.release('like');
    await thread.hasAsked('PUT /posts/1/like', 2);
    expect((await bodies(thread, 'PUT /posts/1/like')).map((body) => (body as { liked: boolean }).liked)).to.deep.equal([true, false]);
    await thread.until(() => likeOf(thread, 'x') === 'false 3', 'no like');
  });

  it('whose answer is lost is sent again within a minute, and no later', async () => {
    const thread = await open([listed('1', 'x'), listed('2', 'y')]);
    await answer(thread, 'PUT /posts/1/like', { cut: true }, { json: { likes: 1 } });
    like(thread, 'x').click();
    await thread.hasAsked('PUT /posts/1/like', 2);
    await answer(thread, 'PUT /posts/2/like', { problem: 'service-unavailable' }, { json: { likes: 1 } });
    like(thread, 'y').click();
    await thread.hasAsked('PUT /posts/2/like', 1);
    letPass(61_000);
    await thread.says('Comments are not available right now.');
    expect([likeOf(thread, 'y'), (await thread.bff.requests('PUT /posts/2/like')).length]).to.deep.equal(['false ', 1]);
  });

  it('is not that of another reader who is signed in before it can be sent', async () => {
    const thread = await open([listed('1', 'x')]);
    like(thread, 'x').click();
    thread.element.account = '43';
    await frames();
    expect([likeOf(thread, 'x'), await bodies(thread, 'PUT /posts/1/like')]).to.deep.equal(['false ', []]);
  });

  it('whose answer comes while the page has put the thread aside is kept', async () => {
    const thread = await open([listed('1', 'x', { likes: 3 })]);
    await answer(thread, 'PUT /posts/1/like', { hold: 'like', json: { likes: 7 } });
    like(thread, 'x').click();
    await thread.hasAsked('PUT /posts/1/like', 1);
    const place = thread.element.parentElement!;
    thread.element.remove();
    await thread.bff.release('like');
    await thread.until(() => stored().includes('vestibule:likes'), 'the like');
    place.append(thread.element);
    await thread.until(() => likeOf(thread, 'x') === 'true 7', 'the number');
  });

  it('of an unsigned reader opens the sign-in window in the press, and likes nothing', async () => {
    const bff = new TestBff();
    const windows = recordWindows();
    await lists(bff, article([listed('1', 'x', { likes: 3 })]));
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, untouched: true });
    await box.until(() => box.all('.like')[0], 'the button');
    const [button] = box.all('.like');
    const { top } = button!.getBoundingClientRect();
    button!.focus();
    button!.click();
    expect(windows.length).to.equal(1);
    await box.until(() => box.status === 'Continue in the sign-in window.', 'the sign-in');
    expect(button!.getBoundingClientRect().top).to.equal(top);
    await bff.signIn();
    window.dispatchEvent(new Event('focus'));
    await box.isSignedIn('Ada');
    await frames();
    expect([await bff.requests('PUT /posts/1/like'), button!.ariaPressed]).to.deep.equal([[], 'false']);
  });
});

/** The box with its thread. */
async function openArticle(
  bff: TestBff, posts: readonly ListedPost[], { tab, sync = 'popup' }: { readonly tab?: Tab; readonly sync?: string } = {},
): Promise<Box> {
  await lists(bff, article(posts));
  const box = await openBox({ bff, tab, attributes: { 'show-posts': '', page: PAGE, sync }, untouched: true });
  await box.until(() => box.all('li').length === posts.length, 'the comments');
  return box;
}

/** Of Ada. */
async function openOwn(bff: TestBff, posts: readonly ListedPost[], tab?: Tab): Promise<Box> {
  const box = await openArticle(bff, posts, tab && { tab });
  box.turnTo();
  await box.until(() => box.offers('Edit'), 'the actions');
  return box;
}

const signInAda = (bff: TestBff): Promise<void> => (
  bff.setSession({ state: 'signed-in', user: { user_id: '42', ...ADA } })
);

const GONE = { type: 'urn:vestibule:not-found', title: 'Not found', status: 410, detail: '', retryable: false };

const editorOf = (box: Box): HTMLTextAreaElement | undefined => box.all<HTMLTextAreaElement>('.editor textarea')[0];
const failuresOf = (box: Box): string[] => box.all('.failure').map(({ textContent }) => textContent);

function writeInto(box: Box, text: string): void {
  const editor = editorOf(box)!;
  editor.value = text;
  editor.dispatchEvent(new InputEvent('input'));
}

describe('an edit', () => {
  it('is made in place, saved, and lies over the list until the list shows it', async () => {
    const thread = await open([mine('1', 'first text'), listed('2')]);
    await answer(thread, 'PATCH /posts/1', {
      json: { listed: { ...mine('1', 'second text'), edited_at: new Date().toISOString(), state: 'published' } },
    });
    await edit(thread, 'first text', ' second text');
    expect(thread.messageOf(thread.posts[0]!).checkVisibility()).to.equal(false);
    await expect(thread.element).to.be.accessible();
    await thread.press('Save changes');
    await thread.until(() => thread.messages[0] === 'second text', 'the new text');
    await thread.hasFocusOn('Edit');
    expect([thread.threadStatus, thread.words.includes('edited')]).to.deep.equal(['Your change is saved.', true]);
    expect(await bodies(thread, 'PATCH /posts/1')).to.deep.equal([{ forum: 'news', page: PAGE, message: ' second text', expected_user_id: '42' }]);
    const again = await open([mine('1', 'first text')], { bff: thread.bff });
    await again.until(() => again.messages[0] === 'second text', 'the new text after a reload');
    const third = article([mine('1', 'third text')]);
    await lists(again.bff, third, third);
    minuteLater();
    await again.until(() => again.messages[0] === 'third text', 'the text of the list');
  });

  it('and a like of comments beyond the first list, which is not read again, stay', async () => {
    const thread = await open([listed('1')], {}, { next_cursor: 'c' });
    await lists(thread.bff, article([mine('2', 'first text'), listed('3', 'x', { likes: 3 })]));
    await thread.press('Show more comments');
    await answer(thread, 'PATCH /posts/2', { json: { listed: { ...mine('2', 'second text'), state: 'published' } } });
    await answer(thread, 'PUT /posts/3/like', { json: { likes: 4 } });
    await edit(thread, 'first text', 'second text');
    await thread.press('Save changes');
    like(thread, 'x').click();
    await thread.until(() => thread.messages[1] === 'second text' && likeOf(thread, 'x') === 'true 4', 'both');
    const first = article([listed('1', 'a later text')], { next_cursor: 'c' });
    await lists(thread.bff, first);
    minuteLater();
    await thread.until(() => thread.messages[0] === 'a later text', 'the first list');
    expect([thread.messages[1], likeOf(thread, 'x')]).to.deep.equal(['second text', 'true 4']);
    // What is written next leaves the others.
    await answer(thread, 'PUT /posts/1/like', { json: { likes: 1 } });
    like(thread, 'a later text').click();
    await thread.until(() => likeOf(thread, 'a later text') === 'true 1', 'another like');
    expect([thread.messages[1], likeOf(thread, 'x')]).to.deep.equal(['second text', 'true 4']);
  });

  it('that is left with Escape stays as a draft of its comment', async () => {
    const thread = await open([mine('1', 'first'), mine('2', 'second')]);
    await edit(thread, 'first', 'changed');
    const keys: string[] = [];
    document.addEventListener('keydown', ({ key }) => keys.push(key));
    for (const key of ['a', 'Escape']) field(thread).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    await thread.hasFocusOn('Edit');
    expect([thread.messages, keys]).to.deep.equal([['first', 'second'], ['Escape']]);
    thread.act('second', 'Edit')!.click();
    await thread.until(() => thread.all('textarea').length === 1, 'the field');
    expect(field(thread).value).to.equal('second');
    await thread.press('Cancel');
    const again = await open([mine('1', 'first')], { bff: thread.bff });
    await again.until(() => again.act('first', 'Edit'), 'the button');
    again.act('first', 'Edit')!.click();
    await again.until(() => again.all('textarea').length === 1, 'the field');
    expect(field(again).value).to.equal('changed');
  });

  for (const [what, response, words] of [
    ['is refused', { problem: 'post-rejected', detail: 'Be kind.' }, 'Be kind.'],
    ['comes after the comment was removed', { problem: 'not-found' }, 'This comment was removed.'],
    ['comes after its hook says that it is gone', { json: GONE, status: 410 }, 'This comment was removed.'],
    ['comes after the session', { problem: 'not-signed-in' }, 'You are no longer signed in. Please sign in again.'],
    ['comes after another account', { problem: 'user-changed' }, 'You are signed in with another account now.'],
    ['is refused by a proxy', { status: 401, text: 'No.' }, 'That did not work. Please try again.'],
    ['is too long for the BFF', { problem: 'message-too-long' }, 'This comment is too long.'],
    ['is too long for a proxy', { status: 413, text: 'No.' }, 'This comment is too long.'],
    ['comes too often', { problem: 'too-many-requests', headers: { 'Retry-After': '90' } }, 'Too many attempts. Please wait a moment and try again.'],
    ['is refused by the service', { problem: 'service-refused' }, 'This was not accepted. Please try again later.'],
    ['fails', { problem: 'bad-service-response' }, 'That did not work. Please try again.'],
  ] as const) {
    it(`that ${what} keeps its text and says so`, async () => {
      const thread = await open([mine('1', 'first')]);
      let asked = 0;
      thread.element.addEventListener('stale', () => { asked += 1; });
      await answer(thread, 'PATCH /posts/1', response);
      await edit(thread, 'first', 'changed');
      field(thread).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
      await thread.says(words);
      expect([field(thread).value, failures(thread), asked > 0]).to.deep.equal(['changed', [words], what.includes('session') || what.includes('account')]);
      expect(stored()).to.contain('changed');
    });
  }

  for (const [what, list, text] of [
    ['is gone', [listed('2')], 'first'], ['is a removed one', [mine('1', '', { removed: true }), listed('2')], ''],
  ] as const) {
    it(`of a comment that ${what} meanwhile keeps its place, and its text until the reader closes it`, async () => {
      const thread = await open([mine('1', 'first'), listed('2')]);
      await edit(thread, 'first', 'changed');
      await lists(thread.bff, article(list, { total: 7 }));
      minuteLater();
      await thread.until(() => thread.changes.at(-1)?.total === 7, 'the newer list');
      expect([field(thread).value, thread.posts.length]).to.deep.equal(['changed', 2]);
      await thread.press('Cancel');
      await thread.until(() => thread.all('textarea').length === 0 && thread.messages.join() === `${text},post 2`, 'what the list says');
    });
  }

  it('without a text is not sent', async () => {
    const thread = await open([mine('1', 'first')]);
    await edit(thread, 'first', ' ');
    await thread.press('Save changes');
    await thread.says('Write something first.');
    expect(await thread.bff.requests('PATCH /posts/1')).to.deep.equal([]);
  });

  it('that waits for approval says so', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { json: { listed: { ...mine('1', 'second'), state: 'pending' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save changes');
    await thread.until(() => thread.threadStatus === 'Your change is waiting for approval.', 'the status');
    expect([thread.words.includes('Your change is waiting for approval.'), thread.act('second', 'Reply')]).to.deep.equal([true, undefined]);
  });

  it('that waits for approval is shown so while the list shows the text before, for a week at most', async () => {
    const posts = [mine('1', 'first'), listed('2', 'b')];
    const thread = await open(posts);
    const pending = (text: string): object => ({ json: { listed: { ...mine('1', text), state: 'pending' } } });
    await answer(thread, 'PATCH /posts/1', pending('second'), pending('third'));
    for (const [from, to] of [['first', 'second'], ['second', 'third']] as const) {
      await edit(thread, from, to);
      await thread.press('Save changes');
      await thread.until(() => thread.act(to, 'Edit'), 'the new text');
    }
    thread.element.remove();
    letPass(60 * 60_000);
    const again = await openThread(article(posts), { bff: thread.bff, userKey: KEY }, 2);
    await again.until(() => again.messages.join() === 'third,b', 'the text that waits');
    expect([again.words.includes('Your change is waiting for approval.'), again.actsOf('third').includes('Delete')]).to.deep.equal([true, true]);
    await lists(again.bff, article([mine('1', 'approved'), listed('2', 'b')]));
    minuteLater();
    await again.until(() => again.messages.join() === 'approved,b', 'the text of the list');
    expect(again.words.includes('Your change is waiting')).to.equal(false);
    again.element.remove();
    letPass(7 * 24 * 60 * 60_000);
    await signInAda(thread.bff);
    const late = await openOwn(thread.bff, posts);
    expect(late.part('message')!.textContent).to.equal('first');
  });

  it('shows what its reader has written, also nothing, whatever the thread draws meanwhile', async () => {
    const thread = await open([mine('1', 'first')]);
    await edit(thread, 'first', '');
    thread.element.requestUpdate();
    await thread.element.updateComplete;
    expect(field(thread).value).to.equal('');
    await thread.press('Save changes');
    await thread.says('Write something first.');
    expect(field(thread).value).to.equal('');
  });

  for (const inlineSize of ['358px', '288px']) {
    it(`is shown at the press, and its answer moves nothing, in a column of ${inlineSize}`, async () => {
      const bff = new TestBff();
      await signInAda(bff);
      const box = await openOwn(bff, [mine('1', 'first'), listed('2', 'b')]);
      box.element.parentElement!.style.inlineSize = inlineSize;
      const [thread] = box.all('vestibule-thread') as Thread['element'][];
      const below = (): number => {
        const [first, next] = box.all('li');
        return next!.getBoundingClientRect().top - first!.getBoundingClientRect().top;
      };
      await bff.set({ answers: { 'PATCH /posts/1': [
        { hold: 'edit', json: { listed: { ...mine('1', 'second'), edited_at: new Date().toISOString(), state: 'published' } } },
      ] } });
      await box.press('Edit');
      await box.until(() => editorOf(box), 'the field');
      writeInto(box, 'second\n');
      await box.press('Save changes');
      await box.hasFocusOn('One moment…');
      await frames();
      const atPress = below();
      expect([editorOf(box), box.part('message')!.textContent, box.offers('Delete')]).to.deep.equal([undefined, 'second', false]);
      // A second press does nothing.
      await box.press('One moment…');
      await thread!.updateComplete;
      expect(editorOf(box)).to.equal(undefined);
      await bff.release('edit');
      await box.hasFocusOn('Edit');
      await frames();
      expect([below(), stored().includes('second\\n')]).to.deep.equal([atPress, false]);
    });
  }

  it('that fails is open again with its text, and has the focus if the reader has stayed', async () => {
    for (const hasStayed of [true, false]) {
      const thread = await open([mine('1', 'first'), mine('2', 'b'), reply('3', '1')]);
      await answer(thread, 'PATCH /posts/1', { hold: 'edit', problem: 'post-rejected', detail: 'Be kind.' });
      await edit(thread, 'first', 'second');
      await thread.press('Save changes');
      await thread.until(() => thread.messages[0] === 'second', 'the text');
      if (!hasStayed) thread.act('post 3', 'Reply')!.focus();
      await thread.bff.release('edit');
      await thread.until(() => failures(thread)[0] === 'Be kind.', 'the failure');
      await frames();
      expect([field(thread).value, thread.element.shadowRoot!.activeElement === field(thread)]).to.deep.equal(['second', hasStayed]);
      await thread.press('Cancel');
      await thread.until(() => thread.messages[0] === 'first', 'the text before');
      expect(stored()).to.contain('second');
      thread.element.remove();
      localStorage.clear();
    }
  });

  it('leaves the focus where the reader has gone meanwhile', async () => {
    const thread = await open([mine('1', 'first'), mine('2', 'b')]);
    await answer(thread, 'PATCH /posts/1', { hold: 'edit', json: { listed: { ...mine('1', 'second'), state: 'published' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save changes');
    await thread.hasAsked('PATCH /posts/1', 1);
    thread.act('b', 'Reply')!.focus();
    await thread.bff.release('edit');
    await thread.until(() => thread.act('second', 'Edit'), 'the new text');
    await frames();
    expect(thread.focus).to.equal('Reply');
  });

  it('of a reader whose session has ended says so when nobody is signed in, and its text comes back with them', async () => {
    const bff = new TestBff();
    await signInAda(bff);
    const box = await openOwn(bff, [mine('1', 'first')]);
    await box.press('Edit');
    await box.until(() => box.all('.editor textarea').length === 1, 'the field');
    writeInto(box, 'changed');
    await bff.setSession({});
    await bff.set({ answers: { 'PATCH /posts/1': [{ problem: 'not-signed-in' }] } });
    await box.press('Save changes');
    await box.isSignedOut();
    expect([box.all('.editor').length, failuresOf(box)]).to.deep.equal([0, ['You are no longer signed in. Please sign in again.']]);
    await signInAda(bff);
    box.element.box!.refreshSession();
    await box.press('Edit');
    await box.until(() => editorOf(box)?.value === 'changed', 'the text');
    expect(failuresOf(box)).to.deep.equal([]);
  });

  it('ends with a sign-out in another tab, which leaves nothing of its text', async () => {
    const bff = new TestBff();
    await signInAda(bff);
    const tab = await openTab();
    const box = await openOwn(bff, [mine('1', 'first')]);
    const other = await openOwn(bff, [mine('1', 'first')], tab);
    await box.press('Edit');
    await box.until(() => editorOf(box), 'the field');
    writeInto(box, 'secret words');
    await bff.set({ answers: { 'DELETE /session': [{ status: 204, text: '' }] } });
    await bff.setSession({});
    await other.element.signOut();
    await box.isSignedOut();
    expect([editorOf(box), box.words.includes('secret'), stored().includes('secret')]).to.deep.equal([undefined, false, false]);
  });

  it('whose answer comes while the page has put the thread aside is saved', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { hold: 'edit', json: { listed: { ...mine('1', 'second'), state: 'published' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save changes');
    await thread.hasAsked('PATCH /posts/1', 1);
    const place = thread.element.parentElement!;
    thread.element.remove();
    await thread.bff.release('edit');
    await thread.until(() => stored().includes('vestibule:likes'), 'the edit');
    place.append(thread.element);
    await thread.until(() => thread.messages[0] === 'second' && thread.all('textarea').length === 0, 'the text');
  });

  it('that fails while the page has put the thread aside says so when it is back', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { hold: 'edit', problem: 'service-unavailable' }, { problem: 'post-rejected' });
    await edit(thread, 'first', 'second');
    await thread.press('Save changes');
    await thread.hasAsked('PATCH /posts/1', 1);
    const place = thread.element.parentElement!;
    thread.element.remove();
    await thread.bff.release('edit');
    await thread.until(() => thread.details('error').length > 0, 'the event');
    place.append(thread.element);
    await thread.until(() => failures(thread)[0] === 'Comments are not available right now. Please try again in a moment.', 'the failure');
    expect([field(thread).value, thread.offers('Save changes'), (await thread.bff.requests('PATCH /posts/1')).length]).to.deep.equal(['second', true, 1]);
  });

  it('whose answer comes when another reader is signed in changes nothing for them', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { hold: 'edit', json: { listed: { ...mine('1', 'second'), state: 'published' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save changes');
    await thread.hasAsked('PATCH /posts/1', 1);
    Object.assign(thread.element, { account: '43', userKey: 'key of Bob' });
    await thread.until(() => thread.all('textarea').length === 0, 'no field');
    await thread.bff.release('edit');
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    expect([thread.messages, thread.offers('Edit'), stored().includes('vestibule:likes')]).to.deep.equal([['first'], false, false]);
  });
});

describe('a removal', () => {
  it('is asked once in place, shown and sent at once, and leaves a line in the place of the comment', async () => {
    const thread = await open([mine('1', 'a'), listed('2', 'b')], {}, { total: 12 });
    await answer(thread, 'DELETE /posts/1', { hold: 'removal', status: 204, text: '' });
    await remove(thread, 'a');
    await thread.hasFocusOn('Keep');
    expect(thread.actsOf('a')).to.deep.equal([]);
    await expect(thread.element).to.be.accessible();
    await thread.press('Keep');
    await thread.hasFocusOn('…');
    expect(thread.words).not.to.contain('Delete this comment?');
    await remove(thread, 'a');
    await thread.press('Delete');
    await thread.hasAsked('DELETE /posts/1', 1);
    // Before the answer.
    await thread.hasFocusOn('Your comment was deleted.');
    expect([thread.posts.map(({ innerText }) => innerText.trim())[0], thread.changes.at(-1)?.total]).to.deep.equal(['Your comment was deleted.', 11]);
    // The focus has said it.
    expect(thread.threadStatus).to.equal('');
    await thread.bff.release('removal');
    await thread.until(() => stored().includes('isRemoved'), 'the record');
    expect((await thread.bff.requests('DELETE /posts/1')).map(({ query }) => query)).to.deep.equal([{ forum: 'news', page: PAGE, expected_key: KEY }]);
    await lists(thread.bff, article([listed('2', 'b')], { total: 11 }), article([listed('2', 'b')], { total: 11 }));
    minuteLater();
    await thread.hasAsked('GET /posts', 2);
    await thread.element.updateComplete;
    expect(thread.posts.length).to.equal(2);
    const again = await open([listed('2', 'b')], { bff: thread.bff }, { total: 11 });
    expect([again.messages, again.changes.at(-1)?.total]).to.deep.equal([['b'], 11]);
  });

  it('is said where the focus is elsewhere: its answer takes the focus from nowhere', async () => {
    const thread = await open([mine('1', 'a'), reply('2', '1', 'b')]);
    await answer(thread, 'DELETE /posts/1', { hold: 'removal', status: 204, text: '' });
    await remove(thread, 'a');
    thread.act('b', 'Reply')!.focus();
    await thread.press('Delete');
    await thread.until(() => thread.threadStatus === 'Your comment was deleted.', 'the status');
    await thread.bff.release('removal');
    await thread.until(() => stored().includes('isRemoved'), 'the record');
    await frames();
    expect(thread.focus).to.equal('Reply');
  });

  it('whose answer comes after the sign-out holds, and one that has failed by then does not', async () => {
    for (const [response, text] of [[{ status: 204, text: '' }, ''], [{ problem: 'service-refused' }, 'a']] as const) {
      const thread = await open([mine('1', 'a'), listed('2', 'b')]);
      await answer(thread, 'DELETE /posts/1', { hold: 'removal', ...response });
      await remove(thread, 'a');
      await thread.press('Delete');
      await thread.hasAsked('DELETE /posts/1', 1);
      Object.assign(thread.element, { account: '', userKey: undefined });
      await thread.until(() => !thread.offers('Edit'), 'no account');
      await thread.bff.release('removal');
      await thread.until(() => thread.messages.join() === `${text},b`, 'the comments');
      expect(stored()).not.to.include('isRemoved');
      thread.element.remove();
    }
  });

  it('holds after the sign-out, before the list has it', async () => {
    const thread = await open([mine('1', 'gone text'), listed('2', 'b')]);
    await answer(thread, 'DELETE /posts/1', { status: 204, text: '' });
    await remove(thread, 'gone text');
    await thread.press('Delete');
    await thread.says('Your comment was deleted.');
    thread.element.account = '';
    thread.element.userKey = undefined;
    await frames();
    expect([thread.words.includes('gone text'), thread.words.includes('Your comment was deleted.')]).to.deep.equal([false, false]);
    await thread.says('This comment');
  });

  it('is not answered by the key that is held down since it was asked', async () => {
    const thread = await open([mine('1', 'a')]);
    await remove(thread, 'a');
    const press = (repeat: boolean): boolean => thread.button('Keep')!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, composed: true, cancelable: true }),
    );
    expect([press(true), press(false)]).to.deep.equal([false, true]);
  });

  it('describes both answers by the question', async () => {
    const thread = await open([mine('1', 'a')]);
    await remove(thread, 'a');
    const described = ['Keep', 'Delete'].map((name) => thread.button(name)!.ariaDescribedByElements?.map(({ textContent }) => textContent));
    expect(described).to.deep.equal([['Delete this comment?'], ['Delete this comment?']]);
  });

  it('leaves the question with Escape', async () => {
    const thread = await open([mine('1', 'a')]);
    await remove(thread, 'a');
    thread.button('Keep')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await thread.hasFocusOn('…');
    expect([thread.words.includes('Delete this comment?'), await thread.bff.requests('DELETE /posts/1')]).to.deep.equal([false, []]);
  });

  it('in another tab takes the comment away here, and a like there is shown here', async () => {
    const bff = new TestBff();
    await signInAda(bff);
    const tab = await openTab();
    const posts = [mine('1', 'a'), listed('2', 'b')];
    const box = await openOwn(bff, posts);
    const other = await openOwn(bff, posts, tab);
    await bff.set({ answers: { 'DELETE /posts/1': [{ status: 204, text: '' }], 'PUT /posts/2/like': [{ json: { likes: 5 } }] } });
    other.all('.dots')[0]!.click();
    await other.press('Delete');
    await other.says('Delete this comment?');
    await other.press('Delete');
    await box.until(() => box.all('li').length === 1, 'one comment');
    other.all('.like')[0]!.click();
    await box.until(() => box.all('.like[aria-pressed=true]').length === 1, 'the like');
  });

  it('leaves a place for the replies', async () => {
    const thread = await open([mine('1', 'my text'), reply('2', '1')]);
    await answer(thread, 'DELETE /posts/1', { status: 204, text: '' });
    await remove(thread, 'my text');
    await thread.press('Delete');
    await thread.hasFocusOn('Your comment was deleted.');
    const [post] = thread.posts;
    await frames();
    const { innerText } = post!.querySelector<HTMLElement>(':scope > div > div')!;
    expect(innerText).to.match(/^Your comment was deleted\.\s+Jun 9, 2026\s*$/);
    expect(thread.messages.slice(1)).to.deep.equal(['post 2']);
  });

  it('of a comment that was just posted does not come back', async () => {
    const entry = { ...mine('9', 'brand new'), state: 'published' } as const;
    const thread = await open([listed('1')], { entries: [own('brand new', { listed: entry })] });
    await answer(thread, 'DELETE /posts/9', { status: 204, text: '' });
    await remove(thread, 'brand new');
    await thread.press('Delete');
    await thread.until(() => thread.messages.join() === ',post 1', 'no text of the comment');
    letPass(120_000);
    thread.element.requestUpdate();
    await thread.element.updateComplete;
    expect(thread.messages).to.deep.equal(['', 'post 1']);
  });

  it('that fails brings the comment back, with a word, and the focus stays with it', async () => {
    const thread = await open([mine('1', 'a')], {}, { total: 3 });
    await answer(thread, 'DELETE /posts/1', { hold: 'removal', problem: 'service-refused' });
    await remove(thread, 'a');
    await thread.press('Delete');
    await thread.hasFocusOn('Your comment was deleted.');
    await thread.bff.release('removal');
    await thread.says('This was not accepted.');
    await thread.hasFocusOn('Ada');
    expect([thread.messages, thread.words.includes('Delete this comment?'), thread.changes.at(-1)?.total]).to.deep.equal([['a'], false, 3]);
  });
});

describe('an action that fails', () => {
  const requests = { edit: 'PATCH /posts/1', removal: 'DELETE /posts/1', like: 'PUT /posts/1/like' } as const;

  async function start(action: keyof typeof requests, ...answers: readonly object[]): Promise<Thread> {
    const thread = await open([action === 'like' ? listed('1', 'first', { likes: 3 }) : mine('1', 'first')]);
    await answer(thread, requests[action], ...answers);
    if (action === 'edit') await edit(thread, 'first', 'changed');
    else if (action === 'removal') await remove(thread, 'first');
    if (action === 'like') like(thread, 'first').click();
    else await thread.press(action === 'edit' ? 'Save changes' : 'Delete');
    return thread;
  }

  /** What the reader has not lost. */
  const left = (thread: Thread, action: keyof typeof requests): unknown => (
    action === 'edit' ? field(thread).value : action === 'removal' ? thread.messages.join() : likeOf(thread, 'first')
  );
  const expected = { edit: 'changed', removal: 'first', like: 'false 3' } as const;

  for (const action of ['edit', 'removal', 'like'] as const) {
    it(`is taken back with a word and one event: ${action}`, async () => {
      for (const [response, words] of [
        [{ json: GONE, status: 410 }, 'This comment was removed.'],
        [{ problem: 'not-found' }, 'This comment was removed.'],
        [{ problem: 'not-signed-in' }, 'You are no longer signed in. Please sign in again.'],
        [{ problem: 'user-changed' }, 'You are signed in with another account now.'],
        [{ problem: 'post-rejected', detail: 'Voting is over.' }, 'Voting is over.'],
        [{ problem: 'too-many-requests', headers: { 'Retry-After': '90' } }, 'Too many attempts. Please wait a moment and try again.'],
      ] as const) {
        const thread = await start(action, response);
        await thread.says(words);
        expect([left(thread, action), failures(thread), thread.details('error').length]).to.deep.equal([expected[action], [words], 1]);
        thread.element.remove();
        localStorage.clear();
      }
    });

    it(`is repeated where that is safe: ${action}`, async () => {
      const isSafe = (type: string, status: number): object => (
        { status, json: { type: `urn:vestibule:${type}`, title: type, status, detail: '', retryable: true }, headers: { 'Retry-After': '0' } }
      );
      const thread = await start(action, isSafe('too-many-requests', 429), isSafe('internal-error', 500), isSafe('outcome-unknown', 504), { problem: 'post-rejected', detail: 'Done.' });
      await thread.says('Done.');
      expect((await thread.bff.requests(requests[action])).length).to.equal(4);
    });

    it(`says so at once where the browser is offline: ${action}`, async () => {
      replace(navigator, { onLine: false });
      const thread = await start(action, { cut: true });
      await thread.says('We could not connect.');
      expect([left(thread, action), (await thread.bff.requests(requests[action])).length]).to.deep.equal([expected[action], 1]);
    });
  }
});

describe('a comment of the list', () => {
  for (const lang of ['en', 'de']) {
    it(`is rendered when it has changed, and not with the others: in the language ${lang}`, async () => {
      const at = new Date(Date.now() - 2.5 * 60 * 60_000).toISOString();
      const posts = Array.from({ length: 20 }, (_, index) => (
        { ...index % 4 ? reply(`${index}`, `${index - index % 4}`) : mine(`${index}`, `mine ${index}`), created_at: at, likes: 1 }
      ));
      const thread = await open(posts, { lang });
      await thread.until(() => thread.all('.edit').length === 5, 'the buttons');
      thread.all('.edit')[0]!.click();
      await thread.until(() => thread.all('.editor .quiet')[0], 'the actions');
      thread.all('.editor .quiet')[0]!.click();
      await thread.element.updateComplete;
      await frames();
      // Each comment that is rendered has its exact time anew.
      let count = 0;
      replace(Intl.DateTimeFormat.prototype, { format: () => {
        count += 1;
        return 'a time';
      } });
      const renderedBy = async (act: () => unknown): Promise<number> => {
        count = 0;
        await act();
        await frames();
        await thread.element.updateComplete;
        return count;
      };
      const requests = (await thread.queries()).length;
      expect([
        await renderedBy(() => thread.element.requestUpdate()),
        await renderedBy(() => thread.all('.edit')[0]!.click()),
        await renderedBy(() => { field(thread).value = 'changed'; field(thread).dispatchEvent(new InputEvent('input')); }),
        await renderedBy(() => thread.all('.editor .quiet')[0]!.click()),
        await renderedBy(() => { thread.element.replyingTo = '4'; }),
        await renderedBy(() => { thread.element.replyingTo = '8'; }),
        await renderedBy(() => thread.element.say('Link copied', '4')),
        await renderedBy(async () => {
          minuteLater();
          await thread.until(async () => (await thread.queries()).length > requests, 'the next list');
        }),
      ]).to.deep.equal([0, 1, 0, 1, 1, 2, 1, 0]);
    });
  }

  it('that was edited says so, with the exact time', async () => {
    const thread = await openThread([listed('1', 'a', { edited_at: '2026-06-09T22:30:00Z' })]);
    await thread.says('edited');
    expect(thread.all('.tag')[0]!.title).to.match(/2026.* (?:at )?\d/);
  });

  it('that was removed leaves its place to its replies, without actions', async () => {
    const thread = await openThread({ posts: [listed('1', '', { author: { username: '' }, removed: true }), reply('2', '1')], replies: true });
    expect(thread.headingOf(thread.posts[0]!).textContent).to.equal('This comment is not shown.');
    expect(thread.all('.acts').length).to.equal(1);
    await expect(thread.element).to.be.accessible();
  });
});
