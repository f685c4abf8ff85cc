/** Chromium as a slow phone on a slow connection. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../lib/chromium.ts';

export interface Conditions {
  /** How many times slower the page's processor is. Default 4. */
  readonly slowdown?: number;
  /** Default `local`: as fast as the machine answers itself. */
  readonly network?: 'local' | 'slow 4G';
  /** Default: a phone's. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

export interface Tab extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
}

export const PHONE = { width: 412, height: 823 };

/** As the developer tools have it. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 1_474_560 / 8, uploadThroughput: 675_000 / 8, offline: false };

export function launch(): Promise<Browser> {
  return launchChromium({ holdsPaints: true });
}

/** A window with a profile of its own: nothing is cached, and nothing has been compiled yet. */
export async function openTab(browser: Browser, conditions: Conditions = {}): Promise<Tab> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: conditions.viewport ?? PHONE });
  context.setDefaultTimeout(60_000);
  return { context, page: await openPage(context, conditions), [Symbol.asyncDispose]: () => context.close() };
}

/** Another page of the same reader. */
export async function openPage(context: BrowserContext, { slowdown = 4, network = 'local' }: Conditions = {}): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (network === 'slow 4G') {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
  }
  return page;
}
