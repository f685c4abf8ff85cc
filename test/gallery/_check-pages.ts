/** Checks of every page of the gallery in a browser: axe, policy, overflow, sizes of targets, accessibility tree. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../lib/chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { readAccessibilityTree } from './_accessibility-tree.ts';
import { overflow, reachStates, smallTargets } from './_visit.ts';
import { startGallery } from './gallery.ts';

const looks = [
  { colorScheme: 'light', forcedColors: 'none' }, { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const;

/** One test for each of the addresses.
 *  @param tree the accessibility tree of a page; `undefined`: is not compared */
export function checkPages(
  title: string, addresses: readonly string[], tree: (address: string) => string | undefined = () => undefined,
): void {
  describe(title, () => {
    const browser = suiteResource(launchChromium);
    const gallery = suiteResource(startGallery);

    for (const address of addresses) {
      it(`has no axe violation, no policy violation, no overflow, no small target, and the reviewed accessibility tree: ${address}`, async () => {
        await using visit = await open(address);
        const { page, complaints } = visit;
        const expected = tree(address);
        if (expected !== undefined) await assertTree(page, expected);
        for (const look of looks) {
          await page.emulateMedia(look);
          assert.deepEqual(await faults(page, look), [], `${look.colorScheme}, forced colours ${look.forcedColors}`);
        }
        await page.emulateMedia({ colorScheme: null, forcedColors: null });
        assert.deepEqual(await smallTargets(page, 44), []);
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 640 });
          assert.equal(await overflow(page), 0, `${width} pixels wide`);
        }
        assert.deepEqual(await smallTargets(page, 44), [], 'at 320 pixels');
        assert.deepEqual(complaints, []);
      });
    }

    interface Visit extends AsyncDisposable {
      readonly page: Page;
      readonly complaints: readonly string[];
    }

    async function open(address: string, viewport = { width: 1024, height: 768 }): Promise<Visit> {
      const context: BrowserContext = await browser().newContext({ locale: 'en-GB', viewport, timezoneId: 'UTC', reducedMotion: 'reduce' });
      context.setDefaultTimeout(20_000);
      const complaints: string[] = [];
      context.on('weberror', (error) => complaints.push(error.error().message));
      await context.exposeFunction('complain', (words: string) => void complaints.push(words));
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
          (globalThis as unknown as { complain: (words: string) => void }).complain(`${effectiveDirective} ${sample}`);
        });
      });
      const page = await context.newPage();
      await page.goto(gallery().url + address);
      await reachStates(page);
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
    }
  });
}

/** The focus and the end of a request may follow the words of a state. */
async function assertTree(page: Page, expected: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline && await readAccessibilityTree(page) !== expected) await page.waitForTimeout(100);
  assert.equal(await readAccessibilityTree(page), expected);
}

/** What axe finds, a line each. Where colours are forced the browser chooses both of a pair, and axe, which is told of the
 *  background only, cannot compare them. */
async function faults(page: Page, { forcedColors }: (typeof looks)[number]): Promise<readonly string[]> {
  await page.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const options = {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: forcedColors === 'none' } },
  };
  const { violations } = await page.evaluate((given) => (
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, given)
  ), options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`));
}
