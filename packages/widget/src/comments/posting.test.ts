/** The comment box, for a reader who posts. */

import { expect } from '@open-wc/testing';
import type { NewPost, ProblemType } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { comeBack, openBox, openSignedIn, openTab, recordWindows, signedInBefore, stored, FIELD, type Box, type BoxOptions } from './_box.ts';

const WILD = 'ünï ✓ 🦊 &=+%20 ~!*\'()\n\n<b>bold?</b> <img src=x onerror=console.error(1)>';

const bo = { user_id: '43', username: 'Bo' };

const unavailable = (seconds: number): ScriptedAnswer => ({ problem: 'service-unavailable', headers: { 'Retry-After': String(seconds) } });

/** Ada, whose next posts get these answers. */
async function openWith(answers: readonly ScriptedAnswer[], options?: BoxOptions): Promise<Box> {
  const box = await openSignedIn(options);
  await box.bff.set({ answers: { 'POST /posts': answers } });
  return box;
}

async function keysOf({ bff }: Box): Promise<(string | undefined)[]> {
  return (await bff.requests('POST /posts')).map(({ key }) => key);
}

describe('a post', () => {
  it('has the text unchanged, is shown at once as text, and fires the event', async () => {
    const box = await openSignedIn();
    await box.post(WILD);
    await box.says('Your comment is posted.');
    const [post] = await box.bff.posts();
    expect(post).to.deep.include({ forum: 'news', message: WILD, page: location.href });
    expect(box.details('posted')).to.deep.equal([{ post }]);
    expect(box.field.value).to.equal('');
    const article = box.part('post')!;
    expect(article.textContent).to.contain(WILD);
    expect(article.querySelectorAll('b, img')).to.have.length(0);
    box.element.remove();
    expect((await openSignedIn({ bff: box.bff })).field.value).to.equal('');
  });

  it('has its tick with the words of the outcome, not before them', async () => {
    const box = await openSignedIn();
    const status = box.part('status')!;
    const ticks: unknown[] = [];
    new MutationObserver(() => {
      if (status.className) ticks.push([status.textContent, getComputedStyle(status, '::before').content]);
    }).observe(status, { attributes: true, attributeFilter: ['class'] });
    await box.post('hello');
    await box.says('Your comment is posted.');
    ticks.push([status.textContent, getComputedStyle(status, '::before').content]);
    expect(ticks).to.deep.equal([['', 'none'], ['Your comment is posted.', '"✓ " / ""']]);
  });

  it('is well-formed, and without a page whose address is longer than the BFF accepts', async () => {
    const box = await openSignedIn({ attributes: { page: `https://www.example.com/${'x'.repeat(2_030)}` } });
    await box.post('a\uD83D');
    await box.says('Your comment is posted.');
    expect((await box.bff.requests('POST /posts'))[0]!.body).to.deep.equal({ forum: 'news', message: 'a\uFFFD', expected_user_id: '42' });
  });

  it('is sent once, however often the reader submits', async () => {
    const box = await openWith([{ hold: 'post' }]);
    await box.post('once');
    box.primary!.click();
    box.pressKeys();
    await box.says('Posting…');
    expect([box.field.readOnly, box.primary!.getAttribute('aria-disabled')]).to.deep.equal([true, 'true']);
    box.primary!.click();
    box.pressKeys({ metaKey: true });
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    box.button('Post comment')!.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true, composed: true }));
    box.pressKeys({ ctrlKey: true, repeat: true });
    await box.element.updateComplete;
    expect([box.status, box.alert]).to.deep.equal(['Your comment is posted.', '']);
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
  });

  it('of a text that two boxes of the page show is sent once, also by a click without focus', async () => {
    const first = await openSignedIn();
    first.write('once');
    const second = await openBox({ bff: first.bff });
    await second.until(() => second.field.value === 'once' && second.words.includes('Commenting as Ada'), 'the text and the account');
    await first.press('Post comment');
    await first.says('Your comment is posted.');
    second.button('Post comment')!.click();
    await second.until(() => second.field.value === '', 'the text of the first box');
    expect(await first.bff.posts()).to.have.length(1);
  });

  it('is sent by Ctrl+Enter and ⌘+Enter, not by Enter alone or during a composition', async () => {
    const box = await openSignedIn();
    for (const [index, init] of [{ ctrlKey: true }, { metaKey: true }].entries()) {
      box.write('by keys');
      for (const none of [{}, { ...init, isComposing: true }]) box.pressKeys(none);
      box.pressKeys(init);
      await box.until(() => box.details('posted').length === index + 1, 'the post');
    }
    expect(await box.bff.posts()).to.have.length(2);
  });

  it('is not blank or too long', async () => {
    const box = await openSignedIn({ attributes: { 'max-length': '5' } });
    for (const [text, words] of [['', 'Write something first.'], [' \n\u200B\u2800', 'Write something first.'], ['sixsix', 'Your comment is too long.']] as const) {
      await box.post(text);
      await box.until(() => box.status === words, words);
      expect(box.field.ariaInvalid).to.equal('true');
      await box.hasFocusOn(FIELD);
    }
    box.write('five');
    await box.until(() => box.status === '', 'no complaint');
    expect(box.field.ariaInvalid).to.equal(null);
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
  });

  for (const [session, words, posts] of [['exists', 'Your comment is posted.', 1], ['has ended', 'Sign in to post.', 0]] as const) {
    it(`waits for the session, if the reader submits before it is known: it ${session}`, async () => {
      const bff = await signedInBefore();
      if (posts === 0) await bff.setSession({});
      await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
      const box = await openBox({ bff, tab: await openTab() });
      box.write('in a hurry');
      box.pressKeys();
      await bff.release('session');
      await box.until(() => box.status === words, words);
      expect(await bff.requests('POST /posts')).to.have.length(posts);
    });
  }

  it('never has a draft that came into the field after the reader pressed “Post comment”', async () => {
    const before = await openSignedIn();
    before.write('a draft of last week');
    const { bff } = before;
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }] } });
    const box = await openBox({ bff, attributes: { page: location.href }, tab: await openTab() });
    await box.press('Post comment');
    await bff.release('session');
    await box.says('You are signed in. Your comment is not posted yet.');
    expect(box.field.value).to.equal('a draft of last week');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('goes on when the box is removed, as with a page that a router replaces', async () => {
    const box = await openWith([{ hold: 'post' }]);
    await box.post('removed');
    await box.says('Posting…');
    box.element.remove();
    await box.bff.release('post');
    await box.until(() => box.details('posted').length === 1, 'the post');
    expect((await openSignedIn({ bff: box.bff })).field.value).to.equal('');
  });

  it('goes on while the box is moved', async () => {
    const box = await openWith([{ hold: 'post' }]);
    await box.post('moving');
    const target = box.element.parentElement!.appendChild(document.createElement('div'));
    target.append(box.element);
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    expect(await box.bff.requests('GET /session')).to.have.length(1);
  });
});

