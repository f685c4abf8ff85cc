/** The reader's own comments and likes: edit, remove, like; and what the list says of them. */

import { expect } from '@open-wc/testing';
import { a11ySnapshot } from '@web/test-runner-commands';
import type { ListedPost, PostList } from '@vestibule/shared';
import { TestBff } from '../_bff.ts';
import { letPass, openBox, recordWindows, replace, stored } from '../comments/_box.ts';
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
  openThread(article(posts, more), { userKey: KEY, ...options }, posts.length + (options.ownPosts?.length ?? 0))
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
  await thread.until(() => thread.act(message, 'Delete'), 'the button');
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
    const other = await open([mine('1', 'a')], { userKey: undefined });
    expect([thread.offers('Like'), other.offers('Edit'), other.offers('Delete'), isLoaded()]).to.deep.equal([false, false, false, false]);
  });

  it('are edit and delete at the reader’s own comments alone, those that were just posted included', async () => {
    const entry = { ...mine('9', 'brand new'), state: 'published' } as const;
    const thread = await open([listed('1'), mine('2', 'b')], { ownPosts: [own('brand new', { listed: entry })] });
    await thread.until(() => thread.act('b', 'Edit'), 'the button');
    expect(['brand new', 'post 1', 'b'].map((message) => ['Edit', 'Delete', 'Like'].map((name) => thread.act(message, name) !== undefined)))
      .to.deep.equal([[true, true, true], [false, false, true], [true, true, true]]);
    thread.element.account = '';
    thread.element.userKey = undefined;
    await thread.until(() => !thread.offers('Edit'), 'nothing to edit');
  });

  it('are delete alone on an article that takes no comments, which shows the likes as a number', async () => {
    const thread = await open([mine('1', 'a', { likes: 3 }), listed('2')], {}, { closed: 'Over.' });
    await thread.until(() => thread.act('a', 'Delete'), 'the button');
    expect([thread.act('a', 'Edit'), thread.all('.like'), thread.words.includes('3 likes')]).to.deep.equal([undefined, [], true]);
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
    letPass(61_000);
    again.element.requestUpdate();
    await again.until(() => likeOf(again, 'x') === 'true 3', 'the number of the list');
    expect(likeOf(again, 'x')).to.equal('true 3');
  });

  it('has its noun by ear', async () => {
    const thread = await open([listed('1', 'x', { likes: 1 })]);
    Object.assign(thread.element.parentElement!, { id: 'page', role: 'region', ariaLabel: 'Page' });
    await frames();
    const snapshot = JSON.stringify(await a11ySnapshot({ selector: '#page' }));
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
    await thread.says('The comment service is not available right now.');
    expect([likeOf(thread, 'y'), (await thread.bff.requests('PUT /posts/2/like')).length]).to.deep.equal(['false ', 1]);
  });

  it('of an unsigned reader opens the sign-in window in the press, and follows the sign-in', async () => {
    const bff = new TestBff();
    const windows = recordWindows();
    await lists(bff, article([listed('1', 'x', { likes: 3 })]));
    await bff.set({ answers: { 'PUT /posts/1/like': [{ json: { likes: 4 } }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, untouched: true });
    await box.until(() => box.all('.like')[0], 'the button');
    const [button] = box.all('.like');
    button!.focus();
    button!.click();
    expect(windows.length).to.equal(1);
    expect(button!.ariaPressed).to.equal('false');
    await bff.signIn();
    window.dispatchEvent(new Event('focus'));
    await box.isSignedIn('Ada');
    await box.until(() => button!.ariaPressed === 'true', 'the like');
    expect([button!.textContent.includes('4'), box.all('textarea').some((text) => text.matches(':focus'))]).to.deep.equal([true, false]);
    expect((await bff.requests('PUT /posts/1/like')).length).to.equal(1);
  });
});

const GONE = { type: 'urn:vestibule:not-found', title: 'Not found', status: 410, detail: '', retryable: false };

