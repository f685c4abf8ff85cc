/** Checks pages of the gallery in a browser: axe, policy, overflow, target sizes. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { overflowing, smallTargets } from './_visit.ts';
import { WatchedPage } from './_watched-page.ts';
import { startGallery } from './gallery.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose result depends on the colours. With forced colours axe sees those of the style sheets, which are not shown. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each document compiles it: the minified script takes half the time. */
const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

const WIDTHS = [1280, 320];
const HEIGHT = 640;

type VestibuleElement = HTMLElement & { theme: string; readonly updateComplete: Promise<boolean> };

/** One test per address. */
export function checkPages(title: string, addresses: readonly string[]): void {
  describe(title, () => {
    const gallery = suiteResource(startGallery);
    let watched: WatchedPage;

    before(async () => {
      watched = await WatchedPage.open();
      await prepareChecks(watched.page);
    });
    after(() => watched.page.close());

    for (const address of addresses) {
      it(`has no axe violation, no policy violation, no overflow and no small target: ${address}`, async () => {
        await watched.goto(gallery().url + address);
        await assertAccessible(watched);
      });
    }
  });
}

/** Call it before the page of `assertAccessible` is loaded. */
export async function prepareChecks(page: Page): Promise<void> {
  await page.addInitScript({ path: AXE });
}

/** Changes the looks and the language of the page, and leaves it so. @param without rules of axe that do not fit the page */
export async function assertAccessible({ page, violations }: WatchedPage, without: readonly string[] = []): Promise<void> {
  assert.deepEqual(await faults(page, TAGS, without), [], 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await faults(page, COLOR_RULES), [], 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await assertFits(page, `${width} pixels wide`);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await assertFits(page, 'forced colours');
  await page.emulateMedia({ forcedColors: 'none' });
  await turnToArabic(page);
  await assertFits(page, 'right to left');
  await page.evaluate(() => Promise.all([...document.querySelectorAll<VestibuleElement>('[data-reached]')].map((element) => {
    element.theme = 'dark';
    return element.updateComplete;
  })));
  assert.deepEqual(await faults(page, COLOR_RULES), [], 'dark elements in a light page');
  assert.deepEqual(violations, []);
}

async function assertFits(page: Page, look: string): Promise<void> {
  assert.deepEqual(await overflowing(page), [], look);
  assert.deepEqual(await smallTargets(page, 44), [], look);
}

/** Resolves when every element shows the language. */
async function turnToArabic(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' }));
  await page.waitForFunction(() => [...document.querySelectorAll('[data-reached]')].every(({ shadowRoot }) => (
    shadowRoot?.querySelector('section:is([lang=ar], [lang=ar] *)')
  )));
}

/** Violations that axe finds. @param runOnly tags or rules */
async function faults(page: Page, runOnly: readonly string[], without: readonly string[] = []): Promise<readonly string[]> {
  const { violations } = await page.evaluate(([only, omitted]) => {
    const rules = Object.fromEntries(omitted.map((rule) => [rule, { enabled: false }]));
    return (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly: [...only], rules, resultTypes: ['violations'] });
  }, [runOnly, without] as const);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`));
}
