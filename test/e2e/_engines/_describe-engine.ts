/** One flow of a reader in an engine other than Chromium: everything that depends on windows, storage and cookies of the engine;
 *  and parts of the widget that fail, because engines repeat imports differently.
 *  The other files of `test/e2e` test each step in Chromium. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NextFunction, Request, Response } from 'express';
import { suiteResource } from '../../lib/suite-resource.ts';
import { startDemo } from '../../site/demo.ts';
import type { Engine } from './engine.ts';
import { comesBack, opens, Tab } from './tab.ts';

const ARTICLE = '/articles/lamplighter';
const AWKWARD = "ünï ✓ 🦊 &=+%20 ~!*'() <b>https://www.example.com/lamps";
const COMMENT = /^Your comment$/;
const SIGN_IN = /^Sign in to post$/;
const POST = /^Post comment$/;

/** The widget's first evaluation throws. */
const BROKEN_PAGE = `<!doctype html><html lang="en"><title>A page</title>
  <script>
    let calls = 0;
    const createPolicy = (name, rules) => { if (calls++ === 0) throw new TypeError('createPolicy'); return rules; };
    Object.defineProperty(window, 'trustedTypes', { value: { createPolicy, emptyScript: '' } });
  </script>
  <script type="module" src="/vestibule/widget.js"></script>
  <body><vestibule-comments forum="news"></vestibule-comments></html>`;

export function describeEngine(engine: Engine): void {
  describe(`a reader in ${engine.name}`, () => {
    const browser = suiteResource(() => engine.launch());
    const demo = suiteResource(() => startDemo({ port: 0, vestibule: { rateLimits: 'off', logLevel: 'silent' }, before: breakWidget }));
    let missing: RegExp | undefined;

    function breakWidget(req: Request, res: Response, next: NextFunction): void {
      if (missing?.test(req.path)) res.sendStatus(404);
      else if (req.path === '/broken') res.type('html').send(BROKEN_PAGE);
      else next();
    }

    async function open(page: Tab, query = ''): Promise<void> {
      await page.goTo(demo().url + ARTICLE + query);
      await page.turnToBox();
    }

    async function post(page: Tab, message: string): Promise<void> {
      await page.press(POST);
      await page.sees(/^Your comment is posted\.$/);
      await page.holds(COMMENT, '');
      assert.equal(demo().service.posts.at(-1)?.message, message);
    }

    async function signOut(page: Tab): Promise<void> {
      await page.press(/^Sign out$/);
      await page.sees(/^You are signed out\.$/);
      await page.reload();
      await page.turnToBox();
      await page.sees(SIGN_IN);
    }

    it('signs in by a popup, at the service in a window, and in the page; keeps the text meanwhile; posts, reads the thread, and signs out', async () => {
      await using reader = await browser().reader();
      const page = new Tab((await reader.windows())[0]!);
      await open(page);
      assert.match(await page.userAgent(), engine.userAgent);

      await page.write(COMMENT, AWKWARD);
      await page.reload();
      await page.turnToBox();
      await page.holds(COMMENT, AWKWARD);
      const popup = await opens(reader, () => page.press(SIGN_IN));
      await allow(popup);
      await answer(popup);
      await comesBack(reader, page, popup);
      await page.sees(/^Commenting as Ada Quill$/);
      await page.holds(COMMENT, AWKWARD);
      await post(page, AWKWARD);
      assert.equal(demo().service.posts.at(-1)?.user_id, demo().service.readers[0]?.user_id);
      await page.sees(/^Your new comment$/);
      await page.sees(/^https:\/\/www\.example\.com\/lamps$/);
      await signOut(page);

      await page.write(COMMENT, 'at the service');
      const entrance = await opens(reader, () => page.press(/^Sign in at Parley, in a window$/));
      await allow(entrance, /Jörg Ünterwald/);
      await entrance.isAt(/\/sync\/return(?!.*(?:code|user_id|audiencesync_uri)=)/);
      await entrance.press(/^Continue as Jörg Ünterwald$/);
      await answer(entrance);
      await comesBack(reader, page, entrance);
      await page.sees(/^Commenting as Jörg Ünterwald$/);
      await post(page, 'at the service');
      await signOut(page);

      await open(page, '?sync=inline');
      await page.write(COMMENT, 'in the page');
      await page.press(SIGN_IN);
      await page.isAt(/authorize/);
      await allow(page);
      await page.isAt(new RegExp(ARTICLE));
      await answer(page);
      await page.isAt(/audiencesync\/complete/);
      await open(page, '?sync=inline');
      await page.sees(/^Commenting as Ada Quill$/);
      await page.holds(COMMENT, 'in the page');
    });

    it('evaluates a script that threw again online, and shows the fallback until then', async () => {
      await using reader = await browser().reader();
      const page = new Tab((await reader.windows())[0]!);
      await page.goTo(`${demo().url}/broken`);
      await page.sees(/^Write a comment on its own page$/);
      await page.comeOnline();
      await page.turnToBox();
      await page.sees(SIGN_IN);
    });

    it(`requests a chunk that did not load ${engine.repeatsFailedImports ? 'with the next letter' : 'after a reload'}, and keeps the text`, async () => {
      await using reader = await browser().reader();
      const page = new Tab((await reader.windows())[0]!);
      missing = /\/assets\/comments-controller-/;
      await open(page);
      await page.sees(/^Posting is not possible right now\. Please try again\.$/);
      missing = undefined;
      await page.write(COMMENT, AWKWARD);
      if (!engine.repeatsFailedImports) {
        await page.reload();
        await page.turnToBox();
      }
      await page.sees(SIGN_IN);
      await page.holds(COMMENT, AWKWARD);
    });
  });
}

/** At the service: chooses an account and allows access. */
async function allow(page: Tab, account = /Ada Quill/): Promise<void> {
  await page.choose(account);
  await page.press(/^(?:Allow|Sign in)$/);
}

/** Answers the publisher's questions and submits them. */
async function answer(page: Tab): Promise<void> {
  await page.write(/Your age/, '34');
  await page.choose(/house rules/);
  await page.press(/^Finish signing in$/);
}
