/** The box while scripts do not load, the BFF does not answer, and pages are left. */

import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { knownFault } from '../../../../test/lib/known-fault.ts';
import { TestBff } from '../_bff.ts';
import { devtools, openBox, openSignedIn, openTab, replace, signedInBefore } from '../comments/_box.ts';

const HOUR_MS = 3_600_000;

const block = async (...urls: string[]): Promise<void> => {
  await devtools('Network.enable');
  await devtools('Network.setBlockedURLs', { urls });
};

describe('scripts that do not load after intent', () => {
  for (const attributes of [{}, { 'show-posts': '' }]) {
    it(`cause one event, not one for each key${'show-posts' in attributes ? ', with the thread too' : ''}`, knownFault('B3', async () => {
      const tab = await openTab();
      const bff = new TestBff();
      await bff.set({ answers: { 'GET /posts': [{ json: { posts: [] } }] } });
      const box = await openBox({ bff, attributes, tab, untouched: true });
      await block('*/packages/widget/src/*');
      // The window's own report of the script.
      tab.view.addEventListener('error', (event) => event.preventDefault());
      try {
        box.field.focus();
        await box.until(() => box.details('error').length > 0, 'the event');
        for (const letter of 'a letter to the editor') await sendKeys({ type: letter });
        expect(box.field.value).to.equal('a letter to the editor');
      } finally {
        await block();
      }
      tab.view.dispatchEvent(new Event('online'));
      await box.isSignedOut();
      expect(box.details('error')).to.have.length(1);
    }));
  }
});

describe('a BFF that accepts a connection and never answers', () => {
  it('does not block the box after a request that failed', async () => {
    const bff = new TestBff();
    const never = [{ hold: 'never' }, { hold: 'never' }];
    await bff.set({ answers: { 'GET /session': [{ cut: true }], 'GET /posts': never, 'HEAD /posts': never } });
    const box = await openBox({ bff });
    try {
      await box.says('Signing in is not possible right now.');
    } finally {
      await bff.release('never');
    }
  });
});

describe('a post that is in flight when the page is left', () => {
  it('is sent all the same', async () => {
    const tab = await openTab();
    const box = await openSignedIn({ tab });
    const sent: boolean[] = [];
    const { fetch } = tab.view;
    replace(tab.view, { fetch: (...request: Parameters<typeof fetch>) => {
      sent.push(new Request(...request).keepalive);
      return fetch(...request);
    } });
    await box.post('going');
    await box.says('Your comment is posted.');
    expect(sent).to.deep.equal([true]);
  });

  it('has an outcome that the box names on return', async () => {
    const tab = await openTab();
    const box = await openSignedIn({ tab });
    await box.bff.set({ answers: { 'POST /posts': [{ carriedOut: true, hold: 'post' }] } });
    await box.post('going');
    await box.hasAsked('POST /posts', 1);
    await tab.open();
    await box.bff.release('post');
    const back = await openBox({ bff: box.bff, tab, untouched: true });
    await back.isSignedIn('Ada');
    await back.says('Your comment is posted.');
    expect([back.field.value, (await box.bff.posts()).length]).to.deep.equal(['', 1]);
  });
});

describe('a tab in the background', () => {
  it('does not repeat a request for the session for ever during an outage', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': Array(200).fill({ problem: 'service-unavailable' }) } });
    const tab = await openTab();
    let passedMs = 0;
    let planned = 0;
    const { setTimeout, fetch } = tab.view;
    replace(tab.view, {
      // An hour in 200 ms.
      setTimeout: (act: () => void, ms = 0) => {
        planned += 1;
        return setTimeout(() => {
          planned -= 1;
          passedMs += ms;
          act();
        }, ms / 18_000);
      },
      fetch: (...request: Parameters<typeof fetch>) => {
        planned += 1;
        return fetch(...request).finally(() => { planned -= 1; });
      },
    });
    replace(tab.view.document, { visibilityState: 'hidden', hidden: true });
    const box = await openBox({ bff, tab, untouched: true });
    await box.until(async () => (await bff.requests('GET /session')).length > 1, 'the first request of the tab');
    let idle = 0;
    await box.until(() => {
      idle = planned === 0 ? idle + 1 : 0;
      return passedMs > HOUR_MS || idle > 20;
    }, 'an hour, or the end of it');
    expect((await bff.requests('GET /session')).length).to.be.below(10);
    await bff.set({ answers: { 'GET /session': [] } });
    replace(tab.view.document, { visibilityState: 'visible', hidden: false });
    tab.view.document.dispatchEvent(new Event('visibilitychange'));
    await box.isSignedIn('Ada');
  });
});
