/** The box's own button where the publisher's service has an embedded implementation (`VESTIBULE_EMBEDDED_URL`). */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allow, answer, ARTICLE, openSignIn, startStage, turnTo, write, type Stage } from './_stage.ts';

describe('the sign-in button with an embedded implementation', () => {
  let stage: Stage;
  before(async () => { stage = await startStage({}, { embedded: true }); });
  after(() => stage[Symbol.asyncDispose]());

  it('runs the embedded variant in a popup, bound to this browser', async () => {
    await using visitor = await stage.reader();
    await visitor.open();
    await write(visitor, 'kept');
    const popup = await openSignIn(visitor);
    await popup.waitForURL(/\/embedded\/entrance/);
    await allow(popup);
    await popup.waitForURL(/sync\/form/);
    await answer(popup);
    await popup.waitForURL(/audiencesync\/complete/);
    await visitor.box.getByText('Commenting as Ada Quill').waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'kept');
    assert.deepEqual(visitor.complaints, []);
  });

  it('runs the embedded variant in the page where sync is inline', async () => {
    await using visitor = await stage.reader();
    await visitor.open(`${ARTICLE}?sync=inline`);
    await write(visitor, 'kept');
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).click();
    await visitor.page.waitForURL(/\/embedded\/entrance/);
    await allow(visitor.page);
    await visitor.page.waitForURL(new RegExp(ARTICLE));
    await answer(visitor.box);
    await visitor.page.waitForURL(/audiencesync\/complete/);
    await visitor.page.getByRole('link').first().click();
    await turnTo(visitor.box);
    await visitor.box.getByText('Commenting as Ada Quill').waitFor();
    assert.equal(await visitor.box.getByLabel('Your comment').inputValue(), 'kept');
    assert.deepEqual(visitor.complaints, []);
  });
});
