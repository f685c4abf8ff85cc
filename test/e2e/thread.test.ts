/** The comments below the box, from a reader's post to the next visit. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { ARTICLE, AWKWARD, post, signIn, startStage, write, type Stage, type Visitor } from './_stage.ts';

const HOSTILE = `${AWKWARD}\n\n<img src=x onerror=alert(1)> javascript:alert(1)\nhttps://www.example.com/lamps \u202Etxet`;

/** The BFF and the browser keep a list for 15 s; then the thread requests another one. */
const LISTED_WITHIN_MS = 40_000;

const comments = ({ box }: Visitor): Locator => box.locator('vestibule-thread').getByRole('listitem');

describe('the thread below an article', () => {
  let stage: Stage;
  let writer: Visitor;
  before(async () => {
    stage = await startStage();
    writer = await stage.reader();
  });
  after(async () => {
    await writer[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });

  /** Opens a page; the paths of requests beside pages and static files. */
  async function read(reader: Visitor, path: string): Promise<readonly string[]> {
    const requests: string[] = [];
    reader.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!/\.js$|^\/(?:assets|articles)\//.test(pathname)) requests.push(pathname);
    });
    await reader.page.goto(stage.demo.url + path);
    await reader.box.scrollIntoViewIfNeeded();
    return requests;
  }

  it('shows a new comment at once and the listed one in its place, which outlives a reload', async () => {
    await writer.open();
    await writer.box.getByText('No comments yet.').waitFor();
    await signIn(writer);
    await write(writer, HOSTILE);
    await post(writer);
    const mine = comments(writer).filter({ hasText: 'Your new comment' });
    await mine.waitFor();
    assert.equal(await mine.locator('.message').evaluate((element) => element.textContent), HOSTILE);
    await mine.waitFor({ state: 'detached', timeout: LISTED_WITHIN_MS });
    await writer.page.reload();
    await comments(writer).waitFor();
    assert.equal(await comments(writer).getAttribute('data-key'), stage.demo.service.posts.at(-1)?.id);
    await writer.box.getByText('Commenting as').waitFor();
    assert.equal(await comments(writer).count(), 1);
    assert.deepEqual(writer.complaints, []);
  });

  it('lists it for other readers by one request, with its links, and on no other article', async () => {
    await using other = await stage.reader();
    const requests = await read(other, ARTICLE);
    const links = comments(other).getByRole('link');
    await links.waitFor();
    assert.equal(await links.getAttribute('href'), 'https://www.example.com/lamps');
    assert.deepEqual(requests, ['/vestibule/posts']);
    await read(other, '/articles/slow-railway');
    await other.box.getByText('No comments yet.').waitFor();
    assert.deepEqual(other.complaints, []);
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`shows it as part of the page’s HTML without a request, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      await using reader = await stage.reader({ javaScriptEnabled });
      const requests = await read(reader, `${ARTICLE}?posts=server`);
      if (javaScriptEnabled) await reader.box.getByText('Readers’ comments').waitFor();
      const rendered = reader.page.locator('[data-post-id] .message');
      assert.equal(await rendered.isVisible(), true);
      assert.equal(await rendered.textContent(), HOSTILE);
      assert.deepEqual([...requests, ...reader.complaints], []);
    });
  }
});
