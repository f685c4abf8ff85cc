/** Live regions of every state: a screen reader announces each text when it changes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

/** Each wait has its own. */
const WAIT = 'One moment…';

/** Nothing has happened since the element was loaded, or the focus moves to the heading or to the panel that asks the reader. */
const silent: readonly string[] = [
  'signed-out', 'before-the-first-answer', 'signed-in', 'first-stage', 'window-blocked', 'confirm', 'unfinished',
  'offer-beside-a-session', 'form-in-the-page', 'confirm-sign-out', 'another-draft', 'a-name-that-is-long', 'always-light',
  'always-dark', 'words-of-the-page', 'confirm-return', 'questions', 'no-questions', 'cancelled', 'access-denied',
  'access-granted-before', 'signed-in-already', 'nothing-to-do',
];

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
  it('announce each text once on the way to a state, and in each state with an outcome or a wait at least one', async () => {
    await using gallery = await startGallery();
    await using page = await (await sharedChromium()).newPage({ locale: 'en-GB', viewport: { width: 1600, height: 16_000 } });
    await page.addInitScript(recordAnnouncements);
    await page.goto(gallery.url);
    await reachStates(page);
    const announced = await page.evaluate(() => (
      [...(globalThis as unknown as WatchedWindow).announced].flatMap(([element, texts]) => {
        const root = element.getRootNode();
        const { parentElement } = root instanceof ShadowRoot ? root.host : element;
        const { state } = (parentElement?.dataset ?? {}) as { state?: string };
        return state ? [[(JSON.parse(state) as { name: string }).name, texts] as const] : [];
      })
    ));
    assert.equal(new Set(announced.map(([name]) => name)).size, states.length);
    const outcomes = announced.map(([name, texts]) => [name, texts.filter((text) => text !== WAIT)] as const);
    assert.deepEqual(outcomes.filter(([, texts]) => new Set(texts).size < texts.length), []);
    const waits = states.filter(({ shows }) => shows === WAIT).map(({ name }) => name);
    const waiting = announced.flatMap(([name, texts]) => (texts.includes(WAIT) ? [name] : []));
    assert.deepEqual(waits.filter((name) => !waiting.includes(name)), []);
    const heard = new Set([...waits, ...outcomes.flatMap(([name, { length }]) => (length > 0 ? [name] : []))]);
    assert.deepEqual(states.flatMap(({ name }) => (heard.has(name) ? [] : [name])), silent);
  });
});
