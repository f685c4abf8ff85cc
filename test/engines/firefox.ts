/** Firefox by Puppeteer, over WebDriver BiDi. */

import puppeteer from 'puppeteer-core';
import type { Engine } from './engine.ts';
import { windowsOf } from './pages.ts';

export const firefox: Engine = {
  name: 'Firefox',
  userAgent: /Gecko\/\d.* Firefox\/\d/,
  async launch() {
    const browser = await puppeteer.launch({
      headless: true,
      browser: 'firefox',
      executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
      extraPrefsFirefox: { 'intl.accept_languages': 'en' },
      defaultViewport: { width: 1000, height: 800 },
    });
    const context = await browser.createBrowserContext();
    await context.newPage();
    return { windows: windowsOf(() => context.pages()), [Symbol.asyncDispose]: () => browser.close() };
  },
};
