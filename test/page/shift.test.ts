/** The box and its thread move nothing that is on the screen: layout shifts as Chromium measures them, scrolls included. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import type { Page, Route } from 'playwright-core';
import type { PostEntry } from '@vestibule/bff';
import { frames } from '../lib/frames.ts';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { startDemo } from '../site/demo.ts';

/** The sum of all scores of a visit. "Good" is up to 0.1. */
const LIMIT = 0.02;

/** Where the page's next part comes up to a space below few comments. */
const LIMIT_OF_FEW = 0.1;

/** Round trip of the slow network. */
const LATENCY_MS = 700;

/** As `README.md` reserves the place of a box with its thread. */
const RESERVED = 'display: block; min-block-size: min(100vh, 60em)';

const TEXT = 'The lamplighter of Net Lane kept his ladder behind the chapel and his matches dry in a tin. ';

const SHORT = 'I agree with this.';

const entryOf = (index: number): PostEntry => ({
  id: `${index + 1}`,
  author: { username: ['Ada Quill', 'Jörg Ünterwald', 'Mo'][index % 3]! },
  message: TEXT.repeat(1 + index % 4),
  created_at: new Date(Date.UTC(2026, 0, 1) - index * 3_600_000).toISOString(),
});

const entriesOf = (count: number): PostEntry[] => Array.from({ length: count }, (_, index) => entryOf(index));

interface Article {
  /** Number of comments. */
  readonly count: string;
  /** Rendered by the server. */
  readonly rendered?: string;
  /** They do not load. */
  readonly fails?: string;
  readonly sync?: 'inline';
  readonly lang?: string;
  /** The box has no thread. */
  readonly alone?: string;
  /** A style sheet of the page. */
  readonly css?: string;
}

/** Pages whose pixels are not those of the viewport, or which scroll in an element. */
const layouts = {
  'a page with zoom 1.25': 'body { zoom: 1.25 }',
  'a document with zoom 1.1': 'html { zoom: 1.1 }',
  'a page with zoom 0.8': 'body { zoom: 0.8 }',
  'a part with a transform': 'body { transform: scale(1.25); transform-origin: 0 0; inline-size: 80% }',
  'an inner scroller': 'body { block-size: 100vh; overflow: auto; contain: strict }',
};

const router = express.Router()
  .get('/article', (req, res) => {
    const { count, rendered, sync = 'popup', lang, alone, css } = req.query as unknown as Article;
    const posts = entriesOf(Number(count)).map(({ id, author, message }) => (
      `<li data-post-id="${id}"><b>${author.username}</b><p>${message}</p></li>`));
    res.type('html').send(page(`<h1>An article</h1>${`<p>${TEXT.repeat(8)}</p>`.repeat(8)}<div id="comments"><vestibule-comments
      forum="news" sync="${sync}" ${alone === undefined ? `show-posts style="${RESERVED}"` : ''}><a href="/vestibule/comments?forum=news">Comments</a>${
        rendered === undefined ? '' : `<ol slot="posts">${posts.join('')}</ol>`}</vestibule-comments></div>`, lang, css));
  })
  .get('/list', (_req, res) => {
    const items = Array.from({ length: 20 }, (_, index) => `<h2>Article ${index}</h2><p>${TEXT}</p><p>
      <vestibule-count forum="news" page="/article?count=${index}">Comments</vestibule-count></p>`);
    res.type('html').send(page(items.join('')));
  });

function page(body: string, lang = 'en', css = ''): string {
  return `<!doctype html><html lang="${lang}"><title>A page</title><meta name="viewport" content="width=device-width">
    <style>body { margin: 0; font: 18px/1.5 serif; } main, footer { max-width: 40em; margin: auto; padding: 0 16px; } ${css}</style>
    <script type="module" src="/vestibule/widget.js"></script><main>${body}</main>
    <footer><h2>More</h2>${`<p>${TEXT.repeat(4)}</p>`.repeat(12)}</footer></html>`;
}

const SIGNED_IN = {
  state: 'signed-in', session: 'one', user: { user_id: '1', username: 'Ada Quill', key: 'key' }, limits: { message_max_length: 10_000 },
};

const problem = (type: string, status: number, detail: string, retryable = false) => ({
  status, contentType: 'application/problem+json', headers: { 'Retry-After': '120' },
  json: { type: `urn:vestibule:${type}`, title: type, status, detail, retryable, instance: 'urn:vestibule:request:0a1b2c3d' },
});

