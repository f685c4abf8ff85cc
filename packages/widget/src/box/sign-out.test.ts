/** The question before a sign-out, and what other tabs say. */

import { expect } from '@open-wc/testing';
import { comeBack, openBox, openSignedIn, openTab, stored, FIELD, type Box } from './_box.ts';

const article = { page: 'https://www.example.com/article' };
const TEXT_QUESTION = 'Sign out? What is not posted is deleted.';
const DOUBT_QUESTION = `${TEXT_QUESTION} One comment may still appear.`;

async function escape(box: Box): Promise<void> {
  const focused = box.element.shadowRoot!.activeElement!;
  focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }));
  await box.until(() => !box.offers('Stay signed in'), 'the end of the question');
}

describe('a sign-out that would delete a text', () => {
  it('asks first: the answer that keeps the text has the focus, and Escape gives it', async () => {
    const box = await openSignedIn();
    box.write('not posted');
    await box.press('Sign out');
    await box.says(TEXT_QUESTION);
    await box.hasFocusOn('Stay signed in');
    expect(box.button('Stay signed in')!.part.contains('primary-button')).to.equal(true);
    await escape(box);
    await box.hasFocusOn(FIELD);
    expect([box.field.value, await box.bff.requests('DELETE /session')]).to.deep.equal(['not posted', []]);
  });

  it('asks before the row that it hides: a screen reader looks for a new focus behind that one, and would be within the question', async () => {
    const box = await openSignedIn();
    box.write('not posted');
    await box.press('Sign out');
    await box.says(TEXT_QUESTION);
    const position = box.part('panel')!.compareDocumentPosition(box.part('footer')!);
    expect(position).to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('asks for a comment that was not posted, too, and deletes it', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected', detail: 'Please stay on the topic.' }] } });
    await box.post('off topic');
    await box.says('Please stay on the topic.');
    await box.press('Sign out');
    await box.says(TEXT_QUESTION);
    await box.press('Sign out');
    await box.isSignedOut();
    expect(box.words).not.to.contain('off topic');
    expect(Object.keys(localStorage).filter((key) => key.includes(` ${box.bff.url}`) || key.endsWith(box.bff.url)).map((key) => key.split(' ')[0]))
      .to.have.members(['vestibule:signed-out', 'vestibule:entries']);
  });

  it('deletes what was written signed out, too', async () => {
    const box = await openBox();
    await box.isSignedOut();
    box.write('of nobody yet');
    await box.element.signOut();
    await box.until(() => box.field.value === '', 'the empty field');
    box.turnTo();
    expect(Object.values(localStorage).join('')).not.to.contain('of nobody yet');
  });

  it('does not ask for texts of other accounts, which go too', async () => {
    const box = await openSignedIn({ attributes: article });
    box.write('of Ada');
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected', detail: 'Please stay on the topic.' }] } });
    await box.press('Post comment');
    await box.says('Please stay on the topic.');
    box.write('also of Ada');
    await box.bff.signIn({ user_id: '43', username: 'Bo' });
    comeBack();
    await box.isSignedIn('Bo');
    expect(stored()).to.contain('also of Ada');
    await box.press('Sign out');
    await box.isSignedOut();
    expect(stored()).not.to.contain('of Ada');
  });

  it('asks for a text of the reader at another article', async () => {
    const { bff, element, field } = await openSignedIn({ attributes: article });
    field.value = 'not posted';
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    element.remove();
    const box = await openBox({ bff, attributes: { page: 'https://www.example.com/another' } });
    await box.isSignedIn('Ada');
    await box.press('Sign out');
    await box.says(TEXT_QUESTION);
  });

  it('says that a comment may still appear where one is on its way', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    await box.post('the lamps');
    await box.says('Posting…');
    await box.press('Sign out');
    await box.says(DOUBT_QUESTION);
    await box.hasFocusOn('Stay signed in');
    await box.press('Sign out');
    await box.isSignedOut();
    expect(box.words).not.to.contain('the lamps');
    await box.bff.release('post');
  });

  it('asks nothing where all is posted', async () => {
    const box = await openSignedIn();
    await box.post('the lamps');
    await box.until(() => box.details('posted').length === 1, 'the post');
    await box.press('Sign out');
    await box.isSignedOut();
    // No list has had it.
    expect(box.words).not.to.contain('the lamps');
  });
});

describe('a sign-out in another tab', () => {
  it('is told, and not in the tab that has signed out', async () => {
    const here = await openSignedIn({ attributes: article });
    const elsewhere = await openBox({ bff: here.bff, attributes: article, tab: await openTab() });
    await elsewhere.isSignedIn('Ada');
    here.write('not posted');
    await elsewhere.hasText('not posted');
    await here.signOutConfirmed();
    await elsewhere.says('You signed out in another tab.');
    await elsewhere.isSignedOut();
    await here.says('You are signed out.');
    expect(here.words).not.to.contain('another tab');
  });
});
