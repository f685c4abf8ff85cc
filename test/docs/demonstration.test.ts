/** What the demonstration shows beside the box. The pages have a strict policy: `complaints` contains violations. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { allow, finishButton, openSignIn, post, signIn, startStage, write } from '../e2e/_stage.ts';

describe('the demonstration', () => {
  const stage = suiteResource(() => startStage());

  it('lists the requests of a post while “What just happened” is open, also after a reload', async () => {
    await using visitor = await stage().reader();
    const { page } = visitor;
    await visitor.open();
    await signIn(visitor);
    await write(visitor, 'seen on its way');
    await post(visitor);
    await page.getByText('What just happened').last().click();
    for (let i = 0; i < 2; i += 1) {
      await page.getByText('Signed with HMAC-SHA-1').waitFor();
      await page.reload();
    }
    assert.deepEqual(visitor.complaints, []);
  });

  it('has a bar that covers no anchor, however many lines it takes', async () => {
    for (const viewport of [{ width: 1000, height: 700 }, { width: 1280, height: 720 }, { width: 1920, height: 1080 }]) {
      await using visitor = await stage().reader({ viewport });
      await visitor.page.goto(`${stage().demo.url}/articles/lamplighter#comments`);
      await visitor.box.scrollIntoViewIfNeeded();
      const [bar, comments] = await Promise.all(['.demonstration', '#comments'].map((name) => visitor.page.locator(name).boundingBox()));
      assert.ok(bar && comments && bar.y + bar.height <= comments.y, JSON.stringify({ viewport, bar, comments }));
    }
  });

  it('shows a dark sign-in window with the contrast that WCAG asks for', async () => {
    await using visitor = await stage().reader({ colorScheme: 'dark' });
    await visitor.context.addInitScript({ path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) });
    await visitor.open();
    const popup = await openSignIn(visitor);
    await allow(popup);
    await finishButton(popup).waitFor();
    const { violations } = await popup.evaluate(() => (
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly: ['color-contrast'] })
    ));
    assert.deepEqual(violations.flatMap(({ nodes }) => nodes.map(({ failureSummary }) => failureSummary)), []);
  });

  it('changes language, looks and width by links, and keeps them on other pages', async () => {
    await using visitor = await stage().reader({ colorScheme: 'light' });
    const { page, box } = visitor;
    await visitor.open();
    for (const name of ['العربية', 'dark', 'phone']) await page.getByRole('link', { name }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Coast' }).click();
    await box.scrollIntoViewIfNeeded();
    await box.getByText('التعليقات').first().waitFor();
    assert.ok((await box.boundingBox())!.width <= 390);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
    assert.deepEqual(visitor.complaints, []);
    assert.ok(page.url().startsWith(`${stage().demo.url}/articles/slow-railway?`));
  });
});
