/** A page of the gallery that records errors and policy violations. */

import type { Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { reachStates } from './_visit.ts';

export class WatchedPage {
  readonly page: Page;
  /** Errors and policy violations since the last `goto`. */
  complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(): Promise<WatchedPage> {
    const page = await (await sharedChromium()).newPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    const watched = new WatchedPage(page);
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => watched.complaints.push(message));
    await page.exposeFunction('complain', (words: string) => void watched.complaints.push(words));
    await page.addInitScript(prepare);
    return watched;
  }

  /** Resolves when every element has reached its state. Some do so only in sight. @param height of the viewport */
  async goto(url: string, height = 768): Promise<void> {
    this.complaints = [];
    await this.page.setViewportSize({ width: 1024, height });
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.page.goto(url);
    await reachStates(this.page);
  }
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
