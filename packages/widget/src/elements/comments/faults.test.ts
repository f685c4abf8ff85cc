/** Faults that the comment box once had, each by its name. Those of its drafts are in `drafts.test.ts`. */

import { expect, fixture, html } from '@open-wc/testing';
import { TestBff } from '../../_bff.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { SessionStore } from '../../session/session-store.ts';
import { writeSessionHint } from '../../session/stored-session-hint.ts';
import { Box, openBox, openSignedIn } from './_box.ts';

const openWindow = window.open.bind(window);

afterEach(() => {
  window.open = openWindow;
  localStorage.clear();
  sessionStorage.clear();
});

/** A window that is open and does nothing. */
function fakeWindow(): Window {
  return { closed: false, close() {}, location: { replace() {} } } as unknown as Window;
}

function focused(box: Box): Element | null {
  return box.element.shadowRoot!.activeElement;
}

describe('a BFF on another site, whose cookie does not reach the page', () => {
  it('is explained to the reader with a next step, and to developers once; the box does not loop', async () => {
    const { error } = console;
    const errors: string[] = [];
    console.error = (text: string) => void errors.push(text);
    try {
      window.open = fakeWindow;
      const box = await openBox();
      await box.isSignedOut();
      box.write('kept');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await box.press('Sign in to post');
        await box.says('Finish signing in in the other window.');
        announceSessionChange(new URL(box.bff.url), 'signed-in');
        await box.says('your browser does not let this page use the sign-in');
        const link = box.element.shadowRoot!.querySelector<HTMLAnchorElement>('a.primary')!;
        expect(link.href).to.equal(`${box.bff.url}comments?forum=news`);
        expect(getComputedStyle(link).borderStyle, 'the edge of the button with forced colours').to.equal('solid');
        await box.press('Stay here');
      }
      await box.until(() => errors.length > 0, 'the message');
      expect(errors.map((text) => text.replace(/.* See /, ''))).to.deep.equal(['docs/troubleshooting.md#cookies-blocked']);
      expect(box.field.value).to.equal('kept');
    } finally {
      console.error = error;
    }
  });
});

describe('the focus', () => {
  it('does not fall to <body> when the outcome of a post is uncertain', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('perhaps');
    box.button('Post comment')!.focus();
    await box.press('Post comment');
    await box.until(() => focused(box) === box.button('I can see it'), 'the focus in the panel');
  });

  it('does not fall to <body> after “Continue signing in”', async () => {
    const bff = new TestBff();
    await bff.offer({ fields: [{ name: 'age', type: 'number', label: 'Your age', required: true }] });
    const box = await openBox({ bff });
    window.open = () => null;
    await box.until(() => box.button('Continue signing in'), 'the offer');
    box.button('Continue signing in')!.focus();
    await box.press('Continue signing in');
    await box.until(() => focused(box)?.localName === 'vestibule-sync' || focused(box) === box.field, 'the focus in the box');
  });

  it('does not fall to <body> when the session expires while “Sign out” has it', async () => {
    const box = await openSignedIn();
    box.button('Sign out')!.focus();
    await box.bff.setSession({});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedOut();
    expect(focused(box) === box.field, 'the focus in the field').to.equal(true);
  });

  it('does not fall to <body> when another tab empties the draft while “Delete draft” has it', async () => {
    const box = await openSignedIn();
    box.write('hello');
    await box.until(() => box.button('Delete draft'), 'the button');
    box.button('Delete draft')!.focus();
    const tab = await fixture<HTMLIFrameElement>(html`<iframe title="another tab"></iframe>`);
    tab.contentWindow!.localStorage.setItem(box.element.draft.storageKey, JSON.stringify({ text: '', updatedAt: Date.now() + 1 }));
    await box.until(() => !box.button('Delete draft'), 'no button');
    expect(focused(box) === box.field, 'the focus in the field').to.equal(true);
  });

  it('stays where the reader has put it, elsewhere in the page', async () => {
    const box = await openSignedIn();
    const elsewhere = await fixture<HTMLButtonElement>(html`<button>Of the page</button>`);
    elsewhere.focus();
    await box.bff.setSession({});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await box.isSignedOut();
    expect(document.activeElement === elsewhere, 'the focus on the button of the page').to.equal(true);
  });

  it('goes to the question in a box that is part of another element', async () => {
    const box = await openSignedIn();
    const outer = document.createElement('div');
    document.body.append(outer);
    outer.attachShadow({ mode: 'open' }).append(box.element);
    box.write('text');
    box.button('Sign out')!.focus();
    await box.press('Sign out');
    await box.until(() => focused(box) === box.panelButton('Sign out'), 'the focus on the question');
    outer.remove();
  });

  it('stays in the box through every panel', async () => {
    const box = await openSignedIn();
    box.write('text');
    box.button('Sign out')!.focus();
    await box.press('Sign out');
    await box.until(() => focused(box) === box.panelButton('Sign out'), 'the focus on the question');
    await box.press('Stay signed in');
    await box.until(() => focused(box) === box.field, 'the focus in the field');
  });
});

