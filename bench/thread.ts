/** Threads on a CPU that is four times slower: the longest task, and the longest time from an interaction to the next paint. The
 *  page has nothing but the box. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ListedPost, PostList } from '@vestibule/shared';
import { launchChromium } from '../test/lib/chromium.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

const FILES = join(import.meta.dirname, '../packages/widget/dist/browser');
const ORIGIN = 'https://www.example.com';
const SLOWDOWN = 4;

const sentence = 'The lamps on Net Lane hummed before the council replaced them, see https://www.example.com/lamps for the report. ';

/** @param parent number of the comment that it answers */
function post(number: number, parent?: number): ListedPost {
  return {
    id: String(number),
    ...(parent !== undefined && { parent_id: String(parent) }),
    author: { username: `Reader number ${number % 40}`, key: `key-${number % 40}` },
    message: sentence.repeat(1 + number % 5),
    created_at: new Date(Date.UTC(2026, 5, 1) + number * 3_600_000).toISOString(),
    likes: number,
  };
}

function listOf(posts: readonly ListedPost[], next?: string): PostList {
  const cursor = next !== undefined && { next_cursor: next };
  return { posts, replies: true, actions: ['edit', 'remove', 'like'], total: 500, ...cursor };
}

/** Conversations with three replies each, the newest first. */
function conversations(from: number, to: number): ListedPost[] {
  const posts: ListedPost[] = [];
  for (let first = to - 3; first >= from; first -= 4) {
    posts.push(post(first), ...[1, 2, 3].map((reply) => post(first + reply, first)));
  }
  return posts;
}

const session = { state: 'anonymous', limits: { message_max_length: 10_000 } };

interface Times {
  tasks: number[];
  interactions: number[];
}

type Step = readonly [name: string, act: (page: Page) => Promise<void>];

interface Scenario {
  readonly name: string;
  readonly first: PostList;
  readonly next?: PostList;
  readonly user?: { readonly user_id: string; readonly username: string; readonly key: string };
  readonly steps: readonly Step[];
}

const SIGN_IN = 'sign-in press, to the next paint';

/** Every third comment is a reply. */
const hundred = Array.from({ length: 100 }, (_, index) => post(100 - index, index % 3 === 1 ? 101 - index : undefined));

const scenarios: readonly Scenario[] = [
  {
    name: 'thread of 100',
    first: listOf(hundred),
    steps: [
      ['press into the field, to the next paint', (page) => press(page, 'textarea')],
      ['key in the field, to the next paint', (page) => page.keyboard.press('a')],
      ['Reply, to the next paint', (page) => press(page, '.reply')],
      ['key in the reply, to the next paint', (page) => page.keyboard.press('a')],
      ['order, to the next paint', async (page) => {
        await page.evaluate(() => { find('select')!.focus(); });
        await page.keyboard.press('o');
      }],
      [SIGN_IN, (page) => page.getByRole('button', { name: /^Sign in/ }).first().click()],
    ],
  },
  {
    name: '400 comments in conversations',
    first: listOf(conversations(101, 500), 'older'),
    next: listOf(conversations(1, 100)),
    user: { user_id: '7', username: 'Reader number 7', key: 'key-7' },
    steps: [
      ['Show more of 100, to the next paint', (page) => press(page, '.wide')],
      ['Like, to the next paint', (page) => press(page, '.like')],
      ['Reply, to the next paint', (page) => press(page, '.reply')],
      ['each of ten keys in the reply, to the next paint', (page) => page.keyboard.type('a few word', { delay: 100 })],
    ],
  },
];

