/** The box while scripts do not load, the BFF does not answer, and pages are left. */

import { expect } from '@open-wc/testing';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import type { WidgetProblem } from '../client/problem.ts';
import {
  comeBack, devtools, openBox, openSignedIn, openTab, replace, signedInBefore, type Box, type Tab,
} from '../box/_box.ts';

const HOUR_MS = 3_600_000;

const block = async (...urls: string[]): Promise<void> => {
  await devtools('Network.enable');
  await devtools('Network.setBlockedURLs', { urls });
};

describe('a thread whose script does not load', () => {
  it('is requested again at its button, also where the browser was online all the time', async () => {
    const tab = await openTab();
    const bff = new TestBff();
    const post = { id: '1', author: { username: 'Bo' }, message: 'hello', created_at: '2026-06-09T20:00:00Z' };
    await bff.set({ answers: { 'GET /posts': [{ json: { posts: [post] } }] } });
    await block('*/thread/vestibule-thread.ts');
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, tab, untouched: true });
    await box.until(() => box.details('error').length > 0, 'the event').finally(() => block());
    box.turnTo();
    await box.isSignedOut();
    await box.press('Try again');
    await box.says('hello');
    expect(box.details('error')).to.have.length(1);
  });
});

describe('a like whose script does not load', () => {
  it('is told in words and by one event, and works at the next press', async () => {
    const bff = new TestBff();
    const post = { id: '1', author: { username: 'Bo' }, message: 'hello', created_at: '2026-06-09T20:00:00Z', likes: 2 };
    await bff.set({ answers: { 'GET /posts': [{ json: { posts: [post], actions: ['like'] } }], 'PUT /posts/1/like': [{ json: { likes: 3 } }] } });
    await bff.signIn({ user_id: '42', username: 'Ada', key: 'of Ada' });
    const box = await openBox({ bff, attributes: { 'show-posts': '' } });
    await box.isSignedIn('Ada');
    await box.says('hello');
    replace(document, { hasFocus: () => true });
    await block('*/thread/actions.ts');
    try {
      for (let press = 0; press < 2; press += 1) box.all<HTMLButtonElement>('.like')[0]!.click();
      await box.says('could not connect');
    } finally {
      await block();
    }
    box.all<HTMLButtonElement>('.like')[0]!.click();
    await box.hasAsked('PUT /posts/1/like', 1);
    expect(box.details('error')).to.have.length(1);
  });
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

describe('a request for the session that is superseded', () => {
  it('is not waited for', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ hold: 'never' }] } });
    const box = await openBox({ bff });
    await box.hasAsked('GET /session', 1);
    await bff.signIn();
    comeBack();
    try {
      await box.isSignedIn('Ada');
    } finally {
      await bff.release('never');
    }
  });
});

/** What the console of the tab is told. */
function recordConsole({ view }: Tab): string[] {
  const lines: string[] = [];
  replace(view.console, { error: (line: unknown) => lines.push(String(line)) });
  return lines;
}

