/** Requests and bytes that the widget causes: a passer-by, and a reader who signs in in a window and posts, with empty caches. */

import type { BrowserContext } from 'playwright-core';
import { launchChromium } from '../test/lib/chromium.ts';
import { ARTICLE, isPosted, signIn, startStage, write, type Visitor } from '../test/e2e/_stage.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

export async function benchPageViews(_options: BenchOptions): Promise<readonly Row[]> {
  const browser = await launchChromium();
  try {
    await using stage = await startStage({}, { browser });
    const measure = async (who: string, visit: (visitor: Visitor) => Promise<void>): Promise<readonly Row[]> => {
      await using visitor = await stage.reader();
      const count = countRequests(visitor.context);
      await visit(visitor);
      const { files, others, bytes } = await count();
      return [
        rowOf(`page views: ${who}, static files`, 'requests', [files]),
        rowOf(`page views: ${who}, other requests`, 'requests', [others]),
        rowOf(`page views: ${who}, with headers`, 'bytes', [bytes]),
      ];
    };
    return [
      ...await measure('a passer-by', async ({ page }) => {
        await page.goto(stage.demo.url + ARTICLE);
        await page.waitForLoadState('networkidle');
      }),
      ...await measure('a commenter', async (visitor) => {
        await visitor.open();
        const text = 'A comment of usual length, to be posted after signing in.';
        await write(visitor, text);
        await signIn(visitor);
        await isPosted(visitor, text);
      }),
    ];
  } finally {
    await browser.close();
  }
}

/** Requests to the BFF, of its windows too. @returns resolves once the sizes are known */
function countRequests(context: BrowserContext): () => Promise<Readonly<Record<'files' | 'others' | 'bytes', number>>> {
  const counts = { files: 0, others: 0 };
  const sizes: Promise<number>[] = [];
  context.on('requestfinished', (request) => {
    const [, path] = /^\/vestibule(\/.*)$/.exec(new URL(request.url()).pathname) ?? [];
    if (path === undefined) return;
    counts[/^\/(?:[\w-]+\.js|assets\/)/.test(path) ? 'files' : 'others'] += 1;
    // A window that closes takes the sizes of its requests along.
    sizes.push(request.sizes().then((size) => size.responseHeadersSize + size.responseBodySize, () => 0));
  });
  return async () => ({ ...counts, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) });
}
