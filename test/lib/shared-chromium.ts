/** One Chromium for all tests of a process. */

import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium, type ChromiumOptions } from './chromium.ts';

const launched = new Map<boolean, Promise<Browser>>();

after(async () => {
  for (const browser of launched.values()) await (await browser).close();
});

/** Launches it for the first caller; each test closes the contexts and pages that it opens. */
export function sharedChromium({ holdsPaints = false }: ChromiumOptions = {}): Promise<Browser> {
  const browser = launched.get(holdsPaints) ?? launchChromium({ holdsPaints });
  launched.set(holdsPaints, browser);
  return browser;
}