describe('a response that is not the BFF’s', () => {
  const page = (status: number): ScriptedAnswer => ({ status, text: '<title>A page of the proxy</title>' });

  async function post(answers: readonly ScriptedAnswer[], tab?: Tab): Promise<Box> {
    const box = await openSignedIn({ tab });
    await box.bff.set({ answers: { 'POST /posts': answers } });
    await box.post('hello');
    return box;
  }

  for (const [status, words, type] of [
    [403, 'This site’s firewall stopped this. Try other words, or contact the site.', 'firewall'],
    [409, 'Not posted: Something went wrong. Reload the page and try again.', 'invalid-request'],
    [422, 'Not posted: Something went wrong. Reload the page and try again.', 'invalid-request'],
  ] as const) {
    it(`with status ${status} is final, and named by its status`, async () => {
      const box = await post([page(status)]);
      await box.says(words);
      const { problem } = box.details('error')[0] as { problem: WidgetProblem };
      expect([problem.type, problem.status, problem.retryable]).to.deep.equal([`urn:vestibule:${type}`, status, false]);
      expect([box.field.value, box.part('post')!.textContent.includes('hello'), (await box.bff.requests('POST /posts')).length]).to.deep.equal(['', true, 1]);
    });
  }

  for (const status of [429, 502, 503, 504]) {
    it(`with status ${status} is followed by the same request, with the same key`, async () => {
      const box = await post([{ ...page(status), headers: { 'Retry-After': '0' } }]);
      await box.says('Your comment is posted.');
      const keys = (await box.bff.requests('POST /posts')).map(({ key }) => key);
      expect([keys.length, new Set(keys).size]).to.deep.equal([2, 1]);
    });
  }

  it('is no list of comments: the button reads it again', async () => {
    const bff = new TestBff();
    const json = { text: '{"ok":true}', headers: { 'Content-Type': 'application/json' } };
    await bff.set({ answers: { 'GET /posts': [{ status: 200, ...json }, { json: { posts: [] } }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' } });
    await box.press('Try again');
    await box.says('No comments yet.');
    expect(box.details('error')).to.have.length(1);
  });

  it('is named in the console, once', async () => {
    const tab = await openTab();
    const lines = recordConsole(tab);
    const box = await post([{ ...page(502), headers: { 'Retry-After': '0' } }, page(422)], tab);
    // A page of a proxy says nothing of the request before it.
    await box.says('Please look for it in the comments.');
    await box.until(() => lines.length > 0, 'a line');
    expect(lines).to.have.length(1);
    expect(lines[0]).to.contain(box.bff.url).and.to.contain('proxy').and.to.match(/\(not-the-bff\)$/);
  });

  it('but a redirect is not repeated, and named in the console', async () => {
    const tab = await openTab();
    const lines = recordConsole(tab);
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ status: 308, headers: { Location: `${bff.url}session/` }, text: '' }] } });
    const box = await openBox({ bff, tab });
    await box.says('Comments are not available on this page.');
    await box.until(() => lines.length > 0, 'a line');
    expect(lines[0]).to.match(/\(not-the-bff\)$/);
    expect(await bff.requests()).to.have.length(1);
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

  it('is not recalled with the box that is removed', async () => {
    const tab = await openTab();
    const box = await openSignedIn({ tab });
    const signals: (AbortSignal | null | undefined)[] = [];
    const { fetch } = tab.view;
    replace(tab.view, { fetch: (url: string, init?: RequestInit) => {
      if (init?.method === 'POST') signals.push(init.signal);
      return fetch(url, init);
    } });
    await box.bff.set({ answers: { 'POST /posts': [{ hold: 'post' }] } });
    await box.post('going');
    await box.hasAsked('POST /posts', 1);
    box.element.remove();
    expect(signals.map((signal) => signal?.aborted)).to.deep.equal([false]);
    await box.bff.release('post');
  });

  it('and is too long for that is sent as before', async () => {
    const bff = new TestBff();
    await bff.setSession({ state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits: { message_max_length: 100_000 } });
    const box = await openBox({ bff });
    await box.isSignedIn('Ada');
    await box.post('x'.repeat(70_000));
    await box.says('Your comment is posted.');
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

describe('a tab in sight', () => {
  it('does not repeat a request for the session for ever during an outage either, until its reader comes back', async () => {
    const bff = await signedInBefore();
    await bff.set({ answers: { 'GET /session': Array(200).fill({ problem: 'service-unavailable' }) } });
    const tab = await openTab();
    const { setTimeout } = tab.view;
    replace(tab.view, { setTimeout: (act: () => void, ms = 0) => setTimeout(act, ms / 18_000) });
    const box = await openBox({ bff, tab, untouched: true });
    await box.until(() => box.alert === 'Comments are not available right now. Please try again in a moment.', 'the end of it');
    expect((await bff.requests('GET /session')).length).to.be.within(6, 15);
    await bff.set({ answers: { 'GET /session': [] } });
    tab.view.dispatchEvent(new Event('focus'));
    await box.isSignedIn('Ada');
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
