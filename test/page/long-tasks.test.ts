/** No task of the widget exceeds 50 ms on a slow phone. The article, whose duration on that phone is known, calibrates this
 *  machine. Compares CPU time; takes the minimum of several runs. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { mainThreadTasks, pageMs, recordTrace, type MainThreadTask } from './_main-thread.ts';
import { ARTICLE, startNewspaper, variantOf } from './_newspaper.ts';
import { enterField, finishSignIn, load, post, reachForm, settle, WHOLE_ARTICLE, write } from './_reading.ts';
import { launch, openPage, openTab, type Tab } from './_slow-browser.ts';

/** What the phone's main thread has to do for the article alone: some four times as long as a desk's. */
const ARTICLE_ON_PHONE_MS = 145;
const LONG_TASK_MS = 50;
const RUNS = 8;

const FAST = { slowdown: 1, viewport: WHOLE_ARTICLE } as const;

describe('the widget’s tasks on a slow phone', () => {
  const browser = suiteResource(launch);
  const newspaper = suiteResource(startNewspaper);

  it('are short while the box loads and requests the session', async () => {
    await isShort(async () => {
      await using tab = await openTab(browser(), FAST);
      return longestOfOurs(await record(() => load(tab.page, newspaper().url + ARTICLE)));
    });
  });

  it('are short at the first keystroke', async () => {
    await isShort(async () => {
      await using tab = await openTab(browser(), FAST);
      await load(tab.page, newspaper().url + ARTICLE);
      await enterField(tab.page);
      return longest(await record(async () => {
        await tab.page.keyboard.press('T');
        await settle(tab.page);
      }));
    });
  });

  it('are short where the form opens in the article and where it has a page to itself', async () => {
    await using tab = await openTab(browser(), FAST);
    await reachForm(tab.page, newspaper().url);
    for (const path of [`${ARTICLE}?sync=inline`, '/vestibule/sync/form']) {
      await isShort(async () => {
        const page = await openFreshPage(tab);
        return longestOfOurs(await record(() => load(page, newspaper().url + path)));
      });
    }
  });

  it('are short when a comment is posted', async () => {
    await using tab = await openTab(browser(), FAST);
    await reachForm(tab.page, newspaper().url);
    await finishSignIn(tab.page);
    await isShort(async () => {
      const page = await openFreshPage(tab);
      await load(page, newspaper().url + ARTICLE);
      await write(page, 'He would have liked to read this.');
      return longest(await record(() => post(page)));
    });
  });

  it('would be seen if they were long', async () => {
    await using tab = await openTab(browser(), FAST);
    const here = longestOfOurs(await record(() => load(tab.page, newspaper().url + variantOf('busy'))));
    const ms = onPhone(here, await articleAlone());
    assert.ok(ms > LONG_TASK_MS, `${ms} ms`);
  });

  /** `measure` gives the processor time of a task here, in milliseconds. */
  async function isShort(measure: () => Promise<number>): Promise<void> {
    const tasks: number[] = [];
    const articles: number[] = [];
    const isShortYet = () => onPhone(Math.min(...tasks), Math.min(...articles)) < LONG_TASK_MS;
    while (tasks.length < RUNS && !isShortYet()) {
      articles.push(await articleAlone());
      tasks.push(await measure());
    }
    assert.ok(isShortYet(), `ms: ${tasks.join(', ')}; the article alone: ${articles.join(', ')}`);
  }

  /** All that the main thread does for the article without the widget, in milliseconds of processor time. */
  async function articleAlone(): Promise<number> {
    await using tab = await openTab(browser(), FAST);
    const url = newspaper().url + variantOf('none');
    const trace = await recordTrace(browser(), async () => {
      await tab.page.goto(url);
      await settle(tab.page);
    });
    return pageMs(trace, url);
  }

  async function record(act: () => Promise<void>): Promise<readonly MainThreadTask[]> {
    const tasks = mainThreadTasks(await recordTrace(browser(), act));
    assert.ok(tasks.some(({ oursMs }) => oursMs > 0), 'the widget did something');
    return tasks;
  }
});

/** Of a page that has other things to do as well. */
function longestOfOurs(tasks: readonly MainThreadTask[]): number {
  return Math.max(...tasks.map(({ oursMs }) => oursMs));
}

/** Of a page in which nothing happens but in the box: what the browser does about it counts. */
function longest(tasks: readonly MainThreadTask[]): number {
  return Math.max(...tasks.map(({ cpuMs }) => cpuMs));
}

/** What takes so long here takes so long there, in milliseconds. */
function onPhone(taskMs: number, articleMs: number): number {
  return ARTICLE_ON_PHONE_MS * taskMs / articleMs;
}

/** The same reader's, and in a process in which nothing has been compiled yet. */
async function openFreshPage({ context }: Tab): Promise<Page> {
  for (const page of context.pages()) await page.close();
  return openPage(context, FAST);
}
