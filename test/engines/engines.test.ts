/** One flow of a reader in Firefox and WebKit: everything that depends on an engine's windows, storage, cookies and
 *  navigation. `test/e2e` tests each step in Chromium. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../lib/until.ts';
import { startDemo } from '../site/demo.ts';
import { firefox } from './firefox.ts';
import { opens, returns, Tab } from './tab.ts';
import { webkit } from './webkit.ts';

const ARTICLE = '/articles/lamplighter';
const AWKWARD = "ünï ✓ 🦊 &=+%20 ~!*'() <b>https://www.example.com/lamps";
const COMMENT = /^Your comment$/;
const SIGN_IN = /^Sign in (?:to comment|and post)$/;

describe('a reader', () => {
  for (const engine of [firefox, webkit]) {
    it(`in ${engine.name} writes, reloads, signs in by a window and in the page, posts, and signs out`, async () => {
      await using demo = await startDemo({ port: 0, vestibule: { rateLimits: 'off', logLevel: 'silent' } });
      await using browser = await engine.launch();
      const page = new Tab((await browser.windows())[0]!);
      await page.goTo(demo.url + ARTICLE);
      assert.match(await page.userAgent(), engine.userAgent);

      await page.write(COMMENT, AWKWARD);
      await page.reload();
      await page.holds(COMMENT, AWKWARD);
      const popup = await opens(browser, () => page.press(SIGN_IN));
      await allow(popup);
      await answer(popup);
      await returns(browser, page, popup);
      await page.sees(/Your comment is posted\.$/);
      await page.holds(COMMENT, '');
      const { message, user_id } = demo.service.posts.at(-1)!;
      assert.deepEqual([message, user_id], [AWKWARD, demo.service.readers[0]?.user_id]);
      await page.sees(/^https:\/\/www\.example\.com\/lamps$/);

      await page.listen();
      demo.service.down();
      await page.write(COMMENT, 'heard');
      await page.press(/^Post comment$/);
      await page.sees(/^Not posted yet\. Trying again\.$/);
      await page.holds(COMMENT, '');
      // The next text would take its place.
      await until('the failure is heard', async () => (await page.heard()).includes('status: Not posted yet. Trying again.'));
      await demo.service.up();
      await page.sees(/Your comment is posted\.$/);
      // An outcome that is fast is spoken together with “Posting…”.
      const heard = (await page.heard()).map((said) => said.replace('Posting… ', '')).filter((said) => said !== 'status: Posting…');
      assert.deepEqual(heard, ['status: Not posted yet. Trying again.', 'status: Your comment is posted.']);

      await page.reload();
      await page.sees(/^Commenting as Ada Quill$/);
      await page.press(/Commenting as Ada Quill$/);
      await page.press(/^Sign out$/);
      await page.sees(/^You are signed out\.$/);

      await page.goTo(`${demo.url}${ARTICLE}?sync=inline`);
      await page.write(COMMENT, 'in the page');
      await page.press(SIGN_IN);
      await page.isAt(/authorize/);
      await allow(page);
      await page.isAt(new RegExp(ARTICLE));
      // The questions are asked once.
      await page.press(/^Continue as Ada Quill and post$/);
      await page.isAt(/audiencesync\/complete/);
      await page.goTo(demo.url + ARTICLE);
      await page.sees(/^in the page$/);
      await page.holds(COMMENT, '');
      await until('the comment', () => demo.service.posts.at(-1)?.message === 'in the page');
    });
  }
});

async function allow(page: Tab): Promise<void> {
  await page.choose(/Ada Quill/);
  await page.press(/^Allow$/);
}

async function answer(page: Tab): Promise<void> {
  await page.write(/Your age/, '34');
  await page.choose(/house rules/);
  await page.press(/^Continue as Ada Quill(?: and post)?$/);
}