/** With coordinates: what a locator runs in the page would be one of its long tasks. */
async function press(page: Page, selector: string): Promise<void> {
  const locate = (): Promise<{ x: number; y: number }> => page.evaluate((selector) => {
    const element = find(selector)!;
    element.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, selector);
  await locate();
  await settle(page);
  // A jump over all comments is no part of the press.
  await take(page);
  const { x, y } = await locate();
  await page.mouse.click(x, y);
}

export async function benchThread({ quick }: BenchOptions): Promise<readonly Row[]> {
  const browser = await launchChromium({ holdsPaints: true });
  try {
    const rows: Row[] = [];
    for (const scenario of scenarios) {
      const rounds: Record<string, number>[] = [];
      for (let round = 0; round < (quick ? 1 : 5); round += 1) rounds.push(await measure(browser, scenario));
      rows.push(...Object.keys(rounds[0]!).map((name) => (
        rowOf(`${scenario.name}, CPU ÷ ${SLOWDOWN}: ${name}`, 'ms', rounds.map((round) => round[name]!))
      )));
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** Of one page view. */
async function measure(browser: Browser, { first, next, user, steps }: Scenario): Promise<Record<string, number>> {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 412, height: 800 } });
  try {
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: PAGE });
      const [, file] = /^\/vestibule\/(.+\.js)$/.exec(pathname) ?? [];
      if (file) return route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(FILES, file)) });
      const { searchParams } = new URL(route.request().url());
      if (pathname === '/vestibule/session') return route.fulfill({ json: { ...session, ...user && { state: 'signed-in', session: '1', user } } });
      if (pathname.endsWith('/like')) return route.fulfill({ json: {} });
      if (pathname !== '/vestibule/posts') return route.fulfill({ status: 404 });
      if (searchParams.get('order') === 'oldest') return route.fulfill({ json: { ...first, posts: first.posts.toReversed() } });
      return route.fulfill({ json: searchParams.has('cursor') ? next! : first });
    });
    if (user) await page.addInitScript((user) => {
      localStorage.setItem(`vestibule:session ${location.origin}/vestibule/`, JSON.stringify({ v: 1, user }));
    }, user);
    await page.addInitScript(observe);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.goto(ORIGIN);
    await page.evaluate((count) => new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (items() !== count) return;
        clearInterval(timer);
        resolve();
      }, 100);
    }), first.posts.length);
    await settle(page);
    const figures: Record<string, number> = { 'longest task until the list stands': longest((await take(page)).tasks) };
    const later: number[] = [];
    for (const [name, act] of steps) {
      await act(page);
      await settle(page);
      const { tasks, interactions } = await take(page);
      figures[name] = longest(interactions);
      if (next) figures[name.replace('to the next paint', 'longest task')] = longest(tasks);
      // The browser makes a window, which takes longer.
      if (name !== SIGN_IN) later.push(...tasks);
    }
    figures['longest task from then on'] = longest(later);
    const count = await page.evaluate(() => items());
    const expected = first.posts.length + (next?.posts.length ?? 0);
    if (count !== expected) throw new Error(`${count} comments are shown, ${expected} were expected.`);
    return figures;
  } finally {
    await page.close();
  }
}

const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>An article</title>
  <script type="module" src="/vestibule/widget.js"></script><vestibule-comments forum="news" show-posts></vestibule-comments></html>`;

const longest = (values: readonly number[]): number => Math.max(0, ...values);

/** As `observe` defines them in the page: number of the comments, and the first such element of the box or its thread. */
declare function items(): number;
declare function find(selector: string): HTMLElement | null;

/** In the page. The browser reports tasks from 50 ms on and interactions from 16 ms on, which are 0 here otherwise. */
function observe(): void {
  const times: Times = { tasks: [], interactions: [] };
  const elements = (root: ParentNode): Element[] => (
    [...root.querySelectorAll('vestibule-comments, vestibule-thread')].flatMap((element) => [element, ...elements(element.shadowRoot!)])
  );
  Object.assign(globalThis, {
    times,
    items: () => elements(document).reduce((sum, { shadowRoot }) => sum + shadowRoot!.querySelectorAll('li').length, 0),
    find: (selector: string) => elements(document).flatMap(({ shadowRoot }) => shadowRoot!.querySelector(selector) ?? [])[0],
  });
  new PerformanceObserver((entries) => {
    times.tasks.push(...entries.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((entries) => {
    times.interactions.push(...entries.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** The page has been idle for a second. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, 1000);
    new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, 1000);
    }).observe({ type: 'longtask' });
  }));
}

function take(page: Page): Promise<Times> {
  return page.evaluate(() => {
    const { times } = globalThis as unknown as { readonly times: Times };
    const taken = structuredClone(times);
    Object.assign(times, { tasks: [], interactions: [] });
    return taken;
  });
}
