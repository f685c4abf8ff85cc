/** The ways that readers take most, from the first letter to the signed post. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { entranceUrl, PAPER } from '../site/pages.ts';
import {
  allow, answerInWindow, ARTICLE, AWKWARD, clickToClose, finishInPage, isPosted, isSignedIn, openSignIn, OTHER_ARTICLE, post,
  signIn, signInButton, startStage, textField, write, type Visitor,
} from './_stage.ts';

const text = ({ box }: Visitor): Promise<string> => textField(box).inputValue();

describe('a reader', () => {
  const stage = suiteResource(() => startStage());
  const service = () => stage().demo.service;

  it('signs in by a window and posts with one press: the text outlives the way and arrives byte for byte', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await write(visitor, AWKWARD);
    await signIn(visitor);
    await isPosted(visitor, AWKWARD);
    assert.equal(await text(visitor), '');
    const created = service().posts.at(-1);
    assert.deepEqual([created?.message, created?.user_id], [AWKWARD, service().readers[0]?.user_id]);
    assert.equal(service().completions.at(-1)?.success, '1');
    await write(visitor, 'A second one');
    await post(visitor);
    await isPosted(visitor, 'A second one');
    assert.equal(service().posts.length, 2);
    assert.deepEqual(visitor.complaints, []);
  });

  for (const [press, act] of [
    ['click', (button: Locator) => button.click()],
    ['key', (button: Locator) => button.press('Enter')],
    ['tap', (button: Locator) => button.tap()],
  ] as const) {
    it(`opens the sign-in window with the first ${press}, with an empty field, while the session does not load`, async () => {
      await using visitor = await stage().reader({ hasTouch: true });
      await visitor.page.route(/\/vestibule\/session/, () => {});
      await visitor.page.goto(stage().demo.url + ARTICLE);
      const popup = await openSignIn(visitor, act);
      await allow(popup);
      await visitor.page.unrouteAll();
      await popup.getByLabel(/Your age/).waitFor();
    });
  }

  it('answers the questions once: the next sign-in in this browser asks none', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await signIn(visitor);
    await visitor.box.getByRole('button', { name: 'Commenting as' }).click();
    await visitor.box.getByRole('button', { name: 'Sign out' }).click();
    const popup = await openSignIn(visitor);
    await allow(popup);
    await clickToClose(popup, popup.getByRole('button', { name: /^Continue as Ada Quill/ }));
    await isSignedIn(visitor.box);
    assert.deepEqual(visitor.complaints, []);
  });

  it('signs in in the language of the page, and reads no error in the console, where several origins are allowed', async () => {
    await using several = await startStage({ allowedOrigins: ['https://m.example.com'] });
    await using visitor = await several.reader();
    await visitor.page.goto(`${several.demo.url}${ARTICLE}?lang=de`);
    const [popup] = await Promise.all([visitor.page.waitForEvent('popup'), visitor.box.getByRole('button', { name: 'Anmelden und kommentieren' }).click()]);
    await allow(popup);
    await popup.getByLabel('Ihr Alter').fill('34');
    const named = await popup.evaluate(() => [document.documentElement.lang, document.title]);
    assert.deepEqual(named, ['de', `Anmelden und kommentieren – ${PAPER}`]);
    await popup.getByLabel('Ich nehme die Hausregeln an').check();
    await clickToClose(popup, popup.getByRole('button', { name: 'Weiter als Ada Quill' }));
    await isSignedIn(visitor.box);
    assert.deepEqual(visitor.complaints, []);
  });

  it('signs in in the page itself where sync is inline, is back, and has posted the text', async () => {
    await using visitor = await stage().reader();
    await visitor.open(`${ARTICLE}?sync=inline`);
    const message = `in the page: ${AWKWARD}`;
    await write(visitor, message);
    await signInButton(visitor).click();
    await finishInPage(visitor);
    await visitor.page.getByRole('link').first().click();
    await isPosted(visitor, message);
    assert.equal(await text(visitor), '');
    assert.equal(service().posts.at(-1)?.message, message);
    assert.deepEqual(visitor.complaints, []);
  });

  it('has the focus on the form, which names the site, when the service leads back to the page', async () => {
    await using visitor = await stage().reader();
    await visitor.open(`${ARTICLE}?sync=inline`);
    await signInButton(visitor).click();
    await visitor.page.waitForURL(/authorize/);
    await allow(visitor.page);
    await visitor.box.getByText('The Harbour Courier asks everyone who wants to comment:').waitFor();
    const heading = visitor.box.getByRole('heading', { name: 'Before you comment' });
    await until('the focus on the heading', () => heading.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element));
    await visitor.page.keyboard.press('Tab');
    assert.equal(await visitor.box.getByLabel(/Your age/).evaluate((field) => field.matches(':focus')), true);
  });

  it('signs in at the service in a window (embedded variant): no session before the reader’s click', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await write(visitor, 'from the entrance');
    const { url, publicKey } = service();
    const redirectUri = `${stage().demo.url}/vestibule/sync/return`;
    const entrance = entranceUrl({ serviceUrl: url, publicKey, forum: 'news', redirectUri });
    const opened = visitor.page.waitForEvent('popup');
    await visitor.page.evaluate((address) => { window.open(address); }, entrance);
    const form = await opened;
    await allow(form, 'Jörg Ünterwald');
    await form.waitForURL(/sync\/return/);
    await form.getByRole('button', { name: 'Continue as Jörg Ünterwald' }).waitFor();
    assert.doesNotMatch(form.url(), /code=|user_id=|audiencesync_uri=/);
    assert.deepEqual((await visitor.context.cookies()).filter(({ name }) => name === 'vestibule'), []);
    await form.getByRole('button', { name: 'Continue as Jörg Ünterwald' }).click();
    await answerInWindow(form);
    await visitor.box.locator('[part=status]', { hasText: 'One more step: post your comment.' }).waitFor();
    assert.equal(await text(visitor), 'from the entrance');
    await textField(visitor.box).press('Control+End');
    await textField(visitor.box).press('!');
    await visitor.box.getByText('Jörg Ünterwald').waitFor();
    assert.deepEqual(visitor.complaints, []);
  });

  it('signs in by the box’s button at the service where the publisher has an embedded implementation', async () => {
    await using embedded = await startStage({}, { embedded: true });
    await using visitor = await embedded.reader();
    await visitor.open();
    await write(visitor, 'by the entrance');
    const popup = await openSignIn(visitor);
    await popup.waitForURL(/\/embedded\/entrance/);
    await allow(popup);
    await popup.waitForURL(/sync\/form/);
    await answerInWindow(popup);
    await isPosted(visitor, 'by the entrance');
    assert.deepEqual(visitor.complaints, []);
  });

  it('can leave by Cancel, with success=0', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    const popup = await openSignIn(visitor);
    await allow(popup);
    await clickToClose(popup, popup.getByRole('button', { name: 'Cancel' }));
    assert.equal(service().completions.at(-1)?.success, '0');
    await signInButton(visitor).waitFor();
  });

  it('goes on after a reload in the middle: of the form with its answers, and of the page with its text', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await write(visitor, 'outlives a reload');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await popup.getByLabel(/Your age/).fill('41');
    await popup.reload();
    await until('the answer is back', async () => await popup.getByLabel(/Your age/).inputValue() === '41');
    await visitor.page.reload();
    await answerInWindow(popup, { age: '41' });
    await visitor.page.bringToFront();
    await isSignedIn(visitor.box);
    assert.equal(await text(visitor), 'outlives a reload');
  });

  it('is signed in and out in two tabs at once, for good', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    const other = await visitor.context.newPage();
    const otherBox = other.locator('vestibule-comments');
    await other.goto(stage().demo.url + OTHER_ARTICLE);
    await textField(otherBox).fill('in the other tab');
    await visitor.page.bringToFront();
    await signIn(visitor);
    await other.bringToFront();
    await isSignedIn(otherBox);
    assert.equal(await textField(otherBox).inputValue(), 'in the other tab');
    await visitor.page.bringToFront();
    await visitor.box.getByRole('button', { name: 'Commenting as' }).click();
    await visitor.box.getByRole('button', { name: 'Sign out' }).click();
    await visitor.box.getByText('Sign out? What is not posted is deleted.').waitFor();
    await visitor.box.getByRole('button', { name: 'Sign out' }).click();
    await signInButton(visitor).waitFor();
    await other.bringToFront();
    await otherBox.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ }).waitFor();
    await other.reload();
    await textField(otherBox).focus();
    await otherBox.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ }).waitFor();
    assert.equal(await textField(otherBox).inputValue(), '');
  });

  it('leaves no comment in the browser by a sign-out, with a second tab that shows it', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await signIn(visitor);
    await visitor.page.route(/\/vestibule\/posts$/, (route) => route.fulfill({ status: 404, body: '<title>Not found</title>' }));
    await write(visitor, 'for nobody else');
    await post(visitor);
    await visitor.box.getByText('Not posted: Something went wrong.').waitFor();
    const other = await visitor.context.newPage();
    await other.goto(stage().demo.url + ARTICLE);
    await other.getByText('for nobody else').waitFor();
    await visitor.page.bringToFront();
    await visitor.box.evaluate((box) => (box as HTMLElement & { signOut(): Promise<void> }).signOut());
    await signInButton(visitor).waitFor();
    await other.bringToFront();
    await other.getByText('for nobody else').waitFor({ state: 'detached' });
    await other.locator('vestibule-comments').getByRole('button', { name: 'Sign in to comment' }).waitFor();
    assert.doesNotMatch(await other.evaluate(() => JSON.stringify(localStorage)), /for nobody else/);
  });
});
