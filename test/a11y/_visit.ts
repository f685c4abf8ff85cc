/** Waits for and measures pages of the gallery. */

import type { Page } from 'playwright-core';

/** Resolves when every element of the page has reached its state.
 *  @throws {Error} with the reason if an element cannot reach it */
export async function reachStates(page: Page): Promise<void> {
  const failed = await page.waitForFunction(() => {
    const places = [...document.querySelectorAll<HTMLElement>('[data-state]')];
    const failures = places.flatMap(({ dataset }) => dataset['failed'] ?? []);
    if (failures.length > 0) return failures.join('\n');
    return places.length > 0 && places.every((place) => place.firstElementChild?.hasAttribute('data-reached')) && 'reached';
  }, undefined, { timeout: 120_000 });
  const outcome = await failed.jsonValue();
  if (outcome !== 'reached') throw new Error(String(outcome));
}

/** Controls, shadow roots included, that are narrower or lower than `least` pixels, with their states. Links within text are
 *  exempt (WCAG 2.5.5). */
export function smallTargets(page: Page, least: number): Promise<readonly string[]> {
  return page.evaluate((size) => {
    const controlsOf = (root: Document | ShadowRoot): Element[] => [...root.querySelectorAll('*')].flatMap((element) => [
      ...(element.matches('button, a[href]:not(.message a), input, select, textarea') ? [element] : []),
      ...(element.shadowRoot ? controlsOf(element.shadowRoot) : []),
    ]);
    const stateOf = (element: Element): string => {
      const root = element.getRootNode();
      return root instanceof ShadowRoot ? stateOf(root.host) : element.closest('[data-state]')?.id ?? '';
    };
    return controlsOf(document)
      .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < size - 0.01)
      .map(({ element, box: { width, height } }) => (
        `${stateOf(element)}, ${element.textContent?.trim() || element.id}: ${width} × ${height}`
      ));
  }, least);
}

/** Horizontal overflow of the page in pixels, and the names of the states that are too wide; empty without overflow. */
export function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('[data-state]')].filter((place) => place.scrollWidth > place.clientWidth);
    return [`${scrollWidth - clientWidth} pixels`, ...wide.map(({ id }) => id)];
  });
}
