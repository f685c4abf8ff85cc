/** Parts of the widget that throw or do not load (network, rolling deployment, old browser): what stays, what the reader reads,
 *  and the next attempt when the browser is online. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { servePage, strictPolicy, type PolicedPage } from './_policed-page.ts';
import { allow, allowButton, answer, isSignedIn, openSignIn, startStage, textField, type Visitor } from './_stage.ts';

const CALLBACK = new URLSearchParams({ code: 'c0de', username: 'Ada', user_id: '42', audiencesync_uri: 'https://service.example/' });

interface Watched {
  readonly failures: readonly string[];
  readonly trustedTypes: object;
}

describe('a part of the widget that does not load', () => {
  let body = '';
  const page: () => PolicedPage = suiteResource(() => servePage(() => ({
    policy: strictPolicy(stage().demo.url),
    body: `<script type="module" src="${stage().demo.url}/vestibule/widget.js"></script>${body}`,
  })));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  /** @param missing files that answer 404 until `mend` */
  async function open({ page: tab }: Visitor, content: string, missing?: RegExp, query = '') {
    body = content;
    await tab.addInitScript(() => {
      const failures: string[] = [];
      Object.assign(globalThis, { failures });
      document.addEventListener('vestibule-error', (event) => {
        failures.push((event as CustomEvent<{ problem: { type: string } }>).detail.problem.type);
      });
    });
    if (missing) await tab.route(missing, (route) => route.fulfill({ status: 404, body: 'Not found' }));
    await tab.goto(page().origin + query);
    return {
      failed: () => tab.waitForFunction(() => (globalThis as unknown as Watched).failures.at(-1) === 'urn:vestibule:network'),
      async mend(): Promise<void> {
        await tab.unrouteAll();
        await tab.evaluate(() => dispatchEvent(new Event('online')));
      },
    };
  }

  const BOX = '<vestibule-comments forum="news"><a href="/vestibule/comments?forum=news">Comments</a></vestibule-comments>';

  /** Whether the page shows the content of the element. */
  const showsContent = ({ page: tab }: Visitor) => tab.getByRole('link', { name: 'Comments' }).waitFor();

  const isDefined = ({ page: tab }: Visitor) => tab.evaluate(() => customElements.get('vestibule-comments') !== undefined);

  it('the script: the content of the element stays', async () => {
    await using visitor = await stage().reader();
    await open(visitor, BOX, /\/widget\.js$/);
    await showsContent(visitor);
  });

  it('the script throws: the content of the element stays, and the page gets one event', async () => {
    await using visitor = await stage().reader();
    await visitor.page.addInitScript(() => {
      const createPolicy = (): never => { throw new TypeError('createPolicy'); };
      Object.assign((globalThis as unknown as Watched).trustedTypes, { createPolicy });
    });
    const { failed, mend } = await open(visitor, BOX);
    await failed();
    await mend();
    await visitor.page.waitForLoadState('networkidle');
    await showsContent(visitor);
    assert.equal(await visitor.page.evaluate(() => (globalThis as unknown as Watched).failures.length), 1);
  });

  it('a browser without a feature that the elements need: the content of the element stays', async () => {
    await using visitor = await stage().reader();
    await visitor.page.addInitScript(() => { CSS.supports = (condition) => !condition.includes(':state'); });
    await open(visitor, BOX);
    await visitor.page.waitForLoadState('networkidle');
    await showsContent(visitor);
    assert.equal(await isDefined(visitor), false);
    assert.deepEqual(visitor.complaints, []);
  });

  it('the box: its place says so, with a button', async () => {
    await using visitor = await stage().reader();
    const { failed, mend } = await open(visitor, '<vestibule-comments forum="news">The page’s own words.</vestibule-comments>', /\/assets\/box-/);
    await visitor.box.getByRole('alert').getByText('The comments could not be loaded.').waitFor();
    await visitor.page.getByText('The page’s own words.').waitFor();
    await failed();
    await mend();
    await textField(visitor.box).waitFor();
  });

  it('the language: there is no box without it, its place says so, and the page gets one event', async () => {
    await using visitor = await stage().reader();
    const content = '<vestibule-comments forum="news" lang="de">The page’s own words.</vestibule-comments>';
    const { failed, mend } = await open(visitor, content, /\/assets\/de-/);
    await failed();
    await visitor.page.waitForLoadState('networkidle');
    await visitor.box.getByRole('alert').getByText('The comments could not be loaded.').waitFor();
    await visitor.page.getByText('The page’s own words.').waitFor();
    assert.equal(await visitor.box.getByRole('textbox').count(), 0);
    assert.equal(await visitor.page.evaluate(() => (globalThis as unknown as Watched).failures.length), 1);
    await mend();
    await visitor.box.getByLabel('Ihr Kommentar').waitFor();
  });

  it('the thread: its place says so in the language of the box, where a reader can write', async () => {
    await using visitor = await stage().reader();
    const content = '<vestibule-comments forum="news" lang="de" show-posts></vestibule-comments>';
    const { failed, mend } = await open(visitor, content, /\/assets\/[\w-]*thread-/);
    await failed();
    await visitor.box.getByText('Die Kommentare konnten nicht geladen werden.').waitFor();
    assert.equal(await visitor.box.getByRole('alert').count(), 0);
    await visitor.box.getByLabel('Ihr Kommentar').fill('geht');
    await mend();
    await visitor.box.getByText('Noch keine Kommentare.').waitFor();
    await visitor.box.getByText('Die Kommentare konnten nicht geladen werden.').waitFor({ state: 'hidden' });
  });

  it('the thread and the language: the page’s own posts stay', async () => {
    await using visitor = await stage().reader();
    const posts = '<ol slot="posts"><li data-post-id="1">rendered by the page</li></ol>';
    const content = `<vestibule-comments forum="news" lang="de" show-posts>${posts}</vestibule-comments>`;
    const { failed, mend } = await open(visitor, content, /\/assets\/(?:[\w-]*thread|de)-/);
    await failed();
    await visitor.box.getByRole('alert').waitFor();
    await visitor.page.getByText('rendered by the page').waitFor();
    await mend();
    await visitor.box.getByLabel('Ihr Kommentar').waitFor();
    await visitor.box.getByRole('button', { name: 'Alle Kommentare anzeigen' }).waitFor();
    await visitor.page.getByText('rendered by the page').waitFor();
  });

  it('an element that the page has just made signs in in the page', async () => {
    await using visitor = await stage().reader();
    await open(visitor, '');
    await visitor.page.waitForFunction(() => customElements.get('vestibule-comments') !== undefined);
    await visitor.page.evaluate(() => {
      const box = Object.assign(document.createElement('vestibule-comments'), { forum: 'news', sync: 'inline' });
      document.body.append(box);
      (box as unknown as { signIn(): void }).signIn();
    });
    await allowButton(visitor.page).waitFor();
  });

  it('a count that appears after the start: its content stays, and the number comes when the browser is online', async () => {
    await using visitor = await stage().reader();
    const { mend } = await open(visitor, '', /\/assets\/count-text-/);
    await visitor.page.waitForFunction(() => customElements.get('vestibule-count') !== undefined);
    const failed = visitor.page.waitForResponse(/\/assets\/count-text-/);
    await visitor.page.evaluate(() => {
      const count = Object.assign(document.createElement('vestibule-count'), { textContent: 'Comments' });
      count.setAttribute('forum', 'news');
      count.setAttribute('page', location.href);
      document.body.append(count);
    });
    await failed;
    await visitor.page.getByText('Comments', { exact: true }).waitFor();
    await mend();
    await visitor.page.locator('vestibule-count').getByText('0 comments').waitFor();
  });

  it('the thread: its place says so below the page’s own posts, with a button that offers it', async () => {
    await using visitor = await stage().reader();
    const content = '<vestibule-comments forum="news" show-posts><ol slot="posts"><li data-post-id="1">rendered by the page</li></ol></vestibule-comments>';
    const { failed } = await open(visitor, content, /\/assets\/[\w-]*thread-/);
    await failed();
    await visitor.page.getByText('rendered by the page').waitFor();
    await visitor.box.getByText('The comments could not be loaded.').waitFor();
    await visitor.page.unrouteAll();
    await visitor.box.getByRole('button', { name: 'Try again' }).click();
    await visitor.box.getByRole('button', { name: 'Show all comments' }).waitFor();
  });

  it('the form in the box: the box says so, with a button that loads it, also after a letter; it has the return of the address', async () => {
    await using visitor = await stage().reader();
    const { failed } = await open(visitor, '<vestibule-comments forum="news"></vestibule-comments>', /\/assets\/form-in-box-/, `/?${CALLBACK}`);
    await failed();
    await visitor.box.getByText('The sign-in form could not be loaded.').first().waitFor();
    await textField(visitor.box).fill('meanwhile');
    await visitor.page.unrouteAll();
    await visitor.box.getByRole('button', { name: 'Try again' }).click();
    await visitor.box.getByRole('button', { name: 'Continue as Ada' }).waitFor();
  });

  it('the form: its place says so, with a button that loads it', async () => {
    await using visitor = await stage().reader();
    const content = '<vestibule-sync>The page’s own words.</vestibule-sync>';
    const { failed } = await open(visitor, content, /\/assets\/form-in-box-/, `/?${CALLBACK}`);
    await failed();
    await visitor.page.getByText('The page’s own words.').waitFor();
    const alert = visitor.page.getByRole('alert');
    await alert.getByText('The sign-in form could not be loaded.').waitFor();
    await visitor.page.unrouteAll();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await visitor.page.locator('vestibule-sync').getByRole('button', { name: 'Continue as Ada' }).waitFor();
    assert.equal(await alert.count(), 0);
  });

  it('the form, in a sign-in window of a browser that keeps the failure: the button loads the page again, with its sign-in', async () => {
    await using visitor = await stage().reader();
    await visitor.open();
    await visitor.context.route(/\/assets\/form-in-box-/, (route) => route.fulfill({ status: 404, body: 'Not found' }));
    const window = await openSignIn(visitor);
    await allow(window);
    const tryAgain = window.getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    const loaded = window.waitForEvent('load');
    await tryAgain.click();
    await loaded;
    await tryAgain.waitFor();
    await visitor.context.unrouteAll();
    await tryAgain.click();
    await answer(window);
    await isSignedIn(visitor.box);
  });

  it('the form: its content stays, the address loses the return, and the form that loads later has it', async () => {
    await using visitor = await stage().reader();
    const content = '<vestibule-sync><a href="/help">Comments</a></vestibule-sync>';
    const { failed, mend } = await open(visitor, content, /\/assets\/form-in-box-/, `/?${CALLBACK}`);
    await failed();
    await showsContent(visitor);
    await until('an address without the return', () => visitor.page.url() === `${page().origin}/`);
    await mend();
    await visitor.page.locator('vestibule-sync').getByRole('button', { name: 'Continue as Ada' }).waitFor();
  });
});
