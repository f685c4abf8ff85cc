/** The ways in which a sign-in or a post goes wrong: each has a message and a next step, and the reader's text stays. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import {
  allow, allowButton, answer, clickToClose, finishButton, isPosted, isSignedIn, openSignIn, post, signIn, signInButton,
  startStage, textField, write,
  type Visitor,
} from './_stage.ts';

describe('a reader', () => {
  const stage = suiteResource(() => startStage());
  const service = () => stage().demo.service;
  afterEach(async () => {
    await service().up();
    service().faults.clear();
    service().openerPolicy = undefined;
    service().alreadyGranted.clear();
  });

  async function open(text: string): Promise<Visitor> {
    const visitor = await stage().reader();
    await visitor.open();
    await write(visitor, text);
    return visitor;
  }

  /** After a reload, a draft may come later than the box. */
  async function keeps({ box }: Visitor, text: string): Promise<void> {
    await until(`the text “${text}”`, async () => await textField(box).inputValue() === text);
  }

  it('reads in the window that access was denied', async () => {
    await using visitor = await open('denied');
    const popup = await openSignIn(visitor);
    await popup.getByRole('button', { name: 'Deny' }).click();
    await popup.getByText('You did not allow access').first().waitFor();
    await clickToClose(popup, popup.getByRole('button', { name: 'Close this window' }));
    await signInButton(visitor).waitFor();
    await keeps(visitor, 'denied');
  });

  it('reads in the window and in the box that the sign-in did not work where the service failed, also without an attempt', async () => {
    await using visitor = await open('failed');
    const popup = await openSignIn(visitor);
    await allowButton(popup).waitFor();
    for (const error of ['temporarily_unavailable', 'server_error']) {
      await popup.goto(`${stage().demo.url}/vestibule/sync/return?error=${error}`);
      await popup.getByRole('heading', { name: 'The sign-in did not work' }).waitFor();
      assert.equal(await popup.getByText('You did not allow access').count(), 0);
      await visitor.box.getByText('The sign-in did not work.').waitFor();
    }
    await keeps(visitor, 'failed');
  });

  it('reads the reason of a rejection; the completion has success=0', async () => {
    await using visitor = await open('I am 17');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await answer(popup, { age: '17' });
    await popup.getByRole('heading', { name: 'did not accept the sign-in' }).waitFor();
    await popup.getByText('You must be 18 or older to comment here.', { exact: true }).waitFor();
    await clickToClose(popup, popup.getByRole('button', { name: 'Close this window' }));
    assert.equal(service().completions.at(-1)?.success, '0');
    await visitor.box.getByText('This site did not accept your sign-in.').waitFor();
    await signInButton(visitor).waitFor();
    await keeps(visitor, 'I am 17');
  });

  it('tries again with the same code while the service is down at the exchange', async () => {
    await using visitor = await open('down');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await popup.getByLabel(/Your age/).waitFor();
    await service().down();
    await answer(popup);
    await popup.getByText(/not available right now/).first().waitFor();
    await service().up();
    await clickToClose(popup, finishButton(popup));
    await isPosted(visitor, 'down');
  });

  for (const [what, words, fault] of [
    ['code is refused', 'The sign-in did not work', { kind: 'status', status: 400, body: { error: 'invalid_grant' } }],
    ['code belongs to another user', 'not the one you were shown', { kind: 'rewrite', change: (body: unknown) => ({ ...(body as object), user_id: '99999' }) }],
  ] as const) {
    it(`reads that the ${what}, gets no session, and can begin again`, async () => {
      await using visitor = await open('kept');
      const popup = await openSignIn(visitor);
      service().faults.next('token', fault);
      await allow(popup);
      await answer(popup);
      await popup.getByText(words).first().waitFor();
      await visitor.page.bringToFront();
      await signInButton(visitor).waitFor();
      await keeps(visitor, 'kept');
    });
  }

  it('finds the box as it was after closing the window', async () => {
    await using visitor = await open('closed');
    const popup = await openSignIn(visitor);
    await popup.getByRole('button', { name: 'Allow' }).waitFor();
    await popup.close();
    // Each page of a headless browser has the focus from the start. The window counts as closed somewhat later.
    await until('the box notices it', async () => {
      await visitor.page.evaluate(() => dispatchEvent(new Event('focus')));
      return signInButton(visitor).isVisible();
    });
    await keeps(visitor, 'closed');
  });

  it('is signed in although the service cuts the handle to the window (Cross-Origin-Opener-Policy)', async () => {
    service().openerPolicy = 'same-origin';
    await using visitor = await open('cut off');
    const popup = await openSignIn(visitor);
    await allow(popup);
    // The window may close before the click is reported.
    await answer(popup).catch((error: unknown) => { if (!popup.isClosed()) throw error; });
    await isSignedIn(visitor.box);
    await keeps(visitor, 'cut off');
    await visitor.box.locator('[part=status]', { hasText: 'One more step: post your comment.' }).waitFor();
  });

  /** Signed in, with a comment whose row says `words`. */
  async function posts(text: string, words: string, fail: (visitor: Visitor) => unknown): Promise<Visitor> {
    const visitor = await stage().reader();
    await visitor.open();
    await signIn(visitor);
    await fail(visitor);
    await write(visitor, text);
    await post(visitor);
    await rowOf(visitor, text).getByText(words).waitFor();
    await keeps(visitor, '');
    return visitor;
  }

  const rowOf = ({ box }: Visitor, text: string): Locator => box.getByRole('listitem').filter({ hasText: text }).first().locator('.entry:not(.unseen)');

  const button = (visitor: Visitor, text: string, name: string): Locator => rowOf(visitor, text).getByRole('button', { name, exact: true });

  const numberOf = (text: string): number => service().posts.filter(({ message }) => message === text).length;

  it('goes on writing while the service is away, and finds the comment posted after a reload', async () => {
    await using visitor = await posts('knocks', 'Not posted yet. Trying again.', () => service().down());
    await write(visitor, 'meanwhile');
    await service().up();
    await visitor.page.reload();
    await isPosted(visitor, 'knocks');
    await keeps(visitor, 'meanwhile');
    assert.equal(numberOf('knocks'), 1);
  });

  it('reads the reason of a refusal in the row of the comment, edits it in the field, also after a reload, and posts it', async () => {
    await using visitor = await posts('a rude one', 'Mind your manners.', () => (
      service().faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'Mind your manners.' } })
    ));
    await visitor.page.reload();
    await button(visitor, 'a rude one', 'Edit').click();
    await keeps(visitor, 'a rude one');
    await write(visitor, 'a kind one');
    await post(visitor);
    await isPosted(visitor, 'a kind one');
    assert.deepEqual([numberOf('a rude one'), numberOf('a kind one'), await visitor.box.getByText('a rude one').count()], [0, 1, 0]);
  });

  it('reads in the row of the comment that there is no connection; it is posted when the browser is online', async () => {
    await using visitor = await posts('from a tunnel', 'Waiting for a connection…', ({ context }) => context.setOffline(true));
    await visitor.context.setOffline(false);
    await isPosted(visitor, 'from a tunnel');
    assert.equal(numberOf('from a tunnel'), 1);
  });

  it('reads that a post is not confirmed, and can delete its entry', async () => {
    await using visitor = await posts('perhaps', 'We could not confirm that this was posted. Please look for it in the comments.', () => (
      service().faults.next('posts', { kind: 'reset-after-commit' })
    ));
    await button(visitor, 'perhaps', 'Delete').click();
    await visitor.box.getByText('Delete this comment?').waitFor();
    await visitor.box.locator('.question').getByRole('button', { name: 'Delete' }).click();
    await until('no entry', async () => await visitor.box.locator('.entry').count() === 0);
    assert.equal(numberOf('perhaps'), 1);
  });

  it('has the text back in the field after the session ended, signs in and posts by one press', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await signIn(visitor);
    await visitor.context.clearCookies({ name: 'vestibule' });
    await write(visitor, 'after the session');
    await post(visitor);
    await keeps(visitor, 'after the session');
    const [popup] = await Promise.all([
      visitor.page.waitForEvent('popup'), visitor.box.getByRole('button', { name: 'Sign in and post', exact: true }).click(),
    ]);
    await allow(popup);
    await clickToClose(popup, popup.getByRole('button', { name: 'Continue as Ada Quill and post' }));
    await isPosted(visitor, 'after the session');
  });

  it('reveals no code to a third party on the page: by referrer, message or address', async () => {
    const seen: string[] = [];
    const thirdParty = createServer((req, res) => {
      seen.push(`${req.url} ${JSON.stringify(req.headers)}`);
      res.setHeader('Access-Control-Allow-Origin', '*').end('ok');
    });
    const address = `${await listen(thirdParty)}/pixel`;
    await using visitor = await stage().reader({ bypassCSP: true });
    await visitor.context.addInitScript((url) => {
      const report = (what: string): void => void fetch(`${url}?${encodeURIComponent(what)}`, { mode: 'no-cors' });
      window.addEventListener('message', ({ data }) => report(JSON.stringify(data)));
      for (const event of ['DOMContentLoaded', 'pagehide', 'click']) addEventListener(event, () => report(location.href), true);
    }, address);
    await visitor.open();
    await signIn(visitor);
    await closeServer(thirdParty);
    const codes = service().requests.filter(({ endpoint }) => endpoint === 'token')
      .map(({ body }) => new URLSearchParams(body.toString()).get('code') ?? '');
    assert.ok(seen.length > 0 && codes.length > 0);
    assert.deepEqual(seen.filter((line) => codes.some((code) => line.includes(code))), []);
  });
});
