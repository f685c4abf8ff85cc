/** The ways that readers take most, told once for every engine. What only one engine can show lies in the other files. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suiteResource } from '../../lib/suite-resource.ts';
import { startDemo } from '../../site/demo.ts';
import type { Engine, EngineReader } from './engine.ts';
import { comesBack, opens, Tab } from './tab.ts';

const ARTICLE = '/articles/lamplighter';
const AWKWARD = "ünï ✓ 🦊 &=+%20 ~!*'()";
const COMMENT = /^Your comment$/;
const SIGN_IN = /^Sign in to post$/;
const POST = /^Post comment$/;

export function describeWays(engine: Engine): void {
  describe(`the main ways in ${engine.name}`, () => {
    const browser = suiteResource(() => engine.launch());
    const demo = suiteResource(() => startDemo({ port: 0, vestibule: { rateLimits: 'off', logLevel: 'silent' } }));

    async function open(reader: EngineReader, query = ''): Promise<Tab> {
      const page = new Tab((await reader.windows())[0]!);
      await page.goTo(demo().url + ARTICLE + query);
      await page.turnToBox();
      return page;
    }

    async function posts(page: Tab, message: string): Promise<void> {
      await page.press(POST);
      await page.sees(/^Your comment is posted\.$/);
      await page.holds(COMMENT, '');
      assert.equal(demo().service.posts.at(-1)?.message, message);
    }

    it('are gone in that engine', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      assert.match(await page.userAgent(), engine.userAgent);
    });

    it('a popup leads to a signed post that arrives byte for byte, and the text outlives the way', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      await page.write(COMMENT, AWKWARD);
      const popup = await opens(reader, () => page.press(SIGN_IN));
      await allow(popup);
      await answer(popup);
      await comesBack(reader, page, popup);
      await page.sees(/^Commenting as Ada Quill$/);
      await page.holds(COMMENT, AWKWARD);
      await posts(page, AWKWARD);
      assert.equal(demo().service.posts.at(-1)?.user_id, demo().service.readers[0]?.user_id);
    });

    it('the page itself leads there where sync is inline, and back to the text', async () => {
      await using reader = await browser().reader();
      const page = await open(reader, '?sync=inline');
      await page.write(COMMENT, AWKWARD);
      await page.press(SIGN_IN);
      await page.isAt(/authorize/);
      await allow(page);
      await page.isAt(new RegExp(ARTICLE));
      await answer(page);
      await page.isAt(/audiencesync\/complete/);
      await open(reader, '?sync=inline');
      await page.sees(/^Commenting as Ada Quill$/);
      await page.holds(COMMENT, AWKWARD);
      await posts(page, AWKWARD);
    });

    it('the service’s own entrance signs nobody in before the reader’s click, in a window', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      await page.write(COMMENT, 'from the embedded entrance');
      const popup = await opens(reader, () => page.press(/^Sign in at Parley, in a window$/));
      await allow(popup, /Jörg Ünterwald/);
      await popup.isAt(/\/sync\/return(?!.*(?:code|user_id|audiencesync_uri)=)/);
      const exchanges = demo().service.requests.filter(({ endpoint }) => endpoint === 'token').length;
      await popup.press(/^Continue as Jörg Ünterwald$/);
      await answer(popup);
      await comesBack(reader, page, popup);
      await page.sees(/^Commenting as Jörg Ünterwald$/);
      assert.equal(demo().service.requests.filter(({ endpoint }) => endpoint === 'token').length, exchanges + 1);
      await posts(page, 'from the embedded entrance');
    });

    it('the service’s own entrance leads in in the page, and the text is kept on the way', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      await page.write(COMMENT, 'kept on the way');
      await page.press(/^Sign in at Parley, in this page$/);
      await allow(page);
      await page.isAt(/\/sync\/return/);
      await page.press(/^Continue as Ada Quill$/);
      await answer(page);
      await page.isAt(/audiencesync\/complete/);
      await open(reader);
      await page.sees(/^Commenting as Ada Quill$/);
      await page.holds(COMMENT, 'kept on the way');
    });

    it('a reader who is too young is turned away in words, with success=0, and the text stays', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      await page.write(COMMENT, 'I am 17');
      const popup = await opens(reader, () => page.press(SIGN_IN));
      await allow(popup);
      await answer(popup, '17');
      await popup.sees(/^This site did not accept the sign-in$/);
      await popup.press(/^Continue$/);
      await comesBack(reader, page, popup);
      assert.equal(demo().service.completions.at(-1)?.success, '0');
      await page.sees(/^This site did not accept the sign-in\.$/);
      await page.holds(COMMENT, 'I am 17');
    });

    it('an answer can be corrected', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      const popup = await opens(reader, () => page.press(SIGN_IN));
      await allow(popup);
      await popup.write(/Your age/, '34');
      await popup.press(/^Finish signing in$/);
      await popup.sees(/^Please tick this to continue\.$/);
      await popup.holds(/Your age/, '34');
      await popup.choose(/house rules/);
      await popup.press(/^Finish signing in$/);
      await comesBack(reader, page, popup);
      await page.sees(/^Commenting as Ada Quill$/);
      assert.equal(demo().service.completions.at(-1)?.success, '1');
    });

    it('a draft outlives a reload, and signing out is for good', async () => {
      await using reader = await browser().reader();
      const page = await open(reader);
      await page.write(COMMENT, AWKWARD);
      await page.reload();
      await page.turnToBox();
      await page.holds(COMMENT, AWKWARD);
      const popup = await opens(reader, () => page.press(SIGN_IN));
      await allow(popup);
      await answer(popup);
      await comesBack(reader, page, popup);
      await page.press(/^Delete draft$/);
      await page.press(/^Sign out$/);
      await page.sees(/^You are signed out\.$/);
      await page.reload();
      await page.turnToBox();
      await page.sees(SIGN_IN);
    });

    it('a comment stands in the thread at once, and another reader finds it there as text with a link', async () => {
      const comment = '<b>Gaslight</b> costs nothing: https://www.example.com/lamps';
      {
        await using reader = await browser().reader();
        const page = await open(reader);
        const popup = await opens(reader, () => page.press(SIGN_IN));
        await allow(popup);
        await answer(popup);
        await comesBack(reader, page, popup);
        await page.sees(/^Commenting as Ada Quill$/);
        await page.write(COMMENT, comment);
        await posts(page, comment);
        await page.sees(/^Your new comment$/);
      }
      await using other = await browser().reader();
      const otherPage = await open(other);
      await otherPage.sees(/^Readers’ comments$/);
      await otherPage.sees(/^Ada Quill$/);
      await otherPage.sees(/^<b>Gaslight<\/b> costs nothing: https:\/\/www\.example\.com\/lamps$/);
      await otherPage.sees(/^https:\/\/www\.example\.com\/lamps$/);
    });
  });
}

/** At the service: chooses an account and lets the publisher know it. */
async function allow(page: Tab, account = /Ada Quill/): Promise<void> {
  await page.choose(account);
  await page.press(/^(?:Allow|Sign in)$/);
}

/** Answers the publisher's questions and hands them in. */
async function answer(page: Tab, age = '34'): Promise<void> {
  await page.write(/Your age/, age);
  await page.choose(/house rules/);
  await page.press(/^Finish signing in$/);
}
