/** Every state of both elements. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { readAccessibilityTree, readTrees } from './_accessibility-tree.ts';
import { readAnnouncements, watchAnnouncements } from './_announcements.ts';
import { assertAccessible, prepareChecks } from './_check-pages.ts';
import { WatchedPage } from './_watched-page.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

/** Puts every state in sight. */
const HEIGHT = 40_000;

/** Each wait has its own. */
const WAIT = 'One moment…';

/** Nothing has happened since the element was loaded, or the focus moves to the heading or to the panel that asks the reader. */
const silent: readonly string[] = [
  'signed-out', 'before-the-first-answer', 'signed-in', 'first-stage', 'window-blocked', 'confirm', 'unfinished',
  'offer-beside-a-session', 'form-in-the-page', 'confirm-sign-out', 'another-draft', 'a-name-that-is-long', 'always-light',
  'always-dark', 'words-of-the-page', 'confirm-return', 'questions', 'no-questions', 'cancelled', 'access-denied',
  'access-granted-before', 'signed-in-already', 'nothing-to-do',
];

/** A line of a tree: role and name. */
const LANDMARK = /^ *((?:banner|complementary|contentinfo|form|main|navigation|region|search)\b(?: "[^"]*")?)/gm;

const trees = await readTrees();

describe('the states, one below the other', () => {
  const gallery = suiteResource(startGallery);
  let watched: WatchedPage;

  before(async () => {
    watched = await WatchedPage.open();
    await prepareChecks(watched.page);
    await watchAnnouncements(watched.page);
    await watched.goto(`${gallery().url}/states`, HEIGHT);
  });
  after(() => watched.page.close());

  it('announce each text once on the way to a state, and in each state with an outcome or a wait at least one', async () => {
    const announced = await readAnnouncements(watched.page);
    assert.equal(new Set(announced.map(([name]) => name)).size, states.length);
    const outcomes = announced.map(([name, texts]) => [name, texts.filter((text) => text !== WAIT)] as const);
    assert.deepEqual(outcomes.filter(([, texts]) => new Set(texts).size < texts.length), []);
    const waits = states.filter(({ shows }) => shows === WAIT).map(({ name }) => name);
    const waiting = announced.flatMap(([name, texts]) => (texts.includes(WAIT) ? [name] : []));
    assert.deepEqual(waits.filter((name) => !waiting.includes(name)), []);
    const heard = new Set([...waits, ...outcomes.flatMap(([name, { length }]) => (length > 0 ? [name] : []))]);
    assert.deepEqual(states.flatMap(({ name }) => (heard.has(name) ? [] : [name])), silent);
  });

  // The landmarks of one state have different names: see below.
  it('have no axe violation, no policy violation, no overflow and no small target', () => (
    assertAccessible(watched, ['landmark-unique'])
  ));
});

describe('a state', () => {
  const gallery = suiteResource(startGallery);
  let watched: WatchedPage;

  before(async () => { watched = await WatchedPage.open(); });
  after(() => watched.page.close());

  it('has a unique name', () => {
    assert.equal(new Set(states.map(({ name }) => name)).size, states.length);
  });

  for (const { name } of states) {
    it(`has the reviewed accessibility tree, and no policy violation: ${name}`, async () => {
      await watched.goto(`${gallery().url}/states/${name}`);
      await assertTree(watched.page, trees.get(name) ?? 'none is committed');
      assert.deepEqual(watched.violations, []);
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
