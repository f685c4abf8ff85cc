/** The comment box and the session of its reader. */

import { expect } from '@open-wc/testing';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import { comeBack, openBox, openSignedIn, openTab, replace, signedInBefore, stored, SIGN_IN } from './_box.ts';

const limits = { message_max_length: 10_000 };
const instance = 'urn:vestibule:request:7f0c2a4e-0000-4000-8000-000000000000';

describe('a passer-by', () => {
  it('causes no request with the box in sight or under the pointer, one by the focus', async () => {
    const box = await openBox({ untouched: true });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    box.element.dispatchEvent(new PointerEvent('pointerenter'));
    await box.element.updateComplete;
    expect(await box.bff.requests()).to.deep.equal([]);
    box.turnTo();
    await box.isSignedOut();
    expect((await box.bff.requests()).map(({ method, path }) => `${method} ${path}`)).to.deep.equal(['GET /session']);
  });

  it('who was signed in before sees their name without doing anything', async () => {
    const bff = await signedInBefore();
    const again = await openBox({ bff, untouched: true, tab: await openTab() });
    await again.isSignedIn('Ada');
  });
});

describe('the session of a box', () => {
  it('is nobody’s: the reader may write, and sign in', async () => {
    const box = await openBox();
    await box.isSignedOut();
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }]);
  });

  it('is shown by name, by id if the name is blank, and the direction of a name is isolated', async () => {
    const box = await openSignedIn();
    expect(box.words).to.contain('Commenting as Ada Sign out');
    for (const [username, shown] of [['\u200B ', '77'], ['\u202Eadmin <b>x</b>', '\u202Eadmin <b>x</b>']] as const) {
      await box.bff.signIn({ user_id: '77', username });
      comeBack();
      await box.isSignedIn(shown);
    }
    box.write('');
    await box.until(() => box.part('account'), 'the name');
    const name = box.part('account')!.querySelector('bdi')!;
    expect([name.textContent, name.querySelectorAll('b').length, getComputedStyle(name).unicodeBidi])
      .to.deep.equal(['\u202Eadmin <b>x</b>', 0, 'isolate']);
  });

  it('that has ended is no more said to be there', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('kept');
    await box.bff.signIn();
    comeBack();
    await box.says('One more step: post your comment.');
    expect([box.field.value, (await box.bff.requests('POST /posts')).length]).to.deep.equal(['kept', 0]);
    await box.bff.setSession({});
    comeBack();
    await box.until(() => box.button(SIGN_IN) && box.status === '', 'no account');
  });

  it('comes with a notice, and the reference of the failure behind it', async () => {
    for (const [notice, words] of [
      ['declined', 'The sign-in did not work.'], ['rejected', 'This site did not accept your sign-in.'], ['already-granted', 'You allowed this before'],
    ] as const) {
      const bff = new TestBff();
      await bff.setSession({ notice: { id: notice, kind: notice, instance } });
      const box = await openBox({ bff });
      await box.says(words);
      expect(box.alert, notice).to.contain(words).and.to.contain('Reference: 7f0c2a4e');
    }
  });

  it('is requested once for all boxes of a page, and followed by each', async () => {
    const bff = new TestBff();
    await bff.setSession({ notice: { id: 'of all boxes', kind: 'declined' } });
    const [news, sports] = [await openBox({ bff }), await openBox({ bff, attributes: { forum: 'sports' } })];
    for (const box of [news, sports]) await box.says('You did not allow access');
    expect(await bff.requests('GET /session')).to.have.length(1);
    await bff.signIn();
    comeBack();
    for (const box of [news, sports]) await box.isSignedIn();
    await news.press('Sign out');
    await sports.isSignedOut();
  });

  it('is requested again when the browser is online and when it restores the page, not for a box that was removed', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await box.bff.signIn();
    window.dispatchEvent(new Event('online'));
    await box.isSignedIn();
    await box.bff.setSession({});
    comeBack();
    await box.isSignedOut();
    box.element.remove();
    await Promise.resolve();
    comeBack();
    const other = await openBox({ bff: box.bff });
    await other.isSignedOut();
    expect(await box.bff.requests('GET /session')).to.have.length(3);
  });
});

