/** What a page knows of itself: shifts of its layout, its largest paint, when a reader can type. */

import type { Page } from 'playwright-core';

export interface Vitals {
  /** Each shift's score, with what moved from where to where. */
  readonly shifts: readonly string[];
  /** Heights that the box has had, in pixels. */
  readonly boxHeights: readonly number[];
  /** Milliseconds from the navigation to the largest paint before the reader does anything. */
  readonly largestPaintMs: number;
  /** Milliseconds from the navigation until a reader can type; 0 until then. */
  readonly readyMs: number;
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly previousRect: DOMRectReadOnly; readonly currentRect: DOMRectReadOnly }[];
}

declare global {
  interface Window {
    vitals: { shifts: string[]; boxHeights: number[]; largestPaintMs: number; readyMs: number };
  }
}

/** Before the page is asked for. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const vitals = window.vitals = { shifts: [] as string[], boxHeights: [] as number[], largestPaintMs: 0, readyMs: 0 };
    document.addEventListener('vestibule-ready', () => vitals.readyMs = performance.now());
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        vitals.shifts.push(`${value}: ${sources.map((source) => `${place(source.previousRect)} → ${place(source.currentRect)}`).join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      vitals.largestPaintMs = list.getEntries().at(-1)?.startTime ?? vitals.largestPaintMs;
    }).observe({ type: 'largest-contentful-paint', buffered: true });

    const place = ({ x, y, width, height }: DOMRectReadOnly): string => `${width} × ${height} at ${x}, ${y}`;
    const sizes = new ResizeObserver((entries) => {
      vitals.boxHeights.push(...entries.map(({ borderBoxSize }) => borderBoxSize[0]!.blockSize));
    });
    new MutationObserver((_, observer) => {
      const box = document.querySelector('vestibule-comments');
      if (!box) return;
      observer.disconnect();
      sizes.observe(box);
    }).observe(document, { childList: true, subtree: true });
  });
}

export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => window.vitals);
}
