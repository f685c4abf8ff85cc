/** What the widget costs a page: requests, bytes, layout shifts. And facts of the built files that pages rely on. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import type { Page } from 'playwright-core';
import { frames } from '../lib/frames.ts';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { startDemo } from '../site/demo.ts';

/** Bytes of scripts as they are transferred (brotli, without headers), as recorded at the last change of this table: until a
 *  reader can type, in English and in the largest other language; for a reader of comments; until a reader can post; the same
 *  with the form; the chunk of the thread; that of the reader's actions; `count.js`. A line with a reason raises a figure:
 *  - 0.4, `post` and `form` +350: one loader for all parts, a press in the page that needs none, comments that do not load are
 *    told in their place.
 *  - 0.4, `type` and what includes it +216: the phrases of a language load in two parts, by that loader; `translated` −3,392.
 *  - 0.4, `post` and `form` +1,060: drafts and the identity of the article leave the first stage (`type` −1,011, `read` −688).
 *  - 0.4, `read` and `thread` +4,660: rows with menus, links that ask for their conversation, news, folds and the place that was
 *    read; `read` also by what the outbox shares.
 *  - 0.4, `count` +260: it follows the box.
 *  - 0.4, `type` and `translated` +180: the first stage holds the place of entries that wait.
 *  - 0.4, `post` and `form` +10,270: the outbox, rows of entries with menus, one editor, one press that signs in and posts, in
 *    place of the request in the draft. Its runner, the records of 0.3 and the editor could load with their occasion.
 *  - 0.4, `type` and what includes it +170: the composer at rest and in use. `read` and `thread` +390: the order in the row of
 *    the heading, an invitation to write, a like that says where to go on.
 *  - 0.4, `read` and `thread` +600: the way past replies, the focus that a refresh keeps, the time at which each comment was
 *    read, the notice below a page's own header.
 *  - 0.4, `read` −1,150, `thread` −570, `post` and `form` −120: what follows links to comments, and returns to the one that was
 *    read, loads with its occasion; the records of the outbox are no shared part any more.
 *  - 0.4, `count` +31: `pluralForm` is a function of its own: on phones a counter shows only its number.
 *  - 0.4, `actions` +90, `thread` +80: an edit is shown at the press, and parts of the thread are classes of their own.
 *  - 0.4, `thread` +200, `read` +300: quotes are cut at their own end, focus rings stand around words, replies that wait as news
 *    are not offered twice.
 *  - 0.4, `thread` +170 and `read` +250: a reply that waits as a draft is named at its comment; a reload returns to the comment
 *    that was read beside a link, too.
 *  - 0.5: element, box and form in place of two stages. `element` (before: `type`) −5,160, and is all that a passer-by loads;
 *    `post` −2,250, of which the smaller outbox is most; `read` +15,500: who reads the comments loads what writes, too.
 *  - 0.5: one session and one box in place of five controllers: `element` −500, `post`, `form` and `read` −2,500.
 *  */
const RECORDED = {
  element: 7_850, read: 51_550, translated: 55_350, post: 37_720, form: 47_230, thread: 13_840, actions: 2_780, count: 2_110,
};

/** An alarm at one per cent more. */
const limitOf = (name: keyof typeof RECORDED): number => 1.01 * RECORDED[name];

/** What `docs/embed.md` says to reserve the place of the box. */
const RESERVED = `vestibule-comments { display: block; min-block-size: max(10em, 160px); }
  vestibule-comments:is([theme='light'], [theme='dark']) { min-block-size: max(12.5em, 200px); }`;

/** Query of the plain page. */
interface PlainPage {
  readonly css?: string;
  readonly lang?: string;
  readonly dir?: string;
  readonly theme?: string;
  /** Pixels above the box. */
  readonly above?: string;
  readonly posts?: string;
}

const router = express.Router().get('/plain', (req, res) => {
  const { css = RESERVED, lang = 'en', dir = 'ltr', theme = 'auto', above = '0', posts } = req.query as PlainPage;
  res.type('html').send(`<!doctype html><html lang="${lang}" dir="${dir}"><title>A page</title><style>${css}</style>
    <meta name="viewport" content="width=device-width"><script type="module" src="/vestibule/widget.js"></script>
    <h1>A page</h1><div style="block-size: ${above}px"></div>
    <vestibule-comments forum="news" theme="${theme}" ${posts === undefined ? '' : 'show-posts'}></vestibule-comments><p>After the box.</p></html>`);
});

interface Layout {
  /** Scores. */
  readonly shifts: number[];
  /** Of the box, in pixels. */
  readonly heights: number[];
}

