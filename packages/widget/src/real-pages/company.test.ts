/** The box beside other scripts of the page: agents that wrap globals, libraries that replace them, quotas that all share. */

import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { until } from '../../../../test/lib/until.ts';
import { TestBff } from '../_bff.ts';
import {
  comeBack, goTo, letPass, middleOf, openBox, openSignedIn, openTab, recordWindows, replace, setCanonical, SIGN_IN, type Box,
  type Tab,
} from '../box/_box.ts';

type Fetch = typeof fetch;

const list = { posts: [{ id: '1', author: { username: 'Bo' }, message: 'hello', created_at: '2026-06-09T20:00:00Z' }] };

/** What the widget writes to the console of the tab. */
function recordConsole({ view }: Tab): string[] {
  const lines: string[] = [];
  const record = (...words: unknown[]): void => void (String(words[0]).startsWith('Vestibule:') && lines.push(words.map(String).join(' ')));
  replace(view.console, { error: record, warn: record });
  return lines;
}

describe('a dialog of the page', () => {
  it('stays open at the Escape that closes a reply, and closes at the next', async () => {
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    dialog.showModal();
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /posts': [{ json: { ...list, replies: true } }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' }, place: dialog });
    await box.says('hello');
    await box.press('Reply');
    await box.until(() => box.all('textarea').length === 2, 'the composer');
    await sendKeys({ type: 'not now' });
    await sendKeys({ press: 'Escape' });
    await box.until(() => box.all('textarea').length === 1, 'no composer');
    expect(dialog.open).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await box.until(() => !dialog.open, 'a closed dialog');
    dialog.remove();
  });
});

describe('a page whose scripts wrap fetch', () => {
  const wrappers: Readonly<Record<string, (real: Fetch, view: typeof globalThis) => unknown>> = {
    'and know strings and requests only': (real) => (what: string | Request, how?: RequestInit) => {
      void (typeof what === 'string' ? what : what.url).includes('/stats');
      return real(what, how);
    },
    'and drop the options of all but strings': (real, view) => (what: string | Request, how?: RequestInit) => (
      real(typeof what === 'string' ? new view.Request(what, how) : what)
    ),
    'and return a promise of their own': (real) => (...request: Parameters<Fetch>) => {
      const then = (...how: Parameters<Promise<Response>['then']>): unknown => real(...request).then(...how);
      return { then };
    },
  };

  for (const [what, wrap] of Object.entries(wrappers)) {
    it(`${what} has a thread, posts and signs out`, async () => {
      const tab = await openTab();
      replace(tab.view, { fetch: wrap(tab.view.fetch.bind(tab.view), tab.view) });
      const bff = new TestBff();
      await bff.signIn();
      await bff.set({ answers: { 'GET /posts': [{ json: list }] } });
      const box = await openBox({ bff, tab, attributes: { 'show-posts': '' } });
      await box.isSignedIn('Ada');
      await box.says('hello');
      await box.post('from a page with an agent');
      await box.says('Your comment is posted.');
      await box.press('Sign out');
      await box.isSignedOut();
      await box.hasAsked('DELETE /session', 1);
      const methods = (await bff.requests()).map(({ method, path }) => `${method} ${path}`);
      expect(methods).to.include.members(['GET /session', 'GET /posts', 'POST /posts']);
      expect(await bff.posts()).to.have.length(1);
    });
  }

  it('such as Promise, by one without the newest functions, posts', async () => {
    const tab = await openTab();
    replace(tab.view.Promise, { withResolvers: undefined });
    const bff = new TestBff();
    await bff.signIn();
    const box = await openBox({ bff, tab });
    await box.isSignedIn('Ada');
    await box.post('from a page with an older framework');
    await box.says('Your comment is posted.');
  });

  it('and throw at once gets a box that says so', async () => {
    const tab = await openTab();
    replace(tab.view, { fetch: () => { throw new TypeError('u.indexOf is not a function'); } });
    await (await openBox({ tab })).says('Signing in is not possible right now.');
  });
});

