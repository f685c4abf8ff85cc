/** The comment box, for a reader who posts. */

import { expect } from '@open-wc/testing';
import type { NewPost, ProblemType } from '@vestibule/shared';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import {
  comeBack, letPass, openBox, openSignedIn, openTab, replace, signedInBefore, stored, FIELD, type Box, type BoxOptions,
} from './_box.ts';

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

/** The BFF knows her whatever the session. */
const known = { user_id: '42', username: 'Ada', key: 'key of Ada' };
const ada = { user_id: '42', username: 'Ada' };

/** The reader has been here. */
async function leaveSignedIn(bff: TestBff, user: typeof known | typeof ada): Promise<void> {
  await bff.signIn(user);
  const before = await openBox({ bff });
  await before.isSignedIn('Ada');
  before.element.remove();
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

  it('leaves the field in the very press, and has its row; the field is free and has the focus', async () => {
    const box = await openWith([{ hold: 'post' }]);
    box.write('the first');
    await box.element.updateComplete;
    box.button('Post comment')!.click();
    expect([box.field.value, stored().includes('the first')]).to.deep.equal(['', true]);
    await box.hasRow('Posting…');
    await box.hasFocusOn(FIELD);
    const [main] = box.all('[part~=primary-button]');
    expect([box.field.readOnly, main!.getAttribute('aria-disabled'), box.status]).to.deep.equal([false, null, '']);
    await box.post('the second');
    await box.until(() => box.words.indexOf('the second') < box.words.indexOf('the first'), 'the newest first');
    await box.says('Your comment is posted.');
    await box.bff.release('post');
    await box.until(() => box.details('posted').length === 2, 'both posts');
    expect((await box.bff.posts()).map(({ message }) => message)).to.have.members(['the first', 'the second']);
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
    // At rest it cannot be seen; the second press of a reader in a hurry may still meet it.
    const [main] = box.all('[part~=primary-button]');
    main!.click();
    box.pressKeys();
    await box.hasRow('Posting…');
    main!.click();
    box.pressKeys({ metaKey: true });
    await box.bff.release('post');
    await box.says('Your comment is posted.');
    main!.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true, composed: true }));
    box.pressKeys({ ctrlKey: true, repeat: true });
    await box.element.updateComplete;
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
      box.element.focus();
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

  it('goes out at once for the reader whom this browser had before, under the name that the box shows', async () => {
    const bff = new TestBff();
    await leaveSignedIn(bff, known);
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }, { hold: 'session' }] } });
    const box = await openBox({ bff, tab: await openTab(), untouched: true });
    await box.says('Commenting as Ada');
    await box.post('in a hurry');
    await box.says('Your comment is posted.');
    const [request] = await bff.requests('POST /posts');
    expect((request!.body as { expected_user_id: string }).expected_user_id).to.equal('42');
    await bff.release('session');
  });

  it('waits for the session of a reader whom the BFF knows within it only', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': [{ hold: 'session' }, { hold: 'session' }] } });
    const box = await openBox({ bff, tab: await openTab() });
    await box.post('in a hurry');
    await box.hasRow('Posting…');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
    await bff.release('session');
    await box.says('Your comment is posted.');
  });

  for (const user of [known, ada]) {
    it(`whose session is over is back in its field, ${user === known ? 'by the answer to its request' : 'unsent'}`, async () => {
      const bff = new TestBff();
      await leaveSignedIn(bff, user);
      await bff.setSession({});
      await bff.set({ answers: { 'GET /session': [{ hold: 'session' }, { hold: 'session' }] } });
      const box = await openBox({ bff, tab: await openTab() });
      await box.post('in a hurry');
      await box.until(() => user === known || box.row === 'Posting…', 'the row');
      if (user === ada) await bff.release('session');
      await box.says('Not posted: You are no longer signed in. Please sign in again. You wrote this text as Ada.');
      await bff.release('session');
      await box.until(() => box.field.value === 'in a hurry' && box.offers('Sign in and post'), 'the text');
      expect([box.row, (await bff.posts()).length]).to.deep.equal(['', 0]);
    });
  }

  it('is the text that the reader saw: not one that another tab has written in its place', async () => {
    const box = await openSignedIn();
    box.write('mine');
    const key = Object.keys(localStorage).find((one) => one.startsWith(`vestibule:draft ${box.bff.url}`))!;
    localStorage.setItem(key, localStorage.getItem(key)!.replace('mine', 'of another tab'));
    await box.press('Post comment');
    await box.says('One more step: post your comment.');
    expect([box.field.value, await box.bff.requests('POST /posts')]).to.deep.equal(['of another tab', []]);
  });

  it('goes on when the box is removed, as with a page that a router replaces', async () => {
    const box = await openWith([{ hold: 'post' }]);
    await box.post('removed');
    await box.hasRow('Posting…');
    box.element.remove();
    await box.bff.release('post');
    const again = await openSignedIn({ bff: box.bff });
    await again.until(() => again.details('posted').length === 1, 'the post');
    expect([again.field.value, again.part('post')!.textContent.includes('removed'), again.row]).to.deep.equal(['', true, '']);
    expect(await box.bff.posts()).to.have.length(1);
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

describe('vestibule-before-post', () => {
  it('comes with each press that sends; canceled, the text or the entry stays as it is', async () => {
    const box = await openWith([{ problem: 'too-many-requests', headers: { 'Retry-After': '600' } }]);
    const asked: string[] = [];
    let isCanceled = true;
    box.element.addEventListener('vestibule-before-post', (event) => {
      asked.push(event.detail.message);
      if (isCanceled) event.preventDefault();
    });
    await box.post('my thoughts');
    expect([asked, box.field.value, box.row]).to.deep.equal([['my thoughts'], 'my thoughts', '']);
    isCanceled = false;
    await box.press('Post comment');
    await box.hasRow('Not posted: ');
    isCanceled = true;
    await box.press('Try again');
    expect([asked.length, await box.bff.posts()]).to.deep.equal([3, []]);
    isCanceled = false;
    await box.press('Try again');
    await box.says('Your comment is posted.');
    expect(asked).to.deep.equal(Array<string>(4).fill('my thoughts'));
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

  it('is no other where one signs in while it waits or is unknown: it is not shown to that one', async () => {
    for (const [answer, row] of [[unavailable(50), 'Posting…'], [{ problem: 'outcome-unknown' }, 'We could not confirm']] as const) {
      const box = await openWith([answer]);
      await box.post('of Ada');
      await box.hasAsked('POST /posts', 1);
      await box.hasRow(row);
      await box.bff.signIn(bo);
      comeBack();
      await box.isSignedIn('Bo');
      await box.until(() => !box.words.includes('of Ada'), 'no comment of Ada');
      expect([box.field.value, box.row, box.offers('Post again')]).to.deep.equal(['', '', false]);
      await box.bff.signIn();
      comeBack();
      await box.isSignedIn('Ada');
      await box.hasRow(row);
      expect(await box.bff.requests('POST /posts')).to.have.length(1);
    }
  });
});

describe('a post that fails', () => {
  it('is repeated with the same key after a lost response', async () => {
    const box = await openWith([{ carriedOut: true, cut: true }]);
    await box.post('lost answer');
    await box.says('Your comment is posted.');
    const [first, ...others] = await keysOf(box);
    expect(others).to.deep.equal([first]);
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('says after ten seconds that it takes longer, and can be stopped', async () => {
    const box = await openWith([unavailable(60)]);
    await box.post('later');
    await box.hasRow('Posting…');
    expect(box.offers('Stop')).to.equal(false);
    // Stop says the reason of the first answer, once there is one.
    await box.until(() => stored().includes('service-unavailable'), 'the first answer');
    letPass(11_000);
    comeBack();
    await box.hasRow('Not posted yet. Trying again.');
    await box.press('Stop');
    await box.hasRow('Not posted: Comments are not available right now.');
    await box.press('Try again');
    await box.says('Your comment is posted.');
    expect(new Set(await keysOf(box)).size).to.equal(1);
  });

  it('waits for a connection, and is sent when there is one', async () => {
    const box = await openWith([]);
    replace(navigator, { onLine: false });
    await box.post('on a train');
    await box.hasRow('Waiting for a connection…');
    expect([box.offers('Stop'), await box.bff.requests('POST /posts')]).to.deep.equal([true, []]);
    replace(navigator, { onLine: true });
    window.dispatchEvent(new Event('online'));
    await box.says('Your comment is posted.');
  });

  it('is sent at once when the network is back, also within the wait after an answer', async () => {
    const box = await openWith([unavailable(60)]);
    await box.post('in a tunnel');
    await box.until(() => stored().includes('service-unavailable'), 'the first answer');
    window.dispatchEvent(new Event('online'));
    await box.says('Your comment is posted.');
  });

  it('is given up where the BFF asks for more than ten minutes; Edit takes its text back, before what stands there', async () => {
    const box = await openWith([{ problem: 'too-many-requests', headers: { 'Retry-After': '600' } }]);
    await box.post('tried');
    await box.hasRow('Not posted: Too many attempts.');
    expect([box.field.value, box.details('error').length]).to.deep.equal(['', 1]);
    box.write('the next one');
    await box.press('Edit');
    await box.hasFocusOn(FIELD);
    expect([box.field.value, box.row]).to.deep.equal(['tried\n\nthe next one', '']);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ message }) => message)).to.deep.equal(['tried\n\nthe next one']);
  });

  it('is deleted after one question, in its place', async () => {
    const box = await openWith([{ problem: 'too-many-requests', headers: { 'Retry-After': '600' } }]);
    await box.post('tried');
    await box.press('Delete');
    await box.says('Delete this comment?');
    await box.hasFocusOn('Keep');
    await box.press('Keep');
    await box.hasFocusOn('Delete');
    await box.press('Delete');
    await box.says('Delete this comment?');
    await box.press('Delete');
    await box.until(() => !box.words.includes('tried'), 'no entry');
    await box.hasFocusOn(FIELD);
    expect(stored()).not.to.contain('tried');
  });

  it('is unknown without an answer, and is posted once', async () => {
    const box = await openWith([{ carriedOut: true, cut: true }, { problem: 'too-many-requests', headers: { 'Retry-After': '600' } }]);
    await box.post('lost answer');
    await box.hasRow('We could not confirm that this was posted.');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });

  it('keeps the text after each refusal, with its reason, and the next one has another key', async () => {
    const refusals: readonly (readonly [ProblemType, string])[] = [
      ['invalid-request', 'Reload the page and try again.'],
      ['cross-site-request', 'Comments are not available on this page.'],
      ['forum-not-allowed', 'Comments are not available on this page.'],
      ['message-too-long', 'This comment is too long.'],
      ['payload-too-large', 'This comment is too long.'],
      ['post-rejected', 'The editors’ rules do not allow this comment. <img src=x onerror=console.error(1)>'],
      ['service-refused', 'This was not accepted. Please try again later. <img src=x onerror=console.error(1)>'],
    ];
    for (const [problem, words] of refusals) {
      const box = await openWith([{ problem, detail: '<img src=x onerror=console.error(1)>' }]);
      await box.post(`refused: ${problem}`);
      await box.hasRow('Not posted: ');
      expect(box.row, problem).to.contain(words);
      expect(box.all('img').length).to.equal(0);
      expect(box.part('post')!.textContent).to.contain(`refused: ${problem}`);
      const isOfText = problem === 'post-rejected' || problem === 'message-too-long';
      expect([box.offers('Try again'), box.offers('Edit'), box.offers('Delete')], problem).to.deep.equal([!isOfText, true, true]);
      if (isOfText) continue;
      await box.press('Try again');
      await box.says('Your comment is posted.');
      const [first, second] = await keysOf(box);
      expect(first, problem).not.to.equal(second);
    }
  });

  it('quotes the words of the publisher and of the service, and none of the BFF', async () => {
    for (const [problem, detail, row] of [
      ['post-rejected', 'This site did not accept the comment.', 'Not posted: The editors’ rules do not allow this comment.'],
      ['post-rejected', 'Be kind.', 'Not posted: The editors’ rules do not allow this comment. Be kind.'],
      ['service-refused', 'The comment service refused the request.', 'Not posted: This was not accepted. Please try again later.'],
      ['service-refused', 'The comment service refused the request: No links.', 'Not posted: This was not accepted. Please try again later. No links.'],
    ] as const) {
      const box = await openWith([{ problem, detail }]);
      await box.post('once');
      await box.hasRow(row);
      expect(box.row, detail).not.to.contain('request').and.not.to.contain('This site');
      if (!row.endsWith('kind.') && !row.endsWith('links.')) expect(box.all('.entry q').length).to.equal(0);
      box.element.remove();
    }
  });

  it('because the session has ended is back in the field, and the box says so', async () => {
    const box = await openWith([{ problem: 'not-signed-in' }]);
    await box.bff.setSession({});
    await box.post('still here');
    await box.isSignedOut();
    await box.hasText('still here');
    expect([box.offers('Sign in and post'), box.row]).to.deep.equal([true, '']);
    await box.bff.signIn();
    comeBack();
    await box.isSignedIn();
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(new Set(await keysOf(box)).size).to.equal(2);
  });
});

describe('a post of which it is not certain whether it arrived', () => {
  it('is not repeated by itself: the reader looks', async () => {
    for (const problem of ['outcome-unknown', 'bad-service-response'] as const) {
      const box = await openWith([{ problem }]);
      await box.post('perhaps');
      await box.hasRow('We could not confirm that this was posted. Please look for it in the comments.');
      expect(['Post again', 'Delete', 'Edit'].map((name) => box.offers(name)), problem).to.deep.equal([true, true, false]);
      expect(box.part('post')!.textContent).to.contain('perhaps');
      expect(await box.bff.requests('POST /posts'), problem).to.have.length(1);
    }
  });

  it('takes another key at once where the BFF has another text of that one', async () => {
    const box = await openWith([{ problem: 'idempotency-key-reused' }]);
    await box.post('once');
    await box.says('Your comment is posted.');
    const [first, second] = await keysOf(box);
    expect(first).not.to.equal(second);
  });

  it('takes no third key at once where the BFF says the same of the second', async () => {
    const problem = 'idempotency-key-reused';
    const box = await openWith([{ problem }, { problem, headers: { 'Retry-After': '60' } }]);
    await box.post('never');
    await box.hasAsked('POST /posts', 2);
    letPass(11_000);
    comeBack();
    await box.hasRow('Not posted yet. Trying again.');
    expect(await box.bff.requests('POST /posts')).to.have.length(2);
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

  it('did nothing where the answer is not the BFF’s and its status is below 500', async () => {
    const html = [200, 400, 401, 404].map((status): ScriptedAnswer => ({ status, text: '<!doctype html>' }));
    const headers = { 'Content-Type': 'application/json' };
    const json = ['{}', '{"ok":true}', '[]'].map((text): ScriptedAnswer => ({ status: 200, text, headers }));
    for (const answer of [...html, ...json, { status: 204, text: '' }]) {
      const box = await openWith([answer]);
      await box.post(`answer ${JSON.stringify(answer)}`);
      await box.hasRow('Not posted: Something went wrong. Reload the page and try again.');
      expect([box.offers('Try again'), box.field.value, box.alert], JSON.stringify(answer)).to.deep.equal([true, '', '']);
      expect(await box.bff.requests('POST /posts')).to.have.length(1);
      await box.isSignedIn('Ada');
    }
  });
});
