/** The article is painted as early with the box as without it, and a reader can type soon after. Loads of both take turns, on
 *  a slow phone with a slow connection, where this machine's noise is small. The medians count: single loads are sometimes
 *  faster by a twentieth, or slower. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median } from '../lib/median.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { ARTICLE, startNewspaper, variantOf } from './_newspaper.ts';
import { settle } from './_reading.ts';
import { launch, openTab } from './_slow-browser.ts';
import { readVitals, watchVitals, type Vitals } from './_vitals.ts';

const ROUNDS = 5;

/** Rounds with a blocking script: the control, whose largest paint must be late. */
const CONTROL_ROUNDS = 2;

/** The median of five figures varies by less; a script before the article costs more. */
const BOUND = 1.05;

/** Of the article's largest paint. One further request before a reader can type costs more: the latency alone is a third of the
 *  paint. The bench measures the exact ratio. */
const TYPING_BOUND = 1.25;

describe('the article', () => {
  const browser = suiteResource(launch);
  const newspaper = suiteResource(startNewspaper);

  it('has its largest paint as early with the widget as without it, later with a script in its way, and takes text soon after', async () => {
    const ways = { without: variantOf('none'), with: ARTICLE, blocked: variantOf('blocking') };
    const figures = { without: [] as number[], with: [] as number[], blocked: [] as number[], ready: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const way of ['without', 'with', ...(round < CONTROL_ROUNDS ? ['blocked'] as const : [])] as const) {
        const { largestPaintMs, readyMs } = await open(ways[way]);
        figures[way].push(largestPaintMs);
        if (way === 'with') figures.ready.push(readyMs);
      }
    }
    const usual = median(figures.without);
    assert.ok(median(figures.with) < BOUND * usual, JSON.stringify(figures));
    const usualBeside = median(figures.without.slice(0, CONTROL_ROUNDS));
    assert.ok(median(figures.blocked) > BOUND * usualBeside, JSON.stringify(figures));
    const ready = median(figures.ready);
    assert.ok(ready > 0 && ready < TYPING_BOUND * usual, JSON.stringify(figures));
  });

  async function open(path: string): Promise<Vitals> {
    await using tab = await openTab(browser(), { network: 'slow 4G' });
    await watchVitals(tab.page);
    await tab.page.goto(newspaper().url + path);
    await tab.page.waitForFunction(() => window.vitals.largestPaintMs > 0);
    if (path === ARTICLE) await tab.page.waitForFunction(() => window.vitals.readyMs > 0);
    await settle(tab.page);
    return await readVitals(tab.page);
  }
});
