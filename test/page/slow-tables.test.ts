/** Intl data is loaded at the first formatting, not before. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { plainPage, startNewspaper } from './_newspaper.ts';
import { boxOf, load, settle, write } from './_reading.ts';
import { openTab } from './_slow-browser.ts';

declare global {
  interface Window {
    tablesRead: string[];
  }
}

describe('the browser’s tables', () => {
  const browser = () => sharedChromium({ holdsPaints: true });
  const newspaper = suiteResource(startNewspaper);

  it('are not read while the box comes and a reader writes, in whatever language', async () => {
    for (const lang of ['en-GB', 'de-AT', 'ar']) {
      await using tab = await openTab(await browser(), { slowdown: 1 });
      await watchTables(tab.page);
      await load(tab.page, newspaper().url + plainPage({ lang }));
      await boxOf(tab.page).locator('textarea').fill('He would have liked to read this.');
      await settle(tab.page);
      assert.deepEqual(await tab.page.evaluate(() => window.tablesRead), [], lang);
    }
  });

  it('are read for the counter, once the limit is near', async () => {
    await using tab = await openTab(await browser(), { slowdown: 1 });
    await watchTables(tab.page);
    await load(tab.page, newspaper().url + plainPage({ attributes: 'max-length="40"' }));
    await write(tab.page, 'He would have liked to read this, too.');
    await boxOf(tab.page).getByText('2 characters left').waitFor();
    assert.deepEqual(await tab.page.evaluate(() => [...new Set(window.tablesRead)]), ['NumberFormat']);
  });
});

async function watchTables(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.tablesRead = [];
    const watched = <Constructor extends object>(name: string, constructor: Constructor): Constructor => new Proxy(constructor, {
      construct(target, given) {
        window.tablesRead.push(name);
        return Reflect.construct(target as new () => object, given) as object;
      },
    });
    Intl.NumberFormat = watched('NumberFormat', Intl.NumberFormat);
    Intl.DateTimeFormat = watched('DateTimeFormat', Intl.DateTimeFormat);
    const { maximize } = Intl.Locale.prototype;
    Intl.Locale.prototype.maximize = function () {
      window.tablesRead.push('maximize');
      return maximize.call(this);
    };
  });
}
