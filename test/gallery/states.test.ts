/** Every state of both elements. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { readAccessibilityTree, readTrees } from './_accessibility-tree.ts';
import { checkPages } from './_check-pages.ts';
import { WatchedPage } from './_watched-page.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

/** A line of a tree: role and name. */
const LANDMARK = /^ *((?:banner|complementary|contentinfo|form|main|navigation|region|search)\b(?: "[^"]*")?)/gm;

const trees = await readTrees();

// High enough for every state to be in sight. The landmarks of one state have different names: see below.
checkPages('the states, one below the other', ['/states'], { height: 40_000, without: ['landmark-unique'] });

describe('a state', () => {
  const gallery = suiteResource(startGallery);
  let watched: WatchedPage;

  before(async () => { watched = await WatchedPage.open(); });
  after(() => watched.page.close());

  it('has an address of its own', () => {
    assert.equal(new Set(states.map(({ name }) => name)).size, states.length);
  });

  for (const { name } of states) {
    it(`has the reviewed accessibility tree, and no policy violation: ${name}`, async () => {
      await watched.goto(`${gallery().url}/states/${name}`);
      await assertTree(watched.page, trees.get(name) ?? 'none is committed');
      assert.deepEqual(watched.complaints, []);
    });
  }

  it('has no two landmarks of one role and name', () => {
    const landmarksOf = (tree: string) => Array.from(tree.matchAll(LANDMARK), ([, landmark]) => landmark);
    const landmarks = Array.from(trees, ([name, tree]) => [name, landmarksOf(tree)] as const);
    assert.deepEqual(landmarks.filter(([, found]) => found.length === 0 || new Set(found).size < found.length), []);
  });
});

/** Waits up to 5 s: the focus may move after the text of a state appears. */
async function assertTree(page: Page, expected: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline && await readAccessibilityTree(page) !== expected) await page.waitForTimeout(100);
  assert.equal(await readAccessibilityTree(page), expected);
}
