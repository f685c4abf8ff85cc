/** Checks pages of the gallery in a browser: axe, policy, overflow, target sizes, accessibility tree. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { readAccessibilityTree } from './_accessibility-tree.ts';
import { overflow, reachStates, smallTargets } from './_visit.ts';
import { startGallery } from './gallery.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose result depends on the colour scheme. With forced colours the browser chooses all colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each document compiles it: the minified script takes half the time. */
const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

const WIDTHS = [1280, 320];
const HEIGHT = 640;

/** One test per address.
 *  @param tree the expected accessibility tree of a page; `undefined`: not compared */
export function checkPages(
  title: string, addresses: readonly string[], tree: (address: string) => string | undefined = () => undefined,
): void {
  describe(title, () => {
    const gallery = suiteResource(startGallery);
    let page: Page;
    let complaints: string[];

    before(async () => {
      page = await (await sharedChromium()).newPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
      page.setDefaultTimeout(20_000);
      page.on('pageerror', ({ message }) => complaints.push(message));
      await page.exposeFunction('complain', (words: string) => void complaints.push(words));
      await page.addInitScript(prepare);
      await page.addInitScript({ path: AXE });
    });
    after(() => page.close());

    for (const address of addresses) {
      it(`has no axe violation, no policy violation, no overflow, no small target, and the reviewed accessibility tree: ${address}`, async () => {
        complaints = [];
        await page.setViewportSize({ width: 1024, height: 768 });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(gallery().url + address);
        await reachStates(page);
        const expected = tree(address);
        if (expected !== undefined) await assertTree(page, expected);
        assert.deepEqual(await faults(page, TAGS), [], 'light');
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
        assert.deepEqual(complaints, []);
      });
    }
  });
}

/** Runs in each new document. Clears storage that the previous state left, and reports policy violations. */
function prepare(): void {
  if (window === window.top) {
    localStorage.clear();
    sessionStorage.clear();
  }
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
    (globalThis as unknown as { complain: (words: string) => void }).complain(`${effectiveDirective} ${sample}`);
  });
}

async function assertFits(page: Page, look: string): Promise<void> {
  assert.equal(await overflow(page), 0, look);
  assert.deepEqual(await smallTargets(page, 44), [], look);
}

/** Resolves when the elements show the language. */
async function turnToArabic(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' }));
  await page.locator('[data-reached] > section').and(page.locator('[lang=ar][dir=rtl]')).first().waitFor();
}

/** Waits up to 5 s: the focus may move after the text of a state appears. */
async function assertTree(page: Page, expected: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline && await readAccessibilityTree(page) !== expected) await page.waitForTimeout(100);
  assert.equal(await readAccessibilityTree(page), expected);
}

/** Violations that axe finds. @param runOnly tags or rules */
async function faults(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  const { violations } = await page.evaluate((only) => (
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly: [...only], resultTypes: ['violations'] })
  ), runOnly);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`));
}
