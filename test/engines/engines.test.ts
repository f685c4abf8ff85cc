/** One flow of a reader in Firefox and WebKit: everything that depends on an engine's windows, storage, cookies and
 *  navigation. `test/e2e` tests each step in Chromium. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDemo } from '../site/demo.ts';
import { firefox } from './firefox.ts';
import { opens, returns, Tab } from './tab.ts';
import { webkit } from './webkit.ts';

const ARTICLE = '/articles/lamplighter';
const AWKWARD = "ünï ✓ 🦊 &=+%20 ~!*'() <b>https://www.example.com/lamps";
const COMMENT = /^Your comment$/;
const SIGN_IN = /^Sign in (?:to comment|and post)$/;
const NOT_POSTED = /^You are signed in\. Your comment is not posted yet\.$/;

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
      await page.sees(NOT_POSTED);
      await page.holds(COMMENT, AWKWARD);
      await page.press(/^Post comment$/);
      await page.sees(/^Your comment is posted\.$/);
      await page.holds(COMMENT, '');
      const { message, user_id } = demo.service.posts.at(-1)!;
      assert.deepEqual([message, user_id], [AWKWARD, demo.service.readers[0]?.user_id]);
      await page.sees(/^https:\/\/www\.example\.com\/lamps$/);

      await page.listen();
      demo.service.down();
      await page.write(COMMENT, 'heard');
      await page.press(/^Post comment$/);
      await page.sees(/^Your comment was not posted\./);
      await demo.service.up();
      await page.press(/^Post comment$/);
      await page.sees(/^Your comment is posted\.$/);
      assert.deepEqual((await page.heard()).map((said) => said.replace(/in \d+ seconds?|(?<=device\.).*/, '')), [
        'status: Posting…', 'status: Not posted yet. Trying again .',
        'alert: Your comment was not posted. The comment service is not available right now. Your text is kept on this device.',
        'status: Posting…', 'status: Your comment is posted.',
      ]);

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
      await page.press(/^Continue as Ada Quill/);
      await page.isAt(/audiencesync\/complete/);
      await page.goTo(demo.url + ARTICLE);
      await page.sees(NOT_POSTED);
      await page.holds(COMMENT, 'in the page');
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
  await page.press(/^Finish signing in$/);
}