describe('a page that replaces Document, as MooTools does', () => {
  it('has a box with the styles of both stages, and with a thread whose comments the reader edits', async () => {
    const tab = await openTab();
    await tab.go('?mootools');
    replace(tab.view, { Document: class {} });
    await tab.load('/packages/widget/src/define.ts');
    const bff = new TestBff();
    await bff.signIn({ user_id: '42', username: 'Ada', key: 'key of Ada' });
    const post = { ...list.posts[0]!, author: { username: 'Ada', key: 'key of Ada' } };
    await bff.set({ answers: { 'GET /posts': [{ json: { posts: [post], actions: ['edit'] } }] } });
    const box = await openBox({ bff, tab, attributes: { 'show-posts': '' } });
    await box.isSignedIn('Ada');
    await box.says('hello');
    await box.until(() => box.part('account'), 'the button');
    expect(tab.view.getComputedStyle(box.part('account')!).cursor).to.equal('pointer');
    await box.press('Edit');
    await box.until(() => box.button('Save changes'), 'the editor');
    expect(tab.view.getComputedStyle(box.button('Save changes')!.parentElement!).display).to.equal('flex');
    await box.press('Cancel');
    await box.post('hello too');
    await box.says('Your comment is posted.');
  });
});

describe('a page with a variable `navigation`', () => {
  it('has a box', async () => {
    const tab = await openTab();
    await tab.go('?navigation');
    replace(tab.view, { navigation: { open: true } });
    await tab.load('/packages/widget/src/define.ts');
    await (await openBox({ tab })).isSignedOut();
  });
});

describe('a page whose `open` is not the browser’s', () => {
  for (const [what, open] of [
    ['missing', undefined],
    ['a function that throws', () => { throw new Error('no'); }],
    ['a function of the page', () => true],
    ['a function that returns a window that is closed', () => ({ closed: true })],
  ] as const) {
    it(`(${what}) offers to sign in in the page`, async () => {
      const tab = await openTab();
      const box = await openBox({ tab });
      await box.isSignedOut();
      replace(tab.view, { open });
      await box.press(SIGN_IN);
      await box.until(() => box.button('Sign in on this page') ?? box.button('Sign in in a new tab'), 'the offer');
    });
  }

  it('and a page in a sign-in window that stayed open does not replace itself', async () => {
    const tab = await openTab();
    const opened = recordWindows(tab.view);
    const box = await openBox({ tab });
    await box.isSignedOut();
    replace(tab.view, { name: 'vestibule-sync' });
    await box.press(SIGN_IN);
    expect(opened.map(({ target }) => target)).to.deep.equal(['_blank']);
  });
});

describe('an extension or a dictation that puts a text into the field without an event', () => {
  it('has it posted', async () => {
    const box = await openSignedIn();
    box.field.value = 'dictated';
    await box.press('Post comment');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ message }) => message)).to.deep.equal(['dictated']);
  });
});

describe('a page whose own requests use up what may be sent with `keepalive`', () => {
  it('posts, in one request that arrives', async () => {
    const box: Box = await openSignedIn();
    const others = new TestBff();
    await others.set({ answers: { 'POST /collect': [{ hold: 'page' }] } });
    const collected = fetch(`${others.url}collect`, { method: 'POST', keepalive: true, body: JSON.stringify('x'.repeat(61 * 1024)) });
    await box.post('a letter '.repeat(450));
    await box.says('Your comment is posted.');
    expect(await box.bff.requests('POST /posts')).to.have.length(1);
    await others.release('page');
    await collected;
  });
});

