/** Parts of the widget that do not load (network, rolling deployment) or throw: fallback, `vestibule-error`, further attempts. */

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { servePage, strictPolicy, type PolicedPage } from './_policed-page.ts';
import { startStage, type Visitor } from './_stage.ts';

const FALLBACK = 'The comment box could not be loaded here.';
const FALLBACK_CHUNK = /\/assets\/load-fallback-/;
const FORM = /\/assets\/form-/;
const LANGUAGE = /\/assets\/de-/;
const FORM_ELEMENT = /\/assets\/vestibule-sync-/;
const SECOND_STAGE = /\/assets\/comments-controller-/;
const NEGOTIATION = /\/assets\/negotiation-/;
const THREAD_LANGUAGE = /\/assets\/thread-de-/;
const THREAD = /\/assets\/thread-in-box-/;

const notFound = (route: Route): Promise<void> => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' });

const CALLBACK = new URLSearchParams({ code: 'c0de', username: 'Ada', user_id: '42', audiencesync_uri: 'https://service.example/' }).toString();

interface WatchedWindow {
  readonly widgetErrors: readonly string[];
}

/** The evaluation of the widget's script throws, as under a list of policies that has no room for Lit's. */
async function breakEvaluation({ page }: Visitor): Promise<void> {
  await page.addInitScript(() => {
    const createPolicy = (): never => { throw new TypeError('createPolicy'); };
    Object.assign((globalThis as unknown as { trustedTypes: object }).trustedTypes, { createPolicy });
  });
}

async function mendEvaluation({ page }: Visitor): Promise<void> {
  await page.evaluate(() => Reflect.deleteProperty((globalThis as unknown as { trustedTypes: object }).trustedTypes, 'createPolicy'));
}

