/** Pages as publishers have them, with software that embeds were reported to fail beside. On each, a reader walks the main road:
 *  writes, signs in, posts, and reloads. A further report is a further line of `guests`. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import express, { type Request, type Response } from 'express';
import type { Page } from 'playwright-core';
import {
  allow, answer, fillIn, finishButton, isPosted, isSignedIn, openSignIn, post, signInButton, startStage, textField, write,
  type Visitor,
} from '../e2e/_stage.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';

interface Guest {
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Before `widget.js`. */
  readonly head?: string;
  /** A script before `widget.js`. */
  readonly script?: string;
  readonly attributes?: string;
  readonly doctype?: string;
  /** Its attributes: the page is in a frame of another page of the publisher. */
  readonly frame?: string;
  /** The page is the `srcdoc` of that frame. */
  readonly isSrcdoc?: true;
  /** On another origin than the BFF, of the same site. */
  readonly isElsewhere?: true;
  /** The page cannot see its sign-in window: one more press posts. */
  readonly isCut?: true;
  /** The sign-in is not bound to the browser: the reader confirms the account first. */
  readonly isUnbound?: true;
  /** The sign-in leads from the page to the service and back. */
  readonly isInline?: true;
  /** The browser blocks the window: the box offers the way in the page. */
  readonly isBlocked?: true;
  /** A proxy before page and BFF takes these fields off each request. */
  readonly proxyTakes?: readonly string[];
  /** What it answers in place of the BFF to one post of a signed-in reader. */
  readonly proxyAnswers?: (res: Response) => void;
  /** Nothing that is typed survives a reload: the box says so before. */
  readonly keepsNothing?: true;
  /** What the reader reads where signing in is not possible. */
  readonly deadEnd?: string;
}

/** `helmet()` without options, as of its release 8. */
const HELMET = {
  'Content-Security-Policy': `default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';`
    + `img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests`,
  'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Resource-Policy': 'same-origin', 'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'SAMEORIGIN',
};

/** Of `SecurityMiddleware`. */
const DJANGO = {
  'Cross-Origin-Opener-Policy': 'same-origin', 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY',
};

const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'];

/** Takes each request, as one that caches pages does. */
const WORKER = `addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`;

const POPUPS = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

