/** The comment box, for a reader who has pressed “Post comment”, left, and comes back: in a minute, in a day, in another tab. */

import { expect } from '@open-wc/testing';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import { comeBack, letPass, openBox, openSignedIn, openTab, replace, stored, type Box, type Tab } from './_box.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const article = { page: 'https://www.example.com/article' };
const ASKS = 'We could not confirm that this was posted. Please look for it in the comments.';
/** Her posts are one reader's to the BFF, whatever the session. */
const ADA = { user_id: '42', username: 'Ada', key: 'key of Ada' };

/** Ada presses; her next posts get these answers. */
async function press(answers: readonly ScriptedAnswer[], tab: Tab): Promise<Box> {
  const bff = new TestBff();
  await bff.signIn(ADA);
  const box = await openBox({ bff, tab, attributes: article });
  await box.isSignedIn('Ada');
  await box.bff.set({ answers: { 'POST /posts': answers } });
  await box.post('my words');
  await box.hasAsked('POST /posts', 1);
  return box;
}

/** Ada opens the page again, whose clock is `afterMs` ahead. */
async function returns(bff: TestBff, tab: Tab, afterMs = 0): Promise<Box> {
  await tab.open();
  const { now } = tab.view.Date;
  replace(tab.view.Date, { now: () => now() + afterMs });
  const box = await openBox({ bff, tab, attributes: article, untouched: true });
  await box.until(() => box.element.matches(':state(signed-in)'), 'the session');
  return box;
}

/** What the row of the entry says. */
const rowOf = (box: Box): string => box.all('.say').map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()).join();

async function keys({ bff }: Box): Promise<(string | undefined)[]> {
  return (await bff.requests('POST /posts')).map(({ key }) => key);
}

describe('a request that was out when its page was left', () => {
  it('is repeated once with its key, without vestibule-before-post, and its outcome is told', async () => {
    const tab = await openTab();
    const { bff } = await press([{ carriedOut: true, hold: 'first' }], tab);
    await tab.open();
    const asked: Event[] = [];
    tab.view.document.addEventListener('vestibule-before-post', (event) => asked.push(event));
    const box = await openBox({ bff, tab, attributes: article, untouched: true });
    await box.says('Your comment is posted.');
    await bff.release('first');
    expect([asked.length, box.field.value, new Set(await keys(box)).size]).to.deep.equal([0, '', 1]);
    expect([(await keys(box)).length, (await bff.posts()).length, box.details('posted').length]).to.deep.equal([2, 1, 1]);
  });

  for (const [afterMs, isSame, life] of [[11 * MINUTE_MS, true, 'in its life'], [DAY_MS + MINUTE_MS, false, 'after it']] as const) {
    it(`is not repeated ${afterMs / MINUTE_MS} minutes after the press; “Post again” sends ${isSame ? 'the same' : 'another'} key, ${life}`, async () => {
      const tab = await openTab();
      const { bff } = await press([{ carriedOut: true, hold: 'first' }], tab);
      const box = await returns(bff, tab, afterMs);
      await box.until(() => rowOf(box) === ASKS, 'the question');
      await bff.release('first');
      expect([await keys(box).then(({ length }) => length), box.focus]).to.deep.equal([1, 'elsewhere']);
      await box.press('Post again');
      await box.says('Your comment is posted.');
      const [first, second] = await keys(box);
      expect(first === second).to.equal(isSame);
    });
  }

  it('is not repeated by a tab beside the one that waits for it, which shows it too', async () => {
    const here = await press([{ hold: 'post' }], await openTab());
    const there = await returns(here.bff, await openTab());
    await there.until(() => rowOf(there) === 'Posting…', 'the entry');
    await here.hasAsked('POST /posts', 1);
    await here.bff.release('post');
    await here.says('Your comment is posted.');
    for (const box of [here, there]) await box.until(() => rowOf(box) === '', 'the outcome');
    expect([there.all('[part=post]').length, there.field.value, (await keys(here)).length]).to.deep.equal([1, '', 1]);
  });

  it('is posted in a tab that was opened eleven minutes later, as soon as the first tab has its outcome', async () => {
    const here = await press([{ hold: 'post' }], await openTab());
    const there = await returns(here.bff, await openTab(), 11 * MINUTE_MS);
    await there.until(() => rowOf(there) === 'Not posted yet. Trying again.', 'the entry');
    await here.bff.release('post');
    await there.until(() => rowOf(there) === '', 'the outcome');
    // A posted entry is shown for ten minutes: here it is older.
    expect([there.alert, (await keys(here)).length]).to.deep.equal(['', 1]);
  });

  it('lists its comment once in a box that was put into the page meanwhile', async () => {
    const bff = (await openSignedIn({ attributes: article })).bff;
    const box = await openSignedIn({ bff, attributes: article });
    await bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    await box.post('my words');
    await box.hasAsked('POST /posts', 1);
    box.element.remove();
    const again = await openBox({ bff, attributes: article });
    await again.isSignedIn('Ada');
    await bff.release('post');
    await again.says('Your comment is posted.');
    expect([again.all('[part=post]').length, (await keys(box)).length]).to.deep.equal([1, 1]);
  });
});

