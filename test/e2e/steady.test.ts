/** From the first paint to the posts the field and the thread keep their place, and the sign-in costs few round trips. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import {
  allow, allowButton, answerInWindow, ARTICLE, isPosted, openSignIn, post, signIn, startStage, textField, write, type Visitor,
} from './_stage.ts';

/** In pixels. */
const TOLERANCE = 4;

describe('a box with its thread', () => {
  const stage = suiteResource(() => startStage());

  // The bar above the comments is there from the second one on.
  before(async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await signIn(visitor);
    for (const text of ['one', 'two']) {
      await write(visitor, text);
      await post(visitor);
      await isPosted(visitor, text);
    }
    stage().passTime(61);
  });

  for (const width of [1280, 390, 320]) {
    it(`keeps field and thread in their places at rest and in use, until two comments are posted: ${width} pixels`, async () => {
      await using visitor = await stage().reader({ viewport: { width, height: 800 } });
      const tops: (readonly [step: string, field: number, thread: number])[] = [];
      const measure = async (step: string): Promise<void> => { tops.push([step, ...await topsOf(visitor)]); };
      await visitor.page.goto(stage().demo.url + ARTICLE);
      await visitor.box.scrollIntoViewIfNeeded();
      await visitor.box.getByRole('listitem').first().waitFor();
      await measure('painted');
      await textField(visitor.box).click();
      await visitor.page.waitForLoadState('networkidle');
      await measure('focused');
      await textField(visitor.box).pressSequentially(`I agree, in ${width} pixels.`);
      await measure('typed');
      const popup = await openSignIn(visitor);
      await visitor.box.locator('[part=status]', { hasText: 'Continue in the sign-in window.' }).waitFor();
      await measure('waiting');
      await allow(popup);
      await answerInWindow(popup);
      await isPosted(visitor, `I agree, in ${width} pixels.`);
      await measure('signed in and posted');
      await textField(visitor.box).pressSequentially(`Once more, in ${width} pixels.`);
      await visitor.box.getByRole('button', { name: 'Post comment' }).waitFor();
      await measure('typed again');
      await post(visitor);
      await isPosted(visitor, `Once more, in ${width} pixels.`);
      await measure('posted');
      // On a phone the button of a reader who is signed in stands beside the account.
      const inUse = ['focused', 'typed', 'waiting', ...width < 480 ? [] : ['typed again']];
      const placesOf = (steps: readonly string[]): number[] => (
        tops.filter(([step]) => steps.includes(step)).map(([, , thread]) => thread)
      );
      for (const places of [tops.map(([, field]) => field), placesOf(inUse), placesOf(['signed in and posted', 'posted'])]) {
        assert.ok(Math.max(...places) - Math.min(...places) <= TOLERANCE, JSON.stringify(tops));
      }
      assert.ok(placesOf(['typed again'])[0]! <= placesOf(['typed'])[0]! + TOLERANCE, JSON.stringify(tops));
    });
  }

  it('needs three round trips from Allow to the questions: the return, the form, and its modules, all preloaded', async () => {
    await using visitor = await stage().reader();
    await visitor.page.goto(stage().demo.url + ARTICLE);
    const popup = await openSignIn(visitor);
    await allowButton(popup).waitFor();
    const trips: string[] = [];
    popup.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/vestibule\/.*(?<!\.js)$/.test(pathname)) trips.push(pathname);
    });
    // The questions do not wait for it.
    await popup.route('**/vestibule/session', () => {});
    await allow(popup);
    await popup.getByLabel(/Your age/).waitFor();
    const scripts = await popup.evaluate(() => [...document.querySelectorAll('head :is(script[src], link[rel=modulepreload])')].length);
    const loaded = await popup.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length);
    assert.deepEqual([trips.slice(0, 2), loaded], [['/vestibule/sync/return', '/vestibule/sync/form'], scripts]);
  });
});

/** Tops of the field and of the thread, from that of the box. */
function topsOf({ box }: Visitor): Promise<[field: number, thread: number]> {
  return box.evaluate((element) => {
    const topOf = (selector: string): number => (
      element.shadowRoot!.querySelector(selector)!.getBoundingClientRect().top - element.getBoundingClientRect().top
    );
    return [topOf('textarea'), topOf('vestibule-thread')];
  });
}
