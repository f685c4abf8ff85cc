import { expect } from '@open-wc/testing';
import { TestBff } from '../../_bff.ts';
import { openBox, openSignedIn } from './_box.ts';

const limits = { message_max_length: 10_000 };
const comeBack = (): boolean => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

afterEach(() => localStorage.clear());

describe('the comment box, session', () => {
  it('lets a reader who is signed out write and offers to sign in', async () => {
    const box = await openBox();
    await box.isSignedOut();
    expect(box.words).to.contain('Write now, sign in to post.');
    expect(box.details('state')).to.deep.equal([{ state: 'anonymous' }]);
  });

  it('always shows who is posting, by id if the name is blank', async () => {
    const box = await openSignedIn();
    expect(box.words).to.contain('Commenting as Ada Sign out');
    await box.bff.signIn({ user_id: '77', username: '\u200B ' });
    comeBack();
    await box.says('Commenting as 77');
  });

  it('says no more that the reader is signed in once the session has ended, or is unknown after a sign-out in another tab', async () => {
    for (const isSignedOut of [false, true]) {
      const box = await openBox();
      await box.isSignedOut();
      box.write('kept');
      await box.bff.signIn({ user_id: '42', username: 'Ada' });
      comeBack();
      await box.says('You are signed in as Ada. Your comment is not posted yet.');
      await box.bff.setSession({});
      if (isSignedOut) {
        await box.bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
        localStorage.setItem(`vestibule:signed-out ${box.bff.url}`, String(Date.now() + 1));
      }
      comeBack();
      await box.until(() => !box.words.includes('Commenting as'), 'no account');
      expect(box.status).to.equal('');
      if (isSignedOut) await box.bff.release('late');
    }
  });

  it('isolates the direction of a name', async () => {
    const bff = new TestBff();
    await bff.signIn({ user_id: '1', username: '\u202Eadmin <b>x</b>' });
    const box = await openBox({ bff });
    await box.isSignedIn();
    const name = box.element.shadowRoot!.querySelector('#account bdi')!;
    expect(name.textContent).to.equal('\u202Eadmin <b>x</b>');
    expect(name.children).to.have.length(0);
  });

  it('has a message for each notice', async () => {
    for (const [notice, words] of [
      ['declined', 'Access was not allowed'], ['rejected', 'This site did not accept the sign-in.'], ['already-granted', 'You’ve already allowed access'],
    ] as const) {
      const bff = new TestBff();
      await bff.setSession({ notice });
      const box = await openBox({ bff });
      await box.says(words);
      expect(box.status, notice).to.contain(words);
    }
  });

  it('shows the reference of a failure behind a notice', async () => {
    const bff = new TestBff();
    await bff.setSession({ notice: 'declined', instance: 'urn:vestibule:request:7f0c2a4e-0000-4000-8000-000000000000' });
    const box = await openBox({ bff });
    await box.says('Reference: 7f0c2a4e');
  });

  it('signs out and fires the event', async () => {
    const box = await openSignedIn();
    await box.press('Sign out');
    await box.says('You are signed out.');
    await box.isSignedOut();
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
    expect((await box.bff.requests('DELETE /session'))).to.have.length(1);
  });

  it('shows a message when signing out fails, and stays signed in', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'DELETE /session': [{ problem: 'service-unavailable' }] } });
    await box.press('Sign out');
    await box.until(() => box.alert.includes('not available'), 'an alert');
    expect(box.button('Sign out')).to.not.equal(undefined);
    expect(box.details('error')).to.have.length(1);
  });

  it('ignores a response that was in flight when the reader signed out', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'GET /session': [{ hold: 'old', json: { state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits } }] } });
    comeBack();
    await box.until(async () => (await box.bff.requests('GET /session')).length === 2, 'the question');
    await box.press('Sign out');
    await box.isSignedOut();
    await box.bff.release('old');
    await box.until(async () => (await box.bff.requests('GET /session')).length >= 3, 'another question');
    expect(box.details('state')).to.deep.equal([{ state: 'signed-in' }, { state: 'anonymous' }]);
  });

  it('moves text that was written signed out to the account', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('before');
    await box.bff.signIn();
    comeBack();
    await box.isSignedIn();
    expect(box.field.value).to.equal('before');
    expect(box.status).to.contain('You are signed in as Ada. Your comment is not posted yet.');
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('stays writable without the BFF, fires one event, and continues by itself', async () => {
    const bff = new TestBff();
    const down = { problem: 'service-unavailable', headers: { 'Retry-After': '0' } } as const;
    await bff.set({ answers: { 'GET /session': [down, down, { ...down, hold: 'third' }] } });
    const box = await openBox({ bff });
    await box.says('Signing in is not possible right now.');
    expect(box.button('Try again')).to.not.equal(undefined);
    box.write('all the same');
    await bff.release('third');
    await box.isSignedOut();
    expect(box.status).to.equal('');
    expect(box.field.value).to.equal('all the same');
    expect(box.details('error')).to.have.length(1);
  });

  it('does not repeat a request after a final refusal', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ problem: 'cross-site-request' }] } });
    const box = await openBox({ bff });
    await box.says('This page is not allowed to use the comment service.');
    await box.press('Try again');
    await box.isSignedOut();
    expect(await bff.requests('GET /session')).to.have.length(2);
  });

  it('sends one request for all boxes of a page, and shows its notice in each', async () => {
    const bff = new TestBff();
    await bff.setSession({ notice: 'declined' });
    const [news, sports] = [await openBox({ bff }), await openBox({ bff, forum: 'sports' })];
    for (const box of [news, sports]) await box.says('Access was not allowed');
    expect(await bff.requests('GET /session')).to.have.length(1);
    await bff.signIn();
    comeBack();
    for (const box of [news, sports]) await box.isSignedIn();
    await news.press('Sign out');
    await sports.isSignedOut();
  });

  it('requests the session again when the browser is online and when it restores the page', async () => {
    const box = await openBox();
    await box.isSignedOut();
    await box.bff.signIn();
    window.dispatchEvent(new Event('online'));
    await box.isSignedIn();
    await box.bff.setSession({});
    comeBack();
    await box.isSignedOut();
  });

  it('follows another BFF when its address changes', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const other = new TestBff();
    await other.signIn();
    box.element.bff = other.url;
    await box.isSignedIn();
  });

  it('carries no sign-out over to another BFF whose address it gets before the response', async () => {
    for (const answer of [{}, { problem: 'service-unavailable' }] as const) {
      const box = await openSignedIn();
      await box.bff.set({ answers: { 'DELETE /session': [{ hold: 'sign-out', carriedOut: true, ...answer }] } });
      const signOut = box.element.signOut();
      await box.until(async () => (await box.bff.requests('DELETE /session')).length === 1, 'the request');
      const other = new TestBff();
      await other.signIn({ user_id: '43', username: 'Bo' });
      box.element.bff = other.url;
      await box.says('Commenting as Bo');
      const requests = (await other.requests('GET /session')).length;
      await box.bff.release('sign-out');
      await signOut;
      await box.element.updateComplete;
      expect(box.words).to.contain('Commenting as Bo');
      expect([box.status, box.alert]).to.deep.equal(['', '']);
      expect(await other.requests('GET /session')).to.have.length(requests);
      expect(box.details('error')).to.have.length('problem' in answer ? 1 : 0);
      await box.element.signOut();
      expect(await other.requests('DELETE /session')).to.have.length(1);
    }
  });

  it('sends no request after it was removed', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.element.remove();
    await Promise.resolve();
    comeBack();
    const other = await openBox({ bff: box.bff });
    await other.isSignedOut();
    expect(await box.bff.requests('GET /session')).to.have.length(1);
  });

  it('shows that the browser is offline, and keeps the text', async () => {
    const box = await openSignedIn();
    const online = Object.getOwnPropertyDescriptor(Navigator.prototype, 'onLine')!;
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    try {
      window.dispatchEvent(new Event('offline'));
      await box.until(() => box.status === 'You are offline.', 'the words “You are offline.”');
      box.write('in the tunnel');
      await box.says('You are offline. Your text is kept on this device.');
      await box.bff.set({ answers: { 'POST /posts': [{ cut: true }] } });
      await box.press('Post comment');
      await box.says('Your comment was not posted. You are offline. Your text is kept on this device.');
      expect(await box.bff.requests('POST /posts')).to.have.length(1);
    } finally {
      Object.defineProperty(navigator, 'onLine', online);
      delete (navigator as { onLine?: boolean }).onLine;
    }
    window.dispatchEvent(new Event('online'));
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(await box.bff.posts()).to.have.length(1);
  });
});
