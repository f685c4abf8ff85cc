/** The comments below the box, from a reader's post to other readers. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { suiteResource } from '../lib/suite-resource.ts';
import { ARTICLE, AWKWARD, isPosted, isSignedIn, OTHER_ARTICLE, post, signIn, startStage, write, type Visitor } from './_stage.ts';

const HOSTILE = `${AWKWARD}\n\n<img src=x onerror=alert(1)> javascript:alert(1)\nhttps://www.example.com/lamps \u202Etxet`;

const comments = ({ box }: Visitor): Locator => box.locator('vestibule-thread').getByRole('listitem');

describe('the thread below an article', () => {
  const stage = suiteResource(() => startStage());

  /** Opens a page; the paths of requests beside pages and static files. */
  async function read({ page, box }: Visitor, path: string): Promise<readonly string[]> {
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!/\.js$|^\/(?:assets|articles)\//.test(pathname)) requests.push(pathname);
    });
    await page.goto(stage().demo.url + path);
    await box.scrollIntoViewIfNeeded();
    return requests;
  }

  it('shows a new comment at once to its writer, also after a reload, and by one request to others; as text, with its links', async () => {
    await using writer = await stage().reader();
    await writer.open();
    await writer.box.getByText('No comments yet.').waitFor();
    await signIn(writer);
    await write(writer, HOSTILE);
    await post(writer);
    await isPosted(writer, AWKWARD);
    assert.equal(await comments(writer).count(), 1);
    await writer.page.reload();
    await isSignedIn(writer.box);
    await comments(writer).filter({ hasText: AWKWARD }).waitFor();
    assert.equal(await comments(writer).count(), 1);

    stage().passTime(61);
    await using other = await stage().reader();
    const requests = await read(other, ARTICLE);
    const comment = comments(other);
    await comment.waitFor();
    assert.equal(await comment.locator('.message').textContent(), HOSTILE);
    assert.equal(await comment.locator('.message').getByRole('link').getAttribute('href'), 'https://www.example.com/lamps');
    assert.deepEqual(requests, ['/vestibule/posts']);
    await read(other, OTHER_ARTICLE);
    await other.box.getByText('No comments yet.').waitFor();
    assert.deepEqual([writer.complaints, other.complaints], [[], []]);
  });

  it('works where the page puts members on Object.prototype, in the built script and in another language', async () => {
    await using reader = await stage().reader({ locale: 'de-DE' });
    const { page, box } = reader;
    await page.addInitScript(() => {
      if (!location.pathname.startsWith('/articles/')) return;
      Object.assign(Object.prototype, { isMobile: false, version: '1', extend() {} });
      addEventListener('DOMContentLoaded', () => { document.querySelector('vestibule-comments')!.lang = 'de'; });
    });
    await page.goto(`${stage().demo.url}${OTHER_ARTICLE}`);
    await box.getByRole('textbox').fill('von dort');
    const [popup] = await Promise.all([page.waitForEvent('popup'), box.getByRole('button', { name: 'Anmelden und absenden' }).click()]);
    await page.evaluate(() => { document.hasFocus = () => false; });
    await popup.getByText('Ada Quill').click();
    await popup.getByRole('button', { name: /^(?:Allow|Sign in)$/ }).click();
    await popup.getByLabel(/Alter/).fill('34');
    await popup.getByLabel(/Hausregeln/).check();
    await popup.getByRole('button', { name: /absenden$/ }).click();
    await isPosted(reader, 'von dort');
    await page.reload();
    const own = comments(reader).filter({ hasText: 'von dort' });
    await own.getByRole('button', { name: 'Bearbeiten' }).click();
    await own.getByRole('textbox').fill('von dort, verbessert');
    await own.getByRole('button', { name: 'Speichern' }).click();
    await comments(reader).filter({ hasText: 'von dort, verbessert' }).getByRole('button', { name: 'Bearbeiten' }).waitFor();
    assert.deepEqual(reader.complaints, []);
  });

  it('that the page has rendered needs no request and no script', async () => {
    await using writer = await stage().reader();
    await writer.open(OTHER_ARTICLE);
    await write(writer, 'rendered by the page');
    await signIn(writer);
    await isPosted(writer, 'rendered by the page');
    stage().passTime(61);
    for (const javaScriptEnabled of [true, false]) {
      await using reader = await stage().reader({ javaScriptEnabled });
      const requests = await read(reader, `${OTHER_ARTICLE}?posts=server`);
      if (javaScriptEnabled) await reader.box.getByRole('button', { name: 'Show all comments' }).waitFor();
      await reader.page.locator('[data-post-id] .message').getByText('rendered by the page').waitFor();
      assert.deepEqual([...requests, ...reader.complaints], []);
    }
  });
});