describe('an edit', () => {
  it('is made in place, saved, and lies over the list until the list shows it', async () => {
    const thread = await open([mine('1', 'first text'), listed('2')]);
    await answer(thread, 'PATCH /posts/1', {
      json: { listed: { ...mine('1', 'second text'), edited_at: new Date().toISOString(), state: 'published' } },
    });
    await edit(thread, 'first text', ' second text');
    expect(thread.messageOf(thread.posts[0]!).checkVisibility()).to.equal(false);
    await expect(thread.element).to.be.accessible();
    await thread.press('Save');
    await thread.until(() => thread.messages[0] === 'second text', 'the new text');
    await thread.hasFocusOn('Edit');
    expect([thread.threadStatus, thread.words.includes('edited now')]).to.deep.equal(['Your change is saved.', true]);
    expect(await bodies(thread, 'PATCH /posts/1')).to.deep.equal([{ forum: 'news', page: PAGE, message: ' second text', expected_user_id: '42' }]);
    const again = await open([mine('1', 'first text')], { bff: thread.bff });
    await again.until(() => again.messages[0] === 'second text', 'the new text after a reload');
    const third = article([mine('1', 'third text')]);
    await lists(again.bff, third, third);
    minuteLater();
    await again.until(() => again.messages[0] === 'third text', 'the text of the list');
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
    ['comes after the comment was removed', { problem: 'not-found' }, 'This comment is not here any more.'],
    ['comes after its hook says that it is gone', { json: GONE, status: 410 }, 'This comment is not here any more.'],
    ['comes after the session', { problem: 'not-signed-in' }, 'You are no longer signed in. Please sign in again.'],
    ['comes after another account', { problem: 'user-changed' }, 'You are signed in with another account now.'],
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

  for (const [what, list] of [['is gone', [listed('2')]], ['is a removed one', [mine('1', '', { removed: true }), listed('2')]]] as const) {
    it(`of a comment that ${what} meanwhile keeps its place until the reader closes it`, async () => {
      const thread = await open([mine('1', 'first'), listed('2')]);
      await edit(thread, 'first', 'changed');
      await lists(thread.bff, article(list, { total: 7 }));
      minuteLater();
      await thread.until(() => thread.changes.at(-1)?.total === 7, 'the newer list');
      expect([field(thread).value, thread.posts.length]).to.deep.equal(['changed', 2]);
      await thread.press('Cancel');
      await thread.until(() => thread.all('textarea').length === 0 && thread.messages[0] !== 'first', 'no text of the removed comment');
    });
  }

  it('without a text is not sent', async () => {
    const thread = await open([mine('1', 'first')]);
    await edit(thread, 'first', ' ');
    await thread.press('Save');
    await thread.says('Write something first.');
    expect(await thread.bff.requests('PATCH /posts/1')).to.deep.equal([]);
  });

  it('that waits for approval says so', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { json: { listed: { ...mine('1', 'second'), state: 'pending' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save');
    await thread.until(() => thread.threadStatus === 'Your change is waiting for approval.', 'the status');
    expect([thread.words.includes('Only you see this until it is approved.'), thread.act('second', 'Reply')]).to.deep.equal([true, undefined]);
  });

  it('whose answer comes when another reader is signed in changes nothing for them', async () => {
    const thread = await open([mine('1', 'first')]);
    await answer(thread, 'PATCH /posts/1', { hold: 'edit', json: { listed: { ...mine('1', 'second'), state: 'published' } } });
    await edit(thread, 'first', 'second');
    await thread.press('Save');
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
  it('is asked once in place, sent at once, and takes the comment away', async () => {
    const thread = await open([mine('1', 'a'), listed('2', 'b')], {}, { total: 12 });
    await answer(thread, 'DELETE /posts/1', { hold: 'removal', status: 204, text: '' });
    await remove(thread, 'a');
    await thread.hasFocusOn('Delete');
    await expect(thread.element).to.be.accessible();
    await thread.press('Keep');
    await thread.hasFocusOn('Edit');
    expect(thread.words).not.to.contain('Delete this comment?');
    await remove(thread, 'a');
    await thread.press('Delete');
    await thread.hasAsked('DELETE /posts/1', 1);
    await thread.bff.release('removal');
    await thread.until(() => thread.messages.join() === 'b', 'one comment');
    await thread.hasFocusOn('Reader 2');
    expect([thread.threadStatus, thread.changes.at(-1)?.total]).to.deep.equal(['Your comment is deleted.', 11]);
    expect((await thread.bff.requests('DELETE /posts/1')).map(({ query }) => query)).to.deep.equal([{ forum: 'news', page: PAGE, expected_key: KEY }]);
    const again = await open([mine('1', 'a'), listed('2', 'b')].slice(1), { bff: thread.bff });
    expect(again.messages).to.deep.equal(['b']);
  });

  it('leaves a place for the replies', async () => {
    const thread = await open([mine('1', 'my text'), reply('2', '1')]);
    await answer(thread, 'DELETE /posts/1', { status: 204, text: '' });
    await remove(thread, 'my text');
    await thread.press('Delete');
    await thread.hasFocusOn('This comment was removed.');
    const [post] = thread.posts;
    await frames();
    const { innerText } = post!.querySelector<HTMLElement>(':scope > div > div')!;
    expect(innerText).to.match(/^This comment was removed\.\s+Jun 9, 2026\s*$/);
    expect(thread.messages.slice(1)).to.deep.equal(['post 2']);
  });

  it('of a comment that was just posted does not come back', async () => {
    const entry = { ...mine('9', 'brand new'), state: 'published' } as const;
    const thread = await open([listed('1')], { ownPosts: [own('brand new', { listed: entry })] });
    await answer(thread, 'DELETE /posts/9', { status: 204, text: '' });
    await remove(thread, 'brand new');
    await thread.press('Delete');
    await thread.until(() => thread.messages.join() === 'post 1', 'one comment');
    letPass(120_000);
    thread.element.requestUpdate();
    await thread.element.updateComplete;
    expect(thread.messages).to.deep.equal(['post 1']);
  });

  it('that fails leaves the comment and the question', async () => {
    const thread = await open([mine('1', 'a')]);
    await answer(thread, 'DELETE /posts/1', { problem: 'service-refused' });
    await remove(thread, 'a');
    await thread.press('Delete');
    await thread.says('That did not work. Please try again.');
    expect([thread.messages, thread.words.includes('Delete this comment?')]).to.deep.equal([['a'], true]);
  });
});

describe('a comment of the list', () => {
  it('that was edited says when', async () => {
    const thread = await openThread([listed('1', 'a', { edited_at: new Date(Date.now() - 300_000).toISOString() })]);
    await thread.says('edited 5 minutes ago');
  });

  it('that was removed leaves its place to its replies, without actions', async () => {
    const thread = await openThread({ posts: [listed('1', '', { author: { username: '' }, removed: true }), reply('2', '1')], replies: true });
    expect(thread.headingOf(thread.posts[0]!).textContent).to.equal('This comment was removed.');
    expect(thread.all('.acts')[0]!.innerText.trim()).to.equal('');
    await expect(thread.element).to.be.accessible();
  });

  it('shows three replies, and the others at the reader’s wish', async () => {
    const replies = Array.from({ length: 7 }, (_, index) => reply(String(index + 2), '1'));
    const thread = await openThread({ posts: [listed('1'), ...replies] }, {}, 4);
    await thread.press('4 more replies');
    await thread.hasFocusOn('Reader 5');
    expect([thread.posts.length, thread.words.includes('more repl')]).to.deep.equal([8, false]);
  });

  it('shows all replies where a link leads to one of them, and where the reader has written one', async () => {
    const replies = Array.from({ length: 5 }, (_, index) => reply(String(index + 2), '1'));
    history.replaceState(null, '', '#vestibule-comment-6');
    const thread = await openThread({ posts: [listed('1'), ...replies] }, {}, 6);
    await thread.hasFocusOn('Reader 6');
    history.replaceState(null, '', location.pathname);
    const other = await openThread({ posts: [listed('1'), ...replies] }, {}, 4);
    other.element.ownPosts = [own('mine', { parent: '1' })];
    await other.hasPosts(7);
  });

  it('is shared by the device’s own choice on phones', async () => {
    const shared: unknown[] = [];
    replace(window, { matchMedia: () => ({ matches: true }) });
    replace(navigator, { share: (data: unknown) => Promise.resolve(shared.push(data)) });
    const thread = await openThread([listed('1')]);
    await thread.press('Share');
    await thread.until(() => shared.length === 1, 'the choice');
    expect([shared, location.hash]).to.deep.equal([[{ url: `${PAGE}#vestibule-comment-1` }], '']);
    replace(navigator, { share: () => Promise.reject(new DOMException('closed', 'AbortError')) });
    await thread.press('Share');
    await thread.element.updateComplete;
    expect([location.hash, thread.words.includes('Link copied')]).to.deep.equal(['', false]);
  });
});
