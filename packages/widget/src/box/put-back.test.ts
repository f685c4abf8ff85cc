/** A text that the BFF refuses, as it has no session or that of another account: it is back, and the box says whose it is. */

import { expect } from '@open-wc/testing';
import type { ListedPost, SessionUser } from '@vestibule/shared';
import { Box, openBox, openSignedIn, openTab } from './_box.ts';
import type { VestibuleComments } from '../element/vestibule-comments.ts';

const bo: SessionUser = { user_id: '43', username: 'Bo', key: 'key of Bo', proven: true };
const IS_OVER = 'Not posted: You are no longer signed in. Please sign in again. You wrote this text as Ada.';
const IS_OTHER = 'Not posted: You are signed in with another account now. You wrote this text as Ada.';

const page = 'https://www.example.com/article';
const listed = ['7', '8'].map((id): ListedPost => ({ id, author: { username: 'Grace' }, message: `comment ${id}`, created_at: '2026-11-01T10:00:00Z' }));

const composerOf = (box: Box): Box | undefined => box.all<VestibuleComments>('vestibule-comments').map((element) => new Box(box.bff, element))[0];

async function openThread(): Promise<Box> {
  const { bff, element } = await openSignedIn();
  element.remove();
  await bff.set({ answers: { 'GET /posts': [{ json: { posts: listed, replies: true } }] } });
  const box = await openBox({ bff, attributes: { page, 'show-posts': '' } });
  await box.isSignedIn('Ada');
  return box;
}

async function reply(box: Box, index: number, text: string): Promise<Box> {
  await box.until(() => box.all('button.reply').length === 2, 'the comments');
  box.all('button.reply')[index]!.click();
  await box.until(() => composerOf(box)?.field, 'the composer');
  const composer = composerOf(box)!;
  composer.write(text);
  return composer;
}

describe('a text whose session is not that of the BFF', () => {
  it('is back before what stands in the field of the other reader, who may post it', async () => {
    const box = await openSignedIn({ attributes: { page } });
    await box.bff.signIn(bo);
    const other = await openBox({ bff: box.bff, attributes: { page: `${page}/2` } });
    other.element.remove();
    localStorage.setItem(`vestibule:draft ${box.bff.url} 43 news ${page}`, JSON.stringify({ v: 1, text: 'of Bo', id: 'b', at: Date.now() }));
    await box.post('of Ada');
    await box.until(() => box.alert === IS_OTHER, 'the reason');
    await box.isSignedIn('Bo');
    expect([box.field.value, await box.bff.posts(), box.row]).to.deep.equal(['of Ada\n\nof Bo', [], '']);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    const [post, ...others] = await box.bff.requests('POST /posts');
    expect([others.length, (post!.body as { expected_user_id: string }).expected_user_id]).to.deep.equal([1, '42']);
    expect((others[0]!.body as { expected_user_id: string }).expected_user_id).to.equal('43');
  });

  it('leaves the caret of the reader who writes on at its letter', async () => {
    const box = await openSignedIn({ attributes: { page } });
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'not-signed-in' }] } });
    await box.post('the first');
    await box.hasRow('Posting…');
    box.field.focus();
    box.write('the second');
    box.field.setSelectionRange(4, 7);
    await box.bff.release('post');
    await box.hasText('the first\n\nthe second');
    expect(box.field.value.slice(box.field.selectionStart, box.field.selectionEnd)).to.equal('sec');
  });

  it('stays not posted where the reader composes a word', async () => {
    const box = await openSignedIn({ attributes: { page } });
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'not-signed-in' }] } });
    await box.post('the first');
    await box.hasRow('Posting…');
    box.field.dispatchEvent(new CompositionEvent('compositionstart'));
    box.write('にほ');
    await box.bff.release('post');
    await box.hasRow('Not posted: You are no longer signed in. Please sign in again.');
    expect(box.field.value).to.equal('にほ');
  });

  it('says after a reload, too, whose it is, until it is changed', async () => {
    const box = await openSignedIn({ attributes: { page } });
    await box.bff.signIn(bo);
    await box.post('of Ada');
    await box.until(() => box.alert === IS_OTHER, 'the reason');
    const again = await openBox({ bff: box.bff, attributes: { page }, tab: await openTab() });
    await again.isSignedIn('Bo');
    await again.until(() => again.alert === 'You wrote this text as Ada.', 'whose text it is');
    expect(again.field.value).to.equal('of Ada');
    again.write('of Ada, by Bo');
    await again.until(() => again.alert === '', 'no more');
  });

  it('stays not posted at another article', async () => {
    const box = await openSignedIn({ attributes: { page } });
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'user-changed' }] } });
    await box.post('of Ada');
    await box.hasRow('Posting…');
    box.element.page = `${page}/2`;
    await box.element.updateComplete;
    await box.bff.release('post');
    await box.hasRow('Not posted: This account is not the one you were shown.');
    expect(box.field.value).to.equal('');
  });

  for (const [problem, reason] of [['not-signed-in', IS_OVER], ['user-changed', IS_OTHER]] as const) {
    it(`is back in the composer of a reply, which opens: ${problem}`, async () => {
      const box = await openThread();
      const composer = await reply(box, 0, 'I agree');
      if (problem === 'user-changed') await box.bff.signIn(bo);
      else await box.bff.setSession({});
      await composer.press('Post reply');
      await box.until(() => box.alert === reason, 'the reason');
      await box.until(() => composerOf(box)?.field?.value === 'I agree', 'the text');
      expect([await box.bff.posts(), box.field.value]).to.deep.equal([[], '']);
    });
  }

  it('is a draft that is named at its comment, where the composer of another reply is open', async () => {
    const box = await openThread();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'not-signed-in' }] } });
    await (await reply(box, 0, 'I agree')).press('Post reply');
    await box.hasRow('Posting…');
    const other = await reply(box, 1, 'I do not');
    await box.bff.release('post');
    await box.until(() => box.alert === IS_OVER, 'the reason');
    await box.says('Continue your reply');
    expect(other.field.value).to.equal('I do not');
  });

  it('is a draft that is named at its comment, where the reader is writing in the field', async () => {
    const box = await openThread();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'not-signed-in' }] } });
    await (await reply(box, 0, 'I agree')).press('Post reply');
    await box.hasRow('Posting…');
    box.field.focus();
    await box.bff.release('post');
    await box.says('Continue your reply');
    expect([composerOf(box), box.focus]).to.deep.equal([undefined, 'Your comment']);
  });

  it('is back also where the reader has begun another reply to the same comment, which stands below it', async () => {
    const box = await openThread();
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post', problem: 'not-signed-in' }] } });
    await (await reply(box, 0, 'I agree')).press('Post reply');
    await box.hasRow('Posting…');
    const again = await reply(box, 0, 'And more');
    await box.bff.release('post');
    await again.hasText('I agree\n\nAnd more');
  });

  it('is in the field of the box where the comment that it answers is not there any more', async () => {
    const box = await openThread();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'post-rejected' }] } });
    await (await reply(box, 0, 'I agree')).press('Post reply');
    await box.hasRow('Not posted');
    box.element.remove();
    await box.bff.set({ answers: { 'GET /posts': [{ json: { posts: [listed[1]], replies: true } }] } });
    const later = await openBox({ bff: box.bff, attributes: { page, 'show-posts': '' } });
    await later.isSignedIn('Ada');
    await later.until(() => later.all('button.reply').length === 1, 'the comment');
    later.write('And so on');
    await later.press('Edit');
    await later.hasText('I agree\n\nAnd so on');
    expect(later.row).to.equal('');
  });
});
