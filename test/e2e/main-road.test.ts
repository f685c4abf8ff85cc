/** The ways that readers take most, from the first letter to the signed post. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  allow, answer, answerInWindow, ARTICLE, AWKWARD, clickToClose, finishButton, finishInPage, openSignIn, post, signIn,
  startStage, turnTo, write, type Stage,
} from './_stage.ts';

describe('the main road', () => {
  let stage: Stage;
  before(async () => { stage = await startStage(); });
  after(() => stage[Symbol.asyncDispose]());

  it('leads through a popup to a signed post that arrives byte for byte, and the text outlives the way', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, AWKWARD);
    await signIn(visitor);
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), AWKWARD);
    await post(visitor);
    await visitor.box.getByText('Your comment is posted.').waitFor();
    await visitor.box.getByText(AWKWARD).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), '');
    const created = stage.demo.service.posts.at(-1);
    assert.equal(created?.message, AWKWARD);
    assert.equal(created?.user_id, stage.demo.service.readers[0]?.user_id);
    assert.deepEqual(stage.demo.service.completions.at(-1)?.success, '1');
    assert.deepEqual(visitor.complaints, []);
  });

  it('leads through the page itself where sync is inline, and back to the text', async () => {
    await using visitor = await stage.reader();
    await visitor.open(`${ARTICLE}?sync=inline`);
    await write(visitor, AWKWARD);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).click();
    await finishInPage(visitor);
    await visitor.page.getByRole('link').first().click();
    await visitor.open(`${ARTICLE}?sync=inline`);
    await visitor.box.getByText(/Commenting as/).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), AWKWARD);
    await post(visitor);
    await visitor.box.getByText('Your comment is posted.').waitFor();
    assert.equal(stage.demo.service.posts.at(-1)?.message, AWKWARD);
    assert.deepEqual(visitor.complaints, []);
  });

  it('leads through the service’s own page in a window (embedded variant), which creates no session before the reader’s click', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'from the embedded entrance');
    const [popup] = await Promise.all([visitor.page.waitForEvent('popup'), visitor.page.getByRole('link', { name: /in a window/ }).first().click()]);
    await allow(popup, 'Jörg Ünterwald');
    await popup.waitForURL(/sync\/return/);
    await popup.getByRole('button', { name: 'Continue as Jörg Ünterwald' }).waitFor();
    assert.doesNotMatch(popup.url(), /code=|user_id=|audiencesync_uri=/);
    assert.deepEqual((await visitor.context.cookies()).filter(({ name }) => name === 'vestibule'), []);
    await popup.getByRole('button', { name: 'Continue as Jörg Ünterwald' }).click();
    await answerInWindow(popup);
    await visitor.box.getByText('Commenting as Jörg Ünterwald').waitFor();
    await post(visitor);
    await visitor.box.getByText('Your comment is posted.').waitFor();
    assert.equal(stage.demo.service.posts.at(-1)?.message, 'from the embedded entrance');
    assert.deepEqual(visitor.complaints, []);
  });

  it('leads through the service’s own entrance in the page (embedded variant)', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'kept on the way');
    await visitor.page.getByRole('link', { name: /in this page/ }).first().click();
    await allow(visitor.page);
    await visitor.page.waitForURL(/sync\/return/);
    await visitor.page.getByRole('button', { name: 'Continue as Ada Quill' }).click();
    await answer(visitor.page);
    await visitor.page.waitForURL(/audiencesync\/complete/);
    await visitor.open();
    await visitor.box.getByText('Commenting as Ada Quill').waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'kept on the way');
  });

  it('rejects a reader who is too young with the reason and success=0, and keeps the text', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'I am 17');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await answer(popup, { age: '17' });
    await popup.getByText('This site did not accept the sign-in').waitFor();
    await clickToClose(popup, popup.getByRole('button', { name: 'Continue' }).or(popup.getByRole('link', { name: 'Continue' })));
    assert.equal(stage.demo.service.completions.at(-1)?.success, '0');
    await visitor.box.getByText('This site did not accept the sign-in.').waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'I am 17');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });

  it('lets a reader correct an answer', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    const popup = await openSignIn(visitor);
    await allow(popup);
    await answer(popup, { rules: false });
    await popup.getByText('Please tick this to continue.').first().waitFor();
    assert.equal(await popup.getByLabel(/Your age/).inputValue(), '34');
    await popup.getByLabel(/house rules/).check();
    await clickToClose(popup, finishButton(popup));
    await visitor.box.getByText(/Commenting as/).waitFor();
  });

  it('can be left by Cancel, with success=0', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    const popup = await openSignIn(visitor);
    await allow(popup);
    await clickToClose(popup, popup.getByRole('button', { name: 'Cancel' }));
    assert.equal(stage.demo.service.completions.at(-1)?.success, '0');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });

  it('signs in two tabs of one browser, whichever began it', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    const other = await visitor.context.newPage();
    await other.goto(`${stage.demo.url}/articles/slow-railway`);
    await other.locator('vestibule-comments').getByLabel('Your comment').fill('in the other tab');
    await visitor.page.bringToFront();
    await signIn(visitor);
    await other.bringToFront();
    await other.locator('vestibule-comments').getByText(/Commenting as/).waitFor();
    assert.equal(await other.locator('vestibule-comments').getByLabel('Your comment').inputValue(), 'in the other tab');
  });

  it('goes on after a reload in the middle: of the form, and of the page with its text', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'outlives a reload');
    const popup = await openSignIn(visitor);
    await allow(popup);
    await popup.getByLabel(/Your age/).fill('41');
    await popup.reload();
    await popup.getByLabel(/Your age/).waitFor();
    assert.equal(await popup.getByLabel(/Your age/).inputValue(), '41');
    await visitor.page.reload();
    await answerInWindow(popup, { age: '41' });
    await visitor.page.bringToFront();
    await visitor.box.getByText(/Commenting as/).waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'outlives a reload');
    await visitor.page.reload();
    await visitor.box.getByText(/Commenting as/).waitFor();
  });

  it('ends by signing out, for good', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await signIn(visitor);
    await visitor.box.getByRole('button', { name: 'Sign out' }).click();
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    await visitor.page.reload();
    await turnTo(visitor.box);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });
});