describe('“I can see it”', () => {
  it('does not delete a newer text', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'outcome-unknown' }] } });
    box.write('first');
    await box.press('Post comment');
    await box.says('I can see it');
    box.write('first, and more');
    await box.press('I can see it');
    await box.until(() => box.button('Post comment'), 'the main button');
    expect(box.field.value).to.equal('first, and more');
    expect((await openSignedIn({ bff: box.bff })).field.value).to.equal('first, and more');
  });
});

describe('a refusal that is not retried', () => {
  it('shows its own sentence, and no promise to keep trying', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ problem: 'cross-site-request' }] } });
    const box = await openBox({ bff });
    await box.until(() => box.alert === 'This page is not allowed to use the comment service. Please contact the site.', 'the sentence');
    expect(box.words).not.to.contain('Trying again');
  });

  it('differs from one that is retried', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable', headers: { 'Retry-After': '50' } }] } });
    const box = await openBox({ bff });
    await box.until(() => box.status === 'Signing in is not possible right now. Trying again…', 'the sentence, and no word about a text that is not there');
    box.write('on the train');
    await box.says('Signing in is not possible right now. Trying again… Your text is kept on this device.');
  });
});

describe('a blocked window', () => {
  it('leaves the page only on the reader’s click, and lets them stay', async () => {
    window.open = () => null;
    const box = await openBox();
    await box.isSignedOut();
    box.write('still typing');
    const { setTimeout } = window;
    const delays: number[] = [];
    Object.assign(window, { setTimeout: (handler: () => void, ms = 0) => {
      delays.push(ms);
      return setTimeout(handler, ms);
    } });
    box.button('Sign in to post')!.click();
    await box.element.updateComplete;
    Object.assign(window, { setTimeout });
    expect(delays.filter((ms) => ms >= 1_000), 'timers that may leave the page').to.deep.equal([]);
    await box.says('Your browser blocked the sign-in window. Your text is kept on this device.');
    expect(box.button('Continue in this page')).to.not.equal(undefined);
    box.write('still typing, later');
    await box.press('Stay here');
    await box.isSignedOut();
    expect(box.field.value).to.equal('still typing, later');
  });
});

describe('Ctrl+Enter', () => {
  it('does not post during the composition of an input method', async () => {
    const box = await openSignedIn();
    box.write('にほn');
    box.field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, isComposing: true, bubbles: true, composed: true }));
    await box.element.updateComplete;
    expect(await box.bff.requests('POST /posts')).to.deep.equal([]);
    box.pressKeys();
    await box.says('Your comment is posted.');
  });
});

describe('a sign-in window that is never finished', () => {
  it('ends its wait after ten minutes with a message', async () => {
    window.open = fakeWindow;
    const box = await openBox();
    await box.isSignedOut();
    await box.press('Sign in to post');
    await box.says('Finish signing in in the other window.');
    const { now } = Date;
    Date.now = () => now() + 11 * 60_000;
    try {
      announceSessionChange(new URL(box.bff.url), 'changed');
      window.dispatchEvent(new Event('offline'));
      await box.says('The sign-in was not finished in time. Please sign in again.');
      expect(box.button('Sign in to post')).to.not.equal(undefined);
    } finally {
      Date.now = now;
    }
  });
});

describe('the wait of a signed-in reader for the window of another sign-in', () => {
  const offer = { state: 'signed-in', user: { user_id: '7', username: 'Grace' } } as const;

  async function openWaiting(): Promise<Box> {
    window.open = fakeWindow;
    const bff = new TestBff();
    await bff.offer({ fields: [] }, offer);
    const box = await openBox({ bff });
    await box.press('Continue signing in');
    await box.says('Finish signing in in the other window.');
    return box;
  }

  it('ends after ten minutes, without a word that they are not signed in', async () => {
    const box = await openWaiting();
    const { now } = Date;
    Date.now = () => now() + 11 * 60_000;
    try {
      window.dispatchEvent(new Event('offline'));
      await box.until(() => !box.words.includes('the other window'), 'the end of the wait');
      expect(box.status).to.equal('');
      expect(box.button('Post comment')).to.not.equal(undefined);
    } finally {
      Date.now = now;
    }
  });

  it('ends when that sign-in has ended', async () => {
    const box = await openWaiting();
    await box.bff.setSession(offer);
    window.dispatchEvent(new Event('focus'));
    await box.until(() => !box.words.includes('the other window'), 'the end of the wait');
    expect(box.words).to.contain('Commenting as Grace');
  });
});

