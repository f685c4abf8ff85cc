/** The article is painted as early with the box as without it. Loads of both take turns, on a slow phone with a slow
 *  connection, where the page's milliseconds are many and those of this machine few. Its noise only adds: the least counts. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import { ARTICLE, startNewspaper, variantOf } from './_newspaper.ts';
import { settle } from './_reading.ts';
import { launch, openTab } from './_slow-browser.ts';
import { readVitals, watchVitals } from './_vitals.ts';

const ROUNDS = 5;

/** The smallest of five figures varies by less; a script before the article costs more. */
const BOUND = 1.05;

describe('the article’s largest paint', () => {
  const browser = suiteResource(launch);
  const newspaper = suiteResource(startNewspaper);

  it('comes as early with the widget as without it, and later with a script in its way', async () => {
    const ways = { without: variantOf('none'), with: ARTICLE, blocked: variantOf('blocking') };
    const figures = { without: [] as number[], with: [] as number[], blocked: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of ['without', 'with', 'blocked'] as const) figures[way].push(await largestPaint(ways[way]));
    }
    const least = Math.min(...figures.without);
    assert.ok(Math.min(...figures.with) < BOUND * least, JSON.stringify(figures));
    assert.ok(Math.min(...figures.blocked) > BOUND * least, JSON.stringify(figures));
  });

  async function largestPaint(path: string): Promise<number> {
    await using tab = await openTab(browser(), { network: 'slow 4G' });
    await watchVitals(tab.page);
    await tab.page.goto(newspaper().url + path);
    await tab.page.waitForFunction(() => window.vitals.largestPaintMs > 0);
    await settle(tab.page);
    return (await readVitals(tab.page)).largestPaintMs;
  }
});
