/** Animation frames of a page. Chromium may give none to a page that it does not draw: each wait has an end. */

import type { Page } from 'playwright-core';

const LONGEST_MS = 30_000;

/** Scrolls by `step` pixels and waits for a frame, `count` times. @throws {Error} if a frame takes longer than 30 s */
export async function frames(page: Page, count = 2, step = 0): Promise<void> {
  await page.evaluate(async ([count, step, longestMs]) => {
    for (let index = 0; index < count; index += 1) {
      (getComputedStyle(document.body).overflowY === 'auto' ? document.body : document.documentElement).scrollBy(0, step);
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => { reject(new Error(`no animation frame within ${longestMs} ms`)); }, longestMs);
        requestAnimationFrame((time) => {
          clearTimeout(timer);
          resolve(time);
        });
      });
    }
  }, [count, step, LONGEST_MS] as const);
}
