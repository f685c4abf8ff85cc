/** Chromium by Playwright. */

import { launchChromium } from '../lib/chromium.ts';
import type { Engine } from './engine.ts';
import { windowsOf } from './pages.ts';

export const chromium: Engine = {
  name: 'Chromium',
  userAgent: / (?:Headless)?Chrome\/\d/,
  async launch() {
    const browser = await launchChromium();
    const context = await browser.newContext({ locale: 'en' });
    await context.newPage();
    return { windows: windowsOf(() => context.pages()), [Symbol.asyncDispose]: () => browser.close() };
  },
};