describe('an earlier grant without a code', () => {
  it('shows the next step once, and does not open the window again', async () => {
    let count = 0;
    window.open = () => {
      count += 1;
      return fakeWindow();
    };
    const box = await openBox();
    await box.isSignedOut();
    await box.press('Sign in to post');
    announceSessionChange(new URL(box.bff.url), 'already-granted');
    await box.says('Withdraw this site’s access in your account there, then sign in again.');
    expect(box.button('Sign in to post')).to.not.equal(undefined);
    expect(count).to.equal(1);
  });
});

describe('a passer-by', () => {
  it('causes no request, with the box in sight', async () => {
    const box = await openBox({ untouched: true });
    box.element.scrollIntoView();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(await box.bff.requests()).to.deep.equal([]);
    expect(box.element.shadowRoot!.adoptedStyleSheets).to.have.length(3);
    box.element.dispatchEvent(new PointerEvent('pointerenter'));
    await box.until(() => box.element.shadowRoot!.adoptedStyleSheets.length > 3, 'the second stage');
    expect(await box.bff.requests()).to.deep.equal([]);
    box.turnTo();
    await box.isSignedOut();
    expect(await box.bff.requests('GET /session')).to.have.length(1);
  });

  it('who was signed in before sees their name without doing anything', async () => {
    const box = await openSignedIn();
    box.element.remove();
    const again = await openBox({ bff: box.bff, untouched: true });
    await again.says('Commenting as Ada');
  });
});

describe('a box that is removed while its second stage loads', () => {
  it('forgets the click, is ready when it is put back, and posts nothing without another one', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const box = await openBox({ bff, untouched: true });
    const parent = box.element.parentElement!;
    box.write('typed');
    box.button('Post comment')!.click();
    box.element.remove();
    await box.until(() => box.element.shadowRoot!.adoptedStyleSheets.length > 3, 'the second stage');
    parent.append(box.element);
    await box.element.updateComplete;
    expect(box.words).not.to.contain('One moment…');
    box.turnTo();
    await box.isSignedIn();
    expect(box.field.value).to.equal('typed');
    expect(await bff.requests('POST /posts')).to.deep.equal([]);
  });

  it('shows a reader who was signed in before when it is put back', async () => {
    const bff = new TestBff();
    await bff.signIn();
    writeSessionHint(new URL(bff.url), true);
    const element = document.createElement('vestibule-comments');
    Object.assign(element, { forum: 'news', bff: bff.url });
    const box = new Box(bff, element);
    document.body.append(element);
    await element.updateComplete;
    element.remove();
    expect(element.shadowRoot!.adoptedStyleSheets).to.have.length(3);
    await box.until(() => element.shadowRoot!.adoptedStyleSheets.length > 3, 'the second stage');
    document.body.append(element);
    await box.says('Commenting as Ada');
    element.remove();
  });
});

describe('a changed `bff`', () => {
  it('takes no account along: its draft is hidden, and the next text belongs to nobody', async () => {
    const box = await openSignedIn();
    box.write('of Ada at the first BFF');
    box.element.bff = new TestBff().url;
    await box.isSignedOut();
    expect([box.field.value, box.element.draft.key.account]).to.deep.equal(['', '']);
    box.element.bff = box.bff.url;
    await box.until(() => box.field.value === 'of Ada at the first BFF', 'the draft of Ada');
  });

  it('ends the wait at the former BFF, and follows messages about the present one', async () => {
    window.open = fakeWindow;
    const box = await openBox();
    await box.isSignedOut();
    await box.press('Sign in to post');
    await box.says('Finish signing in in the other window.');
    const other = new TestBff();
    box.element.bff = other.url;
    await box.until(async () => (await other.requests('GET /session')).length === 1, 'a request');
    expect(box.words).not.to.contain('the other window');
    announceSessionChange(new URL(other.url), 'changed');
    await box.until(async () => (await other.requests('GET /session')).length === 2, 'a request after the message');
  });

  it('keeps its wait when the response to a cancellation at the former BFF arrives', async () => {
    const completed: string[] = [];
    window.open = () => ({ ...fakeWindow(), location: { replace: (url: string) => completed.push(url) } }) as unknown as Window;
    const former = new TestBff();
    await former.offer();
    await former.set({ answers: { 'POST /sync/cancel': [{ hold: 'cancel' }] } });
    const box = await openBox({ bff: former });
    await box.says('Your sign-in as Ada is not finished yet.');
    await box.press('Cancel');
    box.element.bff = new TestBff().url;
    await box.isSignedOut();
    await box.press('Sign in to post');
    await box.says('Finish signing in in the other window.');
    await former.release('cancel');
    await box.until(() => completed.length === 1, 'the completion');
    await box.element.updateComplete;
    expect(box.words).to.contain('Finish signing in in the other window.');
  });

  it('of a removed box leaves no subscription when the box is put back and removed', async () => {
    const box = await openBox();
    await box.isSignedOut();
    const parent = box.element.parentElement!;
    box.element.remove();
    const other = new TestBff();
    box.element.bff = other.url;
    await box.element.updateComplete;
    parent.append(box.element);
    box.turnTo();
    await box.until(async () => (await other.requests('GET /session')).length === 1, 'a request');
    await box.isSignedOut();
    box.element.remove();
    await new Promise((resolve) => setTimeout(resolve));
    window.dispatchEvent(new Event('online'));
    expect(SessionStore.at(new URL(other.url)).isFetching).to.equal(false);
  });
});