/** Outcomes of one page, in this order: the last one changes every row and the box. */
const OUTCOMES = ['posted', 'held', 'refused', 'unsure', 'waiting', 'session over'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** Of the shift at a late outcome: its sentence and buttons take the lines that they need, of which a refusal has six on a phone,
 *  and a text that is back in the field takes its lines there. What only changes its words moves nothing. */
const LIMIT_OF: Readonly<Record<Outcome, number>> = {
  posted: 0.045, held: 0.02, refused: 0.15, unsure: 0.06, waiting: 0.02, 'session over': 0.45,
};

/** To `POST /posts`. */
function responseOf(outcome: Outcome, message: string, parent_id?: string) {
  const id = `${77 + OUTCOMES.indexOf(outcome)}`;
  const posted = (state: string) => ({
    status: 201, json: { post: { id }, listed: { ...entryOf(0), id, ...(parent_id && { parent_id }), message, state } },
  });
  switch (outcome) {
    case 'posted': return posted('published');
    case 'held': return posted('pending');
    case 'refused': return problem('post-rejected', 422, 'Please be kind to each other, says the publisher of this paper. '.repeat(4));
    case 'unsure': return problem('outcome-unknown', 504, 'The service did not answer.');
    case 'waiting': return problem('service-unavailable', 503, 'The service is not available.', true);
    case 'session over': return problem('not-signed-in', 401, 'Sign in.');
  }
}

interface Shift {
  /** In ms since the navigation. */
  readonly startTime: number;
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly string[];
}

/** Tests of `npm test`; the others, one for each combination, run with `npm run test:long`. */
const IN_FIRST_RUN = new Set([
  'with scrolling, in 412 pixels: 40 comments',
  "more than the page's next part, which leaves a space below few comments, in 412 pixels: 0",
  "more than the page's next part, which leaves a space below few comments, in 1280 pixels: 1",
  'with a link to the comments, in 1280 pixels: 3 comments',
  'with a link to the comments, at a latency of 700 ms, in 412 pixels: 3 comments',
  'in an inner scroller, where the comments are late, and its end is reached, in 412 pixels',
  'in a page with zoom 1.25, where the comments are late, and its end is reached, in 1280 pixels',
  'when the form comes to a reader who is back from the service, in 390 pixels',
  'when the session of a text that is there comes, in 412 pixels',
  'where the server has rendered the comments, in 1280 pixels',
  'while a reader writes and opens a reply, in 412 pixels',
  'when the outcome of a reply comes late, nor 20 s later, in 412 pixels: de',
  'when the outcome of a comment in a box without a thread comes late, nor 20 s later, in 1280 pixels: en',
  'when entries that wait come to the next visit of a box without a thread, in 412 pixels: de',
  'with scrolling when the comments do not load, in 412 pixels',
  'when the numbers of a list of articles arrive, in 412 pixels',
]);

const isWhole = process.env['VESTIBULE_LONG'] === 'true';

describe('nothing on the screen moves', { concurrency: 3 }, () => {
  const demo = suiteResource(() => startDemo({
    port: 0,
    before: router,
    vestibule: {
      rateLimits: 'off',
      logLevel: 'silent',
      posts: {
        replies: true,
        prepare: async () => ({ ok: true }),
        list: async ({ page }) => ({ posts: entriesOf(Number(new URL(page!).searchParams.get('count'))) }),
        count: async ({ pages }) => pages.map(() => 1234),
      },
    },
  }));

  async function openPage(width: number, isSlow = false): Promise<Page> {
    const page = await (await sharedChromium({ holdsPaints: true })).newPage({ locale: 'en-GB', viewport: { width, height: 800 } });
    await page.addInitScript(() => {
      const shifts: Shift[] = [];
      Object.assign(globalThis, { shifts });
      interface Entry extends PerformanceEntry {
        readonly value: number;
        readonly hadRecentInput: boolean;
        readonly sources: readonly { readonly node: Node | null; readonly currentRect: DOMRect }[];
      }
      new PerformanceObserver((list) => {
        for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
          const moved = sources.map(({ node, currentRect }) => `${node?.nodeName ?? 'in the box'} at ${currentRect.top}`);
          shifts.push({ startTime, value, hadRecentInput, sources: moved });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    if (isSlow) {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false, latency: LATENCY_MS, downloadThroughput: 50_000, uploadThroughput: 50_000,
      });
    }
    return page;
  }

  /** @param isAll whether what moves right after a press or a key counts, too: it is the reader's own doing otherwise */
  async function isStill(page: Page, { limit = LIMIT, isAll = false, since = 0, what = '' } = {}): Promise<void> {
    await frames(page);
    const all = await page.evaluate(() => (globalThis as unknown as { shifts: readonly Shift[] }).shifts);
    const shifts = all.filter(({ startTime, hadRecentInput }) => startTime >= since && (isAll || !hadRecentInput));
    const score = shifts.reduce((sum, { value }) => sum + value, 0);
    assert.ok(score <= limit, `${what} ${JSON.stringify(shifts)}`);
  }

  /** The comments are drawn. */
  async function isListed(page: Page, { count, rendered, fails }: Article): Promise<void> {
    const box = page.locator('vestibule-comments');
    const items = box.getByRole('listitem');
    if (fails !== undefined) await box.getByText('The comments could not be loaded.').waitFor();
    else if (rendered !== undefined) await box.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ }).waitFor();
    else if (count === '0') await box.getByText('No comments yet').waitFor();
    else await until('all comments', async () => await items.count() === Number(count));
  }

  /** Also comments that are not seen. */
  async function isInDocument(page: Page, count: number): Promise<void> {
    await until('the comments', async () => await page.locator('vestibule-thread li').count() === count);
    await frames(page);
  }

  /** Holds the session back until the function is called. */
  async function holdSession(page: Page, answer = (route: Route) => route.continue()): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/vestibule\/session/, async (route) => {
      await promise;
      await answer(route);
    });
    return resolve;
  }

  const addressOf = (article: Article): string => `${demo().url}/article?${new URLSearchParams({ ...article })}`;

  const ways: Readonly<Record<string, (page: Page, article: Article) => Promise<void>>> = {
    async 'a link to the comments'(page, article) {
      await page.goto(`${addressOf(article)}#comments`);
      await isListed(page, article);
      await frames(page, 40, 200);
      await frames(page, 40, -200);
    },
    async 'scrolling'(page, article) {
      await page.goto(addressOf(article));
      const top = await page.locator('vestibule-comments').evaluate((box) => box.getBoundingClientRect().top);
      await frames(page, Math.floor(top / 20), 20);
      await isListed(page, article);
      await frames(page, 40, 200);
      await frames(page, 40, -200);
    },
  };

  let chosen = 0;

  const test = (title: string, run: () => Promise<void>): void => {
    if (IN_FIRST_RUN.has(title)) chosen += 1;
    if (isWhole || IN_FIRST_RUN.has(title)) it(title, run);
  };

  for (const isSlow of [false, true]) {
    for (const width of [412, 1280]) {
      for (const [way, visit] of Object.entries(ways)) {
        for (const count of ['0', '3', '40']) {
          test(`with ${way}${isSlow ? ', at a latency of 700 ms' : ''}, in ${width} pixels: ${count} comments`, async () => {
            await using page = await openPage(width, isSlow);
            await visit(page, { count });
            await isStill(page, { limit: count === '40' ? LIMIT : LIMIT_OF_FEW });
          });
        }
      }
    }
  }

  for (const width of [412, 1280]) {
    for (const count of ['0', '1', '3']) {
      test(`more than the page's next part, which leaves a space below few comments, in ${width} pixels: ${count}`, async () => {
        await using page = await openPage(width);
        await page.goto(`${addressOf({ count })}#comments`);
        await isListed(page, { count });
        const space = () => page.locator('vestibule-comments').evaluate((box) => {
          const thread = box.shadowRoot!.querySelector('vestibule-thread')!;
          const ends = [box, thread].map((element) => Math.min(innerHeight, element.getBoundingClientRect().bottom));
          return (ends[0]! - ends[1]!) / innerHeight;
        });
        await until('a space of at most 40 % of the screen', async () => await space() <= 0.4);
        await isStill(page, { limit: LIMIT_OF_FEW });
      });
    }

    for (const [layout, css] of Object.entries(layouts)) {
      test(`in ${layout}, where the comments are late, and its end is reached, in ${width} pixels`, async () => {
        await using page = await openPage(width);
        const comments = Promise.withResolvers<void>();
        await page.route('**/vestibule/posts?*', async (route) => {
          await comments.promise;
          await route.continue();
        });
        const article = { count: '3', css };
        const isAsked = page.waitForRequest('**/vestibule/posts?*');
        await page.goto(addressOf(article));
        const top = await page.locator('vestibule-comments').evaluate((box) => box.getBoundingClientRect().top);
        // Not further than the reserved place, which is a screen high: the box may come later than the scroll ends.
        await frames(page, Math.floor(top / 50), 50);
        await isAsked;
        // The place of the comments is there, and does not grow.
        await page.locator('vestibule-thread').waitFor({ state: 'attached' });
        const height = () => page.locator('vestibule-comments').evaluate((box) => (box as HTMLElement).offsetHeight);
        await frames(page, 20, 20);
        const held = await height();
        await frames(page, 20, 20);
        assert.ok(await height() < held + 1000, `${held} pixels, then ${await height()}`);
        comments.resolve();
        await isListed(page, article);
        await frames(page, 60, 200);
        const end = await page.locator('footer').evaluate((footer) => footer.getBoundingClientRect().bottom);
        assert.ok(end <= 801, `the footer ends at ${end}`);
        await frames(page, 60, -200);
        await isStill(page, { limit: LIMIT_OF_FEW });
      });
    }
  }

  for (const width of [390, 412, 1280]) {
    test(`when the form comes to a reader who is back from the service, in ${width} pixels`, async () => {
      await using page = await openPage(width);
      await page.goto(`${addressOf({ count: '3', sync: 'inline' })}#comments`);
      await isListed(page, { count: '3' });
      await page.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ }).click();
      await page.getByText('Ada Quill').click();
      const sendSession = await holdSession(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await isInDocument(page, 3);
      sendSession();
      await page.getByLabel('Your age').waitFor();
      await isStill(page);
    });

    test(`when the session of a text that is there comes, in ${width} pixels`, async () => {
      await using page = await openPage(width);
      await page.route('**/vestibule/session', (route) => route.fulfill({ json: SIGNED_IN }));
      await page.goto(`${addressOf({ count: '3' })}#comments`);
      const box = page.locator('vestibule-comments');
      const field = box.getByLabel('Your comment');
      await field.fill(TEXT.repeat(6));
      await until('the session', () => box.evaluate((element) => element.matches(':state(signed-in)')));
      const sendSession = await holdSession(page, (route) => route.fulfill({ json: SIGNED_IN }));
      await page.reload();
      await isInDocument(page, 3);
      assert.notEqual(await field.inputValue(), '');
      sendSession();
      await until('the session', () => box.evaluate((element) => element.matches(':state(signed-in)')));
      await isStill(page);
    });
  }

  for (const width of [412, 1280]) {
    test(`where the server has rendered the comments, in ${width} pixels`, async () => {
      await using page = await openPage(width);
      await ways['a link to the comments']!(page, { count: '40', rendered: '' });
      await isStill(page, { limit: 0 });
    });

    test(`while a reader writes and opens a reply, in ${width} pixels`, async () => {
      await using page = await openPage(width);
      await page.goto(`${addressOf({ count: '3' })}#comments`);
      await isListed(page, { count: '3' });
      const session = page.waitForResponse(/\/session/);
      await page.getByLabel('Your comment').click();
      await session;
      await page.getByLabel('Your comment').pressSequentially('I agree.');
      await page.getByRole('button', { name: 'Reply' }).first().click();
      await page.getByRole('textbox', { name: 'Reply to Ada Quill' }).waitFor();
      await page.waitForLoadState('networkidle');
      await isStill(page, { limit: 0 });
    });

    for (const [what, lang, text] of [
      ['a comment', 'en', SHORT], ['a comment', 'de', SHORT], ['a long comment', 'en', TEXT.repeat(4)], ['a reply', 'en', SHORT],
      ['a reply', 'de', SHORT], ['a comment in a box without a thread', 'en', SHORT], ['a comment in a box without a thread', 'de', SHORT],
    ] as const) {
      test(`when the outcome of ${what} comes late, nor 20 s later, in ${width} pixels: ${lang}`, async () => {
        const isAlone = what.endsWith('without a thread');
        await using page = await openPage(width);
        await page.clock.install();
        await page.route('**/vestibule/session', (route) => route.fulfill({ json: SIGNED_IN }));
        await page.goto(`${addressOf({ count: '3', lang, ...(isAlone && { alone: '' }) })}#comments`);
        if (!isAlone) await isListed(page, { count: '3' });
        const box = page.locator('vestibule-comments').first();
        // The rows of the earlier outcomes stay.
        for (const outcome of OUTCOMES) {
          const message = `${text} (${outcome})`;
          const answer = Promise.withResolvers<void>();
          await page.route('**/vestibule/posts', async (route) => {
            await answer.promise;
            await route.fulfill(responseOf(outcome, message, what === 'a reply' ? '1' : undefined));
          }, { times: 1 });
          if (what === 'a reply') {
            await box.locator('.reply').first().click();
            await box.locator('vestibule-comments').getByRole('textbox').waitFor();
          }
          const field = box.getByRole('textbox').last();
          await field.fill(message);
          await until('the session', () => box.evaluate((element) => element.matches(':state(signed-in)')));
          await field.press('Control+Enter');
          const row = box.getByRole('listitem').filter({ hasText: message }).last().locator('.entry:not(.unseen)');
          const rowText = async () => (await row.allTextContents()).join();
          const before = await until('the row', async () => await rowText() || undefined);
          await frames(page);
          await page.evaluate(() => { (globalThis as unknown as { shifts: Shift[] }).shifts.length = 0; });
          answer.resolve();
          await until('the outcome', async () => await rowText() !== before);
          await frames(page);
          await page.clock.fastForward(61_000);
          await isStill(page, { limit: LIMIT_OF[outcome], isAll: true, what: outcome });
        }
      });
    }

    for (const [what, lang, layout] of [
      ['of a box without a thread', 'en'], ['of a box without a thread', 'de'], ['of a box without a thread', 'en', 'a page with zoom 1.25'],
      ['where the server has rendered the comments', 'en'], ['where the server has rendered the comments', 'de'],
    ] as const) {
      test(`when entries that wait come to the next visit ${what}, in ${width} pixels: ${layout ?? lang}`, async () => {
        const kind: Pick<Article, 'alone' | 'rendered'> = what === 'of a box without a thread' ? { alone: '' } : { rendered: '' };
        const article = { count: '3', ...kind, lang, ...(layout && { css: layouts[layout] }) };
        await using page = await openPage(width);
        await page.route(/\/vestibule\/session/, (route) => route.fulfill({ json: SIGNED_IN }));
        await page.route('**/vestibule/posts', (route) => route.fulfill(responseOf('refused', SHORT)));
        await page.goto(`${addressOf(article)}#comments`);
        const box = page.locator('vestibule-comments').first();
        const field = box.getByRole('textbox').first();
        for (const text of [SHORT, TEXT.repeat(2)]) {
          await field.fill(text);
          await until('the session', () => box.evaluate((element) => element.matches(':state(signed-in)')));
          await field.press('Control+Enter');
          await box.getByRole('listitem').filter({ hasText: text.trim() }).locator('.entry:not(.unseen)').getByText(/^Not posted|^Nicht veröffentlicht/).waitFor();
        }
        const parts = Promise.withResolvers<void>();
        await page.route(/assets\/thread-in-box-/, async (route) => {
          await parts.promise;
          await route.continue();
        });
        await page.goto('about:blank');
        await page.goto(`${addressOf(article)}#comments`);
        await field.waitFor();
        await frames(page);
        // Before, the box itself has come: its place may not be reserved.
        const since = await page.evaluate(() => performance.now());
        parts.resolve();
        await until('the entries', async () => await box.locator('.entry:not(.unseen)').count() === 2);
        // 0 in most runs; up to 0.12 where a frame falls between the move of the page's own comments and their drawing.
        await isStill(page, { isAll: true, since, ...(kind.rendered === '' && { limit: 0.15 }), ...(layout && { limit: 0.03 }) });
      });
    }

    for (const [way, visit] of Object.entries(ways)) {
      test(`with ${way} when the comments do not load, in ${width} pixels`, async () => {
        await using page = await openPage(width);
        await page.route('**/vestibule/posts?*', (route) => route.fulfill({ status: 503 }));
        await visit(page, { count: '3', fails: '' });
        await isStill(page, { limit: LIMIT_OF_FEW });
      });
    }

    test(`when the numbers of a list of articles arrive, in ${width} pixels`, async () => {
      await using page = await openPage(width);
      await page.goto(`${demo().url}/list`);
      await until('all numbers', async () => await page.getByText('1,234 comments').count() === 20);
      await isStill(page);
    });
  }

  it('has every test of the first run', () => {
    assert.equal(chosen, IN_FIRST_RUN.size);
  });
});
