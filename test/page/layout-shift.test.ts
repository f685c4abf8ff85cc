/** Layout shifts of a page that reserves the room of the box as docs/looks.md says: none when the script, its second stage,
 *  another language or the session loads. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { ARTICLE, plainPage, startNewspaper, type PlainPage } from './_newspaper.ts';
import { boxOf, finishSignIn, load, reachForm, settle, WHOLE_ARTICLE } from './_reading.ts';
import { openTab, PHONE, type Tab } from './_slow-browser.ts';
import { readVitals, watchVitals } from './_vitals.ts';

const SMALLEST = { width: 320, height: 640 };
const DESK = { width: 1280, height: 800 };

/** On the smallest phone. */
const PAGES: readonly (PlainPage & { readonly of: string })[] = [
  { of: 'the browser’s own style' },
  { of: 'large type', style: 'font: 1.25rem/1.7 Georgia, serif' },
  { of: 'small type', style: 'font: 0.8125rem/1.4 sans-serif' },
  { of: 'a surface of its own', attributes: 'theme="light"' },
  { of: 'German', lang: 'de' },
  { of: 'Ukrainian', lang: 'uk' },
  { of: 'Arabic', lang: 'ar', dir: 'rtl' },
  { of: 'Japanese', lang: 'ja' },
];

/** On the other devices, where words have more room: the shortest of these pages and the one with the longest words. */
const EVERYWHERE = ['the browser’s own style', 'Ukrainian'];

describe('the layout around the box', () => {
  const browser = () => sharedChromium({ holdsPaints: true });
  const newspaper = suiteResource(startNewspaper);

  for (const [device, viewport] of Object.entries({ 'the smallest phone': SMALLEST, 'a phone': PHONE, 'a desk': DESK })) {
    for (const { of, ...page } of PAGES.filter((one) => viewport === SMALLEST || EVERYWHERE.includes(one.of))) {
      it(`stays as it is on ${device}, in a page of ${of}`, async () => {
        await using tab = await openTab(await browser(), { viewport, slowdown: 1 });
        await watchVitals(tab.page);
        await load(tab.page, newspaper().url + plainPage(page));
        await isStill(tab);
      });
    }
  }

  it('stays as it is on a slow connection, where each stage comes by itself', async () => {
    for (const page of [{}, { lang: 'de' }, { lang: 'he', dir: 'rtl' }] as const) {
      await using tab = await openTab(await browser(), { slowdown: 1, network: 'slow 4G' });
      await watchVitals(tab.page);
      await load(tab.page, newspaper().url + plainPage(page));
      await isStill(tab);
    }
  });

  it('stays as it is in the newspaper’s article', async () => {
    await using tab = await openTab(await browser(), { slowdown: 1, viewport: WHOLE_ARTICLE });
    await watchVitals(tab.page);
    await load(tab.page, newspaper().url + ARTICLE);
    await isStill(tab);
  });

  it('stays as it is where the reader is signed in', async () => {
    await using tab = await openTab(await browser(), { slowdown: 1, viewport: PHONE });
    await reachForm(tab.page, newspaper().url);
    await finishSignIn(tab.page);
    await watchVitals(tab.page);
    await load(tab.page, newspaper().url + plainPage());
    await boxOf(tab.page).getByText(/Commenting as/).waitFor();
    await isStill(tab);
  });

  it('stays as it is when a box far below is scrolled to', async () => {
    await using tab = await openTab(await browser(), { slowdown: 1, viewport: PHONE });
    const { page } = tab;
    await watchVitals(page);
    await page.goto(newspaper().url + plainPage({ above: 'much' }));
    const answered = page.waitForResponse(/\/session$/);
    await boxOf(page).locator('textarea').focus();
    await answered;
    await settle(page);
    await isStill(tab);
  });

  it('would be seen to move where no room is reserved', async () => {
    await using tab = await openTab(await browser(), { slowdown: 1, network: 'slow 4G' });
    await watchVitals(tab.page);
    await load(tab.page, newspaper().url + plainPage({ unreserved: 'yes' }));
    const { shifts, boxHeights } = await readVitals(tab.page);
    assert.ok(shifts.length > 0 && new Set(boxHeights).size > 1, `${shifts.join('; ')} · ${boxHeights.join(', ')}`);
  });
});

async function isStill({ page }: Tab): Promise<void> {
  await boxOf(page).getByRole('button', { name: /./ }).first().waitFor();
  const { shifts, boxHeights } = await readVitals(page);
  assert.deepEqual(shifts, []);
  assert.equal(new Set(boxHeights).size, 1, `heights: ${boxHeights.join(', ')}`);
}