describe('the account of a post', () => {
  it('is the one that the box shows, also with a second attempt', async () => {
    const box = await openWith([unavailable(0)]);
    await box.post('from Ada');
    await box.says('Your comment is posted.');
    const requests = await box.bff.requests('POST /posts');
    expect(requests.map(({ body }) => (body as NewPost).expected_user_id)).to.deep.equal(['42', '42']);
  });

  it('is no other: the box keeps the text, shows the account, and says so', async () => {
    const box = await openSignedIn();
    box.write('from Ada');
    await box.bff.signIn(bo);
    await box.press('Post comment');
    await box.says('You are signed in. Your comment is not posted yet.');
    await box.isSignedIn('Bo');
    expect([box.field.value, box.alert, stored().includes('from Ada')]).to.deep.equal(['', '', true]);
    await box.hasAsked('GET /session', 2);
    await box.bff.signIn();
    comeBack();
    await box.until(() => box.field.value === 'from Ada', 'the draft of Ada');
    expect(await box.bff.posts()).to.deep.equal([]);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
  });

  it('is no other after the session of its writer has ended', async () => {
    const box = await openWith([{ problem: 'outcome-unknown' }]);
    await box.post('from Ada');
    await box.until(() => box.button('Post again'), 'the question');
    await box.bff.setSession({});
    comeBack();
    await box.hasAsked('GET /session', 2);
    await box.bff.signIn(bo);
    recordWindows();
    await box.press('Post again');
    await box.isSignedIn('Bo');
    expect([box.field.value, box.offers('Post again')]).to.deep.equal(['', false]);
    expect([await box.bff.posts(), stored().includes('from Ada')]).to.deep.equal([[], true]);
  });

  it('takes the text along when another one signs in, and stops the submission', async () => {
    for (const answer of [unavailable(50), { problem: 'outcome-unknown' }] as const) {
      const box = await openWith([answer]);
      await box.post('of Ada');
      await box.until(() => box.button('Stop trying') ?? box.button('Post again'), 'an open submission');
      await box.bff.signIn(bo);
      comeBack();
      await box.isSignedIn('Bo');
      expect([box.field.value, box.field.readOnly]).to.deep.equal(['', false]);
      expect(['Stop trying', 'Post again'].some((name) => box.offers(name))).to.equal(false);
      await box.bff.signIn();
      comeBack();
      await box.isSignedIn('Ada');
      expect(box.field.value).to.equal('of Ada');
      expect(await box.bff.requests('POST /posts')).to.have.length(1);
    }
  });
});

