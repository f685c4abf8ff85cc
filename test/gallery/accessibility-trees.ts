/** Accessibility trees of every state, in `accessibility-trees.txt`. `node --conditions=@vestibule/source
 *  test/gallery/accessibility-trees.ts` writes them; the widget must be built. Review the difference before you commit it. */

import { writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../lib/chromium.ts';
import { readAccessibilityTree, TREES } from './_accessibility-tree.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

/** Tree of the state's page. */
async function treeOf(browser: Browser, gallery: string, name: string): Promise<string> {
  await using context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', viewport: { width: 1024, height: 4000 } });
  const page = await context.newPage();
  await page.goto(`${gallery}/states/${name}`);
  await reachStates(page);
  // The focus may move after the text of the state appears.
  await page.waitForTimeout(500);
  return await readAccessibilityTree(page);
}

async function writeTrees(): Promise<void> {
  await using gallery = await startGallery();
  await using browser = await launchChromium();
  const sections: string[] = [];
  for (const { name } of states) sections.push(`== ${name}\n${await treeOf(browser, gallery.url, name)}\n`);
  await writeFile(TREES, sections.join('\n'));
}

await writeTrees();