describe('a box that is removed', () => {
  it('leaves no listener, including the one that waits for the focus, also at another BFF and connected again', async () => {
    const added = new Map<string, number>();
    const { addEventListener, removeEventListener } = window;
    const count = (type: string, by: number): void => void added.set(type, (added.get(type) ?? 0) + by);
    const listeners = new Map<string, Set<unknown>>();
    const drop = (type: string, listener: unknown): void => {
      if (listeners.get(type)?.delete(listener)) count(type, -1);
    };
    window.addEventListener = ((...args: Parameters<typeof addEventListener>) => {
      const [type, listener, options] = args;
      if (!listeners.get(type)?.has(listener)) count(type, 1);
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
      const signal = typeof options === 'object' ? options.signal as unknown as Window | undefined : undefined;
      if (signal) addEventListener.call(signal, 'abort', () => drop(type, listener), { once: true });
      addEventListener.apply(window, args);
    }) as typeof window.addEventListener;
    window.removeEventListener = ((...args: Parameters<typeof removeEventListener>) => {
      drop(args[0], args[1]);
      removeEventListener.apply(window, args);
    }) as typeof window.removeEventListener;
    const { hasFocus } = document;
    try {
      // The sign-in ends while another window has the focus, so the box waits for the focus.
      window.open = fakeWindow;
      document.hasFocus = () => false;
      const box = await openBox();
      await box.isSignedOut();
      const parent = box.element.parentElement!;
      for (let connection = 0; connection < 2; connection += 1) {
        if (connection > 0) parent.append(box.element);
        if (connection === 0) {
          await box.press('Sign in to post');
          await box.bff.signIn();
          announceSessionChange(new URL(box.bff.url), 'signed-in');
          await box.isSignedIn();
          expect(added.get('focus'), 'listeners for the focus').to.be.above(0);
        }
        box.element.remove();
        box.element.bff = new TestBff().url;
        await box.element.updateComplete;
        await new Promise((resolve) => setTimeout(resolve));
      }
      const left = [...added].filter(([type, number]) => number > 0 && ['focus', 'storage', 'pageshow', 'online', 'offline', 'popstate', 'message'].includes(type));
      expect(left).to.deep.equal([]);
    } finally {
      document.hasFocus = hasFocus;
      Object.assign(window, { addEventListener, removeEventListener });
    }
  });
});

describe('an invalid field', () => {
  it('is described by the error, and not by buttons or live regions', async () => {
    const box = await openSignedIn();
    expect(box.field.getAttribute('aria-describedby')).to.equal('writer');
    expect(box.element.shadowRoot!.getElementById('writer')!.querySelector('button')).to.equal(null);
    await box.press('Post comment');
    await box.until(() => box.alert === 'Write something first.', 'the error');
    await box.element.updateComplete;
    expect(box.field.getAttribute('aria-describedby')).to.equal('writer alert');
  });

  it('has a font size of at least 16 pixels, so that iOS does not zoom', async () => {
    const page = await fixture(html`<div style="font-size: 10px"><vestibule-comments forum="news"></vestibule-comments></div>`);
    const box = page.querySelector('vestibule-comments')!;
    await box.updateComplete;
    expect(getComputedStyle(box.field).fontSize).to.equal('16px');
  });

  it('has no control in a live region', async () => {
    const box = await openSignedIn();
    await box.bff.set({ answers: { 'POST /posts': [{ problem: 'service-unavailable', headers: { 'Retry-After': '30' } }] } });
    box.write('hello');
    await box.press('Post comment');
    await box.until(() => box.button('Stop trying'), 'the control');
    expect(box.element.shadowRoot!.querySelectorAll(':is([role=status], [role=alert]) :is(button, a)')).to.have.length(0);
  });
});