describe('a part of the widget that does not load', () => {
  const box = (attributes = '', content = ''): string => (
    `<vestibule-comments forum="news"${attributes}>${content}</vestibule-comments>`
  );
  let body = box();
  let head: string | undefined;
  afterEach(() => {
    body = box();
    head = undefined;
  });

  const page: () => PolicedPage = suiteResource(() => servePage(() => ({
    policy: strictPolicy(stage().demo.url),
    body: `${head ?? `<script type="module" src="${stage().demo.url}/vestibule/widget.js"></script>`}
      ${body}`,
  })));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  /** Opens the page, without a part of the widget. Requests are kept by method and path. */
  async function open(visitor: Visitor, part?: RegExp, query = '') {
    const requests: string[] = [];
    visitor.page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await visitor.page.addInitScript(() => {
      const widgetErrors: string[] = [];
      Object.assign(globalThis, { widgetErrors });
      document.addEventListener('vestibule-error', (event) => widgetErrors.push((event as CustomEvent<{ problem: { type: string } }>).detail.problem.type));
    });
    if (part) await visitor.page.route(part, notFound);
    await visitor.page.goto(`${page().origin}/${query}`);
    return {
      requests,
      /** The part loads from now on. */
      mend: () => visitor.page.unrouteAll(),
      errors: () => visitor.page.evaluate(() => (globalThis as unknown as WatchedWindow).widgetErrors),
      comeOnline: () => visitor.page.evaluate(() => dispatchEvent(new Event('online'))),
    };
  }

  /** Waits for the widget's error event number `count`. */
  async function errorsReach(visitor: Visitor, count: number): Promise<void> {
    await visitor.page.waitForFunction((wanted) => (globalThis as unknown as WatchedWindow).widgetErrors.length >= wanted, count);
  }

  /** The page changes an attribute of the box, which is rendered anew. */
  async function update(visitor: Visitor, placeholder: string): Promise<void> {
    await visitor.box.evaluate(async (element, text) => {
      await Object.assign(element as HTMLElement & { updateComplete: Promise<unknown> }, { placeholder: text }).updateComplete;
    }, placeholder);
  }

  it('shows the fallback if the evaluation throws, fires vestibule-error, and evaluates again when the browser is online', async () => {
    await using visitor = await stage().reader();
    await breakEvaluation(visitor);
    const { errors, comeOnline, requests } = await open(visitor);
    await visitor.box.getByText(FALLBACK).waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await comeOnline();
    await errorsReach(visitor, 2);
    await mendEvaluation(visitor);
    await comeOnline();
    await visitor.box.getByLabel('Your comment').waitFor();
    assert.equal(await visitor.box.getByText(FALLBACK).isVisible(), false);
    await visitor.box.getByLabel('Your comment').focus();
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.deepEqual(requests.filter((request) => request.endsWith('/session')), ['GET /vestibule/session']);
  });

  it('shows the fallback if the evaluation of an `async` tag throws before the box is parsed', async () => {
    await using visitor = await stage().reader();
    await breakEvaluation(visitor);
    const slow = `${stage().demo.url}/vestibule/slow.js`;
    const thrown = visitor.page.waitForEvent('pageerror');
    await visitor.page.route(slow, async (route) => {
      await thrown;
      await route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    head = `<script type="module" async src="${stage().demo.url}/vestibule/widget.js"></script><script src="${slow}"></script>`;
    const { errors } = await open(visitor);
    await visitor.box.getByText(FALLBACK).waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
  });

  for (const [intent, turnTo] of [
    ['pointer', (visitor: Visitor) => visitor.box.hover()],
    ['focus', (visitor: Visitor) => visitor.box.getByRole('link').focus()],
  ] as const) {
    it(`evaluates the script again on the next ${intent} of the reader`, async () => {
      await using visitor = await stage().reader();
      await breakEvaluation(visitor);
      await open(visitor);
      await visitor.box.getByText(FALLBACK).waitFor();
      await mendEvaluation(visitor);
      await turnTo(visitor);
      await visitor.box.getByLabel('Your comment').waitFor();
    });
  }

  it('fires vestibule-error and evaluates the script again where the fallback is missing as well', async () => {
    await using visitor = await stage().reader();
    await breakEvaluation(visitor);
    const { errors, comeOnline } = await open(visitor, FALLBACK_CHUNK);
    await errorsReach(visitor, 1);
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await mendEvaluation(visitor);
    await comeOnline();
    await visitor.box.getByLabel('Your comment').waitFor();
  });

  it('shows the fallback in place of the form, fires vestibule-error, and loads the form when the browser is online', async () => {
    body = '<vestibule-sync></vestibule-sync>';
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, FORM);
    const form = visitor.page.locator('vestibule-sync');
    await form.getByText('The sign-in form could not be loaded here.').waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await mend();
    await comeOnline();
    await form.getByRole('heading').waitFor();
    assert.equal(await form.getByText('The sign-in form could not be loaded here.').isVisible(), false);
  });

  for (const [name, part] of [['the form', FORM_ELEMENT], ['its entry', FORM]] as const) {
    it(`keeps a callback without ${name}: the link carries it, and so does the form that loads later`, async () => {
      body = '<vestibule-sync></vestibule-sync>';
      await using visitor = await stage().reader();
      const { mend, comeOnline } = await open(visitor, part, `?${CALLBACK}`);
      const form = visitor.page.locator('vestibule-sync');
      assert.equal(await form.getByRole('link').getAttribute('href'), `${stage().demo.url}/vestibule/sync/return?${CALLBACK}`);
      assert.equal(new URL(visitor.page.url()).search, '');
      await mend();
      await comeOnline();
      await form.getByRole('button', { name: 'Continue as Ada' }).waitFor();
    });
  }

  it('keeps a callback without the box: the link carries it, and so does the box that loads later', async () => {
    await using visitor = await stage().reader();
    await breakEvaluation(visitor);
    const { comeOnline } = await open(visitor, undefined, `?${CALLBACK}`);
    assert.equal(await visitor.box.getByRole('link').getAttribute('href'), `${stage().demo.url}/vestibule/sync/return?${CALLBACK}`);
    assert.equal(new URL(visitor.page.url()).search, '');
    await mendEvaluation(visitor);
    await comeOnline();
    await visitor.box.getByRole('button', { name: 'Continue as Ada' }).waitFor();
  });

  it('keeps the focus in the box while the form of a callback loads, and gives it to the form', async () => {
    await using visitor = await stage().reader();
    await visitor.page.addInitScript(() => { window.open = () => null; });
    const { promise, resolve } = Promise.withResolvers<void>();
    await visitor.page.route(FORM_ELEMENT, async (route) => {
      await promise;
      await route.continue();
    });
    await open(visitor, undefined, `?${CALLBACK}`);
    await visitor.box.getByRole('button', { name: 'Continue as Ada' }).focus();
    await visitor.page.keyboard.press('Enter');
    await visitor.box.locator('vestibule-sync').waitFor({ state: 'attached' });
    const focused = (): Promise<string> => visitor.page.evaluate(() => (
      document.activeElement!.shadowRoot?.activeElement?.querySelector('vestibule-sync') ? 'panel' : document.activeElement!.shadowRoot?.activeElement?.localName ?? 'nothing'
    ));
    assert.equal(await focused(), 'panel');
    resolve();
    await visitor.box.locator('vestibule-sync').getByRole('heading').waitFor();
    await visitor.page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.localName === 'vestibule-sync');
  });

  it('shows the fallback with an invalid or odd `bff` as well', async () => {
    body = `${box(' bff="https://["')}<vestibule-comments forum="news" bff="${stage().demo.url}/vestibule?x#y"></vestibule-comments>`;
    await using visitor = await stage().reader();
    await breakEvaluation(visitor);
    await open(visitor);
    for (const index of [0, 1]) {
      const link = visitor.page.locator('vestibule-comments').nth(index).getByRole('link');
      assert.equal(await link.getAttribute('href'), `${stage().demo.url}/vestibule/comments?forum=news`);
    }
  });

  it('keeps the text without the second stage, says so, and goes on when the browser is online', async () => {
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, SECOND_STAGE);
    await visitor.box.getByLabel('Your comment').fill('typed without the second stage');
    await visitor.box.getByRole('alert').getByText('Posting is not possible right now. Please try again.').waitFor();
    assert.ok((await errors()).length > 0);
    await visitor.page.reload();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'typed without the second stage');
    // An attempt in flight prevents the one that `online` starts.
    await errorsReach(visitor, 1);
    await visitor.box.getByLabel('Your comment').focus();
    await errorsReach(visitor, 2);
    await mend();
    await comeOnline();
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.equal(await visitor.box.getByRole('alert').first().textContent(), '');
  });

  it('loads the second stage with the next letter of the reader', async () => {
    await using visitor = await stage().reader();
    const { mend } = await open(visitor, SECOND_STAGE);
    await visitor.box.getByLabel('Your comment').focus();
    await errorsReach(visitor, 1);
    await mend();
    await visitor.box.getByLabel('Your comment').press('a');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });

  it('shows the page’s own posts without the thread, and loads it online without a request for the session', async () => {
    body = box(' show-posts', '<ol slot="posts"><li data-post-id="1">rendered by the page</li></ol>');
    await using visitor = await stage().reader();
    const { requests, mend, errors, comeOnline } = await open(visitor, THREAD);
    await errorsReach(visitor, 1);
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    assert.equal(await visitor.page.getByText('rendered by the page').isVisible(), true);
    for (const placeholder of ['an update', 'another update']) await update(visitor, placeholder);
    assert.deepEqual(await errors(), ['urn:vestibule:network'], 'updates without intent');
    await visitor.box.hover();
    await errorsReach(visitor, 2);
    await mend();
    await comeOnline();
    await visitor.box.locator('vestibule-thread').waitFor();
    assert.equal(await visitor.page.getByText('rendered by the page').isVisible(), true);
    assert.deepEqual(requests.filter((request) => request.endsWith('/session')), []);
  });

  it('shows the thread in English without its phrases, and in the language when the browser is online', async () => {
    body = box(' lang="de" show-posts');
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, THREAD_LANGUAGE);
    await visitor.box.getByRole('heading', { name: 'Readers’ comments' }).waitFor();
    await errorsReach(visitor, 1);
    for (const placeholder of ['an update', 'another update']) await update(visitor, placeholder);
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await mend();
    await comeOnline();
    await visitor.box.getByRole('heading', { name: 'Kommentare der Leserinnen und Leser' }).waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
  });

  it('loads the form again when the browser is online, and shows it at the next click only', async () => {
    await using visitor = await stage().reader();
    await visitor.page.addInitScript(() => { window.open = () => null; });
    const { mend, errors, comeOnline } = await open(visitor, FORM_ELEMENT, `?${CALLBACK}`);
    const button = visitor.box.getByRole('button', { name: 'Continue as Ada' });
    await button.click();
    await visitor.box.getByRole('alert').getByText('The sign-in form could not be loaded. Please try again.').waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await comeOnline();
    await errorsReach(visitor, 2);
    await mend();
    await comeOnline();
    await visitor.page.waitForFunction(() => customElements.get('vestibule-sync'));
    assert.equal(await visitor.box.locator('vestibule-sync').count(), 0);
    assert.deepEqual(await errors(), ['urn:vestibule:network', 'urn:vestibule:network']);
    await visitor.page.route(FORM_ELEMENT, notFound);
    await button.click();
    await visitor.box.locator('vestibule-sync').getByRole('heading').waitFor();
  });

  for (const [name, part] of [['the language', LANGUAGE], ['the list of languages', NEGOTIATION]] as const) {
    it(`stays in English without ${name}, fires vestibule-error once, and loads it when the browser is online`, async () => {
      body = box(' lang="de"');
      await using visitor = await stage().reader();
      const { requests, mend, errors, comeOnline } = await open(visitor, part);
      await errorsReach(visitor, 1);
      await visitor.box.getByLabel('Your comment').waitFor();
      for (const placeholder of ['an update', 'another update']) await update(visitor, placeholder);
      assert.deepEqual(await errors(), ['urn:vestibule:network'], 'updates without intent');
      assert.equal(requests.filter((request) => part.test(request)).length, 1);
      await comeOnline();
      await errorsReach(visitor, 2);
      await mend();
      await comeOnline();
      await visitor.box.getByLabel('Ihr Kommentar').waitFor();
      assert.deepEqual(await errors(), ['urn:vestibule:network', 'urn:vestibule:network']);
      assert.deepEqual(requests.filter((request) => request.endsWith('/session')), []);
    });
  }

  for (const [intent, turnTo] of [
    ['pointer', (visitor: Visitor) => visitor.box.hover()],
    ['focus', (visitor: Visitor) => visitor.box.getByLabel('Your comment').focus()],
  ] as const) {
    it(`loads the language again on the next ${intent} of the reader`, async () => {
      body = box(' lang="de"');
      await using visitor = await stage().reader();
      const { mend, errors } = await open(visitor, LANGUAGE);
      await errorsReach(visitor, 1);
      await mend();
      await turnTo(visitor);
      await visitor.box.getByLabel('Ihr Kommentar').waitFor();
      assert.deepEqual(await errors(), ['urn:vestibule:network']);
    });
  }

  it('loads the language with the next letter of the reader', async () => {
    body = box(' lang="de"');
    await using visitor = await stage().reader();
    const { mend } = await open(visitor, LANGUAGE);
    await errorsReach(visitor, 1);
    await visitor.box.getByLabel('Your comment').focus();
    await errorsReach(visitor, 2);
    await mend();
    await visitor.box.getByLabel('Your comment').press('a');
    await visitor.box.getByLabel('Ihr Kommentar').waitFor();
    assert.equal(await visitor.box.getByLabel('Ihr Kommentar').inputValue(), 'a');
  });

  for (const [intent, turnTo] of [
    ['with the browser online', (visitor: Visitor) => visitor.page.evaluate(() => dispatchEvent(new Event('online')))],
    ['with the next pointer', (visitor: Visitor) => visitor.page.locator('vestibule-sync').hover()],
  ] as const) {
    it(`shows the form in English without its language, and loads that ${intent}`, async () => {
      body = '<vestibule-sync lang="de"></vestibule-sync>';
      await using visitor = await stage().reader();
      const { mend, errors } = await open(visitor, LANGUAGE, `?${CALLBACK}`);
      const form = visitor.page.locator('vestibule-sync');
      await form.getByRole('button', { name: 'Continue as Ada' }).waitFor();
      await errorsReach(visitor, 1);
      await mend();
      await turnTo(visitor);
      await form.getByRole('button', { name: 'Weiter als Ada' }).waitFor();
      assert.deepEqual(await errors(), ['urn:vestibule:network']);
    });
  }

  it('loads the language of the form with the next key of the reader', async () => {
    body = '<vestibule-sync lang="de"></vestibule-sync>';
    await using visitor = await stage().reader();
    const { mend } = await open(visitor, LANGUAGE, `?${CALLBACK}`);
    const form = visitor.page.locator('vestibule-sync');
    await errorsReach(visitor, 1);
    await form.getByRole('button', { name: 'Continue as Ada' }).focus();
    await errorsReach(visitor, 2);
    await mend();
    await visitor.page.keyboard.press('Shift');
    await form.getByRole('button', { name: 'Weiter als Ada' }).waitFor();
  });
});