describe('a machine that sleeps while a post is under way', () => {
  it('sends nothing when it wakes up', async () => {
    const box = await openSignedIn();
    const { fetch } = window;
    let posts = 0;
    replace(window, { fetch: (url: string, init?: RequestInit) => {
      if (init?.method !== 'POST' || !url.endsWith('/posts')) return fetch(url, init);
      posts += 1;
      letPass(11 * 60_000);
      return Promise.reject(new TypeError('Failed to fetch'));
    } });
    await box.post('before the lid was closed');
    await box.says('We could not confirm that this was posted.');
    expect([posts, await box.bff.requests('POST /posts')]).to.deep.equal([1, []]);
    expect(box.part('post')!.textContent).to.contain('before the lid was closed');
  });
});

describe('a page that protects its text from being copied', () => {
  const types = ['mousedown', 'pointerdown', 'touchstart', 'touchmove', 'wheel', 'selectstart', 'contextmenu', 'copy', 'cut', 'paste', 'dragstart', 'drop'];
  const clicks: Event[] = [];

  /** As such scripts do: only what happens in a field of the page is spared. */
  const protect = (event: Event): void => {
    if (!/^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as Node).nodeName)) event.preventDefault();
  };
  const onClick = (event: Event): void => void clicks.push(event);

  beforeEach(() => {
    clicks.length = 0;
    document.body.style.userSelect = 'none';
    for (const type of types) document.addEventListener(type, protect, { passive: false });
    document.addEventListener('click', onClick);
  });

  afterEach(() => {
    document.body.style.userSelect = '';
    for (const type of types) document.removeEventListener(type, protect);
    document.removeEventListener('click', onClick);
  });

  /** What the page does to each event of its list at `target`. */
  const prevented = (target: Element): string[] => types.filter((type) => (
    !target.dispatchEvent(new Event(type, { bubbles: true, composed: true, cancelable: true }))
  ));

  async function typeInto(field: HTMLInputElement | HTMLTextAreaElement): Promise<string> {
    field.scrollIntoView({ block: 'center' });
    await sendMouse({ type: 'click', position: middleOf(field) });
    await sendKeys({ type: 'seven 7' });
    return field.value;
  }

  it('leaves the box its mouse, selection, clipboard and context menu; a click still bubbles', async () => {
    const box = await openBox();
    expect(await typeInto(box.field)).to.equal('seven 7');
    expect(prevented(box.field)).to.deep.equal([]);
    expect(getComputedStyle(box.field).userSelect).to.equal('text');
    expect(clicks).to.have.length(1);
  });

  it('leaves them to a reply and to the order of the thread, and not to the comments', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /posts': [{ json: { ...list, replies: true } }] } });
    const box = await openBox({ bff, attributes: { 'show-posts': '' } });
    await box.says('hello');
    await box.press('Reply');
    await box.until(() => box.all('textarea').length === 2, 'the field of the reply');
    const reply = box.all<HTMLTextAreaElement>('textarea').at(-1);
    expect(await typeInto(reply!)).to.equal('seven 7');
    for (const field of [reply!, ...box.all('select')]) expect(prevented(field)).to.deep.equal([]);
    expect(prevented(box.part('message')!)).to.deep.equal(types);
  });

  it('leaves them to the form', async () => {
    const bff = new TestBff();
    await bff.offer({ fields: [{ name: 'town', type: 'text', label: 'Your town', required: false }, { name: 'rules', type: 'checkbox', label: 'Rules', required: false }] });
    const box = await openBox({ bff, attributes: { sync: 'inline' } });
    await box.says('Your town');
    const [town, rules] = box.all<HTMLInputElement>('form input');
    expect(await typeInto(town!)).to.equal('seven 7');
    await sendMouse({ type: 'click', position: middleOf(rules!) });
    expect(rules!.checked).to.equal(true);
    for (const target of box.all('form input, form label, form button')) expect(prevented(target)).to.deep.equal([]);
  });

  it('keeps its own hold of a field that it has put into the box', async () => {
    const box = await openBox({ content: '<input slot="rules">' });
    const heard: string[] = [];
    const hear = ({ type }: Event): void => void heard.push(type);
    document.addEventListener('keydown', hear);
    box.element.querySelector('input')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, composed: true }));
    document.removeEventListener('keydown', hear);
    expect(heard).to.deep.equal(['keydown']);
  });
});

