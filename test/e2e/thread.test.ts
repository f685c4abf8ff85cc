/** The comments below the box, from a reader's post to the next visit. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { ARTICLE, AWKWARD, post, signIn, startStage, write, type Stage, type Visitor } from './_stage.ts';

const HOSTILE = `${AWKWARD}\n\n<img src=x onerror=alert(1)> javascript:alert(1)\nhttps://www.example.com/lamps \u202Etxet`;

/** The BFF and the browser keep a list for 15 s; then the thread requests another one. */
const LISTED_WITHIN_MS = 40_000;

/** Of the comments that the demonstration starts with. */
const ACCESSIBILITY_TREE = `
- heading "Readers’ comments" [level=3]
- list "Readers’ comments":
  - listitem:
    - heading "Jörg Ünterwald" [level=4]
    - time: …
    - paragraph: Keep her. The new lamps at the station hum in B flat.
  - listitem:
    - heading "Σοφία Λάσκαρη" [level=4]
    - time: …
    - paragraph:
      - text: "For those who ask what gaslight costs: the town publishes the figures."
      - link "https://www.example.com/courier/lamps":
        - /url: https://www.example.com/courier/lamps
      - text: (page 4)
  - listitem:
    - heading "حنان الصايغ" [level=4]
    - time: …
    - paragraph: كان في حيّنا مصباح واحد بقي يعمل بالغاز حتى عام 1998. ما زلت أتذكر صوته قبل نوره.
  - listitem:
    - heading "Noor “Ink” al-Haddad" [level=4]
    - time: …
    - paragraph: She let me carry the pole once, when I was nine. It was taller than the door and I have never been so careful with anything.
- status
`.trim();

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
    // The session may arrive before the list: until then the reader's own copy stands in its place.
    await writer.box.locator(`[data-key="${stage.demo.service.posts.at(-1)?.id}"]`).waitFor();
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

  it('is a list with headings to assistive technology', async () => {
    await using directory = await temporaryDirectory();
    await using seeded = await startStage({}, { directory: directory.path });
    await using reader = await seeded.reader();
    await reader.page.goto(seeded.demo.url + ARTICLE);
    await reader.box.scrollIntoViewIfNeeded();
    await comments(reader).first().waitFor();
    const tree = await reader.box.locator('vestibule-thread').ariaSnapshot();
    assert.equal(tree.replace(/^( +- time: ).+$/gm, '$1…'), ACCESSIBILITY_TREE);
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
