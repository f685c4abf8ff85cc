/** A page of the gallery that records policy violations and errors. */

import type { Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { reachStates } from './_visit.ts';

export class WatchedPage {
  readonly page: Page;
  /** Policy violations, and messages of errors, since the last `goto`. */
  violations: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(): Promise<WatchedPage> {
    const page = await (await sharedChromium()).newPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    const watched = new WatchedPage(page);
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => watched.violations.push(message));
    await page.exposeFunction('reportViolation', (violation: string) => void watched.violations.push(violation));
    await page.addInitScript(prepare);
    return watched;
  }

  /** Resolves when every element has reached its state. Some do so only in sight. @param height of the viewport */
  async goto(url: string, height = 768): Promise<void> {
    this.violations = [];
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
    (globalThis as unknown as { reportViolation: (violation: string) => void }).reportViolation(`${effectiveDirective} ${sample}`);
  });
}