describe('a page whose service worker answers from its cache first', () => {
  it('shows who is signed in, and who has signed out, also after a reload', async () => {
    const tab = await openTab();
    const { serviceWorker } = tab.view.navigator;
    await serviceWorker.register('/packages/widget/testing/caching-worker.js');
    await until('the worker', () => serviceWorker.controller);
    const bff = new TestBff();
    const reopen = async (): Promise<Box> => {
      await tab.open();
      return openBox({ bff, tab });
    };
    try {
      const box = await openBox({ bff, tab });
      await box.isSignedOut();
      await bff.signIn();
      comeBack(tab.view);
      await box.isSignedIn('Ada');
      const again = await reopen();
      await again.isSignedIn('Ada');
      await again.press('Sign out');
      await again.isSignedOut();
      comeBack(tab.view);
      await again.hasAsked('DELETE /session', 1);
      await (await reopen()).isSignedOut();
    } finally {
      await forgetWorkers();
    }
  });

  it('is named in the console where it ignores queries too, so that no sign-in arrives', async () => {
    const tab = await openTab('?of-the-worker');
    const lines = recordConsole(tab);
    const { serviceWorker } = tab.view.navigator;
    await serviceWorker.register('/packages/widget/testing/caching-worker.js?ignore-search', { scope: tab.view.location.href });
    await until('the worker', () => serviceWorker.controller);
    recordWindows(tab.view);
    const bff = new TestBff();
    try {
      const box = await openBox({ bff, tab });
      await box.isSignedOut();
      await box.press(SIGN_IN);
      await bff.offer();
      await (await openTab()).openForm(bff).press('Continue as Ada');
      await box.says('your browser does not let this page use the sign-in');
      await box.until(() => lines.length > 0, 'a line');
      expect(lines).to.have.length(1);
      expect(lines[0]).to.contain('a service worker').and.to.match(/\(cookies-blocked\)$/);
    } finally {
      await forgetWorkers();
    }
  });
});

async function forgetWorkers(): Promise<void> {
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  await caches.delete('all');
}

describe('an origin that asks for credentials, as a sign-in proxy does', () => {
  const login = { status: 302, headers: { Location: '/login' }, text: '' };
  const form = { text: '<title>Sign in</title>' };
  for (const [what, refusal] of [['with 401', { status: 401, text: 'no' }], ['with a redirect', login], ['with a page', form]] as const) {
    it(`(${what}) gets the list again, with them`, async () => {
      const tab = await openTab();
      const asked: (string | undefined)[] = [];
      const { fetch } = tab.view;
      replace(tab.view, { fetch: (url: string, init?: RequestInit) => {
        if (url.includes('/posts?')) asked.push(init?.credentials);
        return fetch(url, init);
      } });
      const bff = new TestBff();
      await bff.set({ answers: { 'GET /posts': [refusal, { json: list }, { json: list }] } });
      const box = await openBox({ bff, tab, attributes: { 'show-posts': '' }, untouched: true });
      await box.says('hello');
      await openBox({ bff, tab, attributes: { 'show-posts': '' }, untouched: true }).then((next) => next.says('hello'));
      expect(asked).to.deep.equal(['omit', 'same-origin', 'same-origin']);
    });
  }
});

describe('an article whose address has two spellings', () => {
  const [typed, linked] = ['https://www.example.com/%E6%96%87/a~b', 'https://www.example.com/%e6%96%87/a%7Eb'];

  it('has one draft, and the requests carry the spelling of the page', async () => {
    const bff = new TestBff();
    await bff.signIn();
    const here = await openBox({ bff, attributes: { page: typed } });
    await here.isSignedIn('Ada');
    here.write('about the article');
    here.element.remove();
    const there = await openBox({ bff, attributes: { page: linked } });
    await there.isSignedIn('Ada');
    expect(there.field.value).to.equal('about the article');
    await there.press('Post comment');
    await there.says('Your comment is posted.');
    expect((await bff.posts()).map(({ page }) => page)).to.deep.equal([linked]);
  });
});