describe('the line of a signed-in reader', () => {
  const unavailable: ScriptedAnswer = { problem: 'service-unavailable', headers: { 'Retry-After': '50' } };
  const states: Readonly<Record<string, readonly [ScriptedAnswer, string]>> = {
    'before a post': [{}, ''],
    'while it is posted': [{ hold: 'post' }, 'Posting…'],
    'during a wait': [unavailable, 'Posting…'],
    'after a failure': [{ problem: 'service-refused' }, 'Not posted: '],
    'where a comment may be posted': [{ problem: 'outcome-unknown' }, 'Post again'],
    'after a post': [{ carriedOut: true, hold: 'none' }, 'Your comment is posted.'],
    'after a post that waits for approval': [
      { status: 201, json: { post: {}, listed: { state: 'pending' } } }, 'Your comment is waiting for approval.',
    ],
    'after a sign-in with a text': [{}, 'One more step: post your comment.'],
  };
  for (const [state, [answer, words]] of Object.entries(states)) {
    it(`names the account and offers the sign-out, on a phone too: ${state}`, async () => {
      const place = document.body.appendChild(document.createElement('div'));
      place.style.inlineSize = '320px';
      const bff = new TestBff();
      if (state !== 'after a sign-in with a text') await bff.signIn();
      const box = await openBox({ bff, place });
      await box.until(() => box.details('state').length === 1, 'the session');
      box.write('my words');
      await bff.set({ answers: { 'POST /posts': [answer] }, release: ['none'] });
      if (state === 'after a sign-in with a text') {
        await bff.signIn();
        comeBack();
      } else if (words) await box.press('Post comment');
      await box.says(words);
      await box.until(() => box.offers('Sign out'), 'the sign-out');
      expect([box.all('#writer')[0]!.textContent, box.part('account')!.contains(box.part('avatar')!)]).to.deep.equal(['Commenting as Ada', true]);
      await bff.release('post');
      box.element.remove();
      place.remove();
    });
  }

  it('has a tick with the words that the reader is signed in, not before them, and none where the comment is not posted yet', async () => {
    for (const [text, words, tick] of [['', 'You are signed in.', '"✓ " / ""'], ['a text', 'One more step: post your comment.', 'none']] as const) {
      const box = await openBox();
      await box.isSignedOut();
      box.write(text);
      const [status] = box.all('#status');
      const seen = (): readonly unknown[] => [status!.textContent, getComputedStyle(status!, '::before').content];
      const early: unknown[] = [];
      new MutationObserver(() => status!.textContent || early.push(seen()[1])).observe(status!, { attributes: true, attributeFilter: ['class'] });
      await box.bff.signIn();
      comeBack();
      await box.says(words);
      expect([seen(), early.filter((content) => content !== 'none')]).to.deep.equal([[words, tick], []]);
    }
  });

  it('says nothing of an earlier grant that another tab hears of', async () => {
    const box = await openSignedIn();
    const channel = new BroadcastChannel(`vestibule ${box.bff.url}`);
    channel.postMessage({ vestibule: 'already-granted' });
    await box.hasAsked('GET /session', 2);
    await box.bff.setSession({
      state: 'signed-in', user: { user_id: '42', username: 'Ada' }, notice: { id: 'granted', kind: 'already-granted' },
    });
    comeBack();
    await box.hasAsked('GET /session', 3);
    channel.close();
    await box.element.updateComplete;
    expect([box.alert, box.all('#writer')[0]?.textContent]).to.deep.equal(['', 'Commenting as Ada']);
  });
});

describe('a request for the session that fails', () => {
  it('leaves the box writable, fires one event, and is repeated', async () => {
    const bff = await signedInBefore();
    const down = { problem: 'service-unavailable', headers: { 'Retry-After': '0' } } as const;
    await bff.set({ answers: { 'GET /session': [down, down, { ...down, hold: 'third' }] } });
    const box = await openBox({ bff, tab: await openTab() });
    await box.says('Signing in is not possible right now. Trying again…');
    expect(box.words).to.contain('Commenting as Ada');
    box.write('all the same');
    await box.says('Trying again…');
    await bff.release('third');
    await box.isSignedIn('Ada');
    expect([box.status.includes('not possible'), box.field.value, box.details('error').length]).to.deep.equal([false, 'all the same', 1]);
  });

  it('fires one event also where the page has two boxes', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': [{ problem: 'cross-site-request' }] } });
    const tab = await openTab();
    const boxes = [await openBox({ bff, tab }), await openBox({ bff, tab, attributes: { forum: 'sports' } })];
    for (const box of boxes) await box.says('Comments are not available on this page.');
    expect(boxes.flatMap((box) => box.details('error'))).to.have.length(1);
  });

  it('for good is not repeated before the reader comes back', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': [{ problem: 'cross-site-request' }] } });
    const box = await openBox({ bff, tab: await openTab() });
    await box.until(() => box.alert === 'Comments are not available on this page.', 'the sentence');
    expect(box.words).not.to.contain('Trying again');
    expect(await bff.requests('GET /session')).to.have.length(2);
    comeBack(box.element.ownerDocument.defaultView!);
    await box.isSignedIn('Ada');
    expect(await bff.requests('GET /session')).to.have.length(3);
  });

  it('without a response of the BFF is an outage, or an address that is not the BFF’s', async () => {
    const json = { headers: { 'Content-Type': 'application/json' } };
    const answers: readonly (readonly [ScriptedAnswer, string])[] = [
      [{ status: 502, text: '<title>Bad gateway</title>' }, 'Signing in is not possible right now.'],
      [{ status: 200, text: '{"state":', ...json }, 'Signing in is not possible right now.'],
      [{ status: 200, text: '{}', ...json }, 'Signing in is not possible right now.'],
      [{ status: 204, text: '' }, 'Comments are not available on this page.'],
      [{ status: 500, text: '{"type":"urn:other"}', headers: { 'Content-Type': 'application/problem+json' } }, 'Signing in is not possible right now.'],
      [{ status: 200, text: '<title>The article</title>' }, 'Comments are not available on this page.'],
      [{ status: 404, text: '<title>Not found</title>' }, 'Comments are not available on this page.'],
    ];
    for (const [answer, words] of answers) {
      const bff = new TestBff();
      await bff.set({ answers: { 'GET /session': [answer] } });
      const box = await openBox({ bff });
      await box.says(words);
      box.element.remove();
    }
  });
});