const guests: readonly Guest[] = [
  { title: 'a page without headers, on the origin of the BFF' },
  { title: 'a page on another origin than the BFF', isElsewhere: true },
  { title: 'helmet with its defaults', headers: HELMET, isCut: true },
  { title: 'Django with its defaults', headers: DJANGO, isCut: true },
  { title: 'Django with its defaults, the BFF on a subdomain', headers: DJANGO, isElsewhere: true, isCut: true, isUnbound: true },
  { title: 'a Cross-Origin-Opener-Policy that allows popups', headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' } },
  {
    title: 'cross-origin isolation',
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }, isCut: true,
  },
  {
    title: 'zone.js of Angular up to 16: a Promise without what came later',
    script: `globalThis.Promise = class ZoneAwarePromise extends Promise {}; Promise.withResolvers = Promise.try = undefined`,
  },
  {
    title: 'polyfills older than the browser: constructors without later statics',
    script: `const later = ['parse', 'canParse', 'groupBy', 'withResolvers', 'try'];
      for (const name of ['URL', 'Map', 'Set', 'Promise']) {
        globalThis[name] = new Proxy(globalThis[name], {
          has: (own, key) => !later.includes(key) && key in own,
          get: (own, key) => later.includes(key) ? undefined : own[key],
        });
      }`,
  },
  {
    title: 'prototype.js: Array.from for its own collections, toJSON of its own',
    script: `Array.from = globalThis.$A = (items) => {
        if (!items) return [];
        if ('toArray' in Object(items)) return items.toArray();
        const results = new Array(items.length || 0);
        for (let i = 0; i < results.length; i += 1) results[i] = items[i];
        return results;
      };
      Array.prototype.toJSON = function () { return '[' + this.map((item) => JSON.stringify(item)).join(', ') + ']'; };
      String.prototype.toJSON = function () { return '"' + this + '"'; };
      Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
      for (const name of ['each', 'inject', 'pluck', 'invoke']) Array.prototype[name] = function () {};`,
  },
  {
    title: 'MooTools: statics that make an array of anything, members that are enumerable',
    script: `Array.from = (item) => item == null ? [] : typeof item === 'object' && 'length' in item ? [...item] : [item];
      Number.from = parseFloat; String.from = String;
      Function.prototype.bind = function (that, args) {
        const act = this;
        return function () { return act.apply(that, args == null ? arguments : [].concat(args)); };
      };
      Object.prototype.$family = () => 'object'; Array.prototype.erase = function () { return this; };`,
  },
  {
    title: 'datejs: dates with other texts',
    script: `Date.prototype.toISOString = Date.prototype.toJSON = function () { return '"' + this.getFullYear() + '"'; };
      Date.prototype.toString = () => 'today'; Date.parse = () => null;`,
  },
  { title: 'a device whose clock is 400 days slow', script: `{ const { now } = Date; Date.now = () => now() - 400 * 86_400_000; }` },
  {
    title: 'a monitoring agent that wraps fetch, history and listeners',
    script: `{ const { fetch } = globalThis;
      globalThis.fetch = async function (...args) {
        const request = new Request(...args);
        request.headers.set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
        return (await fetch(request)).clone();
      };
      const { replaceState } = history;
      history.replaceState = function (...args) { return replaceState.apply(this, args); };
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (type, listener, options) {
        return addEventListener.call(this, type, listener && function (event) {
          return typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
        }, options);
      }; }`,
  },
  { title: 'an extension whose setItem does nothing', script: 'Storage.prototype.setItem = () => {}', keepsNothing: true },
  {
    title: 'storage without room', keepsNothing: true,
    script: `Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); }`,
  },
  {
    title: 'a browser that refuses storage', keepsNothing: true,
    script: `for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, area, {
      get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
    })`,
  },
  {
    title: 'a page that clears storage at each click',
    script: `addEventListener('click', () => { localStorage.clear(); sessionStorage.clear(); }, true)`,
  },
  { title: 'quirks mode', doctype: '' },
  { title: 'a base element of another site', head: '<base href="https://cdn.example/assets/" target="_blank">' },
  {
    title: 'styles for everything', head: `<style>* { all: unset; display: block !important; float: left; line-height: 0; visibility: inherit }
      button, textarea, input { display: none !important } iframe { inline-size: 1px }</style>`,
  },
  { title: 'a sign-in in the page itself', attributes: 'sync="inline"', isInline: true },
  { title: 'a sign-in in the page itself, on another origin than the BFF', attributes: 'sync="inline"', isInline: true, isElsewhere: true },
  { title: 'an extension that opens no window', script: 'window.open = () => null', isInline: true, isBlocked: true },
  { title: 'a blocked window, on another origin than the BFF', script: 'window.open = () => null', isInline: true, isBlocked: true, isElsewhere: true },
  { title: 'a proxy that removes Fetch Metadata', proxyTakes: FETCH_METADATA, isUnbound: true },
  {
    title: 'a proxy that removes Fetch Metadata, with a sign-in in the page itself', attributes: 'sync="inline"', proxyTakes: FETCH_METADATA,
    isInline: true, isUnbound: true,
  },
  { title: 'a sign-in proxy whose session ends', proxyAnswers: (res) => { res.redirect(302, '/login'); } },
  { title: 'a sign-in proxy of another site whose session ends', proxyAnswers: (res) => { res.redirect(302, 'https://login.example/'); } },
  { title: 'a firewall that refuses a text', proxyAnswers: (res) => { res.status(403).type('html').send('<h1>Request blocked</h1>'); } },
  {
    title: 'a service worker that passes on each request',
    script: `navigator.serviceWorker.register('/guests/worker.js', { scope: '/' })`,
  },
  {
    title: 'speculation rules for each link',
    head: `<script type="speculationrules">{"prefetch": [{"source": "document", "eagerness": "immediate"}],
      "prerender": [{"source": "document", "eagerness": "immediate"}]}</script>`,
  },
  { title: 'a frame', frame: '' },
  { title: 'a frame of no address of its own', frame: '', isSrcdoc: true },
  { title: 'a sandboxed frame with what the documentation names', frame: `sandbox="${POPUPS}"` },
  {
    title: 'a sandboxed frame without popups', frame: 'sandbox="allow-scripts allow-same-origin allow-forms"',
    deadEnd: 'The sign-in form could not be loaded.',
  },
];

