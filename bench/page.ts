/** The newspaper's article with the widget and without it, on a processor that is four times slower and a slow 4G connection,
 *  loads of both in turn: the widget's own scripts, and what the article's reader notices of them. All of the article is in
 *  view, so that the whole box comes while the page does. Chromium only. */

import { median } from '../lib/median.ts';
import { compileMs, mainThreadTasks, recordTrace } from '../page/_main-thread.ts';
import { ARTICLE, startNewspaper, variantOf } from '../page/_newspaper.ts';
import { load, settle, WHOLE_ARTICLE } from '../page/_reading.ts';
import { launch, openTab } from '../page/_slow-browser.ts';
import { readVitals, watchVitals } from '../page/_vitals.ts';
import { ratiosOf } from './_rounds.ts';
import type { BenchRow, BenchOptions } from './_row.ts';
import { renderTable } from './_table.ts';

const WITHOUT = 'the article without the widget';

const LONG_TASK_MS = 50;

/** Of one load. */
interface Figures {
  readonly largestPaintMs: number;
  readonly readyMs: number;
  readonly shift: number;
  readonly compileMs: number;
  readonly runMs: number;
  readonly longestMs: number;
  readonly longTasks: number;
}

export async function benchPage({ full = true }: BenchOptions = {}): Promise<readonly BenchRow[]> {
  const rounds = full ? 9 : 3;
  await using newspaper = await startNewspaper();
  await using browser = await launch();
  const without: Figures[] = [];
  const widget: Figures[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const plain = await measure(newspaper.url + variantOf('none'), async (page, url) => {
      await page.goto(url);
      await settle(page);
    });
    const ours = await measure(newspaper.url + ARTICLE, load);
    if (round < 0) continue;
    without.push(plain);
    widget.push(ours);
  }

  const paint = widget.map(({ largestPaintMs }) => largestPaintMs);
  const plainPaint = without.map(({ largestPaintMs }) => largestPaintMs);
  return [
    { name: 'page: largest paint', value: median(paint), unit: 'ms', ...compared(paint, plainPaint, WITHOUT), goal: { atMost: 1.05 } },
    { ...rowOf('until a reader can type', 'readyMs', 'ms'), ...compared(widget.map(({ readyMs }) => readyMs), plainPaint, 'its largest paint without'), goal: { atMost: 1.05 } },
    { ...rowOf('layout shift', 'shift', ''), goal: { atMost: 0 } },
    rowOf('scripts of the widget’s, parsed and compiled', 'compileMs', 'ms'),
    rowOf('scripts of the widget’s, run', 'runMs', 'ms'),
    { ...rowOf('the widget’s longest task', 'longestMs', 'ms'), goal: { atMost: LONG_TASK_MS } },
    rowOf('long tasks of the widget’s', 'longTasks', 'tasks'),
  ];

  async function measure(url: string, visit: typeof load): Promise<Figures> {
    await using tab = await openTab(browser, { network: 'slow 4G', viewport: WHOLE_ARTICLE });
    await watchVitals(tab.page);
    const trace = await recordTrace(browser, () => visit(tab.page, url));
    await tab.page.waitForFunction(() => window.vitals.largestPaintMs > 0);
    const { largestPaintMs, readyMs, shifts } = await readVitals(tab.page);
    const ours = mainThreadTasks(trace).map(({ oursMs }) => oursMs);
    return {
      largestPaintMs,
      readyMs,
      shift: shifts.reduce((sum, shift) => sum + parseFloat(shift), 0),
      compileMs: compileMs(trace),
      runMs: ours.reduce((sum, ms) => sum + ms, 0),
      longestMs: Math.max(0, ...ours),
      longTasks: ours.filter((ms) => ms > LONG_TASK_MS).length,
    };
  }

  function rowOf(what: string, figure: keyof Figures, unit: string): BenchRow {
    const values = widget.map((figures) => figures[figure]);
    return { name: `page: ${what}`, value: median(values), unit, spread: [Math.min(...values), Math.max(...values)] };
  }
}

function compared(values: readonly number[], baselineValues: readonly number[], baseline: string): Partial<BenchRow> {
  const ratios = ratiosOf(values, baselineValues);
  return { ratio: median(ratios), baseline, spread: [Math.min(...ratios), Math.max(...ratios)] };
}

if (import.meta.main) console.log(renderTable(await benchPage()));