describe('a post that fails', () => {
  it('is repeated with the same key after a lost response, and the box says so', async () => {
    const box = await openWith([{ carriedOut: true, cut: true }]);
    await box.post('lost answer');
    await box.says('Not posted yet. Trying again in');
    await box.says('Your comment is posted.');
    const [first, ...others] = await keysOf(box);
    expect(others).to.deep.equal([first]);
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('is repeated after Retry-After, and can be stopped', async () => {
    const box = await openWith([unavailable(60)]);
    await box.post('later');
    await box.until(() => /Trying again in (6\d|7[0-6]) seconds/.test(box.status), 'the wait');
    await box.press('Stop trying');
    await box.says('Stopped. Your text is kept.');
    expect([box.field.value, box.field.readOnly]).to.deep.equal(['later', false]);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(await box.bff.requests('POST /posts')).to.have.length(2);
  });

  it('is given up after a few attempts, or where the BFF asks for more than a minute; the text stays', async () => {
    for (const [answers, words] of [
      [Array<ScriptedAnswer>(5).fill(unavailable(0)), 'The comment service is not available right now.'],
      [[{ problem: 'too-many-requests', headers: { 'Retry-After': '600' } }], 'Too many attempts.'],
    ] as const) {
      const box = await openWith(answers);
      await box.post('tried');
      await box.says(`Your comment was not posted. ${words}`);
      await box.says('Your text is kept on this device.');
      expect(await box.bff.requests('POST /posts')).to.have.length(answers.length);
      expect([box.field.value, box.details('error').length]).to.deep.equal(['tried', 1]);
    }
  });

  it('is called uncertain without an answer, and is posted once', async () => {
    const box = await openWith([{ carriedOut: true, cut: true }, { problem: 'too-many-requests', headers: { 'Retry-After': '600' } }]);
    await box.post('lost answer');
    await box.says('Too many attempts. Please wait a moment and try again. It is not certain whether this comment was posted.');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('keeps the text after each refusal, with a message, and the next one has another key', async () => {
    const refusals: readonly (readonly [ProblemType, string])[] = [
      ['invalid-request', 'Reload the page and try again.'],
      ['cross-site-request', 'This page is not allowed to use the comment service.'],
      ['forum-not-allowed', 'Comments are not set up for this page.'],
      ['message-too-long', 'This comment is too long.'],
      ['payload-too-large', 'This comment is too long.'],
      ['post-rejected', 'This site did not accept this comment. <img src=x onerror=console.error(1)>'],
      ['service-refused', 'It says: <img src=x onerror=console.error(1)>'],
    ];
    for (const [problem, words] of refusals) {
      const box = await openWith([{ problem, detail: '<img src=x onerror=console.error(1)>' }]);
      await box.post(`refused: ${problem}`);
      await box.says('Your comment was not posted.');
      for (const said of [words, 'Your text is kept on this device.']) expect(box.words, problem).to.contain(said);
      expect(box.all('img').length).to.equal(0);
      expect(box.field.value).to.equal(`refused: ${problem}`);
      await box.press('Post comment');
      await box.says('Your comment is posted.');
      const [first, second] = await keysOf(box);
      expect(first, problem).not.to.equal(second);
    }
  });

  it('keeps its key after a refusal that does not settle the lost request', async () => {
    const box = await openWith([
      { carriedOut: true, problem: 'internal-error' }, { problem: 'too-many-requests', headers: { 'Retry-After': '600' } },
    ]);
    await box.post('perhaps there');
    await box.says('Something went wrong on our side');
    await box.press('Post again');
    await box.says('Too many attempts');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect(new Set(await keysOf(box)).size).to.equal(1);
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('because the session has ended leads to a sign-in, and the text is kept', async () => {
    const box = await openWith([{ problem: 'not-signed-in' }]);
    await box.post('still here');
    await box.says('Your sign-in has expired. Your text is kept.');
    await box.isSignedOut();
    expect(box.field.value).to.equal('still here');
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
    comeBack();
    await box.isSignedIn();
    expect(box.field.value).to.equal('still here');
  });
});

describe('a post of which it is not certain whether it arrived', () => {
  it('is not repeated by itself: the reader is asked', async () => {
    for (const problem of ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'] as const) {
      const box = await openWith([{ problem }]);
      await box.post('perhaps');
      await box.says('Please check whether it is there before you post it again.');
      expect(box.offers('Post comment')).to.equal(false);
      box.pressKeys();
      await box.hasFocusOn('I can see it');
      expect(box.field.value).to.equal('perhaps');
      expect(await box.bff.requests('POST /posts'), problem).to.have.length(1);
    }
  });

  it('is cleared when the reader has found it, not with a newer text', async () => {
    for (const [newer, left] of [[undefined, ''], ['perhaps, and more', 'perhaps, and more']] as const) {
      const box = await openWith([{ problem: 'outcome-unknown' }]);
      await box.post('perhaps');
      await box.until(() => box.button('I can see it'), 'the question');
      if (newer) box.write(newer);
      await box.press('I can see it');
      await box.until(() => box.button('Post comment'), 'the way on');
      expect([box.field.value, box.alert]).to.deep.equal([left, '']);
      await box.hasFocusOn(FIELD);
      box.element.remove();
      expect((await openSignedIn({ bff: box.bff })).field.value).to.equal(left);
    }
  });

  it('is posted again with another key on the reader’s click', async () => {
    const box = await openWith([{ problem: 'outcome-unknown' }]);
    await box.post('not there');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    const [first, second] = await box.bff.requests('POST /posts');
    expect(first!.key).not.to.equal(second!.key);
    expect(first!.body).to.deep.equal(second!.body);
  });

  it('is found to have been an earlier version of the text', async () => {
    const box = await openWith([{ carriedOut: true, problem: 'internal-error' }]);
    await box.post('first version');
    await box.says('Something went wrong on our side');
    box.write('second version');
    await box.press('Post again');
    await box.says('An earlier version of this comment may already have been posted.');
    expect(await box.bff.posts()).to.have.length(1);
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ message }) => message)).to.deep.equal(['first version', 'second version']);
  });
});
