/** Windows of Playwright and of Puppeteer: their pages have the same methods here. */

import type { EngineWindow } from './engine.ts';

interface Page {
  bringToFront(): Promise<void>;
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  isClosed(): boolean;
  readonly mouse: { click(x: number, y: number): Promise<void> };
}

/** @returns gives the windows of the open pages */
export function windowsOf(openPages: () => readonly Page[] | Promise<readonly Page[]>): () => Promise<readonly EngineWindow[]> {
  const known = new Map<Page, EngineWindow>();
  return async () => (await openPages()).filter((page) => !page.isClosed()).map((page) => {
    const window = known.get(page) ?? {
      id: String(known.size),
      show: () => page.bringToFront(),
      goTo: async (url) => { await page.goto(url); },
      evaluate: (expression) => page.evaluate(expression),
      clickAt: (x, y) => page.mouse.click(x, y),
    };
    known.set(page, window);
    return window;
  });
}
