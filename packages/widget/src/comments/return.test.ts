/** The comment box, for a reader who has pressed “Post comment”, left, and comes back: in a minute, in a day, in another tab. */

import { expect } from '@open-wc/testing';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import type { TestBff } from '../_bff.ts';
import { letPass, openBox, openSignedIn, openTab, replace, type Box, type Tab } from './_box.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const article = { page: 'https://www.example.com/article' };
const ASKS = 'It is not certain whether this comment was posted. Please check whether it is there before you post it again.';
const NOT_POSTED = 'You are signed in. Your comment is not posted yet.';

/** Ada presses; her next posts get these answers. */
async function press(answers: readonly ScriptedAnswer[], tab: Tab): Promise<Box> {
  const box = await openSignedIn({ tab, attributes: article });
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

  it('is not repeated a second time: the box asks, also after another reload', async () => {
    const tab = await openTab();
    const { bff } = await press([{ hold: 'first' }, { hold: 'second' }], tab);
    const second = await returns(bff, tab);
    await second.hasAsked('POST /posts', 2);
    await bff.release('first');
    for (let visit = 0; visit < 2; visit += 1) {
      const box = await returns(bff, tab);
      await box.until(() => box.alert === ASKS, 'the question');
      expect([box.offers('Post comment'), box.field.value, (await keys(box)).length]).to.deep.equal([false, 'my words', 2]);
    }
    await bff.release('second');
  });

  for (const [afterMs, isSame, life] of [[11 * MINUTE_MS, true, 'in its life'], [DAY_MS + MINUTE_MS, false, 'after it']] as const) {
    it(`is not repeated ${afterMs / MINUTE_MS} minutes after the press; “Post again” sends ${isSame ? 'the same' : 'another'} key, ${life}`, async () => {
      const tab = await openTab();
      const { bff } = await press([{ carriedOut: true, hold: 'first' }], tab);
      const box = await returns(bff, tab, afterMs);
      await box.until(() => box.alert === ASKS, 'the question');
      await bff.release('first');
      expect([await keys(box).then(({ length }) => length), box.focus]).to.deep.equal([1, 'elsewhere']);
      await box.press('Post again');
      await box.says('Your comment is posted.');
      const [first, second] = await keys(box);
      expect(first === second).to.equal(isSame);
    });
  }

  it('is asked about at once where another account has signed out since', async () => {
    const tab = await openTab();
    const { bff } = await press([{ carriedOut: true, hold: 'first' }], tab);
    await tab.open();
    await bff.signIn({ user_id: '43', username: 'Bo' });
    const other = await openBox({ bff, attributes: article });
    await other.isSignedIn('Bo');
    await other.element.signOut();
    await bff.signIn();
    const box = await openBox({ bff, tab, attributes: article });
    await box.until(() => box.alert === ASKS, 'the question');
    await bff.release('first');
    expect([box.field.value, (await keys(box)).length]).to.deep.equal(['my words', 1]);
  });

  it('is not repeated by a tab beside the one that waits for it, which is told the outcome', async () => {
    const tab = await openTab();
    const here = await press([{ hold: 'post' }], tab);
    const other = await openTab();
    const there = await returns(here.bff, other);
    await there.until(() => there.field.value === 'my words', 'the text');
    await here.bff.release('post');
    for (const box of [here, there]) await box.says('Your comment is posted.');
    expect([there.field.value, (await keys(here)).length]).to.deep.equal(['', 1]);
  });

  it('is in the list of a tab that was opened eleven minutes later, and not in its field, as soon as the first tab has its outcome', async () => {
    const here = await press([{ hold: 'post' }], await openTab());
    const there = await returns(here.bff, await openTab(), 11 * MINUTE_MS);
    await there.until(() => there.field.value === 'my words', 'the text');
    await here.bff.release('post');
    await there.until(() => there.field.value === '', 'the outcome');
    expect([there.all('[part=post]').length, there.alert, (await keys(here)).length]).to.deep.equal([1, '', 1]);
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
  it('leaves a plain draft and the line that it is not posted, after an attempt that certainly did nothing', async () => {
    const tab = await openTab();
    const { bff } = await press([{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }], tab);
    const box = await returns(bff, tab);
    await box.says(NOT_POSTED);
    expect([box.field.value, box.offers('Post comment'), (await keys(box)).length]).to.deep.equal(['my words', true, 1]);
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect(new Set(await keys(box)).size).to.equal(2);
  });

  it('leaves the question, after an attempt that may have been carried out', async () => {
    const tab = await openTab();
    const first = await press([
      { carriedOut: true, cut: true }, { problem: 'service-unavailable', headers: { 'Retry-After': '50' } },
    ], tab);
    await first.hasAsked('POST /posts', 2);
    await first.says('Trying again in');
    const box = await returns(first.bff, tab);
    await box.until(() => box.alert === ASKS, 'the question');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect([new Set(await keys(box)).size, (await first.bff.posts()).length]).to.deep.equal([1, 1]);
  });

  it('sends nothing when the machine has slept over the time of the press', async () => {
    const box = await openSignedIn();
    const { setTimeout } = window;
    let wake = (): void => {};
    replace(window, { setTimeout: (act: () => void, ms = 0) => ms > 5_000 ? (wake = act, 0) : setTimeout(act, ms) });
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '20' } }] } });
    await box.post('my words');
    await box.says('Trying again in');
    letPass(11 * MINUTE_MS);
    wake();
    await box.says(NOT_POSTED);
    expect([box.field.value, (await keys(box)).length]).to.deep.equal(['my words', 1]);
  });
});

describe('a text that may have been posted', () => {
  it('is asked about after a reload, until its reader has decided', async () => {
    const tab = await openTab();
    const first = await press([{ problem: 'outcome-unknown' }], tab);
    await first.says('I can see it');
    const box = await returns(first.bff, tab);
    await box.until(() => box.alert === ASKS, 'the question');
    await box.press('I can see it');
    await box.until(() => box.field.value === '', 'the empty field');
    const again = await returns(first.bff, tab);
    await again.isSignedIn('Ada');
    expect([again.field.value, again.alert, (await keys(again)).length]).to.deep.equal(['', '', 1]);
  });

  it('is asked about in a draft of release 0.2 that has a key', async () => {
    const { bff, element } = await openSignedIn({ attributes: article });
    element.remove();
    const record = { v: 1, text: 'of 0.2', idempotencyKey: 'a'.repeat(32), other: '', updatedAt: Date.now() };
    localStorage.setItem(`vestibule:draft ${bff.url} 42 news ${article.page}`, JSON.stringify(record));
    const box = await openSignedIn({ bff, attributes: article });
    await box.until(() => box.alert === ASKS, 'the question');
    await box.press('Post again');
    await box.says('Your comment is posted.');
    expect(await keys(box)).to.deep.equal([record.idempotencyKey]);
  });
});
