import { expect } from '@open-wc/testing';
import type { NewPost, ProblemType } from '@vestibule/shared';
import { TestBff } from '../../_bff.ts';
import { Draft } from '../../drafts/draft.ts';
import { pageIdentity } from '../../drafts/page-identity.ts';
import { openBox, openSignedIn } from './_box.ts';

const WILD = 'ünï ✓ 🦊 &=+%20 ~!*\'()\n\n<b>bold?</b> <img src=x onerror=console.error(1)>';

afterEach(() => localStorage.clear());

/** Texts of the drafts in storage. */
function storedTexts(): string[] {
  const drafts = Object.entries({ ...localStorage } as Record<string, string>).filter(([key]) => key.startsWith('vestibule:draft'));
  return drafts.map(([, record]) => (JSON.parse(record) as { text: string }).text).filter((text) => text !== '');
}

describe('the comment box, for a reader who posts', () => {
  it('posts the text unchanged, shows it at once as text, and fires the event', async () => {
    const box = await openSignedIn();
    box.write(WILD);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    const [post] = await box.bff.posts();
    expect(post).to.deep.include({ forum: 'news', message: WILD, page: pageIdentity(null) });
    expect(box.details('posted')).to.deep.equal([{ post }]);
    expect(box.field.value).to.equal('');
    const article = box.element.shadowRoot!.querySelector('article')!;
    expect(article.querySelector('.message')!.textContent).to.equal(WILD);
    expect(article.querySelector('b, img')).to.equal(null);
    expect(storedTexts()).to.deep.equal([]);
  });

  it('posts once, however often the reader submits', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    box.write('once');
    await box.press('Post comment');
    box.button('Posting…')?.click();
    box.pressKeys();
    await box.says('Posting…');
    box.button('Posting…')!.click();
    box.pressKeys({ metaKey: true });
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
  });

  it('posts a text once that two boxes of the page show, also by a click without focus', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const first = await openBox({ bff });
    first.write('once');
    const second = await openBox({ bff });
    await second.until(() => second.field.value === 'once' && second.words.includes('Commenting as Ada'), 'the text and the account');
    await first.press('Post comment');
    await first.says('Your comment is posted.');
    second.button('Post comment')!.click();
    await second.until(() => second.field.value === '', 'the text of the first box');
    expect(await bff.posts()).to.have.length(1);
  });

  it('sends the account that the box shows, also with a second attempt', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '0' } }] } });
    box.write('from Ada');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    const requests = await box.bff.requests('POST /posts');
    expect(requests.map(({ body }) => (body as NewPost).expected_user_id)).to.deep.equal(['42', '42']);
  });

  it('posts nothing under an account that the box does not show: keeps the text, shows the account, and says so', async () => {
    const box = await openSignedIn();
    box.write('from Ada');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    await box.press('Post comment');
    await box.says('You are signed in as Bo. Your comment is not posted yet.');
    expect([box.words.includes('Commenting as Bo'), box.field.value, box.alert]).to.deep.equal([true, '', '']);
    expect(storedTexts()).to.deep.equal(['from Ada']);
    await box.until(async () => (await box.bff.requests('GET /session')).length === 2, 'a request for the session');
    await box.bff.signIn();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.until(() => box.field.value === 'from Ada', 'the draft of Ada');
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
    expect(await box.bff.posts()).to.deep.equal([]);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ message }) => message)).to.deep.equal(['from Ada']);
  });

  it('posts nothing again under another account after the session of its writer has ended', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('from Ada');
    await box.press('Post comment');
    await box.until(() => box.button('Post again'), 'the question');
    await box.bff.setSession({});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.until(async () => (await box.bff.requests('GET /session')).length === 2, 'a request for the session');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    await box.press('Post again');
    await box.says('You are signed in as Bo. Your comment is not posted yet.');
    expect([await box.bff.posts(), storedTexts()]).to.deep.equal([[], ['from Ada']]);
  });

  it('says that the comment is posted also after a double click, or while Ctrl+Enter is held', async () => {
    const box = await openSignedIn();
    box.write('once');
    await box.press('Post comment');
    await box.until(() => box.status === 'Your comment is posted.', 'the outcome');
    box.button('Post comment')!.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true, composed: true }));
    box.pressKeys({ ctrlKey: true, repeat: true });
    await box.element.updateComplete;
    expect([box.status, box.alert]).to.deep.equal(['Your comment is posted.', '']);
  });

  it('posts by Ctrl+Enter and ⌘+Enter, and not by Enter alone', async () => {
    const box = await openSignedIn();
    box.write('by keys');
    box.pressKeys({});
    box.pressKeys({ metaKey: true });
    await box.says('Your comment is posted.');
    box.write('again by keys');
    box.pressKeys({ ctrlKey: true });
    await box.until(() => box.details('posted').length === 2, 'two posts');
    expect(await box.bff.posts()).to.have.length(2);
  });

  it('repeats the request with the same key after a lost response, and announces it', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ carriedOut: true, cut: true }] } });
    box.write('lost answer');
    await box.press('Post comment');
    await box.says('Not posted yet. Trying again in');
    await box.says('Your comment is posted.');
    const [first, second, ...more] = await box.bff.requests('POST /posts');
    expect(more).to.deep.equal([]);
    expect(second!.key).to.equal(first!.key);
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('keeps the key over a reload, so that nothing is posted twice', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ carriedOut: true, hold: 'lost' }] } });
    box.write('reloaded');
    await box.press('Post comment');
    await box.until(async () => (await box.bff.requests('POST /posts')).length === 1, 'the request');
    box.element.remove();
    await box.bff.release('lost');
    const again = await openSignedIn({ bff: box.bff });
    await again.until(() => again.field.value === 'reloaded', 'the draft');
    await again.press('Post comment');
    await again.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('waits for Retry-After, and can be stopped', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '60' } }] } });
    box.write('later');
    await box.press('Post comment');
    await box.until(() => /Trying again in (6\d|7[0-6]) seconds/.test(box.status), 'the wait');
    await box.press('Stop trying');
    await box.says('Stopped. Your text is kept on this device.');
    expect(box.field.value).to.equal('later');
    expect(box.field.readOnly).to.equal(false);
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
  });

  it('does not wait for longer than a minute', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'too-many-requests', headers: { 'Retry-After': '600' } }] } });
    box.write('later');
    await box.press('Post comment');
    await box.says('Your comment was not posted. Too many attempts.');
    expect(box.button('Post comment')!.ariaDisabled).to.equal(null);
  });

  it('says that it is not certain whether a comment without an answer was posted, and posts it once', async () => {
    const box = await openSignedIn();
    const later = { problem: 'too-many-requests', headers: { 'Retry-After': '600' } } as const;
    await box.bff.set({ answers: { 'POST /posts': [{ carriedOut: true, cut: true }, later] } });
    box.write('lost answer');
    await box.press('Post comment');
    await box.says('Too many attempts. Please wait a moment and try again. It is not certain whether this comment was posted.');
    expect(box.words).to.contain('Your text is kept on this device.');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('gives up after a few attempts and keeps the text', async () => {
    const box = await openSignedIn();
    const down = { problem: 'service-unavailable', headers: { 'Retry-After': '0' } } as const;
    await box.bff.set({ answers: { 'POST /posts': Array(5).fill(down) } });
    box.write('five tries');
    await box.press('Post comment');
    await box.says('Your comment was not posted. The comment service is not available right now. Your text is kept on this device.');
    expect(await box.bff.requests('POST /posts')).to.have.length(5);
    expect(box.field.value).to.equal('five tries');
    expect(box.details('error')).to.have.length(1);
  });

  it('keeps the text after each refusal, with a message, and tries again with another key', async () => {
    const refusals: ProblemType[] = [
      'invalid-request', 'cross-site-request', 'forum-not-allowed', 'message-too-long', 'payload-too-large', 'service-refused',
    ];
    for (const problem of refusals) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [{ problem, detail: 'Told by the service' }] } });
      box.write(`refused: ${problem}`);
      await box.press('Post comment');
      await box.says('Your comment was not posted.');
      expect(box.words).to.contain('Your text is kept on this device.');
      expect(box.words.includes('Told by the service'), problem).to.equal(problem === 'service-refused');
      expect(box.field.value).to.equal(`refused: ${problem}`);
      await box.press('Post comment');
      await box.says('Your comment is posted.');
      const [first, second] = await box.bff.requests('POST /posts');
      expect(first!.key, problem).not.to.equal(second!.key);
    }
  });

  it("keeps the text and quotes the publisher's reason where the site rejects the comment", async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected', detail: 'Comments on this article are closed.' }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says('This site did not accept this comment. Comments on this article are closed.');
    expect(box.field.value).to.equal('hello');
  });

  it('keeps the key after a refusal that does not settle the lost request', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [
      { carriedOut: true, problem: 'internal-error' }, { problem: 'too-many-requests', headers: { 'Retry-After': '600' } },
    ] } });
    box.write('perhaps there');
    await box.press('Post comment');
    await box.says('Something went wrong on our side');
    await box.press('Post comment');
    await box.says('Too many attempts');
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(new Set((await box.bff.requests('POST /posts')).map(({ key }) => key)).size).to.equal(1);
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('offers to sign in again after the session has ended, and then posts the kept text', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'not-signed-in' }] } });
    box.write('still here');
    await box.press('Post comment');
    await box.says('You are no longer signed in.');
    await box.isSignedOut();
    expect(box.field.value).to.equal('still here');
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedIn();
    expect(box.field.value).to.equal('still here');
  });

  it('does not send a blank text or one that is too long', async () => {
    const box = await openSignedIn({ maxLength: 5 });
    for (const [text, words] of [['', 'Write something first.'], [' \n\u200B\u2800', 'Write something first.'], ['sixsix', 'This comment is too long.']] as const) {
      box.write(text);
      await box.press('Post comment');
      await box.until(() => box.alert === words, words);
      expect(box.field.ariaInvalid).to.equal('true');
      expect(box.element.shadowRoot!.activeElement).to.equal(box.field);
    }
    box.write('five');
    await box.until(() => box.alert === '', 'no complaint');
    expect(box.field.ariaInvalid).to.equal(null);
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('shows the service’s message as text, never as markup', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-refused', detail: '<img src=x onerror=console.error(1)>' }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.says('<img src=x onerror=console.error(1)>');
    expect(box.element.shadowRoot!.querySelector('img')).to.equal(null);
  });

  it('posts after the session is known if the reader submitted before', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const box = await openBox({ bff });
    box.write('in a hurry');
    box.pressKeys();
    await bff.release('session');
    await box.says('Your comment is posted.');
    const other = await openBox();
    other.write('not signed in');
    await other.press('Post comment');
    await other.says('Sign in to post. Your text is kept on this device.');
    expect(await other.bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('does not post a draft that came into the field after the reader pressed “Post comment”', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const earlier = new Draft({ bff: bff.url, forum: 'news', page: pageIdentity(null), account: '42' });
    earlier.text = 'a draft of last week';
    earlier.save();
    const box = await openBox({ bff });
    expect(box.field.value).to.equal('');
    await box.press('Post comment');
    await box.bff.release('session');
    await box.says('You are signed in as Ada. Your comment is not posted yet.');
    expect(box.field.value).to.equal('a draft of last week');
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('does not post a draft that the session of another box brings into the field before the second stage is loaded', async () => {
    const { bff } = await openSignedIn();
    const earlier = new Draft({ bff: bff.url, forum: 'news', page: pageIdentity(null), account: '42' });
    earlier.text = 'a draft of last week';
    earlier.save();
    localStorage.removeItem(`vestibule:session ${bff.url}`);
    const box = await openBox({ bff, untouched: true });
    expect(box.field.value).to.equal('');
    box.button('Post comment')!.click();
    await box.says('Your comment is not posted yet.');
    expect(box.field.value).to.equal('a draft of last week');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('stops a submission when the account changes, and keeps the text with the account that wrote it', async () => {
    const busy = [{ problem: 'service-unavailable', headers: { 'Retry-After': '50' } }, { problem: 'outcome-unknown' }] as const;
    for (const answer of busy) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [answer] } });
      box.write('of Ada');
      await box.press('Post comment');
      await box.until(() => box.button('Stop trying') ?? box.button('Post again'), 'an open submission');
      await box.bff.signIn({ user_id: '43', username: 'Bo' });
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      await box.says('Commenting as Bo');
      expect(box.field.value).to.equal('');
      expect([box.button('Stop trying'), box.button('Post again'), box.field.readOnly]).to.deep.equal([undefined, undefined, false]);
      await box.bff.signIn();
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      await box.says('Commenting as Ada');
      expect(box.field.value).to.equal('of Ada');
      expect(await box.bff.requests('POST /posts')).to.have.length(1);
    }
  });

  it('aborts its request when it is removed', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    box.write('removed');
    await box.press('Post comment');
    await box.says('Posting…');
    box.element.remove();
    await box.until(() => box.button('Post comment'), 'the end of it');
    await box.bff.release('post');
    expect(box.details('posted')).to.deep.equal([]);
    expect(box.details('error')).to.deep.equal([]);
  });
});

