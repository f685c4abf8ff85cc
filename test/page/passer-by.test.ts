/** A reader who does not touch the box and was not signed in on this browser. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { plainPage, startNewspaper } from './_newspaper.ts';
import { boxOf, settle } from './_reading.ts';
import { countBffRequests } from './_requests.ts';
import { openTab } from './_slow-browser.ts';

describe('a passer-by', () => {
  const browser = () => sharedChromium({ holdsPaints: true });
  const newspaper = suiteResource(startNewspaper);

  it('causes one request, for the script, and no other, with the box in sight; intent loads the second stage', async () => {
    await using tab = await openTab(await browser());
    const count = countBffRequests(tab.context);
    await tab.page.goto(newspaper().url + plainPage({ above: 'much' }));
    await boxOf(tab.page).getByLabel('Your comment').waitFor();
    await boxOf(tab.page).scrollIntoViewIfNeeded();
    await settle(tab.page);
    await tab.page.waitForLoadState('networkidle');
    const { files, others } = await count();
    assert.deepEqual(files, ['GET /widget.js']);
    assert.deepEqual(others, []);

    const secondStage = tab.page.waitForEvent('requestfinished', (request) => request.url().includes('/assets/comments-controller-'));
    await boxOf(tab.page).hover();
    await secondStage;
    await settle(tab.page);
    assert.deepEqual(others, []);
    await boxOf(tab.page).getByLabel('Your comment').focus();
    await boxOf(tab.page).getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.deepEqual(others, ['GET /session']);
  });
});