describe('addresses with a password, as of a page that was opened with one', () => {
  it('are asked without it, and nobody learns it', async () => {
    const withPassword = (address: string): string => address.replace('://', '://ada:secret@');
    const opened = recordWindows();
    const bff = new TestBff();
    const box = await openBox({ bff, attributes: { bff: withPassword(bff.url), page: withPassword(`${location.origin}/article`) } });
    await box.isSignedOut();
    await box.press(SIGN_IN);
    await bff.signIn();
    comeBack();
    await box.isSignedIn('Ada');
    await box.post('hello');
    await box.says('Your comment is posted.');
    expect((await bff.posts()).map(({ page }) => page)).to.deep.equal([`${location.origin}/article`]);
    expect([opened.flatMap(({ addresses }) => addresses), await bff.requests()].map((sent) => JSON.stringify(sent)).join()).not.to.contain('secret');
  });
});

describe('a page that names its article by a fragment', () => {
  it('keeps its route when a reader clicks the time of a comment', async () => {
    const tab = await openTab();
    tab.view.location.hash = '#/post/1';
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /posts': [{ json: list }] } });
    const box = await openBox({ bff, tab, attributes: { 'show-posts': '' }, untouched: true });
    await box.says('hello');
    box.all('a.time')[0]!.click();
    await box.until(() => box.all('.marked').length > 0, 'the mark');
    expect(tab.view.location.hash).to.equal('#/post/1');
  });
});

describe('the console of a page', () => {
  async function lineAfter(open: (tab: Tab) => Promise<unknown>): Promise<string> {
    const tab = await openTab();
    const lines = recordConsole(tab);
    await open(tab);
    await until('a line', () => lines.length > 0);
    expect(lines).to.have.length(1);
    return lines[0]!;
  }

  it('names the origin of the article that the BFF does not take, not that of the page', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /posts': [{ problem: 'invalid-request' }] } });
    const line = await lineAfter((tab) => openBox({ bff, tab, attributes: { 'show-posts': '', page: 'https://www.example.com/1' }, untouched: true }));
    expect(line).to.contain('takes no comments for https://www.example.com').and.to.match(/\(page-not-allowed\)$/);
  });

  it('names it after a post too', async () => {
    const bff = new TestBff();
    await bff.signIn();
    await bff.set({ answers: { 'POST /posts': [{ problem: 'invalid-request' }] } });
    const line = await lineAfter(async (tab) => {
      const box = await openBox({ bff, tab, attributes: { page: 'https://www.example.com/1' } });
      await box.isSignedIn('Ada');
      await box.post('hello');
    });
    expect(line).to.match(/\(page-not-allowed\)$/);
  });

  it('names a proxy with a sign-in of its own', async () => {
    const bff = new TestBff();
    await bff.set({ answers: { 'GET /session': [{ status: 401, text: 'no' }] } });
    expect(await lineAfter((tab) => openBox({ bff, tab }))).to.match(/\(not-the-bff\)$/);
  });

  it('names a sandboxed frame', async () => {
    const bff = 'http://127.0.0.1:9/vestibule';
    expect(await lineAfter((tab) => {
      replace(tab.view, { origin: 'null' });
      return openBox({ tab, attributes: { bff } });
    })).to.contain('sandbox').and.not.to.contain('VESTIBULE_ALLOWED_ORIGINS');
  });
});

describe('a canonical link', () => {
  it('that a router sets before it changes the address belongs to the new one', async () => {
    setCanonical('/articles/1');
    goTo('?a');
    const box = await openSignedIn();
    setCanonical('/articles/2?canonical');
    await box.element.updateComplete;
    history.pushState(null, '', '/articles/2');
    await box.post('hello');
    await box.says('Your comment is posted.');
    expect((await box.bff.posts()).map(({ page }) => page)).to.deep.equal([`${location.origin}/articles/2?canonical`]);
  });
});