describe('a page with the box', () => {
  const demo = suiteResource(() => startDemo({ port: 0, vestibule: { rateLimits: 'off', logLevel: 'silent' }, before: router }));
  const fieldOf = (page: Page) => page.locator('vestibule-comments textarea');

  async function openPage(width = 412): Promise<Page> {
    return (await sharedChromium({ holdsPaints: true })).newPage({ locale: 'en-GB', viewport: { width, height: 800 } });
  }

  async function load(page: Page, query: PlainPage): Promise<void> {
    await page.goto(`${demo().url}/plain?${new URLSearchParams({ ...query })}`);
    await fieldOf(page).waitFor();
  }

  /** The reader turns to the box. */
  async function focus(page: Page): Promise<void> {
    const answered = page.waitForResponse(/\/session$/);
    await fieldOf(page).click();
    await answered;
    await page.waitForLoadState('networkidle');
  }

  it('requests the script and the box for a reader who sees it, and the session at the focus', async () => {
    await using page = await openPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const toBff = () => requests.filter((request) => request.includes('/vestibule/'));
    await load(page, {});
    await page.waitForLoadState('networkidle');
    assert.deepEqual(toBff().filter((request) => !request.endsWith('.js')), []);
    await focus(page);
    assert.deepEqual(toBff().filter((request) => !request.endsWith('.js')), ['GET /vestibule/session']);
    const untilPosting = await scriptBytes(page);
    assert.ok(untilPosting <= limitOf('post'), `${untilPosting} bytes until a reader can post`);
  });

  it('requests the script only where the comments are not reached, and the rest a screen ahead', async () => {
    await using page = await openPage();
    const query = { posts: '', lang: 'de', above: '4000' };
    await page.goto(`${demo().url}/plain?${new URLSearchParams(query)}`);
    await page.locator('vestibule-comments').scrollIntoViewIfNeeded();
    await focus(page);
    await fieldOf(page).fill('A draft.');
    await page.evaluate((bff) => localStorage.setItem(`vestibule:session ${bff}`, JSON.stringify({ v: 1, user: { user_id: 'ada', username: 'Ada' } })),
      `${demo().url}/vestibule/`);
    await page.goto('about:blank');
    const requests: string[] = [];
    page.on('request', (request) => { if (request.url().includes('/vestibule/')) requests.push(new URL(request.url()).pathname); });
    await page.goto(`${demo().url}/plain?${new URLSearchParams(query)}`);
    await page.evaluate(() => scrollTo(0, 2000));
    await page.waitForLoadState('networkidle');
    await frames(page);
    assert.deepEqual(requests, ['/vestibule/widget.js']);
    const bytes = await scriptBytes(page);
    assert.ok(bytes <= limitOf('element'), `${bytes} bytes of a passer-by`);

    await page.evaluate(() => scrollTo(0, 2800));
    await until('all requests', () => requests.length === 7);
    await until('the draft', async () => await fieldOf(page).inputValue() === 'A draft.');
    const names = requests.map((path) => path.replace(/^\/vestibule\/(?:assets\/)?|-[\w-]{8}(?=\.js)/g, ''));
    assert.deepEqual(names.toSorted(), [
      'beside-box.js', 'box.js', 'de.js', 'posts', 'session', 'thread-in-box.js', 'widget.js',
    ]);
  });

  for (const locale of ['en-GB', 'de-AT']) {
    it(`preloads all modules of the sign-in window: ${locale}`, async () => {
      await using page = await (await sharedChromium()).newPage({ locale });
      const requested: string[] = [];
      page.on('request', (request) => { if (request.url().endsWith('.js')) requested.push(request.url()); });
      await page.goto(`${demo().url}/vestibule/sync/form`);
      await page.locator('vestibule-sync').getByRole('heading').waitFor();
      await page.waitForLoadState('networkidle');
      const inHead = page.locator('head :is(script[src], link[rel=modulepreload])');
      const preloaded = await inHead.evaluateAll((elements) => elements.map((element) => (
        element instanceof HTMLLinkElement ? element.href : (element as HTMLScriptElement).src)));
      assert.deepEqual(requested.toSorted(), preloaded.toSorted());
    });
  }

  for (const [title, width, query] of [
    ['the smallest phone', 320, {}],
    ['a desk', 1280, {}],
    ['a surface of its own', 320, { theme: 'light' }],
    ['right to left (Arabic)', 320, { lang: 'ar', dir: 'rtl' }],
  ] as const) {
    it(`does not shift when the box, its language and the session load, if it reserves the place: ${title}`, async () => {
      await using page = await openPage(width);
      const { shifts, heights } = await watchLayout(page, query);
      assert.deepEqual([shifts, new Set(heights).size], [[], 1], `heights: ${heights.join(', ')}`);
    });
  }

  async function watchLayout(page: Page, query: PlainPage): Promise<Layout> {
    await page.addInitScript(() => {
      const layout: Layout = { shifts: [], heights: [] };
      Object.assign(globalThis, { layout });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) layout.shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
      const sizes = new ResizeObserver(([entry]) => { layout.heights.push(entry!.borderBoxSize[0]!.blockSize); });
      document.addEventListener('readystatechange', () => sizes.observe(document.querySelector('vestibule-comments')!), { once: true });
    });
    // The script arrives after the first paint, as on a slow connection.
    await page.route(/widget\.js$/, async (route) => {
      await frames(page);
      await route.continue();
    });
    await load(page, query);
    // The reader opens the composer, before the session is known.
    const session = Promise.withResolvers<void>();
    await page.route(/\/session$/, async (route) => {
      await session.promise;
      await route.continue();
    });
    await frames(page);
    const before = await layoutOf(page);
    const asked = page.waitForRequest(/\/session$/);
    await fieldOf(page).click();
    await asked;
    await frames(page);
    await page.evaluate(() => { (globalThis as unknown as { layout: Layout }).layout.shifts.length = 0; });
    const answered = page.waitForResponse(/\/session$/);
    session.resolve();
    await answered;
    await page.waitForLoadState('networkidle');
    await frames(page);
    const { shifts } = await layoutOf(page);
    return { shifts: [...before.shifts, ...shifts], heights: before.heights };
  }
});