describe('a wait for another attempt, when its page is left', () => {
  it('goes on in the next document', async () => {
    const tab = await openTab();
    const { bff } = await press([{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }], tab);
    const box = await returns(bff, tab, 31_000);
    await box.says('Your comment is posted.');
    expect([(await keys(box)).length, new Set(await keys(box)).size]).to.deep.equal([2, 1]);
  });

  it('goes on in the next document, after an attempt that may have been carried out; stopped, it is unknown', async () => {
    const tab = await openTab();
    const first = await press([
      { carriedOut: true, cut: true }, { problem: 'service-unavailable', headers: { 'Retry-After': '50' } },
    ], tab);
    await first.hasAsked('POST /posts', 2);
    const box = await returns(first.bff, tab, 20_000);
    await box.until(() => rowOf(box) === 'Not posted yet. Trying again.', 'the wait');
    await box.press('Stop');
    await box.until(() => rowOf(box) === ASKS, 'the question');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect([new Set(await keys(box)).size, (await first.bff.posts()).length]).to.deep.equal([1, 1]);
  });

  it('is over in a document that is opened eleven minutes after the press', async () => {
    const tab = await openTab();
    const { bff } = await press([{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }], tab);
    const box = await returns(bff, tab, 11 * MINUTE_MS);
    await box.until(() => rowOf(box).startsWith('Not posted: Comments are not available'), 'the end');
    expect((await keys(box)).length).to.equal(1);
    await box.press('Try again');
    await box.says('Your comment is posted.');
    expect(new Set(await keys(box)).size).to.equal(1);
  });

  it('sends nothing when the machine has slept over the time of the press', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '20' } }] } });
    await box.post('my words');
    await box.hasAsked('POST /posts', 1);
    letPass(11 * MINUTE_MS);
    comeBack();
    await box.until(() => rowOf(box).startsWith('Not posted: Comments are not available'), 'the end');
    expect([box.field.value, (await keys(box)).length]).to.deep.equal(['', 1]);
  });
});

describe('a text that may have been posted', () => {
  it('is asked about after a reload, until its reader has decided', async () => {
    const tab = await openTab();
    const first = await press([{ problem: 'outcome-unknown' }], tab);
    await first.says(ASKS);
    const box = await returns(first.bff, tab);
    await box.until(() => rowOf(box) === ASKS, 'the question');
    await box.press('Delete');
    await box.says('Delete this comment?');
    await box.press('Delete');
    await box.until(() => box.all('[part=post]').length === 0, 'the end');
    const again = await returns(first.bff, tab);
    await again.isSignedIn('Ada');
    expect([again.field.value, again.all('[part=post]').length, (await keys(again)).length]).to.deep.equal(['', 0, 1]);
  });
});

describe('an entry that the page’s own script removes from storage', () => {
  it('stays on the screen, and is stored again', async () => {
    const box = await openSignedIn({ attributes: article });
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    await box.post('my words');
    await box.says(ASKS);
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    await box.until(() => stored().includes('my words'), 'the record');
    expect(rowOf(box)).to.equal(ASKS);
  });
});
