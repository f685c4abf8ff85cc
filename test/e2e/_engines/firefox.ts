/** Firefox by WebDriver BiDi. */

import puppeteer, { type BrowserContext, type Page } from 'puppeteer-core';
import type { Engine, EngineReader, EngineWindow } from './engine.ts';

export const firefox: Engine = {
  name: 'Firefox',
  userAgent: /Gecko\/\d.* Firefox\/\d/,
  repeatsFailedImports: false,
  async launch() {
    const browser = await puppeteer.launch({
      headless: true,
      browser: 'firefox',
      executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
      extraPrefsFirefox: { 'intl.accept_languages': 'en' },
      defaultViewport: { width: 1000, height: 800 },
    });
    return {
      async reader() {
        const context = await browser.createBrowserContext();
        await context.newPage();
        return readerOf(context);
      },
      [Symbol.asyncDispose]: () => browser.close(),
    };
  },
};

function readerOf(context: BrowserContext): EngineReader {
  const windows = new Map<Page, EngineWindow>();
  return {
    async windows() {
      return (await context.pages()).filter((page) => !page.isClosed()).map((page) => {
        if (!windows.has(page)) windows.set(page, windowOf(page, String(windows.size)));
        return windows.get(page)!;
      });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

function windowOf(page: Page, id: string): EngineWindow {
  return {
    id,
    show: () => page.bringToFront(),
    async goTo(url) {
      await page.goto(url);
    },
    evaluate: (expression) => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
  };
}