describe('a sign-out', () => {
  for (const [door, signOut] of [
    ['the button', (box: Awaited<ReturnType<typeof openBox>>) => box.press('Sign out')],
    ['signOut()', ({ element }: Awaited<ReturnType<typeof openBox>>) => element.signOut()],
  ] as const) {
    it(`by ${door} ends the session and fires the event`, async () => {
      const box = await openSignedIn();
      const [session] = await box.bff.requests('GET /session');
      await signOut(box);
      await box.says('You are signed out.');
      await box.isSignedOut();
      expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
      const [request, ...others] = await box.bff.requests('DELETE /session');
      expect([request!.query?.['session']?.length, others.length]).to.deep.equal([36, 0]);
      // Then at an address that no cache knows.
      await box.hasAsked('GET /session', 2);
      const [, after] = await box.bff.requests('GET /session');
      expect([session!.query, after!.query?.['t']?.length]).to.deep.equal([undefined, 32]);
    });

    it(`by ${door} that fails empties the box, says that the session may live, and is repeated when the reader is back`, async () => {
      for (const [type, answer] of [['online', { problem: 'service-unavailable' }], ['focus', { cut: true }]] as const) {
        const box = await openSignedIn();
        box.write('the secret of Ada');
        await box.bff.set({ answers: { 'DELETE /session': [answer], 'GET /session': [answer] } });
        await signOut(box);
        if (box.offers('Stay signed in')) await box.press('Sign out');
        await box.says('Your sign-out did not get through, so your session may still be open.');
        expect([box.field.value, stored().includes('secret'), box.details('error').length]).to.deep.equal(['', false, 1]);
        expect([box.offers('Sign out'), box.offers(SIGN_IN)]).to.deep.equal([false, true]);
        window.dispatchEvent(new Event(type));
        await box.says('You are signed out.');
        const sessions = (await box.bff.requests('DELETE /session')).map(({ query }) => query?.['session']);
        expect([sessions.length, new Set(sessions).size, box.alert]).to.deep.equal([2, 1, '']);
        box.element.remove();
      }
    });
  }

  it('whose request is lost is repeated at the next visit, untouched, for that session only; no box adopts it meanwhile', async () => {
    const tab = await openTab();
    const { bff, element } = await openSignedIn({ tab });
    const down = Array<ScriptedAnswer>(3).fill({ problem: 'service-unavailable' });
    await bff.set({ answers: { 'DELETE /session': down, 'GET /session': [{ problem: 'service-unavailable' }] } });
    await element.signOut();
    await tab.open();
    const again = await openBox({ bff, tab, untouched: true });
    await again.says('Your sign-out did not get through');
    expect([again.words.includes('Ada'), again.details('state')]).to.deep.equal([false, []]);
    await bff.signIn({ user_id: '43', username: 'Bo' });
    await tab.open();
    const other = await openBox({ bff, tab, untouched: true });
    await other.until(() => !stored().includes('"isOpen":true'), 'the end of the sign-out');
    other.turnTo();
    await other.isSignedIn('Bo');
    const sessions = (await bff.requests('DELETE /session')).map(({ query }) => query?.['session']);
    expect(new Set(sessions).size).to.equal(1);
  });

  it('of an account whose session has no name here yet asks for it first, and ends that of nobody else', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': [{ hold: 'first' }, { hold: 'second' }] } });
    const box = await openBox({ bff, tab: await openTab() });
    await box.hasAsked('GET /session', 2);
    const signOut = box.element.signOut();
    await box.hasAsked('GET /session', 3);
    await bff.signIn({ user_id: '43', username: 'Bo' });
    await bff.release('first', 'second');
    await signOut;
    await box.isSignedIn('Bo');
    await box.until(() => !stored().includes('"isOpen":true'), 'the end of the sign-out');
    expect(await bff.requests('DELETE /session')).to.deep.equal([]);
  });

  it('leaves the page where it is, if the method is called from elsewhere in the page', async () => {
    const box = await openSignedIn();
    box.field.blur();
    const { scrollY } = window;
    await box.element.signOut();
    await box.isSignedOut();
    await box.element.updateComplete;
    expect([window.scrollY, box.focus]).to.deep.equal([scrollY, 'elsewhere']);
  });

  it('drops a response that was in flight before it', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'old', json: { state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits } }] } });
    comeBack();
    await box.hasAsked('GET /session', 2);
    await box.press('Sign out');
    await box.isSignedOut();
    await box.hasAsked('GET /session', 3);
    await box.bff.release('old');
    comeBack();
    await box.hasAsked('GET /session', 4);
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
  });

  it('is not carried over to another BFF whose address the box gets before the response', async () => {
    for (const answer of [{}, { problem: 'service-unavailable' }] as const) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'DELETE /session': [{ hold: 'sign-out', carriedOut: true, ...answer }] } });
      const signOut = box.element.signOut();
      await box.hasAsked('DELETE /session', 1);
      const other = new TestBff();
      await other.signIn({ user_id: '43', username: 'Bo' });
      box.element.bff = other.url;
      await box.isSignedIn('Bo');
      await box.bff.release('sign-out');
      await signOut;
      await box.element.updateComplete;
      expect(box.words).to.contain('Commenting as Bo');
      expect([box.status, box.alert]).to.deep.equal(['', '']);
      await box.element.signOut();
      expect(await other.requests('DELETE /session')).to.have.length(1);
      box.element.remove();
    }
  });
});

