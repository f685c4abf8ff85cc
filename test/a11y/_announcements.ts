/** What live regions announce: a screen reader announces each text when it changes. */

import type { Page } from 'playwright-core';

interface WatchedWindow {
  readonly announced: ReadonlyMap<Element, readonly string[]>;
}

/** Call it before the page is loaded. */
export async function watchAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(recordAnnouncements);
}

/** Records the texts of live regions in their order, by element of the page. */
function recordAnnouncements(): void {
  const announced = new Map<Element, string[]>();
  Object.assign(globalThis, { announced });
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function attach(options) {
    const root = attachShadow.call(this, options);
    const last = new Map<Element, string>();
    announced.set(this, []);
    new MutationObserver(() => {
      for (const region of root.querySelectorAll('[role=status], [role=alert]')) {
        const text = region.textContent.replace(/\s+/g, ' ').trim();
        if (text && text !== last.get(region)) announced.get(this)!.push(text);
        last.set(region, text);
      }
    }).observe(root, { childList: true, characterData: true, subtree: true });
    return root;
  };
}

/** For each element with live regions, nested ones included: its state of the page, and the announced texts in their order. */
export function readAnnouncements(page: Page): Promise<readonly (readonly [state: string, texts: readonly string[]])[]> {
  return page.evaluate(() => (
    [...(globalThis as unknown as WatchedWindow).announced].flatMap(([element, texts]) => {
      const root = element.getRootNode();
      const { parentElement } = root instanceof ShadowRoot ? root.host : element;
      return parentElement?.dataset['state'] ? [[parentElement.id, texts] as const] : [];
    })
  ));
}
