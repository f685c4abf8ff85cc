/** Live regions of every state: a screen reader announces each text when it changes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchChromium } from '../lib/chromium.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

interface WatchedWindow {
  readonly announced: ReadonlyMap<Element, readonly string[]>;
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

describe('the live regions', () => {
  it('announce each text once on the way to a state, and a text in each state that reports an outcome', async () => {
    await using gallery = await startGallery();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1600, height: 16_000 } });
      await page.addInitScript(recordAnnouncements);
      await page.goto(gallery.url);
      await reachStates(page);
      const announced = await page.evaluate(() => (
        [...(globalThis as unknown as WatchedWindow).announced].flatMap(([element, texts]) => {
          const { state } = (element.parentElement?.dataset ?? {}) as { state?: string };
          return state ? [[(JSON.parse(state) as { name: string }).name, texts] as const] : [];
        })
      ));
      assert.equal(announced.length, states.length);
      const repeated = announced.flatMap(([name, texts]) => {
        // Each wait has its own.
        const outcomes = texts.filter((text) => text !== 'One moment…');
        return new Set(outcomes).size < outcomes.length ? [[name, outcomes]] : [];
      });
      assert.deepEqual(repeated, []);
      const texts = Object.fromEntries(announced);
      for (const name of ['posted', 'refused', 'perhaps-posted', 'session-over', 'empty', 'too-long', 'declined', 'not-kept', 'in-a-window']) {
        assert.ok(texts[name]!.length > 0, name);
      }
    } finally {
      await browser.close();
    }
  });
});