describe('a box that gets another BFF', () => {
  it('takes no account along: the draft of the first is hidden, and is there again with it', async () => {
    const box = await openSignedIn();
    box.write('of Ada at the first BFF');
    box.element.bff = new TestBff().url;
    await box.isSignedOut();
    expect(box.field.value).to.equal('');
    box.element.bff = box.bff.url;
    await box.until(() => box.field.value === 'of Ada at the first BFF', 'the draft of Ada');
  });

  it('posts for the account that it shows there', async () => {
    const box = await openSignedIn();
    const other = new TestBff();
    await other.signIn();
    await other.set({ answers: { 'GET /session': [{ hold: 'session' }, { hold: 'session' }] } });
    // Bo was signed in there before, on this browser.
    localStorage.setItem(`vestibule:session ${other.url}`, JSON.stringify({ v: 1, user: { user_id: '43', username: 'Bo', key: 'b' } }));
    box.element.bff = other.url;
    await box.says('Commenting as Bo');
    await box.post('in a hurry');
    await other.release('session');
    await box.isSignedIn('Ada');
    await box.until(async () => (await other.requests('POST /posts')).length === 1, 'the request');
    const [request] = await other.requests('POST /posts');
    expect((request!.body as { expected_user_id: string }).expected_user_id).to.equal('43');
    expect(box.words).not.to.contain('in a hurry');
  });

  it('while it is out of the page follows that one only', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const parent = box.element.parentElement!;
    box.element.remove();
    const other = new TestBff();
    await other.signIn();
    box.element.bff = other.url;
    parent.append(box.element);
    box.turnTo();
    await box.isSignedIn('Ada');
    comeBack();
    await box.until(async () => (await other.requests('GET /session')).length === 2, 'a request to the present BFF');
    expect(await box.bff.requests('GET /session')).to.have.length(1);
  });

  it('says nothing of a sign-in at the earlier one', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    const channel = new BroadcastChannel(`vestibule ${box.bff.url}`);
    channel.postMessage({ vestibule: 'changed', instance });
    await box.hasAsked('GET /session', 2);
    const other = new TestBff();
    await other.signIn();
    box.element.bff = other.url;
    await box.isSignedIn('Ada');
    await box.bff.release('late');
    channel.close();
    expect(box.alert).to.equal('');
  });
});

describe('a browser without a network', () => {
  it('keeps what is posted meanwhile waiting, and sends it once it is back', async () => {
    const box = await openSignedIn();
    replace(navigator, { onLine: false });
    window.dispatchEvent(new Event('offline'));
    await box.post('in the tunnel');
    await box.hasRow('Waiting for a connection…');
    expect([box.offers('Stop'), box.alert, box.field.value]).to.deep.equal([true, '', '']);
    replace(navigator, { onLine: true });
    window.dispatchEvent(new Event('online'));
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });
});