describe('a browser without a list of languages, and a `lang` with a suffix that is no subtag', () => {
  it('have a box', async () => {
    const tab = await openTab();
    replace(tab.view.navigator, { languages: undefined });
    await (await openBox({ tab })).isSignedOut();
    await (await openBox({ attributes: { lang: 'pt_PT_ao90' }, untouched: true })).says('Comentários');
  });
});

describe('strings', () => {
  it('are taken as JSON or as an object, before the element is defined too', async () => {
    const strings = { core: { heading: 'Letters' } };
    const box = await openBox({ untouched: true });
    box.element.strings = JSON.stringify(strings);
    await box.says('Letters');
    box.element.strings = { core: { heading: 'Replies' } };
    await box.says('Replies');
    const tab = await openTab();
    await tab.go('?late');
    const element = tab.view.document.createElement('vestibule-comments');
    Object.assign(element, { strings });
    element.setAttribute('forum', 'news');
    tab.view.document.body.append(element);
    await tab.load('/packages/widget/src/define.ts');
    await until('the heading', () => element.shadowRoot!.textContent.includes('Letters'));
  });
});

describe('a parent that asks for the width of the box', () => {
  const wide = '<div style="inline-size: 1000px; font-size: 16px">';
  const narrow = '<div style="inline-size: 300px; font-size: 16px">';

  for (const [what, html, width] of [
    ['a dialog', '<dialog open style="padding: 0; border: 0"><i></i></dialog>', 640],
    ['a popover', '<div popover="manual" style="padding: 0; border: 0"><i></i></div>', 640],
    ['a row', `${wide}<div style="display: flex"><i></i></div>`, 640],
    ['a row beside a column', `${wide}<div style="display: flex"><div style="flex: none; inline-size: 500px"></div><i></i></div>`, 500],
    ['a column', `${wide}<div style="display: flex; flex-direction: column; align-items: center"><i></i></div>`, 640],
    ['a grid', `${wide}<div style="display: grid; justify-items: start"><i></i></div>`, 640],
    ['two equal columns', `${wide}<div style="display: grid; grid-template-columns: 1fr 1fr"><i></i><b></b></div>`, 500],
    ['a float', `${wide}<div style="float: inline-start"><i></i></div>`, 640],
    ['a table', `${wide}<table cellpadding="0" cellspacing="0"><td><i></i></table>`, 640],
    ['a block', `${wide}<div><i></i></div>`, 1000],
    ['details', `${wide}<details open><summary>Comments</summary><i></i></details>`, 1000],
    ['a part that is contained', `${wide}<div style="contain: content"><i></i></div>`, 1000],
    ['a part that is zoomed', `${wide}<div style="display: flex; zoom: 1.25"><i></i></div>`, 800],
    ['a narrow row', `${narrow}<div style="display: flex"><i></i></div>`, 300],
    ['a narrow float', `${narrow}<div style="float: inline-start"><i></i></div>`, 300],
    ['a narrow table', `${narrow}<table cellpadding="0" cellspacing="0"><td><i></i></table>`, 300],
  ] as const) {
    it(`(${what}) gets up to 40 em, and no more than there is`, async () => {
      const outer = document.createElement('div');
      outer.innerHTML = html;
      document.body.append(outer);
      outer.querySelector<HTMLElement>('[popover]')?.showPopover();
      const place = outer.querySelector('i')!;
      place.style.cssText = 'display: contents; font: 16px sans-serif';
      try {
        const box = await openBox({ place, untouched: true });
        // As in pages: no element around it.
        place.replaceWith(box.element);
        box.element.style.font = '16px sans-serif';
        await box.element.updateComplete;
        expect(Math.round(box.element.getBoundingClientRect().width)).to.equal(width);
      } finally {
        outer.remove();
      }
    });
  }
});