describe('the comment box, uncertain outcome of a post', () => {
  const unsure = ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'] as const;

  it('asks the reader and repeats nothing by itself', async () => {
    for (const problem of unsure) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'POST /posts': [{ problem }] } });
      box.write('perhaps');
      await box.press('Post comment');
      await box.says('Please check whether it is there before you post it again.');
      expect(box.button('Post comment')).to.equal(undefined);
      box.pressKeys();
      expect(box.element.shadowRoot!.activeElement).to.equal(box.button('I can see it'));
      expect(box.field.value).to.equal('perhaps');
      expect(await box.bff.requests('POST /posts'), problem).to.have.length(1);
    }
  });

  it('clears the text when the reader has found the comment', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('it is there');
    await box.press('Post comment');
    await box.press('I can see it');
    await box.until(() => box.button('Post comment'), 'the way on');
    expect([box.field.value, storedTexts(), box.alert]).to.deep.equal(['', [], '']);
    expect(box.element.shadowRoot!.activeElement).to.equal(box.field);
  });

  it('posts again with another key on the reader’s click', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('not there');
    await box.press('Post comment');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    const [first, second] = await box.bff.requests('POST /posts');
    expect(first!.key).not.to.equal(second!.key);
    expect(first!.body).to.deep.equal(second!.body);
  });

  it('detects that an earlier version was posted after the text has changed', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ carriedOut: true, problem: 'internal-error' }] } });
    box.write('first version');
    await box.press('Post comment');
    await box.says('Something went wrong on our side');
    box.write('second version');
    await box.press('Post comment');
    await box.says('An earlier version of this comment may already have been posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });
});