function layoutOf(page: Page): Promise<Layout> {
  return page.evaluate(() => (globalThis as unknown as { layout: Layout }).layout);
}

function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(() => (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
}

describe('the built widget', () => {
  const directory = new URL('../../packages/bff/dist/widget/', import.meta.url);
  const readJson = async <T>(name: string) => JSON.parse(await readFile(new URL(name, directory), 'utf8')) as T;

  it('has equal compressed forms, and each hash in sri.json', async () => {
    const files = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('.js'));
    const hashes: Record<string, string> = {};
    for (const path of files) {
      const [script, brotli, gzip] = await Promise.all(['', '.br', '.gz'].map((form) => readFile(new URL(path + form, directory))));
      assert.deepEqual([brotliDecompressSync(brotli!), gunzipSync(gzip!)], [script, script], path);
      hashes[path] = `sha384-${createHash('sha384').update(script!).digest('base64')}`;
    }
    assert.deepEqual(await readJson('sri.json'), hashes);
  });

  it('has two entries, each with chunks that import their own entry', async () => {
    const names = await readdir(directory);
    const pinned = names.filter((name) => /^widget-\d+\.\d+\.\d+\S*-[\w-]{8}\.js$/.test(name));
    assert.equal(pinned.length, 1);
    for (const [entry, other] of [['widget.js', pinned[0]!], [pinned[0]!, 'widget.js']] as const) {
      const reachable = [...await reachableFrom(entry)];
      assert.equal(reachable.includes(other), false);
      assert.ok(reachable.length > 20, `${reachable.length} files`);
    }
    assert.deepEqual([...await reachableFrom('count.js')], ['count.js']);
  });

  it('is not larger than one per cent above what is recorded', async () => {
    const manifest = await readJson<Record<string, { readonly file: string; readonly imports?: string[] }>>('manifest.json');
    const chunksOf = (folder: string) => Object.keys(manifest).filter((name) => name.startsWith(`src/${folder}/`));
    const bytesOf = async (file: string) => (await stat(new URL(`${file}.br`, directory))).size;
    const sizeOf = async (...chunks: readonly string[]) => {
      const names = new Set(chunks.flatMap((name) => [name, ...manifest[name]!.imports ?? []]));
      const sizes = await Promise.all([...names].map((name) => bytesOf(manifest[name]!.file)));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    const [element, box, sync, thread] = ['widget', 'box/box', 'box/form-in-box', 'box/thread-in-box'].map((name) => `src/${name}.ts`);
    const languages = await Promise.all(chunksOf('locales').map((name) => sizeOf(element!, box!, thread!, name)));
    assert.equal(languages.length, 21);
    const sizes = {
      element: await bytesOf('widget.js'),
      read: await sizeOf(element!, box!, thread!),
      translated: Math.max(...languages),
      post: await sizeOf(element!, box!),
      form: await sizeOf(element!, box!, sync!),
      thread: await bytesOf(manifest[thread!]!.file),
      actions: await bytesOf(manifest['src/thread/actions.ts']!.file),
      count: await bytesOf('count.js'),
    };
    const names = Object.keys(RECORDED) as (keyof typeof RECORDED)[];
    assert.deepEqual(names.filter((name) => sizes[name] > limitOf(name)), [], JSON.stringify(sizes));
  });

  /** Paths of `entry` and of what it imports, directly or not. */
  async function reachableFrom(entry: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
    found.add(entry);
    const { href } = new URL(entry, directory);
    for (const [, specifier] of (await readFile(new URL(href), 'utf8')).matchAll(/(?:from|import\(?)["'`](\.[^"'`]+\.js)["'`]/g)) {
      const path = new URL(specifier!, href).href.slice(directory.href.length);
      if (!found.has(path)) await reachableFrom(path, found);
    }
    return found;
  }
});
