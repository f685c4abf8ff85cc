/** Parts of the widget that do not load (network, rolling deployment) or throw: fallback, `vestibule-error`, further attempts. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { servePage, strictPolicy, type PolicedPage } from './_policed-page.ts';
import { startStage, type Visitor } from './_stage.ts';

const FALLBACK = 'The comment box could not be loaded here.';
const CORE = /\/assets\/core-/;
const SECOND_STAGE = /\/assets\/comments-controller-/;
const THREAD = /\/assets\/thread-in-box-/;

const notFound = (route: Route): Promise<void> => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' });

interface WatchedWindow {
  readonly widgetErrors: readonly string[];
}

describe('a part of the widget that does not load', () => {
  let attributes = '';
  let content = '';
  const page: () => PolicedPage = suiteResource(() => servePage(() => ({
    policy: strictPolicy(stage().demo.url),
    body: `<script type="module" src="${stage().demo.url}/vestibule/widget.js"></script>
      <vestibule-comments forum="news"${attributes}>${content}</vestibule-comments>`,
  })));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  /** Opens the page while `part` is handled by `handle`. Requests of the BFF are kept by method and path. */
  async function open(visitor: Visitor, part: RegExp, handle: (route: Route) => Promise<void>) {
    const requests: string[] = [];
    visitor.page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await visitor.page.addInitScript(() => {
      const widgetErrors: string[] = [];
      Object.assign(globalThis, { widgetErrors });
      document.addEventListener('vestibule-error', (event) => widgetErrors.push((event as CustomEvent<{ problem: { type: string } }>).detail.problem.type));
    });
    await visitor.page.route(part, handle);
    await visitor.page.goto(page().origin);
    return {
      requests,
      /** The part loads from now on. */
      mend: () => visitor.page.unroute(part),
      errors: () => visitor.page.evaluate(() => (globalThis as unknown as WatchedWindow).widgetErrors),
      comeOnline: () => visitor.page.evaluate(() => dispatchEvent(new Event('online'))),
    };
  }

  /** Waits for the widget's error event number `count`. */
  async function errorsReach(visitor: Visitor, count: number): Promise<void> {
    await visitor.page.waitForFunction((wanted) => (globalThis as unknown as WatchedWindow).widgetErrors.length >= wanted, count);
  }

  it('shows the fallback without the first stage, fires vestibule-error, and loads when the browser is online', async () => {
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, CORE, notFound);
    await visitor.box.getByText(FALLBACK).waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await mend();
    await comeOnline();
    await visitor.box.getByLabel('Your comment').waitFor();
    assert.equal(await visitor.box.getByText(FALLBACK).isVisible(), false);
  });

  for (const [intent, turnTo] of [
    ['pointer', (visitor: Visitor) => visitor.box.hover()],
    ['focus', (visitor: Visitor) => visitor.box.getByRole('link').focus()],
  ] as const) {
    it(`loads the first stage on the next ${intent} of the reader`, async () => {
      await using visitor = await stage().reader();
      const { mend } = await open(visitor, CORE, notFound);
      await visitor.box.getByText(FALLBACK).waitFor();
      await mend();
      await turnTo(visitor);
      await visitor.box.getByLabel('Your comment').waitFor();
    });
  }

  it('fires vestibule-error and loads the first stage where the fallback is missing as well', async () => {
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, /\/assets\//, (route) => route.abort());
    await errorsReach(visitor, 1);
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    await mend();
    await comeOnline();
    await visitor.box.getByLabel('Your comment').waitFor();
  });

  it('shows the fallback if the first stage throws while it is evaluated', async () => {
    await using visitor = await stage().reader();
    const { errors } = await open(visitor, CORE, (route) => route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("evaluation")' }));
    await visitor.box.getByText(FALLBACK).waitFor();
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
  });

  it('keeps the text without the second stage, says so, and goes on when the browser is online', async () => {
    await using visitor = await stage().reader();
    const { mend, errors, comeOnline } = await open(visitor, SECOND_STAGE, notFound);
    await visitor.box.getByLabel('Your comment').fill('typed without the second stage');
    await visitor.box.getByRole('alert').getByText('Posting is not possible right now. Please try again.').waitFor();
    assert.ok((await errors()).length > 0);
    await visitor.page.reload();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'typed without the second stage');
    await visitor.box.getByLabel('Your comment').focus();
    await errorsReach(visitor, 1);
    await mend();
    await comeOnline();
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.equal(await visitor.box.getByRole('alert').first().textContent(), '');
  });

  it('loads the second stage with the next letter of the reader', async () => {
    await using visitor = await stage().reader();
    const { mend } = await open(visitor, SECOND_STAGE, notFound);
    await visitor.box.getByLabel('Your comment').fill('first');
    await errorsReach(visitor, 1);
    await mend();
    await visitor.box.getByLabel('Your comment').press('a');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });

  it('shows the page’s own posts without the thread, and loads it online without a request for the session', async () => {
    attributes = ' show-posts';
    content = '<ol slot="posts"><li data-post-id="1">rendered by the page</li></ol>';
    await using visitor = await stage().reader();
    const { requests, mend, errors, comeOnline } = await open(visitor, THREAD, notFound);
    await errorsReach(visitor, 1);
    assert.deepEqual(await errors(), ['urn:vestibule:network']);
    assert.equal(await visitor.page.getByText('rendered by the page').isVisible(), true);
    await mend();
    await comeOnline();
    await visitor.box.locator('vestibule-thread').waitFor();
    assert.equal(await visitor.page.getByText('rendered by the page').isVisible(), true);
    assert.deepEqual(requests.filter((request) => request.endsWith('/session')), []);
  });
});