describe('a reader writes, signs in, posts and reloads beside', () => {
  const elsewhere = suiteResource(async () => {
    const server = createServer(express().use(sendPage));
    return { origin: await listen(server, { host: 'localhost' }), [Symbol.asyncDispose]: () => closeServer(server) };
  });
  const stage = suiteResource(() => startStage({ allowedOrigins: [elsewhere().origin] }, { before: sendPage }));

  /** The page of the test that runs, and what the proxy before it answers to the next post. */
  let guest = guests[0]!;
  let nextAnswer: Guest['proxyAnswers'];

  function sendPage(req: Request, res: Response, next: () => void): void {
    for (const name of guest.proxyTakes ?? []) delete req.headers[name];
    if (req.path === '/guests/worker.js') return void res.set('Service-Worker-Allowed', '/').type('js').send(WORKER);
    if (nextAnswer && req.method === 'POST' && req.path === '/vestibule/posts') {
      const send = nextAnswer;
      nextAnswer = undefined;
      return send(res);
    }
    if (!req.path.startsWith('/guests/')) return next();
    res.type('html');
    if (guest.frame === undefined || req.path.endsWith('/framed')) res.set({ ...guest.headers }).send(articleOf(guest, req.path));
    else res.send(outerOf(guest, req.path));
  }

  function articleOf({ doctype = '<!doctype html>', head = '', script = '', attributes = '', isSrcdoc }: Guest, path: string): string {
    const { url } = stage().demo;
    return `${doctype}<html lang="en"><meta charset="utf-8"><title>A page</title>${script && `<script>${script}</script>`}${head}
      <script type="module" src="${url}/vestibule/widget.js"></script><h1>A page</h1>
      <vestibule-comments forum="news" show-posts ${attributes} ${isSrcdoc ? `page="${url}${path}"` : ''}></vestibule-comments></html>`;
  }

  function outerOf(guest: Guest, path: string): string {
    const content = guest.isSrcdoc
      ? `srcdoc="${articleOf(guest, path).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"` : `src="${path}/framed"`;
    return `<!doctype html><html lang="en"><title>A page</title><iframe title="An article" width="700" height="900" ${guest.frame} ${content}></iframe></html>`;
  }

  for (const [i, one] of guests.entries()) {
    it(one.title, async () => {
      guest = one;
      await using visitor = await stage().reader();
      const { page } = visitor;
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(`${guest.isElsewhere ? elsewhere().origin : stage().demo.url}/guests/${i}`);
      const framed = guest.frame === undefined ? page : page.frameLocator('iframe');
      await walk({ ...visitor, box: framed.locator('vestibule-comments') });
      // The browser itself says which windows it does not open.
      const isExpected = (text: string): boolean => visitor.hints.includes(text) || (guest.deadEnd !== undefined && text.startsWith('Blocked opening'));
      assert.deepEqual(visitor.complaints.filter((text) => !isExpected(text)), []);
      assert.equal(visitor.hints.length, guest.proxyAnswers ? 1 : 0);
    });
  }

  const words = (text: string): string => `${text}: ${guest.title}`;

  async function walk(visitor: Visitor): Promise<void> {
    const { box, page } = visitor;
    const { keepsNothing, deadEnd, isInline, proxyAnswers } = guest;
    await write(visitor, words('first'));
    if (keepsNothing) await box.getByText('This browser cannot keep your text.').first().waitFor();
    if (deadEnd !== undefined) {
      await signInButton(visitor).click();
      await box.getByRole('button', { name: 'Sign in in a new tab' }).click();
      await box.getByText(deadEnd).first().waitFor();
      assert.equal(await textField(box).inputValue(), words('first'));
      return;
    }
    await (isInline ? signInInPage(visitor) : signInInWindow(visitor));
    await isPosted(visitor, words('first'));

    nextAnswer = proxyAnswers;
    await write(visitor, words('second'));
    await post(visitor);
    if (proxyAnswers) {
      const row = box.getByRole('listitem').filter({ hasText: words('second') });
      await row.getByText(/^Not posted/).first().waitFor();
      await row.getByRole('button', { name: 'Try again' }).click();
    }
    await isPosted(visitor, words('second'));

    await write(visitor, words('draft'));
    await page.reload();
    await textField(box).focus();
    await until('the text', async () => await textField(box).inputValue() === (keepsNothing ? '' : words('draft')));
    await isSignedIn(box);
    if (!keepsNothing) for (const text of ['first', 'second']) await isPosted(visitor, words(text));
    const made = stage().demo.service.posts.map(({ message }) => message).filter((text) => text.endsWith(words('')));
    assert.deepEqual(made, [words('first'), words('second')]);
  }

  async function signInInWindow(visitor: Visitor): Promise<void> {
    const window = await openSignIn(visitor);
    await allow(window);
    if (guest.isUnbound) await confirm(window);
    await fillIn(window);
    const label = await finishButton(window).textContent();
    // A window that closes may report the click as failed.
    await finishButton(window).click().catch((error: unknown) => { if (!window.isClosed()) throw error; });
    await visitor.page.bringToFront();
    if (guest.isCut) await isBack(visitor);
    await isSignedIn(visitor.box);
    if (!guest.isCut) return;
    assert.doesNotMatch(label ?? '', /post/, 'the form promises a post that its end cannot ask for');
    await postOnceMore(visitor);
  }

  async function signInInPage(visitor: Visitor): Promise<void> {
    const { box, page } = visitor;
    const address = page.url();
    await signInButton(visitor).click();
    if (guest.isBlocked) await box.getByRole('button', { name: 'Sign in on this page' }).click();
    await page.waitForURL(/authorize/);
    await allow(page);
    if (guest.isUnbound) await confirm(page);
    else await page.waitForURL(address);
    await answer(guest.isUnbound ? page : box);
    await page.waitForURL(/audiencesync\/complete/);
    await page.goto(address);
    if (!guest.isUnbound) return;
    await textField(box).focus();
    await postOnceMore(visitor);
  }

  /** The window has ended, and the page has the focus again: each page of a headless browser has it from the start. */
  async function isBack({ page, box }: Visitor): Promise<void> {
    await until('the box finds the session', async () => {
      await page.evaluate(() => {
        document.hasFocus = () => true;
        dispatchEvent(new Event('focus'));
      });
      return box.evaluate((element) => element.matches(':state(signed-in)'));
    });
  }

  async function postOnceMore(visitor: Visitor): Promise<void> {
    await visitor.box.getByText('One more step: post your comment.').first().waitFor();
    await post(visitor);
  }

  async function confirm(form: Page): Promise<void> {
    await form.getByRole('button', { name: 'Continue as Ada Quill', exact: true }).click();
  }
});
